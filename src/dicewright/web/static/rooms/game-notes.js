// Around the table: what is the matter, whose turn it is, the lives left, whether hints are shown; and, folded away until asked for, the
// rules, what happened, the fair dice, a link for watchers.
import { html, nothing } from "../vendor/lit.js";
import { picture, reach, recordLink } from "../lib/api.js";
import { announce, Room } from "../lib/element.js";
import { recall, remember, seatAt } from "../lib/memory.js";
import { capital, diceWords, index, number, other, progress, sentence, spoken } from "../lib/words.js";
import { ALL } from "./game-stage.js";

export function notice(game) {
  const [words, error] = matter(game);
  return words ? html`<p class="over-title ${error ? "error" : "notice"}" role=${error ? "alert" : "status"}>${words}</p>` : nothing;
}

// What is being prepared is told while somebody waits for it, and not to one who may move.
function matter({ seen: view, link, error, settled, name, mine }) {
  if (link === "lost") return ["Connection lost. Trying again; nothing is lost."];
  if (error) return [error, true];
  if (!settled || view.ended || !view.begun) return [];
  if (view.progress && !mine) return [`${capital(progress(view.progress, view.game, view.title, view.players))} …`];
  const away = view.players.findIndex((player, i) => !player.strategy && !player.here && i !== index(view.seat ?? ""));
  return view.seat && away >= 0 ? [`${capital(name(away ? "second" : "first"))} is not connected. The game waits.`] : [];
}

export function turnLine(game) {
  const { view, mover, settled, resting } = game;
  if (settled && !mover) return nothing;
  const words = resting ? "The round is over" : !mover ? (game.uncovered?.found === undefined ? "The dice are shown" : "The dice are counted") : mover === view.seat ? "Your turn" : `${capital(game.name(mover))} to move`;
  return html`<p class="turnline">${words}
    ${!settled && !resting ? html`<button class="link" type="button" @click=${() => game.skip()}>skip</button>` : nothing}</p>`;
}

const dots = (left, all) => html`<span class="dots" aria-hidden="true">${Array.from({ length: all }, (_, i) => html`<span class=${i < left ? "left" : "gone"}></span>`)}</span>`;

// In a game of rounds: the lives that are left to both when so many events have been shown; none goes before it is told why.
export function lives(view, count, { me, name, counted, settled }, told) {
  const all = view.layout.lives;
  if (!all) return nothing;
  const shown = view.events.slice(0, counted === ALL || !view.events[count - 1]?.scene.won ? count : count - 1);
  const last = shown.at(-1)?.scene;
  const left = last?.lives ?? [all, all];
  return html`<div class="lives" role="group" aria-label="Lives left">${[me, other(me)].map((seat) => html`<p class=${seat === me ? "mine" : "theirs"}>
    <span>${name(seat)}</span> ${dots(left[index(seat)], all)}<span class="unseen">${number(left[index(seat)])} left</span></p>`)}
    ${last?.won && !told && !(settled && !view.ended) ? html`<p class="won">${capital(spoken(view.says.wins, name(last.won)))}</p>` : nothing}</div>`;
}

// Why there is no hint yet, or none at all.
function whyNone({ hintAwaited, hintNote, view }) {
  if (hintAwaited) return "The hints are being worked out; they come by themselves.";
  const why = sentence(hintNote, view.game, view.title);
  return /hint/i.test(why) ? why : `No hints: ${why}`;
}

const choice = (name, usual, words, kept = [true, false]) => html`<label class="switch"><input type="checkbox" .checked=${recall(name, usual) === kept[0]}
  @change=${(event) => remember(name, kept[event.target.checked ? 0 : 1])}> ${words}</label>`;

// What a player may have otherwise: hints where the game has them, sound, the pace.
export const switches = (game) => html`<div class="switches">${game.regrets
  ? html`<button class="link" type="button" @click=${() => game.takeBack()}>Take back</button>` : nothing}${hintSwitch(game)}
  ${choice("sound", false, "Sound")}${choice("pace", 1, "No pauses", [0, 1])}</div>`;

