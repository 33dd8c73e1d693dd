// Fix my mistakes: the dearest decisions of a game once more, one by one; right or wrong at once, and why.
import { html, nothing } from "../vendor/lit.js";
import { announce, Room } from "../lib/element.js";
import { bound, capital, LEAST, lossOf, worthOf } from "../lib/words.js";

const MOST = 3; // decisions that come back
const MOST_OFFERED = 8; // choices that are offered at once
const PLAYED = 0.01; // the share from which on an action belongs to the optimal mix
const COSTLY = new Set(["inaccuracy", "mistake", "blunder"]);

// The decisions of a player that come back, dearest first.
export const toFix = ({ moments }, seat) =>
  moments.filter(({ who, judgement }) => who === seat && COSTLY.has(judgement)).sort((a, b) => b.loss - a.loss).slice(0, MOST);

// What is offered, in the order of the rules: everything, or the best, what was chosen, and others from low to high.
export function offered({ actions: all, best, choice }) {
  if (all.length <= MOST_OFFERED) return all;
  const kept = new Set([best, choice]);
  const rest = all.filter((action) => !kept.has(action));
  const room = MOST_OFFERED - kept.size;
  for (let n = 0; n < room; n += 1) kept.add(rest[Math.floor(((n + 0.5) * rest.length) / room)]);
  return all.filter((action) => kept.has(action));
}

// As good as the best, or part of what an optimal player does.
export const isRight = ({ worths, mix }, action) => Math.max(...Object.values(worths)) - worths[action] <= LEAST || (mix?.[action] ?? 0) >= PLAYED;

// What the best choice and another come to.
export function compared({ worths, doing, best }, other, unit) {
  const amount = (action) => worthOf(worths[action], unit);
  const verb = unit === "points" ? "gets" : "wins";
  return other === best ? `${capital(doing[best])} ${verb} ${amount(best)}.` : `${capital(doing[best])} ${verb} ${amount(best)}, ${doing[other]} ${amount(other)}.`;
}

class Fix extends Room {
  static properties = { doc: { attribute: false }, seat: { attribute: false }, at: { state: true }, answer: { state: true }, score: { state: true } };

  willUpdate(changed) {
    if (changed.has("doc")) [this.at, this.answer, this.score] = [null, null, 0];
  }

  get all() {
    return toFix(this.doc, this.seat);
  }

  // The board shows the moment as the player saw it; `null` is the end again.
  begin(at) {
    const moment = this.all[at];
    [this.at, this.answer] = [at, null];
    if (at === 0) this.score = 0;
    this.dispatchEvent(new CustomEvent("fixing", { detail: moment?.ply ?? null, bubbles: true }));
    this.focusOn(moment ? "h3" : "[data-fix=begin]");
  }

  choose(action) {
    if (this.answer !== null) return;
    this.answer = action;
    if (isRight(this.all[this.at], action)) this.score += 1;
    announce(this.verdict);
    this.focusOn("[data-fix=next]");
  }

  get verdict() {
    const { answer } = this;
    const { worths, doing, choice, why, loss } = this.all[this.at];
    const { unit } = this.doc;
    const told = compared(this.all[this.at], choice, unit);
    const lost = Math.max(...Object.values(worths)) - worths[answer];
    const head = isRight(this.all[this.at], answer) ? "Right."
      : answer === choice ? `That is what you did, and it gives away ${lossOf(loss, unit)}.` : `Not this one: ${doing[answer]} gives away ${lossOf(lost, unit)}.`;
    const then = why && answer !== choice ? `In the game, ${doing[choice]}: ${why}` : why; // it is the reason of what was done then
    return [head, told, then].filter(Boolean).join(" ");
  }

  render() {
    const { all, at, answer, score } = this;
    if (!all.length) return nothing;
    const moment = at === null ? null : all[at];
    if (!moment) {
      return html`<p class="go fix-begin">${at === null ? nothing : html`<span role="status"><strong>${score} of ${all.length} right.</strong></span>`}
        <button class="plain" type="button" data-fix="begin" @click=${() => this.begin(0)}>${at === null ? `Fix my mistakes (${all.length})` : "Once more"}</button></p>`;
    }
    const mark = (action) => (answer === null ? "" : isRight(moment, action) ? "right" : action === answer ? "wrong" : "");
    return html`<section class="fix" aria-label="Fix my mistakes">
      <h3 tabindex="-1">${at + 1} of ${all.length}: what do you do?</h3>
      <p>You see: ${moment.place}.</p>
      <div class="actions many">${offered(moment).map((action) => html`<button type="button" class="plain ${mark(action)}" data-fix=${action}
        aria-disabled=${answer === null ? "false" : "true"} @click=${() => this.choose(action)}>${capital(moment.words[action])}${mark(action) ? html`<span class="mark">${mark(action)}</span>` : nothing}</button>`)}</div>
      ${answer === null ? nothing : html`<p class="told ${isRight(moment, answer) ? "right" : "wrong"}">${bound(this.verdict)}</p>`}
      <p class="go">${answer === null ? nothing : html`<button class="main" type="button" data-fix="next" @click=${() => this.begin(at + 1)}>${at + 1 < all.length ? "Next" : "Done"}</button>`}
        <button class="link" type="button" @click=${() => this.begin(all.length)}>leave</button></p>
    </section>`;
  }
}

customElements.define("dw-fix", Fix);
