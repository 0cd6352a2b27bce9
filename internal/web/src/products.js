// Products whose links come in: how their files are known, and what the command line reads of them.
import { basePath, visible } from "./format.js";

// What a file may be, by the names of formats.
export const kinds = [
  ["auto", "As found"],
  ["terse", "An export of terse"],
  ["csv", "A table of links"],
  ["bitly", "A table of Bitly"],
  ["dub", "A table of Dub"],
  ["shlink", "A table of Shlink"],
  ["golink", "An export of golink"],
  ["sink", "An export of Sink"],
  ["yourls", "An SQL dump of YOURLS"],
];

// The headings by which tables of products are known, folded. Those of a format of their own are
// read by it.
const tables = [
  ["terse", ["shortcode", "originalurl", "createdat", "clickcount"]],
  ["Bitly", ["bitlink"], "bitly"],
  ["Dub", ["shortlink", "destinationurl", "clicks", "createdat"], "dub"],
  ["Dub", ["shortlink", "destinationurl"]],
  ["Rebrandly", ["slashtag"]],
  ["Shlink", ["createdat", "shortcode", "shorturl", "longurl", "visits"], "shlink"],
  ["Shlink", ["shortcode", "longurl"]],
  ["YOURLS", ["source", "target", "hits"]],
  ["YOURLS", ["keyword", "url", "timestamp"]],
  ["Kutt", ["address", "target", "visitcount"]],
  ["Short.io", ["originalurl", "path"]],
  ["TinyURL", ["tinyurl"]],
  ["Pretty Links", ["prettylink"]],
];

// tableOf returns the product that writes a table with such headings, and its format, if any.
export function tableOf(names) {
  const folded = names.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""));
  const [product = "", , format = ""] =
    tables.find(([, all]) => all.every((name) => folded.includes(name))) ?? [];
  return { product, format };
}

// The beginnings of other texts, as the server knows them.
const texts = [
  ["sink", /^\s*\{\s*"version"/],
  ["golink", /^\s*\{\s*"Short"/],
  ["yourls", /^\s*(-- |\/\*)/],
];

// textOf returns the format of a text of a product that is no table, "" for others.
export const textOf = (text) => texts.find(([, begins]) => begins.test(text))?.[0] ?? "";

// A page names no other host: this one is made up, and stands for that of the product.
const at = (host) => ["https:", "", host].join("/");

// What the command line reads of products beside texts: [format, name, [what, source]]. An SQLite
// file is a file.
export const products = [
  ["yourls", "YOURLS", [["its API", at("yourls.example")]]],
  ["shlink", "Shlink", [["its API", at("shlink.example")]]],
  [
    "kutt",
    "Kutt",
    [
      ["its SQLite file", "kutt.db"],
      ["its PostgreSQL database", "postgres://kutt@localhost/kutt"],
      ["its API", at("kutt.example")],
    ],
  ],
  [
    "chhoto",
    "chhoto-url",
    [
      ["its SQLite file", "urls.sqlite"],
      ["its API", at("chhoto.example")],
    ],
  ],
  ["golink", "golink", [["its address", at("go.example")]]],
  ["mjrwtf", "mjr.wtf", [["its SQLite file", "mjrwtf.db"]]],
];

export const hasFile = ([, , sources]) => sources.some(([what]) => what === "its SQLite file");

// commandOf returns the command that tries an import from a source into this server.
export const commandOf = (format, source) =>
  `terse import ${format} ${quoted(source)} --url ${quoted(location.origin + basePath)} --dry-run`;

// nameOf returns how a command names a file, which lies where people run it.
export const nameOf = ({ name }) =>
  visible(name) !== name ? "FILE" : name.startsWith("-") ? `./${name}` : name;

const quoted = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
