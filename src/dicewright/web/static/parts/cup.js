// The cup over hidden dice; it lifts when they are shown.
import { html } from "../vendor/lit.js";
import { number } from "../lib/words.js";
import { blank, hand } from "./die.js";

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
