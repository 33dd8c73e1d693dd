// The map of a race strategy against one score of the opponent: own score across, turn total up. Shade is the chance of
// winning, or points; the line parts rolling from holding. Pointer, touch and arrow keys move the cross, and what each
// action is worth where it stands is told.
import { html, nothing } from "../vendor/lit.js";
import { cividis, rgb, sharp, themed } from "../lib/colour.js";
import { Sized } from "../lib/element.js";
import { Sight } from "../lib/sight.js";
import { capital, LEAST, lossOf, tally, worthOf } from "../lib/words.js";

const LEFT = 40, BOTTOM = 36, TOP = 10, RIGHT = 16;

class RaceMap extends Sized {
  static properties = {
    data: { attribute: false }, // { goal, actions, choice, worth }
    shade: { attribute: false }, // (mine, turn) -> css colour or null
    cross: { attribute: false }, // [mine, turn]
    words: { attribute: false }, // captions
    label: {},
    describedby: {},
    most: { attribute: false }, // the highest turn total shown
    width: { state: true },
  };

  constructor() {
    super();
    this.width = 0;
    this.redress = () => this.requestUpdate();
  }

  resized(width) {
    this.width = width;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("dressed", this.redress);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.redress);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("dressed", this.redress);
    this.scheme.removeEventListener("change", this.redress);
  }

  get sizes() {
    const width = Math.min(this.width, 1000);
    const height = Math.round(Math.min(width * 0.8, 620));
    return { width, height, goal: this.data.goal, rows: (this.most ?? this.data.goal - 1) + 1 };
  }

  place(mine, turn) {
    const { width, height, goal, rows } = this.sizes;
    return [LEFT + ((width - LEFT - RIGHT) * mine) / goal, TOP + (height - TOP - BOTTOM) * (1 - turn / rows)];
  }

  updated() {
    if (this.width && this.data) this.draw();
  }

  draw() {
    const { width, height, goal, rows } = this.sizes;
    const canvas = this.querySelector("canvas");
    canvas.style.setProperty("width", `${width}px`);
    canvas.style.setProperty("height", `${height}px`);
    const pen = sharp(canvas, width, height);
    const [ink, line, mark, paper] = ["ink", "muted", "orange", "paper"].map((name) => themed(this, name));
    const { choice } = this.data;
    const scale = devicePixelRatio || 1;
    const snap = (at) => Math.round(at * scale) / scale;
    for (let mine = 0; mine < goal; mine += 1) {
      for (let turn = 0; turn < Math.min(rows, goal - mine); turn += 1) {
        const colour = this.shade(mine, turn);
        if (!colour) continue;
        const [x, y] = this.place(mine, turn + 1);
        const [right, low] = this.place(mine + 1, turn);
        pen.fillStyle = colour;
        const [left, top] = [snap(x), snap(y)];
        pen.fillRect(left, top, snap(right) - left, snap(low) - top);
      }
    }
    for (const [colour, thick] of [[paper, 4], [ink, 1.75]]) this.boundary(pen, choice, goal, rows, colour, thick);
    this.regions(pen, choice, goal, rows);
    this.axes(pen, { width, height, goal, rows, ink, line });
    const [x, y] = this.place(this.cross[0] + 0.5, this.cross[1] + 0.5);
    for (const [colour, thick] of [[paper, 4], [mark, 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = thick;
      pen.beginPath();
      pen.arc(x, y, 8, 0, 7);
      pen.moveTo(x - 14, y), pen.lineTo(x - 4, y), pen.moveTo(x + 4, y), pen.lineTo(x + 14, y);
      pen.moveTo(x, y - 14), pen.lineTo(x, y - 4), pen.moveTo(x, y + 4), pen.lineTo(x, y + 14);
      pen.stroke();
    }
  }

  boundary(pen, choice, goal, rows, colour, thick) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick;
    pen.beginPath();
    for (let mine = 0; mine < goal; mine += 1) {
      for (let turn = 0; turn < Math.min(rows, goal - mine); turn += 1) {
        const here = choice[mine][turn];
        if (here === -1 || here === undefined) continue;
        const above = choice[mine][turn + 1];
        const beside = choice[mine + 1]?.[turn];
        if (turn + 1 < rows && above !== undefined && above !== -1 && above !== here) {
          pen.moveTo(...this.place(mine, turn + 1)), pen.lineTo(...this.place(mine + 1, turn + 1));
        }
        if (beside !== undefined && beside !== -1 && beside !== here && mine + 1 + turn < goal) {
          pen.moveTo(...this.place(mine + 1, turn)), pen.lineTo(...this.place(mine + 1, turn + 1));
        }
      }
    }
    pen.stroke();
  }

  // The words roll and hold, where there is room for them.
  regions(pen, choice, goal, rows) {
    if (several(this.data)) return; // the legend has their colours
    const mine = Math.floor(goal * 0.14);
    const hold = this.data.actions.indexOf("hold");
    const line = choice[mine].indexOf(hold);
    if (line < 4 || line > rows - 4) return;
    pen.font = "600 15px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.lineJoin = "round";
    for (const [action, turn] of [[choice[mine].findLast((one, at) => at < line && one >= 0), line / 2], [hold, (line + rows) / 2]]) {
      const word = this.data.actions[action];
      const [x, y] = this.place(mine, turn);
      pen.strokeStyle = "rgb(20 24 29 / 0.75)";
      pen.lineWidth = 4;
      pen.strokeText(word, x, y);
      pen.fillStyle = "#ffffff";
      pen.fillText(word, x, y);
    }
  }

  axes(pen, { width, height, goal, rows, ink, line }) {
    pen.fillStyle = ink;
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    const step = (most) => [1, 2, 5, 10, 20, 25, 50, 100, 200].find((one) => most / one <= 6) ?? 500;
    for (let mine = 0; mine <= goal; mine += step(goal)) pen.fillText(mine, this.place(mine, 0)[0], height - 18);
    pen.textAlign = "right";
    for (let turn = 0; turn <= rows; turn += step(rows)) pen.fillText(turn, LEFT - 6, this.place(0, turn)[1] + 4);
    pen.fillStyle = line;
    pen.textAlign = "center";
    pen.fillText(this.words.mine, (LEFT + width) / 2, height - 3);
    pen.save();
    pen.translate(11, (height - BOTTOM) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.words.turn, 0, 0);
    pen.restore();
  }

  move([mine, turn]) {
    const { goal, rows } = this.sizes;
    const score = Math.max(0, Math.min(goal - 1, mine));
    this.dispatchEvent(new CustomEvent("point", { detail: [score, Math.max(0, Math.min(rows - 1, goal - 1 - score, turn))] }));
  }

  point(event) {
    if (event.type === "pointermove" && event.pointerType !== "mouse" && !event.buttons) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { width, height, goal, rows } = this.sizes;
    const mine = Math.floor(((event.clientX - box.left - LEFT) / (width - LEFT - RIGHT)) * goal);
    const turn = Math.floor((1 - (event.clientY - box.top - TOP) / (height - TOP - BOTTOM)) * rows);
    if (mine >= 0 && mine < goal && turn >= 0 && turn < rows) this.move([mine, turn]);
  }

  key(event) {
    const far = event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] }[event.key];
    if (!step) return;
    event.preventDefault();
    this.move([this.cross[0] + step[0], this.cross[1] + step[1]]);
  }

  render() {
    return html`<canvas class="map" tabindex="0" role="application" aria-label=${this.label} aria-describedby=${this.describedby ?? ""}
      @pointermove=${this.point} @pointerdown=${this.point} @keydown=${this.key}></canvas>`;
  }
}

