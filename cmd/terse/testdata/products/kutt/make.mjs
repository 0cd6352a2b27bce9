// Makes the other files of this folder with a real Kutt. See README.md.
//
//   node make.mjs KUTT better-sqlite3|pg
//
// KUTT is a checkout of Kutt with its packages installed and its tables migrated. The variables
// DB_* say where they are, FAKETIME_LIB where libfaketime is, PORT where Kutt shall listen. CLOCK
// is a program that starts the database's server anew at a time, if it has one.
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [kutt, client] = process.argv.slice(2);
const port = Number(process.env.PORT);
const host = "kutt.example";
const api = "/api/v2";

// serve runs Kutt at a time of its own while work is done.
async function serve(time, work) {
  if (process.env.CLOCK) execFileSync(process.env.CLOCK, [time], { stdio: "inherit" });
  const server = spawn("node", ["server/server.js", "--production"], {
    cwd: kutt,
    stdio: "inherit",
    env: {
      ...process.env,
      DB_CLIENT: client,
      DEFAULT_DOMAIN: host,
      JWT_SECRET: "no secret, for a fixture",
      DISALLOW_ANONYMOUS_LINKS: "false",
      LD_PRELOAD: process.env.FAKETIME_LIB,
      FAKETIME: `@${time}`,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      TZ: "UTC",
    },
  });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    for (;;) {
      try {
        await ask("GET", `${api}/health`);
        break;
      } catch {
        await sleep(100);
      }
    }
    await work();
    await sleep(500); // visits are written after their answers
  } finally {
    server.kill();
    await ended;
  }
}

// ask sends a request, at a host and with headers.
function ask(method, path, { at = host, headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: {
          Host: at,
          Accept: "application/json",
          ...(body && { "Content-Type": "application/json" }),
          ...headers,
        },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece) => (text += piece));
        answer.on("end", () =>
          resolve({ status: answer.statusCode, headers: answer.headers, text }),
        );
      },
    );
    request.on("error", reject);
    request.end(body && JSON.stringify(body));
  });
}

