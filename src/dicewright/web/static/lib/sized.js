// An element without a shadow that hears how wide it is: `resized(width)`.
import { LitElement } from "../vendor/lit.js";

export class Sized extends LitElement {
  constructor() {
    super();
    this.watcher = new ResizeObserver(([entry]) => this.resized(entry.contentRect.width));
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.watcher.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watcher.disconnect();
  }
}
