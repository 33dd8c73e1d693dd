// Dice as pictures with real pips, and as words for those who listen.
import { html, nothing, svg } from "../vendor/lit.js";
import { face as faceWord } from "../lib/words.js";

const LOW = 27, MID = 50, HIGH = 73;
const PIPS = {
  1: [[MID, MID]],
  2: [[LOW, LOW], [HIGH, HIGH]],
  3: [[LOW, LOW], [MID, MID], [HIGH, HIGH]],
  4: [[LOW, LOW], [HIGH, LOW], [LOW, HIGH], [HIGH, HIGH]],
  5: [[LOW, LOW], [HIGH, LOW], [MID, MID], [LOW, HIGH], [HIGH, HIGH]],
  6: [[LOW, LOW], [HIGH, LOW], [LOW, MID], [HIGH, MID], [LOW, HIGH], [HIGH, HIGH]],
};

const pips = (face) =>
  PIPS[face]
    ? PIPS[face].map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r="9.5"></circle>`)
    : svg`<text class="numeral" x="50" y="52" text-anchor="middle" dominant-baseline="middle">${face}</text>`;

// state: "rolling" tumbles, "match" counts, "dim" does not.
export const die = (face, state = "", hidden = false) => html`<svg
  class="die ${state}" viewBox="0 0 100 100" role=${hidden ? nothing : "img"}
  aria-label=${hidden ? nothing : faceWord(face) ?? face} aria-hidden=${hidden ? "true" : nothing}
><rect class="body" x="3" y="3" width="94" height="94" rx="18"></rect>${pips(face)}</svg>`;

export const blank = (state = "") => html`<svg class="die unknown ${state}" viewBox="0 0 100 100" aria-hidden="true">
  <rect class="body" x="3" y="3" width="94" height="94" rx="18"></rect>
  <text class="numeral" x="50" y="54" text-anchor="middle" dominant-baseline="middle">?</text></svg>`;

// A result of which only the number is noted: such as the sum of some dice. No faces are made up for it.
export const chip = (text, state = "", note = "") => html`<span class="chip ${state}"><span>${text}</span>${note ? html`<small>${note}</small>` : nothing}</span>`;

// A hand of dice read out as one thing.
export const hand = (faces, states = []) => html`<span class="hand" role="img"
  aria-label=${faces.map((one) => faceWord(one)).join(", ")}>${faces.map((one, i) => die(one, states[i], true))}</span>`;
