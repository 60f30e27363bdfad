import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Pair, PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { problem, warning } from "../problems.ts";
import { isBuiltIn } from "./fragment.ts";

export function checkViews(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...whoseViews(changes, context),
    ...changes.filter(({ action }) => action === "create").flatMap(incomplete),
    ...sameNames(context),
  ];
}

/** Everything else in the file is the organization's; these are one person's, and nothing in the file shows it. */
function whoseViews(changes: readonly Change[], { declared, snapshot }: PlanContext): readonly Diagnostic[] {
  const [first] = declared("navigation_views");
  if (first === undefined && changes.length === 0) return [];
  const { full_name: name, email } = snapshot.account;
  return [
    warning(
      "navigation_views/personal",
      `these are the navigation views of ${name} (${email}), the account that runs this, and of nobody else`,
      "people's own views are theirs to arrange: the server lets nobody set them for others",
      first?.at,
    ),
  ];
}

/** What the server wants of a new view (zulip-api.md §8). */
function incomplete(change: Change): readonly Diagnostic[] {
  const has = (field: string): boolean => change.fields.some((candidate) => candidate.field === field);
  const problems: Diagnostic[] = [];
  if (!has("is_pinned"))
    problems.push(
      problem(
        "navigation_views/no-is-pinned",
        `the view ${change.name} is new, and nothing says whether it is pinned`,
        "write is_pinned: true or is_pinned: false",
        change.at,
      ),
    );
  if (!has("name") && !isBuiltIn(change.name))
    problems.push(
      problem(
        "navigation_views/no-name",
        `the view ${change.name} is new and needs a name`,
        "write name: and what it shall be called; Zulip itself has no such view",
        change.at,
      ),
    );
  return problems;
}

/** Names of an account's views differ, compared with case. */
function sameNames(context: PlanContext): readonly Diagnostic[] {
  const holders = new Map<string, Pair>();
  const problems: Diagnostic[] = [];
  // What only the server has comes last, and is never to blame.
  for (const pair of context.pairs("navigation_views").toReversed()) {
    const name = nameAfter(pair);
    if (name === undefined) continue;
    const holder = holders.get(name);
    if (holder !== undefined) {
      problems.push(
        problem(
          "navigation_views/same-name",
          `${fragmentOf(pair)} and ${fragmentOf(holder)} would both be called ${JSON.stringify(name)}`,
          "give one of them another name, or remove it",
          pair.declared?.spans.name ?? pair.declared?.at,
        ),
      );
    }
    holders.set(name, pair);
  }
  return problems;
}

function nameAfter({ declared, live, change }: Pair): string | undefined {
  if (change?.action === "remove" || (live === undefined && change === undefined)) return undefined;
  const name = declared?.fields.name ?? live?.fields.name;
  return typeof name === "string" ? name : undefined;
}

const fragmentOf = ({ declared, live }: Pair): string => declared?.name ?? live?.name ?? "";
