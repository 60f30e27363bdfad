import { defined } from "../../model/defined.ts";
import { complete } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { isList } from "../../model/json.ts";
import type { Fields, Pair } from "../../model/objects.ts";
import { type Change, type IdOf, type Param, serverId } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { namedRequests, requestFor } from "../requests.ts";
import { readPattern } from "./pattern.ts";
import { fieldsAfter } from "./schema.ts";

/** Removed first, then changed, then added (new ones go last, in the order of these requests), then reordered once. */
const RANK = { remove: 40, update: 41, create: 42, reorder: 43 } as const;

export function linkifierCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const calls = changes.flatMap((change) => ownCalls(change, context));
  const reorder = changes.find(({ action }) => action === "reorder");
  if (reorder === undefined) return calls;
  return [
    ...calls.map((call) => ({ ...call, provides: [...(call.provides ?? []), COMPLETE] })),
    reorderCall(reorder, context),
  ];
}

/** The list has exactly the wanted linkifiers: only such a list can be reordered. */
const COMPLETE = complete("linkifier");

/** It is not known whether the server keeps fields that are omitted. */
const ownCalls = namedRequests({
  kind: "linkifier",
  overwritesAll: true,
  create: (change, context) => ({
    operation: "add-linkifier",
    params: paramsOf(change, context),
    rank: RANK.create,
  }),
  update: (change, _fields, pattern, context) => ({
    operation: "update-linkifier",
    path: { filter_id: serverId(change) },
    params: { ...paramsOf(change, context), ...defined({ pattern }) },
    rank: RANK.update,
  }),
  remove: (change) => ({
    operation: "remove-linkifier",
    path: { filter_id: serverId(change) },
    rank: RANK.remove,
  }),
});

function reorderCall(change: Change, context: PlanContext): DraftCall {
  const ids = finalOrder(context).map((pair): number | IdOf => pair.live?.id ?? { idOf: pair.address });
  return requestFor(change, {
    operation: "reorder-linkifiers",
    params: { ordered_linkifier_ids: ids },
    needs: [COMPLETE],
    rank: RANK.reorder,
  });
}

/**
 * Every field that the level has: it is not known whether the server keeps omitted ones, and pattern and template are always required (zulip-api.md
 * §6.2).
 */
function paramsOf(change: Change, context: PlanContext): { readonly [name: string]: Param } {
  const pair = context.pair(change.address);
  const fields = pair === undefined ? undefined : fieldsAfter(pair);
  if (fields === undefined) throw new RangeError(`${change.address} is not in the plan`);
  const { level } = context.realm;
  return {
    pattern: fields.pattern,
    url_template: fields.url_template ?? "",
    ...defined({
      example_input: level < 471 ? undefined : (fields.example_input ?? ""),
      reverse_template: level < 471 ? undefined : (fields.reverse_template ?? ""),
      alternative_url_templates: level < 478 ? undefined : fields.alternative_url_templates,
    }),
  };
}

/** Every linkifier after the plan, in the order in which the server will try them. */
export function finalOrder(context: PlanContext): readonly Pair[] {
  const staying = context
    .pairs("linkifiers")
    .filter((pair) => pair.change?.action !== "remove" && (pair.live !== undefined || pair.change !== undefined));
  const byName = new Map(staying.map((pair) => [pair.change?.name ?? pair.live?.name ?? "", pair]));
  const reorder = context.changes.find(({ kind, action }) => kind === "linkifier" && action === "reorder");
  const after = reorder?.fields[0]?.after;
  if (after !== undefined && isList(after)) return after.flatMap((name) => byName.get(String(name)) ?? []);

  const byLiveName = new Map(staying.flatMap((pair) => (pair.live === undefined ? [] : [[pair.live.name, pair]])));
  const existing = (context.snapshot.linkifiers ?? []).flatMap(({ pattern }) => byLiveName.get(pattern) ?? []);
  return [...existing, ...staying.filter((pair) => pair.live === undefined)];
}

/**
 * The temporary pattern of a linkifier while others take its own. It still matches everything that the new pattern matches, so the example and the
 * templates that are sent with it stay valid. Patterns have no maximum length.
 */
export function patternInBetween(target: string, id: number, spare?: number): string {
  return temporaryName(`${target}|`, id, Number.POSITIVE_INFINITY, spare);
}

/** The templates with the groups of the pattern by their numbers: a group with another name is no other link. */
export function withNumberedGroups(pattern: string, fields: Fields): Fields {
  const read = readPattern(pattern);
  if ("cause" in read) return fields;
  const numbers = new Map(read.pattern.groups.map((name, index) => [name, String(index)]));
  const numbered = (expression: string): string => expression.replace(/\w+/g, (word) => numbers.get(word) ?? word);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      field.endsWith("_template") && typeof value === "string" ? value.replace(/\{[^}]*\}/g, numbered) : value,
    ]),
  );
}
