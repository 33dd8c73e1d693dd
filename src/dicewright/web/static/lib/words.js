// Words for people. Numbers are shown to one decimal; the server's own words are used wherever it has any.
export const percent = (chance) => (chance === null || chance === undefined ? "–" : `${(100 * chance).toFixed(1)} %`);
const sign = (value, text) => (Number(text) === 0 ? "" : value > 0 ? "+" : "−") + text;
// Points won or lost, with their sign.
export const tally = (value, digits = 2) => (value === null || value === undefined ? "–" : sign(value, Math.abs(value).toFixed(digits)));
// What something is worth in the unit of its game: a chance of winning, or points.
export const worthOf = (value, unit) => (unit !== "points" ? percent(value) : value === null || value === undefined ? "–" : `${tally(value)} points`);

// A loss, here as in the terminal: the exact difference, rounded once, not the difference of two worths as they are shown.
export const LEAST = 1e-9; // less than this is no loss
export function lossOf(loss, unit) {
  const words = unit === "points" ? `${loss.toFixed(2)} points` : percent(loss);
  return loss > LEAST && Number.parseFloat(words) === 0 ? (unit === "points" ? "<0.01 points" : "<0.1 %") : words;
}
// A loss per decision: with one digit more.
export const rateOf = (loss, unit) => (unit === "points" ? `${loss.toFixed(3)} points` : `${(100 * loss).toFixed(2)} %`);

// What the numbers beside the actions are.
export const scale = (unit) => (unit === "points" ? "the points you can expect" : "your chance of winning, in %");
export const signed = (share) => `${share > 0 ? "+" : share < 0 ? "−" : ""}${Math.abs(100 * share).toFixed(1)}`;

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const number = (n) => NUMBERS[n] ?? String(n);
const FACES = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const face = (n, many = false) => (many ? (n === 6 ? "sixes" : `${FACES[n]}s`) : FACES[n]);
export const dice = (faces) => faces.map((one) => face(one)).join(", ");
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const other = (seat) => (seat === "first" ? "second" : "first");
export const index = (seat) => (seat === "second" ? 1 : 0);

// A roll and whose dice they are. In race games the player's own "roll" stands before it.
export function diceWords({ of, choice, words }, { family }, name) {
  if (family === "race") return words;
  if (choice === null) return `${name(of)}: ${words}`;
  if (family === "calling") return `${name(of)} rolled ${words}`;
  return `${name(of) === "you" ? "your" : `${name(of)}’s`} dice: ${words}`;
}

const TITLES = {
  pig: "Pig",
  piglet: "Piglet",
  "two-dice-pig": "Two-Dice Pig",
  "big-pig": "Big Pig",
  hog: "Hog",
  "pass-the-pigs": "Pass the Pigs",
  "liars-die": "Liar’s Die",
  mia: "Mia",
  "liars-dice-poker": "Liar’s Poker Dice",
  bluff: "Bluff",
  "bluff-match": "Bluff match",
};
export const title = (name) => TITLES[name] ?? capital(name.replaceAll("-", " "));

// What the server says it is doing, with titles instead of the names of games.
export const progress = (text, game, named) => text.replaceAll(game, named ?? title(game.split(":")[0])).replace(/\b(preparing) (\S+) for /, (_, verb, strategy) => `${verb} ${strategyName(strategy)} for `);

// An error of the server's as a sentence, likewise.
export function sentence(text, game, named) {
  const told = capital(progress(text, game, named));
  return /[.!?…]$/.test(told) ? told : `${told}.`;
}

// How a field of a game is said in the sentence and in its menu: value -> words.
const FIELDS = {
  goal: (value) => `to ${value}`,
  sides: (value) => `${value} sides to a die`,
  "dice/bluff": (value) => versus(value),
  "dice/bluff-match": (value) => versus(value),
  "dice/hog": (value) => `up to ${value} dice`,
  dice: (value) => (value === "1" ? "one die" : `${number(+value)} dice`),
  one: { busts: "a 1 loses the turn", scores: "a 1 scores one point" },
  ones: { ruin: "two 1s lose everything", bust: "two 1s lose only the turn" },
  finish: { reach: "reach the goal or pass it", exact: "hit the goal exactly" },
  payoff: { win: "playing to win", margin: "playing for the margin", difference: "playing for points" },
  skip: { no: "a turn needs a roll", yes: "a turn may be skipped" },
  wild: { high: "the highest face is wild", ones: "ones are wild", none: "nothing is wild" },
  order: {
    face: "more dice, or a higher face",
    quantity: "a higher face first",
    dudo: "as in Dudo",
    fixed: "the first face stays",
  },
  spot_on: { no: "no spot-on", yes: "spot-on allowed" },
  wild_bids: { yes: "wild faces may be bid", no: "wild faces may not be bid" },
  wild_opens: { yes: "opening on wild allowed", no: "no opening on wild" },
  loss: { one: "the loser loses a die", difference: "lose as many as the bid was off", give: "the loser gives a die away" },
  opens: { loser: "the loser opens", winner: "the winner opens", alternate: "opening alternates" },
  reward: { none: "spot-on earns nothing more", regain: "spot-on regains a die" },
  palifico: { no: "no palifico", yes: "with palifico" },
  truth: { "at-least": "a higher roll also counts as true", exactly: "only the exact roll is true" },
  below: { yes: "calling less than you rolled is allowed", no: "calling less than you rolled is forbidden" },
  keep: { no: "all dice are rolled afresh", yes: "dice may be kept" },
  kickers: { yes: "kickers count", no: "kickers do not count" },
};
const LABELS = {
  goal: "Goal", sides: "Sides", dice: "Dice", one: "A 1", ones: "Two 1s", finish: "The finish", payoff: "Payoff",
  skip: "Skipping", wild: "Wild", order: "Bids rise by", spot_on: "Spot-on", wild_bids: "Bids on wild",
  wild_opens: "Opening on wild", loss: "The loser", opens: "Who opens", reward: "Reward", palifico: "Palifico",
  truth: "Truth", below: "Low calls", keep: "Keeping dice", kickers: "Kickers",
};
const MAIN = new Set(["goal", "dice"]);
const PRESETS = {
  goal: { pig: [25, 50, 100, 200], piglet: [3, 10, 20], "*": [25, 50, 100] },
  sides: { bluff: [2, 3, 4, 6], "bluff-match": [3, 4, 6], mia: [3, 4, 6, 8], "liars-die": [4, 6, 10, 20], "*": [6] },
  dice: {
    bluff: ["1v1", "2v1", "1v2", "2v2", "3v2", "3v3"],
    "bluff-match": ["2v1", "1v2", "2v2", "3v3"],
    hog: [5, 10],
    "liars-dice-poker": [1, 2, 3, 5],
    "*": [1, 2, 3],
  },
};

