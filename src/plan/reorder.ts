import { defined } from "../model/defined.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { LiveObject, Pair } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";

/**
 * The one change that puts a section in the file's order, if the order differs after everything else was applied: removed objects no longer exist,
 * new ones come last, reactivated ones keep their old places. Objects that the file does not mention keep their places.
 * @param live in the server's order
 */
export function orderChange(
  kind: ResourceKind,
  pairs: readonly Pair[],
  live: readonly LiveObject[],
): Change | undefined {
  const staying = pairs.filter((pair) => pair.change?.action !== "remove" && !isAbsent(pair) && !falls(pair, kind));
  const byLive = new Map(staying.map((pair) => [pair.live, pair]));
  const existing = live.flatMap((object) => byLive.get(object) ?? []);
  const current = [...existing, ...staying.filter((pair) => pair.live === undefined)];
  // The places of the declared objects, filled in the order of the file; these come first in the pairs.
  let next = 0;
  const ordered = current.map((pair) => (pair.declared === undefined ? pair : (staying[next++] ?? pair)));
  const moved = ordered.find((pair, index) => pair !== current[index]);
  if (moved === undefined) return undefined;
  const at = moved.declared?.at;
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
        ...defined({ at }),
      },
    ],
    ...defined({ at }),
    risks: [],
  };
}

const nameAfter = (pair: Pair): string => pair.change?.name ?? pair.live?.name ?? "";
const isAbsent = (pair: Pair): boolean =>
  pair.declared?.absent === true || (pair.live?.inactive === true && !pair.change);
const falls = (pair: Pair, kind: ResourceKind): boolean =>
  pair.change?.fields.some(({ field, after }) => field === kind.inactivity?.field && after === true) === true;
