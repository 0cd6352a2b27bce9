// Runs npm's certified oidc-provider on the loopback, for tests: as many as are asked for, until
// its standard input ends. Each line of that is a JSON object, and is answered with one line:
//
//   issuer    its URL, http://127.0.0.1:PORT with any path; it replaces one with the same issuer
//   port      where it listens, if not at that of the issuer
//   client    { client_id, client_secret, redirect_uris, … }
//   claims    { scope: [claims] }, what each scope lets the client read
//   account   { claim: value }, who signs in; sub is one of them
//   inIDToken whether claims of scopes are in the ID token, too, or only at UserInfo
//   metadata  { name: value }, what the discovery document says differently; null removes it
//   asks      true: people have to press a button; otherwise they are signed in without being asked
//   rotate    true: it gets a new key, in place of the one that the issuer had
//   stop      true: it only stops the one with the same issuer
//
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

import { Provider } from "oidc-provider";

const keys = new Map(); // by issuer

const create = ({ issuer, client, claims, account, inIDToken, metadata, asks, rotate }) => {
  const mount = new URL(issuer).pathname.replace(/\/$/, "");
  if (rotate || !keys.has(issuer))
    keys.set(issuer, generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
  const key = keys.get(issuer).export({ format: "jwk" });
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [{ ...key, use: "sig", alg: "RS256" }] },
    cookies: { keys: ["only for tests"] },
    claims: { openid: ["sub"], ...claims },
    scopes: ["openid", ...Object.keys(claims)],
    conformIdTokenClaims: !inIDToken,
    responseTypes: ["code"],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `${mount}/interaction/${interaction.uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => account }),
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 300,
      Interaction: 600,
      Session: 600,
    },
  });

  // interact answers as somebody does who signs in and agrees.
  const interact = async (request, response) => {
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (asks && prompt.name === "login" && request.method === "GET") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      return response.end(
        '<!doctype html><html lang="en"><title>Provider</title><form method="post">' +
          "<button>Be Ann</button></form>",
      );
    }
    const accountId = account.sub;
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId } });
    }
    const grant = new provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const result = { consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: true,
    });
  };

  // describe answers with the discovery document, changed.
  const describe = (request, response) => {
    const end = response.end.bind(response);
    response.end = (body) => {
      const document = Object.entries({ ...JSON.parse(body), ...metadata });
      const text = JSON.stringify(Object.fromEntries(document.filter(([, v]) => v !== null)));
      response.setHeader("content-length", Buffer.byteLength(text));
      return end(text);
    };
    return callback(request, response);
  };

  const callback = provider.callback();
  return createServer((request, response) => {
    request.originalUrl = request.url;
    if (!request.url.startsWith(`${mount}/`)) return response.writeHead(404).end();
    request.url = request.url.slice(mount.length);
    if (request.url.startsWith("/interaction/")) {
      return interact(request, response).catch((error) => {
        console.error(error);
        response.writeHead(500).end(String(error));
      });
    }
    const described = request.url === "/.well-known/openid-configuration" && metadata;
    return (described ? describe : callback)(request, response);
  });
};

console.info = console.error; // standard output is for answers
const running = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const options = JSON.parse(line);
  const before = running.get(options.issuer);
  if (before) {
    before.closeAllConnections();
    before.close();
    await once(before, "close");
    running.delete(options.issuer);
  }
  if (!options.stop) {
    const port = options.port ?? Number(new URL(options.issuer).port);
    const server = create(options).listen(port, "127.0.0.1");
    await once(server, "listening");
    running.set(options.issuer, server);
  }
  console.log(JSON.stringify({ issuer: options.issuer }));
}
process.exit();
