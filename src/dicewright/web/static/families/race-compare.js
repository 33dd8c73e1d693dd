// Two race strategies side by side; where they differ is shaded.
import { html } from "../vendor/lit.js";
import { cividis, over, rgb, themed } from "../lib/colour.js";
import { capital, worthOf } from "../lib/words.js";
import { bestShare, mostTurn, RaceSight, span, tell } from "./race-map.js";

const SAME = 0.35;

class ExploreCompare extends RaceSight {
  willUpdate() {
    const { game, strategy, other, yours = 0 } = this.it;
    this.ask(`${game}|${strategy}|${other}|${yours}`, [["race", { game, strategy, yours }], ["race", { game, strategy: other, yours }]], `${game}|${strategy}|${other}`);
  }

  // Chances in pale cividis where both agree; full blue or orange where they do not.
  shade(mine, turn) {
    const [one, two] = this.data;
    const choices = [one, two].map((data) => data.choice[mine]?.[turn]);
    if (choices.includes(-1) || choices.includes(undefined)) return null;
    if (choices[0] !== choices[1]) return one.actions[choices[0]] === "hold" ? "#d9731a" : "#1f77c0";
    const share = bestShare(one, this.ends, mine, turn);
    return share === null ? null : rgb(over(cividis(share), this.ground, SAME));
  }

  render() {
    if (!this.data) return this.waiting;
    const [one, two] = this.data;
    const { goal } = one;
    const yours = Number(this.it.yours ?? 0);
    const most = mostTurn(one, two);
    const [mine, turn] = this.cross && this.cross[0] + this.cross[1] < goal ? this.cross : [0, Math.min(20, most)];
    const names = [this.it.strategy, this.it.other].map(this.it.called);
    const { captions } = this.it;
    const between = (words) => words.replace("{}", names[0]).replace("{}", names[1]);
    const does = [one, two].map((data) => tell(data, mine, turn));
    const differ = one.choice.map((row, score) => row.map((choice, total) => choice !== two.choice[score]?.[total] && choice >= 0 && two.choice[score]?.[total] >= 0 ? total : null).filter((total) => total !== null));
    const count = differ.flat().length;
    this.ground = themed(this, "paper");
    this.ends = span(one);
    const map = (data, i) => html`<figure><dw-race-map .data=${data} .words=${captions} .shade=${(a, b) => this.shade(a, b)} .cross=${[mine, turn]} .most=${most}
      label="Map of ${names[i]}; arrow keys move" describedby="readout" @point=${(event) => (this.cross = event.detail)}></dw-race-map><figcaption>${names[i]}</figcaption></figure>`;
    return html`${this.slider(goal)}
      <div class="pair">${map(one, 0)}${map(two, 1)}</div>
      <p class="legend"><span class="keyed"><i class="key blue"></i>${between(captions.blue)}</span> <span class="keyed"><i class="key orange"></i>${between(captions.orange)}</span></p>
      <div class="readout" id="readout" aria-live="polite"><p class="where">${mine}-${yours}${turn ? `+${turn}` : ""}</p>
        <p class="quiet">${captions.mine} ${mine}, ${captions.yours} ${yours}, ${captions.turn} ${turn}</p>
        <dl>${does.map((each, i) => html`<div><dt>${names[i]}</dt><dd>${each.does ?? "–"}</dd></div>`)}
        ${does[0].all.map(([action, worth]) => html`<div><dt>${action}</dt><dd>${worthOf(worth, one.unit)}</dd></div>`)}</dl></div>
      <p class="quiet">They differ in ${count} of ${(goal * (goal + 1)) / 2} positions at this score of the opponent.</p>
      <details class="fold"><summary>As a table</summary><div class="wide" tabindex="0" role="region" aria-label="Differences as a table"><table class="decisions">
        <thead><tr><th scope="col">${capital(captions.mine)}</th><th scope="col">${captions.differ}</th></tr></thead>
        <tbody>${differ.map((totals, score) => html`<tr><th scope="row">${score}</th><td>${spans(totals)}</td></tr>`)}</tbody></table></div></details>`;
  }
}

// [3, 4, 5, 9] -> "3 to 5, 9"
function spans(totals) {
  const parts = [];
  for (const total of totals) {
    const last = parts.at(-1);
    if (last && total === last[1] + 1) last[1] = total;
    else parts.push([total, total]);
  }
  return parts.map(([low, high]) => (low === high ? low : `${low} to ${high}`)).join(", ") || "none";
}

customElements.define("dw-explore-compare", ExploreCompare);
export const draw = (it) => html`<dw-explore-compare .it=${it}></dw-explore-compare>`;
