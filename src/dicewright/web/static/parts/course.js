// The course of a number through time: a dot for some games with the interval it lies in, above a line at nothing.
import { html, nothing, svg } from "../vendor/lit.js";
import { Sized } from "../lib/element.js";
import { rateOf } from "../lib/words.js";

const TALL = 180, EDGE = { left: 72, right: 12, top: 10, bottom: 26 };
const STEPS = [1, 2, 5];

// A round number at or above this one.
function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [...STEPS, 10].find((step) => step * power >= value * 0.999);
}

class Course extends Sized {
  static properties = { parts: { attribute: false }, unit: { attribute: false }, width: { state: true } };

  resized(width) {
    this.width = width;
  }

  render() {
    const { parts, unit } = this;
    if (!this.width || !parts.length) return nothing;
    const wide = this.width - EDGE.left - EDGE.right;
    const most = ceiling(Math.max(...parts.map((part) => Math.min(part.high ?? 0, 2.5 * part.rate)), ...parts.map((part) => part.rate), 1e-4));
    const x = (at) => EDGE.left + (parts.length === 1 ? wide / 2 : (wide * (at + 0.5)) / parts.length);
    const y = (rate) => EDGE.top + (TALL - EDGE.top - EDGE.bottom) * (1 - Math.min(1, rate / most));
    const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
    const dates = parts.map((part) => day.format(new Date(part.from)));
    const path = parts.map((part, at) => `${at ? "L" : "M"}${x(at)} ${y(part.rate)}`).join("");
    return html`<svg class="course" width=${this.width} height=${TALL} role="img" aria-label="Loss per decision through time, ${rateOf(parts[0].rate, unit)} first, ${rateOf(parts.at(-1).rate, unit)} last">
      ${[0, 0.5, 1].map((share) => svg`<path class="grid" d="M${EDGE.left} ${y(share * most)}H${this.width - EDGE.right}"></path>
        <text class="axis" x=${EDGE.left - 8} y=${y(share * most) + 4} text-anchor="end">${rateOf(share * most, unit).replace(" points", "")}</text>`)}
      ${parts.map((part, at) => (part.low === null ? nothing : svg`<path class="reach" d="M${x(at)} ${y(part.low)}V${y(part.high)}"></path>`))}
      <path class="line" d=${path}></path>
      ${parts.map((part, at) => svg`<circle class="dot" cx=${x(at)} cy=${y(part.rate)} r="4.5"><title>${dates[at]}: ${rateOf(part.rate, unit)} in ${part.games} games</title></circle>`)}
      <text class="axis" x=${EDGE.left} y=${TALL - 6}>${dates[0]}</text>
      ${dates.at(-1) !== dates[0] ? svg`<text class="axis" x=${this.width - EDGE.right} y=${TALL - 6} text-anchor="end">${dates.at(-1)}</text>` : nothing}
    </svg>`;
  }
}

customElements.define("dw-course", Course);
