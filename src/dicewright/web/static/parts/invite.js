// The link for a second person, with a button that copies it.
import { LitElement, html } from "../vendor/lit.js";
import { announce } from "../lib/announce.js";

class Invite extends LitElement {
  static properties = { link: {}, label: {}, copied: { state: true } };

  createRenderRoot() {
    return this;
  }

  async copy() {
    const field = this.querySelector("input");
    try {
      await navigator.clipboard.writeText(this.link);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    this.copied = true;
    announce("Link copied.");
    setTimeout(() => (this.copied = false), 2500);
  }

  render() {
    return html`<div class="invite"><label>${this.label}
      <input readonly .value=${this.link} @focus=${(event) => event.target.select()}></label>
      <button class="plain" type="button" @click=${this.copy}>${this.copied ? "Copied" : "Copy"}</button></div>`;
  }
}

customElements.define("dw-invite", Invite);
