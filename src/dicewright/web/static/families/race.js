// Race games: rails, the turn's rolls on the table, Roll and Hold.
import { html, nothing } from "../vendor/lit.js";
import * as story from "../lib/story.js";
import { capital, index, number, other, percent, readGame, scale } from "../lib/words.js";
import { blank, chip, die } from "../parts/die.js";
import { rails } from "../parts/rails.js";
import { hinted } from "../parts/worth.js";

const HOW = { bust: "nothing gained", ruin: "everything lost", bank: "banked", hold: "held" };
const KEYS = { roll: "R", hold: "H" };

export const scene = (view, count) =>
  story.tellsAll(view) || count < view.events.length ? story.race(view, count) : null;

// What a roll shows: the faces that are certain, a question mark for a die of which nothing is noted, or else the sum.
function result(event, state, { count, faces }) {
  const bad = event.choice === "bust" || event.choice === "ruin" ? "bad" : "";
  if (faces.length) return html`<span class="throw ${bad}">${faces.map((face) => (face ? die(face, `${state} ${bad}`) : blank(state)))}</span>`;
  const note = count > 1 ? `${number(count)} dice` : "";
  return chip(bad ? event.choice : event.choice.replace(/^(bank|\+)/, note ? "" : "+"), `${state} ${bad}`, note);
}

const isHog = (game) => readGame(game).name === "hog";

// Hog only: the number of dice was chosen; a bust has a one among them, and the lowest and the highest sum leave no doubt.
function certain({ choice }, count) {
  if (!count) return [];
  if (choice === "bust") return [1, ...Array(count - 1).fill(0)];
  const sum = Number(choice.replace(/\D/g, ""));
  return sum === 2 * count || sum === 6 * count ? Array(count).fill(sum / count) : count === 1 ? [sum] : [];
}

const TWO = /^(two-dice-pig|big-pig)\b/;

// How many dice were rolled, if that is known: chosen by the player, or two by the rules.
const diceOf = (view, { ply }) => {
  const before = view.events.find((one) => one.ply === ply - 1);
  return /^\d+$/.test(before?.choice ?? "") ? Number(before.choice) : TWO.test(view.game) ? 2 : 0;
};

// What is known of a roll: how many dice, and the faces that the server tells or that Hog's rules leave no doubt of.
function thrown(view, event) {
  const count = diceOf(view, event);
  return { count, faces: event.dice.length ? event.dice : isHog(view.game) ? certain(event, count) : [] };
}

// table.prior: the scene before the dice that are tumbling now, if any are.
export function board(now, table) {
  const { view, me, name, prior } = table;
  const position = now ?? { ...view.position, mover: view.to_move ?? "first", rolls: [], before: null };
  const numbers = prior ?? position; // while dice tumble the numbers are those before them
  const mover = view.ended && table.settled ? null : numbers.mover;
  const sides = [me, other(me)].map((seat) => ({
    name: name(seat),
    side: seat === me ? "mine" : "theirs",
    score: numbers.scores[index(seat)],
    riding: mover === seat ? numbers.turn : 0,
    turn: mover === seat,
  }));
  const { rolls, before } = position;
  const shown = rolls.length || table.rolling ? { who: position.mover, rolls } : before;
  const throws = shown?.rolls.map((event) => thrown(view, event)) ?? [];
  return html`${rails(sides, view.position.goal)}
    <div class="felt ${!prior && before && shown === before && table.mine ? "past" : ""}">
      <div class="rolls ${crowd(throws)}" role="group" aria-label="Rolls on the table">
        ${shown?.rolls.map((event, i) => result(event, table.tumbling && i === shown.rolls.length - 1 ? "rolling" : "", throws[i]))}
        ${table.rolling ? die(3, "rolling waiting", true) : nothing}
        ${!shown && !table.rolling ? html`<span class="quiet">${table.mine ? "Roll to begin." : "No roll yet."}</span>` : nothing}
      </div>
      <p class="sum">${prior ? (prior.turn ? html`<strong>+${prior.turn}</strong>` : html`&nbsp;`) : shown && shown === before
        ? html`${capital(name(before.who))}: ${HOW[before.how]}${["hold", "bank"].includes(before.how) ? ` ${gained(before)}` : ""}`
        : position.turn ? html`<strong>+${position.turn}</strong>` : html`&nbsp;`}</p>
    </div>
    ${(view.chance || table.chance) && table.hints && !table.bare ? chance(table) : nothing}`;
}

