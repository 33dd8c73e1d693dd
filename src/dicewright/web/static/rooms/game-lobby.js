// Before a game begins: the invitation to it, the wait for the other player or for the opponent to be solved.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { titled } from "../lib/element.js";
import { seatAt, sitAt } from "../lib/memory.js";
import { capital, index, other, progress } from "../lib/words.js";
import "./game-notes.js";

const NOT_BEGUN = "The game begins when both players are at the table.";

export function waiting({ view, gameId }) {
  const { invite, rematch } = seatAt(gameId) ?? {};
  const missing = view.players.some((player) => !player.strategy && !player.here);
  if (view.progress && !missing) {
    return html`<div class="waiting"><h2>The opponent is thinking the game through</h2>
      <p class="quiet" role="status">${capital(progress(view.progress, view.game, view.title, view.players))}. This happens once for each set of rules; the game begins by itself.</p></div>`;
  }
  if (view.seat && view.players[index(other(view.seat))].strategy) return html`<p class="working" role="status">The dice are being laid out …</p>`;
  const link = invite ? `${location.origin}/g/${gameId}#join=${invite}` : null;
  return html`<div class="waiting"><h2>${view.seat ? "Waiting for the other player" : "Not begun yet"}</h2>
    <p>${link && missing && rematch ? "Your rematch is offered on the other player’s page. If they have closed it, send them this link." : link && missing ? "Send this link. Whoever opens it first sits down opposite you; keep this page open." : NOT_BEGUN}</p>
    ${link ? html`<dw-invite .link=${link} label="Link for the other player"></dw-invite>` : nothing}</div>`;
}

// An invitation: say who asks and what is played before taking the seat.
export async function invited(game, invite) {
  try {
    game.view = await api.view(game.gameId);
    titled(game.view.title);
    game.shown = game.view.events.length;
    game.joining = invite;
    game.focusOn("#me");
  } catch (error) {
    game.link = error.message;
  }
}

async function join(game, event) {
  event.preventDefault();
  if (game.asking) return;
  game.asking = true;
  const me = game.querySelector("#me").value.trim();
  try {
    const seat = await api.join(game.gameId, game.joining, me || "guest");
    sitAt(game.gameId, { token: seat.token, seat: seat.seat, commitment: game.view.commitment });
    watch(game);
  } catch (error) {
    game.error = error.message;
  }
  game.asking = false;
}

function watch(game) {
  game.joining = null;
  history.replaceState(null, "", location.pathname);
  game.sit();
}

export function invitation(game) {
  const { view, error } = game;
  const used = view.players.every((player) => player.strategy || player.name);
  if (used) {
    return html`<section class="room game-room"><h1>${view.title}</h1>
      <p class="sentence">This invitation has been used.</p>
      <p>Both seats are taken. If you sat here before, open the game in the browser you used then.</p>
      <p class="go"><button class="main big" type="button" @click=${() => watch(game)}>Watch the game</button><a class="button plain" href="/">To the table</a></p></section>`;
  }
  const host = view.players.find((player) => player.name)?.name;
  return html`<section class="room game-room"><h1>${view.title}</h1>
    <p class="sentence">${host && host !== "you" ? host : "Somebody"} invites you to play.</p>
    <form class="join" @submit=${(event) => join(game, event)}>
      <p class="named"><label for="me">My name</label><input id="me" maxlength="40" autocomplete="nickname"></p>
      ${error ? html`<p class="error" role="alert">${error}</p>` : nothing}
      <p class="go"><button class="main big">Sit down</button><button class="plain" type="button" @click=${() => watch(game)}>Only watch</button></p>
    </form>
    <div class="rules"><h2>How it goes</h2><ol>${view.rules.map((rule) => html`<li>${rule}</li>`)}</ol></div></section>`;
}
