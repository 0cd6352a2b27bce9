import { correction, generate } from "lean-qr";
import { useMemo } from "preact/hooks";
import { shortHost, shortURL } from "./format.js";
import { html } from "./html.js";
import { Dialog, DialogTitle, download } from "./ui.js";

const quiet = 4; // modules around the code, which scanners need

// draw returns the code's dark modules as one path, and the width of the picture in modules.
function draw(text) {
  const bitmap = generate(text, { minCorrectionLevel: correction.M });
  let path = "";
  for (let y = 0; y < bitmap.size; y++) {
    for (let x = 0; x < bitmap.size; x++) {
      if (!bitmap.get(x, y)) continue;
      const from = x;
      while (bitmap.get(x + 1, y)) x++;
      path += `M${from + quiet} ${y + quiet}h${x - from + 1}v1h-${x - from + 1}z`;
    }
  }
  return { path, width: bitmap.size + 2 * quiet };
}

export function QR({ code, onClose }) {
  const { path, width } = useMemo(() => draw(shortURL(code)), [code]);
  const svg = () => download(`${code}.svg`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}">`
    + `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path}"/></svg>\n`,
    "image/svg+xml");
  const png = () => {
    const scale = Math.ceil(1024 / width); // whole pixels, for sharp edges
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = width * scale;
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(scale, scale);
    context.fillStyle = "#000";
    context.fill(new Path2D(path));
    canvas.toBlob((blob) => download(`${code}.png`, blob));
  };
  return html`<${Dialog} label=${`QR code for ${code}`} class="qr" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>QR code<//>
    <svg class="qr-code" viewBox=${`0 0 ${width} ${width}`} role="img"
      aria-label=${`QR code for ${shortURL(code)}`} shape-rendering="crispEdges">
      <path d=${path} /></svg>
    <p class="mono center">${shortHost}/${code}</p>
    <div class="buttons"><button type="button" class="button" onClick=${svg}>Download SVG</button>
      <button type="button" class="button" onClick=${png}>Download PNG</button></div>
  <//>`;
}
