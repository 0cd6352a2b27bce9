// Draws QR codes: as a path, a picture on a canvas, or a file.
import { correction, generate } from "lean-qr";
import { shortURL } from "./format.js";

// codeURL returns the short URL for a QR code. It is ASCII, because readers may take other bytes
// for Latin-1.
export const codeURL = (address, domain) => new URL(shortURL(address, domain)).href;

export const levels = [
  ["L", 7],
  ["M", 15],
  ["Q", 25],
  ["H", 30],
]; // percent that may be unreadable
const covered = 0.22; // the logo's share of the code's width, below what the highest level corrects

// draw returns the code's dark modules as one path, and the picture's width in modules.
export function draw(text, level = "M", margin = 4) {
  const bitmap = generate(text, {
    minCorrectionLevel: correction[level],
    maxCorrectionLevel: correction[level],
  });
  let path = "";
  for (let y = 0; y < bitmap.size; y++) {
    for (let x = 0; x < bitmap.size; x++) {
      if (!bitmap.get(x, y)) continue;
      const from = x;
      while (bitmap.get(x + 1, y)) x++;
      path += `M${from + margin} ${y + margin}h${x - from + 1}v1h-${x - from + 1}z`;
    }
  }
  return { path, size: bitmap.size, width: bitmap.size + 2 * margin };
}

// place returns the logo's position in modules, and the ground under it.
function place({ size, width }, logo) {
  const scale = (size * covered) / Math.max(logo.width, logo.height);
  const w = logo.width * scale,
    h = logo.height * scale;
  const around = (w0, h0) => [(width - w0) / 2, (width - h0) / 2, w0, h0];
  return { logo: around(w, h), ground: around(w + 1.5, h + 1.5) };
}

// paint draws on a canvas that is pixels wide, and returns it. Modules are whole pixels, for sharp
// edges; the pixels that are left over widen the margin.
export function paint(canvas, drawn, { color, background }, logo, pixels) {
  const scale = Math.floor(pixels / drawn.width),
    rest = Math.floor((pixels - drawn.width * scale) / 2);
  canvas.width = canvas.height = pixels;
  const context = canvas.getContext("2d");
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(rest, rest);
  context.scale(scale, scale);
  context.fillStyle = color;
  context.fill(new Path2D(drawn.path));
  if (logo) {
    const at = place(drawn, logo);
    context.fillStyle = background;
    context.fillRect(...at.ground);
    context.drawImage(logo, ...at.logo);
  }
  return canvas;
}

const box = ([x, y, w, h]) => `x="${x}" y="${y}" width="${w}" height="${h}"`;

export function svgOf(drawn, { color = "#000", background = "#fff" } = {}, logo = null) {
  const { path, width } = drawn,
    at = logo && place(drawn, logo);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}">` +
    `<path fill="${background}" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="${color}" d="${path}"/>` +
    (logo
      ? `<rect fill="${background}" ${box(at.ground)}/>` +
        `<image href="${logo.toDataURL("image/png")}" ${box(at.logo)}/>`
      : "") +
    "</svg>\n"
  );
}

// contrast returns the contrast of WCAG, 1 to 21, or less than 1 if dark is lighter than light.
export function contrast(dark, light) {
  return (luminance(light) + 0.05) / (luminance(dark) + 0.05);
}

function luminance(hex) {
  const [r, g, b] = [1, 3, 5]
    .map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
