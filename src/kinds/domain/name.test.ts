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

test.each([
  ["", "a domain is not empty"],
  ["localhost", "localhost has no dot"],
  [`${"a".repeat(79)}.b`, "the domain has 81 characters, and the server stores 80"],
  [".example.org", ".example.org starts or ends with a dot"],
  ["example.org.", "example.org. starts or ends with a dot"],
  ["example..org", "example..org has two dots in a row"],
  ["-a.example", '"-a" in -a.example starts or ends with a hyphen'],
  ["a-.example", '"a-" in a-.example starts or ends with a hyphen'],
  ["a_b.example", 'a_b.example holds "_"'],
  ["a b.example", 'a b.example holds " "'],
  ["ada@example.org", "ada@example.org is no domain but an address"],
  ["*.example.org", "a domain has no asterisk"],
  ["bücher.example", "bücher.example has letters that are not ASCII"],
])("%s: %s", (domain, message) => expect(domainFlaw(domain)?.message).toBe(message));

test.each([
  ["@example.org", "write example.org"],
  ["*.example.org", "write example.org: {allow_subdomains: true}"],
  ["bücher.example", "write its ASCII form: xn--bcher-kva.example"],
])("%s: %s", (domain, hint) => expect(domainFlaw(domain)?.hint).toBe(hint));
