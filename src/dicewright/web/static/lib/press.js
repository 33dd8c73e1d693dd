// Which presses count. The answer to a move comes at once and may put another button under the pointer, so a press counts
// only if what it is about had been on the screen for a while when the button or the key went down. Any other does nothing.
const STEADY = 400;
const CLICKED = 350; // a touch screen may click that long after the finger has left

export class Press {
  #guarded; // a selector: what is pressed by this rule
  #what = null;
  #since = 0; // when it was drawn
  #down = null; // when what is pressed now went down; null for a click without a press, as a screen reader makes it

  constructor(guarded) {
    this.#guarded = guarded;
  }

  // This is on the screen now.
  drawn(what) {
    if (what !== this.#what) [this.#what, this.#since] = [what, performance.now()];
  }

  // Whether what is on the screen had stood long enough at that time.
  stood(time) {
    return time - this.#since >= STEADY;
  }

  listen() {
    for (const [kind, hear] of Object.entries(this.#heard)) addEventListener(kind, hear, true);
  }

  rest() {
    for (const [kind, hear] of Object.entries(this.#heard)) removeEventListener(kind, hear, true);
  }

  // A press that has clicked nothing by now is over: the next click is judged by its own time.
  #up() {
    const down = this.#down;
    setTimeout(() => {
      if (this.#down === down) this.#down = null;
    }, CLICKED);
  }

  #heard = {
    pointerdown: ({ button, timeStamp }) => {
      if (button === 0) this.#down = timeStamp; // no other button clicks
    },
    pointerup: () => this.#up(),
    pointercancel: () => (this.#down = null),
    keyup: () => this.#up(),
    keydown: ({ key, repeat, timeStamp }) => {
      if (key === "Enter") this.#down = repeat ? -Infinity : timeStamp; // held down it clicks again and again
      else if (key === " " && !repeat) this.#down = timeStamp;
    },
    click: (event) => {
      const down = this.#down ?? event.timeStamp;
      this.#down = null;
      if (this.stood(down) || !event.target.closest?.(this.#guarded)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
