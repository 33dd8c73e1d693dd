// When a game is over: who won, and the way to the next one.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { sitAt } from "../lib/memory.js";
import { index, other } from "../lib/words.js";

async function playAgain(game) {
  const { view } = game;
  const opponent = view.players[index(other(view.seat))].strategy ?? "person";
  const { name } = view.players[index(view.seat)];
  try {
    const made = await api.newGame({ game: view.game, opponent, seat: other(view.seat), hints: view.hints, name: name || "you" });
    sitAt(made.id, { token: made.token, seat: made.seat, invite: made.invite, commitment: made.commitment });
    go(`/g/${made.id}`);
  } catch (error) {
    game.error = error.message;
  }
}

export function ending(game) {
  const { view, family, result, table } = game;
  const { detail, told } = family.outcome(view, table);
  const person = view.seat && !view.players[index(other(view.seat))]?.strategy;
  return html`<div class="ending">
    <h2 id="result" tabindex="-1">${result}</h2>
    ${detail && !told ? html`<p class="detail">${detail}</p>` : nothing}
    <p class="go">${view.seat ? html`<button class="main" type="button" @click=${() => playAgain(game)}>${person ? "Rematch, sides swapped" : "Play again, sides swapped"}</button>` : nothing}
      <a class="button plain" href="/">Another game</a></p>
    ${person ? html`<p class="quiet">A rematch is a new game; you get its link to send.</p>` : nothing}
  </div>`;
}
