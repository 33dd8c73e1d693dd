// Whose place at the table it is: a lamp that burns while they are to move, the name, and notes under it.
import { html } from "../vendor/lit.js";

export const place = (seat, { mover, name }, notes = []) => html`<div class="place">
  <p class="who ${mover === seat ? "turn" : ""}"><span class="lamp" aria-hidden="true"></span><span class="name">${name(seat)}</span></p>
  ${notes.filter(Boolean).map((note) => html`<p class="quiet count">${note}</p>`)}</div>`;
