// A little rubber pig, seen from its side: it stands, or is turned to where it landed.
import { html, nothing, svg } from "../vendor/lit.js";

const TURNS = { 1: 90, 2: 90, 3: 0, 4: 180, 5: 62, 6: 38 }; // degrees, by how it lies
export const STANDING = 3; // as it tumbles, whatever it comes to
const DOT = 1; // it lies on its side with the dot up

export const pig = (place, state = "") => html`<svg class="pig ${state}" viewBox="0 0 100 100" aria-hidden="true">
  <g transform="rotate(${TURNS[place]} 50 50)">
    <path class="hide" d="M22 44 q-7 -2 -6 -9 q2 -5 7 -1"></path>
    <path class="body" d="M24 48 C24 34 40 29 55 30 C62 30 68 31 72 34 L76 25 L81 36 C88 40 90 44 95 46 L95 57 C88 59 86 61 80 63 L79 78 L70 78 L69 68 C60 70 48 70 40 68 L39 78 L30 78 L29 64 C25 60 24 54 24 48 Z"></path>
    <circle class="eye" cx="82" cy="46" r="2.6"></circle>
    ${place === DOT ? svg`<circle class="eye" cx="52" cy="48" r="5.5"></circle>` : nothing}
  </g></svg>`;
