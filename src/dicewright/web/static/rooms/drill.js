// Drill: one decision after another from solved play, right or wrong at once, and why; or the position of the day.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { announce, part, Room, titled } from "../lib/element.js";
import { me } from "../lib/memory.js";
import { Press } from "../lib/press.js";
import { bound, capital, lossOf, nickname, percent, sentence } from "../lib/words.js";
import "../parts/choice.js";
import { compared } from "./fix.js";
import { due, link } from "./you-due.js";

const HARDEST = 4, ROW = 5; // levels; so many right in a row, and it becomes harder
const FEW = 3; // places of which no share is told
const ALL = Number.MAX_SAFE_INTEGER;
const day = (text) => new Date(`${text}T12:00`).toLocaleDateString(undefined, { day: "numeric", month: "long" });

class Drill extends Room {
  static properties = {
    menu: { state: true }, view: { state: true }, family: { state: true }, found: { state: true }, error: { state: true }, busy: { state: true },
    score: { state: true }, progress: { state: true }, next: { state: true }, copied: { state: true },
  };

  constructor() {
    super();
    this.onKey = (event) => this.key(event);
    this.press = new Press("[data-decision], .decision .cell");
    this.read();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.onKey);
    this.press.listen();
    this.start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.onKey);
    this.press.rest();
    this.aborter?.abort();
  }

  read() {
    const said = new URLSearchParams(location.search);
    this.daily = said.has("day");
    this.asked = { game: said.get("game") ?? undefined, theme: said.get("theme") ?? "" };
    titled(this.daily ? "Position of the day" : "Drill");
  }

  arrived() {
    this.read();
    this.start();
  }

  start() {
    Object.assign(this, { score: { right: 0, asked: 0, row: 0, deeds: {} }, base: 0, found: null, next: null, view: null, error: null, menu: null });
    this.ask();
  }

  get level() {
    return Math.min(HARDEST, this.base + Math.floor(this.score.row / ROW));
  }

  // The next decision; the menu of games and themes comes beside it.
  async ask() {
    this.aborter?.abort();
    this.aborter = new AbortController();
    const options = { signal: this.aborter.signal, working: (progress) => (this.progress = progress) };
    [this.error, this.found, this.progress, this.busy] = [null, null, null, true]; // the one before is answered
    const { game, theme } = this.asked;
    try {
      const view = await (this.daily ? api.day(options) : api.question({ game, theme, level: this.level }, options));
      this.family = await part(() => import(`../families/${view.family}.js`));
      if (options.signal.aborted) return;
      [this.view, this.busy] = [view, false];
      await this.updateComplete;
      announce(`${this.score.asked ? "" : "What do you do? "}${this.family.asks(view, this.table)}`);
      if (this.score.asked) this.focusOn("[data-decision]:not([aria-disabled=true])");
      if (!this.daily) this.menu ??= await api.themes(view.game, options);
    } catch (error) {
      if (error.name !== "AbortError") [this.error, this.busy] = [error.message, false];
    }
  }

  choose(change) {
    go(`/drill?${new URLSearchParams({ game: this.view.game, theme: this.asked.theme, ...change })}`, { replace: true });
  }

  async act(action) {
    if (this.found || this.busy) return;
    [this.busy, this.error] = [true, null];
    try {
      const found = await (this.daily ? api.solved(this.view.date, action) : api.answered(this.view.asked, action));
      this.count(found);
      [this.found, this.busy] = [found, false];
      announce(this.verdict);
      this.focusOn("[data-drill=on]");
      if (found.practice) this.base = Math.min(HARDEST, found.practice.box);
      if (found.practice && !found.practice.asked) this.next = (await due())[0] ?? null;
    } catch (error) {
      [this.error, this.busy] = [error.message, false];
    }
  }

  count({ right, deeds }) {
    const { score } = this;
    const sums = { ...score.deeds };
    for (const { deed, words, done, share } of deeds) {
      const before = sums[deed] ?? { words, places: 0, done: 0, share: 0 };
      sums[deed] = { words, places: before.places + 1, done: before.done + done, share: before.share + share };
    }
    this.score = { right: score.right + right, asked: score.asked + 1, row: right ? score.row + 1 : 0, deeds: sums };
  }

  get verdict() {
    const { found } = this;
    const share = found.mix[found.action];
    const head = !found.right ? `Not this one: ${found.doing[found.action]} gives away ${lossOf(found.loss, found.unit)}.`
      : share < 0.99 && share > 0 ? `Right: ${found.doing[found.action]} is part of the mix, ${percent(share)} of the time.` : "Right.";
    return [head, compared(found, found.action, found.unit), found.why].filter(Boolean).join(" ");
  }

  key(event) {
    const typing = event.target.matches?.("input, textarea, select, [role=listbox]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !this.view || this.found) return;
    const action = this.view.keys[event.key.toLowerCase()];
    if (!action || !this.view.actions.some((one) => one.action === action)) return;
    event.preventDefault();
    if (this.press.stood(event.timeStamp)) this.act(action);
  }

  get table() {
    const { view } = this;
    const name = (seat) => (seat === view.seat ? "you" : nickname(view.players[0].called));
    return {
      view, me: view.seat, seat: view.seat, name, mine: !this.found, busy: this.busy, mover: view.to_move, chance: null, settled: true,
      act: (action) => this.act(action), hints: false, awaited: false, hint: null, counted: ALL, bare: false, laid: view.position, rolling: false,
      told: (lines) => lines.join(" "),
    };
  }

  updated() {
    if (this.view) this.press.drawn([this.view.asked.seed, Boolean(this.found)].join());
  }

  sentence() {
    if (!this.menu) return html`<p class="sentence small">I practise …</p>`;
    const games = this.menu.games.map(({ game, words }) => ({ value: game, words }));
    const known = games.some(({ value }) => value === this.menu.game) ? games : [...games, { value: this.menu.game, words: this.view?.title ?? this.menu.game }];
    const all = [{ value: "", words: "whatever comes" }, ...this.menu.themes.map(({ theme, words }) => ({ value: theme, words }))];
    return html`<p class="sentence small">I practise <dw-choice label="Game" .options=${known} .value=${this.menu.game}
      @choice=${(event) => this.choose({ game: event.detail, theme: "" })}></dw-choice>, <dw-choice label="Theme" .options=${all} .value=${this.asked.theme}
      @choice=${(event) => this.choose({ theme: event.detail })}></dw-choice>.</p>`;
  }

  after() {
    const { found, next } = this;
    const round = found.practice && !found.practice.asked;
    return html`<div class="verdict-of ${found.right ? "right" : "wrong"}"><p class="told">${bound(this.verdict)}</p>
      ${round ? html`<p class="quiet">A round is done. This theme comes back on ${day(found.practice.due)}.</p>` : nothing}
      ${this.daily ? this.shared() : html`<p class="go"><button class="main" type="button" data-drill="on" @click=${() => this.ask()}>Next</button>
        ${round && next ? html`<a class="button plain" href=${link(next)}>Next theme: ${next.kind}, ${next.words}</a>` : nothing}
        ${round && !next ? html`<a class="button plain" href="/you">Enough for today</a>` : nothing}</p>`}</div>`;
  }

  shared() {
    const { found } = this;
    return html`${found.first !== found.right ? html`<p class="quiet">Your first answer counts: ${found.first ? "found" : "missed"}.</p>` : nothing}
      <p class="go"><code class="line">${found.line}</code><button class="plain" type="button" data-drill="on" @click=${() => this.copy()}>Copy the line</button>
        <span class="quiet" role="status">${this.copied ?? ""}</span></p>
      <p class="go"><a class="button plain" href="/drill">Practise on</a></p>`;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(`${this.found.line}\n${location.origin}/drill?day`);
      this.copied = "Copied.";
    } catch {
      this.copied = "Copying is not allowed here.";
    }
    announce(this.copied);
  }

  counted() {
    const { right, asked, row, deeds } = this.score;
    if (!asked || this.daily) return nothing;
    const share = (value) => `${Math.round(100 * value)}\u00a0%`;
    return html`<p class="quiet score" role="status">${right} of ${asked} right${row > 1 ? html` · <strong>${row} in a row</strong>` : nothing}</p>
      ${Object.values(deeds).filter(({ places }) => places > FEW).map(({ words, places, done, share: should }) => html`<p class="quiet">${capital(words)}: you ${share(done / places)}, the solved player ${share(should / places)},
        in ${places} places.</p>`)}`;
  }

  render() {
    const { view, found, error } = this;
    const head = this.daily ? "Position of the day" : "Drill";
    return html`<section class="room drill-room ${view?.family ?? ""}">
      <h1>${head}${this.daily && view ? html` <span class="quiet">· ${view.title}, ${day(view.date)}</span>` : nothing}</h1>
      ${this.daily ? nothing : this.sentence()}
      ${error ? html`<p class="error" role="alert">${sentence(error)} <button class="plain" type="button" @click=${() => (this.view && !this.found ? this.ask() : this.start())}>Try again</button></p>` : nothing}
      ${!view || !this.family ? (error ? nothing : html`<p class="working" role="status">${capital(this.progress ?? "dealing")} …</p>`)
        : html`<div class="play"><div class="board">${this.family.board(this.family.scene(view, view.events.length), this.table)}</div>
          <div class="decision">${found ? this.after() : html`<p class="turnline"><span>What do you do?</span></p>${this.family.controls(this.table)}`}
          ${this.counted()}</div></div>`}
      ${me() || this.daily || !found ? nothing : html`<p class="quiet"><a href="/you">With a name</a> what you miss comes back when it is time.</p>`}
    </section>`;
  }
}

customElements.define("dw-drill", Drill);
