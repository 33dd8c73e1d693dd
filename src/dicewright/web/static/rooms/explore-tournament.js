// The tournament matrix: the row's exact chance of beating the column, either starting equally often.
import { html } from "../vendor/lit.js";
import { Sight } from "../lib/sight.js";
import { percent, strategyName } from "../lib/words.js";
import { heatTable } from "../parts/heat-table.js";

class ExploreTournament extends Sight {
  willUpdate() {
    this.ask(this.it.game, [["tournament", { game: this.it.game }]]);
  }

  render() {
    if (!this.data) return this.waiting;
    const [{ strategies, wins }] = this.data;
    const means = wins.map((row, i) => row.reduce((sum, chance, j) => sum + (i === j ? 0 : chance), 0) / Math.max(1, strategies.length - 1));
    const order = strategies.map((_, i) => i).sort((a, b) => means[b] - means[a]);
    const names = order.map((i) => strategyName(strategies[i]));
    return html`<p class="quiet">Chance in % that the row beats the column, exactly, either starting equally often; best first.</p>${heatTable({
      caption: "Chance of the row against the column", rows: names, columns: [...names.map((_, i) => String(i + 1)), "mean"], corner: "strategy",
      share: (i, j) => (j === order.length ? means[order[i]] : i === j ? null : wins[order[i]][order[j]]),
      text: (i, j) => (j === order.length ? percent(means[order[i]]).replace(" %", "") : i === j ? "–" : (100 * wins[order[i]][order[j]]).toFixed(1)),
      rowHead: (name, i) => html`${i + 1} ${name}`,
    })}`;
  }
}

customElements.define("dw-explore-tournament", ExploreTournament);
