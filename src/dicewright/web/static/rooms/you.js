// You: who plays here, and what all their games show together.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { Room, titled } from "../lib/element.js";
import { me } from "../lib/memory.js";
import { capital, sentence } from "../lib/words.js";
import { dueOf, link } from "./you-due.js";
import { figures } from "./you-figures.js";
import { brought, isStrange } from "./you-name.js";

class You extends Room {
  static properties = { person: { state: true }, error: { state: true }, lost: { state: true }, code: { state: true }, found: { state: true }, progress: { state: true }, practice: { state: true } };

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
    [this.error, this.lost, this.person, this.found, this.practice] = [null, false, me(), null, null];
    if (!me()) return;
    this.aborter?.abort();
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    try {
      const found = await api.myFigures({ signal, working: (progress) => (this.progress = progress) });
      [this.practice, this.found] = [await api.practice(), found];
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

  // What is to be done today: themes whose time has come, and the position of the day.
  today() {
    const { practice, found } = this;
    const all = practice ? dueOf(found, practice) : [];
    const done = practice && practice.today in practice.days;
    const row = practice?.streak > 1 ? `${practice.streak} days in a row` : "";
    return html`<section class="today"><h2>Today</h2>
      ${practice?.note ? html`<p class="notice">${practice.note}</p>` : nothing}
      <p class="go">${all.length ? html`<a class="button main" href=${link(all[0])}>Practise: ${all[0].kind}, ${all[0].words}</a>` : html`<a class="button plain" href="/drill">Practise</a>`}
        <a class="button plain" href="/drill?day">Position of the day</a></p>
      <p class="quiet">${[all.length > 1 ? `${all.length} themes are due` : "", done ? `the position of the day is ${practice.days[practice.today] ? "found" : "missed"}` : "", row]
        .filter(Boolean).map((text, i) => (i ? text : capital(text))).join(" · ")}</p></section>`;
  }

  render() {
    const { person, lost } = this;
    return html`<section class="room you-room">
      <h1>${person && !lost ? person.name : "You"}</h1>
      ${this.error ? html`<p class="error" role="alert">${sentence(this.error)}</p>` : nothing}
      ${person && !lost ? nothing : html`<p class="lead">What all your games show together: what your decisions cost, what was luck, and what to practise. A name is all it needs.</p>`}
      ${!person || lost || this.error ? nothing : this.found ? html`${this.today()}${figures(this.found)}`
        : html`<p class="working" role="status">${capital(this.progress ?? "adding up your games")} …</p>`}
      <dw-name .offered=${this.code} .lost=${lost} @named=${this.named}></dw-name>
      ${person && !lost ? nothing : this.today()}
    </section>`;
  }
}

customElements.define("dw-you", You);
