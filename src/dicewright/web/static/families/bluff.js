// Bluff: the cup opposite, the bids between as a conversation, your dice, and the grid of bids.
import { html, nothing } from "../vendor/lit.js";
import { capital, face, index, number, other, spoken } from "../lib/words.js";
import { blank, cup, die, hand, place } from "../parts/die.js";
import { button, hinted, odds, planned } from "../parts/worth.js";

const MOST_BIDS = 4;
const MOST_ROWS = 6; // of bids, then the grid scrolls by itself

// The rounds so far: the hands of first and second ([] while hidden), what was said, and how each ended.
export function scene(view, count) {
  const rounds = [];
  for (const event of view.events.slice(0, count)) {
    if (!rounds.length || rounds.at(-1).end) rounds.push({ hands: { first: [], second: [] }, said: [] });
    const round = Object.assign(rounds.at(-1), event.scene);
    if (event.who === "dice") round.hands[event.of] = event.dice;
    else round.said.push(event);
  }
  return rounds;
}

const times = ([quantity, face]) => `${quantity}×${face}`;

const say = ({ cell, words }) => (cell ? html`<span class="bid"><strong>${cell[0]}</strong><span class="times" aria-hidden="true">×</span>${die(cell[1])}</span>`
  : html`<span class="bid"><strong>${capital(words)}</strong></span>`);

function conversation(round, { view, me, name }) {
  if (!round.said.length) return html`<p class="quiet open">${capital(spoken(view.says.opens, name(round.opener)))}</p>`;
  const earlier = round.said.slice(0, Math.max(0, round.said.length - MOST_BIDS));
  return html`${earlier.length ? html`<p class="earlier quiet">earlier: ${earlier.map(({ cell, words }) => (cell ? times(cell) : words)).join(", ")}</p>` : nothing}
    <ol class="talk" aria-label="Bids of this round">${round.said.slice(earlier.length).map((one, i, all) => html`<li
    class="${one.who === me ? "mine" : "theirs"} ${i === all.length - 1 ? "latest" : ""}">
    <span class="unseen">${name(one.who)}:</span>${say(one)}</li>`)}</ol>`;
}

// counted: how many matching dice have been counted so far, in the order they lie.
function count(round, counted) {
  let seen = 0;
  const states = (faces) => faces.map((one) => (!round.end.faces.includes(one) ? "dim" : (seen += 1) <= counted ? "match" : ""));
  return { first: states(round.hands.first), second: states(round.hands.second) };
}

export function board(rounds, table) {
  const { view, me, name } = table;
  const round = rounds.at(-1) ?? { hands: { first: [], second: [] }, said: [], opener: view.position.opener ?? "first" };
  const past = Boolean(round.end) && table.counted >= 0; // before that the cup is down
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
      ? html`<p class="wild quiet">${round.wild}</p>` : nothing}</div>
    <div class="near">
      ${seen.length ? hand(seen, states[me]) : cup(null, counts[me], { label: name(me) })}
      ${who(me, note(me))}
    </div>`;
}

function told({ end }, { view, name, counted }) {
  const all = counted >= end.found;
  return html`<p class="verdict"><span class="tally">${all ? end.found : counted}</span>
    <span>${all ? verdict(end, { view, name }) : spoken(view.says.counts, face(end.face, true))}</span></p>
    ${all && end.moved?.length ? html`<p class="moved" aria-hidden="true">${end.moved.map(({ dice }) => Array.from({ length: Math.abs(dice) }, () => blank(dice < 0 ? "gone" : "")))}</p>` : nothing}`;
}

export const reveals = ({ scene: { end } }) => end;

export const verdict = ({ words, winner, moved = [] }, { view, name }) =>
  [words, capital(spoken(view.says.wins, name(winner))), ...moved.map(({ who, words }) => capital(spoken(words, name(who))))].join(" ");

export function controls(table) {
  const { view, act, mine, busy } = table;
  if (!mine) return nothing;
  const cells = view.actions.filter(({ cell }) => cell).map((one) => ({ ...one, quantity: one.cell[0], face: one.cell[1] }));
  const ends = view.actions.filter(({ cell }) => !cell);
  const [most, latest] = view.position.said.at(-1)?.cell ?? [];
  const faces = Array.from({ length: view.position.sides }, (_, i) => i + 1).filter((one) => latest === one || cells.some((bid) => bid.face === one));
  const rows = [...new Set(cells.map((bid) => bid.quantity))].sort((a, b) => a - b);
  return html`<div class="bidding">
    ${cells.length ? html`<div class="bid-box ${view.position.sides > 6 ? "wide" : ""} ${rows.length > MOST_ROWS ? "tall" : ""}"><table class="bids" @keydown=${walk}>
      <caption class="unseen">Bids you may make: how many by which face. Arrow keys move, Enter bids.</caption>
      <thead><tr><td></td>${faces.map((one) => html`<th scope="col">${die(one)}</th>`)}</tr></thead>
      <tbody>${rows.map((quantity) => html`<tr><th scope="row"><span class="unseen">${number(quantity)} ${quantity === 1 ? "die" : "dice"}</span><span aria-hidden="true">${quantity}×</span></th>
        ${faces.map((one) => {
          const bid = cells.find((each) => each.quantity === quantity && each.face === one);
          const first = bid === cells[0];
          return html`<td>${bid ? html`<button type="button" class="cell" aria-disabled=${busy ? "true" : "false"} tabindex=${first ? "0" : "-1"}
            data-decision=${first ? "bid" : nothing} data-bid=${bid.action}
            @click=${() => !busy && act(bid.action)}><span>${quantity}×${one}</span><span class="unseen">: bid ${bid.words}</span>${hinted(table, bid.action, true)}${odds(table, bid.action)}</button>`
            : most === quantity && latest === one ? html`<span class="cell current">${quantity}×${one}<span class="unseen">: the bid to beat</span></span>` : nothing}</td>`;
        })}</tr>`)}</tbody></table></div>` : nothing}
    ${ends.length ? html`<div class="actions ends">${ends.map((one, i) => button(table, one, `${i ? "plain" : "second"} big`))}</div>` : nothing}
    ${planned(table)}
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

// The dice of the round are told when it opens; they stay in sight.
export const asks = ({ position: { said, ask } }, { told }) => told(["Your turn.", ...(said.length ? [] : ask)]);

export function outcome(view, table) {
  const end = scene(view, view.events.length).at(-1)?.end;
  return { detail: end ? verdict(end, table) : "", told: true };
}
