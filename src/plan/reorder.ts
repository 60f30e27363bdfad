import type { Pair, ResourceKind } from "../model/kind.ts";
import type { Change } from "../model/plan.ts";

/**
 * The one change that puts a section in the file's order, when it is not once everything else was applied: removed objects are gone,
 * new ones come last. Objects that the file does not mention keep their places.
 */
export function orderChange(
  kind: ResourceKind,
  pairs: readonly Pair[],
  liveOrder: readonly string[],
): Change | undefined {
  const staying = pairs.filter((pair) => pair.change?.action !== "remove" && !isAbsent(pair));
  const byLiveName = new Map(
    staying.flatMap((pair) => (pair.live === undefined ? [] : [[pair.live.name, pair] as const])),
  );
  const existing = liveOrder.flatMap((name) => byLiveName.get(name) ?? []);
  const created = staying.filter((pair) => pair.live === undefined || wakes(pair, kind));
  const current = [...existing.filter((pair) => !wakes(pair, kind)), ...created];
  const wanted = staying.filter((pair) => pair.declared !== undefined && current.includes(pair));
  let next = 0;
  const ordered = current.map((pair) => (pair.declared === undefined ? pair : (wanted[next++] ?? pair)));
  if (ordered.every((pair, index) => pair === current[index])) return undefined;
  const firstMoved = ordered.find((pair, index) => pair !== current[index] && pair.declared !== undefined);
  const at = firstMoved?.declared?.at;
  return {
    action: "reorder",
    kind: kind.name,
    address: `${kind.name}:*`,
    name: kind.section,
    fields: [
      {
        field: "order",
        before: current.map(nameAfter),
        after: ordered.map(nameAfter),
        ...(at === undefined ? {} : { at }),
      },
    ],
    ...(at === undefined ? {} : { at }),
    risks: [],
  };
}

const nameAfter = (pair: Pair): string => pair.change?.name ?? pair.live?.name ?? pair.declared?.name ?? "";
const isAbsent = (pair: Pair): boolean =>
  pair.declared?.absent === true || (pair.live?.dormant === true && !pair.change);
const wakes = (pair: Pair, kind: ResourceKind): boolean =>
  pair.live?.dormant === true &&
  pair.change?.fields.some(({ field, after }) => field === kind.dormancy && !after) === true;
