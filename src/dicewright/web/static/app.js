// The shell: which room the address names, the way between rooms, the colours.
import { html, nothing } from "./vendor/lit.js";
import { recall, remember } from "./lib/memory.js";
import { part, Room, titled } from "./lib/element.js";

const STUDY = /^\/study$/; // a room of its own: no way leads from it to the others
const ROOMS = [
  { path: /^\/$/, load: () => import("./rooms/table.js"), draw: () => html`<dw-table></dw-table>` },
  { path: /^\/g\/([\w-]+)$/, load: () => import("./rooms/game.js"), draw: ([, id]) => html`<dw-game .gameId=${id}></dw-game>` },
  { path: /^\/explore$/, load: () => import("./rooms/explore.js"), draw: () => html`<dw-explore></dw-explore>` },
  { path: /^\/design$/, load: () => import("./rooms/design.js"), draw: () => html`<dw-design></dw-design>` },
  { path: STUDY, load: () => import("./rooms/study.js"), draw: () => html`<dw-study></dw-study>` },
  { path: /^\/games$/, load: () => import("./rooms/shelf.js"), draw: () => html`<dw-shelf></dw-shelf>` },
  { path: /^\/you$/, load: () => import("./rooms/you.js"), draw: () => html`<dw-you></dw-you>` },
];
const DOORS = [["/", "Play"], ["/explore", "Explore"], ["/design", "Design"], ["/games", "Shelf"], ["/you", "You"]];
const THEMES = { system: "Colours: as the system", light: "Colours: light", dark: "Colours: dark" };

export function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  dispatchEvent(new Event("go"));
}

function failed({ message }) {
  titled("Not loaded");
  return html`<section class="room"><h1>Not loaded</h1><p class="error" role="alert">${message}</p>
    <p class="go"><button class="main" type="button" @click=${() => location.reload()}>Reload the page</button></p></section>`;
}

function nowhere() {
  titled("Nothing here");
  return html`<section class="room"><h1>Nothing here</h1><p>There is no such page. <a href="/">Back to the table</a></p></section>`;
}

class App extends Room {
  static properties = { path: { state: true }, room: { state: true }, theme: { state: true } };

  constructor() {
    super();
    document.querySelector(".unloaded")?.remove();
    this.theme = recall("theme", "system");
    this.dress();
    addEventListener("popstate", () => this.enter());
    addEventListener("go", () => this.enter(true));
    addEventListener("click", (event) => this.follow(event));
    this.enter();
  }

  follow(event) {
    const link = event.target.closest?.("a[href]");
    const plain = !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !plain || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.getAttribute("href").startsWith("#")) return;
    const room = ROOMS.some((one) => one.path.test(link.pathname));
    if (!room) return;
    event.preventDefault();
    go(link.href);
  }

  async enter(moved = false) {
    const path = location.pathname;
    if (path === this.path && this.room) {
      this.querySelector("#room")?.firstElementChild?.arrived?.();
      return;
    }
    this.path = path;
    const room = ROOMS.find((one) => one.path.test(path));
    const drawn = room ? await part(room.load).then(() => room.draw(path.match(room.path)), failed) : nowhere();
    if (path !== location.pathname) return;
    this.room = drawn;
    scrollTo(0, 0);
    if (moved) await this.focusOn("#room");
  }

  dress() {
    const root = document.documentElement;
    if (this.theme === "system") root.removeAttribute("data-theme");
    else root.dataset.theme = this.theme;
    dispatchEvent(new Event("dressed"));
  }

  turn() {
    const names = Object.keys(THEMES);
    this.theme = names[(names.indexOf(this.theme) + 1) % names.length];
    remember("theme", this.theme);
    this.dress();
  }

  render() {
    const here = ([address]) => (address === "/" ? this.path === "/" : this.path.startsWith(address));
    return html`
      <header class="top">
        <a class="mark" href=${STUDY.test(this.path) ? nothing : "/"} aria-label=${STUDY.test(this.path) ? nothing : "dicewright, to the table"}><svg viewBox="0 0 32 32" aria-hidden="true">
          <rect class="body" x="1" y="1" width="30" height="30" rx="7"></rect>
          <g class="pips"><circle cx="9.5" cy="9.5" r="3"></circle><circle cx="16" cy="16" r="3"></circle><circle cx="22.5" cy="22.5" r="3"></circle></g>
        </svg><span>dicewright</span></a>
        ${STUDY.test(this.path) ? nothing : html`<nav aria-label="Rooms">${DOORS.map((door) => html`<a href=${door[0]} aria-current=${here(door) ? "page" : nothing}>${door[1]}</a>`)}</nav>`}
        <button class="theme" type="button" @click=${this.turn} aria-label=${THEMES[this.theme]} title=${THEMES[this.theme]}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><circle class="moon" cx="12" cy="12" r="8.5"></circle>
          <path class="half ${this.theme}" d="M12 3.5 a8.5 8.5 0 0 1 0 17 Z"></path></svg>
        </button>
      </header>
      <main id="room" tabindex="-1">${this.room ?? html`<p class="room working" role="status">Setting the table …</p>`}</main>`;
  }
}

customElements.define("dw-app", App);
