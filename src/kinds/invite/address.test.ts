import { expect, test } from "vitest";
import { canonicalAddress, isAddress, restrictionCause } from "./schema.ts";

test("case and surrounding spaces do not matter", () =>
  expect(canonicalAddress(" Ada@Example.ORG ")).toBe("ada@example.org"));

test.each([
  ["ada@example.org", true],
  ["a+b@example.org", true],
  ["a.b'c@a-b.example.org", true],
  ["b@localhost", true],
  ["nonsense", false],
  ["a@b", false],
  ["a@b@example.org", false],
  ["ada <ada@example.org>", false],
  ["a,b@example.org", false],
  ['"a b"@example.org', false],
  [".a@example.org", false],
  ["a.@example.org", false],
  ["a..b@example.org", false],
  ["a@-example.org", false],
  ["", false],
])("%j is an address: %s", (address, expected) => expect(isAddress(address)).toBe(expected));

const DOMAINS = [
  { domain: "acme.example", allow_subdomains: false },
  { domain: "partner.example", allow_subdomains: true },
];

test.each([
  ["a@acme.example", undefined],
  ["a@partner.example", undefined],
  ["a@x.y.partner.example", undefined],
  ["a@sub.acme.example", { cause: "unlisted", domain: { quoted: "sub.acme.example", of: "domain" } }],
  ["a@notpartner.example", { cause: "unlisted", domain: { quoted: "notpartner.example", of: "domain" } }],
  ["a+b@acme.example", { cause: "plus" }],
])("%s: %o", (address, cause) => expect(restrictionCause(address, DOMAINS)).toEqual(cause));