customElements.define("dw-race-map", RaceMap);

// The ends of the colours: 0 and 1 for chances, as many points lost and won as the map has.
export function span(...all) {
  if (all[0].unit !== "points") return [0, 1];
  const numbers = all.flatMap((data) => Object.values(data.worth).flat(2)).filter((one) => one !== null);
  const most = numbers.reduce((high, one) => Math.max(high, Math.abs(one)), 1);
  const step = most > 20 ? 10 : 1;
  return [-1, 1].map((side) => side * step * Math.ceil(most / step));
}

// The worth of the better action as a share of the span.
export function bestShare(data, [low, high], mine, turn) {
  const all = Object.values(data.worth).map((table) => table[mine]?.[turn]).filter((one) => one !== null && one !== undefined);
  return all.length ? (Math.max(...all) - low) / (high - low) : null;
}

// The worth of the better action, in cividis.
export const worthShade = (data) => {
  const ends = span(data);
  return (mine, turn) => {
    const share = bestShare(data, ends, mine, turn);
    return share === null ? null : rgb(cividis(share));
  };
};

// Whether more than one roll can be taken: then colours are choices, else chances.
export const several = (data) => data.actions.length > 2;

// The colour of each action: hold as the paper's shade, rolls along cividis.
export function kinds(data) {
  const rolls = data.actions.filter((action) => action !== "hold");
  return data.actions.map((action) => (action === "hold" ? "rgb(150 150 150 / 0.3)" : rgb(cividis(rolls.indexOf(action) / Math.max(1, rolls.length - 1)))));
}

// The worth of the better action, or which action is taken where there are several rolls.
export function shadeOf(data) {
  if (!several(data)) return worthShade(data);
  const colours = kinds(data);
  return (mine, turn) => colours[data.choice[mine]?.[turn]] ?? null;
}

export function tell(data, mine, turn) {
  const choice = data.choice[mine]?.[turn];
  const all = Object.entries(data.worth).map(([action, table]) => [action, table[mine]?.[turn]]).filter(([, one]) => one !== null && one !== undefined);
  all.sort((a, b) => b[1] - a[1]);
  return { does: choice >= 0 ? data.actions[choice] : null, all, loss: all.length > 1 ? all[0][1] - all.at(-1)[1] : 0 };
}

// Drawn, not styled: the page's rules allow no styles of elements.
export const kindsLegend = (data) => html`<p class="legend kinds">${data.actions.map((action, i) => html`<span><svg width="14" height="14" aria-hidden="true"><rect width="14" height="14" fill=${kinds(data)[i]} stroke="currentColor"></rect></svg> ${action}</span>`)}</p>`;

