// Bluff: the cup opposite, the bids between as a conversation, your dice, and the grid of bids.
import { html, nothing } from "../vendor/lit.js";
import * as story from "../lib/story.js";
import { capital, face, index, number, other } from "../lib/words.js";
import { cup } from "../parts/cup.js";
import { die, hand } from "../parts/die.js";
import { place } from "../parts/place.js";
import { hinted, plan } from "../parts/worth.js";

const MOST_BIDS = 4;
const MOST_ROWS = 6; // of bids, then the grid scrolls by itself

export const scene = (view, count) => story.bluff(view, count);

const say = (bid, words) => {
  const said = story.readBid(bid);
  return said ? html`<span class="bid"><strong>${said.quantity}</strong><span class="times" aria-hidden="true">×</span>${die(said.face)}</span>`
    : html`<span class="bid"><strong>${capital((words ?? bid).replace("-", " "))}</strong></span>`;
};

function conversation(round, { me, name }) {
  if (!round.said.length) return html`<p class="quiet open">${capital(name(round.opener))} ${round.opener === me && name(me) === "you" ? "open" : "opens"}.</p>`;
  const earlier = round.said.slice(0, Math.max(0, round.said.length - MOST_BIDS));
  return html`${earlier.length ? html`<p class="earlier quiet">earlier: ${earlier.map((one) => one.bid.replace("x", "×")).join(", ")}</p>` : nothing}
    <ol class="talk" aria-label="Bids of this round">${round.said.slice(earlier.length).map((one, i, all) => html`<li
    class="${one.who === me ? "mine" : "theirs"} ${i === all.length - 1 ? "latest" : ""}">
    <span class="unseen">${name(one.who)}:</span>${say(one.bid)}</li>`)}</ol>`;
}

// counted: how many matching dice have been counted so far, in the order they lie.
function count(round, counted) {
  const { counts } = story.verdict(round);
  let seen = 0;
  const states = (faces) => faces.map((one) => (!counts(one) ? "dim" : (seen += 1) <= counted ? "match" : ""));
  return { first: states(round.hands.first), second: states(round.hands.second) };
}

export function board(rounds, table) {
  const { view, me, name } = table;
  const round = rounds.at(-1) ?? { hands: { first: [], second: [] }, said: [], opener: view.position.opener ?? "first", over: false };
  const past = round.over;
  const [mine, theirs] = [round.hands[me], round.hands[other(me)]];
  const { dice } = view.position;
  const counts = { [me]: mine.length || dice[index(me)], [other(me)]: theirs.length || dice[index(other(me))] };
  const states = past ? count(round, table.counted) : { first: [], second: [] };
  const seen = table.seat === null && !past && !table.bare ? [] : mine;
  const hidden = table.bare && !past; // shown now, but not seen then
  const note = (seat) => (hidden && round.hands[seat].length && seat !== table.seat ? "hidden then" : "");
  const dies = (seat) => `${number(counts[seat])} ${counts[seat] === 1 ? "die" : "dice"}`;
  const who = (seat, ...notes) => place(seat, table, notes);
  return html`<div class="across">
      ${who(other(me), dies(other(me)), note(other(me)))}
      ${cup(theirs, counts[other(me)], { label: name(other(me)), lifted: past || (hidden && theirs.length > 0), states: states[other(me)] })}
    </div>
    <div class="felt talkative">${conversation(round, table)}${past ? told(round, table) : round.wild
      ? html`<p class="wild quiet">${capital(face(round.wild, true))} are wild.</p>` : nothing}</div>
    <div class="near">
      ${seen.length ? hand(seen, states[me]) : cup(null, counts[me], { label: name(me) })}
      ${who(me, note(me))}
    </div>`;
}

function told(round, { name, counted }) {
  const { bid, found } = story.verdict(round);
  const all = counted >= found;
  const are = all ? found : counted;
  return html`<p class="verdict"><span class="tally">${are}</span>
    <span>${all ? verdictWords(round, { name }) : `counting ${face(bid.face, true)} …`}</span></p>`;
}

export function verdictWords(round, { name }) {
  const { bid, found, winner, word } = story.verdict(round);
  const wild = round.wild && round.wild !== bid.face ? `, wild ${face(round.wild, true)} counted` : "";
  const there = `There ${found === 1 ? "is" : "are"} ${number(found)} ${face(bid.face, found !== 1)}${wild}.`;
  const win = name(winner) === "you" ? "You win" : `${capital(name(winner))} wins`;
  return `${there} The bid was ${number(bid.quantity)}${word === "spot-on" ? ", spot on" : ""}. ${win} the round.`;
}

