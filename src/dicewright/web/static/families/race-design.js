// A race game drawn up face by face: dice with their weights, the fields, and what follows from them at once. The address
// and the browser's memory hold its line; the server reads any spelling of it, this script only what the server writes.
import { html, nothing, repeat } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { announce, Room } from "../lib/element.js";
import { recall, remember, sitAt } from "../lib/memory.js";
import * as words from "../lib/words.js";
import "../parts/choice.js";
import { chip, die } from "../parts/die.js";
import { draw as drawPair } from "./race-compare.js";
import { draw as drawMap } from "./race-map.js";

const REST = 350; // milliseconds after the last touch, before the server is asked
const NAMES = ["bold", "safe", "wild", "calm", "last"];
const PIPS = 12, MOST_ROLLS = 5;
const PERSON = { strategy: "person", called: "another person", line: "You get a link to send; they play in their own browser." };
const ANOTHER = "another face";

// What a face does, for those who listen.
function told(face) {
  if (face === "bust") return "bust, the turn total is lost";
  if (face === "ruin") return "ruin, the whole score is lost";
  return face.startsWith("bank") ? `bank ${face.slice(4)}, which ends the turn` : `plus ${face.slice(1)}`;
}

const drawn = (face) => (face.startsWith("+") ? die(Number(face.slice(1)), "", true)
  : chip(face.startsWith("bank") ? face.slice(4) : face, face.startsWith("bank") ? "" : "bad", face.startsWith("bank") ? "banked" : ""));

// "race:bold:+9/bust.3,safe:+1,goal=60" <-> { name, rolls: [{ name, faces: [[face, weight]] }], values }
function read(line) {
  const [name, rest = ""] = line.split(/:(.*)/s);
  const parts = rest.split(",").filter(Boolean);
  const rolls = parts.filter((part) => !part.includes("=")).map((part) => {
    const [faces, named = "roll"] = part.split(":").reverse();
    return { name: named, faces: faces.split("/").map((face) => face.split(".")).map(([face, weight = 1]) => [face, Number(weight)]) };
  });
  return { name, rolls, values: Object.fromEntries(parts.filter((part) => part.includes("=")).map((part) => part.split("="))) };
}

function write({ name, rolls, values }) {
  const lines = rolls.map((roll) => (roll.name === "roll" ? "" : `${roll.name}:`) + roll.faces.map(([face, weight]) => (weight > 1 ? `${face}.${weight}` : face)).join("/"));
  const given = Object.entries(values).filter(([, value]) => value !== "").map(([field, value]) => `${field}=${value}`);
  return `${name}:${[...lines, ...given].join(",")}`;
}

class RaceDesign extends Room {
  static properties = {
    design: { attribute: false }, catalog: { attribute: false },
    it: { state: true }, sheet: { state: true }, measures: { state: true }, working: { state: true }, error: { state: true },
    opponent: { state: true }, met: { state: true }, yours: { state: true }, busy: { state: true },
  };

  connectedCallback() {
    super.connectedCallback();
    this.arrived();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.aborter?.abort();
  }

  // The line in the address, else the one that was drawn up last, else one to begin with.
  arrived() {
    const asked = new URLSearchParams(location.search).get("game");
    if (asked && this.it && asked === this.line) return;
    this.take(asked ?? recall("design") ?? this.design.game);
  }

  get line() {
    return write(this.it);
  }

  // A line of any spelling: the server says what it is called, and that is taken apart here.
  async take(text) {
    this.error = null;
    try {
      const sheet = await api.rules(text);
      if (!sheet.game.startsWith(`${read(this.design.game).name}:`)) throw new Error(`${sheet.title} has a name of its own; a line such as ${this.design.game} is drawn up here.`);
      this.it = read(sheet.game);
      this.look();
    } catch (error) {
      this.refused(words.sentence(error.message, text), text);
      this.it ??= read(this.design.game);
    }
  }

  // Nothing of an older line stays beside one that is no game.
  refused(sentence, typed) {
    clearTimeout(this.timer);
    this.aborter?.abort();
    [this.error, this.typed, this.sheet, this.measures, this.met, this.working] = [sentence, typed, null, null, null, null];
  }