async function must(method, path, options) {
  const answer = await ask(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.text && JSON.parse(answer.text);
}

const keys = {};

async function signIn(email, password) {
  const { token } = await must("POST", `${api}/auth/login`, { body: { email, password } });
  const headers = { Cookie: `token=${token}` };
  const { apikey } = await must("POST", `${api}/auth/apikey`, { headers });
  keys[email] = apikey;
}

const admin = "admin@kutt.example";
const other = "other@kutt.example";
const create = (body, who = admin) =>
  must("POST", `${api}/links`, { headers: who && { "X-API-KEY": keys[who] }, body });

const agents = {
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/142.0.0.0 Safari/537.36",
  android:
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/142.0.0.0 Mobile Safari/537.36",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  mac:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/18.0 Safari/605.1.15",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like " +
    "Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  edge:
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 " +
    "Safari/537.36 Edge/15.15063",
  opera: "Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18",
  ie: "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
  other: "Mozilla/5.0 (compatible; Konqueror/4.5; FreeBSD) KHTML/4.5.4 (like Gecko)",
  bot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
};

// visit follows a short URL as a browser does, and returns where it leads.
async function visit(address, agent = "chrome", { referrer, country, at = host } = {}) {
  const answer = await ask("GET", `/${address}`, {
    at,
    headers: {
      Accept: "text/html",
      "User-Agent": agents[agent],
      ...(referrer && { Referer: referrer }),
      ...(country && { "CF-IPCountry": country }),
    },
  });
  await sleep(15); // the visit's row is written after the answer, and not safely at once
  return answer;
}

const long = "a-Printed_Address-0123456789-of-64-characters-which-all-must-go-";
const ids = {};
const repeat = async (n, work) => {
  for (let i = 0; i < n; i++) await work(i);
};

await serve("2026-09-14 08:10:20", async () => {
  const password = "a password of the admin";
  await must("POST", `${api}/auth/create-admin`, { body: { email: admin, password } });
  await signIn(admin, password);
  const headers = { "X-API-KEY": keys[admin] };
  await must("POST", `${api}/users/admin`, {
    headers,
    body: { email: other, password, role: "USER", verified: true },
  });
  await signIn(other, password);
  await must("POST", `${api}/domains`, {
    headers,
    body: { address: "go.example", homepage: "https://home.example/" },
  });

  // 50 that make the API's list two pages long.
  await repeat(50, (i) =>
    create({ customurl: `many-${String(i).padStart(2, "0")}`, target: `https://m.example/${i}` }),
  );
  await create({ customurl: long, target: "https://printed.example/path?a=1&b=%20#part" });
  await create({ customurl: "x", target: "https://one.example/" });
  await create({
    customurl: "titled",
    target: "https://titled.example/",
    description: "Ein Titel – 題名 \u{1F517}",
  });
  await create({
    customurl: "noted",
    target: "https://noted.example/",
    description: "A description of more than 200 characters. ".repeat(5) + "The end.",
  });
  await create({
    customurl: "lines",
    target: "https://lines.example/",
    description: "first line\nsecond line",
  });
  const secret = await create({
    customurl: "secret",
    target: "https://secret.example/",
    password: "correct horse ÄÖ",
  });
  ids.secret = secret.id;
  await create({ customurl: "ends", target: "https://ends.example/", expire_in: "20 years" });
  const banned = await create({ customurl: "barred", target: "https://banned.example/" });
  await must("POST", `${api}/links/admin/ban/${banned.id}`, { headers, body: {} });
  await create({ customurl: "hosted", target: "https://hosted.example/", domain: "go.example" });
  await create({ customurl: "both", target: "https://default.example/" });
  await create({ customurl: "both", target: "https://other.example/", domain: "go.example" });
  await create({ customurl: "mail", target: "mailto:somebody@example.com" });
  await create({ customurl: "metrics", target: "https://metrics.example/" }); // reserved here
  await create({ customurl: "theirs", target: "https://theirs.example/" }, other);
  await create({ target: "https://nobody.example/" }, null);
  await create({ target: "https://generated.example/" });
  await create({ customurl: "Case", target: "https://upper.example/" });
  await create({ customurl: "case", target: "https://lower.example/" });
  await create({ customurl: "busy", target: "https://busy.example/" });

  // An hour of equal visits, and one bot.
  await repeat(3, () => visit(long, "chrome", { country: "DE" }));
  await visit(long, "bot");
});

await serve("2026-09-14 09:59:30", async () => {
  // Of these only one property differs.
  await visit(long, "firefox", { referrer: "https://www.news.example/a?b", country: "FR" });
  await visit(long, "firefox", { referrer: "https://sub.search.example/", country: "FR" });
  await visit(long, "firefox", { country: "FR" });
  // Of these all do.
  await visit("titled", "mac", { country: "US", referrer: "https://a.example/" });
  await visit("titled", "iphone", { country: "GB", referrer: "https://b.example/" });
  await visit("titled", "android", { country: "T1" });
  await visit("titled", "edge");
  await visit("titled", "opera", { country: "BR", referrer: "http://localhost:8080/x" });
  await visit("titled", "ie", { country: "BR", referrer: "https://b.example/deep" });
  await visit("titled", "other", { country: "BR", referrer: "android-app://org.app.example/" });
  // A visit whose referrer is no URL is in the link's total and not in its hours.
  await visit("theirs", "chrome", { referrer: "no URL" });
  await visit("theirs", "chrome");
  await visit("hosted", "firefox", { at: "go.example", country: "CH" });
  await must("POST", `${api}/links/${ids.secret}/protected`, {
    headers: { "User-Agent": agents.mac },
    body: { password: "correct horse ÄÖ" },
  });
});

await serve("2026-10-25 00:30:00", async () => {
  // More than 64 in an hour, unevenly.
  await repeat(150, (i) =>
    visit("busy", ["chrome", "firefox", "android"][i % 7 % 3], {
      country: ["DE", "US", "JP", undefined][i % 5 % 4],
      ...(i % 3 && { referrer: `https://ref${i % 11}.example/` }),
    }),
  );
  await visit("x");
});

const sqlite = client === "better-sqlite3";
await serve("2026-11-02 23:59:00", async () => {
  await must("PATCH", `${api}/links/${ids.secret}`, {
    headers: { "X-API-KEY": keys[admin] },
    body: { target: "https://secret.example/new", password: "••••••" }, // as its page sends it
  });
  await visit("busy", "chrome", { country: "DE" });
  if (!sqlite) return;
  const record = async (path, key) => {
    const answer = await ask("GET", path, { headers: { "X-API-KEY": key } });
    const body = answer.status === 200 ? JSON.parse(answer.text) : answer.text;
    return { path, status: answer.status, body };
  };
  const recorded = { admin: [], other: [] };
  for (const skip of [0, 50, 69]) {
    const path = `${api}/links/admin?limit=50&skip=${skip}`;
    recorded.admin.push(await record(path, keys[admin]));
  }
  recorded.other.push(await record(`${api}/links/admin?limit=50&skip=0`, keys[other]));
  for (const skip of [0, 1]) {
    const path = `${api}/links?all=true&limit=50&skip=${skip}`;
    recorded.other.push(await record(path, keys[other]));
  }
  writeFileSync("api.json", JSON.stringify(recorded, null, 1) + "\n");
  const redirects = {};
  for (const { address, domain } of recorded.admin.flatMap((page) => page.body.data)) {
    const answer = await ask("HEAD", `/${address}`, {
      at: domain,
      headers: { Accept: "text/html", "User-Agent": agents.bot }, // is not counted
    });
    redirects[`${domain}/${address}`] = `${answer.status} ${answer.headers.location ?? ""}`.trim();
  }
  writeFileSync("redirects.json", JSON.stringify(redirects, null, 1) + "\n");
});
