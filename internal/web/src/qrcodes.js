// The QR codes of many links as one file.
import { downloadZip } from "client-zip";
import { keyOf } from "./format.js";
import { codeURL, draw, svgOf } from "./qrdraw.js";
import { download } from "./ui.js";

// downloadCodes has a folder for each domain but the default one.
export async function downloadCodes(links) {
  const files = links.map((link) => ({
    name: `${keyOf(link)}.svg`,
    lastModified: new Date(),
    input: svgOf(draw(codeURL(link.short_code, link.domain))),
  }));
  download("qr-codes.zip", await downloadZip(files).blob());
}
