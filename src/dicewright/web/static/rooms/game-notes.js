// Beside the table: the rules, what happened, the fair dice, a link for watchers. All folded away until asked for.
import { html, nothing } from "../vendor/lit.js";
import { seatAt } from "../lib/memory.js";
import { diceWords } from "../lib/words.js";
import "../parts/fair.js";
import "../parts/invite.js";

const teller = (event, seat) => (event.who === seat ? "mine" : event.who === "dice" ? "dice" : "theirs");

const log = ({ view, shown, name }) => html`<details class="fold log"><summary>What happened</summary>
  <ol class="events">${view.events.slice(0, shown).map((event) => html`<li class=${teller(event, view.seat)}>
    ${event.who === "dice" ? diceWords(event, view, name) : html`<strong>${name(event.who)}:</strong> ${event.words}`}</li>`)}</ol></details>`;

export function notes(game) {
  const { view, gameId } = game;
  const roomy = matchMedia("(min-width: 64rem)").matches; // then the rules stand open beside the table
  return html`<aside class="notes" aria-label="About this game">
    <details class="fold" ?open=${roomy && !view.ended}><summary>Rules</summary><ol>${view.rules.map((rule) => html`<li>${rule}</li>`)}</ol></details>
    ${log(game)}
    <dw-fair .view=${view} .promised=${seatAt(gameId)?.commitment} .sent=${view.seat ? seatAt(gameId)?.seed : null}></dw-fair>
    ${view.begun && !view.ended ? html`<details class="fold"><summary>Let others watch</summary>
      <dw-invite .link=${`${location.origin}/g/${gameId}`} label="Link for spectators; hidden dice stay hidden"></dw-invite></details>` : nothing}
  </aside>`;
}
