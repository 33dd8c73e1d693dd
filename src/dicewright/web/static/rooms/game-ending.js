// When a game is over: who won, and the way to the next one.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import { announce } from "../lib/announce.js";
import * as api from "../lib/api.js";
import { sitAt } from "../lib/memory.js";
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
      if (offer?.id && offer.id !== game.offer?.id && offer.by !== game.view.seat && !(game.view.seat && offer.accepted)) {
        announce(`${capital(game.name(offer.by))} offers a rematch.`);
      }
      if (offer) game.offer = offer;
    }
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

async function playAgain(game) {
  const { view } = game;
  const opponent = view.players[index(other(view.seat))].strategy;
  const { name } = view.players[index(view.seat)];
  try {
    const made = await (opponent ? api.newGame({ game: view.game, opponent, seat: other(view.seat), hints: view.hints, name: name || "you" }) : api.rematch(view.id));
    sitAt(made.id, { token: made.token, seat: made.seat, invite: made.invite, commitment: made.commitment, rematch: !opponent });
    go(`/g/${made.id}`);
  } catch (error) {
    game.error = error.message;
  }
}

export function ending(game) {
  const { view, family, result, table } = game;
  const { detail, told } = family.outcome(view, table);
  const offer = game.offer?.id && game.offer.by !== view.seat && !(view.seat && game.offer.accepted) ? game.offer : null;
  const person = view.seat && !view.players[index(other(view.seat))]?.strategy;
  return html`<div class="ending">
    <h2 id="result" tabindex="-1">${result}</h2>
    ${detail && !told ? html`<p class="detail">${detail}</p>` : nothing}
    ${offer ? html`<p class="notice">${view.seat ? html`<strong>${capital(game.name(offer.by))} offers a rematch.</strong>`
      : html`${capital(game.name(offer.by))} offers a rematch. <a href="/g/${offer.id}">Watch it</a>`}</p>` : nothing}
    <p class="go">${view.seat ? html`<button class="main" type="button" data-decision="again" @click=${() => playAgain(game)}>${offer ? "Accept the rematch"
      : person ? "Rematch, sides swapped" : "Play again, sides swapped"}</button>` : nothing}
      <a class="button plain" href="/">Another game</a></p>
  </div>`;
}
