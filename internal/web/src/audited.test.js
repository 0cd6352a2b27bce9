import assert from "node:assert/strict";
import test from "node:test";
import { told } from "./audited.js";

const inWords = (entry) => {
  const { what, name, more } = told(entry);
  return `${what} ${name}${more && `: ${more}`}`;
};

test("entries of the audit in words", () => {
  for (const [action, target, details, words] of [
    ["link.create", "launch", null, "made the link launch"],
    [
      "link.update",
      "launch",
      { fields: ["original_url", "owner", "constructor"] },
      "changed the link launch: destination, owner, constructor",
    ],
    [
      "link.delete",
      "old",
      { original_url: "https://www.example.com/a?b=c", created_by: "ci" },
      "deleted the link old: example.com/a?b=c",
    ],
    [
      "token.create",
      "x1",
      { name: "deploy", identity: "ci", role: "editor" },
      "made the token deploy: for ci, role editor",
    ],
    [
      "webhook.create",
      "K3MZ",
      { url: "https://hooks.example/terse", events: ["clicks", "link.created"] },
      "created the webhook hooks.example/terse: events clicks, link.created",
    ],
    ["webhook.rotate", "K3MZ", null, "rotated the secret of the webhook K3MZ"],
    [
      "user.update",
      "ann@example.com",
      { role: { old: "editor", new: "viewer" }, disabled: { old: false, new: true } },
      "changed ann@example.com: role viewer, disabled",
    ],
    ["user.update", "a", { disabled: { old: true, new: false } }, "changed a: enabled"],
    ["tag.rename", "news", { name: "letter" }, "renamed the tag news: name letter"],
    [
      "tag.share",
      "news",
      { fields: ["title", "expires_at"], owner: "ci" },
      "shared the statistics of the tag news: title, end, owner ci",
    ],
    ["tag.unshare", "news", { fields: [] }, "stopped sharing the statistics of the tag news"],
    ["overview.share", "", null, "shared the statistics of the overview "],
    ["certificate.renew", "w1", { not_known: ["a", "b"] }, "certificate.renew w1: not known a, b"],
    ["constructor", "x", { toString: null }, "constructor x: toString null"],
  ])
    assert.equal(inWords({ action, target, details }), words);
});

test("what the audit has from elsewhere deceives nobody", () => {
  assert.equal(
    inWords({ action: "user.refused", target: "x", details: { reason: "a\u202Eb" } }),
    "was not let in x: reason a[U+202E]b",
  );
  const { more } = told({ action: "user.update", target: "x", details: { a: "y".repeat(999) } });
  assert.equal(more.length, 202);
});

test("a link goes by its domain, too, unless that is the default one", () => {
  const entry = { action: "link.update", target: "launch", details: {} };
  assert.equal(told(entry).name, "launch");
  assert.equal(told({ ...entry, domain: "go.example" }).name, "go.example/launch");
});