export function controls(table) {
  const { view, hint, act, mine, busy } = table;
  if (!mine) return nothing;
  const bids = view.actions.filter(({ action }) => story.readBid(action)).map((one) => ({ ...one, ...story.readBid(one.action) }));
  const ends = view.actions.filter(({ action }) => !story.readBid(action));
  const current = story.readBid(view.position.said?.at(-1)?.bid);
  const faces = Array.from({ length: view.position.sides }, (_, i) => i + 1).filter((one) => current?.face === one || bids.some((bid) => bid.face === one));
  const rows = [...new Set(bids.map((bid) => bid.quantity))].sort((a, b) => a - b);
  const worth = (action, small) => hinted(table, action, small);
  return html`<div class="bidding">
    ${bids.length ? html`<div class="bid-box ${view.position.sides > 6 ? "wide" : ""} ${rows.length > MOST_ROWS ? "tall" : ""}"><table class="bids" @keydown=${walk}>
      <caption class="unseen">Bids you may make: how many by which face. Arrow keys move, Enter bids.</caption>
      <thead><tr><td></td>${faces.map((one) => html`<th scope="col">${die(one)}</th>`)}</tr></thead>
      <tbody>${rows.map((quantity) => html`<tr><th scope="row"><span class="unseen">${number(quantity)} ${quantity === 1 ? "die" : "dice"}</span><span aria-hidden="true">${quantity}×</span></th>
        ${faces.map((one) => {
          const bid = bids.find((each) => each.quantity === quantity && each.face === one);
          const first = bid === bids[0];
          return html`<td>${bid ? html`<button type="button" class="cell" aria-disabled=${busy ? "true" : "false"} tabindex=${first ? "0" : "-1"}
            data-decision=${first ? "bid" : nothing} data-bid=${bid.action}
            @click=${() => !busy && act(bid.action)}><span>${quantity}×${one}</span><span class="unseen">: bid ${bid.words}</span>${worth(bid.action, true)}</button>`
            : current?.quantity === quantity && current.face === one ? html`<span class="cell current">${quantity}×${one}<span class="unseen">: the bid to beat</span></span>` : nothing}</td>`;
        })}</tr>`)}</tbody></table></div>` : nothing}
    ${ends.length ? html`<div class="actions ends">${ends.map(({ action, words }) => html`<button type="button"
      class="${action === "call" ? "second" : "plain"} big" data-decision=${action} aria-disabled=${busy ? "true" : "false"}
      aria-keyshortcuts=${action === "call" ? "C" : "S"} @click=${() => !busy && act(action)}>
      <span class="label">${action === "call" ? "Call" : action === "spot-on" ? "Spot on" : capital(words)}</span>
      <kbd aria-hidden="true">${action === "call" ? "C" : "S"}</kbd>${worth(action)}</button>`)}</div>` : nothing}
    ${table.hints ? html`<p class="plan quiet">${hint?.mix ? plan(hint) : nothing}</p>` : nothing}
  </div>`;
}

// Arrow keys walk over the grid; only one bid is in the tab order.
function walk(event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || !event.target.dataset.bid) return;
  event.preventDefault();
  const body = event.currentTarget.tBodies[0];
  let [column, row] = [event.target.parentElement.cellIndex, event.target.closest("tr").sectionRowIndex];
  for (;;) {
    column += step[0];
    row += step[1];
    const cell = body.rows[row]?.cells[column];
    if (!cell || column < 1) return;
    const button = cell.querySelector("button");
    if (!button) continue;
    for (const each of body.querySelectorAll("button")) each.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
    return;
  }
}

export const keys = { c: "call", s: "spot-on" };

// The dice of the round are told when it opens; they stay in sight.
export function asks({ position: { mine, said } }) {
  return said.length ? "Your turn." : `Your turn. Your dice: ${mine.map((one) => face(one)).join(", ")}.`;
}

export function outcome(view, { name }) {
  const rounds = story.bluff(view, view.events.length);
  const last = rounds.at(-1);
  return { detail: last?.over ? verdictWords(last, { name }) : "", told: true };
}
