// Explore: the strategy itself, seen in several ways; the server says which there are. The address says what is looked at, so it can be shared.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { part, Room, titled } from "../lib/element.js";
import * as words from "../lib/words.js";
import "../parts/choice.js";

const MOST_LOOKED = 20; // games that the tabs find again

// Who plays the same with everybody; the learner's play depends on whom it meets.
const plays = (sheet) => sheet.opponents.filter(({ learns }) => !learns);

class Explore extends Room {
  static properties = { it: { state: true }, sheet: { state: true }, catalog: { state: true }, error: { state: true } };

  constructor() {
    super();
    titled("Explore");
    this.looked = []; // the games that were looked at, the latest first
    this.arrived();
  }

  // Read the address: ?view=V&game=G&strategy=S&other=S&yours=0&said=
  async arrived() {
    const { search } = location;
    const asked = Object.fromEntries(new URLSearchParams(search));
    this.error = null;
    try {
      this.catalog ??= await api.catalog();
      const sight = this.catalog.views.find(({ view }) => view === asked.view) ?? this.catalog.views[0];
      const it = { ...asked, view: sight.view, game: asked.game || sight.games[0].game };
      this.it ??= it;
      const strategies = [asked.strategy, asked.other].filter(Boolean);
      const known = this.named === it.game && strategies.every((one) => this.called(one));
      const sheet = known ? this.sheet : await api.rules(it.game, strategies);
      const { draw } = await part(() => import(`../${sight.script}.js`));
      if (search !== location.search) return; // something else is looked at by now
      const players = plays(sheet);
      it.strategy ??= players[0]?.strategy ?? sheet.stand_in;
      it.other ??= players.find(({ strategy }) => strategy === sheet.stand_in)?.strategy ?? players.at(-1)?.strategy;
      [it.title, it.captions] = [sheet.title, sight.captions];
      it.called = (strategy) => this.called(strategy);
      [this.sheet, this.it, this.named, this.draw] = [sheet, it, it.game, draw];
      this.looked = [{ asked: { ...asked, game: it.game }, views: sheet.views }, ...this.looked.filter((one) => one.asked.game !== it.game)].slice(0, MOST_LOOKED);
    } catch (error) {
      if (search === location.search) this.error = words.sentence(error.message, asked.game);
    }
  }

  // How a strategy is called, if the server has said so.
  called(strategy) {
    return this.sheet?.opponents.find((one) => one.strategy === strategy)?.called ?? this.sheet?.called[strategy];
  }

  // What was looked at last and can be seen in this way, as the address names it; {} if nothing was.
  last(view) {
    return this.looked.find(({ views }) => views.includes(view))?.asked ?? {};
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

  // The fields that are chosen one by one, as far as the game has them.
  fields() {
    const { name, values } = words.readGame(this.it.game);
    const known = this.catalog.games.find((one) => one.game === name)?.fields ?? [];
    return known.filter((field) => field.apart).map((field) => {
      const value = values[field.name] ?? field.default;
      const set = ({ detail }) => {
        const chosen = field.free ? String(Math.min(field.most, Math.max(2, Number(detail)))) : detail;
        const { [field.name]: _, ...rest } = values;
        const game = words.showGame(name, chosen === field.default ? rest : { ...rest, [field.name]: chosen });
        this.change({ game, yours: null, mine: null, turn: null });
      };
      return html`${field.main ? " " : ", "}<dw-choice label=${field.label} .options=${words.fieldOptions(field, value)} .value=${value}
        .other=${field.free ? `${field.label}, up to ${field.most}` : null} @choice=${set}></dw-choice>`;
    });
  }

  pick(label, key, options, value = this.it[key], rule = null) {
    return html`<dw-choice label=${label} .options=${options} .value=${value} .rule=${rule} @choice=${(event) =>
      this.change(key === "game" ? { game: event.detail, said: null, strategy: null, other: null, yours: null, mine: null, turn: null } : { [key]: event.detail })}></dw-choice>`;
  }

  sentence() {
    const { sheet, it, catalog } = this;
    const sight = catalog.views.find(({ view }) => view === it.view);
    const offered = sight.games;
    const games = (offered.some(({ game }) => game === sheet.named.game) ? offered : [...offered, sheet.named]).map(({ game, name }) => ({ value: game, words: name }));
    const gamePick = html`${this.pick("Game", "game", games, sheet.named.game)}${this.fields()}`;
    if (it.view === "tournament") return html`<p class="sentence small">Everybody meets everybody at ${gamePick}.</p>`;
    const strategies = plays(sheet).map(({ strategy, called, line }) => ({ value: strategy, words: called, about: line }));
    for (const one of [it.strategy, it.other]) {
      if (!strategies.some(({ value }) => value === one)) strategies.push({ value: one, words: this.called(one) ?? one });
    }
    const one = this.pick("Strategy", "strategy", strategies, it.strategy, sheet.rule);
    const two = sight.pair ? html` beside ${this.pick("Other strategy", "other", strategies, it.other, sheet.rule)}` : nothing;
    return html`<p class="sentence small">How ${one}${two} plays ${gamePick}.</p>`;
  }

  render() {
    const { it } = this;
    return html`<section class="room explore-room"><h1>Explore</h1>
      <nav class="tabs" aria-label="Ways of looking">${this.catalog?.views.map(({ view, words: tab }) => html`<a href=${this.door(view)} aria-current=${it?.view === view ? "page" : nothing}>${tab}</a>`)}</nav>
      ${this.error ? html`<p class="error" role="alert">${this.error} <a href="/explore">Begin again</a></p>` : nothing}
      ${it && this.sheet && !this.error ? html`${this.sentence()}<div class="sight" @change-view=${(event) => this.change(event.detail)}>${this.draw(it)}</div>`
        : this.error ? nothing : html`<p class="working" role="status">Laying out the maps …</p>`}
    </section>`;
  }
}

customElements.define("dw-explore", Explore);
