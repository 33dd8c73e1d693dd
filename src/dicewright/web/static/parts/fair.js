// "Fair dice": what the commitment means, and the check once the secret is out.
import { LitElement, html, nothing } from "../vendor/lit.js";
import { recordLink } from "../lib/api.js";

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256(text) {
  const bytes = Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

class Fair extends LitElement {
  static properties = { view: { attribute: false }, promised: { attribute: false }, sent: { attribute: false }, kept: { state: true } };

  createRenderRoot() {
    return this;
  }

  async willUpdate(changed) {
    const seed = this.view?.server_seed;
    if (changed.has("view") && seed && this.kept === undefined && crypto.subtle) {
      this.kept = null;
      this.kept = (await sha256(seed)) === (this.promised ?? this.view.commitment);
    }
  }

  // Whether this browser's own seed is in the players' seed: all of it against a strategy, its part of two people's.
  get used() {
    const { client_seed: all, players, seat } = this.view;
    if (!all || !this.sent || !seat) return null;
    if (players.some((player) => player.strategy)) return all === this.sent;
    return seat === "first" ? all.startsWith(`${this.sent}/`) : all.endsWith(`/${this.sent}`);
  }

  render() {
    const { view } = this;
    const line = (name, value) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`;
    return html`<details class="fold fair"><summary>Fair dice</summary>
      <p>Before the first roll the server drew a secret and showed its fingerprint (SHA-256). Your browser added a
        seed of its own. Both together fix every roll, so neither side can choose the dice.</p>
      <dl>${line("Fingerprint of the secret", view.commitment)}
        ${view.client_seed ? line("Seed of the players", view.client_seed) : nothing}
        ${view.server_seed ? line("The secret", view.server_seed) : nothing}</dl>
      ${this.used === true ? html`<p>The seed that this browser sent is in it.</p>`
        : this.used === false ? html`<p class="error" role="alert"><strong>The seed in this game is not the one this browser sent.</strong> Do not trust its dice.</p>` : nothing}
      ${view.server_seed
        ? html`<p>${this.kept === true ? html`<strong class="good">The secret matches its fingerprint</strong>, checked in this browser. `
            : this.kept === false ? html`<strong class="bad">The secret does not match its fingerprint.</strong> ` : nothing}
          To check every roll, save the <a href=${recordLink(view.id, "text")} download>record</a> and run
          <code>dicewright verify-dice</code> on it.</p>`
        : html`<p>The secret is shown when the game has ended; then anyone can check every roll.</p>`}
    </details>`;
  }
}

customElements.define("dw-fair", Fair);