export const holdsFrom = (data, mine) => {
  const hold = data.actions.indexOf("hold");
  const turn = data.choice[mine].indexOf(hold);
  return turn < 0 ? null : turn;
};

// Turn totals worth showing: all that hold somewhere, and some room above.
export function mostTurn(...all) {
  const holds = all.flatMap((data) => data.choice.map((_, mine) => holdsFrom(data, mine)).filter((one) => one !== null));
  const goal = all[0].goal;
  return Math.min(goal - 1, Math.max(10, Math.round(1.6 * Math.max(0, ...holds.map((one) => Math.min(one, goal / 2))))));
}

export class RaceSight extends Sight {
  static properties = { ...Sight.properties, cross: { state: true }, sliding: { state: true } };

  // A slider for the opponent's score: the number follows at once, the map as soon as the hand rests.
  slider(goal) {
    const yours = Number(this.sliding ?? this.it.yours ?? 0);
    const slide = (event) => {
      this.sliding = event.target.value;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.change({ yours: this.sliding });
        this.sliding = null;
      }, 60);
    };
    return html`<p class="slider"><label for="yours">${this.it.captions.slider}</label><input id="yours" type="range" min="0" max=${goal - 1}
      .value=${String(yours)} @input=${slide}><output for="yours">${yours}</output></p>`;
  }
}

class ExploreMap extends RaceSight {
  constructor() {
    super();
    this.cross = null;
  }

  willUpdate() {
    const { game, strategy, yours = 0 } = this.it;
    this.ask(`${game}|${strategy}|${yours}`, [["race", { game, strategy, yours }]], `${game}|${strategy}`);
  }

  render() {
    if (!this.data) return this.waiting;
    const [data] = this.data;
    const { goal } = data;
    const yours = Number(this.it.yours ?? 0);
    const named = this.it.mine === undefined ? null : [Number(this.it.mine), Number(this.it.turn ?? 0)];
    const cross = this.cross ?? named;
    const [mine, turn] = cross && cross[0] + cross[1] < goal && Math.min(...cross) >= 0 ? cross : [Math.floor(goal / 3), Math.min(Math.floor(goal / 6), goal - 1 - Math.floor(goal / 3))];
    const here = tell(data, mine, turn);
    const points = data.unit === "points";
    const { captions } = this.it;
    const [low, high] = span(data);
    return html`<div class="map-and-words">
      <div>${this.slider(goal)}
        <dw-race-map .data=${data} .words=${captions} .shade=${shadeOf(data)} .cross=${[mine, turn]} .most=${mostTurn(data)} describedby="readout"
          label="Map of own score and turn total; arrow keys move, with Shift by ten" @point=${(event) => (this.cross = event.detail)}></dw-race-map>
        ${several(data) ? kindsLegend(data) : html`<p class="legend" aria-hidden="true"><span>${points ? tally(low, 0) : "0 %"}</span><span class="ramp">${Array.from({ length: 21 }, (_, i) => html`<i class="heat heat-${i}"></i>`)}</span><span>${points ? `${tally(high, 0)} points to be expected` : "100 % chance of winning"}</span></p>`}</div>
      <div class="readout" id="readout" aria-live="polite">
        <p class="where" data-view="${mine}-${yours}${turn ? `+${turn}` : ""}">${mine} to ${yours}${turn ? `, +${turn}` : ""}</p>
        <p class="quiet">${captions.mine} ${mine}, ${captions.yours} ${yours}, ${captions.turn} ${turn}</p>
        <dl>${here.all.map(([action, worth], i) => html`<div class=${i ? "" : "best"}><dt>${capital(action)}</dt><dd>${worthOf(worth, data.unit)}</dd></div>`)}</dl>
        ${here.all.length > 1 ? html`<p>${here.loss <= LEAST ? "Both are equally good." : html`${capital(here.all.at(-1)[0])} would lose <strong>${lossOf(here.loss, data.unit)}</strong>.`}</p>`
          : here.all.length ? html`<p>There is no choice here.</p>` : html`<p>This cannot occur.</p>`}
        ${here.does ? html`<p class="quiet">The strategy: ${here.does}.</p>` : nothing}
      </div></div>
      <details class="fold"><summary>As a table</summary><div class="wide" tabindex="0" role="region" aria-label="Map as a table"><table class="decisions">
        <thead><tr><th scope="col">${capital(captions.mine)}</th><th scope="col">${captions.holds}</th><th scope="col">${points ? "Points" : "Chance"} at the start of the turn</th></tr></thead>
        <tbody>${data.choice.map((_, score) => html`<tr><th scope="row">${score}</th><td class="number">${holdsFrom(data, score) ?? "never"}</td><td class="number">${worthOf(tell(data, score, 0).all[0]?.[1], data.unit)}</td></tr>`)}</tbody></table></div></details>`;
  }
}

customElements.define("dw-explore-map", ExploreMap);
export const draw = (it) => html`<dw-explore-map .it=${it}></dw-explore-map>`;
