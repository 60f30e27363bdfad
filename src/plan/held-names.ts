import { liveObjects, type ResourceKind, temporaryNameOf } from "../model/kind.ts";
import type { Change, Param, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { SPARES } from "../model/temporary-name.ts";

/** An object that has one name in a plan and another in the realm. */
interface OtherName {
  readonly kind: string;
  readonly id: number;
  readonly planned: string;
  readonly now: string;
}

/**
 * Finds objects whose id is in a plan and whose name differs from the snapshot that the plan was made from. A plan shows names, but its calls send
 * ids, so it would change another object than the one that was reviewed. Names that the plan itself gives do not count. A number counts as an id of
 * every kind that has an object with this id: an unnecessary refusal is better than a change of the wrong object.
 */
export function otherNames(
  plan: Plan,
  { before, now, kinds }: { before: Snapshot; now: Snapshot; kinds: readonly ResourceKind[] },
): readonly OtherName[] {
  const numbers = numbersIn(plan);
  const planned = namesOf(before, kinds);
  const renamed = new Set(plan.changes.flatMap(({ kind, id, was }) => (was === undefined ? [] : [`${kind} ${id}`])));
  const accounts = kinds.filter(({ isAccount }) => isAccount === true);
  return [...namesOf(now, kinds)].flatMap(([key, { kind, id, name }]) => {
    const known = planned.get(key)?.name;
    if (known === undefined || known === name || !numbers.has(id)) return [];
    // The address of a renamed bot follows its name, which is compared itself.
    if (kind === ACCOUNT_NOUN && accounts.some((each) => renamed.has(`${each.name} ${id}`))) return [];
    const of = kinds.find((each) => each.name === kind);
    const own = plan.changes.filter((change) => change.kind === kind && change.id === id);
    const isGivenByPlan = own.some(
      (change) => change.name === name || (of !== undefined && isInBetween(of, change, { id, name })),
    );
    return isGivenByPlan ? [] : [{ kind, id, planned: known, now: name }];
  });
}

/** Whether it is a name that the object of this change has while others take its own. */
const isInBetween = (
  kind: ResourceKind,
  { was, name: to }: Change,
  { id, name }: Pick<Named, "id" | "name">,
): boolean => was !== undefined && SPARES.some((spare) => temporaryNameOf(kind, to, id, spare) === name);

/** People and bots, by their addresses. */
const ACCOUNT_NOUN = "user";

interface Named {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

function namesOf(snapshot: Snapshot, kinds: readonly ResourceKind[]): ReadonlyMap<string, Named> {
  const realm = new Realm(snapshot);
  const all: Named[] = [
    ...kinds.flatMap((kind) => {
      const objects = [...(liveObjects(kind, realm) ?? []), ...(kind.identity?.undeclarable?.(snapshot) ?? [])];
      return objects.flatMap(({ id, name }) => (id === null ? [] : [{ kind: kind.name, id, name }]));
    }),
    ...snapshot.users.map((user) => ({
      kind: ACCOUNT_NOUN,
      id: user.user_id,
      name: user.delivery_email ?? user.email,
    })),
  ];
  return new Map(all.map((named) => [`${named.kind} ${named.id}`, named]));
}

/** Every number that a call sends, and the ids of the objects that change. */
function numbersIn({ calls, changes }: Plan): ReadonlySet<number | undefined> {
  const found = new Set(changes.map(({ id }) => id));
  for (const call of calls)
    walk([...Object.values(call.path), call.params], (value) => {
      if (typeof value === "number") found.add(value);
      else if (typeof value === "string" && /^\d{1,15}$/.test(value)) found.add(Number(value));
    });
  return found;
}

function walk(value: Param, visit: (value: Param) => void): void {
  visit(value);
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) walk(item, visit);
}
