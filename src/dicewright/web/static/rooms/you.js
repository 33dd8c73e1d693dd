// You: who plays here, and what all their games show together.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { Room, titled } from "../lib/element.js";
import { me } from "../lib/memory.js";
import { capital } from "../lib/words.js";
import { figures } from "./you-figures.js";
import { brought, isStrange } from "./you-name.js";

class You extends Room {
  static properties = { person: { state: true }, error: { state: true }, lost: { state: true }, code: { state: true }, found: { state: true }, progress: { state: true } };

  constructor() {
    super();
    titled("You");
    this.code = brought();
    this.load();
  }

  arrived() {
    this.code = brought();
  }

  async load() {
    [this.error, this.lost, this.person, this.found] = [null, false, me(), null];
    if (!me()) return;
    this.aborter?.abort();
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    try {
      this.found = await api.myFigures({ signal, working: (progress) => (this.progress = progress) });
    } catch (error) {
      if (error.name !== "AbortError") [this.error, this.lost] = [error.message, isStrange(error)];
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.aborter?.abort();
  }

  named() {
    this.code = null;
    this.load();
  }

  render() {
    const { person, lost } = this;
    return html`<section class="room you-room">
      <h1>${person && !lost ? person.name : "You"}</h1>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      ${person && !lost ? nothing : html`<p class="lead">What all your games show together: what your decisions cost, what was luck, and what to practise. A name is all it needs.</p>`}
      ${!person || lost || this.error ? nothing : this.found ? figures(this.found)
        : html`<p class="working" role="status">${capital(this.progress ?? "adding up your games")} …</p>`}
      <dw-name .offered=${this.code} .lost=${lost} @named=${this.named}></dw-name>
    </section>`;
  }
}

customElements.define("dw-you", You);
