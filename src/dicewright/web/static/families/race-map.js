// The map of a race strategy, with the chances of roll and hold where one points.
import { html, nothing } from "../vendor/lit.js";
import { Sight } from "../lib/sight.js";
import { capital, LEAST, lossOf, tally, worthOf } from "../lib/words.js";
import { span, worthShade } from "./race-chart.js";

export function tell(data, mine, turn) {
  const choice = data.choice[mine]?.[turn];
  const all = Object.entries(data.worth).map(([action, table]) => [action, table[mine]?.[turn]]).filter(([, one]) => one !== null && one !== undefined);
  all.sort((a, b) => b[1] - a[1]);
  return { does: choice >= 0 ? data.actions[choice] : null, all, loss: all.length > 1 ? all[0][1] - all.at(-1)[1] : 0 };
}

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
    return html`<p class="slider"><label for="yours">Opponent’s score</label><input id="yours" type="range" min="0" max=${goal - 1}
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
    const [low, high] = span(data);
    return html`<div class="map-and-words">
      <div>${this.slider(goal)}
        <dw-race-map .data=${data} .shade=${worthShade(data)} .cross=${[mine, turn]} .most=${mostTurn(data)} describedby="readout"
          label="Map of own score and turn total; arrow keys move, with Shift by ten" @point=${(event) => (this.cross = event.detail)}></dw-race-map>
        <p class="legend" aria-hidden="true"><span>${points ? tally(low, 0) : "0 %"}</span><span class="ramp">${Array.from({ length: 21 }, (_, i) => html`<i class="heat heat-${i}"></i>`)}</span><span>${points ? `${tally(high, 0)} points to be expected` : "100 % chance of winning"}</span></p></div>
      <div class="readout" id="readout" aria-live="polite">
        <p class="where">${mine}-${yours}${turn ? `+${turn}` : ""}</p>
        <p class="quiet">my score ${mine}, opponent ${yours}, turn total ${turn}</p>
        <dl>${here.all.map(([action, worth], i) => html`<div class=${i ? "" : "best"}><dt>${capital(action)}</dt><dd>${worthOf(worth, data.unit)}</dd></div>`)}</dl>
        ${here.all.length > 1 ? html`<p>${here.loss <= LEAST ? "Both are equally good." : html`${capital(here.all.at(-1)[0])} would lose <strong>${lossOf(here.loss, data.unit)}</strong>.`}</p>`
          : here.all.length ? html`<p>There is no choice here.</p>` : html`<p>This cannot occur.</p>`}
        ${here.does ? html`<p class="quiet">The strategy: ${here.does}.</p>` : nothing}
      </div></div>
      <details class="fold"><summary>As a table</summary><div class="wide" tabindex="0" role="region" aria-label="Map as a table"><table class="decisions">
        <thead><tr><th scope="col">My score</th><th scope="col">Holds from a turn total of</th><th scope="col">${points ? "Points" : "Chance"} at the start of the turn</th></tr></thead>
        <tbody>${data.choice.map((_, score) => html`<tr><th scope="row">${score}</th><td class="number">${holdsFrom(data, score) ?? "never"}</td><td class="number">${worthOf(tell(data, score, 0).all[0]?.[1], data.unit)}</td></tr>`)}</tbody></table></div></details>`;
  }
}

customElements.define("dw-explore-map", ExploreMap);
export const draw = (it) => html`<dw-explore-map .it=${it}></dw-explore-map>`;
