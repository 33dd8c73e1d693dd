// The tournament matrix: the row's exact chance of beating the column, either starting equally often.
import { html } from "../vendor/lit.js";
import { Sight } from "../lib/sight.js";
import { nickname, tally } from "../lib/words.js";
import { heatTable } from "../parts/heat-table.js";

class ExploreTournament extends Sight {
  willUpdate() {
    this.ask(this.it.game, [["tournament", { game: this.it.game }]]);
  }

  render() {
    if (!this.data) return this.waiting;
    const [{ strategies, called, wins, unit }] = this.data;
    const points = unit === "points";
    const means = wins.map((row, i) => row.reduce((sum, chance, j) => sum + (i === j ? 0 : chance), 0) / Math.max(1, strategies.length - 1));
    const order = strategies.map((_, i) => i).sort((a, b) => means[b] - means[a]);
    const names = order.map((i) => nickname(called[i]));
    const most = Math.max(1e-9, ...wins.flat().map(Math.abs));
    const share = (value) => (points ? (value / most + 1) / 2 : value);
    const show = (value) => (points ? tally(value, 1) : (100 * value).toFixed(1));
    return html`<p class="quiet">${points ? "Points that the row wins of the column a game (−: loses)" : "Chance in % that the row beats the column"}, exactly, either starting equally often; best first.</p>${heatTable({
      caption: `${points ? "Points" : "Chance"} of the row against the column`, rows: names, columns: ["mean", ...names.map((_, i) => String(i + 1))], corner: "strategy",
      share: (i, j) => (j === 0 ? share(means[order[i]]) : i === j - 1 ? null : share(wins[order[i]][order[j - 1]])),
      text: (i, j) => (j === 0 ? show(means[order[i]]) : i === j - 1 ? "–" : show(wins[order[i]][order[j - 1]])),
      rowHead: (name, i) => html`${i + 1} ${name}`,
    })}`;
  }
}

customElements.define("dw-explore-tournament", ExploreTournament);
export const draw = (it) => html`<dw-explore-tournament .it=${it}></dw-explore-tournament>`;
