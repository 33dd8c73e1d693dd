// Calling games (one die, Mia, poker dice): your cup, the ladder of calls, accept or challenge.
import { html, nothing } from "../vendor/lit.js";
import { capital, other, spoken } from "../lib/words.js";
import { chip, cup, hand, place } from "../parts/die.js";
import { button, hinted, planned } from "../parts/worth.js";

const STYLES = ["main", "second"]; // of the two answers

// Who has the cup, what was called, the latest roll and the latest call, and what was answered to it.
export function scene(view, count) {
  const all = view.events.slice(0, count);
  const events = all.slice(all.findLastIndex(({ scene: { won } }, i) => won && i < all.length - 1) + 1); // of this round
  const start = { cup: "first", accepted: null, call: null };
  const last = events.at(-1);
  const said = events.findLast(({ who }) => who !== "dice");
  const answered = last?.scene.end || (last && !last.scene.call); // the latest word is an answer, not a call
  return { ...start, ...last?.scene, answer: answered && said, roll: events.findLast(({ who }) => who === "dice"), called: events.findLast(({ who, choice, scene: { call } }) => who !== "dice" && choice === call) };
}

const shown = (faces, rank) => (faces.length ? hand(faces) : chip(rank));

export function board(now, table) {
  const { view, me, name } = table;
  const { cup: holder, accepted, end, answer } = now;
  const [roll, call] = [thrown(now), now.call && now.called];
  const own = holder === me && table.seat !== null;
  const told = Boolean(end && call) && table.counted >= 0; // before that the cup is down
  const seen = roll !== null && (told || own || table.bare);
  const hidden = seen && !told && !own; // shown now that the game is over, but not seen then
  const side = (seat) => html`<div class=${seat === me ? "near" : "across"}>
    ${place(seat, table, [hidden && holder === seat ? "hidden then" : ""])}
    ${holder !== seat ? html`<div class="mat" aria-hidden="true"></div>`
      : seat === me && seen ? html`<div class="mycup">${shown(roll.dice, roll.words)}<span class="rank">${roll.words}</span></div>`
      : cup(seen ? roll.dice : null, view.layout.dice, { label: name(seat), lifted: seen && (told || hidden) })}</div>`;
  return html`${side(other(me))}
    <div class="felt talkative">
      <p class="stands">${accepted ? html`<span class="quiet">${view.says.stands[0]}</span> <strong>${accepted}</strong>` : call ? nothing : html`<span class="quiet">${view.layout.start}</span>`}</p>
      ${call ? html`<p class="calls ${call.who === me ? "mine" : "theirs"}"><span class="quiet">${spoken(view.says.calls, name(call.who))}</span>
        <strong>${call.words}</strong> <span class="claimed">${shown(call.claims ?? [], call.words)}</span></p>` : nothing}
      ${answer && (call || !end) ? html`<p class="calls ${answer.who === me ? "mine" : "theirs"}"><span class="quiet">${name(answer.who)}:</span> <strong>${capital(answer.words)}</strong></p>` : nothing}
      ${told && table.counted > 0 ? html`<p class="verdict">${verdict(end, table)}</p>` : nothing}
    </div>
    ${side(me)}`;
}

// The dice that lie under the cup, if it is known what they show.
const thrown = ({ roll, cup: holder }) => (roll?.choice && roll.of === holder ? roll : null);

export const reveals = ({ scene: { end } }) => end;

export const verdict = ({ words, winner }, { view, name }) => `${words} ${capital(spoken(view.says.wins, name(winner)))}`;

// Focus goes to the own roll, or to the first rank that is offered.
function ladder(ranks, table, open = true) {
  const { view, act, busy } = table;
  const { labels, roll } = view.position;
  const top = labels.at(-1);
  const aims = (action, i) => open && (action === roll || (i === 0 && !ranks.some((one) => one.action === roll)));
  return html`<ul class="ladder ${top.length > 3 ? "long" : ""}" aria-labelledby="ask">${ranks.map(({ action, words }, i) => html`<li><button type="button"
    class="cell ${action === roll ? "true" : ""}" data-bid=${action} data-decision=${aims(action, i) ? "call" : nothing}
    aria-disabled=${busy ? "true" : "false"}
    @click=${() => !busy && act(action)}><span class="unseen">Call </span><span>${action}</span><span class="unseen">${action === words ? "" : `: ${words}`}${action === roll ? ", your roll" : action === top ? ", the highest" : ""}</span>${hinted(table, action, true)}</button></li>`)}</ul>`;
}

// Many ranks: first what they make, then which; one's own roll is in the one that stands open.
function grouped(ranks, table) {
  const { layout, position: { roll } } = table.view;
  const groups = layout.groups.map(({ words, labels }) => ({ words, labels, ranks: ranks.filter(({ action }) => labels.includes(action)) })).filter(({ ranks }) => ranks.length);
  const own = groups.find(({ labels }) => labels.includes(roll)) ?? groups[0];
  return html`<div class="groups" aria-labelledby="ask" role="group">${groups.map((group) => html`<details name="ranks" class="fold" ?open=${group === own}>
    <summary>${capital(group.words)} <span class="quiet">${group.ranks.length}</span></summary>${ladder(group.ranks, table, group === own)}</details>`)}</div>`;
}

export function controls(table) {
  const { view, mine } = table;
  if (!mine) return nothing;
  const { labels, seen, seen_dice: dice, note, ask } = view.position;
  const ranks = view.actions.filter(({ action }) => labels.includes(action));
  const others = view.actions.filter((one) => !ranks.includes(one));
  const answers = Object.values(view.keys);
  return html`<div class="bidding">
    ${ranks.length ? html`<p class="ask" id="ask">${table.told(ask)}</p>
      ${view.layout.groups.length ? grouped(ranks, table) : ladder(ranks, table)}` : nothing}
    ${others.length && seen ? html`<p class="ask seen">${table.told(ask)} ${shown(dice, seen)}</p>` : nothing}
    ${others.length ? html`<div class="actions two">${others.map((one, i) => button(table, one, `${answers.includes(one.action) ? STYLES[i] : "plain"} big`))}</div>
      ${note ? html`<p class="quiet plan">${note}</p>` : nothing}` : nothing}
    ${planned(table)}
  </div>`;
}

export const asks = ({ position: { roll, call, ask } }, { told }) => told(["Your turn.", ...(roll !== null && call === null ? ask : [])]);

export function outcome(view, table) {
  const { call, end } = scene(view, view.events.length);
  return !end ? { detail: "" } : call ? { detail: verdict(end, table), told: true } : { detail: end.words };
}
