// Design: a game of one's own. The server says what is drawn up here, and by which script.
import { html } from "../vendor/lit.js";
import * as api from "../lib/api.js";
import { part, Room, titled } from "../lib/element.js";

class Design extends Room {
  static properties = { drawn: { state: true }, error: { state: true } };

  constructor() {
    super();
    titled("Design");
    this.load();
  }

  async load() {
    this.error = null;
    try {
      const catalog = await api.catalog();
      const [design] = catalog.designs;
      const { draw } = await part(() => import(`../${design.script}.js`));
      this.drawn = draw(design, catalog);
    } catch (error) {
      this.error = error.message;
    }
  }

  // The address has changed, and this room is still the one that it names.
  arrived() {
    this.querySelector(".design-room")?.lastElementChild?.arrived?.();
  }

  render() {
    return html`<section class="room design-room"><h1>Design</h1>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p><button class="plain" type="button" @click=${() => this.load()}>Try again</button>`
        : this.drawn ?? html`<p class="working" role="status">Sharpening the pencil …</p>`}</section>`;
  }
}

customElements.define("dw-design", Design);