// Many dice are drawn smaller, so that the table keeps its height and the buttons their place.
function crowd(throws) {
  const width = throws.reduce((sum, { count, faces }) => sum + (faces.length || (count > 1 ? 2 : 1)), 0);
  return width > 15 ? "crowd" : width > 4 ? "many" : "";
}

const gained = ({ rolls }) => `+${rolls.reduce((sum, { choice }) => sum + Number(choice.replace(/\D/g, "") || 0), 0)}`;

// The chances at the table as it is shown: those of a turn that is still being shown would give it away.
function chance({ chance: known, me, name }) {
  const of = (seat) => percent(known && (seat === "first" ? known.first : 1 - known.first));
  return html`<p class="chance"><span class="quiet">Chance of winning</span><span class="both">${[me, other(me)].map((seat) => html`<span>${name(seat)}
    <strong>${of(seat)}</strong></span>`)}</span></p>`;
}

export function controls(table) {
  const { view, act, mine } = table;
  const known = mine ? view.actions.map((one) => one.action) : usualOf(view.game);
  if (known.every((action) => /^\d+$/.test(action))) return numbers(known, table);
  const plain = known.every((action) => action in KEYS);
  const usual = plain ? ["roll", "hold"] : known;
  const worth = (action) => hinted(table, action);
  return html`<div class="actions ${plain ? "two" : "many"}">
    ${usual.map((action) => {
      const may = mine && known.includes(action) && !table.busy;
      const { words } = view.actions.find((one) => one.action === action) ?? {};
      const bank = action === "hold" && mine ? view.position.scores[index(table.me)] + view.position.turn : null;
      const label = action === "roll" ? "Roll" : action === "hold" ? (bank && view.position.turn ? `Hold ${bank}` : "Hold") : capital(words ?? action);
      return html`<button class=${action === "hold" ? "second big" : plain ? "main big" : "plain"} type="button"
        data-decision=${action} aria-disabled=${may ? "false" : "true"} aria-keyshortcuts=${KEYS[action] ?? nothing}
        @click=${() => may && act(action)}><span class="label">${label}</span>
        ${KEYS[action] ? html`<kbd aria-hidden="true">${KEYS[action]}</kbd>` : nothing}${worth(action)}</button>`;
    })}
  </div>`;
}

// What may be done at most turns of this game; the buttons keep their place while the other player moves.
function usualOf(game) {
  return isHog(game) ? Array.from({ length: Number(readGame(game).values.dice ?? 10) }, (_, i) => String(i + 1)) : ["roll", "hold"];
}

// Hog: how many dice.
function numbers(known, table) {
  const { mine, busy, act } = table;
  return html`<p class="ask" id="ask">How many dice do you roll?</p>
    <div class="numbers" role="group" aria-labelledby="ask">${known.map((action) => html`<button class="cell" type="button"
      data-decision=${action} aria-disabled=${mine && !busy ? "false" : "true"} @click=${() => mine && !busy && act(action)}><span><span class="unseen">Roll </span>${action}<span
      class="unseen"> ${action === "1" ? "die" : "dice"}</span></span>${hinted(table, action, true)}</button>`)}</div>
    ${table.hints ? html`<p class="plan short quiet">Under each number: ${scale(table.view.unit)}.</p>` : nothing}`;
}

export const keys = { r: "roll", h: "hold" };

// How it stands when a decision is asked, for those who listen.
export function asks({ position: { scores, turn } }, { me, name }) {
  return turn ? `Turn total ${turn}.` : `Your turn. You have ${scores[index(me)]}, ${name(other(me))} has ${scores[index(other(me))]}.`;
}

export function outcome(view, { me }) {
  const [mine, theirs] = [view.position.scores[index(me)], view.position.scores[index(other(me))]];
  return { detail: `${mine} to ${theirs}.` };
}
