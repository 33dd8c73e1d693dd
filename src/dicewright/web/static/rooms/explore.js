// Explore: the strategy itself, seen five ways. The address holds what is looked at, so it can be shared.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { Room, titled } from "../lib/element.js";
import { part } from "../lib/part.js";
import * as words from "../lib/words.js";
import "../parts/choice.js";

// totals: for games whose turns have totals to hold
const VIEWS = {
  map: { words: "Map", families: ["race"], totals: true, load: () => import("../families/race-map.js"), draw: (it) => html`<dw-explore-map .it=${it}></dw-explore-map>` },
  surface: { words: "Surface", families: ["race"], totals: true, load: () => import("../families/race-surface.js"), draw: (it) => html`<dw-explore-surface .it=${it}></dw-explore-surface>` },
  compare: { words: "Compare", families: ["race"], totals: true, load: () => import("../families/race-compare.js"), draw: (it) => html`<dw-explore-compare .it=${it}></dw-explore-compare>` },
  ranges: { words: "Ranges", families: ["bluff", "calling"], load: () => import("./explore-ranges.js"), draw: (it) => html`<dw-explore-ranges .it=${it}></dw-explore-ranges>` },
  tournament: { words: "Tournament", families: ["race", "bluff", "calling"], load: () => import("./explore-tournament.js"), draw: (it) => html`<dw-explore-tournament .it=${it}></dw-explore-tournament>` },
};
const GAMES = {
  race: ["pig", "piglet", "two-dice-pig", "big-pig", "pass-the-pigs"],
  bluff: ["bluff", "bluff:sides=4", "bluff:wild=none", "bluff:dice=2v1,sides=3", "bluff:dice=2v1,sides=4", "bluff:dice=2v2,sides=3", "bluff:dice=2v2"],
  calling: ["mia", "liars-die", "mia:truth=exactly"],
};
// A tournament has more to play out: what takes long is not offered.
const MEETINGS = {
  race: ["pig", "piglet", "big-pig", "hog"],
  bluff: GAMES.bluff.filter((game) => game !== "bluff:dice=2v2"),
  calling: GAMES.calling,
};
const RACE_FIELDS = ["goal", "payoff", "finish"]; // of a race game, chosen one by one
const LEAST_GOAL = 2, MOST_GOAL = 200;
const MOST_LOOKED = 20; // games that the tabs find again

class Explore extends Room {
  static properties = { it: { state: true }, ready: { state: true }, sheet: { state: true }, games: { state: true }, error: { state: true } };

  constructor() {
    super();
    titled("Explore");
    this.looked = []; // the games that were looked at, the latest first
    this.arrived();
  }

  // Read the address: ?view=map&game=pig&strategy=optimal&other=hold:20&yours=0&said=
  async arrived() {
    const { search } = location;
    const asked = Object.fromEntries(new URLSearchParams(search));
    const view = VIEWS[asked.view] ? asked.view : "map";
    const usual = VIEWS[view].families[0] === "bluff" ? "bluff" : "pig";
    const it = { ...asked, view, game: asked.game || usual };
    this.error = null;
    try {
      if (!this.games) this.games = (await api.catalog()).games;
      const sheet = this.sheet && this.named === it.game ? this.sheet : await api.rules(it.game);
      if (search === location.search && !VIEWS[view].families.includes(sheet.family)) return this.change({ strategy: null, other: null, game: usual, ...this.last(view) });
      await part(VIEWS[view].load);
      if (search !== location.search) return; // something else is looked at by now
      it.strategy ??= sheet.opponents[0]?.strategy ?? "optimal";
      it.other ??= sheet.opponents.find((one) => one.strategy.startsWith("hold"))?.strategy ?? sheet.opponents.at(-1)?.strategy;
      it.title = sheet.title;
      [this.sheet, this.it, this.named] = [sheet, it, it.game];
      this.looked = [{ ...asked, game: it.game, family: sheet.family }, ...this.looked.filter(({ game }) => game !== it.game)].slice(0, MOST_LOOKED);
    } catch (error) {
      if (search === location.search) this.error = words.sentence(error.message, it.game);
      this.it ??= it;
    }
  }

  // What was looked at last and can be seen in this way, as the address names it; {} if nothing was.
  last(view) {
    const { families, totals } = VIEWS[view];
    const { family, ...asked } = this.looked.find((one) => families.includes(one.family) && !(totals && words.readGame(one.game).name === "hog")) ?? {};
    return family ? { ...asked, view } : {};
  }

