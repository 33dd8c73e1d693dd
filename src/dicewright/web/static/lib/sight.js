// What the ways of looking share: they ask the server for a document and say while it is in the making.
import { html } from "../vendor/lit.js";
import * as api from "./api.js";
import { Room } from "./element.js";
import { capital, progress, sentence } from "./words.js";

export class Sight extends Room {
  static properties = { it: { attribute: false }, data: { state: true }, progress: { state: true }, error: { state: true } };

  disconnectedCallback() {
    super.disconnectedCallback();
    this.aborter?.abort();
  }

  // Ask again if what is looked at has changed; a late answer to an older question is dropped.
  // What belongs to another game or strategy (`what`) is cleared at once; a slider's map stands until the next is there.
  async ask(key, questions, what = key) {
    if (key === this.asked) return;
    this.asked = key;
    this.aborter?.abort();
    this.aborter = new AbortController();
    this.error = this.progress = null;
    if (what !== this.looked) [this.looked, this.data] = [what, null];
    try {
      const options = { signal: this.aborter.signal, working: (progress) => (this.progress = progress) };
      const answers = await Promise.all(questions.map(([what, values]) => api.explore(what, values, options)));
      if (key === this.asked) [this.data, this.error] = [answers, null];
    } catch (error) {
      if (key === this.asked && error.name !== "AbortError") [this.error, this.data] = [error.message, null];
    }
  }

  change(values) {
    this.dispatchEvent(new CustomEvent("change-view", { detail: values, bubbles: true }));
  }

  get waiting() {
    return this.error ? html`<p class="error" role="alert">${sentence(this.error, this.it.game, this.it.title)}</p>`
      : html`<p class="working" role="status">${capital(this.progress ? progress(this.progress, this.it.game, this.it.title) : "working it out")} …</p>`;
  }
}
