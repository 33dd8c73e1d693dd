// The cup over hidden dice; it lifts when they are shown.
import { html } from "../vendor/lit.js";
import { number } from "../lib/words.js";
import { blank, hand } from "./die.js";

export const cup = (faces, count, { label, lifted = false, states = [] } = {}) => html`
  <div class="cup-place ${lifted ? "lifted" : ""}">
    <svg class="cup" viewBox="0 0 120 90" aria-hidden="true">
      <path class="cup-side" d="M22 8 L98 8 L112 82 L8 82 Z"></path>
      <path class="cup-rim" d="M18 4 h84 a4 4 0 0 1 0 9 h-84 a4 4 0 0 1 0 -9 Z"></path>
      <path class="cup-band" d="M16 58 h88"></path>
    </svg>
    <div class="under">
      ${lifted && faces
        ? hand(faces, states)
        : html`<span class="hand" role="img" aria-label="${label}: ${number(count)} hidden ${count === 1 ? "die" : "dice"}">
            ${Array.from({ length: count }, () => blank())}</span>`}
    </div>
  </div>`;
