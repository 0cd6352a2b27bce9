// The QR codes of many links as one file.
import { downloadZip } from "client-zip";
import { codeURL, draw, svgOf } from "./qrdraw.js";
import { download } from "./ui.js";

export async function downloadCodes(codes) {
  const files = codes.map((code) => ({
    name: `${code}.svg`,
    lastModified: new Date(),
    input: svgOf(draw(codeURL(code))),
  }));
  download("qr-codes.zip", await downloadZip(files).blob());
}