function hintSwitch(game) {
  if (!game.view.hints || !game.view.seat) return nothing;
  return html`${game.hintNote && game.wantsHint ? html`<p class="quiet" role="status">${whyNone(game)}</p>` : nothing}<label class="switch"><input type="checkbox" .checked=${game.wantsHints} @change=${(event) => {
    game.wantsHints = event.target.checked;
    remember("show-hints", game.wantsHints);
    game.decide();
  }}> Show hints and chances</label>${tutorSwitch(game)}`;
}

export const USUAL_DOUBT = 0.02;
const DOUBTS = [0.01, USUAL_DOUBT, 0.05, 0.1, 0.2];

// The tutor, and the loss from which on it asks.
function tutorSwitch(game) {
  const above = recall("tutor-above", USUAL_DOUBT);
  const words = (share) => (game.view.unit === "points" ? `${100 * share} points` : `${100 * share} %`);
  return html`<span class="tutor"><label class="switch"><input type="checkbox" .checked=${game.wantsTutor} @change=${(event) => {
    game.wantsTutor = event.target.checked;
    remember("tutor", game.wantsTutor);
    game.decide();
  }}> Tutor: ask before I give away${game.wantsTutor ? nothing : " much"}</label>
    ${game.wantsTutor ? html`<select aria-label="What the tutor asks about" @change=${(event) => remember("tutor-above", Number(event.target.value))}>
      ${DOUBTS.map((share) => html`<option value=${share} ?selected=${share === above}>${words(share)} or more</option>`)}</select>` : nothing}</span>`;
}

// What the tutor asks, and the two answers.
export function doubt(game) {
  if (!game.doubt || game.doubt.ply !== game.view.ply || !game.mine) return nothing;
  const { action, loss } = game.doubt;
  const words = game.view.actions.find((one) => one.action === action)?.words ?? action;
  return html`<div class="doubt"><p role="alert"><strong>Sure?</strong> That gives away ${loss}.</p>
    <p class="go"><button class="main" type="button" data-decision="again" @click=${() => (game.doubt = null)}>Think again</button>
      <button class="plain" type="button" data-decision="sure" @click=${() => game.move(action)}>${capital(words)} anyway</button></p></div>`;
}

const teller = (event, seat) => (event.who === seat ? "mine" : event.who === "dice" ? "dice" : "theirs");

const log = ({ seen: view, name }) => html`<details class="fold log"><summary>What happened</summary>
  <ol class="events">${view.events.map((event) => html`<li class=${teller(event, view.seat)}>
    ${event.who === "dice" ? diceWords(event, view, name) : html`<strong>${name(event.who)}:</strong> ${event.words}`}</li>`)}</ol></details>`;

export function notes(game) {
  const { seen: view, gameId, place } = game;
  const roomy = matchMedia("(min-width: 64rem)").matches; // then the rules stand open beside the table
  return html`<aside class="notes" aria-label="About this game">
    ${view.players.map(({ learns, called }) => (learns ? html`<p class="quiet">${capital(called)}: ${learns}</p>` : nothing))}
    <details class="fold" ?open=${roomy}><summary>Rules</summary><ol>${view.rules.map((rule) => html`<li>${rule}</li>`)}</ol></details>
    ${log(game)}
    <dw-fair .view=${view} .promised=${seatAt(place)?.commitment} .sent=${view.seat ? seatAt(place)?.seed : null} .open=${!game.token}></dw-fair>
    ${view.begun && !view.ended && !game.token ? html`<details class="fold"><summary>Let others watch</summary>
      <dw-invite .link=${`${location.origin}/g/${gameId}`} label="Link for spectators; hidden dice stay hidden"></dw-invite></details>` : nothing}
  </aside>`;
}

