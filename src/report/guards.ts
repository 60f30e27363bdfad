import { shellWord } from "../model/command-line.ts";
import type { Span } from "../model/diagnostic.ts";
import type { GuardFact, RiskFact } from "../model/facts.ts";
import type { ShowCommand } from "./named-text.ts";

interface RefusingGuard {
  readonly name: string;
  readonly rule?: Span | undefined;
  readonly fact?: GuardFact;
}

/** Where the advice is read: at a terminal, or in a comment on a pull request, where there is no command line. */
type ReadAt = "terminal" | "comment";

/**
 * How to allow a violated guard once, and which line has its limit. Empty if it cannot be allowed.
 * @param show shows what to type, and what to write into the file
 */
export function wayThrough(
  { name, rule, fact }: RefusingGuard,
  readAt: ReadAt = "terminal",
  show: ShowCommand = (command) => command,
): string {
  // Created by the Action: its message says everything.
  if (name === "base-policy") return "";
  if (name === "last_owner") return "make somebody else an owner first";
  const flag = show(`--allow ${shellWord(name)}`);
  const once = readAt === "comment" ? `apply it by hand once with ${flag}` : `let it through once with ${flag}`;
  // This guard counts nothing, so no file has a limit for it.
  if (name === "rehearsal") return `correct the file, or ${once}`;
  const through = `${once}, or ${permanentWay(name, rule, show)}`;
  if (fact?.asks === true && readAt === "terminal") return `answer at the terminal (without --yes), ${through}`;
  const keeps = fact?.about.kind === "lockout" ? keepingAccess(fact.about.risk) : undefined;
  return keeps === undefined ? through : `${keeps}; else ${through}`;
}

/** What to write so that the account keeps the rights that the plan would take from it. */
function keepingAccess(risk: RiskFact): string | undefined {
  if (risk.kind !== "account-locked-out") return undefined;
  const account = risk.from === "reading" ? "subscribe the account, or name it" : "name the account";
  const setting = {
    reading: "can_add_subscribers_group",
    administering: "can_administer_channel_group",
    managing: "can_manage_group",
  }[risk.from];
  return `${account} in ${setting}`;
}

function permanentWay(name: string, rule: Span | undefined, show: ShowCommand): string {
  const at = rule === undefined ? "" : ` at ${rule.file}:${rule.line}`;
  if (name === "lockout") return `write ${show("lockout: allow")}${rule === undefined ? " into the policy" : at}`;
  if (name === "min_owners") return `lower min_owners${at}`;
  if (name.startsWith("protect:")) return `remove it from protect${at}`;
  if (rule !== undefined) return `raise the limit${at}`;
  return `write a limit of your own into the file: ${show(`policy: {limits: {${name}: NUMBER}}`)}`;
}
