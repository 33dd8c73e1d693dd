// A table whose cells are shaded by a share between 0 and 1: the picture and its table view in one.
import { html, nothing } from "../vendor/lit.js";
import "./wide.js";

const STEPS = 20;
export const heat = (share) => (share === null || share === undefined ? "none" : share < 0.0005 ? "never" : `heat-${Math.round(Math.min(1, Math.max(0, share)) * STEPS)}`);

// rows, columns: texts; share(i, j): 0 to 1 or null; text(i, j): what the cell says.
export const heatTable = ({ caption, rows, columns, share, text, corner = "", rowHead, columnHead, chosen = null }) => html`
  <dw-wide .label=${caption} .content=${html`<table class="heat-table">
    <caption class="unseen">${caption}</caption>
    <thead><tr><th scope="col" class="corner">${corner}</th>${columns.map((column, j) => html`<th scope="col">${columnHead?.(column, j) ?? column}</th>`)}</tr></thead>
    <tbody>${rows.map((row, i) => html`<tr class=${i === chosen ? "chosen" : ""}><th scope="row">${rowHead?.(row, i) ?? row}</th>
      ${columns.map((_, j) => html`<td class="heat ${heat(share(i, j))}">${text(i, j) ?? nothing}</td>`)}</tr>`)}</tbody>
  </table>`}></dw-wide>`;
