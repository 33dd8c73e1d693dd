// A live game over a websocket: reconnects with growing pauses and sends again what was not acknowledged.
// A move keeps its id across connections, so the server applies it once however often it arrives.
// Each connection begins with a whole state (`seen: 0`); later ones carry the events from `since` on.
const FIRST_PAUSE = 150;
const LONGEST_PAUSE = 1500; // so that a server that is back is found within two seconds
const LOST_FOR_GOOD = new Map([
  [4404, "There is no such game here. It may have been cleared, or the link is incomplete."],
  [4403, "This browser holds a seat of another game. Open the link you were given again."],
]);

export class Live {
  #socket = null;
  #pause = FIRST_PAUSE;
  #timer = null;
  #closed = false;
  #pending = null;
  #greeted = false; // on this connection
  #sent = false; // the pending move, on this connection

  // hear: { state, hint, error, link } are called with what arrives; link with "open", "lost" or a
  // last sentence and its close code. Every other code (1013: too busy) is tried again.
  constructor(id, { token, seed }, hear) {
    Object.assign(this, { id, token, seed, hear });
    addEventListener("online", this.#wake);
    this.#connect();
  }

  get waiting() {
    return this.#pending !== null;
  }

  move(action, ply) {
    if (this.#pending) return;
    this.#sent = false;
    this.#pending = { type: "move", id: crypto.getRandomValues(new Uint32Array(4)).join("-"), ply, action };
    if (this.#greeted) this.#send();
  }

  hint() {
    this.#say({ type: "hint" });
  }

  back(ply) {
    this.#say({ type: "back", ply });
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#wake);
    this.#socket?.close();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/games/${this.id}`);
    this.#socket = socket;
    socket.onopen = () => this.#say({ type: "hello", token: this.token, seen: 0 });
    socket.onmessage = (message) => socket === this.#socket && !this.#closed && this.#receive(JSON.parse(message.data));
    socket.onclose = (event) => socket === this.#socket && this.#lost(event.code);
  }

  #wake = () => {
    if (this.#socket?.readyState === WebSocket.CLOSED && !this.#closed) {
      clearTimeout(this.#timer);
      this.#connect();
    }
  };

  #lost(code) {
    if (this.#closed) return;
    if (LOST_FOR_GOOD.has(code)) {
      this.#closed = true;
      this.hear.link(LOST_FOR_GOOD.get(code), code);
      return;
    }
    this.#greeted = this.#sent = false;
    this.hear.link("lost");
    this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #receive(frame) {
    if (frame.type === "state") {
      this.#pause = FIRST_PAUSE;
      const pending = this.#pending;
      if (pending && (frame.applied === pending.id || frame.ply > pending.ply || frame.ended)) this.#pending = null;
      if (!this.#greeted) {
        this.#greeted = true;
        if (this.token && !frame.begun) this.#say({ type: "begin", seed: this.seed });
      }
      const open = (move) => move.ply === frame.ply && frame.actions.some(({ action }) => action === move.action);
      if (this.#pending && !this.#sent && open(this.#pending)) this.#send();
      this.hear.link("open");
      this.hear.state(frame);
    } else if (frame.type === "hint") {
      this.hear.hint(frame);
    } else if (frame.type === "error") {
      if (this.#pending && frame.id === this.#pending.id) this.#pending = null;
      this.hear.error(frame);
    }
  }

  #say(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (frame.type === "hello") this.#greeted = this.#sent = false;
    this.#socket.send(JSON.stringify(frame));
  }

  // A move that cannot be said now is said when a state offers it again.
  #send() {
    this.#sent = this.#socket?.readyState === WebSocket.OPEN;
    this.#say(this.#pending);
  }
}
