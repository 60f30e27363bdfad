import { expect, test } from "vitest";
import { canonicalDomain, domainCause } from "./kind.ts";

test.each([
  ["example.org", "example.org"],
  [" Example.ORG ", "example.org"],
])("%j is stored as %s", (name, stored) => expect(canonicalDomain(name)).toBe(stored));

test.each(["example.org", "a.b.example.org", "x-1.example", "1.2", "xn--bcher-kva.example", `${"a".repeat(78)}.b`])(
  "%s is a domain",
  (domain) => expect(domainCause(domain)).toBeUndefined(),
);

const quoted = expect.objectContaining({ quoted: expect.any(String) });

test.each([
  ["", { cause: "empty" }],
  ["localhost", { cause: "no-dot", domain: quoted }],
  [`${"a".repeat(79)}.b`, { cause: "too-long", length: 81, limit: 80 }],
  [".example.org", { cause: "outer-dot", domain: quoted }],
  ["example.org.", { cause: "outer-dot", domain: quoted }],
  ["example..org", { cause: "two-dots", domain: quoted }],
  ["-a.example", { cause: "hyphen", domain: quoted, label: { quoted: "-a" } }],
  ["a-.example", { cause: "hyphen", domain: quoted, label: { quoted: "a-" } }],
  ["a_b.example", { cause: "character", domain: quoted, character: { quoted: "_" } }],
  ["a b.example", { cause: "character", domain: quoted, character: { quoted: " " } }],
  ["ada@example.org", { cause: "address", domain: quoted, rest: { quoted: "example.org", of: "domain" } }],
  ["@example.org", { cause: "address", domain: quoted, rest: { quoted: "example.org", of: "domain" } }],
  ["*.example.org", { cause: "wildcard", rest: { quoted: "example.org", of: "domain" } }],
  ["bücher.example", { cause: "not-ascii", domain: quoted, ascii: { quoted: "xn--bcher-kva.example", of: "domain" } }],
])("%s: %o", (domain, cause) => expect(domainCause(domain)).toEqual(cause));
