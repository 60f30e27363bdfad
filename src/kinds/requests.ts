import { defined } from "../model/defined.ts";
import { type Dependency, nameSetAside, removed } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Move } from "../model/facets.ts";
import type { Json } from "../model/json.ts";
import {
  type Address,
  type Change,
  type Expectation,
  fieldIn,
  type ObjectChange,
  objectChanges,
} from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

/** What a kind says about a request; the rest follows from the change. */
type Request = Pick<DraftCall, "operation"> & Partial<DraftCall>;

/** That a field of the object has this value. */
export const expectation = ({ address, id }: Change, field: string, value: Json): Expectation => ({
  address,
  ...defined({ id }),
  field,
  value,
});

/** That the fields still have the values of before: somebody may have changed them in the meantime. */
export const unchanged = (change: Change, only = change.fields): readonly Expectation[] =>
  only.map(({ field, before }) => expectation(change, field, before));

/** The same of every field that the object has on the server. */
export const allUnchanged = (change: Change, context: PlanContext): readonly Expectation[] =>
  Object.entries(context.pair(change.address)?.live?.fields ?? {}).map(([field, value]) =>
    expectation(change, field, value),
  );

/** The value of a field after a change, and before it. */
export const after = ({ fields }: Change, field: string): Json | undefined => fieldIn(fields, field)?.after;
export const before = ({ fields }: Change, field: string): Json => fieldIn(fields, field)?.before ?? null;

/** The request for a whole change. For a new object, the server must not have it yet; of others, the fields that change must be as before. */
export function requestFor(change: Change, own: Request): DraftCall {
  const { address, fields } = change;
  const isNew = change.action === "create";
  return {
    path: {},
    params: {},
    for: [{ address, fields: fields.map(({ field }) => field) }],
    expects: isNew ? [{ address, field: "exists", value: false }] : unchanged(change),
    ...defined({ creates: isNew ? [address] : undefined }),
    ...own,
  };
}

type RequestOf = (change: ObjectChange, context: PlanContext) => Request;

/** The requests of a kind whose objects need one for each change: a row for each action. */
export const oneForEach =
  (rows: { readonly [action in ObjectChange["action"]]: RequestOf }) =>
  (changes: readonly Change[], context: PlanContext): readonly DraftCall[] =>
    objectChanges(changes).map((change) => requestFor(change, rows[change.action](change, context)));

/** The requests of a kind whose objects the server cannot change: one that changes is removed and added again. */
export const removedAndAdded =
  (rows: { readonly add: RequestOf; readonly remove: RequestOf }) =>
  (change: ObjectChange, context: PlanContext): readonly DraftCall[] => {
    const { address, action } = change;
    const removal = { provides: [removed(address)] };
    const remove = (): DraftCall => requestFor(change, { ...removal, ...rows.remove(change, context) });
    const add = (): DraftCall => requestFor(change, rows.add(change, context));
    if (action === "create") return [add()];
    if (action === "remove") return [remove()];
    const { expects: _, ...again } = add();
    return [remove(), { ...again, needs: [removed(address)], creates: [address] }];
  };

/** The fewest requests of such a kind: two for an object that changes. */
export const leastRemovedAndAdded = (changes: readonly Change[]): number =>
  changes.length + changes.filter(({ action }) => action === "update").length;

/** Renames as moves, for kinds that compare names as they are. */
export function renamesAsMoves(changes: readonly Change[]): readonly Move[] {
  return changes.flatMap((change) => (change.was === undefined ? [] : [{ change, from: change.was, to: change.name }]));
}

/**
 * The two requests of an object that steps aside.
 * @param aside everything that changes, with the temporary name
 * @param last only the name
 */
export function asideAndLast(
  { address, gives, takes }: { readonly address: Address; readonly gives: Dependency; readonly takes: Dependency },
  aside: DraftCall,
  last: DraftCall,
): readonly [aside: DraftCall, last: DraftCall] {
  return [
    { ...aside, provides: [gives, nameSetAside(address), ...(aside.provides ?? [])] },
    { ...last, needs: [takes, nameSetAside(address), ...(last.needs ?? [])] },
  ];
}
