// What the table looks like after some of a game's events. Pure functions of the view document, so that play can be
// shown one event after the other although the server answers with all of them at once.
import { index, other } from "./words.js";

const ENDS = new Set(["call", "spot-on"]);
const isDice = (event) => event.who === "dice";

// Race: scores, the running turn and its rolls, and the turn before it.
export function race(view, count) {
  const goal = view.position.goal;
  const exact = view.game.includes("finish=exact");
  const scene = { scores: [0, 0], turn: 0, mover: "first", rolls: [], before: null };
  const pass = (how) => {
    scene.before = { who: scene.mover, rolls: scene.rolls, how };
    Object.assign(scene, { mover: other(scene.mover), turn: 0, rolls: [] });
  };
  for (const event of view.events.slice(0, count)) {
    const at = index(scene.mover);
    if (!isDice(event)) {
      scene.mover = event.who;
      if (event.choice === "hold") {
        scene.scores[index(event.who)] += scene.turn;
        pass("hold");
      }
      continue;
    }
    const [, sign, points] = event.choice.match(/^(\+|bank)(\d+)$/) ?? [];
    const gain = Number(points ?? 0);
    scene.rolls = [...scene.rolls, event];
    const passed = exact && scene.scores[at] + gain + (sign === "+" ? scene.turn : 0) > goal;
    if (sign === "+" && !passed) scene.turn += gain;
    else if (sign === "bank" && !passed) {
      scene.scores[at] += gain;
      pass("bank");
    } else {
      if (event.choice === "ruin") scene.scores[at] = 0;
      pass(event.choice === "ruin" ? "ruin" : "bust");
    }
  }
  return scene;
}

// Whether the story of the whole record ends where the server says it does (not so for a game begun midway).
export function tellsAll(view) {
  if (view.family !== "race") return true;
  const { scores, turn } = race(view, view.events.length);
  const there = view.position;
  return view.ended !== null || (String(scores) === String(there.scores) && turn === there.turn);
}

// Bluff: the rounds; each has the hands of first and second ([] while hidden), what was said, and how it ended.
export function bluff(view, count) {
  const rounds = [];
  const palifico = view.game.includes("palifico=yes");
  const fallen = new Set();
  for (const event of view.events.slice(0, count)) {
    let round = rounds.at(-1);
    if (isDice(event)) {
      if (!round || round.said.length) rounds.push((round = { hands: { first: [], second: [] }, said: [], wild: null }));
      round.hands[event.of] = event.dice;
    } else if (round) round.said.push({ who: event.who, bid: event.choice, words: event.words });
  }
  rounds.forEach((round, i) => {
    round.opener = round.said[0]?.who ?? view.position?.opener ?? "first";
    round.over = ENDS.has(round.said.at(-1)?.bid);
    if (palifico && i) {
      const fell = ["first", "second"].filter((seat) => {
        const [now, before] = [round.hands[seat].length, rounds[i - 1].hands[seat].length];
        return before > 1 && now === 1 && !fallen.has(seat) && fallen.add(seat);
      });
      if (fell.length) round.wild = 0;
    }
    round.wild ??= palifico ? usualWild(view) : view.position.wild;
  });
  return rounds;
}

function usualWild(view) {
  if (view.game.includes("wild=none")) return 0;
  return view.game.includes("wild=ones") ? 1 : view.position.sides;
}

export function readBid(text) {
  const match = /^(\d+)x(\d+)$/.exec(text ?? "");
  return match && { quantity: Number(match[1]), face: Number(match[2]) };
}

// The end of a round of Bluff: the bid, how many dice match it, and who won.
export function verdict(round) {
  const { who, bid: word } = round.said.at(-1);
  const bid = readBid(round.said.at(-2).bid);
  const counts = (face) => face === bid.face || (round.wild && face === round.wild);
  const found = Object.values(round.hands).flat().filter(counts).length;
  const right = word === "spot-on" ? found === bid.quantity : found < bid.quantity;
  return { bid, word, found, counts, winner: right ? who : other(who), caller: who };
}

// Calling games: one passage of the cup after the other.
export function calling(view, count) {
  const passages = [];
  for (const event of view.events.slice(0, count)) {
    if (isDice(event)) {
      passages.push({ roll: event.choice, dice: event.dice, call: null, who: null, answer: null, answerer: null });
    } else if (passages.length) {
      const now = passages.at(-1);
      if (event.choice === "accept" || event.choice === "challenge") {
        Object.assign(now, { answer: event.choice, answerer: event.who });
      } else if (!event.choice?.startsWith("keep")) Object.assign(now, { call: event.choice, who: event.who });
    }
  }
  return passages;
}
