// The surface between rolling and holding in three dimensions: own score, opponent's score, turn total.
// A small painter's algorithm; drag or arrow keys turn it.
import { html } from "../vendor/lit.js";
import { cividis, rgb, sharp, themed } from "../lib/colour.js";
import { Sight } from "../lib/sight.js";

const MOST_CELLS = 50;

class ExploreSurface extends Sight {
  static properties = { ...Sight.properties, turnAngle: { state: true }, tilt: { state: true }, cap: { state: true }, width: { state: true } };

  constructor() {
    super();
    [this.turnAngle, this.tilt, this.width] = [3.75, 0.6, 0];
    this.watcher = new ResizeObserver(([entry]) => (this.width = entry.contentRect.width));
    this.redress = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    this.watcher.observe(this);
    addEventListener("dressed", this.redress);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watcher.disconnect();
    removeEventListener("dressed", this.redress);
  }

  willUpdate() {
    const { game, strategy } = this.it;
    this.ask(`${game}|${strategy}`, [["surface", { game, strategy }]]);
  }

  updated() {
    if (this.data && this.width) this.draw();
  }

  draw() {
    const [{ goal, hold_at: surface }] = this.data;
    const canvas = this.querySelector("canvas");
    const [width, height] = [Math.min(this.width, 900), Math.min(this.width * 0.75, 600)];
    this.drawn = width;
    canvas.style.setProperty("width", `${width}px`);
    canvas.style.setProperty("height", `${height}px`);
    const pen = sharp(canvas, width, height);
    const [ink, muted, paper] = ["ink", "muted", "paper"].map((name) => themed(this, name));
    const top = Math.max(...surface.flat());
    const size = Math.min(width, height * 1.35) * 0.6;
    const [c, s, tc, ts] = [Math.cos(this.turnAngle), Math.sin(this.turnAngle), Math.cos(this.tilt), Math.sin(this.tilt)];
    // A corner of the unit cube on the screen, and how far away it is.
    const project = (mine, yours, turn) => {
      const [x, y, z] = [mine / goal - 0.5, yours / goal - 0.5, (turn / top) * 0.6 - 0.2];
      const [across, deep] = [x * c - y * s, x * s + y * c];
      return [width / 2 + across * size, height * 0.45 + (deep * ts - z * tc) * size, deep * tc + z * ts];
    };
    this.floor(pen, project, goal, muted);
    const step = Math.max(1, Math.ceil(goal / MOST_CELLS));
    const cells = [];
    const at = (mine, yours) => surface[Math.min(goal - 1, mine)][Math.min(goal - 1, yours)];
    for (let mine = 0; mine + step <= goal; mine += step) {
      for (let yours = 0; yours + step <= goal; yours += step) {
        const corners = [[mine, yours], [mine + step, yours], [mine + step, yours + step], [mine, yours + step]].map(([a, b]) => project(a, b, at(a, b)));
        const slope = (at(mine + step, yours) - at(mine, yours + step)) / step;
        const light = 1 - 0.28 * Math.tanh(Math.abs(slope) / 3);
        cells.push({ corners, near: corners.reduce((sum, corner) => sum + corner[2], 0), colour: cividis(at(mine, yours) / top).map((value) => Math.round(value * light)) });
      }
    }
    cells.sort((a, b) => a.near - b.near);
    pen.lineWidth = 0.6;
    pen.lineJoin = "round";
    for (const { corners, colour } of cells) {
      pen.beginPath();
      corners.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.closePath();
      pen.fillStyle = rgb(colour);
      pen.fill();
      pen.strokeStyle = rgb(colour.map((value) => Math.min(255, value + 36)));
      pen.stroke();
    }
    this.names(pen, project, goal, top, ink, paper, muted);
  }

  floor(pen, project, goal, muted) {
    pen.strokeStyle = muted;
    pen.lineWidth = 1;
    pen.beginPath();
    [[0, 0], [goal, 0], [goal, goal], [0, goal], [0, 0]].forEach(([mine, yours], i) => pen[i ? "lineTo" : "moveTo"](...project(mine, yours, 0).slice(0, 2)));
    pen.stroke();
  }

