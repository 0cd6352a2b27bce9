// A link's QR code, with its options: colours, margin, a logo.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shortHost, shortURL } from "./format.js";
import { html } from "./html.js";
import { codeURL, contrast, draw, levels, paint, svgOf } from "./qrdraw.js";
import { address } from "./router.js";
import { CopyButton, Dialog, DialogTitle, download } from "./ui.js";

const margins = Array.from({ length: 21 }, (_, i) => i); // in modules, as in the API
const plain = { color: "#000000", background: "#ffffff", margin: 4, level: "M", medium: false };

export function QR({ code, onClose }) {
  const [style, setStyle] = useState(plain);
  const [logo, setLogo] = useState(null); // a canvas
  const [problem, setProblem] = useState("");
  const level = logo ? "H" : style.level; // error correction has to make up for the logo
  const text = codeURL(code) + (style.medium ? "?utm_medium=qr" : "");
  const drawn = useMemo(() => draw(text, level, style.margin), [text, level, style.margin]);
  const set = (name) => (value) => setStyle({ ...style, [name]: value });
  const take = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      setLogo(await read(file));
      setProblem("");
    } catch {
      setProblem("This browser can't read that picture.");
    }
  };
  const unreadable =
    contrast(style.color, style.background) < 3 &&
    "Scanners may fail: the code has to be much darker than its background.";
  const svg = () => download(`${code}.svg`, svgOf(drawn, style, logo), "image/svg+xml");
  const png = () =>
    paint(document.createElement("canvas"), drawn, style, logo, 1024).toBlob((blob) =>
      download(`${code}.png`, blob),
    );
  return html`<${Dialog} label=${`QR code for ${code}`} class="qr" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>QR code<//>
    <${Preview} drawn=${drawn} style=${style} logo=${logo}
      label=${`QR code for ${shortURL(code)}`} />
    <p class="mono center">${shortHost}/${code}</p>
    <div class="qr-style">
      <${Colour} label="Colour" value=${style.color} onChange=${set("color")} />
      <${Colour} label="Background" value=${style.background} onChange=${set("background")} />
      <label>Margin<select class="field" value=${style.margin}
        onChange=${(e) => set("margin")(Number(e.target.value))}>${margins.map(
          (modules) => html`<option key=${modules} value=${modules}>${modules}</option>`,
        )}</select></label>
      <label>Error correction<select class="field" value=${level} disabled=${Boolean(logo)}
        onChange=${(e) => set("level")(e.target.value)}>${levels.map(
          ([name, part]) => html`<option key=${name} value=${name}>${name}, ${part} %</option>`,
        )}</select></label>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${logo ? "Another logo" : "Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${take} />
      ${
        logo &&
        html`<button type="button" class="text-button"
        onClick=${() => setLogo(null)}>Remove the logo</button>`
      }</div>
    <label class="check"><input type="checkbox" checked=${style.medium}
      onChange=${(e) => set("medium")(e.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(problem || unreadable) && html`<p class="problem" role="alert">${problem || unreadable}</p>`}
    <div class="buttons"><button type="button" class="button" onClick=${svg}>Download SVG</button>
      <button type="button" class="button" onClick=${png}>Download PNG</button></div>
    ${
      !logo &&
      html`<p class="qr-address quiet">This picture has an address of its own
      <${CopyButton} text=${imageURL(code, style)} label="Copy the picture's address" /></p>`
    }
  <//>`;
}

const Colour = ({ label, value, onChange }) => html`<label>${label}<input class="field"
  type="color" value=${value} onInput=${(e) => onChange(e.target.value)} /></label>`;

// imageURL returns the server's URL of the same picture. It leaves out default options.
function imageURL(code, { color, background, margin, level, medium }) {
  const other = (name, value) => (plain[name] === value ? "" : String(value).replace("#", ""));
  return address(`${shortURL(code)}.svg`, {
    color: other("color", color),
    background: other("background", background),
    margin: other("margin", margin),
    level: other("level", level),
    medium: medium ? "qr" : "",
  });
}

// read draws a picture from a file on a canvas. The policy allows no picture from another host, and
// a canvas needs none.
async function read(file) {
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement("canvas"),
    scale = Math.min(1, 512 / bitmap.width, 512 / bitmap.height);
  canvas.width = Math.max(1, bitmap.width * scale);
  canvas.height = Math.max(1, bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function Preview({ drawn, style, logo, label }) {
  const ref = useRef();
  useEffect(() => {
    paint(ref.current, drawn, style, logo, 560);
  }, [drawn, style, logo]);
  return html`<canvas ref=${ref} class="qr-code" role="img" aria-label=${label} width="560"
    height="560" />`;
}
