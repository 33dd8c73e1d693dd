// Dice as pictures with real pips, and as words for those who listen; the cup, and whose place it is.
import { html, nothing, svg } from "../vendor/lit.js";
import { face as faceWord, number } from "../lib/words.js";

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

// A die that tumbles shows no face.
export const tumbling = () => html`<svg class="die rolling waiting" viewBox="0 0 100 100" aria-hidden="true">
  <rect class="body" x="3" y="3" width="94" height="94" rx="18"></rect></svg>`;

// A result of which only the number is noted: such as the sum of some dice. No faces are made up for it.
export const chip = (text, state = "", note = "") => html`<span class="chip ${state}"><span>${text}</span>${note ? html`<small>${note}</small>` : nothing}</span>`;

// A hand of dice read out as one thing.
export const hand = (faces, states = []) => html`<span class="hand" role="img"
  aria-label=${faces.map((one) => faceWord(one)).join(", ")}>${faces.map((one, i) => die(one, states[i], true))}</span>`;

// The cup over hidden dice; it lifts when they are shown.
export const cup = (faces, count, { label, lifted = false, states = [] } = {}) => html`
  <div class="cup-place ${lifted ? "lifted" : ""}">
    <svg class="cup" viewBox="0 0 120 90" aria-hidden="true">
      <path class="cup-side" d="M34 6 q-6 0 -7.5 6 L14 74 h92 L93.5 12 q-1.5 -6 -7.5 -6 Z"></path>
      <path class="cup-band" d="M24.5 24 h71"></path>
      <path class="cup-rim" d="M15 73 h90 a5 5 0 0 1 0 10 h-90 a5 5 0 0 1 0 -10 Z"></path>
    </svg>
    <div class="under">
      ${lifted && faces
        ? hand(faces, states)
        : html`<span class="hand" role="img" aria-label="${label}: ${number(count)} hidden ${count === 1 ? "die" : "dice"}">
            ${Array.from({ length: count }, () => blank())}</span>`}
    </div>
  </div>`;

// Whose place at the table it is: a lamp that burns while they are to move, the name, and notes under it.
export const place = (seat, { mover, name }, notes = []) => html`<div class="place">
  <p class="who ${mover === seat ? "turn" : ""}"><span class="lamp" aria-hidden="true"></span><span class="name">${name(seat)}</span></p>
  ${notes.filter(Boolean).map((note) => html`<p class="quiet count">${note}</p>`)}</div>`;
