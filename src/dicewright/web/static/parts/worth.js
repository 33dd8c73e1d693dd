// Buttons of actions, what each action is worth on its button, and what an optimal player does.
import { html, nothing } from "../vendor/lit.js";
import { capital, percent, scale, worthOf } from "../lib/words.js";

const OFTEN = 0.005, EVER = 0.0005, MOST_NAMED = 4;

// Its room is kept while the hint is on its way, and dots say so; nothing says so of one that will not come. Small cells
// have no unit.
export function hinted({ view, mine, hints, hint, awaited }, action, small = false) {
  if (!hints) return nothing;
  const known = hint?.worth?.[action];
  if (known === undefined || known === null) {
    return html`<span class="worth" aria-hidden="true">${mine && !hint && awaited && view.actions.some((one) => one.action === action) ? "…" : html`&nbsp;`}</span>`;
  }
  const words = worthOf(known, hint.unit);
  const [number, ...rest] = words.split(" ");
  const best = hint.best === action || hint.mix?.[action] > OFTEN;
  return html`<span class="worth ${best ? "best" : ""}">${small ? html`${number}<span class="unseen"> ${rest.join(" ")}</span>` : words}${best ? html`<span class="unseen">, best</span>` : nothing}</span>`;
}

// What an optimal player does, in a line under the buttons; its room is kept while hints are shown.
export const planned = ({ hints, hint, view }) => (hints ? html`<p class="plan quiet">${hint?.mix ? plan(hint, view) : nothing}</p>` : nothing);

// How likely an action is right as the own dice alone tell it.
export function odds({ hints, hint }, action) {
  const chance = hints ? hint?.odds?.[action] : undefined;
  return chance === undefined ? nothing : html`<span class="odds"><span class="unseen">, by your dice right in </span>${(100 * chance).toFixed(0)}<span aria-hidden="true">⚂</span><span class="unseen"> %</span></span>`;
}

function plan({ mix, unit, note, who = "an optimal player", odds: known }, { actions }) {
  const dice = known ? "Beside ⚂: how likely it is right by your own dice alone, in %, exactly. " : "";
  if (!Object.keys(mix).length) return `${note} ${dice}`;
  const say = (action) => actions.find((one) => one.action === action)?.words ?? action;
  const parts = Object.entries(mix).filter(([, share]) => share > EVER).sort((a, b) => b[1] - a[1]);
  const named = parts.slice(0, MOST_NAMED).map(([action, share]) => `${say(action)} (${percent(share)})`).join(", ");
  const advice = parts.length === 1 ? `${capital(who)} always chooses ${say(parts[0][0])} here.`
    : `${capital(who)} mixes: ${named}${parts.length > MOST_NAMED ? " and others" : ""}.`;
  return `On the buttons: ${scale(unit)}. ${dice}${note ? `${note} ` : ""}${advice}`;
}

// An action's button, with its letter if it has one; `more` follows its words.
export function button(table, { action, words }, style, may = !table.busy, more = "") {
  const letter = Object.entries(table.view.keys).find((key) => key[1] === action)?.[0].toUpperCase();
  return html`<button type="button" class=${style} data-decision=${action} aria-disabled=${may ? "false" : "true"}
    aria-keyshortcuts=${letter ?? nothing} @click=${() => may && table.act(action)}><span class="label">${capital(words)}${more}</span>
    ${letter ? html`<kbd aria-hidden="true">${letter}</kbd>` : nothing}${hinted(table, action)}${odds(table, action)}</button>`;
}
