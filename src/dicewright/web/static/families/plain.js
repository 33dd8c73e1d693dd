// Any other game: what the server says lies on the table, what was said, and a button for each action.
import { html, nothing } from "../vendor/lit.js";
import { capital, other, tally } from "../lib/words.js";
import { blank, cup, die, place } from "../parts/die.js";
import { rails } from "../parts/rails.js";
import { button, planned } from "../parts/worth.js";

const MOST_SAID = 6;
const FEW = 3; // actions in one row
const STYLES = ["main", "second"]; // of two actions

export const scene = (view, count) => view.events.slice(0, count);

const dice = (faces) => faces.map((face) => (face ? die(face, "", true) : blank()));
const hidden = (faces) => faces.length > 0 && faces.every((face) => face === null);

const hand = ({ dice: faces, words }) => (hidden(faces) ? cup(null, faces.length, { label: words })
  : html`<div class="mycup"><span class="hand" role="img" aria-label=${words}>${dice(faces)}</span><span class="rank" aria-hidden="true">${words}</span></div>`);

const rail = ({ name, score, turn, mine }) => ({ name, score, riding: turn, turn: turn > 0, side: mine ? "mine" : "theirs" });

// Each kind of thing that lies between the players.
const between = {
  sentence: ({ words, mine }) => html`<p class="told ${mine === null ? "" : mine ? "mine" : "theirs"}">${words}</p>`,
  rolls: ({ dice: faces, words }) => html`<div class="rolls" role="group" aria-label=${words}>${faces.length ? dice(faces) : html`<span class="quiet">${words}</span>`}</div>`,
  hand: (thing) => html`${thing.label ? html`<p class="quiet count">${thing.label}</p>` : nothing}${hand(thing)}`,
};

// table.laid: the table as the player sees it now; null while an earlier moment is looked at, and for spectators.
export function board(events, table) {
  const { me } = table;
  const things = table.laid?.table ?? [];
  const tracks = things.filter(({ kind }) => kind === "rail");
  const hands = (mine) => things.filter((one) => one.kind === "hand" && one.mine === mine);
  const side = (seat, own) => html`<div class=${own ? "near" : "across"}>
    ${place(seat, table, hands(own).length > 1 ? hands(own).map(({ label }) => label) : [])}
    ${hands(own).length ? html`<div class="hands">${hands(own).map(hand)}</div>` : html`<div class="mat" aria-hidden="true"></div>`}</div>`;
  return html`${tracks.length ? rails(tracks.map(rail), tracks[0].goal) : nothing}
    ${side(other(me), false)}
    <div class="felt talkative">${conversation(events, table)}
      ${things.filter(({ kind, mine }) => kind in between && !(kind === "hand" && mine !== null)).map((thing) => between[thing.kind](thing))}</div>
    ${side(me, true)}`;
}

function conversation(events, { me, name }) {
  const said = events.slice(-MOST_SAID);
  if (!said.length) return nothing;
  return html`<ol class="talk" aria-label="What happened, the latest last">${said.map((event, i) => {
    const by = event.who === "dice" ? event.of : event.who;
    return html`<li class="${by === me ? "mine" : "theirs"} ${i === said.length - 1 ? "latest" : ""}"><span class="unseen">${name(by)}:</span>
      <span class="bid ${event.who === "dice" ? "rolled" : ""}">${event.dice.length ? html`<span class="hand" aria-hidden="true">${dice(event.dice)}</span>` : nothing}
        <strong>${capital(event.words)}</strong></span></li>`;
  })}</ol>`;
}

export function controls(table) {
  const { view, mine } = table;
  if (!mine) return nothing;
  const few = view.actions.length <= FEW;
  const style = (i) => (few ? `${(view.actions.length === 2 && STYLES[i]) || "plain"} big` : "plain");
  return html`<div class="bidding">
    <p class="ask" id="ask">${table.told(view.position.ask ?? [])}</p>
    <div class="actions ${view.actions.length === 2 ? "two" : few ? "row" : "many"}" role="group" aria-labelledby="ask">${view.actions.map((one, i) => button(table, one, style(i)))}</div>
    ${planned(table)}
  </div>`;
}

export const asks = ({ position: { ask = [] } }, { told }) => told(["Your turn.", ...ask]);

export function outcome({ unit, payoff }, { me }) {
  if (unit !== "points" || !payoff) return { detail: "" };
  const own = me === "first" ? payoff : -payoff;
  return { detail: `${tally(own, Number.isInteger(own) ? 0 : 2)} ${Math.abs(own) === 1 ? "point" : "points"}.` };
}
