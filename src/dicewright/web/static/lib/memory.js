// What this browser remembers: the seats it holds, the last choice at the table, the colours, and who plays: a name and a code.
const KEY = "dicewright";
const MOST_GAMES = 200;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function write(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), ...change }));
  } catch {
    // A browser that stores nothing still plays; a reload then becomes a spectator.
  }
}

export const seatAt = (id) => read().seats?.[id] ?? null;

export function sitAt(id, seat) {
  const seats = Object.entries({ ...read().seats, [id]: { ...seatAt(id), ...seat } });
  write({ seats: Object.fromEntries(seats.slice(-MOST_GAMES)) });
}

export function leave(id) {
  const { [id]: _, ...seats } = read().seats ?? {};
  write({ seats });
}

// The games under way that this browser sits at, newest first.
export const underWay = () =>
  Object.entries(read().seats ?? {}).filter(([, seat]) => seat.title && !seat.over).map(([id, { title }]) => ({ id, title })).reverse();

export const recall = (key, otherwise) => read()[key] ?? otherwise;
export const remember = (key, value) => write({ [key]: value });

// Who plays here, { name, code }; null before there is a name.
export const me = () => read().me ?? null;
export const become = (person) => write({ me: person });

// The tokens of the seats this browser holds, by their games.
export const tokens = () => Object.fromEntries(Object.entries(read().seats ?? {}).filter(([, { token }]) => token).map(([id, { token }]) => [id, token]));
