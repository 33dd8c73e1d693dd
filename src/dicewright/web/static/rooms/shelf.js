// Shelf: finished games, newest first; search, replay, download.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { announce, Room, titled } from "../lib/element.js";
import { me, seatAt } from "../lib/memory.js";
import { evened, player, rateOf, sentence } from "../lib/words.js";

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const MOST_PAGES = 10;
const MOST_BYTES = 15_000; // of a record, as the server takes it
const shown = (figures) => ({ error_rate: figures.map((side) => side.error_rate), luck: figures.map((side) => side.luck + side.hidden_luck) });
// What a player would have got, as chance or points.
const withoutLuck = ({ unit, payoff }, luck, seat) => ((own) => (unit === "points" ? own : (1 + own) / 2) - luck)(seat ? -payoff : payoff);
const plain = (text) => text.toLowerCase().replace(/[’']/g, "");

class Shelf extends Room {
  static properties = { games: { state: true }, next: { state: true }, q: { state: true }, mine: { state: true }, error: { state: true }, brought: { state: true }, over: { state: true } };

  constructor() {
    super();
    titled("Shelf");
    this.q = new URLSearchParams(location.search).get("q") ?? "";
    this.mine = Boolean(me());
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.judging?.abort();
  }

  async load(before) {
    const { q: asked, mine } = this;
    try {
      const page = await api.games(asked || undefined, before, { mine });
      if (asked && !before && !page.games.length) Object.assign(page, await this.byTitle(asked));
      if (asked !== this.q || mine !== this.mine) return;
      this.games = before ? [...this.games, ...page.games] : page.games;
      this.next = page.next;
      this.error = null;
      if (!before) announce(`${this.games.length}${page.next ? " or more" : ""} games.`);
      this.judging?.abort();
      this.judging = new AbortController();
      this.judge(this.games, this.judging.signal);
    } catch (error) {
      this.error = error.message;
    }
  }

  // Own games that were left at their end have no figures yet: they are asked for, one game after the other.
  async judge(games, signal) {
    for (const { id } of games.filter((game) => game.solvable && !game.error_rate && (game.mine ?? seatAt(game.id)))) {
      const doc = await api.analysis(id, { signal }).catch(() => null); // it can still be opened, and says why
      if (signal.aborted) return;
      if (doc) this.games = this.games.map((game) => (game.id === id ? { ...game, ...shown(doc.figures) } : game));
    }
  }

  // The server knows rules and names; the words of a title are looked for here, in the newest games.
  async byTitle(asked) {
    const words = plain(asked).split(/\s+/);
    const found = [];
    let before;
    for (let page = 0; page < MOST_PAGES && asked === this.q; page += 1) {
      const { games, next } = await api.games(undefined, before, { mine: this.mine, limit: 100 });
      found.push(...games.filter((game) => words.every((word) => plain(`${game.title} ${game.game} ${this.players(game).join(" ")}`).includes(word))));
      before = next;
      if (!next) break;
    }
    return { games: found, next: null };
  }

  // Records from elsewhere, dropped here or chosen: the server checks them by the rules.
  async bring([file]) {
    if (!file) return;
    this.brought = null;
    try {
      if (!file.size) throw new Error(`“${file.name}” is empty; a record is allowed, as “Text” saves it.`);
      if (file.size > MOST_BYTES) throw new Error(`“${file.name}” has ${file.size.toLocaleString()} bytes; up to ${MOST_BYTES.toLocaleString()} are allowed. “dicewright games add” takes any size.`);
      const { added, there } = await api.bring(await file.text());
      const all = [...added, ...there];
      if (all.length === 1) return go(`/g/${all[0]}`);
      this.brought = `${added.length} games were added${there.length ? `, ${there.length} stood here already` : ""}.`;
      announce(this.brought);
      await this.load();
    } catch (error) {
      this.brought = sentence(error.message);
      announce(this.brought);
    }
  }

  drag(event, over) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.over = over;
  }

  drop(event) {
    this.drag(event, false);
    this.bring(event.dataTransfer?.files ?? []);
  }

  players(game) {
    const seat = game.mine ?? seatAt(game.id)?.seat;
    return game.players.map((name, i) => player(name, game.called[i], seat === ["first", "second"][i]));
  }

  choose(mine) {
    [this.mine, this.games] = [mine, null];
    this.load();
  }

  search(event) {
    this.q = event.target.value.trim();
    history.replaceState(null, "", this.q ? `/games?${new URLSearchParams({ q: this.q })}` : "/games");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 200);
  }

  row(game) {
    const [first, second] = this.players(game);
    const winner = game.ended !== "over" ? game.ended : game.payoff > 0 ? `${first} won` : game.payoff < 0 ? `${second} won` : "drawn";
    const date = new Date(game.date);
    const forPoints = game.unit === "points";
    const unit = forPoints ? "points" : "%";
    const pair = (numbers, words) => (numbers?.some((one) => typeof one === "number")
      ? `${numbers.map((one) => (typeof one === "number" ? words(one) : "–")).join(" / ")} ${unit}` : "–");
    const rate = (one) => rateOf(one, game.unit).replace(` ${unit}`, "");
    const fair = game.ended === "over" && game.luck?.every((luck) => typeof luck === "number") ? game.luck.map((luck, i) => evened(withoutLuck(game, luck, i), game.unit)).join(" / ").replace(` ${unit} /`, " /") : "–";
    return html`<li class="card">
      <a class="replay" href="/g/${game.id}"><span class="what">${game.title}</span>
        <span class="players">${first} <span class="quiet">against</span> ${second}</span></a>
      <dl><div><dt>Result</dt><dd>${winner}</dd></div>
        <div><dt>Lost per decision</dt><dd>${pair(game.error_rate, rate)}</dd></div>
        <div><dt>With average luck</dt><dd>${fair}</dd></div>
        <div><dt>Played</dt><dd>${Number.isNaN(+date) ? game.date : html`<time datetime=${game.date}>${day.format(date)}</time>`}</dd></div></dl>
      <p class="save" role="group" aria-label="Download ${game.title}, ${first} against ${second}">${[["text", "Text"], ["jsonl", "JSONL"], ["csv", "CSV"]].map(([format, words]) => html`<a class="button small" href=${api.recordLink(game.id, format)} download>${words}</a>`)}</p>
    </li>`;
  }

  render() {
    return html`<section class="room shelf-room ${this.over ? "over" : ""}" @dragover=${(event) => this.drag(event, true)} @dragleave=${(event) => this.drag(event, false)} @drop=${this.drop}>
      <h1>Shelf</h1>
      <p class="search"><label for="search">Search games, players, rules</label>
        <input id="search" type="search" .value=${this.q} @input=${this.search} maxlength="80"></p>
      ${me() ? html`<p class="whose" role="group" aria-label="Whose games">${[[true, "Mine"], [false, "All"]].map(([mine, words]) => html`<button class="plain" type="button"
        aria-pressed=${this.mine === mine ? "true" : "false"} @click=${() => this.choose(mine)}>${words}</button>`)}</p>` : nothing}
      <p class="bring"><label class="button small">Open a record …<input class="unseen" type="file" accept=".dwr,.txt,text/plain"
        @change=${(event) => this.bring(event.target.files).then(() => (event.target.value = ""))}></label>
        <span class="quiet">or drop its file here</span></p>
      ${this.brought ? html`<p class="notice" role="status">${this.brought}</p>` : nothing}
      ${this.error ? html`<p class="error" role="alert">${this.error} <button class="plain" type="button" @click=${() => this.load()}>Try again</button></p>` : nothing}
      ${!this.games ? (this.error ? nothing : html`<p class="working" role="status">Looking …</p>`)
        : this.games.length ? html`<ul class="cards">${this.games.map((game) => this.row(game))}</ul>`
        : html`<p class="empty">${this.q ? "No finished game matches." : html`No finished games${this.mine ? " of yours" : ""} yet. <a href="/">Play one</a>; it will stand here.`}</p>`}
      ${this.next ? html`<p class="go"><button class="plain" type="button" @click=${() => this.load(this.next)}>Older games</button></p>` : nothing}
    </section>`;
  }
}

customElements.define("dw-shelf", Shelf);