  set(change) {
    this.it = { ...this.it, ...change };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), REST);
  }

  // Rules, advantage and length of the line as it stands; late answers to an older one are dropped.
  async look() {
    const { line } = this;
    history.replaceState(null, "", `/design?${new URLSearchParams({ game: line })}`);
    this.aborter?.abort();
    const aborter = (this.aborter = new AbortController());
    [this.error, this.measures, this.met, this.working] = [null, null, null, "working it out"];
    try {
      const sheet = await api.rules(line);
      if (aborter.signal.aborted) return;
      [this.sheet, this.typed] = [sheet, null];
      remember("design", sheet.game);
      const own = sheet.rule && this.opponent?.startsWith("expr:");
      if (!own && !this.opponents.some(({ value }) => value === this.opponent)) this.opponent = this.opponents[0].value;
      const options = { signal: aborter.signal, working: (progress) => aborter.signal.aborted || (this.working = progress) };
      const measures = await api.explore("measures", { game: sheet.game }, options);
      if (aborter.signal.aborted) return;
      [this.measures, this.working] = [measures, null];
      announce(this.advantage(measures));
      this.meet();
    } catch (error) {
      if (aborter.signal.aborted || error.name === "AbortError") return;
      const sentence = words.sentence(error.message, line, this.sheet?.title);
      if (this.sheet?.game === line) [this.error, this.working] = [sentence, null]; // a game, of which this is not known
      else this.refused(sentence, line);
    }
  }

  oppose(opponent) {
    this.opponent = opponent;
    this.meet();
  }

  // What the opponent gets of perfect play, or why that is not known; of the solved player and of people nothing is asked.
  async meet() {
    const { opponent, measures, sheet } = this;
    this.met = null;
    if (!measures || ["person", "optimal"].includes(opponent)) return;
    let found;
    try {
      found = await api.explore("measures", { game: sheet.game, strategy: opponent }, { signal: this.aborter.signal });
    } catch (error) {
      if (error.name === "AbortError") return;
      found = { error: words.sentence(error.message, sheet.game, sheet.title) };
    }
    if (this.opponent === opponent && this.measures === measures) this.met = { ...found, strategy: opponent };
  }

  // Who may be chosen, with the rule of one's own that is.
  get offered() {
    return words.withRule(this.opponents, this.opponent);
  }

  get opponents() {
    return [...(this.sheet?.opponents ?? []).filter(({ learns }) => !learns), PERSON].map(({ strategy, called, line }) => ({ value: strategy, words: called, about: line }));
  }

  setRoll(at, change) {
    this.set({ rolls: this.it.rolls.map((roll, i) => (i === at ? { ...roll, ...change } : roll)) });
  }

  // A face that comes more often, or less; at 0 it is gone, but for the last one.
  weigh(at, face, by) {
    const { faces } = this.it.rolls[at];
    const known = faces.find(([one]) => one === face);
    const changed = known ? faces.map(([one, weight]) => [one, one === face ? weight + by : weight]) : [...faces, [face, 1]];
    const kept = changed.filter(([, weight]) => weight > 0);
    if (!kept.length) return;
    this.setRoll(at, { faces: kept });
    announce(`${told(face)}: weight ${kept.find(([one]) => one === face)?.[1] ?? 0}`);
  }

  add(at, event) {
    const { detail } = event;
    this.weigh(at, /^\d+$/.test(detail) ? `+${Math.min(1000, Number(detail))}` : detail, 1);
    event.target.value = ANOTHER;
  }

  name(at, event) {
    const name = event.target.value.toLowerCase().replace(/[^a-z0-9-]/g, "").replace(/^[^a-z]+/, "").slice(0, 20);
    if (name) this.setRoll(at, { name });
    else event.target.value = this.it.rolls[at].name;
  }

  addRoll() {
    const taken = this.it.rolls.map(({ name }) => name);
    const free = NAMES.filter((name) => !taken.includes(name));
    const named = this.it.rolls.map((roll) => (roll.name === "roll" ? { ...roll, name: free.shift() } : roll));
    this.set({ rolls: [...named, { name: free.shift(), faces: read(this.design.game).rolls[0].faces }] });
  }

  removeRoll(at) {
    this.set({ rolls: this.it.rolls.filter((_, i) => i !== at) });
  }

  async play() {
    if (this.busy || !this.sheet) return;
    this.busy = true;
    try {
      const made = await api.newGame({ game: this.line, opponent: this.opponent, seat: "first", hints: false, name: "you" });
      sitAt(made.id, { token: made.token, seat: made.seat, invite: made.invite, commitment: made.commitment });
      go(`/g/${made.id}`);
    } catch (error) {
      this.error = words.sentence(error.message, this.line, this.sheet.title);
    }
    this.busy = false;
  }

  face([face, weight], at, total) {
    return html`<li class="face"><span class="unseen">${told(face)}: weight ${weight} of ${total}</span>${drawn(face)}
      <span class="quiet odds" aria-hidden="true">${words.percent(weight / total)}</span>
      <span class="weigh"><button type="button" aria-label="${told(face)}: less often" @click=${() => this.weigh(at, face, -1)}>−</button>
        <output aria-hidden="true">${weight}</output>
        <button type="button" aria-label="${told(face)}: more often" @click=${() => this.weigh(at, face, 1)}>+</button></span></li>`;
  }

  roll({ name, faces }, at) {
    const total = faces.reduce((sum, [, weight]) => sum + weight, 0);
    const known = faces.map(([face]) => face);
    const options = [
      ...Array.from({ length: PIPS }, (_, i) => `+${i + 1}`).map((face) => ({ value: face, words: `${face} ${face === "+1" ? "point" : "points"}` })),
      { value: "bust", words: "bust", about: "The turn total is lost, and the turn." },
      { value: "ruin", words: "ruin", about: "The whole score is lost, and the turn." },
      ...[1, 2, 3, 5].map((points) => ({ value: `bank${points}`, words: `bank ${points}`, about: "Banks its points; the turn total is lost, and the turn." })),
    ].filter(({ value }) => !known.includes(value));
    const several = this.it.rolls.length > 1;
    return html`<fieldset class="die-sheet"><legend class=${several ? "" : "unseen"}>${several ? html`<label>Roll <input maxlength="20" .value=${name} @change=${(event) => this.name(at, event)}></label>
        <button class="link" type="button" @click=${() => this.removeRoll(at)}>leave out</button>` : "The faces of a roll"}</legend>
      <ul class="faces">${repeat(faces, ([face]) => face, (one) => this.face(one, at, total))}</ul>
      <p class="sentence small">Add <dw-choice label="Add a face" .options=${options} .value=${ANOTHER} other="Points, 1 to 1000" @choice=${(event) => this.add(at, event)}></dw-choice>.</p></fieldset>`;
  }

  fields() {
    const set = (field, value) => {
      const { [field.name]: _, ...rest } = this.it.values;
      const { title, ...most } = rest;
      const given = value === field.default ? most : { ...most, [field.name]: value };
      this.set({ values: title === undefined ? given : { ...given, title } });
    };
    const chosen = this.design.fields.filter(({ name }) => name !== "title");
    return html`<p class="sentence small">A race ${chosen.map((field, i) => {
      const value = this.it.values[field.name] ?? field.default;
      return html`${i ? ", " : ""}<dw-choice label=${field.label} .options=${words.fieldOptions(field, value)} .value=${value}
        .other=${field.free ? `${field.label} (${field.allowed})` : null} @choice=${({ detail }) => set(field, detail)}></dw-choice>`;
    })}.</p>`;
  }

  title({ target }) {
    if (/[,=]/.test(target.value)) {
      this.error = "A title has no comma and no equals sign: letters, digits, hyphens, apostrophes and spaces are allowed.";
      return;
    }
    const { title: _, ...rest } = this.it.values;
    const title = target.value.trim().replace(/\s+/g, "_");
    this.set({ values: title ? { ...rest, title } : rest });
  }

  advantage({ value, unit, decisive }) {
    if (unit === "points") return `Whoever starts gets ${words.tally(value)} points on average.`;
    return decisive ? `Whoever starts wins ${words.percent((1 + value) / 2)} of the games.` : `Whoever starts wins ${words.signed(value)} % more of the games than the other.`;
  }

  found() {
    const { measures, sheet } = this;
    if (!measures && this.error) return nothing;
    if (!measures) return html`<p class="quiet" role="status">${words.capital(words.progress(this.working ?? "working it out", this.line, sheet?.title))} …</p>`;
    const points = measures.unit === "points";
    return html`<p class="where">${points ? words.tally(measures.value) : measures.decisive ? words.percent((1 + measures.value) / 2) : `${words.signed(measures.value)} %`}</p>
      <p>${this.advantage(measures)}</p>
      <dl><div><dt>The first player’s advantage</dt><dd>${points ? words.worthOf(measures.value, "points") : `${words.signed(measures.value)} %`}</dd></div>
        <div><dt>Turns in a game</dt><dd>${measures.turns === null ? "not known" : measures.turns > 9999 ? measures.turns.toExponential(1) : measures.turns.toFixed(1)}</dd></div></dl>
      <p class="quiet">${measures.proved ? "Both play perfectly; that is proved." : "Both play perfectly; this is an estimate."}</p>`;
  }

  // How the opponent stands against perfect play.
  stands() {
    const { met } = this;
    if (!met) return nothing;
    if (met.error) return html`<p class="error" role="alert">${met.error}</p>`;
    if (met.payoff === null) return nothing;
    const said = met.unit === "points" ? `it gets ${words.tally(met.payoff)} points a game`
      : met.decisive ? `it wins ${words.percent((1 + met.payoff) / 2)} of the games` : `it wins ${words.signed(met.payoff)} % more of the games`;
    return html`<p class="quiet met" role="status">Against perfect play ${said}, either starting as often.</p>`;
  }

  map() {
    const { sheet, measures, met } = this;
    const sight = this.catalog.views.find(({ view }) => view === "map");
    if (!measures || !sheet?.views.includes("map")) return nothing;
    const pair = met && !met.error;
    const named = (strategy) => (strategy === "optimal" ? "the optimal player" : this.offered.find(({ value }) => value === strategy)?.words ?? strategy);
    const it = { game: sheet.game, title: sheet.title, strategy: "optimal", other: met?.strategy, yours: this.yours ?? 0, captions: sight.captions, called: named };
    return html`<h2>${pair ? `Where perfect play and ${named(met.strategy)} differ` : "What perfect play does"}</h2>
      <div class="sight" @change-view=${({ detail }) => (this.yours = detail.yours)}>${pair ? drawPair(it) : drawMap(it)}</div>`;
  }

  render() {
    if (!this.it) return html`<p class="working" role="status">Sharpening the pencil …</p>`;
    const { rolls, values } = this.it;
    return html`<div class="drawing">
      <div class="drafts">
        ${this.fields()}
        ${rolls.map((roll, at) => this.roll(roll, at))}
        ${rolls.length < MOST_ROLLS ? html`<p><button class="link" type="button" @click=${this.addRoll}>${rolls.length > 1 ? "Another roll to choose" : "Let the player choose between two rolls"}</button></p>` : nothing}
        <p class="named"><label for="title">Title</label><input id="title" maxlength="40" autocomplete="off" .value=${(values.title ?? "").replaceAll("_", " ")} @change=${this.title}></p>
        <p class="named line"><label for="line">In one line</label><input id="line" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false"
          .value=${this.typed ?? this.sheet?.game ?? this.line} @change=${({ target }) => this.take(target.value)}></p>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        <p class="go"><button class="main big" type="button" ?disabled=${!this.sheet} @click=${this.play} aria-busy=${this.busy ? "true" : "false"}>Play it</button>
          <span class="sentence small">against <dw-choice label="Opponent" .options=${this.offered} .value=${this.opponent ?? "person"} .rule=${this.sheet?.rule}
            @choice=${({ detail }) => this.oppose(detail)}></dw-choice></span></p>
        ${this.stands()}
      </div>
      <div class="follows"><div class="readout">${this.found()}</div>
        <div class="rules"><h2>${this.sheet?.title ?? "How it goes"}</h2>${this.sheet ? html`<ol>${this.sheet.rules.map((rule) => html`<li>${rule}</li>`)}</ol>` : nothing}</div></div>
    </div>${this.map()}`;
  }
}

customElements.define("dw-race-design", RaceDesign);
export const draw = (design, catalog) => html`<dw-race-design .design=${design} .catalog=${catalog}></dw-race-design>`;
