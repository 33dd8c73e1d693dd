// A word of a sentence that is a button: it opens a list to choose from. Arrows, letters, Enter, Escape.
import { LitElement, html, nothing, repeat } from "../vendor/lit.js";

const RULE = "expr:";
const MOST_LETTERS = 190;
const PATIENCE = 800; // milliseconds within which the next letter belongs to the word that is being typed
let count = 0;

export class Choice extends LitElement {
  static properties = {
    label: {}, // what is chosen, for those who listen
    options: { attribute: false }, // [{ value, words, about }]
    value: {},
    other: {}, // if set, "Another number" asks for one with this label
    rule: {}, // if set, "a rule of my own" asks for one, such as this; what is told is `expr:` and the rule
    open: { state: true },
    active: { state: true },
    asking: { state: true },
  };

  constructor() {
    super();
    this.key = `choice-${(count += 1)}`;
    this.options = [];
    this.open = this.asking = false;
    this.active = 0;
    this.typed = { text: "", at: -Infinity };
    this.outside = (event) => !this.contains(event.target) && this.shut();
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("pointerdown", this.outside);
  }

  get list() {
    if (this.rule) return [...this.options, { value: null, words: "a rule of my own …", about: `One line, such as ${this.rule}` }];
    return this.other ? [...this.options, { value: null, words: "another number …" }] : this.options;
  }

  get words() {
    return this.options.find((option) => option.value === this.value)?.words ?? this.value;
  }

  async show() {
    this.open = true;
    this.active = Math.max(0, this.options.findIndex((option) => option.value === this.value));
    addEventListener("pointerdown", this.outside);
    await this.updateComplete;
    const list = this.querySelector("[role=listbox]");
    list.focus({ preventScroll: true });
    const right = list.getBoundingClientRect().right;
    list.classList.toggle("from-right", right > document.documentElement.clientWidth - 8);
    list.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  shut(refocus = false) {
    this.open = this.asking = false;
    removeEventListener("pointerdown", this.outside);
    if (refocus) this.updateComplete.then(() => this.querySelector("button")?.focus());
  }

  choose(option) {
    if (option.value === null) {
      this.open = false;
      this.asking = true;
      this.updateComplete.then(() => this.querySelector("input")?.select());
      return;
    }
    this.shut(true);
    if (option.value !== this.value) this.tell(option.value);
  }

  tell(value) {
    this.value = value;
    this.dispatchEvent(new CustomEvent("choice", { detail: value, bubbles: true }));
  }

  keys(event) {
    const last = this.list.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5, Home: -last, End: last };
    if (event.key in steps) {
      this.active = Math.min(last, Math.max(0, this.active + steps[event.key]));
      this.updateComplete.then(() => this.querySelector(".active")?.scrollIntoView({ block: "nearest" }));
    } else if (event.key.length === 1 && this.type(event)) {
      this.updateComplete.then(() => this.querySelector(".active")?.scrollIntoView({ block: "nearest" }));
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.list[this.active]);
    } else if (event.key === "Escape") {
      this.shut(true);
    } else if (event.key === "Tab") {
      this.shut(true);
      return;
    } else if (event.key.length > 1) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Letters typed in a row are the beginning of a word; one letter again and again goes through all that begin with it.
  // A space chooses, unless it is in a word that is being typed.
  type({ key, timeStamp }) {
    const { text, at } = this.typed;
    const begun = timeStamp - at <= PATIENCE ? text : "";
    const typed = begun + key.toLowerCase();
    if (!begun && key === " ") return false;
    const same = [...typed].every((letter) => letter === typed[0]);
    const [sought, from] = same ? [typed[0], this.active + 1] : [typed, this.active];
    const around = this.list.map((_, i) => (from + i) % this.list.length);
    const found = around.find((i) => this.list[i].words.toLowerCase().startsWith(sought));
    if (key === " " && found === undefined) return false;
    this.typed = { text: typed, at: timeStamp };
    this.active = found ?? this.active;
    return true;
  }

  ask(event) {
    event.preventDefault();
    const given = this.querySelector("input").value.trim();
    this.shut(true);
    if (this.rule) given && this.tell(`${RULE}${given}`);
    else this.tell(String(Math.max(1, Math.round(Number(given) || 1))));
  }

  render() {
    if (this.asking) {
      const escape = (event) => event.key === "Escape" && this.shut(true);
      return html`<form class="asking" @submit=${this.ask}>
        ${this.rule
          ? html`<input class="rule" maxlength=${MOST_LETTERS} spellcheck="false" autocapitalize="off" .value=${this.value?.startsWith(RULE) ? this.value.slice(RULE.length) : this.rule}
              aria-label="A rule, such as ${this.rule}" @keydown=${escape}>`
          : html`<input type="number" min="1" inputmode="numeric" .value=${this.value} aria-label=${this.other} @keydown=${escape}>`}
        <button class="plain">Set</button>
      </form>`;
    }
    return html`
      <button class="word" type="button" aria-haspopup="listbox" aria-expanded=${this.open ? "true" : "false"}
        aria-label="${this.label}: ${this.words}" aria-controls=${this.open ? `${this.key}-list` : nothing}
        @click=${() => (this.open ? this.shut() : this.show())}
        @keydown=${(event) => ["ArrowDown", "ArrowUp"].includes(event.key) && (event.preventDefault(), this.show())}
        >${this.words}</button>${this.open
        ? html`<ul class="menu" role="listbox" id="${this.key}-list" tabindex="0" aria-label=${this.label}
            aria-activedescendant="${this.key}-${this.active}" @keydown=${this.keys}
            @focusout=${(event) => !this.contains(event.relatedTarget) && event.relatedTarget && this.shut()}>
            ${repeat(this.list, (option) => option.value, (option, i) => html`<li id="${this.key}-${i}" role="option"
              class=${i === this.active ? "active" : ""} aria-selected=${option.value === this.value ? "true" : "false"}
              @pointermove=${() => (this.active = i)} @click=${() => this.choose(option)}>
              <span class="what">${option.words}</span>
              ${option.about ? html`<span class="about">${option.about}</span>` : nothing}</li>`)}
          </ul>`
        : nothing}`;
  }
}

customElements.define("dw-choice", Choice);
