// What the opponent that learns has learned of this player by the end of the game, in a sentence or two.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { Room } from "../lib/element.js";

class Learned extends Room {
  static properties = { game: { attribute: false }, told: { state: true }, error: { state: true } };

  async willUpdate(changed) {
    if (!changed.has("game")) return;
    const asked = this.game;
    this.told = this.error = null;
    try {
      const told = await api.learned(asked);
      if (asked === this.game) this.told = told.sentences;
    } catch (error) {
      if (asked === this.game) this.error = error.message;
    }
  }

  render() {
    if (this.error) return html`<p class="quiet" role="status">${this.error}</p>`;
    if (!this.told) return nothing;
    return html`<div class="learned" role="status"><h3>What it has learned of you</h3>
      ${this.told.map((sentence) => html`<p>${sentence}</p>`)}</div>`;
  }
}

customElements.define("dw-learned", Learned);
