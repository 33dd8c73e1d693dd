// Colours for canvases: the style sheet's own, and cividis for chances (Nuñez, Anderton & Renslow 2018).
const CIVIDIS = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116],
  [195, 179, 105], [225, 204, 85], [254, 232, 56],
];

export function cividis(share) {
  const at = Math.min(1, Math.max(0, share)) * (CIVIDIS.length - 1);
  const low = Math.min(Math.floor(at), CIVIDIS.length - 2);
  return CIVIDIS[low].map((value, i) => Math.round(value + (at - low) * (CIVIDIS[low + 1][i] - value)));
}

// A colour laid thinly over another: share of the first, the rest of the second (as computed by `themed`).
export function over([r, g, b], ground, share) {
  const base = ground.match(/[\d.]+/g).map(Number);
  return [r, g, b].map((value, i) => Math.round(share * value + (1 - share) * base[i]));
}

export const rgb = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;

// The computed colour of a custom property, whatever the theme.
export function themed(element, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

// A canvas sized for the screen's pixels; returns its context in CSS pixels.
export function sharp(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