function versus(value) {
  const [mine, theirs] = value.split("v").map(Number);
  return mine === theirs ? `${number(mine)} ${mine === 1 ? "die" : "dice"} each` : `${number(mine)} against ${number(theirs)}`;
}

export const isMain = (field) => MAIN.has(field);
export const fieldLabel = (field) => LABELS[field] ?? capital(field.replaceAll("_", " "));
export const presets = (field, game) => (PRESETS[field]?.[game] ?? PRESETS[field]?.["*"] ?? []).map(String);

export function fieldWords(field, value, game) {
  const words = FIELDS[`${field}/${game}`] ?? FIELDS[field];
  if (typeof words === "function") return words(value);
  return words?.[value] ?? `${fieldLabel(field).toLowerCase()} ${value}`;
}

// "pig:goal=50" <-> { name: "pig", values: { goal: "50" } }
export function readGame(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  const pairs = rest.split(",").filter(Boolean).map((part) => part.split("="));
  return { name, values: Object.fromEntries(pairs) };
}

export function showGame(name, values) {
  const parts = Object.entries(values).map(([field, value]) => `${field}=${value}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

// What the menus say of the usual games and opponents; of others the server's own sentence is shown.
const ABOUT = {
  pig: "One die. Roll as often as you dare; a 1 loses the turn.",
  piglet: "A coin instead of a die: the smallest game of nerve.",
  "two-dice-pig": "Two dice; a 1 loses the turn, two 1s lose everything.",
  "big-pig": "Two dice, doubles count twice, two 1s are worth 25.",
  hog: "Choose how many dice to roll, once a turn.",
  "pass-the-pigs": "Two rubber pigs, with the chances of 6000 real throws.",
  "liars-die": "One die under a cup. Say what you rolled, or lie.",
  mia: "Two dice under a cup, 21 beats everything. Say what you rolled, or lie.",
  "liars-dice-poker": "Poker dice under a cup.",
  bluff: "Hidden dice, rising bids on all of them, one call: one round.",
  "bluff-match": "Rounds of Bluff until somebody has no dice left.",
  optimal: "Plays exactly: nobody does better against it.",
  hold: "Holds at the same turn total every time.",
  turtle: "Banks a little every turn.",
  "roll-to-win": "Never holds before the goal.",
  random: "Does anything that is allowed.",
  "four-scoring-turns": "Divides what is left into even turns.",
  "keep-pace": "Follows the lead, and rolls to win in sight of the goal.",
  "end-race": "Holds at a fixed number until somebody is near the goal.",
  "fewest-turns": "Gets home in as few turns as it can, whatever you do.",
  "max-difference": "Plays for points rather than for the win.",
  truthful: "Never lies if it can help it.",
  "call-below": "Counts the odds, and calls what is unlikely.",
  tree: "Guesses how often you challenge (Johnson 2006).",
  matrix: "Mixes its calls by a table (Johnson 2006).",
};
export const about = (text, otherwise) => ABOUT[text.split(":")[0]] ?? otherwise;

const STRATEGIES = {
  person: "another person",
  optimal: "the optimal player",
  random: "a random player",
  truthful: "a truthful player",
  turtle: "the turtle",
  "roll-to-win": "a daredevil",
  "four-scoring-turns": "the divider",
  "keep-pace": "the pacemaker",
  "end-race": "the end-racer",
  "fewest-turns": "the sprinter",
  "max-difference": "the point collector",
  "roll-and-wait": "the roll-and-wait player",
  "call-below:0.3": "a reckoner",
  tree: "the guesser",
  matrix: "the mixer",
};

export function strategyName(text) {
  if (!text) return "a person";
  if (STRATEGIES[text]) return STRATEGIES[text];
  const [name, rest] = text.split(/:(.*)/s);
  if (name === "hold") return `the hold-at-${rest} player`;
  return rest ? `${name.replaceAll("-", " ")} ${rest}` : name.replaceAll("-", " ");
}

// A player of a finished game: `mine` if this browser holds the seat. Unnamed people are stored as "you" or "guest".
export const player = (name, mine) => (name === "you" || name === "guest" || !name ? (mine ? "you" : "a guest") : name.includes(":") || STRATEGIES[name] ? nickname(name) : name);

// As the name of a player at the table.
export const nickname = (text) => strategyName(text).replace(/^(the optimal) player$/, "optimal").replace(/^(a|the) /, "").replace(/ player$/, "");
