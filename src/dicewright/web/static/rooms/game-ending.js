// When a game is over: who won, and the way to the next one.
import { html, nothing } from "../vendor/lit.js";
import { go } from "../app.js";
import * as api from "../lib/api.js";
import { sitAt } from "../lib/memory.js";
import { index, other } from "../lib/words.js";

async function playAgain(game) {
  const { view } = game;
  const opponent = view.players[index(other(view.seat))].strategy;
  try {
    const made = await api.newGame({ game: view.game, opponent, seat: other(view.seat), hints: view.hints, name: "you" });
    sitAt(made.id, { token: made.token, seat: made.seat, commitment: made.commitment });
    go(`/g/${made.id}`);
  } catch (error) {
    game.error = error.message;
  }
}

export function ending(game) {
  const { view, family, result, table } = game;
  const { detail, told } = family.outcome(view, table);
  const again = view.seat && view.players[index(other(view.seat))]?.strategy;
  return html`<div class="ending">
    <h2 id="result" tabindex="-1">${result}</h2>
    ${detail && !told ? html`<p class="detail">${detail}</p>` : nothing}
    <p class="go">${again ? html`<button class="main" type="button" @click=${() => playAgain(game)}>Play again, sides swapped</button>` : nothing}
      <a class="button plain" href="/">Another game</a></p>
  </div>`;
}
