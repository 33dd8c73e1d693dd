// Sounds, made here and off until they are switched on: [frequency in Hz, start and length in seconds] of each tone.
import { recall } from "./memory.js";

const TONES = {
  dice: [[900, 0, 0.03], [700, 0.06, 0.03]],
  said: [[440, 0, 0.06]],
  won: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.3]],
  lost: [[392, 0, 0.18], [311, 0.18, 0.4]],
};
const LOUD = 0.06;
let context = null;

export function play(name) {
  if (!recall("sound", false)) return;
  context ??= new AudioContext();
  for (const [frequency, start, length] of TONES[name]) {
    const [tone, volume, at] = [context.createOscillator(), context.createGain(), context.currentTime + start];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
