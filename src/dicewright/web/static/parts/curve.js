// The chance curve of a game: dots where a decision lost something (their size is the loss), ticks where dice helped
// or hurt. The slider under it is the same curve for keys, touch and screen readers.
import { html, nothing, svg } from "../vendor/lit.js";
import { Sized } from "../lib/element.js";
import { tally } from "../lib/words.js";

const HEIGHT = 220, STRIP = 44, LEFT = 44, RIGHT = 14, TOP = 12;

class Curve extends Sized {
  static properties = {
    chances: { attribute: false }, // of the person, before the first ply and after each
    marks: { attribute: false }, // [{ ply, at, loss, own, words }]
    luck: { attribute: false }, // [{ ply, luck }] in the person's favour
    ply: { attribute: false },
    say: { attribute: false }, // ply -> words
    unit: {}, // "chance" or "points"
    width: { state: true },
  };

  constructor() {
    super();
    this.width = 640;
  }

  resized(width) {
    this.width = Math.max(240, width);
  }

  get last() {
    return this.chances.length - 1;
  }

  x(ply) {
    return LEFT + ((this.width - LEFT - RIGHT) * ply) / Math.max(1, this.last);
  }

  get scale() {
    if (this.unit !== "points") return [0, 1];
    const [low, high] = [Math.min(0, ...this.chances), Math.max(0, ...this.chances)];
    return low === high ? [low - 1, high + 1] : [low, high];
  }

  y(chance) {
    const [low, high] = this.scale;
    return TOP + (HEIGHT - TOP) * (1 - (chance - low) / (high - low));
  }

  pick(ply) {
    this.dispatchEvent(new CustomEvent("pick", { detail: Math.max(0, Math.min(this.last, ply)) }));
  }

  point(event) {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = this.querySelector("svg").getBoundingClientRect();
    const x = event.clientX - box.left;
    const near = this.marks.filter((mark) => mark.own && Math.abs(this.x(mark.ply) - x) < 12);
    const y = event.clientY - box.top;
    near.sort((a, b) => Math.hypot(this.x(a.ply) - x, this.y(a.at) - y) - Math.hypot(this.x(b.ply) - x, this.y(b.at) - y));
    const ply = Math.round(((x - LEFT) / (this.width - LEFT - RIGHT)) * this.last);
    this.pick(event.type === "pointerdown" && near.length ? near[0].ply : ply);
  }

  grid() {
    const [low, high] = this.scale;
    const lines = this.unit === "points" ? [low, 0, high] : [0, 0.25, 0.5, 0.75, 1];
    return lines.map((chance) => svg`<path class=${chance === 0.5 || (this.unit === "points" && chance === 0) ? "half" : "grid"}
      d="M${LEFT} ${this.y(chance)} H${this.width - RIGHT}"></path>
      <text class="axis" x=${LEFT - 8} y=${this.y(chance) + 4} text-anchor="end">${this.unit === "points" ? tally(chance, 0) : `${100 * chance}`}</text>`);
  }

  strip() {
    const most = Math.max(0.02, ...this.luck.map(({ luck }) => Math.abs(luck)));
    const middle = HEIGHT + STRIP / 2 + 10;
    return svg`<path class="grid" d="M${LEFT} ${middle} H${this.width - RIGHT}"></path>
      <text class="axis" x=${LEFT - 8} y=${middle + 4} text-anchor="end">luck</text>
      ${this.luck.map(({ ply, luck }) => svg`<path class="luck ${luck > 0 ? "good" : "bad"}"
        d="M${this.x(ply + 1)} ${middle} v${(-luck / most) * (STRIP / 2)}"></path>`)}`;
  }

  render() {
    if (!this.chances) return nothing;
    const line = this.chances.map((chance, ply) => `${ply ? "L" : "M"}${this.x(ply).toFixed(1)} ${this.y(chance).toFixed(1)}`).join("");
    const radius = (loss) => 3.5 + Math.min(10, 34 * Math.sqrt(loss / (this.unit === "points" ? 100 : 1)));
    const at = this.x(this.ply);
    return html`<svg class="curve" width=${this.width} height=${HEIGHT + STRIP + 14} aria-hidden="true"
        @pointerdown=${this.point} @pointermove=${this.point}>
        ${this.grid()}${this.strip()}
        <path class="line" d=${line}></path>
        <path class="cursor" d="M${at} ${TOP - 6} V${HEIGHT + STRIP + 10}"></path>
        ${this.marks.map((mark) => svg`<circle class="dot ${mark.own ? "mine" : "theirs"}" cx=${this.x(mark.ply)} cy=${this.y(mark.at)} r=${radius(mark.loss)}></circle>`)}
        <circle class="here" cx=${at} cy=${this.y(this.chances[this.ply])} r="5"></circle>
      </svg>
      <input class="stepper" type="range" min="0" max=${this.last} .value=${String(this.ply)} aria-label="Step through the game"
        aria-valuetext=${this.say?.(this.ply) ?? this.ply} @input=${(event) => this.pick(Number(event.target.value))}>`;
  }
}

customElements.define("dw-curve", Curve);
