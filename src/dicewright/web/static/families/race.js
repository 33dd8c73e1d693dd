// Race games: rails, the turn's rolls on the table, Roll and Hold.
import { html, nothing } from "../vendor/lit.js";
import { capital, index, other, percent, scale } from "../lib/words.js";
import { blank, chip, die, tumbling } from "../parts/die.js";
import { rails } from "../parts/rails.js";
import { button, hinted } from "../parts/worth.js";
import { pig, STANDING } from "./race-pigs.js";

export const tumbles = true; // dice are seen to be rolled

const isDice = ({ who }) => who === "dice";

// The scores, the running turn and its rolls, and the turn before it.
export function scene(view, count) {
  const events = view.events.slice(0, count);
  const [earlier, last] = [-1, -1, ...events.flatMap(({ scene: { end } }, i) => (end ? [i] : []))].slice(-2);
  const before = last < 0 ? null : { who: events[last].of, rolls: events.slice(earlier + 1, last + 1).filter(isDice), end: events[last].scene.end };
  return { scores: [0, 0], turn: 0, mover: "first", ...events.at(-1)?.scene, rolls: events.slice(last + 1).filter(isDice), before };
}

// What a roll shows: the dice as they lie, or where nobody noted that the faces that are certain, a question mark for a die of which nothing is noted, or else the sum.
function result({ scene: { roll, dice, lie } }, { pigs }) {
  const bad = roll.bad ? "bad" : "";
  const faces = dice ?? roll.faces;
  if (dice) return html`<span class="throw ${bad}" role="img" aria-label=${lie}>${dice.map((face) => (pigs ? pig(face, bad) : die(face, bad, true)))}</span>`;
  if (faces.length) return html`<span class="throw ${bad}">${faces.map((face) => (face ? die(face, bad) : blank()))}</span>`;
  return chip(roll.label, bad, roll.note);
}

export function board(shown, table) {
  const { view, me, name } = table;
  const now = next(shown, table) ? { ...shown, scores: [0, 0], turn: 0, rolls: [], before: null, mover: view.to_move } : shown;
  const mover = view.ended && table.settled ? null : now.mover;
  const sides = [me, other(me)].map((seat) => ({
    name: name(seat),
    side: seat === me ? "mine" : "theirs",
    score: now.scores[index(seat)],
    riding: mover === seat ? now.turn : 0,
    turn: mover === seat,
  }));
  const { rolls, before } = now;
  const turn = rolls.length || table.rolling ? { who: now.mover, rolls } : before;
  return html`${rails(sides, view.position.goal)}
    <div class="felt ${before && turn === before && table.mine ? "past" : ""}">
      <div class="rolls ${crowd(turn?.rolls ?? [], view.layout, table.rolling)}" role="group" aria-label="Rolls on the table">
        ${turn?.rolls.map((event) => result(event, view.layout))}
        ${table.rolling ? html`<span class="throw">${Array.from({ length: view.layout.pigs ? 2 : table.rolling }, () => (view.layout.pigs ? pig(STANDING, "rolling") : tumbling()))}</span>` : nothing}
        ${!turn && !table.rolling ? html`<span class="quiet">${view.says.begins[table.mine ? 0 : 1]}</span>` : nothing}
      </div>
      <p class="sum">${turn && turn === before
        ? html`${capital(name(before.who))}: ${before.end}`
        : now.turn ? html`<strong>+${now.turn}</strong>` : html`&nbsp;`}</p>
    </div>
    ${view.chance && table.hints && !table.bare ? chance(table) : nothing}`;
}

// Whether a round of several has been won, and the next begins.
const next = ({ won }, { view, settled }) => won && settled && !view.ended;

// Many dice are drawn smaller, so that the table keeps its height and the buttons their place.
function crowd(rolls, { pigs }, rolling) {
  const width = rolls.reduce((sum, { scene: { roll, dice } }) => sum + (dice?.length || roll.faces.length || (roll.note ? 2 : 1)), rolling);
  return width > 15 ? "crowd" : width > (pigs ? 2 : 4) ? "many" : ""; // pigs are the larger
}

// The chances at the table as it is shown: those of a turn that is still being shown would give it away.
function chance({ chance: known, me, name }) {
  const of = (seat) => percent(known && (seat === "first" ? known.first : 1 - known.first));
  return html`<p class="chance"><span class="quiet">Chance of winning</span><span class="both">${[me, other(me)].map((seat) => html`<span>${name(seat)}
    <strong>${of(seat)}</strong></span>`)}</span></p>`;
}

export function controls(table) {
  const { view, mine } = table;
  const { buttons, question } = view.layout;
  if (question) return numbers(table);
  const two = buttons.length === 2;
  return html`<div class="actions ${two ? "two" : "many"}">
    ${buttons.map((one, i) => {
      const may = mine && view.actions.some(({ action }) => action === one.action) && !table.busy;
      const bank = mine && one.action === view.layout.banks && view.position.bank ? ` ${view.position.bank}` : "";
      return button(table, one, two ? `${i ? "second" : "main"} big` : "plain", may, bank);
    })}
  </div>`;
}

// How many dice.
function numbers(table) {
  const { mine, busy, act, view: { layout, unit } } = table;
  return html`<p class="ask" id="ask">${layout.question}</p>
    <div class="numbers" role="group" aria-labelledby="ask">${layout.buttons.map(({ action, words }) => html`<button class="cell" type="button"
      data-decision=${action} aria-disabled=${mine && !busy ? "false" : "true"} @click=${() => mine && !busy && act(action)}><span aria-hidden="true">${action}</span><span
      class="unseen">${capital(words)}</span>${hinted(table, action, true)}</button>`)}</div>
    ${table.hints ? html`<p class="plan short quiet">Under each number: ${scale(unit)}.</p>` : nothing}`;
}

// How it stands when a decision is asked, for those who listen; within a turn the last sentence is news enough.
export const asks = ({ position: { turn, ask } }, { told }) => (turn ? ask.at(-1) : told(["Your turn.", ...ask]));

export function outcome(view, { me }) {
  const [mine, theirs] = [view.position.scores[index(me)], view.position.scores[index(other(me))]];
  return { detail: `${mine} to ${theirs}.` };
}
