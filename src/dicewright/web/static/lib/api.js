// The server's REST calls. An error is thrown as a sentence that can be shown as it is.
import { me, seatAt, tokens } from "./memory.js";

export class Refusal extends Error {
  constructor(status, message, seconds = 0) {
    super(message);
    Object.assign(this, { status, seconds });
  }
}

async function call(path, { method = "GET", body, token, player } = {}) {
  const headers = { accept: "application/json" };
  if (body) headers["content-type"] = "application/json";
  if (player) headers["x-player"] = player;
  if (token) headers.authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Refusal(0, "The server does not answer. Is “dicewright serve” still running? Try again in a moment.");
  }
  const text = await answer.text();
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Not JSON: a proxy or a crash; the status says enough.
  }
  if (!answer.ok) {
    const wait = answer.headers.get("retry-after");
    const sentence = json?.error ?? `The server answered ${answer.status}.`;
    throw new Refusal(answer.status, wait ? `${sentence.replace(/[.;]?$/, ".")} Try again in ${wait} s.` : sentence, Number(wait) || 0);
  }
  return { status: answer.status, json };
}

const query = (values) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
const token = (id) => seatAt(id)?.token;
const player = () => me()?.code;
const MOST_SEATS = 100; // shown at once
const held = () => Object.fromEntries(Object.entries(tokens()).slice(-MOST_SEATS));
const once = new Map();

function remembered(path) {
  if (!once.has(path)) {
    once.set(path, call(path).then((answer) => answer.json));
    once.get(path).catch(() => once.delete(path));
  }
  return once.get(path);
}

export const catalog = () => remembered("/api/catalog");
export const rules = async (game, strategies = []) =>
  (await call(`/api/rules?${new URLSearchParams([["game", game], ...strategies.map((one) => ["strategy", one])])}`)).json;
// A game; an opponent that `learns` a player without a name does so from the games that this browser holds.
export const newGame = async (choice, learns = false) =>
  (await call("/api/games", { method: "POST", body: learns && !player() ? { ...choice, seats: held() } : choice, player: player() })).json;
export const join = async (id, invite, name) =>
  (await call(`/api/games/${id}/join`, { method: "POST", body: { invite, name }, player: player() })).json;
export const view = async (id) => (await call(`/api/games/${id}`, { token: token(id) })).json;
export const games = async (q, before, { mine = false, limit = 25 } = {}) =>
  (await call(`/api/games?${query({ q, before, limit, mine: mine || null })}`, { token: mine ? player() : undefined })).json;
export const recordLink = (id, format) => `/api/games/${id}/record?${query({ format })}`;
export const again = async (id, ply, hints) =>
  (await call(`/api/games/${id}/again`, { method: "POST", body: { ply, hints }, token: token(id), player: player() })).json;
export const bring = async (text) => (await call("/api/records", { method: "POST", body: { text } })).json;
export const reach = () => remembered("/api/reach");
export const picture = (link) => `/api/qr?${query({ link })}`;
export const rematch = async (id) => (await call(`/api/games/${id}/rematch`, { method: "POST", token: token(id), player: player() })).json;
export const offered = async (id) => (await call(`/api/games/${id}/rematch`, { token: token(id) })).json;


// The player of this browser: a code proves who it is, and never stands in an address that is asked.
export const begin = async (name) => (await call("/api/me", { method: "POST", body: { name } })).json;
export const whose = async (code) => (await call("/api/me", { token: code })).json;
export const keepSeats = async (code) => (await call("/api/me/seats", { method: "POST", body: { seats: held() }, token: code })).json;
export const myFigures = (options) => patiently("/api/me/figures", { ...options, token: player() });
export const practice = async () => (await call("/api/me/practice", { token: player() })).json;

// Decisions to practise: the themes of a game, one question, and what becomes of an answer; likewise the position of the day.
export const themes = (game, options) => patiently(`/api/drills?${query({ game })}`, options);
export const question = (asked, options) => patiently(`/api/drills/question?${query(asked)}`, options);
export const answered = (asked, action) => patiently("/api/drills/answer", { method: "POST", body: { ...asked, action }, player: player() });
export const day = (options) => patiently("/api/day", options);
export const solved = (date, action) => patiently("/api/day", { method: "POST", body: { date, action }, player: player() });
export const myData = async () => (await call("/api/me/export", { token: player() })).json;
export const forgetMe = async () => (await call("/api/me", { method: "DELETE", token: player() })).json;

// Of a study: where the participant of this link is; `what` goes on from there.
export const study = async (key, what, body = {}) =>
  (await call(what ? `/api/study/${what}` : "/api/study", { method: what ? "POST" : "GET", body: what === "answers" ? body : undefined, token: key })).json;

const MOST_WAIT = 10; // seconds that are waited for a turn
const SOON = 400, LATER = 2000; // milliseconds between two questions, growing

// Answers that may still be in the making (202), or were asked for too often (429), are asked for again; `working`
// hears how far they are.
async function patiently(path, { working, signal, ...options } = {}) {
  for (let pause = SOON; ; pause = Math.min(LATER, pause * 1.3)) {
    const { status, json, seconds = 0 } = await call(path, options).catch((error) => {
      if (error.status === 429 && error.seconds <= MOST_WAIT) return error;
      throw error;
    });
    if (status !== 202 && status !== 429) return json;
    working?.(json?.progress ?? "working");
    await new Promise((done) => setTimeout(done, Math.max(pause, 1000 * seconds)));
    signal?.throwIfAborted();
  }
}

export const learned = (id, options) => patiently(`/api/games/${id}/learned`, { ...options, token: token(id) });
export const analysis = (id, options) => patiently(`/api/games/${id}/analysis`, { ...options, token: token(id) });

const MOST_KEPT = 80;
const kept = new Map();

// Maps and tables never change, so what has been seen is kept while the page is open.
export async function explore(what, values, options) {
  const path = `/api/explore/${what}?${query(values)}`;
  if (!kept.has(path)) kept.set(path, await patiently(path, options));
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  return kept.get(path);
}
