// Study: one participant from consent by questions and games to thanks. The server knows where they are; a reload asks it.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { announce, Room, titled } from "../lib/element.js";
import "./game.js";

const WAIT = 2000; // between two questions whether somebody is there to play with
const SURE = {
  stop: "Stop here? What you did so far is kept, and you play no more.",
  withdraw: "Withdraw? Your answers and choices are deleted for good.",
};

class Study extends Room {
  static properties = {
    told: { state: true }, error: { state: true }, busy: { state: true }, asked: { state: true },
  };

  connectedCallback() {
    super.connectedCallback();
    this.key = location.hash.slice(1);
    titled("Study");
    this.arrive = () => {
      if (location.hash.slice(1) !== this.key) location.reload();
    };
    addEventListener("hashchange", this.arrive);
    this.go();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.arrive);
    clearTimeout(this.timer);
  }

  // Ask the server, `what` going on from here; an answer that does not come is asked for again by a press.
  async go(what, body) {
    if (this.busy) return;
    [this.busy, this.error] = [true, null];
    clearTimeout(this.timer);
    const before = this.told?.stage;
    try {
      this.told = await api.study(this.key, what, body);
      this.asked = null;
      titled(this.told.title);
      if (before && before !== this.told.stage) await this.focusOn("h1");
      if (this.told.waiting) this.timer = setTimeout(() => this.go("next"), WAIT);
      else if (what === "next" && this.told.game) announce("The game begins.");
    } catch (error) {
      this.error = error.message;
      if (what === "next") this.timer = setTimeout(() => this.go("next"), WAIT);
    } finally {
      this.busy = false;
    }
  }

  answer(event) {
    event.preventDefault();
    const given = new FormData(event.target);
    const answers = Object.fromEntries(this.told.questions.map(({ name, type }) => {
      const text = given.get(name);
      return [name, text === null || text === "" ? null : type === "choice" || type === "text" ? text : Number(text)];
    }));
    this.go("answers", { answers });
  }

  consent() {
    return html`<h1 tabindex="-1">${this.told.title}</h1>
      ${paragraphs(this.told.consent)}
      <p class="go"><button class="main big" type="button" @click=${() => this.go("consent")}>I agree to take part</button></p>
      <p class="quiet">If you do not agree, close this page.</p>`;
  }

  questions() {
    const { questions } = this.told;
    return html`<h1 tabindex="-1">Before you play</h1>
      <p class="quiet">The other player never sees your answers.</p>
      <form class="questions" @submit=${this.answer}>${questions.map(question)}
        <p class="go"><button class="main big">Send ${questions.length === 1 ? "the answer" : "the answers"}</button></p></form>`;
  }

  ready() {
    const { played, games, waiting } = this.told;
    return html`<h1 tabindex="-1">Game ${played + 1} of ${games}</h1>
      ${waiting ? html`<p class="working" role="status">Waiting for another participant … This page goes on by itself.</p>`
        : html`<p class="go"><button class="main big" type="button" @click=${() => this.go("next")}>Play</button></p>`}`;
  }

  render() {
    const { told, error } = this;
    if (!told) {
      return html`<section class="room"><h1 class="unseen">Study</h1>${error
        ? html`<p class="error" role="alert">${error}</p><p class="go"><button type="button" @click=${() => this.go()}>Try again</button></p>`
        : html`<p class="working" role="status">One moment …</p>`}</section>`;
    }
    const wrong = error ? html`<p class="error" role="alert">${error}</p>` : nothing;
    if (told.game) {
      return html`${wrong}<dw-game .gameId=${told.game.id} .token=${told.game.token} @on=${() => this.go()}></dw-game>${this.leaving()}`;
    }
    return html`<section class="room study">${wrong}${told.consent ? this.consent()
      : told.questions ? this.questions()
      : told.stage === "playing" ? this.ready()
      : told.thanks ? html`<h1 tabindex="-1">Thank you</h1>${paragraphs(told.thanks)}`
      : html`<h1 tabindex="-1">Withdrawn</h1><p>What was kept of you is deleted. You may close this page.</p>`}</section>
      ${told.consent ? nothing : this.leaving()}`;
  }

  // The ways out, each asked for twice.
  leaving() {
    const { stage } = this.told;
    if (stage === "withdrawn") return nothing;
    const ways = stage === "playing" || stage === "questions" ? ["stop", "withdraw"] : ["withdraw"];
    return html`<section class="room leaving">${this.asked
      ? html`<p>${SURE[this.asked]}</p><p class="go"><button type="button" @click=${() => this.go(this.asked)}>Yes, ${this.asked}</button>
          <button type="button" @click=${() => (this.asked = null)}>No, go on</button></p>`
      : html`<p class="go">${ways.map((way) => html`<button class="link" type="button" @click=${() => (this.asked = way)}>${way === "stop" ? "Stop here" : "Withdraw"}</button>`)}</p>`}</section>`;
  }
}

const paragraphs = (text) => text.split(/\n\s*\n/).map((one) => html`<p>${one}</p>`);

function question({ name, ask, type, options, least, most, ends, optional }) {
  const needed = !optional;
  const radio = (value, words) => html`<label class="option"><input type="radio" name=${name} value=${value} ?required=${needed}> ${words}</label>`;
  if (type === "choice") return html`<fieldset><legend>${ask}</legend>${options.map((one) => radio(one, one))}</fieldset>`;
  if (type === "scale") {
    const steps = Array.from({ length: most - least + 1 }, (_, n) => least + n);
    return html`<fieldset><legend>${ask}</legend><div class="scale">${ends[0] ?? nothing} ${steps.map((one) => radio(one, one))} ${ends[1] ?? nothing}</div></fieldset>`;
  }
  if (type === "number") {
    return html`<p><label>${ask}<br><input type="number" step="any" name=${name} min=${least ?? nothing} max=${most ?? nothing} ?required=${needed}></label></p>`;
  }
  return html`<p><label>${ask}<br><textarea name=${name} maxlength="2000" rows="3" ?required=${needed}></textarea></label></p>`;
}

customElements.define("dw-study", Study);
