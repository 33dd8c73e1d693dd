// The analysis of a finished game: curve, three sentences, one moment at a time, try again here.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { announce, Room } from "../lib/element.js";
import { sitAt } from "../lib/memory.js";
import { bound, capital, diceWords, evened, index, LEAST, lossOf, other, percent, progress, rateOf, sentence, signed, worthOf } from "../lib/words.js";
import "../parts/curve.js";
import "./fix.js";
import { downloads } from "./game-ending.js";

const JUDGEMENTS = { best: "best", good: "good", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder", forced: "no choice", known: "" };
const CLEAN = 0.01, CLEAN_POINTS = 0.2; // what is lost by decisions in a game without a real mistake
const NOTABLE = 0.01; // the share of a choice that an optimal player is said to make
const MOST_ROWS = 8, TOP_ROWS = 6;

class Analysis extends Room {
  static properties = {
    view: { attribute: false }, name: { attribute: false }, doc: { state: true }, progress: { state: true },
    error: { state: true }, ply: { state: true }, busy: { state: true }, fixing: { state: true },
  };

  connectedCallback() {
    super.connectedCallback();
    this.aborter = new AbortController();
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.aborter.abort();
  }

  updated(changed) {
    if (changed.has("view") && changed.get("view") && changed.get("view").id !== this.view.id) {
      this.doc = null;
      this.load();
    }
  }

  async load() {
    const { id } = this.view;
    try {
      const doc = await api.analysis(id, { signal: this.aborter.signal, working: (progress) => (this.progress = progress) });
      if (id !== this.view.id) return;
      this.doc = doc;
      this.stand();
      announce(this.sentences.join(" "));
    } catch (error) {
      if (error.name !== "AbortError") this.error = sentence(error.message, this.view.game, this.view.title);
    }
  }

  get me() {
    return this.view.seat ?? "first";
  }

  get whose() {
    return this.view.seat ? "your" : `${this.name(this.me)}’s`;
  }

  // To a player the server's own sentences, positions in words; about players to whoever watched.
  get sentences() {
    const { seat, players } = this.view;
    if (seat) {
      const found = this.doc.figures?.[index(seat)] ?? {};
      const moment = this.costliest(found);
      const [lost, decision, ...more] = found.sentences ?? [];
      const told = [lost, decision && moment ? this.costliestWords(moment) : decision, ...more].filter(Boolean);
      return told.map((one) => one.replace(/-(?=\d+\.\d\d points)/g, "−"));
    }
    const people = ["first", "second"].filter((one) => !players[index(one)].strategy);
    return (people.length ? people : ["first", "second"]).flatMap((one) => this.about(one));
  }

  // The decision of a player that lost most, if any lost something.
  costliest({ dearest_ply: ply }) {
    const moment = this.doc.moments[ply];
    return moment?.loss > LEAST ? moment : null;
  }

  // Said in the place of the server's second sentence: where it was, and what would have been better.
  costliestWords(moment) {
    const { choice, best, doing, worths = {} } = moment;
    const better = best && best !== choice && worths[best] !== undefined && worths[choice] !== undefined
      ? ` Better was ${doing[best]}: ${this.amount(worths[best])} instead of ${this.amount(worths[choice])}.` : "";
    return `Your costliest decision: ${moment.decision}.${better}${moment.why ? ` ${moment.why}` : ""}`;
  }

  // Why the game went as it did, in one line: decisions against dice.
  get why() {
    const { seat, payoff } = this.view;
    const figures = seat && this.doc.figures;
    if (!figures) return seat ? "Your game" : "The game";
    const [own, their] = [figures[index(seat)], figures[index(other(seat))]];
    const luck = own.luck + own.hidden_luck;
    const hidden = Math.abs(own.hidden_luck) > Math.abs(own.luck); // what was hidden did more than the dice
    const won = (seat === "first" ? payoff : -payoff) > 0;
    const clean = own.loss < (this.forPoints ? CLEAN_POINTS : CLEAN);
    const decided = hidden ? "what you could not see decided" : "the dice decided";
    if (!payoff) return "Your game";
    if (!own.decisions) return won && luck < their.loss ? "The other player’s mistakes decided." : `${capital(decided)}.`;
    if (won && clean) return luck > their.loss ? `Well played, and ${hidden ? "you guessed well" : "the dice were kind"}.` : "You won by good play.";
    if (won && luck > their.loss) return hidden ? "Luck in what you could not see won this one." : "The dice won this one for you.";
    if (won) return own.loss < their.loss ? "Your mistakes were the smaller ones." : "You won in spite of your mistakes.";
    return clean ? `You played well; ${decided}.` : own.loss >= -luck ? "Your decisions cost you this game."
      : hidden ? "What you could not see cost most, but there was something to gain." : "Mostly bad luck, but there was something to gain.";
  }

  about(seat) {
    const found = this.doc.figures?.[index(seat)];
    if (!found?.sentences?.length) return [];
    const name = this.name(seat);
    const moment = this.costliest(found);
    const verb = this.forPoints ? "get" : "win";
    return [
      ...(found.decisions ? [`${capital(name)} gave away ${rateOf(found.error_rate, this.doc.unit)} a decision.`] : []),
      moment ? `${capital(name)}’s costliest decision: ${moment.decision}.`
        : found.decisions ? `None of ${name}’s decisions lost anything.` : `${capital(name)} had nothing to decide.`,
      `Optimal players ${verb} ${this.amount(found.start)} from the ${seat} seat.`,
    ];
  }

  where(moment) {
    return moment.place;
  }

  get hides() {
    return this.doc.secret !== null;
  }

  // A number of FIRST's seen from the person's seat.
  own(chance) {
    if (chance === null || this.me === "first") return chance;
    return this.doc.unit === "points" ? -chance : 1 - chance;
  }

  favour(luck) {
    return this.me === "first" ? luck : -luck;
  }

  get forPoints() {
    return this.doc.unit === "points";
  }

  get chanceWord() {
    return this.forPoints ? "prospects" : "chance";
  }

  // A chance or points that stand; what a decision lost; what luck gave or took.
  amount(value) {
    return worthOf(value, this.doc.unit);
  }

  loss(value) {
    return lossOf(value, this.doc.unit);
  }

  swing(value) {
    return this.forPoints ? worthOf(value, "points") : `${signed(value)} %`;
  }

  // The moment that the address names, so that it can be linked and come back to; else the end.
  stand() {
    const [, asked] = /^#ply=(\d{1,5})$/.exec(location.hash) ?? [];
    const end = this.doc.chances.length;
    if (asked === undefined || Number(asked) >= end) this.ply = end;
    else this.pick(Number(asked));
  }

  pick(ply) {
    this.ply = ply;
    history.replaceState(null, "", ply === this.doc.chances.length ? location.pathname : `#ply=${ply}`);
    this.dispatchEvent(new CustomEvent("look", { detail: ply === this.doc.chances.length ? null : ply, bubbles: true }));
  }

  // A decision is made again: the board stands there as its player saw it, and nothing else tells what was best.
  fix(ply) {
    this.fixing = ply !== null;
    this.dispatchEvent(new CustomEvent("look", { detail: ply, bubbles: true }));
    this.dispatchEvent(new CustomEvent("cover", { detail: this.fixing, bubbles: true }));
    if (ply === null) this.ply = this.doc.chances.length;
  }

  get mistakes() {
    const mine = (moment) => !this.view.seat || moment.who === this.me;
    return this.doc.moments.filter((moment) => moment.loss > LEAST && mine(moment));
  }

  // The next mistake, or the one before. A button without one is only said to be disabled: it keeps the focus.
  mistake(direction) {
    return direction > 0 ? this.mistakes.find(({ ply }) => ply > this.ply) : this.mistakes.findLast(({ ply }) => ply < this.ply);
  }

  hop(direction) {
    const found = this.mistake(direction);
    if (found) this.pick(found.ply);
  }

  words(ply) {
    const moment = this.doc.moments[ply];
    if (!moment) return `the end, ${this.amount(this.own(this.doc.chances.at(-1) ?? this.doc.start))}`;
    const event = this.view.events.find((one) => one.ply === ply);
    const cost = moment.loss > LEAST ? `, loses ${this.loss(moment.loss)}` : "";
    return `${this.did(moment, event)}; ${this.chanceWord} ${this.amount(this.own(moment.before))}${cost}`;
  }

  // What happened at a moment, and who did it or whose dice it were.
  did({ who, choice }, event) {
    if (who === "dice") return event && this.hides ? diceWords(event, this.view, this.name) : `the dice: ${event?.words ?? choice}`;
    return `${this.name(who)}: ${event?.words ?? choice}`;
  }

  async tryAgain(ply) {
    this.busy = true;
    try {
      const made = await api.again(this.view.id, ply, this.view.hints);
      sitAt(made.id, { token: made.token, seat: made.seat, commitment: made.commitment });
      go(`/g/${made.id}`);
    } catch (error) {
      this.error = error.message;
    }
    this.busy = false;
  }

  moment() {
    const { doc } = this;
    const moment = doc.moments[this.ply];
    if (!moment) {
      return html`<div class="moment"><p class="quiet">Step back with the slider, the arrow keys, or tap a dot: blue dots are
        ${this.whose} decisions that lost something, orange ones are ${this.name(other(this.me))}’s. The larger, the costlier.</p></div>`;
    }
    const event = this.view.events.find((one) => one.ply === moment.ply);
    const dice = moment.who === "dice";
    const { hides } = this;
    const luck = this.favour(moment.luck + moment.hidden_luck);
    const often = (action) => moment.mix?.[action] ?? 0;
    const fine = (worth) => Math.round(worth / LEAST);
    const rows = Object.entries(moment.worths ?? {}).sort(([a, one], [b, two]) => fine(two) - fine(one) || often(b) - often(a));
    const shown = rows.length > MOST_ROWS ? rows.filter(([action], i) => i < TOP_ROWS || action === moment.choice || often(action) > NOTABLE) : rows;
    return html`<div class="moment">
      <h3>${capital(this.did(moment, event))}</h3>
      ${moment.view ? html`<p class="quiet">${hides ? html`${capital(this.name(moment.who))} could know: ` : nothing}${moment.place}</p>` : nothing}
      ${hides && rows.length ? nothing : this.standing(moment, luck)}
      ${rows.length ? html`<table class="worths ${hides ? "hides" : ""}"><caption class="unseen">What each choice was worth to ${this.name(moment.who)}</caption>
        <thead><tr><th scope="col">Choice</th><th scope="col">${this.forPoints ? "Points" : "Wins"}</th><th scope="col"><span class="unseen">bar</span></th>
          ${hides ? html`<th scope="col">${moment.off ? "Strong" : "Optimal"} player</th>` : nothing}<th scope="col"><span class="unseen">note</span></th></tr></thead>
        <tbody>${shown.map(([action, worth]) => html`<tr class="${action === moment.choice ? "chosen" : ""}">
          <th scope="row">${capital(moment.words[action])}</th><td class="number">${this.amount(worth).replace(" points", "")}</td>
          <td class="bar">${doc.unit === "points" ? nothing : html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"></rect><rect class="fill" width=${100 * worth} height="8"></rect></svg>`}</td>
          ${hides ? html`<td class="number often">${often(action) > 0.0005 ? percent(often(action)) : "never"}</td>` : nothing}
          <td class="note">${[action === moment.best ? "best" : "", action === moment.choice ? "chosen" : ""].filter(Boolean).join(", ")}</td></tr>`)}</tbody></table>` : nothing}
      ${moment.note ? html`<p class="quiet">${moment.note}</p>` : nothing}
      ${moment.loss > LEAST ? html`<p><strong class="cost ${moment.judgement}">${capital(JUDGEMENTS[moment.judgement] ?? "")}</strong>: ${this.name(moment.who)} lost ${moment.off ? "about " : ""}${bound(this.loss(moment.loss))}${moment.off ? bound(` (± ${this.loss(moment.off)})`) : ""} here. ${bound(moment.why)}</p>` : nothing}
      ${hides && rows.length ? this.standing(moment, luck) : nothing}
      ${!dice && this.view.seat && moment.who === this.me && !(moment.judgement === "forced" && moment.ply === doc.moments.length - 1) ? html`<p class="go"><button class="main" type="button" ?disabled=${this.busy}
        @click=${() => this.tryAgain(moment.ply)}>Try again here</button>${this.mapLink(moment)}</p>` : nothing}
    </div>`;
  }

  // Where the game stood before and after; with hidden dice this is more than anybody at the table knew.
  standing(moment, luck) {
    return html`<p class="quiet">${this.hides ? `With all dice known: ${this.whose}` : capital(this.whose)} ${this.chanceWord}
      ${bound(`${this.amount(this.own(moment.before))} → ${this.amount(this.own(moment.after))}`)}${Math.abs(luck) > LEAST && !this.hides ? html` · luck ${this.swing(luck)}` : nothing}</p>`;
  }

  // The same place as the optimal player sees it.
  mapLink({ spot }) {
    return spot ? html`<a class="button" href="/explore?${new URLSearchParams({ game: this.view.game, ...spot })}">${spot.view === "map" ? "See it on the map" : "See what each hand does"}</a>` : nothing;
  }

  figures() {
    const rolls = this.doc.moments.filter(({ who }) => who === "dice").length;
    const decided = this.doc.figures.reduce((sum, { decisions }) => sum + decisions, 0);
    const each = (luck, count) => (count ? this.swing(luck / count) : "–");
    const rows = [
      ["Decisions", (one) => one.decisions],
      ["Lost per decision", (one) => rateOf(one.error_rate, this.doc.unit)],
      ["as an estimate, between", (one) => one.between?.map((each) => rateOf(each, this.doc.unit)).join(" and ")],
      ["Accuracy", (one) => (one.decisions ? one.accuracy.toFixed(1) : "-")],
      ["Luck of the dice, a roll", (one) => each(one.luck, rolls)],
      ["Luck in what was hidden, a decision", (one) => (this.hides ? each(one.hidden_luck, decided) : null)],
      ["Result with average luck", (one) => evened(one.adjusted, this.doc.unit)],
      ...Object.entries(this.doc.captions).map(([key, words]) => [capital(words), (one) => one.talk?.[key]]),
    ];
    const sides = [this.me, other(this.me)];
    const seen = rows.map(([label, cell]) => [label, sides.map((seat) => cell(this.doc.figures[index(seat)]))])
      .filter(([, cells]) => cells.every((cell) => cell !== undefined && cell !== null));
    return html`<table class="figures"><caption class="unseen">Figures of both players</caption>
      <thead><tr><td></td>${sides.map((seat) => html`<th scope="col">${this.name(seat)}</th>`)}</tr></thead>
      <tbody>${seen.map(([label, cells]) => html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>`)}</tbody></table>`;
  }

  decisions() {
    const moments = this.doc.moments.filter((moment) => moment.who !== "dice" && moment.judgement !== "forced" && moment.judgement !== "known");
    return html`<details class="fold"><summary>All decisions</summary><div class="wide" tabindex="0" role="region" aria-label="All decisions"><table class="decisions">
      <thead><tr><th scope="col">Who</th><th scope="col">Position</th><th scope="col">Chose</th><th scope="col">Best</th><th scope="col">${capital(this.chanceWord)}</th><th scope="col">Lost</th><th scope="col">Judgement</th></tr></thead>
      <tbody>${moments.map((moment) => html`<tr class=${moment.ply === this.ply ? "chosen" : ""}><td>${this.name(moment.who)}</td>
        <td><button class="link" type="button" @click=${() => this.pick(moment.ply)} aria-label="Stand at ${this.where(moment)}">${this.where(moment)}</button></td>
        <td>${moment.words[moment.choice]}</td><td>${moment.words[moment.best]}</td><td class="number">${this.amount(moment.who === "first" ? moment.before : this.forPoints ? -moment.before : 1 - moment.before)}</td>
        <td class="number">${moment.loss > LEAST ? this.loss(moment.loss) : "–"}</td><td>${JUDGEMENTS[moment.judgement]}</td></tr>`)}</tbody></table></div></details>`;
  }

  certificate() {
    const { certificate } = this.doc;
    if (!certificate) return nothing;
    return html`<details class="fold"><summary>How sure are these numbers?</summary><p>The value of the game to the first player lies between
      <code>${certificate.lower}</code> and <code>${certificate.upper}</code> (${this.doc.unit === "points" ? "points" : "win = 1, loss = −1"})${certificate.proved ? ", proved" : ""}.
      ${certificate.proved ? "The bounds come from exact best responses, worked out by other code than the solution." : ""}</p></details>`;
  }

  render() {
    if (this.error && !this.doc) return html`<section class="analysis"><h2>Analysis</h2><p class="notice" role="status">${this.error}</p>${downloads(this.view.id)}</section>`;
    if (!this.doc) return html`<section class="analysis"><h2>Analysis</h2><p class="working" role="status">${capital(this.progress ? progress(this.progress, this.view.game, this.view.title) : "working out what each decision was worth")} …</p></section>`;
    return html`<section class="analysis" aria-label="Analysis">
      ${this.view.seat ? html`<dw-fix .doc=${this.doc} .seat=${this.me} @fixing=${(event) => this.fix(event.detail)}></dw-fix>` : nothing}
      ${this.fixing ? nothing : this.whole()}</section>`;
  }

  whole() {
    const { doc } = this;
    const chances = [doc.start, ...doc.chances].map((chance) => this.own(chance));
    const marks = doc.moments.filter((moment) => moment.loss > LEAST)
      .map((moment) => ({ ply: moment.ply, at: this.own(moment.before), loss: moment.loss, own: moment.who === this.me }));
    const luck = doc.moments.map((moment) => ({ ply: moment.ply, luck: this.favour(moment.luck + moment.hidden_luck) })).filter((one) => Math.abs(one.luck) > 1e-6);
    const count = this.mistakes.length;
    return html`<h2>${this.why}</h2>
      <p class="summary">${bound(this.sentences.join(" "))}</p>
      <p class="axis-name quiet">${capital(this.whose)} ${doc.unit === "points" ? "prospects, in points" : "chance of winning, in %"}</p>
      ${this.hides ? html`<p class="axis-name">The curve knows ${doc.secret}; a decision is judged by what its player could know.</p>` : nothing}
      <dw-curve .chances=${chances} .marks=${marks} .luck=${luck} .ply=${this.ply} .unit=${doc.unit} .say=${(ply) => this.words(ply)} @pick=${(event) => this.pick(event.detail)}></dw-curve>
      ${count ? html`<p class="hops" role="group" aria-label="Mistakes"><span class="quiet" aria-hidden="true">Mistakes:</span>
        <button class="plain" type="button" aria-disabled=${this.mistake(-1) ? "false" : "true"} @click=${() => this.hop(-1)}>Previous</button>
        <button class="plain" type="button" aria-disabled=${this.mistake(1) ? "false" : "true"} @click=${() => this.hop(1)}>Next</button>
        <button class="plain" type="button" @click=${() => this.pick(this.mistakes.reduce((a, b) => (b.loss > a.loss ? b : a)).ply)}>Costliest</button></p>` : nothing}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      <div class="columns">${this.moment()}${doc.figures ? this.figures() : nothing}</div>
      ${this.decisions()}${this.certificate()}${downloads(this.view.id)}`;
  }
}

customElements.define("dw-analysis", Analysis);
