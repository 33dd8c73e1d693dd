// Table: one sentence that is the form, the rules in a few lines, and Play.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { Room, titled } from "../lib/element.js";
import { recall, remember, sitAt, underWay } from "../lib/memory.js";
import * as words from "../lib/words.js";
import "../parts/choice.js";
import { blank, die } from "../parts/die.js";

const SEATS = [
  { value: "first", words: "I go first" },
  { value: "second", words: "I go second" },
  { value: "random", words: "chance decides who starts" },
];
const HINTS = [
  { value: "off", words: "hints off" },
  { value: "tutor", words: "a tutor", about: "Asks “Sure?” before you give away much, and says nothing else." },
  { value: "on", words: "hints on", about: "Shows what each choice is worth while you play." },
];
const PERSON = { strategy: "person", called: "another person", line: "You get a link to send; they play in their own browser." };

const held = (choice, mark) => html`<span class="held">${choice}${mark}</span>`; // no line begins with a comma

class Table extends Room {
  static properties = {
    games: { state: true }, choice: { state: true }, sheet: { state: true }, error: { state: true }, busy: { state: true },
  };

  constructor() {
    super();
    titled("");
    this.choice = { name: "", values: {}, opponent: null, seat: "first", hints: "off", me: "", ...recall("table") };
    this.load();
  }

  async load() {
    try {
      this.games = (await api.catalog()).games;
      if (!this.entry) this.choice = { ...this.choice, name: this.games[0].game, values: {} };
      await this.look();
    } catch (error) {
      this.error = error.message;
    }
  }

  get entry() {
    return this.games?.find((game) => game.game === this.choice.name);
  }

  get game() {
    const values = Object.entries(this.choice.values).filter(([field, value]) => {
      const known = this.entry?.fields.find((one) => one.name === field);
      return known && value !== known.default;
    });
    return words.showGame(this.choice.name, Object.fromEntries(values));
  }

  // Rules and opponents of the game as chosen; a late answer to an older choice is dropped.
  async look() {
    const asked = this.game;
    this.error = null;
    try {
      const sheet = await api.rules(asked);
      if (asked !== this.game) return;
      this.sheet = sheet;
      const own = sheet.rule && this.choice.opponent?.startsWith("expr:");
      const known = own || this.opponents.some((one) => one.value === this.choice.opponent);
      this.instead = known ? this.instead : this.choice.chosen && this.calledBefore ? `${words.capital(this.calledBefore)} cannot play this; ${this.opponents[0].words} plays instead.` : null;
      if (!known) this.choice = { ...this.choice, opponent: this.opponents[0].value, chosen: false };
      this.calledBefore = this.opponent?.words;
      if ((!sheet.ready && sheet.progress) || sheet.measuring) setTimeout(() => this.isConnected && asked === this.game && this.look(), 1000);
    } catch (error) {
      if (asked === this.game) [this.error, this.sheet] = [words.sentence(error.message, asked), null];
    }
  }

  get opponents() {
    const [first, ...rest] = this.sheet?.opponents ?? [];
    return [...(first ? [first] : []), PERSON, ...rest].map(({ strategy, called, line, strength, learns }) => ({
      value: strategy, words: called, strength, learns, about: strength ? `${line} ${strength}` : line,
    }));
  }

  get opponent() {
    return this.opponents.find((one) => one.value === this.choice.opponent);
  }

  set(change, look = false) {
    this.choice = { ...this.choice, ...change };
    remember("table", this.choice);
    if (look) this.looked = this.look();
  }

  setField(field, value) {
    this.set({ values: { ...this.choice.values, [field]: value } }, true);
  }

  async play(event) {
    event.preventDefault();
    if (this.busy || !this.sheet) return;
    this.busy = true;
    this.error = null;
    await this.looked;
    try {
      const { opponent, seat, hints, me } = this.choice;
      const body = { game: this.game, opponent, seat, hints: hints !== "off", name: me };
      const made = await api.newGame(body, this.opponent?.learns);
      if (hints !== "off") remember("show-hints", hints === "on");
      if (hints !== "off") remember("tutor", hints === "tutor");
      sitAt(made.id, { token: made.token, seat: made.seat, invite: made.invite, commitment: made.commitment });
      go(`/g/${made.id}`);
    } catch (error) {
      this.error = words.sentence(error.message, this.game, this.sheet?.title);
    }
    this.busy = false;
  }

  field(field) {
    const value = this.choice.values[field.name] ?? field.default;
    return html`<dw-choice label=${field.label} .options=${words.fieldOptions(field, value)} .value=${value}
      .other=${field.free ? `${field.label} (${field.allowed})` : null} @choice=${(event) => this.setField(field.name, event.detail)}></dw-choice>`;
  }