// "Fair dice": what the commitment means, and the check once the secret is out.
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256(text) {
  const bytes = Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

class Fair extends Room {
  static properties = { view: { attribute: false }, promised: { attribute: false }, sent: { attribute: false }, open: { attribute: false }, kept: { state: true } };

  async willUpdate(changed) {
    const seed = this.view?.server_seed;
    if (changed.has("view") && seed && this.kept === undefined && crypto.subtle) {
      this.kept = null;
      this.kept = (await sha256(seed)) === (this.promised ?? this.view.commitment);
    }
  }

  // Whether this browser's own seed is in the players' seed: all of it against a strategy, its part of two people's.
  get used() {
    const { client_seed: all, players, seat } = this.view;
    if (!all || !this.sent || !seat) return null;
    if (players.some((player) => player.strategy)) return all === this.sent;
    return seat === "first" ? all.startsWith(`${this.sent}/`) : all.endsWith(`/${this.sent}`);
  }

  render() {
    const { view } = this;
    const line = (name, value) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`;
    return html`<details class="fold fair"><summary>Fair dice</summary>
      <p>Before the first roll the server drew a secret and showed its fingerprint (SHA-256). Your browser added a
        seed of its own. Both together fix every roll, so neither side can choose the dice.</p>
      <dl>${line("Fingerprint of the secret", view.commitment)}
        ${view.client_seed ? line("Seed of the players", view.client_seed) : nothing}
        ${view.server_seed ? line("The secret", view.server_seed) : nothing}</dl>
      ${this.used === true ? html`<p>The seed that this browser sent is in it.</p>`
        : this.used === false ? html`<p class="error" role="alert"><strong>The seed in this game is not the one this browser sent.</strong> Do not trust its dice.</p>` : nothing}
      ${view.server_seed
        ? html`<p>${this.kept === true ? html`<strong class="good">The secret matches its fingerprint</strong>, checked in this browser. `
            : this.kept === false ? html`<strong class="bad">The secret does not match its fingerprint.</strong> ` : nothing}
          ${this.open ? html`To check every roll, save the <a href=${recordLink(view.id, "text")} download>record</a> and run
          <code>dicewright verify-dice</code> on it.` : nothing}</p>`
        : html`<p>The secret is shown when the game has ended; then anyone can check every roll.</p>`}
    </details>`;
  }
}

customElements.define("dw-fair", Fair);

// Only this machine answers to these names.
const ALONE = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

// The link for a second person, with a button that copies it and a picture for the camera of a telephone. Where the page was
// opened by a name of this machine alone, it is the link that others reach, or it is said that nobody does.
class Invite extends Room {
  static properties = { link: {}, label: {}, copied: { state: true }, addresses: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.addresses = ALONE ? null : [];
    if (ALONE) reach().then(({ addresses }) => (this.addresses = addresses), () => (this.addresses = []));
  }

  get reached() {
    const [address] = this.addresses ?? [];
    return address ? this.link.replace(location.origin, address) : this.link;
  }

  async copy() {
    const field = this.querySelector("input");
    try {
      await navigator.clipboard.writeText(this.reached);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    this.copied = true;
    announce("Link copied.");
    setTimeout(() => (this.copied = false), 2500);
  }

  render() {
    return html`<div class="invite"><label>${this.label}
      <input readonly .value=${this.reached} @focus=${(event) => event.target.select()}></label>
      <button class="plain" type="button" @click=${this.copy}>${this.copied ? "Copied" : "Copy"}</button>
      ${ALONE && this.addresses?.length === 0
        ? html`<p class="quiet">This address works on this machine only. For telephones and others in your network, start the server with
          <code>dicewright serve --host 0.0.0.0</code>.</p>`
        : this.addresses ? html`<p class="quiet"><img class="qr" src=${picture(this.reached)} alt="The link as a QR code, for a camera"></p>` : nothing}</div>`;
  }
}

customElements.define("dw-invite", Invite);
