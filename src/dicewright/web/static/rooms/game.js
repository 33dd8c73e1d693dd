// Game: the table while playing, then its own analysis. A script of ../families draws it; this one listens and answers.
import { html, nothing } from "../vendor/lit.js";
import { announce, part, titled } from "../lib/element.js";
import { leave, recall, seatAt, sitAt } from "../lib/memory.js";
import { Press } from "../lib/press.js";
import { Live } from "../lib/socket.js";
import { capital, index, lossOf, nickname, other } from "../lib/words.js";
import { awaitOffer, ending } from "./game-ending.js";
import { invitation, invited, waiting } from "./game-lobby.js";
import { doubt, lives, notes, notice, switches, turnLine, USUAL_DOUBT } from "./game-notes.js";
import { ALL, Stage } from "./game-stage.js";
import { play } from "../lib/sound.js";

const WRONG_TOKEN = 4403;
const PATIENCE = 800; // that a decision waits for what it is worth, where the tutor is asked
const LONGEST = 3000; // between two questions for a hint that is being prepared
const UNNAMED = new Set(["you", "guest"]);
const ENDINGS = { stalemate: "Nobody can win any more: a stalemate.", "cut-off": "The game was stopped for its length." };

class Game extends Stage {
  static properties = {
    gameId: { attribute: false }, token: { attribute: false }, view: { state: true }, shown: { state: true }, hint: { state: true },
    link: { state: true }, error: { state: true }, sent: { state: true }, tumbling: { state: true },
    counted: { state: true }, resting: { state: true }, wantsHints: { state: true }, joining: { state: true },
    wantsTutor: { state: true }, doubt: { state: true }, looking: { state: true }, covered: { state: true }, offer: { state: true }, hintNote: { state: true }, family: { state: true },
  };

