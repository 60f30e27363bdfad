import { clean } from "../model/clean.ts";
import type { Change } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import { isReactivatedBy, isReactivation, isRemoval } from "../model/tally.ts";
import { changeName, headingOf, type Line, objectName } from "./layout.ts";
import { GOOD, stateMark } from "./result-calls.ts";
import { dotted, paint, type Style } from "./style.ts";
import { kindTallies, removedWord } from "./tally.ts";
import { nameList } from "./values.ts";

/** Changes of the plan that are carried out in full. */
export function changesMade({ plan, calls }: ApplyResult): readonly Change[] {
  const good = new Set(calls.filter(({ state }) => GOOD.has(state)).map(({ n }) => n));
  const left = new Set<string>();
  const begun = new Set<string>();
  for (const call of plan.calls) {
    for (const address of [...call.creates, ...call.for.map((purpose) => purpose.address)]) {
      begun.add(address);
      if (!good.has(call.n)) left.add(address);
    }
  }
  return plan.changes.filter(({ address }) => begun.has(address) && !left.has(address));
}

/** The carried-out changes for which nothing had to be sent: all, if a saved plan is applied a second time. */
function changesFound(result: ApplyResult): ReadonlySet<Change> {
  const states = new Map(result.calls.map(({ n, state }) => [n, state]));
  const sent = new Set(
    result.plan.calls.flatMap(({ n, creates, for: purposes }) =>
      states.get(n) === "already-so" ? [] : [...creates, ...purposes.map(({ address }) => address)],
    ),
  );
  return new Set(changesMade(result).filter(({ address }) => !sent.has(address)));
}

/** Names of one kind that are shown; the others are counted. */
const MOST_MADE = 8;

const FEW_FIELDS = 3;

/** The carried-out changes by name, with a line for each kind. */
export function madeLines(result: ApplyResult, style: Style): readonly Line[] {
  const made = changesMade(result);
  const found = changesFound(result);
  return [...new Set(made.map(({ kind }) => kind))].map((kind) => {
    const own = made.filter((change) => change.kind === kind);
    const verbOf = (change: Change): string => (found.has(change) ? ALREADY_SO : doneVerb(change));
    const verbs = [...new Set(own.map(verbOf))].sort((a, b) => rankOf(b) - rankOf(a));
    const parts = verbs.map((verb) => {
      const names = own.filter((change) => verbOf(change) === verb).map(madeName);
      return verb === REORDERED ? verb : `${verb} ${nameList(style, names, MOST_MADE)}`;
    });
    const text = `${headingOf(kind, own)}: ${dotted(style, parts)}`;
    return { lead: `  ${paint(style, "good", stateMark("done", style))} `, indent: 4, text };
  });
}

const REORDERED = "reordered";

const ALREADY_SO = "already in place:";

/** The order of the verbs: the last one comes first, and others come after all of these. */
const VERBS_FIRST: readonly string[] = ["reactivated", "changed", "renamed", "created"];

const rankOf = (verb: string): number => (verb === ALREADY_SO ? -2 : VERBS_FIRST.indexOf(verb));

function doneVerb(change: Change): string {
  if (isRemoval(change)) return removedWord([change]);
  if (change.action === "create") return "created";
  if (change.action === "reorder") return REORDERED;
  if (change.was !== undefined) return "renamed";
  return isReactivation(change) ? "reactivated" : "changed";
}

/** The name of a changed object with its changed fields: "#general (description)". */
function madeName(change: Change): string {
  // The line begins with the kind.
  const noun = `${change.kind.replaceAll("_", " ")} `;
  const whole = changeName(change);
  const name = whole.startsWith(noun) ? whole.slice(noun.length) : whole;
  if (change.action !== "update" || isRemoval(change)) return name;
  // The field "(archived)" would say the opposite of what happened.
  const isVerb = change.was === undefined;
  const fields = change.fields
    .filter((field) => field.field !== "name" && !(isVerb && isReactivatedBy(field)))
    .map((field) => (isReactivatedBy(field) ? "reactivated" : clean(field.field)));
  const shown = fields.slice(0, FEW_FIELDS).join(", ");
  const more = fields.length > FEW_FIELDS ? ` and ${fields.length - FEW_FIELDS} more` : "";
  const was =
    change.was === undefined || change.was === change.name ? "" : ` (was ${objectName(change.kind, change.was)})`;
  return `${name}${was}${fields.length === 0 ? "" : ` (${shown}${more})`}`;
}

/** Changes whose calls were all successful, counted in the same way as in the plan. @param sentOnly without those whose effect was there already */
export function madeText(result: ApplyResult, style: Style, sentOnly: boolean): string {
  const left: ReadonlySet<Change> = sentOnly ? changesFound(result) : new Set();
  return dotted(style, kindTallies(changesMade(result).filter((change) => !left.has(change))));
}
