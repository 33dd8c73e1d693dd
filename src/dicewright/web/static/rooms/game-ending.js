// When a game is over: who won, and the way to the next one.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import { announce, part } from "../lib/element.js";
import * as api from "../lib/api.js";
import { me, sitAt } from "../lib/memory.js";
import { capital, index, other } from "../lib/words.js";

const LOOK = 2000; // how often a finished game of two people asks whether there is a rematch

// Whether the other player has offered a rematch, for as long as the game is on the screen.
export async function awaitOffer(game) {
  const { id, players } = game.view;
  if (players.some((player) => player.strategy)) return;
  while (game.isConnected && game.view?.id === id) {
    if (!document.hidden) {
      const offer = await api.offered(id).catch(() => null);
      if (game.view?.id !== id) return;
      const known = game.offer?.by === offer?.by && game.offer?.id === offer?.id;
      if (!known && standing(offer, game.view)) {
        announce(`${capital(game.name(offer.by))} offers a rematch.`);
      }
      if (offer) game.offer = offer;
    }
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

// An offer that this reader is told of. Whoever watches is told who asked, but the new game is the players' own: `id` is null.
const standing = (offer, { seat }) => offer?.by && offer.by !== seat && !(seat && offer.accepted);

async function playAgain(game) {
  if (game.asking) return;
  game.asking = true;
  const { view } = game;
  const { strategy: opponent, learns } = view.players[index(other(view.seat))];
  const { name } = view.players[index(view.seat)];
  try {
    const made = await (opponent ? api.newGame({ game: view.game, opponent, seat: other(view.seat), hints: view.hints, name: name === "you" ? "" : name }, learns) : api.rematch(view.id));
    sitAt(made.id, { token: made.token, seat: made.seat, invite: made.invite, commitment: made.commitment, rematch: !opponent });
    go(`/g/${made.id}`);
  } catch (error) {
    game.error = error.message;
  } finally {
    game.asking = false;
  }
}

// What the opponent that learns has learned, drawn by a part that only its games need.
function learned(id) {
  part(() => import("../parts/learned.js")).catch(() => null); // without it the ending is whole
  return html`<dw-learned .game=${id}></dw-learned>`;
}

export function ending(game) {
  const { view, family, result, table } = game;
  const { detail, told } = family.outcome(view, table);
  const offer = standing(game.offer, view) ? game.offer : null;
  const person = view.seat && !view.players[index(other(view.seat))]?.strategy;
  return html`<div class="ending ${game.won === null ? "" : game.won ? "won" : "lost"}">
    <h2 id="result" tabindex="-1">${result}</h2>
    ${detail && !told ? html`<p class="detail">${detail}</p>` : nothing}
    ${view.seat && !game.token && view.players.some((player) => player.learns) ? learned(view.id) : nothing}
    ${offer ? html`<p class="notice">${view.seat ? html`<strong>${capital(game.name(offer.by))} offers a rematch.</strong>`
      : html`${capital(game.name(offer.by))} offers a rematch.${offer.id ? html` <a href="/g/${offer.id}">Watch it</a>` : nothing}`}</p>` : nothing}
    ${game.token ? html`<p class="go"><button class="main" type="button" data-decision="on" @click=${() => game.dispatchEvent(new Event("on"))}>Go on</button></p>` : html`<p class="go">${view.seat ? html`<button class="main" type="button" data-decision="again" @click=${() => playAgain(game)}>${offer ? "Accept the rematch"
      : person ? "Rematch, sides swapped" : "Play again, sides swapped"}</button>` : nothing}
      <a class="button plain" href="/">Another game</a></p>${view.seat ? html`<p class="quiet"><a href="/you">${me() ? "What all my games show" : "Keep my games under a name"}</a></p>` : nothing}`}
  </div>`;
}

export const downloads = (id) => html`<p class="downloads quiet">Save this game: ${["text", "jsonl", "csv"].map((format, i) => html`${i ? ", " : ""}<a href=${api.recordLink(id, format)} download>${{ text: "text", jsonl: "JSON Lines", csv: "CSV" }[format]}</a>`)}</p>`;