  // The same in another way; what is still on its way is taken along as it was asked for.
  door(view) {
    const asked = this.looked.length || this.error ? this.last(view) : Object.fromEntries(new URLSearchParams(location.search));
    return `/explore?${new URLSearchParams({ ...asked, view })}`;
  }

  change(values) {
    const all = { ...Object.fromEntries(new URLSearchParams(location.search)), ...values };
    const kept = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
    history.replaceState(null, "", `/explore?${new URLSearchParams(kept)}`);
    this.arrived();
  }

  // The goal, the payoff and the finish of a race game, as far as it has them.
  raceFields() {
    const { name, values } = words.readGame(this.it.game);
    const known = this.games.find((one) => one.game === name)?.fields ?? [];
    return RACE_FIELDS.map((field) => known.find((one) => one.name === field)).filter(Boolean).map((field) => {
      const usual = String(field.default);
      const value = values[field.name] ?? usual;
      const listed = field.values?.map(String) ?? words.presets(field.name, name);
      const options = (listed.includes(value) ? listed : [...listed, value]).map((one) => ({ value: one, words: words.fieldWords(field.name, one, name) }));
      const set = ({ detail }) => {
        const chosen = field.name === "goal" ? String(Math.min(MOST_GOAL, Math.max(LEAST_GOAL, Number(detail)))) : detail;
        const { [field.name]: _, ...rest } = values;
        const game = words.showGame(name, chosen === usual ? rest : { ...rest, [field.name]: chosen });
        this.change({ game, yours: null, mine: null, turn: null });
      };
      return html`${field.name === "goal" ? " " : ", "}<dw-choice label=${words.fieldLabel(field.name)} .options=${options} .value=${value}
        .other=${field.name === "goal" ? `Goal, up to ${MOST_GOAL}` : null} @choice=${set}></dw-choice>`;
    });
  }

  pick(label, key, options, value = this.it[key]) {
    return html`<dw-choice label=${label} .options=${options} .value=${value} @choice=${(event) =>
      this.change(key === "game" ? { game: event.detail, said: null, strategy: null, other: null, yours: null, mine: null, turn: null } : { [key]: event.detail })}></dw-choice>`;
  }

  sentence() {
    const { view, game } = this.it;
    const names = VIEWS[view].families.flatMap((family) => (view === "tournament" ? MEETINGS : GAMES)[family]);
    const race = this.sheet.family === "race";
    const here = race ? plainName(game) : game;
    const games = (names.includes(here) ? names : [...names, here]).map((text) => ({ value: text, words: nameOf(text) }));
    const gamePick = html`${this.pick("Game", "game", games, here)}${race ? this.raceFields() : nothing}`;
    const strategies = this.sheet.opponents.map(({ strategy, about }) => ({ value: strategy, words: words.strategyName(strategy), about: words.about(strategy, about) }));
    if (!strategies.some((one) => one.value === this.it.strategy)) strategies.push({ value: this.it.strategy, words: words.strategyName(this.it.strategy) });
    const one = this.pick("Strategy", "strategy", strategies);
    const two = view === "compare" ? html` beside ${this.pick("Other strategy", "other", strategies)}` : nothing;
    if (view === "tournament") return html`<p class="sentence small">Everybody meets everybody at ${gamePick}.</p>`;
    return html`<p class="sentence small">How ${one}${two} plays ${gamePick}.</p>`;
  }

  render() {
    const { it } = this;
    return html`<section class="room explore-room"><h1>Explore</h1>
      <nav class="tabs" aria-label="Ways of looking">${Object.entries(VIEWS).map(([key, view]) => html`<a href=${this.door(key)} aria-current=${it?.view === key ? "page" : nothing}>${view.words}</a>`)}</nav>
      ${this.error ? html`<p class="error" role="alert">${this.error} <a href="/explore">Begin again</a></p>` : nothing}
      ${it && this.sheet && !this.error ? html`${this.sentence()}<div class="sight" @change-view=${(event) => this.change(event.detail)}>${VIEWS[it.view].draw(it)}</div>`
        : this.error ? nothing : html`<p class="working" role="status">Laying out the maps …</p>`}
    </section>`;
  }
}

// A race game without the fields that are chosen one by one.
function plainName(text) {
  const { name, values } = words.readGame(text);
  return words.showGame(name, Object.fromEntries(Object.entries(values).filter(([field]) => !RACE_FIELDS.includes(field))));
}

function nameOf(text) {
  const { name, values } = words.readGame(text);
  const parts = Object.entries(values).map(([field, value]) => words.fieldWords(field, value, name));
  return [words.title(name), ...parts].join(", ").replace(", to ", " to ");
}

customElements.define("dw-explore", Explore);
