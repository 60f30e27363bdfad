import { expect, test } from "vitest";
import { canonicalDomain, domainFlaw } from "./name.ts";

test.each([
  ["example.org", "example.org"],
  [" Example.ORG ", "example.org"],
])("%j is stored as %s", (name, stored) => expect(canonicalDomain(name)).toBe(stored));

test.each(["example.org", "a.b.example.org", "x-1.example", "1.2", "xn--bcher-kva.example", `${"a".repeat(78)}.b`])(
  "%s is a domain",
  (domain) => expect(domainFlaw(domain)).toBeUndefined(),
);

const quoted = expect.objectContaining({ quoted: expect.any(String) });

test.each([
  ["", { flaw: "empty" }],
  ["localhost", { flaw: "no-dot", domain: quoted }],
  [`${"a".repeat(79)}.b`, { flaw: "too-long", length: 81, limit: 80 }],
  [".example.org", { flaw: "outer-dot", domain: quoted }],
  ["example.org.", { flaw: "outer-dot", domain: quoted }],
  ["example..org", { flaw: "two-dots", domain: quoted }],
  ["-a.example", { flaw: "hyphen", domain: quoted, label: { quoted: "-a" } }],
  ["a-.example", { flaw: "hyphen", domain: quoted, label: { quoted: "a-" } }],
  ["a_b.example", { flaw: "character", domain: quoted, character: { quoted: "_" } }],
  ["a b.example", { flaw: "character", domain: quoted, character: { quoted: " " } }],
  ["ada@example.org", { flaw: "address", domain: quoted, rest: { quoted: "example.org", of: "domain" } }],
  ["@example.org", { flaw: "address", domain: quoted, rest: { quoted: "example.org", of: "domain" } }],
  ["*.example.org", { flaw: "wildcard", rest: { quoted: "example.org", of: "domain" } }],
  ["bücher.example", { flaw: "not-ascii", domain: quoted, ascii: { quoted: "xn--bcher-kva.example", of: "domain" } }],
])("%s: %o", (domain, flaw) => expect(domainFlaw(domain)).toEqual(flaw));
