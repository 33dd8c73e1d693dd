// A table whose cells are shaded by a share between 0 and 1: the picture and its table view in one. The ramp is `heat`, cividis
// for chances, or `often`, paper to blue.
import { html, nothing } from "../vendor/lit.js";
import { Sized } from "../lib/element.js";

const STEPS = 20;
const shade = (share, ramp) => (share === null || share === undefined ? "none" : share < 0.0005 ? "never" : `${ramp}-${Math.round(Math.min(1, Math.max(0, share)) * STEPS)}`);

// rows, columns: texts; share(i, j): 0 to 1 or null; text(i, j): what the cell says.
export const heatTable = ({ caption, rows, columns, share, text, corner = "", rowHead, columnHead, chosen = null, ramp = "heat" }) => html`
  <dw-wide .label=${caption} .content=${html`<table class="heat-table">
    <caption class="unseen">${caption}</caption>
    <thead><tr><th scope="col" class="corner">${corner}</th>${columns.map((column, j) => html`<th scope="col">${columnHead?.(column, j) ?? column}</th>`)}</tr></thead>
    <tbody>${rows.map((row, i) => html`<tr class=${i === chosen ? "chosen" : ""}><th scope="row">${rowHead?.(row, i) ?? row}</th>
      ${columns.map((_, j) => html`<td class="heat ${shade(share(i, j), ramp)}">${text(i, j) ?? nothing}</td>`)}</tr>`)}</tbody>
  </table>`}></dw-wide>`;

// A table wider than the screen: it scrolls by itself, and says so while there is more to the right.
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
