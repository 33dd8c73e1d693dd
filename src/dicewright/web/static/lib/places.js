// Decisions and positions in words, from the notation of the analysis document ("2 | 1x3", "accepted 53, called 64").
import { readBid } from "./story.js";
import { face, number } from "./words.js";

// "2x5" -> "two fives"; other actions as they are.
export function choiceWords(text) {
  const bid = readBid(text);
  if (bid) return `${number(bid.quantity)} ${face(bid.face, bid.quantity !== 1)}`;
  if (text === "keep") return "keep nothing";
  return text?.replace(/^keep(?=\d)/, "keep ").replace("spot-on", "spot on") ?? "";
}

// "2,5,5" -> "a two and two fives"
export function handWords(text) {
  const counts = new Map();
  for (const one of text.split(",").map(Number)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const parts = [...counts].map(([one, count]) => (count === 1 ? `a ${face(one)}` : `${number(count)} ${face(one, true)}`));
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0];
}

const readBluff = (view) => {
  const [hand, said = ""] = view.split(" / ").at(-1).split("|");
  return { hand: hand.trim(), said: said.trim().split(/\s+/).filter((word) => word && word !== "/other") };
};
const readCalling = (view) => Object.fromEntries(view.split(", ").map((part) => part.split(" ")));
const readRace = (view) => /^(\d+)-(\d+)(?:\+(\d+))?/.exec(view)?.slice(1).map((one) => Number(one ?? 0));

// What the mover saw, in the server’s words if it has any. `mine`: the reader is the mover.
export function positionWords(family, { view, place }, mine = false) {
  if (place || !view) return place ?? "";
  if (family === "race") {
    const [own, others, turn] = readRace(view) ?? [];
    if (own === undefined) return view;
    return mine ? `your score ${own}, theirs ${others}, turn ${turn}` : `own score ${own}, the other’s ${others}, turn ${turn}`;
  }
  if (family === "bluff") {
    const { hand, said } = readBluff(view);
    return `${handWords(hand)}; ${said.length ? `after ${said.map(choiceWords).join(", ")}` : "opening"}`;
  }
  const { accepted, rolled, called, seen, kept } = readCalling(view);
  return [rolled && `rolled ${rolled}`, called && `${called} called`, seen && `${seen} under the cup`, kept && `${kept} kept`,
    accepted && `${accepted} accepted`].filter(Boolean).join("; ") || "nothing called yet";
}

// A choice of a moment as something done: "rolling", "bidding two fives", "calling 64".
export function doingWords(family, choice, { doing } = {}) {
  if (doing) return doing[choice];
  if (family === "race") return choice === "hold" ? "holding" : choice === "roll" ? "rolling" : `rolling ${choice === "1" ? "one die" : `${number(Number(choice))} dice`}`;
  if (choice === "spot-on") return "saying spot on";
  if (family === "bluff") return choice === "call" ? "calling" : `bidding ${choiceWords(choice)}`;
  if (choice.startsWith("keep")) return `keeping ${choice.slice(4) || "nothing"}`;
  return { accept: "accepting", challenge: "challenging" }[choice] ?? `calling ${choice}`;
}

// A decision and where it was made: "bidding two fives with a two, opening".
export function placeWords(family, { view, choice, decision }) {
  if (decision) return decision;
  if (family === "race") {
    const [own, others, turn] = readRace(view) ?? [];
    const points = `${turn} ${turn === 1 ? "point" : "points"}`;
    const doing = choice === "hold" ? `holding ${turn ? points : "at once"}` : choice === "roll" && turn ? `rolling again with ${points} at stake`
      : doingWords(family, choice);
    return own === undefined ? `${doing} at ${view}` : `${doing} at ${own} to ${others}`;
  }
  if (family === "bluff") {
    const { hand, said } = readBluff(view);
    const last = said.length ? choiceWords(said.at(-1)) : null;
    const held = handWords(hand);
    const doing = doingWords(family, choice);
    if (choice === "call") return `${doing} ${last} with ${held}`;
    if (choice === "spot-on") return `${doing} to ${last} with ${held}`;
    return `${doing} with ${held}, ${last ? `after ${last}` : "opening"}`;
  }
  const { accepted, rolled, called, seen } = readCalling(view);
  const after = accepted ? ` after ${accepted} had been accepted` : "";
  const doing = doingWords(family, choice);
  if (["accept", "challenge"].includes(choice)) return `${doing} ${called}${after}`;
  if (choice.startsWith("keep")) return `${doing}${seen ? ` of ${seen}` : ""}${after}`;
  return `${doing} with ${rolled} under the cup${accepted ? `, after ${accepted}` : ""}`;
}
