// One live region for the whole page. Words said within the same moment are read together.
let waiting = [];

export function announce(words) {
  if (!words) return;
  if (waiting.push(words) > 1) return;
  setTimeout(() => {
    document.getElementById("announcer").textContent = waiting.join(" ");
    waiting = [];
  }, 60);
}

export const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const pause = (milliseconds) =>
  stillness() ? Promise.resolve() : new Promise((done) => setTimeout(done, milliseconds));
