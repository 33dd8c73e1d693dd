// A game of rounds: the lives that are left to both when so many events have been shown; none goes before it is told why.
import { html, nothing } from "../vendor/lit.js";
import { capital, index, number, other, spoken } from "../lib/words.js";
import { ALL } from "../rooms/game-stage.js";

const dots = (left, all) => html`<span class="dots" aria-hidden="true">${Array.from({ length: all }, (_, i) => html`<span class=${i < left ? "left" : "gone"}></span>`)}</span>`;

export function lives(view, count, { me, name, counted, settled }, told) {
  const all = view.layout.lives;
  if (!all) return nothing;
  const shown = view.events.slice(0, counted === ALL || !view.events[count - 1]?.scene.won ? count : count - 1);
  const last = shown.at(-1)?.scene;
  const left = last?.lives ?? [all, all];
  return html`<div class="lives" role="group" aria-label="Lives left">${[me, other(me)].map((seat) => html`<p class=${seat === me ? "mine" : "theirs"}>
    <span>${name(seat)}</span> ${dots(left[index(seat)], all)}<span class="unseen">${number(left[index(seat)])} left</span></p>`)}
    ${last?.won && !told && !(settled && !view.ended) ? html`<p class="won">${capital(spoken(view.says.wins, name(last.won)))}</p>` : nothing}</div>`;
}
