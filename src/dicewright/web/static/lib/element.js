// What every room is made of: elements, parts of the page that are loaded late, and words for those who listen.
import { LitElement } from "../vendor/lit.js";
import { recall } from "./memory.js";

// Rooms are Lit elements without a shadow: one style sheet, labels and links work across them.
export class Room extends LitElement {
  createRenderRoot() {
    return this;
  }

  // Focus what the selector finds, once it is drawn.
  async focusOn(selector) {
    await this.updateComplete;
    this.querySelector(selector)?.focus({ preventScroll: false });
  }
}

// Hears how wide it is: `resized(width)`.
export class Sized extends Room {
  watcher = new ResizeObserver(([entry]) => this.resized(entry.contentRect.width));

  connectedCallback() {
    super.connectedCallback();
    this.watcher.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watcher.disconnect();
  }
}

export function titled(text) {
  document.title = text ? `${text} - dicewright` : "dicewright";
}

// What is needed now for the first time. What does not come is told in words; a browser may not ask for it again before
// the page is loaded anew.
export async function part(loading) {
  try {
    return await loading();
  } catch (error) {
    console.error(error);
    throw new Error("A part of the page did not load. Reload the page to try again; nothing is lost.", { cause: error });
  }
}

// One live region for the whole page. Words said within the same moment are read together.
let waiting = [];

export function announce(words) {
  if (!words) return;
  if (waiting.push(words) > 1) return;
  setTimeout(() => {
    document.getElementById("announcer").textContent = waiting.join(" ");
    waiting = [];
  }, 60);
}

export const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Pauses stay when motion is reduced: they are for following what happens. 0 is the pace of those who want none.
export const pause = async (milliseconds) => {
  const wait = milliseconds * recall("pace", 1);
  if (wait) await new Promise((done) => setTimeout(done, wait));
};
