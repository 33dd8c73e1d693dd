// Lines of the game room: what is the matter, whose turn it is, whether hints are shown.
import { html, nothing } from "../vendor/lit.js";
import { stillness } from "../lib/announce.js";
import { remember } from "../lib/memory.js";
import { capital, index, progress, sentence } from "../lib/words.js";

// It lies over the title, so that the table and the buttons keep their place.
export function notice(game) {
  const [words, error] = matter(game);
  return words ? html`<p class="over-title ${error ? "error" : "notice"}" role=${error ? "alert" : "status"}>${words}</p>` : nothing;
}

function matter({ view, link, error, settled, name }) {
  if (link === "lost") return ["Connection lost. Trying again; nothing is lost."];
  if (error) return [error, true];
  if (!settled || view.ended || !view.begun) return [];
  if (view.progress) return [`${capital(progress(view.progress, view.game, view.title, view.players))} …`];
  const away = view.players.findIndex((player, i) => !player.strategy && !player.here && i !== index(view.seat ?? ""));
  return view.seat && away >= 0 ? [`${capital(name(away ? "second" : "first"))} is not connected. The game waits.`] : [];
}

export function turnLine(game) {
  const { view, mover, settled, resting } = game;
  if (settled && !mover) return nothing;
  const words = resting ? "The round is over" : !mover ? "The dice are counted" : mover === view.seat ? "Your turn" : `${capital(game.name(mover))} to move`;
  return html`<p class="turnline">${words}
    ${!settled && mover && mover !== view.seat && !stillness() ? html`<button class="link" type="button" @click=${() => (game.skipping = true)}>skip</button>` : nothing}</p>`;
}

// Why there is no hint yet, or none at all.
function whyNone({ hintAwaited, hintNote, view }) {
  if (hintAwaited) return "The hints are being worked out; they come by themselves.";
  const why = sentence(hintNote, view.game, view.title);
  return /hint/i.test(why) ? why : `No hints: ${why}`;
}

export function hintSwitch(game) {
  if (!game.view.hints || !game.view.seat) return nothing;
  return html`${game.hintNote && game.wantsHint ? html`<p class="quiet" role="status">${whyNone(game)}</p>` : nothing}<label class="switch"><input type="checkbox" .checked=${game.wantsHints} @change=${(event) => {
    game.wantsHints = event.target.checked;
    remember("show-hints", game.wantsHints);
    game.decide();
  }}> Show hints and chances</label>`;
}
