// The scores as rails to the goal; what the turn has brought so far rides ahead of the mover's.
import { html, nothing, svg } from "../vendor/lit.js";

const LENGTH = 1000;

function rail(score, riding, goal, side) {
  const at = (points) => Math.min(LENGTH, (LENGTH * points) / goal);
  return html`<svg class="rail ${side}" viewBox="0 0 ${LENGTH} 12" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" x="0" y="0" width=${LENGTH} height="12" rx="6"></rect>
    <rect class="riding" x="0" y="0" height="12" rx="6" width=${at(score + riding)}></rect>
    <rect class="score" x="0" y="0" height="12" rx="6" width=${at(score)}></rect>
    ${[0.25, 0.5, 0.75].map((part) => svg`<path class="tick" d="M${LENGTH * part} 0 v12"></path>`)}</svg>`;
}

// sides: [{ name, score, riding, turn, side: "mine"/"theirs", note }]
export const rails = (sides, goal) => html`<div class="standing">
  ${sides.map(
    (side) => html`<div class="side ${side.side} ${side.turn ? "turn" : ""}">
      <p class="who"><span class="lamp" aria-hidden="true"></span><span class="name">${side.name}</span>
        ${side.turn ? html`<span class="unseen">to move</span>` : nothing}</p>
      <p class="points"><strong>${side.score}</strong>${side.riding
        ? html`<span class="riding" aria-label="and ${side.riding} this turn">+${side.riding}</span>` : nothing}</p>
      ${rail(side.score, side.riding, goal, side.side)}
    </div>`,
  )}
  <p class="goal quiet">first to ${goal}</p>
</div>`;