  // Names stand at the edges that are near, the height at the corner furthest to the left.
  names(pen, project, goal, top, ink, paper, muted) {
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "center";
    const place = (words, mine, yours, turn) => {
      const [there, y] = project(mine, yours, turn);
      const room = pen.measureText(words).width / 2 + 3;
      const x = Math.min(this.drawn - room, Math.max(room, there)); // never beyond the edge
      pen.lineWidth = 4;
      pen.strokeStyle = paper;
      pen.strokeText(words, x, y + 5);
      pen.fillStyle = ink;
      pen.fillText(words, x, y + 5);
    };
    const nearer = (one, two) => (project(...one, 0)[2] > project(...two, 0)[2] ? one : two);
    const half = goal / 2;
    const edge = nearer([half, -0.16 * goal], [half, 1.16 * goal])[1];
    const side = nearer([-0.16 * goal, half], [1.16 * goal, half])[0];
    place(this.it.captions.mine, half, edge, 0);
    place(this.it.captions.slider.toLowerCase(), side, half, 0);
    for (const score of [0, goal]) {
      place(String(score), score, edge < 0 ? -0.07 * goal : 1.07 * goal, 0);
      place(String(score), side < 0 ? -0.07 * goal : 1.07 * goal, score, 0);
    }
    const corners = [[0, 0], [goal, 0], [goal, goal], [0, goal]];
    const left = corners.reduce((a, b) => (project(...a, 0)[0] < project(...b, 0)[0] ? a : b));
    pen.strokeStyle = muted;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(...project(...left, 0).slice(0, 2));
    pen.lineTo(...project(...left, top).slice(0, 2));
    pen.stroke();
    place(`${this.it.captions.turn} ${top}`, ...left, top * 1.07);
  }

  drag(event) {
    if (!event.buttons) return;
    this.turnAngle -= event.movementX / 140;
    this.tilt = Math.max(0.05, Math.min(1.5, this.tilt + event.movementY / 160));
  }

  key(event) {
    const step = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, -0.08], ArrowDown: [0, 0.08] }[event.key];
    if (!step) return;
    event.preventDefault();
    this.turnAngle += step[0];
    this.tilt = Math.max(0.05, Math.min(1.5, this.tilt + step[1]));
  }

  render() {
    if (!this.data) return this.waiting;
    const [{ goal, hold_at: surface }] = this.data;
    const { captions } = this.it;
    const marks = Array.from({ length: Math.min(11, goal) }, (_, i) => Math.min(goal - 1, Math.round((i * goal) / Math.min(10, goal))));
    const scores = [...new Set(marks)];
    return html`<p class="quiet">${captions.surface} Drag, or use the arrow keys, to turn it.</p>
      <canvas class="surface" tabindex="0" role="application" aria-label="Surface of the lowest turn total that holds, over both scores; arrow keys turn it; the table below has the numbers"
        @pointerdown=${(event) => event.currentTarget.setPointerCapture(event.pointerId)} @pointermove=${this.drag} @keydown=${this.key}></canvas>
      <details class="fold"><summary>As a table</summary><div class="wide" tabindex="0" role="region" aria-label="Surface as a table"><table class="decisions"><caption class="unseen">${captions.least}</caption>
        <thead><tr><th scope="col">${captions.mine} \\ ${captions.yours}</th>${scores.map((yours) => html`<th scope="col">${yours}</th>`)}</tr></thead>
        <tbody>${scores.map((mine) => html`<tr><th scope="row">${mine}</th>${scores.map((yours) => html`<td class="number">${surface[mine][yours]}</td>`)}</tr>`)}</tbody></table></div></details>`;
  }
}

customElements.define("dw-explore-surface", ExploreSurface);
export const draw = (it) => html`<dw-explore-surface .it=${it}></dw-explore-surface>`;
