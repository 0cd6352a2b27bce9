// Prints hosts.json: what the URL parsers of Node and of Chromium make of hosts, null where they
// refuse one. To make it anew: node hosts.mjs chromium-headless-shell > hosts.json
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const hosts = [
  // Names.
  "example.com", "EXAMPLE.com", "example.com.", "a_b.example", "-a-.example", "r3---sn.example",
  "localhost", "a", "a..b", ".a", ".", "a.", "a..",
  "exa%6dple.com", "exa%20mple.com", "exa%zzmple.com", "%", "%ff.example", "%E2%80.example",
  "exa<mple.com", "a!b.example", "a^b.example", "a|b.example", "a*b.example",
  // International names, and what their mapping makes of them.
  "bücher.example", "BÜCHER.example", "b%c3%bccher.example", "b%C3%BCcher.example", "faß.example",
  "bu\u0308cher.example", "日本語.jp", "例子。测试", "例子．测试", "例子｡测试", "例子。", "a。。b",
  "ｅｘａｍｐｌｅ.com", "％65xample.com", "％３１27.0.0.1", "exa／mple.com", "exa：mple.com",
  "exa＃mple.com", "exa？mple.com", "exa＠mple.com", "exa\u3000mple.com", "a\u00adb.example", "\u00ad",
  "Ⅷ.example", "ﬁ.example", "İ.example", "ſ.example", "K.example", "ẞ.example", "ς.example",
  "\u0301a.example", "a\u0301.example", "😀.example", "a\ufe0f.example", "\ufffd.example",
  "\u{e0041}.example", "\u{2f868}.example", "\u{10ffff}.example", "a\u2260b.example",
  "r3---ä.example", "ab--ä.example", "ä-.example", "-ä.example",
  // Joiners and directions.
  "ش\u200cش.example", "नी\u200dत.example", "क्\u200dष.example",
  "a\u200cb.example", "\u200d.example",
  "אבג.example", "א1.example", "1א.example", "אa.example", "aא.example", "א-.example", "א٣.example",
  "א1٣.example", "عربي.example", "a.אבג", "1.אבג", "_a.אבג",
  "a1.אבג", "-a.אבג", "xn--4dbcagdahymbxekheh6e0a7fei0b.example",
  // Punycode.
  "xn--bcher-kva.example", "XN--BCHER-KVA.example", "xn--", "xn--.example", "例子.xn--", "a.xn--.",
  "a.xn--。", "xn--a", "xn--a-", "xn--example-.com", "xn--zca.example", "xn--fa-hia.example",
  "xn--1ch.example", "xn--a-0000.example", "xn--ls8h.example", "xn--0ca.example", "xn--mller-kva",
  "xn--u-ccb.example", "xn--ÿ.example", "ｘn--bcher-kva.example", "xn--xn---epa.example",
  "xn--a-ecp.example", "xn--999999999.example", "xn--99999999999999.example",
  // Numbers.
  "127.0.0.1", "127.0.0.1.", "127.0.0.1..", "2130706433", "0x7f000001", "0X7F.1", "0177.0.0.1",
  "017700000001", "127.1", "127.0.1", "127.000.000.001", "0x7f.0x0.0x1", "0", "0x", "0x.0x.0x.0x",
  "00", "08", "0x7g", "256.1.1.1", "1.256.1.1", "1.1.65536", "1.1.65535", "1.16777216",
  "1.16777215", "4294967295", "4294967296", "0xffffffff", "0x100000000", "037777777777",
  "040000000000", "99999999999999999999999999", "0xfffffffffffffffffffffffffff", "1.2.3.4.5",
  "1.2.3", "1..2", "1.2.", "example.1", "example.0x1", "example.0x", "example.09", "example.1e",
  "example.1.", "1.example", "0x7f.example", "①27.0.0.1", "127。0。0。1", "٣.example", "example.٣",
  "+1", "-1", "1_0", "0b1", "0o7",
  // IPv6.
  "[::1]", "[::]", "[2001:DB8:0:0::0007]", "[2001:db8:0:1:0:0:0:1]", "[1:0:0:2:0:0:0:3]",
  "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::192.0.2.7]",
  "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1", "::1", "[]", "[:]", "[1:2:3:4:5:6:7]",
  "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]",
  "[1::2::3]", "[12345::]", "[::00001]", "[::g]", "[::1.2.3]", "[::1.2.3.256]", "[::01.2.3.4]",
  "[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:7:1.2.3.4]", "[127.0.0.1]", "[example]", "[::%31]",
];
const parse = (hosts) =>
  hosts.map((host) => {
    try {
      return new URL(`http://${host}/`).host;
    } catch {
      return null;
    }
  });

const folder = mkdtempSync(join(tmpdir(), "hosts-"));
const page = join(folder, "hosts.html");
// ASCII only: no parser of pages gets in between.
const text = JSON.stringify(hosts).replace(
  /[^ -;=-~]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
writeFileSync(
  page,
  `<body><script>const parse = ${parse};
  document.body.textContent = btoa(JSON.stringify(parse(${text})));</script>`,
);
const args = ["--no-sandbox", `--user-data-dir=${folder}`, "--dump-dom", `file://${page}`];
const dom = execFileSync(process.argv[2], args, {
  encoding: "utf8",
  stdio: ["pipe", "pipe", "ignore"],
});
rmSync(folder, { recursive: true });
const [, answer] = dom.match(/<body>([\w+/=]+)/);

const [node, chromium] = [parse(hosts), JSON.parse(atob(answer))];
const rows = hosts.map((host, i) => JSON.stringify([host, node[i], chromium[i]]));
console.log(`[\n${rows.join(",\n")}\n]`);
