// How a game is staged: the server's answer is there at once, and is shown one thing at a time. Everything on the page is
// drawn from what has been shown (`seen`), never from what is known already.
import { announce, pause, Room } from "../lib/element.js";
import { play } from "../lib/sound.js";
import { capital, diceWords, spoken } from "../lib/words.js";

const ROLL = 350; // how long dice tumble
const BREATH = 320; // between two things that are shown
const THINKS = [600, 1200]; // how long another player thinks, at least and at most
const SAID = -1; // how far the dice of an end are shown: it is said, the cup lifts, so many are counted, all is told
export const ALL = 99;

export class Stage extends Room {
  // What everything is drawn from: the table as it stood when all had been shown, and the events shown since.
  get seen() {
    const { view, stood, shown } = this;
    if (this.settled || !stood) return view;
    const told = stood.events.slice(0, shown); // dice that are uncovered later stay covered till then
    const { players, begun, client_seed, position } = view;
    return { ...stood, players, begun, client_seed, position: stood.position ?? position, events: [...told, ...view.events.slice(told.length, shown)] };
  }

  get settled() {
    return this.shown >= this.view.events.length && !this.tumbling && !this.resting && this.counted === ALL;
  }

  // Who is to move at the table as it is shown; nobody while dice are counted and between rounds.
  get mover() {
    const { view, shown } = this;
    if (this.settled) return view.to_move;
    if (this.counted !== ALL || this.resting) return null;
    const event = view.events[shown];
    return event.who === "dice" ? event.of : event.who;
  }

  // How many dice tumble: as many as fall, without their faces.
  get falling() {
    return this.view.events[this.shown]?.scene.dice?.length || 1;
  }

  // Show the events not yet seen, one after the other, then ask for the next decision.
  async show() {
    const { live } = this;
    if (this.showing === live) return;
    this.showing = live;
    const here = () => this.isConnected && this.live === live;
    while (here() && this.shown < this.view.events.length) await this.step();
    if (!here()) return;
    this.showing = null;
    this.decide();
  }

  // A pause in showing this game; if it is left meanwhile, or what is being shown is taken back, nothing follows.
  async pause(milliseconds) {
    const { live, stage } = this;
    if (!this.skipping) await new Promise((woken) => pause(milliseconds).then((this.wake = woken)));
    if (!this.isConnected || this.live !== live || this.stage !== stage) await new Promise(() => {});
  }

  skip() {
    this.skipping = true;
    this.wake?.();
  }

  async step() {
    const event = this.view.events[this.shown];
    const [dice, own] = [event.who === "dice", event.who === this.view.seat];
    const { won } = event.scene; // a round of several
    const end = this.family.reveals?.(event) ?? (won && { winner: won });
    if (dice && this.family.tumbles) {
      [this.sent, this.tumbling] = [false, true];
      await this.pause(ROLL);
      this.tumbling = false;
    } else if (!dice && !own) await this.pause(THINKS[0] + Math.random() * (THINKS[1] - THINKS[0]));
    if (end) this.counted = SAID;
    this.shown += 1;
    play(dice ? "dice" : "said");
    announce(dice ? `${diceWords(event, this.view, this.name)}.` : `${capital(this.name(event.who))}: ${event.words}.`);
    if (end) await this.reveal(end);
    else if (this.shown < this.view.events.length && (dice ? this.family.tumbles : !own)) await this.pause(BREATH);
  }

  // What was said stands a moment; the cup is lifted, the matching dice are counted one by one, then the verdict is told.
  // Between rounds of a match we rest there.
  async reveal(end) {
    this.uncovered = end;
    await this.pause(2 * BREATH);
    this.stood = { ...this.stood, events: this.view.events.slice(0, this.shown) };
    this.counted = 0;
    await this.pause(2 * BREATH);
    for (let n = 1; n <= (end.found ?? 0); n += 1) {
      this.counted = n;
      play("dice");
      await this.pause(BREATH + 80);
    }
    const last = this.shown === this.view.events.length && this.view.ended;
    if (!last) this.resting = () => {};
    this.counted = ALL;
    announce(this.family.verdict?.(end, this) ?? capital(spoken(this.view.says.wins, this.name(end.winner))));
    if (last) return;
    this.focusOn("[data-decision=next]");
    await (this.view.seat ? new Promise((rested) => (this.resting = rested)) : this.pause(4 * BREATH));
    this.stood = { ...this.stood, position: this.view.position }; // the dice of the next round
    this.resting = null;
  }
}
