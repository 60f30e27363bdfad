import { diagnostic } from "./definition.ts";
import type { Person, Quoted } from "./values.ts";
import { accountThatRuns, bare, q, say, type Words } from "./words.ts";

/** Why the server does not accept a domain. */
export type DomainCause =
  | { readonly cause: "empty" }
  | { readonly cause: "wildcard"; readonly rest: Quoted }
  | { readonly cause: "address"; readonly domain: Quoted; readonly rest: Quoted }
  | { readonly cause: "not-ascii"; readonly domain: Quoted; readonly ascii?: Quoted }
  | { readonly cause: "no-dot" | "outer-dot" | "two-dots"; readonly domain: Quoted }
  | { readonly cause: "too-long"; readonly length: number; readonly limit: number }
  | { readonly cause: "hyphen"; readonly domain: Quoted; readonly label: Quoted }
  | { readonly cause: "character"; readonly domain: Quoted; readonly character: Quoted };

export const domains = {
  "domains/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change the allowed domains`,
    help: "only owners of the organization may; administrators may not",
    means: "Only owners may change the allowed domains; administrators may not.",
    out: "Use the account of an owner.",
  }),
  "domains/last-domain": diagnostic<{ domain: Quoted }>({
    says: ({ domain }) =>
      `this removes ${bare(domain)}, the last domain: people with any address may join from then on`,
    help: ({ domain }) =>
      `keep or add a domain; or confirm it with ${bare(domain)}: {absent: true, lift_restriction: true}`,
    means: "When the last domain is removed, the server lifts the restriction: from then on anybody may join.",
    out: "Keep or add a domain, or confirm the removal: `lift_restriction: true` next to `absent: true`.",
  }),
  "domains/lift-restriction": diagnostic({
    says: "lift_restriction belongs to a domain that is removed, and this one stays",
    help: "add absent: true, or delete lift_restriction",
    means: "`lift_restriction` is for a domain that is removed, and this one stays.",
    out: "Write `absent: true` next to it, or delete it.",
  }),
  "domains/name": diagnostic<DomainCause>({
    says: domainCause,
    means: "The server would not accept this as a domain.",
    out: "Write it like `example.org`; for subdomains, add `allow_subdomains: true`.",
  }),
};

const EXAMPLE = "write it like example.org";

function domainCause(fact: DomainCause): Words {
  switch (fact.cause) {
    case "empty":
      return say("a domain must not be empty", EXAMPLE);
    case "wildcard":
      return say("a domain must not start with an asterisk", `write ${bare(fact.rest)}: {allow_subdomains: true}`);
    case "address":
      return say(`${bare(fact.domain)} is an address, not a domain`, `write ${bare(fact.rest)}`);
    case "not-ascii":
      return say(
        `${bare(fact.domain)} has letters that are not ASCII`,
        `write its ASCII form${fact.ascii === undefined ? " (xn--…)" : `: ${bare(fact.ascii)}`}`,
      );
    case "no-dot":
      return say(`${bare(fact.domain)} has no dot`, EXAMPLE);
    case "outer-dot":
      return say(`${bare(fact.domain)} starts or ends with a dot`, "delete the dot");
    case "two-dots":
      return say(`${bare(fact.domain)} has two dots in a row`, EXAMPLE);
    case "too-long":
      return say(
        `the domain has ${fact.length} characters, and the server stores at most ${fact.limit}`,
        "write a shorter domain, such as the one that it is a part of, with allow_subdomains: true",
      );
    case "hyphen":
      return say(`${q(fact.label)} in ${bare(fact.domain)} starts or ends with a hyphen`, EXAMPLE);
    case "character":
      return say(
        `${bare(fact.domain)} contains ${q(fact.character)}`,
        "a domain consists of letters, digits, hyphens and dots",
      );
  }
}
