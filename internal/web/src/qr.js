// A link's QR code, with its options: colours, margin, a logo.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { hostOf, shortURL, visible } from "./format.js";
import { html } from "./html.js";
import { codeURL, contrast, draw, levels, paint, svgOf } from "./qrdraw.js";
import { Choice } from "./pick.js";
import { keep, kept, maxLogo, plain } from "./qrstyle.js";
import { address } from "./router.js";
import { Dialog, DialogTitle, Icon, download, say, useCopy } from "./ui.js";

const margins = Array.from({ length: 21 }, (_, i) => [i, String(i)]); // in modules, as in the API
const canCopy = Boolean(globalThis.ClipboardItem && navigator.clipboard?.write);
const sizes = [512, 1024, 2048].map((size) => [size, `${size} pixels`]); // of a PNG

// QR shows the code of a link's address, its code or an alias, on a domain.
export function QR({ code, domain, onClose }) {
  const [style, setStyle] = useState(kept);
  const [logo, setLogo] = useState(null); // a canvas
  const [problem, setProblem] = useState("");
  const [copied, setCopied] = useState(false);
  const [addressState, copyAddress] = useCopy();
  const level = logo ? "H" : style.level; // error correction has to make up for the logo
  const text = codeURL(code, domain) + (style.medium ? "?utm_medium=qr" : "");
  const drawn = useMemo(() => draw(text, level, style.margin), [text, level, style.margin]);
  const change = (part) => {
    const next = { ...style, ...part };
    setStyle(next);
    setCopied(false);
    keep(next);
  };
  const set = (name) => (value) => change({ [name]: value });
  useEffect(() => {
    if (style.logo) read(blobOf(style.logo)).then(setLogo, () => change({ logo: "" }));
  }, []);
  const take = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const drawing = await read(file),
        url = drawing.toDataURL("image/png"),
        isSmall = url.length <= maxLogo;
      setLogo(drawing);
      change({ logo: isSmall ? url : "" });
      setProblem(isSmall ? "" : "The logo is too large to be remembered for the next code.");
    } catch {
      setProblem("This browser can't read that picture.");
    }
  };
  const dropLogo = () => {
    setLogo(null);
    change({ logo: "" });
  };
  const unreadable =
    contrast(style.color, style.background) < 3 &&
    "Scanners may fail: the code has to be much darker than its background.";
  const file = code.replaceAll("/", "-");
  const svg = () => download(`${file}.svg`, svgOf(drawn, style, logo), "image/svg+xml");
  const picture = () =>
    new Promise((resolve) => {
      const canvas = document.createElement("canvas");
      paint(canvas, drawn, style, logo, style.size).toBlob(resolve);
    });
  const png = async () => download(`${file}.png`, await picture());
  const copyImage = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture() })]);
      setCopied(true);
      say("Image copied");
    } catch {
      setProblem("Couldn't copy the image. Download it instead.");
    }
  };
  return html`<${Dialog} label=${`QR code for ${visible(code)}`} class="qr" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>QR code<//>
    <${Preview} drawn=${drawn} style=${style} logo=${logo}
      label=${`QR code for ${shortURL(code, domain)}`} />
    <p class="mono center">${hostOf(domain)}/<bdi>${visible(code)}</bdi></p>
    <div class="qr-style">
      <${Colour} label="Colour" value=${style.color} onChange=${set("color")} />
      <${Colour} label="Background" value=${style.background} onChange=${set("background")} />
      <div><label for="qr-margin">Margin</label><${Choice} id="qr-margin" label="Margin"
        isField=${true} value=${style.margin} options=${margins} onChange=${set("margin")} /></div>
      <div><label for="qr-level">Error correction</label><${Choice} id="qr-level"
        label="Error correction" isField=${true} disabled=${Boolean(logo)} value=${level}
        options=${levels.map(([name, part]) => [name, `${name}, ${part} %`])}
        onChange=${set("level")} /></div>
    </div>
    <div class="qr-logo"><label class="button" for="qr-logo">
        ${logo ? "Another logo" : "Add a logo"}</label>
      <input id="qr-logo" class="unseen" type="file" accept="image/*" onChange=${take} />
      ${
        logo &&
        html`<button type="button" class="text-button"
        onClick=${dropLogo}>Remove the logo</button>`
      }</div>
    <label class="check"><input type="checkbox" checked=${style.medium}
      onChange=${(e) => set("medium")(e.target.checked)} />
      Count scans apart from clicks (utm_medium=qr)</label>
    ${(problem || unreadable) && html`<p class="problem" role="alert">${problem || unreadable}</p>`}
    <div class="qr-copy"><label for="qr-size">PNG size</label><${Choice} id="qr-size"
      label="PNG size" value=${style.size} options=${sizes} onChange=${set("size")} /></div>
    <div class="buttons"><button type="button" class="button" onClick=${svg}>Download SVG</button>
      <button type="button" class="button" onClick=${png}>Download PNG</button></div>
    <div class="qr-copy">${
      canCopy &&
      html`<button type="button" class="text-button" onClick=${copyImage}>
        <${Icon} name=${copied ? "done" : "copy"} />Copy image</button>`
    }
      ${
        !logo &&
        html`<button type="button" class="text-button" data-state=${addressState}
        onClick=${() => copyAddress(imageURL(shortURL(code, domain), style))}>
        <${Icon} name=${addressState === "done" ? "done" : "copy"} />Copy image address</button>`
      }</div>
  <//>`;
}

const Colour = ({ label, value, onChange }) => html`<label>${label}<input class="field"
  type="color" value=${value} onInput=${(e) => onChange(e.target.value)} /></label>`;

// imageURL returns the server's URL of the same picture. It leaves out default options.
function imageURL(short, { color, background, margin, level, medium }) {
  const other = (name, value) => (plain[name] === value ? "" : String(value).replace("#", ""));
  return address(`${short}.svg`, {
    color: other("color", color),
    background: other("background", background),
    margin: other("margin", margin),
    level: other("level", level),
    medium: medium ? "qr" : "",
  });
}

// blobOf decodes a data URL. The policy forbids to fetch one.
const blobOf = (url) =>
  new Blob([Uint8Array.from(atob(url.split(",")[1]), (char) => char.charCodeAt(0))]);

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