  // The games that most people come for, with their dice.
  picks() {
    return html`<div class="picks" role="group" aria-label="Games to begin with">${this.games.filter((game) => game.dice.length).map((game) => html`<button
      class="pick" type="button" aria-pressed=${game.game === this.choice.name ? "true" : "false"} @click=${() => game.game !== this.choice.name && this.pick(game.game)}>
      <span class="hand" aria-hidden="true">${game.dice.map((face) => (face ? die(face, "", true) : blank()))}</span><span>${game.name}</span></button>`)}</div>`;
  }

  pick(name) {
    this.instead = null;
    this.set({ name, values: { ...this.games.find((game) => game.game === name).usual }, opponent: null, chosen: false }, true);
  }

  sentence() {
    const games = this.games.map((game) => ({ value: game.game, words: game.name, about: game.line }));
    const { seat, hints, opponent } = this.choice;
    const main = this.entry.fields.filter((field) => field.main);
    return html`<p class="sentence">I play
      <dw-choice label="Game" .options=${games} .value=${this.choice.name}
        @choice=${(event) => this.pick(event.detail)}></dw-choice>
      ${main.map((field) => this.field(field))} against
      ${held(html`<dw-choice label="Opponent" .options=${words.withRule(this.opponents, opponent)} .value=${opponent ?? "…"} .rule=${this.sheet?.rule}
        @choice=${(event) => {
          this.instead = null;
          this.set({ opponent: event.detail, chosen: true });
          this.calledBefore = this.opponent?.words;
        }}></dw-choice>`, ",")}
      ${held(html`<dw-choice label="Who starts" .options=${SEATS} .value=${seat}
        @choice=${(event) => this.set({ seat: event.detail })}></dw-choice>`, ",")}
      ${held(html`<dw-choice label="Hints" .options=${HINTS} .value=${hints}
        @choice=${(event) => this.set({ hints: event.detail })}></dw-choice>`, ".")}</p>`;
  }

  variants() {
    const fields = this.entry.fields.filter((field) => !field.main && field.name !== "title");
    if (!fields.length) return nothing;
    const changed = fields.some((field) => this.game.includes(`${field.name}=`));
    return html`<details class="variants" ?open=${changed}>
      <summary>House rules</summary>
      <p class="sentence small">${fields.map((field, i) => html`${held(this.field(field), i < fields.length - 1 ? "," : ".")} `)}</p>
    </details>`;
  }

  unfinished() {
    const games = underWay().slice(0, 3);
    if (!games.length) return nothing;
    return html`<nav class="under-way" aria-label="Games under way"><span class="quiet">Go on with</span>
      <ul>${games.map(({ id, title }) => html`<li><a href="/g/${id}">${title}</a></li>`)}</ul></nav>`;
  }

  render() {
    if (!this.games) {
      return html`<section class="room table-room"><h1 class="unseen">Play</h1>${this.error
        ? html`<p class="error" role="alert">${this.error}</p><button class="plain" @click=${() => this.load()}>Try again</button>`
        : html`<p class="working" role="status">Setting the table …</p>`}</section>`;
    }
    const person = this.choice.opponent === "person";
    return html`<section class="room table-room">
      <h1 class="unseen">Play</h1>
      <form @submit=${this.play}>
        ${this.picks()}
        ${this.sentence()}
        ${person
          ? html`<p class="named"><label for="me">My name</label>
              <input id="me" maxlength="40" autocomplete="nickname" .value=${this.choice.me}
                @input=${(event) => this.set({ me: event.target.value })}></p>`
          : nothing}
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        ${this.instead || this.opponent?.strength ? html`<p class="quiet strength" role="status">${this.instead} ${this.opponent?.strength
          ? `${words.capital(this.opponent.words)}: ${this.opponent.strength}` : nothing}</p>` : nothing}
        <p class="go"><button class="main big" ?disabled=${!this.sheet} aria-busy=${this.busy ? "true" : "false"}>
          ${this.busy ? "Setting the table …" : person ? "Play, and get the link" : "Play"}</button>
          ${this.sheet?.progress && !person ? html`<span class="quiet" role="status">${words.capital(words.progress(this.sheet.progress, this.sheet.game, this.sheet.title, this.sheet.opponents))}</span>` : nothing}</p>
        ${this.sheet && this.opponents.length === 1 ? html`<p class="quiet">No opponent is solved for these rules; choose smaller ones, or play another person.</p>` : nothing}
      </form>
      ${this.unfinished()}
      <div class="rules" aria-live="polite">
        <h2>How it goes</h2>
        ${this.sheet ? html`<ol>${this.sheet.rules.map((rule) => html`<li>${rule}</li>`)}</ol>` : nothing}
        ${this.variants()}
      </div>
    </section>`;
  }
}

customElements.define("dw-table", Table);
