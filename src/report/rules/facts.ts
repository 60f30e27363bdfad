import { CHANNEL, GROUP } from "../../access/scope.ts";
import type { Target } from "../../access/sources.ts";
import { defined } from "../../model/defined.ts";
import { error, type Found, warning } from "../../model/diagnostic.ts";
import type {
  BrokenRule,
  RuleFieldValue,
  RulePath,
  RuleUnknown,
  RuleViolation,
} from "../../model/diagnostics/broken-rules.ts";
import { quote, quoteAll } from "../../model/diagnostics/values.ts";
import { asGroupValue } from "../../model/realm.ts";
import type { Ground } from "../../rules/bind.ts";
import type { ComingPath, RuleOutcome, Unknown, Violation } from "../../rules/check.ts";
import { subjectFact, targetFact } from "../../rules/claims.ts";
import { NO_REDACTION, type Redaction, redactFact } from "../redaction.ts";

/** One violation of a rule as a fact. @param redaction hides names; personas may be named */
export function brokenRule(
  { name }: Pick<RuleOutcome, "name">,
  violation: Violation,
  ground: Ground,
  redaction: Redaction = NO_REDACTION,
): BrokenRule {
  const fact: BrokenRule = { rule: { quoted: name }, violation: violationFact(violation, ground) };
  // The rule's own name is in a file of the repository, which readers of the report can see.
  return redaction === NO_REDACTION ? fact : { ...redactFact(fact, redaction), rule: fact.rule };
}

/** A broken rule as errors in the file: for annotations, SARIF and other formats. */
export function brokenDiagnostics(
  outcome: RuleOutcome,
  ground: Ground,
  redaction: Redaction = NO_REDACTION,
): readonly Found<"rules/broken">[] {
  return outcome.violations.map((violation) => {
    const granted = "granted" in violation ? violation.granted : undefined;
    return error("rules/broken", brokenRule(outcome, violation, ground, redaction), granted ?? outcome.at);
  });
}

/** A rule whose result is partly unknown: nothing breaks it, but it does not count as holding. */
export function undecidedDiagnostics({
  name,
  at,
  undecided,
  reasons,
  verdict,
}: RuleOutcome): readonly Found<"rules/undecided">[] {
  if (verdict !== "undecided") return [];
  const why = defined({ reasons: reasons.length === 0 ? undefined : reasons.map(unknownFact) });
  return [warning("rules/undecided", { test: quote(name), undecided, ...why }, at)];
}

export function unknownFact(why: Unknown): RuleUnknown {
  switch (why.is) {
    case "unseen":
      return { is: why.is, pattern: quote(why.pattern) };
    case "members":
      return { is: why.is, group: quote(why.group, GROUP) };
    case "owner":
      return { is: why.is, bot: quote(why.bot) };
    case "excepted":
      return { is: why.is, list: quote(why.list, why.kind), kind: why.kind };
    case "privacy":
      return { is: why.is, channel: quote(why.channel, CHANNEL) };
    case "returning":
    case "invited":
      return why;
  }
}

function violationFact(violation: Violation, ground: Ground): RuleViolation {
  const on = targetFact(violation.target, ground);
  switch (violation.kind) {
    case "field":
      return { kind: "field", field: violation.field, on, found: fieldValue(violation.found) };
    case "on-web":
      return { kind: "on-web", right: violation.right, on };
    case "too-few":
    case "too-many":
      return {
        ...{ kind: violation.kind, right: violation.right, on, found: violation.found, wanted: violation.wanted },
        ...defined({ on_web: violation.onWeb }),
      };
    default:
      return {
        kind: violation.kind,
        who: subjectFact(violation.id, ground),
        right: violation.right,
        on,
        paths: violation.paths.map((path) => pathFact(path, violation.target, ground)),
      };
  }
}

function pathFact(path: ComingPath, target: Target, ground: Ground): RulePath {
  if (path.via === "key") return { via: "key", bot: subjectFact(path.bot, ground) };
  if (path.via === "privacy") return { via: "privacy", privacy: path.privacy };
  if (path.via === "joining") return { via: "joining", groups: quoteAll(path.groups, GROUP) };
  if (path.via !== "setting") return { via: path.via };
  return {
    via: "setting",
    isOfOrganization: target !== "organization" && path.on === "organization",
    setting: path.setting,
    groups: quoteAll(path.groups, GROUP),
  };
}

function fieldValue(value: unknown): RuleFieldValue {
  if (value === null || typeof value === "number" || typeof value === "boolean") return { is: "value", value };
  if (typeof value === "string") return { is: "text", text: quote(value) };
  const people = asGroupValue(JSON.parse(JSON.stringify(value ?? null)));
  if (people === undefined || typeof people === "string") return { is: "other" };
  return { is: "groups-and-people", groups: quoteAll(people.groups, GROUP), users: quoteAll(people.users) };
}
