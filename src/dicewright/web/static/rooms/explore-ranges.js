// Hands by what is said, shade is how often; pick a hand to see its plan, a word to see the answer to it.
import { html, nothing } from "../vendor/lit.js";
import { Sight } from "../lib/sight.js";
import { capital, percent, worthOf } from "../lib/words.js";
import { heatTable } from "../parts/heat-table.js";

class ExploreRanges extends Sight {
  static properties = { ...Sight.properties, hand: { state: true } };

  willUpdate() {
    const { game, strategy, said, hand } = this.it;
    if (hand && this.hand === undefined) this.hand = hand;
    this.ask(`${game}|${strategy}|${said ?? ""}`, [["ranges", { game, strategy, said: said ?? "" }]]);
  }

  get said() {
    return (this.it.said ?? "").split(/[\s,]+/).filter(Boolean);
  }

  say(words) {
    this.hand = null;
    this.change({ said: words.length ? words.join(" ") : null, hand: null });
  }

  path() {
    const { said } = this;
    const shown = (word, i) => this.data?.[0].told[i] ?? word;
    return html`<p class="path">${said.length
      ? html`<button class="link" type="button" @click=${() => this.say([])}>Opening</button>${said.map((word, i) => html` › ${i < said.length - 1
          ? html`<button class="link" type="button" @click=${() => this.say(said.slice(0, i + 1))}>${shown(word, i)}</button>` : html`<strong>${shown(word, i)}</strong>`}`)} <span class="quiet">and then?</span>`
      : html`<strong>Opening</strong> <span class="quiet">Choose a word above a column to see the answer to it.</span>`}</p>`;
  }

  plan(data) {
    const at = data.hands.indexOf(this.hand);
    if (at < 0) return html`<p class="quiet">Choose a hand on the left to see its plan.</p>`;
    const rows = data.labels.map((label, j) => [label, data.share[at][j], data.worth?.[at]?.[j] ?? null])
      .filter(([, share, worth]) => share > 0.0005 || worth !== null).sort((a, b) => b[1] - a[1] || (b[2] ?? 0) - (a[2] ?? 0)).slice(0, 8);
    return html`<div class="readout" aria-live="polite"><p class="where">${this.hand}</p><table class="figures">
      <thead><tr><th scope="col">Says</th><th scope="col">How often it says so</th><th scope="col">${data.unit === "points" ? "Points" : "Chance of winning"}</th></tr></thead>
      <tbody>${rows.map(([label, share, worth]) => html`<tr><th scope="row">${capital(label)}</th><td class="number">${percent(share)}</td><td class="number">${worthOf(worth, data.unit)}</td></tr>`)}</tbody></table></div>`;
  }

  render() {
    if (!this.data) return html`${this.path()}${this.waiting}`;
    const [data] = this.data;
    // What no hand says would be an empty column; it stands under the table.
    const used = data.actions.map((_, j) => j).filter((j) => data.share.some((row) => row[j] > 0.0005));
    const never = data.actions.map((_, j) => j).filter((j) => !used.includes(j));
    const after = (j) => (data.leads[j] ? html`<button class="head" type="button" aria-label="After ${data.labels[j]}" @click=${() => this.say([...this.said, data.actions[j]])}>${data.labels[j]}</button>` : data.labels[j]);
    const table = heatTable({
      caption: "How often each hand says each thing",
      rows: data.hands, columns: used, corner: "hand",
      share: (i, j) => data.share[i][used[j]],
      text: (i, j) => (data.share[i][used[j]] > 0.0005 ? points(data.share[i][used[j]]) : nothing),
      rowHead: (hand) => html`<button class="head" type="button" aria-pressed=${hand === this.hand ? "true" : "false"} @click=${() => (this.hand = hand)}>${hand}</button>`,
      columnHead: after,
      chosen: data.hands.indexOf(this.hand), ramp: "often",
    });
    return html`${this.path()}<div class="map-and-words"><div>${table}
      <p class="legend"><span>never</span><span class="ramp" aria-hidden="true">${Array.from({ length: 21 }, (_, i) => html`<i class="heat often-${i}"></i>`)}</span><span>always; numbers in %</span></p>
      ${never.length ? html`<p class="never-said"><span class="quiet">No hand says</span> ${never.map((j) => html`${after(j)} `)}</p>` : nothing}</div>
      ${this.plan(data)}</div>`;
  }
}

const points = (share) => (100 * share).toFixed(share > 0.9995 ? 0 : 1);

customElements.define("dw-explore-ranges", ExploreRanges);
export const draw = (it) => html`<dw-explore-ranges .it=${it}></dw-explore-ranges>`;
