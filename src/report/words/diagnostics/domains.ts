import type { DomainCause, DomainFacts } from "../../../model/diagnostics/domains.ts";
import { accountThatRuns, bare, q, say, type Words, type WordsOf } from "./words.ts";

export const domainWords: WordsOf<DomainFacts> = {
  "domains/not-allowed": ({ account }) =>
    say(
      `${accountThatRuns(account)} may not change the allowed domains`,
      "only owners of the organization may; administrators may not",
    ),
  "domains/last-domain": ({ domain }) =>
    say(
      `this removes ${bare(domain)}, the last domain: people with any address may join from then on`,
      `keep or add a domain; or confirm it with ${bare(domain)}: {absent: true, lift_restriction: true}`,
    ),
  "domains/lift-restriction": () =>
    say(
      "lift_restriction belongs to a domain that is removed, and this one stays",
      "add absent: true, or delete lift_restriction",
    ),
  "domains/name": domainCause,
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
