// Calling games (one die, Mia, poker dice): your cup, the ladder of calls, accept or challenge.
import { html, nothing } from "../vendor/lit.js";
import * as story from "../lib/story.js";
import { capital, other } from "../lib/words.js";
import { cup } from "../parts/cup.js";
import { chip, hand } from "../parts/die.js";
import { place } from "../parts/place.js";
import { hinted, plan } from "../parts/worth.js";

export const scene = (view, count) => story.calling(view, count);

const label = (view, rank) => (typeof rank === "number" ? view.position.labels[rank] : rank);

export function facesOf(game, rank) {
  if (rank === null || rank === undefined) return [];
  if (game.startsWith("liars-die")) return [Number(rank)];
  return (rank.includes("-") ? rank.split("-") : [...rank]).map(Number);
}

const shown = (game, rank) => {
  const faces = facesOf(game, rank);
  return faces.some((one) => !(one >= 1 && one <= 20)) ? chip(rank) : hand(faces);
};

const top = (view) => view.position.labels.at(-1);

export function board(passages, table) {
  const { view, me, name } = table;
  const now = passages.at(-1) ?? { roll: null, dice: [], call: null, who: null };
  const told = now.answer === "challenge";
  const holder = now.who ?? passages.at(-2)?.answerer ?? (passages.length === 1 ? "first" : view.position.cup);
  const accepted = passages.filter((one) => one.answer === "accept").at(-1)?.call ?? null;
  const roll = label(view, now.roll);
  const own = holder === me && table.seat !== null;
  const seen = roll !== null && (told || own || table.bare);
  const hidden = seen && !told && !own; // shown now that the game is over, but not seen then
  const count = facesOf(view.game, view.position.labels[0]).length;
  const faces = now.dice?.length ? now.dice : facesOf(view.game, roll);
  const side = (seat) => html`<div class=${seat === me ? "near" : "across"}>
    ${place(seat, table, [hidden && holder === seat ? "hidden then" : ""])}
    ${holder !== seat ? html`<div class="mat" aria-hidden="true"></div>`
      : seat === me && seen ? html`<div class="mycup">${shown(view.game, roll)}<span class="rank">${roll}</span></div>`
      : cup(seen ? faces : null, count, { label: name(seat), lifted: seen && (told || hidden) })}</div>`;
  return html`${side(other(me))}
    <div class="felt talkative">
      <p class="stands">${accepted ? html`<span class="quiet">To beat:</span> <strong>${accepted}</strong>` : now.call ? nothing : html`<span class="quiet">No call yet: anything may be called.</span>`}</p>
      ${now.call && now.answer !== "accept" ? html`<p class="calls ${now.who === me ? "mine" : "theirs"}"><span class="quiet">${name(now.who)} ${name(now.who) === "you" ? "call" : "calls"}</span>
        <strong>${now.call}</strong> <span class="claimed">${shown(view.game, now.call)}</span></p>` : nothing}
      ${told ? html`<p class="verdict">${verdictWords(now, table)}</p>` : nothing}
    </div>
    ${side(me)}`;
}

export function verdictWords(now, { view, name }) {
  const [rolled, called] = [now.roll, now.call].map((rank) => view.position.labels.indexOf(label(view, rank)));
  const atLeast = view.game.includes("truth=at-least") || (view.game.startsWith("mia") && !view.game.includes("truth=exactly"));
  const truth = rolled === called || (atLeast && rolled > called);
  const winner = truth ? now.who : now.answerer;
  const win = name(winner) === "you" ? "You win" : `${capital(name(winner))} wins`;
  return `Under the cup: ${label(view, now.roll)}. The call of ${now.call} was ${truth ? "true" : "a bluff"}. ${win}.`;
}

export function controls(table) {
  const { view, hint, act, mine, busy } = table;
  if (!mine) return nothing;
  const ranks = view.actions.filter(({ action }) => view.position.labels.includes(action) && !["accept", "challenge"].includes(action));
  const others = view.actions.filter((one) => !ranks.includes(one));
  const roll = label(view, view.position.roll);
  const worth = (action, small) => hinted(table, action, small);
  const key = { accept: "A", challenge: "C" };
  return html`<div class="bidding">
    ${ranks.length ? html`<p class="ask" id="ask">${ranks.some(({ action }) => action === roll)
        ? html`You rolled <strong>${roll}</strong>. What do you call?` : html`You rolled <strong>${roll}</strong>, which is too low to call${view.game.includes("below=no") ? "" : ": bluff"}.`}</p>
      <ul class="ladder ${top(view).length > 3 ? "long" : ""}" aria-labelledby="ask">${ranks.map(({ action, words }, i) => html`<li><button type="button"
        class="cell ${action === roll ? "true" : ""}" data-bid=${action} data-decision=${action === roll || (i === 0 && !ranks.some((one) => one.action === roll)) ? "call" : nothing}
        aria-disabled=${busy ? "true" : "false"} aria-label="Call ${words ?? action}${action === roll ? ", your roll" : action === top(view) ? ", the highest" : ""}"
        @click=${() => !busy && act(action)}><span aria-hidden="true">${action}</span>${worth(action, true)}</button></li>`)}</ul>` : nothing}
    ${others.length && view.position.seen ? html`<p class="ask seen">Under the cup: <strong>${view.position.seen}</strong> ${shown(view.game, view.position.seen)}</p>` : nothing}
    ${others.length ? html`<div class="actions two">${others.map(({ action, words }) => html`<button type="button"
      class="${action === "accept" ? "main" : action === "challenge" ? "second" : "plain"} big" data-decision=${action}
      aria-disabled=${busy ? "true" : "false"} aria-keyshortcuts=${key[action] ?? nothing} @click=${() => !busy && act(action)}>
      <span class="label">${capital(key[action] ? action : words)}</span>${key[action] ? html`<kbd aria-hidden="true">${key[action]}</kbd>` : nothing}${worth(action)}</button>`)}</div>
      ${others.some(({ action }) => action === "accept") && view.position.call !== null && label(view, view.position.call) === top(view)
        ? html`<p class="quiet plan">Nothing beats ${top(view)}: accepting it loses.</p>` : nothing}` : nothing}
    ${table.hints ? html`<p class="plan quiet">${hint?.mix ? plan(hint) : nothing}</p>` : nothing}
  </div>`;
}

export const keys = { a: "accept", c: "challenge" };

export function asks({ position: { roll, call } }, { view }) {
  if (roll !== null && call === null) return `Your turn. You rolled ${label(view, roll)}.`;
  return "Your turn.";
}

export function outcome(view, table) {
  const now = story.calling(view, view.events.length).at(-1);
  if (!now?.answer) return { detail: "" };
  if (now.answer === "challenge") return { detail: verdictWords(now, { ...table, view }), told: true };
  return { detail: `${capital(table.name(now.answerer))} accepted ${now.call}, which nothing beats.` };
}
