// What is to be practised today: themes whose time has come, and leaks that were never practised.
import * as api from "../lib/api.js";

export const link = ({ game, theme }) => `/drill?${new URLSearchParams({ game, theme })}`;

export function dueOf({ leaks }, { themes }) {
  const known = new Set(themes.map(link));
  const fresh = leaks.filter((leak) => !known.has(link(leak))).map(({ game, theme, kind, name }) => ({ game, theme, kind, words: name }));
  return [...themes.filter(({ now }) => now), ...fresh];
}

export const due = async () => dueOf(...await Promise.all([api.myFigures(), api.practice()]));
