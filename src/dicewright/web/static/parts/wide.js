// A table wider than the screen: it scrolls by itself, and says so while there is more to the right.
import { html } from "../vendor/lit.js";
import { Sized } from "../lib/sized.js";

class Wide extends Sized {
  static properties = { label: {}, content: { attribute: false }, more: { state: true } };

  constructor() {
    super();
    this.more = false;
  }

  resized() {
    this.look();
  }

  look() {
    const box = this.querySelector(".wide");
    if (box) this.more = box.scrollLeft + box.clientWidth < box.scrollWidth - 4;
  }

  updated(changed) {
    if (changed.has("content")) this.look();
  }

  render() {
    return html`<div class="wide ${this.more ? "more" : ""}" tabindex="0" role="region" aria-label=${this.label} @scroll=${() => this.look()}>${this.content}</div>
      <p class="scroll-cue quiet" aria-hidden="true">${this.more ? "More to the right: scroll sideways →" : " "}</p>`;
  }
}

customElements.define("dw-wide", Wide);
