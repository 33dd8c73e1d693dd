// Race games: rails, the turn's rolls on the table, Roll and Hold.
import { html, nothing } from "../vendor/lit.js";
import * as story from "../lib/story.js";
import { capital, index, other, percent, worthOf } from "../lib/words.js";
import { chip, die } from "../parts/die.js";
import { rails } from "../parts/rails.js";

const HOW = { bust: "nothing gained", ruin: "everything lost", bank: "banked", hold: "held" };
const KEYS = { roll: "R", hold: "H" };

export const scene = (view, count) =>
  story.tellsAll(view) || count < view.events.length ? story.race(view, count) : null;

function result(event, state) {
  const bad = event.choice === "bust" || event.choice === "ruin" ? "bad" : "";
  if (event.dice.length) return event.dice.map((face) => die(face, `${state} ${bad}`));
  return chip(bad ? event.choice : event.choice.replace("bank", "+"), `${state} ${bad}`);
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
  return html`${rails(sides, view.position.goal)}
    <div class="felt ${!prior && before && shown === before && table.mine ? "past" : ""}">
      <div class="rolls ${crowd(shown)}" role="group" aria-label="Rolls on the table">
        ${shown?.rolls.map((event, i) => result(event, table.tumbling && i === shown.rolls.length - 1 ? "rolling" : ""))}
        ${table.rolling ? die(3, "rolling waiting", true) : nothing}
        ${!shown && !table.rolling ? html`<span class="quiet">The table is empty.</span>` : nothing}
      </div>
      <p class="sum">${prior ? (prior.turn ? html`<strong>+${prior.turn}</strong>` : html`&nbsp;`) : shown && shown === before
        ? html`${capital(name(before.who))}: ${HOW[before.how]}${before.how === "hold" ? ` ${gained(before)}` : ""}`
        : position.turn ? html`<strong>+${position.turn}</strong>` : html`&nbsp;`}</p>
    </div>
    ${view.chance && table.hints && !view.ended ? chance(view, table) : nothing}`;
}

// Many dice are drawn smaller, so that the table keeps its height and the buttons their place.
function crowd(shown) {
  const count = shown?.rolls.reduce((sum, { dice }) => sum + Math.max(1, dice.length), 0) ?? 0;
  return count > 15 ? "crowd" : count > 4 ? "many" : "";
}

const gained = ({ rolls }) => `+${rolls.reduce((sum, { choice }) => sum + Number(choice.replace(/\D/g, "") || 0), 0)}`;

function chance(view, { me, name }) {
  const mine = me === "first" ? view.chance.first : 1 - view.chance.first;
  return html`<p class="chance"><span class="quiet">Chance of winning</span>
    <span>${name(me)} <strong>${percent(mine)}</strong></span><span>${name(other(me))} <strong>${percent(1 - mine)}</strong></span></p>`;
}

export function controls(table) {
  const { view, hint, act, mine } = table;
  const known = mine ? view.actions.map((one) => one.action) : table.usual ?? ["roll", "hold"];
  const plain = known.every((action) => action in KEYS);
  const usual = plain ? ["roll", "hold"] : known;
  const worth = (action) => (table.hints && hint?.worth[action] !== undefined
    ? html`<span class="worth ${hint.best === action ? "best" : ""}">${worthOf(hint.worth[action], hint.unit)}${hint.best === action
        ? html`<span class="unseen">, best</span>` : nothing}</span>`
    : table.hints ? html`<span class="worth">&nbsp;</span>` : nothing);
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

export const keys = { r: "roll", h: "hold" };

export function outcome(view, { me }) {
  const [mine, theirs] = [view.position.scores[index(me)], view.position.scores[index(other(me))]];
  return { detail: `${mine} to ${theirs}.` };
}
