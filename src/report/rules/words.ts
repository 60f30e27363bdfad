import { scopeOf, type Target } from "../../access/grants.ts";
import { wordOf } from "../../access/words.ts";
import type { WordedDiagnostic } from "../../model/diagnostic.ts";
import { asGroupValue } from "../../model/realm.ts";
import type { Ground } from "../../rules/bind.ts";
import type { Flaw, RuleOutcome } from "../../rules/check.ts";
import { groupText, pathText, personName, targetName } from "../access/names.ts";
import { NO_REDACTION, type Redaction } from "../redaction.ts";
import { count } from "../style.ts";

/** Above rules that were made from a file without a server. */
export const SUGGESTED_OF_FILE = `# Made from the file alone, which does not say who is a guest, nor who is subscribed. Try them on real people before you keep them:
# realmctl test --snapshot FILE, or --live.
`;

/** Code of a rule that does not hold. */
export const BROKEN = "rules/broken";

/**
 * "Ivo Novak can read #roadmap", "a guest cannot post in #lobby".
 * @param redaction hides names from those who may not know them; whoever is made up may be named
 */
export function flawText(flaw: Flaw, { realm, personas }: Ground, redaction: Redaction = NO_REDACTION): string {
  const on = shownTarget(flaw.target, redaction);
  if (flaw.kind === "field") return `${flaw.field} of ${on} is ${redaction.value(valueText(flaw.found))}`;
  const deed = deedText(flaw.right, flaw.target, on);
  if ("id" in flaw) {
    const isMade = [...personas.values()].includes(flaw.id);
    const name = redaction.people && !isMade ? `person ${flaw.id}` : personName(realm, flaw.id);
    const who = isMade ? `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}` : name;
    return `${who} ${flaw.kind} ${deed}`;
  }
  const limit = flaw.kind === "too-few" ? "at least" : "at most";
  return `${count(flaw.found, "person", "people")} can ${deed}, ${limit} ${flaw.wanted} should`;
}

function shownTarget(target: Target, redaction: Redaction): string {
  if (target === "organization") return targetName(target);
  const shown = redaction.name(target.kind, target.name);
  return shown === target.name ? targetName(target) : shown;
}

function deedText(right: string, target: Target, on: string): string {
  const word = wordOf(scopeOf(target), right);
  if (target === "organization") return word;
  return /^(post|start|delete|resolve|move)/.test(word)
    ? `${word} in ${on}`
    : /subscribers|members/.test(word)
      ? `${word} of ${on}`
      : `${word} ${on}`;
}

function valueText(value: unknown): string {
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  const named = asGroupValue(JSON.parse(JSON.stringify(value ?? null)));
  return named === undefined ? "another value" : groupText(named);
}

/** By what they can: each path on its own. */
export function reasonText(flaw: Flaw): string {
  if (flaw.kind !== "can") return "";
  return [...new Set(flaw.paths.map((path) => pathText(path, flaw.target)))].join("; ");
}

/** A rule that does not hold as an error in the file: for annotations, SARIF and all else that shows those. */
export function brokenDiagnostics(
  outcome: RuleOutcome,
  ground: Ground,
  redaction: Redaction = NO_REDACTION,
): readonly WordedDiagnostic[] {
  return outcome.flaws.map((flaw): WordedDiagnostic => {
    const granted = "granted" in flaw ? flaw.granted : undefined;
    const reason = redaction.value(reasonText(flaw));
    return {
      code: BROKEN,
      severity: "error",
      message: `${outcome.name}: ${flawText(flaw, ground, redaction)}${reason === "" ? "" : ` (${reason})`}`,
      at: granted ?? outcome.at,
    };
  });
}
