// What all games of a person show together: sentences, the course of time, leaks, kinds of games.
import { html, nothing } from "../vendor/lit.js";
import { bound, capital, evened, rateOf, worthOf } from "../lib/words.js";
import "../parts/course.js";

const amount = (value, unit) => (value === null ? "–" : worthOf(value, unit));
const games = (count) => `${count} game${count === 1 ? "" : "s"}`;

const between = ({ low, high, unit }) => (low === null ? "" : bound(` (${rateOf(low, unit).replace(/ .*/, "")} to ${rateOf(high, unit)})`));

function course({ through, unit }) {
  const parts = through.filter((part) => part.decisions);
  if (parts.length < 2) return nothing;
  return html`<section aria-label="Loss per decision through time"><h2>Loss per decision</h2>
    <dw-course .parts=${parts} .unit=${unit}></dw-course>
    <details class="fold"><summary>As a table</summary><div class="wide" tabindex="0" role="region" aria-label="Loss per decision through time"><table class="figures"><thead><tr><th scope="col">From</th>
      <th scope="col">Games</th><th scope="col">Decisions</th><th scope="col">Loss per decision</th></tr></thead>
      <tbody>${parts.map((part) => html`<tr><th scope="row">${part.from.slice(0, 10)}</th><td class="number">${part.games}</td>
        <td class="number">${part.decisions}</td><td class="number">${rateOf(part.rate, unit)}${between(part)}</td></tr>`)}</tbody></table></div></details></section>`;
}

function leaking({ leaks }) {
  if (!leaks.length) return nothing;
  return html`<section><h2>Where it leaks</h2>
    <ul class="leaks">${leaks.map((leak) => html`<li><a class="leak" href="/drill?${new URLSearchParams({ game: leak.game, theme: leak.theme })}"><span><strong>${leak.kind}</strong> · ${bound(leak.sentence)}${leak.sure || leak.done === null ? nothing
      : html` <span class="quiet">(it may be chance)</span>`}</span><span class="way">Practise</span></a></li>`)}</ul></section>`;
}

function kinds({ kinds: all }) {
  if (!all.length) return nothing;
  return html`<section><h2>By game</h2><ul class="kinds">${all.map((kind) => html`<li><h3>${kind.kind} <span class="quiet">· ${games(kind.games)}</span></h3>
    <dl><div><dt>Loss per decision</dt><dd>${kind.rate === null ? "–" : rateOf(kind.rate, kind.unit)}<span class="quiet">${between(kind)}</span></dd></div>
      <div><dt>${kind.unit === "points" ? "Result" : "Won"}</dt><dd>${amount(kind.result, kind.unit)}</dd></div>
      <div><dt>With average luck</dt><dd>${kind.adjusted === null ? "–" : evened(kind.adjusted, kind.unit, ["none", "all"])}</dd></div>
      <div><dt>Luck</dt><dd>${capital(kind.luck.words.replace(/ players$/, ""))}</dd></div></dl></li>`)}</ul></section>`;
}

export function figures(found) {
  const [lead, ...more] = found.sentences;
  return html`<div class="summing"><p class="lead">${bound(lead)}</p>${more.length ? html`<p>${bound(more.join(" "))}</p>` : nothing}
      ${found.games ? nothing : html`<p><a href="/">Play a game</a>; what it cost will stand here.</p>`}
      ${found.left_out ? html`<p class="quiet">${games(found.left_out)} could not be judged, for their rules are too large to be solved here.</p>` : nothing}</div>
    ${leaking(found)}${course(found)}${kinds(found)}`;
}