  constructor() {
    super();
    this.shown = 0;
    this.counted = ALL;
    this.hintAwaited = true;
    this.wantsHints = recall("show-hints", true);
    this.wantsTutor = recall("tutor", false);
    this.onKey = (event) => this.key(event);
    this.act = (action) => this.move(action);
    this.press = new Press("[data-decision], .decision .cell, .ending a");
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.onKey);
    this.press.listen();
    titled("Game");
    const invite = new URLSearchParams(location.hash.slice(1)).get("join");
    if (invite && !seatAt(this.gameId)) invited(this, invite);
    else this.sit();
  }

  // The address names another moment of the same game.
  arrived() {
    const analysis = this.querySelector("dw-analysis");
    if (analysis?.doc) analysis.stand();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.onKey);
    this.press.rest();
    this.live?.close();
  }

  // In a study the seat is proved by a token of its link; nobody watches, and nothing is judged or played again.
  sit() {
    const seat = this.token ? { ...seatAt(this.place), token: this.token } : seatAt(this.gameId);
    const seed = seat?.seed ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
    if (seat?.token) sitAt(this.place, { seed });
    this.live = new Live(this.gameId, { token: seat?.token ?? null, seed }, {
      state: (frame) => this.receive(frame),
      hint: (frame) => {
        [this.hint, this.hintNote, this.hintAwaited] = [frame, null, true];
        if (this.held) this.move(this.held);
      },
      error: ({ error, of, later }) => {
        if (of === "hint") return this.hintLater(error, later);
        this.error = error;
        this.sent = false;
      },
      link: (word, code) => this.linked(word, code),
    });
  }

  // Under which name this browser remembers the seat.
  get place() {
    return this.token ? `${this.gameId}/${this.token.slice(0, 8)}` : this.gameId;
  }

  linked(word, code) {
    if (this.link === "lost" && word === "open") announce("Connected again.");
    if (word === "lost" && this.link === "open") announce("The connection is lost; trying again.");
    this.link = word;
    if (code && this.token) return;
    if (code === WRONG_TOKEN) leave(this.gameId);
    else if (code && seatAt(this.gameId)) sitAt(this.gameId, { over: true }); // out of the list, but the seat is kept
  }

  receive(frame) {
    if (frame.since && this.view) frame = { ...this.view, ...frame, events: [...this.view.events.slice(0, frame.since), ...frame.events] };
    const first = !this.view || this.view.id !== frame.id;
    const takenUp = !first && frame.from && !this.view.begun; // its first events were played in another game
    if (!first && (frame.ply > this.view.ply || (frame.ended && !this.view.ended))) this.error = null; // it was about a table that has moved on
    if (frame.ply !== this.view?.ply) this.held = this.doubt = null;
    const back = !first && frame.events.length < this.view.events.length; // a decision was taken back
    this.view = frame;
    this.sent = this.live.waiting;
    if (first || takenUp) this.shown = frame.events.length;
    if (frame.seat && !this.token) sitAt(this.gameId, { title: `${frame.title}, against ${this.name(other(frame.seat))}`, over: frame.ended !== null });
    if (back) {
      Object.assign(this, { shown: Math.min(this.shown, frame.events.length), stood: frame, asked: null, tumbling: false, resting: null, counted: ALL, showing: null, stage: {} });
      announce("Your last decision is taken back.");
    }
    this.draw(frame.family).then(() => this.show(), ({ message }) => (this.link = message));
  }

  // The script that draws games of this kind, as the server names it.
  async draw(name) {
    if (this.drawn !== name) [this.drawn, this.family] = [name, null];
    this.family ??= await part(() => import(`../families/${name}.js`));
  }

  get mine() {
    const { seat, to_move: mover, actions, ended } = this.view;
    return this.settled && !ended && seat !== null && seat === mover && actions.length > 0;
  }

  get over() {
    return this.view.ended !== null && this.settled;
  }

  async decide() {
    const { view } = this;
    this.skipping = false;
    this.hintTries = 0;
    if (this.wantsHint && this.refused !== this.decision) this.live.hint();
    if (view.ended && !this.analysed) {
      this.analysed = true;
      if (this.won !== null) play(this.won ? "won" : "lost");
      announce(`${this.result} ${this.family.outcome(view, this.table).detail}`);
      if (this.token) return this.focusOn("#result");
      awaitOffer(this);
      await part(() => import("./analysis.js")).catch(({ message }) => (this.error = message));
      this.requestUpdate();
      if (this.lostFocus) this.focusOn("#result");
      return;
    }
    if (this.mine && this.asked !== this.decision) {
      this.asked = this.decision;
      announce(this.family.asks(view, this.table));
    }
    if (this.mine && this.lostFocus) this.focusOn(`[data-decision]:not([aria-disabled=true])`);
  }

  get decision() {
    return `${this.view.id}@${this.view.ply}`;
  }

  get wantsHint() {
    return this.mine && !this.sent && this.view.hints && (this.wantsHints || this.wantsTutor) && this.hint?.ply !== this.view.ply;
  }

  // The game may still be in the solving; hints follow as soon as it is solved. Where there will be none, this is said.
  hintLater(answer, later) {
    if (!this.wantsHint) return;
    [this.hintNote, this.hintAwaited] = [answer, later];
    this.hintTries += 1;
    clearTimeout(this.hintTimer);
    if (!this.hintAwaited) this.refused = this.decision;
    else this.hintTimer = setTimeout(() => this.isConnected && this.wantsHint && this.live.hint(), Math.min(LONGEST, 100 * this.hintTries));
  }

  get lostFocus() {
    const at = document.activeElement;
    return !at || at === document.body || at.id === "room" || at.getAttribute("aria-disabled") === "true";
  }

  move(action) {
    if (!this.mine || this.sent) return;
    if (this.doubt?.action !== action && this.doubts(action)) return;
    [this.error, this.held, this.doubt] = [null, null, null];
    [this.sent, this.moved] = [true, action];
    this.live.move(action, this.view.ply);
  }

  // The tutor asks before a decision that gives away more than was set; a decision waits a moment for what it is worth.
  doubts(action) {
    const { view, hint } = this;
    if (!view.hints || !this.wantsTutor || view.actions.length < 2) return false;
    if (hint?.ply !== view.ply) {
      if (this.hintNote || this.held === action) return false;
      this.held = action;
      setTimeout(() => this.held === action && this.isConnected && this.move(action), PATIENCE);
      return true;
    }
    this.held = null;
    const loss = Math.max(...Object.values(hint.worth)) - hint.worth[action];
    if (!(loss >= recall("tutor-above", USUAL_DOUBT) * (hint.unit === "points" ? 100 : 1))) return false;
    this.doubt = { action, loss: lossOf(loss, hint.unit), ply: view.ply };
    announce(`Sure? That gives away ${this.doubt.loss}.`);
    this.focusOn("[data-decision=again]");
    return true;
  }

  // Whether a decision may be taken back: what was shown since, the server knows.
  get regrets() {
    const { view } = this;
    const made = view.events.findIndex(({ who }) => who === view.seat);
    return this.mine && !this.sent && view.takes_back && made >= Number(view.from?.split("@")[1] ?? 0);
  }

  takeBack() {
    if (!this.regrets) return;
    this.error = null;
    this.live.back(this.view.ply);
  }

  key(event) {
    const typing = event.target.matches?.("input, textarea, select, [role=listbox]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.view) return;
    const action = this.view.keys[event.key.toLowerCase()];
    if (!action || !this.mine || !this.view.actions.some((one) => one.action === action)) return;
    event.preventDefault();
    if (!event.repeat && this.press.stood(event.timeStamp)) this.move(action);
  }

  name = (seat) => {
    const { players, seat: mine } = this.view;
    if (seat === mine) return "you";
    const { name, strategy, called } = players[index(seat)] ?? {};
    if (strategy) return nickname(called);
    if (name && !UNNAMED.has(name)) return name;
    return this.joining ? "a friend" : mine ? "the other player" : `the ${seat} player`;
  };

  // Whether this player has won; null for whoever watches, and where nobody has.
  get won() {
    const { seat, payoff } = this.view;
    return seat && payoff ? payoff > 0 === (seat === "first") : null;
  }

  get result() {
    const { view } = this;
    if (ENDINGS[view.ended]) return ENDINGS[view.ended];
    const winner = view.payoff > 0 ? "first" : view.payoff < 0 ? "second" : null;
    if (!winner) return "Nobody wins.";
    return winner === view.seat ? "You win." : `${capital(this.name(winner))} wins.`;
  }

  get table() {
    const view = this.seen;
    return {
      view, me: view.seat ?? "first", seat: view.seat, name: this.name, mine: this.mine, busy: this.sent, mover: this.mover, chance: this.wantsHints ? view.chance : null,
      settled: this.settled && this.looking == null, act: this.act, hints: view.hints && this.wantsHints, awaited: this.hintAwaited,
      hint: this.wantsHints && this.hint?.ply === view.ply ? this.hint : null, counted: this.counted,
      bare: this.over && !this.covered, // every die is known
      laid: this.looking == null ? view.position : null,
      rolling: this.tumbling ? this.falling : Number(this.sent && this.family.tumbles && this.moved !== view.layout.banks), // how many dice
      told: (lines) => lines.join(" ").replace(/\b(T|t)he other player\b/g, (_, letter) => (letter === "T" ? capital : String)(this.name(other(view.seat)))),
    };
  }

  render() {
    if (this.link && !["open", "lost"].includes(this.link)) {
      return html`<section class="room"><h1>This game cannot be shown</h1><p class="error" role="alert">${this.link}</p>${this.token ? nothing : html`<p><a href="/">To the table</a></p>`}</section>`;
    }
    if (!this.view || !(this.family || this.joining)) {
      return html`<section class="room"><h1 class="unseen">Game</h1><p class="working" role="status">
        ${this.link === "lost" ? "The server does not answer. Trying again …" : "Sitting down …"}</p></section>`;
    }
    if (this.joining) return invitation(this);
    const { seen: view, table, over } = this;
    return html`<section class="room game-room ${view.family} ${over ? "over" : ""} ${over && this.looking != null ? "stepping" : ""}">
      <h1>${view.title}${view.seat ? nothing : html` <span class="quiet">· ${view.ended ? "a finished game" : "you are watching"}</span>`}${view.from
        ? html` <span class="quiet">· from <a href="/g/${view.from.split("@")[0]}">an earlier game</a></span>` : nothing}</h1>
      ${notice(this)}
      <div class="play">
        <div class="board">${view.begun ? html`${lives(view, this.looking ?? this.shown, table, this.family.reveals)}${this.family.board(this.family.scene(view, this.looking ?? this.shown), table)}` : waiting(this)}</div>
        ${view.begun && !over ? html`<div class="decision">${turnLine(this)}
          ${this.resting ? html`<div class="actions"><button class="main big" type="button" data-decision="next" @click=${() => this.resting()}>Next round</button></div>`
            : view.seat ? this.family.controls(table) : nothing}
          ${doubt(this)}${switches(this)}</div>` : nothing}
        ${over ? ending(this) : nothing}
      </div>
      ${over && customElements.get("dw-analysis") ? html`<dw-analysis .view=${view} .name=${this.name} @look=${(event) => (this.looking = event.detail)} @cover=${(event) => (this.covered = event.detail)}></dw-analysis>` : nothing}
      ${notes(this)}
    </section>`;
  }

  updated() {
    const { view, shown, resting } = this;
    if (view && !this.joining) titled(this.mine ? `Your turn: ${view.title}` : view.title);
    if (view) this.press.drawn([view.id, view.begun, view.actions.length > 0, shown, Boolean(resting), this.over, this.doubt?.action].join());
  }

  willUpdate(changed) {
    if (this.view && this.settled) this.stood = this.view;
    if (changed.has("gameId") && changed.get("gameId")) {
      // The same room, another game: begin anew.
      this.live?.close();
      Object.assign(this, { view: null, hint: null, shown: 0, analysed: false, error: null, sent: false, link: null, stood: null, tumbling: false, skipping: false, resting: null, looking: null, covered: false, offer: null, hintNote: null, hintAwaited: true, counted: ALL, held: null, doubt: null });
      this.sit();
    }
  }
}

customElements.define("dw-game", Game);
