// Rooms are Lit elements without a shadow: one style sheet, labels and links work across them.
import { LitElement } from "../vendor/lit.js";

export class Room extends LitElement {
  createRenderRoot() {
    return this;
  }

  // Focus what the selector finds, once it is drawn.
  async focusOn(selector) {
    await this.updateComplete;
    this.querySelector(selector)?.focus({ preventScroll: false });
  }
}

export function titled(text) {
  document.title = text ? `${text} - dicewright` : "dicewright";
}
