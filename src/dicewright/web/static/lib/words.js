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

// A result with average luck: an estimate, which may lie beyond all that there is.
export const evened = (value, unit, ends = ["a clear loss", "a clear win"]) => (unit === "points" || value === null || (value >= 0 && value <= 1) ? worthOf(value, unit) : ends[Number(value > 0.5)]);

// What the numbers beside the actions are.
export const scale = (unit) => (unit === "points" ? "the points you can expect" : "your chance of winning, in %");
export const signed = (share) => `${share > 0 ? "+" : share < 0 ? "−" : ""}${Math.abs(100 * share).toFixed(1)}`;

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const number = (n) => NUMBERS[n] ?? String(n);
const FACES = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const face = (n, many = false) => (many ? (n === 6 ? "sixes" : `${FACES[n]}s`) : FACES[n]);
export const dice = (faces) => faces.map((one) => face(one)).join(", ");
export const bound = (text = "") => text.replaceAll(" %", "\u00a0%"); // a number is never parted from its sign
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const other = (seat) => (seat === "first" ? "second" : "first");
export const index = (seat) => (seat === "second" ? 1 : 0);

// What the server says to a player, or of another.
export const spoken = ([mine, theirs], who) => (who === "you" ? mine : theirs).replace("{}", who);

// A roll and whose dice they are. Where nothing is hidden the player's own action stands before it.
export function diceWords({ of, choice, words }, { hides }, name) {
  return !hides ? words : `${name(of)}${choice === null ? ":" : " rolled"} ${words}`;
}

// What the server says it is doing, with the title of the game and the names of players instead of their notation.
export function progress(text, game, named, players = []) {
  const told = named ? text.replaceAll(game, named) : text;
  return players.reduce((all, { strategy, called }) => (strategy ? all.replace(`preparing ${strategy} for `, `preparing ${called} for `) : all), told);
}

// An error of the server's as a sentence, likewise.
export function sentence(text, game, named) {
  const told = capital(progress(text, game, named));
  return /[.!?…]$/.test(told) ? told : `${told}.`;
}

// A value of a field as the server says it.
export const fieldWords = ({ options, otherwise }, value) => options.find((one) => one.value === value)?.words ?? otherwise.replace("{}", value);

// What a menu offers for a field; the value that is chosen is always among it.
export function fieldOptions(field, value) {
  const known = field.options.some((one) => one.value === value);
  return known ? field.options : [...field.options, { value, words: fieldWords(field, value) }];
}

// "name:field=50" <-> { name, values: { field: "50" } }
export function readGame(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  const pairs = rest.split(",").filter(Boolean).map((part) => part.split("="));
  return { name, values: Object.fromEntries(pairs) };
}

export function showGame(name, values) {
  const parts = Object.entries(values).map(([field, value]) => `${field}=${value}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

// A player of a finished game: `mine` if the seat is this browser's or its player's. Unnamed people are stored as "you" or "guest".
export const player = (name, called, mine) => (called ? nickname(called) : mine ? "you" : name === "you" || name === "guest" || !name ? "a guest" : name);

// How a strategy is called, as the name of a player at the table.
export const nickname = (called) => called.replace(/^(a|the) /, "").replace(/ player$/, "");

// What may be chosen, and the rule of one's own that is.
export const withRule = (options, value) =>
  value?.startsWith("expr:") && !options.some((one) => one.value === value) ? [...options, { value, words: `the “${value.slice("expr:".length)}” player` }] : options;
