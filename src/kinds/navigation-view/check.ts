import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { type Quoted, quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { Pair } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { BUILT_IN_VIEWS, builtInMeant, isBuiltIn, viewName } from "./schema.ts";

export function checkViews(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...whoseViews(changes, context),
    ...changes.filter(({ action }) => action === "create").flatMap(incomplete),
    ...sameNames(context),
  ];
}

/** Everything else in the file belongs to the organization. These views belong to one person, and the file does not show that. */
function whoseViews(changes: readonly Change[], { declared, snapshot }: PlanContext): readonly Diagnostic[] {
  const [first] = declared("navigation_views");
  if (first === undefined && changes.length === 0) return [];
  return [warning("navigation_views/personal", { account: runningAccount(snapshot) }, first?.at)];
}

/** What the server requires for a new view (zulip-api.md §8). */
function incomplete(change: Change): readonly Diagnostic[] {
  const has = (field: string): boolean => fieldIn(change.fields, field) !== undefined;
  const view = viewName(change.name);
  return [
    ...(has("is_pinned") ? [] : [error("navigation_views/no-is-pinned", { view }, change.at)]),
    ...(has("name") || isBuiltIn(change.name)
      ? []
      : [
          error(
            "navigation_views/no-name",
            { view, is_new: true, ...defined({ meant: builtInMeant(change.name) }), built_in: BUILT_IN_VIEWS },
            change.at,
          ),
        ]),
  ];
}

/** Names of an account's views are unique, compared with case. */
function sameNames(context: PlanContext): readonly Diagnostic[] {
  const holders = new Map<string, Pair>();
  const diagnostics: Diagnostic[] = [];
  // Views that are only on the server come last, so the error is never reported at one of them.
  for (const pair of context.pairs("navigation_views").toReversed()) {
    const name = nameAfter(pair);
    if (name === undefined) continue;
    const holder = holders.get(name);
    if (holder !== undefined) {
      const fact = { views: [fragmentOf(pair), fragmentOf(holder)], name: quote(name) } as const;
      const at = pair.declared?.spans.of("name") ?? pair.declared?.at;
      diagnostics.push(error("navigation_views/same-name", fact, at));
    }
    holders.set(name, pair);
  }
  return diagnostics;
}

function nameAfter({ declared, live, change }: Pair): string | undefined {
  if (change?.action === "remove" || (live === undefined && change === undefined)) return undefined;
  const name = declared?.fields.name ?? live?.fields.name;
  return typeof name === "string" ? name : undefined;
}

const fragmentOf = ({ declared, live }: Pair): Quoted => viewName(declared?.name ?? live?.name ?? "");
