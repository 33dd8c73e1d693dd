// Who plays here: a name asked once, a code that carries it to another device, and all of it taken home or away.
import { html, nothing } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { announce, Room } from "../lib/element.js";
import { become, me, tokens } from "../lib/memory.js";
import { sentence } from "../lib/words.js";

const STRANGE = 403; // the code of another server

// Keep a person in this browser, with the seats that it holds already.
async function keep(person) {
  become(person);
  if (Object.keys(tokens()).length) await api.keepSeats(person.code);
}

// The code at the end of a link; the address forgets it at once.
export function brought() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

export const isStrange = ({ status }) => status === STRANGE;

class Name extends Room {
  static properties = {
    offered: { attribute: false }, lost: { attribute: false }, error: { state: true }, busy: { state: true }, asking: { state: true },
    other: { state: true }, copied: { state: true },
  };

  willUpdate(changed) {
    if (changed.has("offered") && this.offered) this.take(this.offered);
  }

  // One thing at a time; what is refused is told in the server's sentence.
  async doing(work) {
    if (this.busy) return;
    [this.busy, this.error] = [true, null];
    try {
      await work();
    } catch (error) {
      this.error = error.message;
    }
    this.busy = false;
  }

  changed() {
    this.asking = null;
    this.dispatchEvent(new CustomEvent("named", { bubbles: true }));
  }

  begin(event) {
    event.preventDefault();
    const name = new FormData(event.target).get("name");
    return this.doing(async () => {
      await keep(await api.begin(name));
      announce(`You play as ${me().name}.`);
      this.changed();
    });
  }

  enter(event) {
    event.preventDefault();
    return this.take(new FormData(event.target).get("code"));
  }

  // Somebody with a code comes; whoever plays here already is asked first.
  take(code) {
    return this.doing(async () => {
      const written = code.slice(code.lastIndexOf("=") + 1).trim();
      const found = { ...(await api.whose(written)), code: written };
      if (me() && !this.lost && me().name !== found.name) this.other = found;
      else await this.become(found);
    });
  }

  async become({ name, code }) {
    this.other = null;
    await keep({ name, code });
    announce(`You play as ${name}.`);
    this.changed();
  }

  get link() {
    return `${location.origin}/you#code=${me().code}`;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.link);
      this.copied = "Copied.";
    } catch {
      this.copied = "Copying is not allowed here; write the code down.";
    }
    announce(this.copied);
  }

  download() {
    return this.doing(async () => {
      const file = new Blob([JSON.stringify(await api.myData(), null, 1)], { type: "application/json" });
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "dicewright-me.json" });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  // Here: this browser forgets who plays, the code still works. Everywhere: nothing is kept on the server either.
  leave(everywhere) {
    return this.doing(async () => {
      if (everywhere) await api.forgetMe();
      become(null);
      announce("Nobody has a name here now.");
      this.changed();
    });
  }

  wrong() {
    return this.error ? html`<p class="error" role="alert">${sentence(this.error)}</p>` : nothing;
  }

  nameless() {
    return html`<form class="named" @submit=${this.begin}>
        <label for="name">My name</label><input id="name" name="name" maxlength="40" autocomplete="nickname" required .value=${this.lost ? me().name : ""}>
        <button class="main" aria-busy=${this.busy ? "true" : "false"}>Begin</button></form>
      ${this.wrong()}
      ${this.asking === "code" ? this.codeForm()
        : html`<p><button class="link" type="button" @click=${() => this.ask("code")}>I have a code from another device</button></p>`}`;
  }

  ask(what) {
    [this.asking, this.error] = [what, null];
    this.focusOn(what === "code" ? "#code" : "[data-ask]");
  }

  codeForm() {
    return html`<form class="named" @submit=${this.enter}><label for="code">My code, or the link</label>
      <input id="code" name="code" maxlength="200" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
      <button class="main" aria-busy=${this.busy ? "true" : "false"}>That is me</button></form>`;
  }

  render() {
    const { other } = this;
    if (other) {
      return html`<div class="notice" role="alert"><p>This code is ${other.name}’s, and this browser plays as ${me().name}. What ${me().name} played stays
        under ${me().name}’s code, <strong class="code">${me().code}</strong>: write it down first.</p>
        <p class="go"><button class="main" type="button" @click=${() => this.doing(() => this.become(other))}>Play as ${other.name}</button>
        <button class="plain" type="button" @click=${() => (this.other = null)}>Stay ${me().name}</button></p></div>`;
    }
    if (!me() || this.lost) return this.nameless();
    return html`<details class="fold"><summary>On another device</summary>
        <p>Open this link there, or type the code on its page You. In the terminal: <code>dicewright me --code …</code></p>
        <p class="go"><strong class="code">${me().code}</strong><button class="plain" type="button" @click=${this.copy}>Copy the link</button>
          <span class="quiet" role="status">${this.copied ?? ""}</span></p>
        <p class="quiet">Whoever has the code is you: keep it. Nobody can give it to you again.</p>
        ${this.asking === "code" ? this.codeForm() : html`<p><button class="link" type="button" @click=${() => this.ask("code")}>I have another code</button></p>`}
        ${this.asking === "code" ? this.wrong() : nothing}</details>
      <details class="fold"><summary>My data</summary>
        <p>Your games with their records, what they cost you, and what you practise; nothing else is kept.</p>
        ${this.asking === "code" ? nothing : this.wrong()}
        ${this.asking === "delete" ? html`<p>Your games against the computer are deleted, your name goes from games with other people, and the code ends. This cannot be undone.</p>
          <p class="go"><button class="second" type="button" data-ask @click=${() => this.leave(true)}>Delete everything</button>
            <button class="plain" type="button" @click=${() => (this.asking = null)}>Keep it</button></p>`
        : this.asking === "leave" ? html`<p>This browser forgets ${me().name}; with the code <strong class="code">${me().code}</strong> you come back.</p>
          <p class="go"><button class="second" type="button" data-ask @click=${() => this.leave(false)}>Forget me here</button>
            <button class="plain" type="button" @click=${() => (this.asking = null)}>Stay</button></p>`
        : html`<p class="go"><button class="plain" type="button" @click=${this.download}>Download it</button>
          <button class="plain" type="button" @click=${() => this.ask("leave")}>Leave this browser …</button>
          <button class="plain" type="button" @click=${() => this.ask("delete")}>Delete it …</button></p>`}</details>`;
  }
}

customElements.define("dw-name", Name);
