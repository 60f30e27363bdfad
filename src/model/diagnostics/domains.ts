import { cases, type FactIn } from "../cases.ts";
import { diagnostic } from "./definition.ts";
import type { Person, Quoted } from "./values.ts";
import { accountThatRuns, bare, q, say } from "./words.ts";

const EXAMPLE = "write it like example.org";

/** Why the server does not accept a domain. */
const domainCause = cases("cause", {
  empty: say("a domain must not be empty", EXAMPLE),
  wildcard: ({ rest }: { rest: Quoted }) =>
    say("a domain must not start with an asterisk", `write ${bare(rest)}: {allow_subdomains: true}`),
  address: ({ domain, rest }: { domain: Quoted; rest: Quoted }) =>
    say(`${bare(domain)} is an address, not a domain`, `write ${bare(rest)}`),
  "not-ascii": ({ domain, ascii }: { domain: Quoted; ascii?: Quoted }) =>
    say(
      `${bare(domain)} has letters that are not ASCII`,
      `write its ASCII form${ascii === undefined ? " (xn--…)" : `: ${bare(ascii)}`}`,
    ),
  "no-dot": ({ domain }: { domain: Quoted }) => say(`${bare(domain)} has no dot`, EXAMPLE),
  "outer-dot": ({ domain }: { domain: Quoted }) => say(`${bare(domain)} starts or ends with a dot`, "delete the dot"),
  "two-dots": ({ domain }: { domain: Quoted }) => say(`${bare(domain)} has two dots in a row`, EXAMPLE),
  "too-long": ({ length, limit }: { length: number; limit: number }) =>
    say(
      `the domain has ${length} characters, and the server stores at most ${limit}`,
      "write a shorter domain, such as the one that it is a part of, with allow_subdomains: true",
    ),
  hyphen: ({ label, domain }: { domain: Quoted; label: Quoted }) =>
    say(`${q(label)} in ${bare(domain)} starts or ends with a hyphen`, EXAMPLE),
  character: ({ domain, character }: { domain: Quoted; character: Quoted }) =>
    say(`${bare(domain)} contains ${q(character)}`, "a domain consists of letters, digits, hyphens and dots"),
});
export type DomainCause = FactIn<typeof domainCause>;

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
