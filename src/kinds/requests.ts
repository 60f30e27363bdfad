import { defined } from "../model/defined.ts";
import { complete, type Dependency, type DraftCall, nameFree, nameSetAside, removed } from "../model/draft-call.ts";
import type { Move } from "../model/facets.ts";
import type { Json } from "../model/json.ts";
import type { Pair } from "../model/objects.ts";
import {
  type Change,
  type Creation,
  type Expectation,
  fieldIn,
  type ObjectChange,
  objectChanges,
  type Removal,
  type Update,
} from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { listed } from "../model/texts.ts";

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

/** What a change adds to a list, and what it removes. */
export function listChange(
  { fields }: Change,
  field: string,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const change = fieldIn(fields, field);
  const [from, to] = [listed(change?.before), listed(change?.after)];
  const [had, has] = [new Set(from), new Set(to)];
  return { added: to.filter((name) => !had.has(name)), removed: from.filter((name) => !has.has(name)) };
}

/**
 * The request for a change, or for some of its fields. For a new object, the server must not have it yet; of others, these fields must be as before.
 */
export function requestFor(
  change: Change,
  own: Request,
  fields: readonly string[] = change.fields.map(({ field }) => field),
): DraftCall {
  const { address } = change;
  const isNew = change.action === "create";
  return {
    path: {},
    params: {},
    for: [{ address, fields }],
    expects: isNew
      ? [{ address, field: "exists", value: false }]
      : unchanged(
          change,
          change.fields.filter(({ field }) => fields.includes(field)),
        ),
    ...defined({ creates: isNew ? [address] : undefined }),
    ...own,
  };
}

type RequestOf<Of = ObjectChange> = (change: Of, context: PlanContext) => Request;

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

/**
 * The requests of a list whose order has a meaning. New objects are the last, so the order is sent once the list has exactly the wanted objects: only such a
 * list can be reordered.
 */
export const orderedCalls =
  (
    kind: string,
    callsOf: (change: Change, context: PlanContext) => readonly DraftCall[],
    order: (names: readonly string[], context: PlanContext) => Request,
  ) =>
  (changes: readonly Change[], context: PlanContext): readonly DraftCall[] => {
    const calls = changes.flatMap((change) => callsOf(change, context));
    const reorder = changes.find(({ action }) => action === "reorder");
    if (reorder === undefined) return calls;
    const whole = complete(kind);
    const own = order(listed(reorder.fields[0]?.after), context);
    return [...calls.map((call) => withProvided(call, whole)), requestFor(reorder, { ...own, needs: [whole] })];
  };

function withProvided(call: DraftCall, more: Dependency): DraftCall {
  const alternatives = call.alternatives?.map((calls) => calls.map((each) => withProvided(each, more)));
  return { ...call, provides: [...(call.provides ?? []), more], ...defined({ alternatives }) };
}

/** The objects of a section that are on the server after the plan. */
export const staying = (section: string, context: PlanContext): readonly Pair[] =>
  context
    .pairs(section)
    .filter(({ live, change }) => change?.action !== "remove" && (live !== undefined || change !== undefined));

/** Renames as moves, for kinds that compare names as they are. */
export function renamesAsMoves(changes: readonly Change[]): readonly Move[] {
  return changes.flatMap((change) => (change.was === undefined ? [] : [{ change, from: change.was, to: change.name }]));
}

/** What a kind says about its requests if no two of its objects may have the same name at any time. */
interface NamedRequests {
  readonly kind: string;
  /** The name of an object that comes or goes, if that is not what identifies it. */
  readonly nameOf?: (change: ObjectChange, context: PlanContext) => string | undefined;
  readonly create: RequestOf<Creation>;
  readonly remove: RequestOf<Removal>;
  /** The request for these fields; @param name the name to send, if it is one of them. */
  readonly update: (
    change: Update,
    fields: readonly string[],
    name: string | undefined,
    context: PlanContext,
  ) => Request;
  /** Each request overwrites every field, so each one must still be as in the plan. */
  readonly overwritesAll?: boolean;
  /** A field that others may wait for: it may be sent before the name. */
  readonly first?: string;
}

/** The requests for a change: a name is taken once it is free, and one object of each cycle of names steps aside. */
export const namedRequests =
  ({ kind, nameOf = nameOnServer, first, ...rows }: NamedRequests) =>
  (change: Change, context: PlanContext): readonly DraftCall[] => {
    if (change.action === "reorder") return [];
    const { address } = change;
    const free = (name: Json | undefined) => (name === undefined ? [] : [nameFree(kind, String(name))]);
    const call = (own: Request, needs: readonly Dependency[], provides: readonly Dependency[]): DraftCall =>
      requestFor(change, {
        ...own,
        needs: [...needs, ...(own.needs ?? [])],
        provides: [...provides, ...(own.provides ?? [])],
      });
    if (change.action === "create") return [call(rows.create(change, context), free(nameOf(change, context)), [])];
    if (change.action === "remove") return [call(rows.remove(change, context), [], free(nameOf(change, context)))];

    const all = change.fields.map(({ field }) => field);
    const name = fieldIn(change.fields, "name");
    const between = context.move(address)?.aside;
    const update = (fields: readonly string[], from = name?.before, to = between ?? name?.after): DraftCall => {
      const isNamed = from !== undefined && to !== undefined && fields.includes("name");
      const isAside = isNamed && to === between;
      const isLast = isNamed && from === between;
      const sent = change.fields.filter(({ field }) => field !== "name" && fields.includes(field));
      return call(
        {
          ...rows.update(change, fields, isNamed ? String(to) : undefined, context),
          for: [{ address, fields }],
          expects: [
            ...(isLast ? [] : rows.overwritesAll === true ? allUnchanged(change, context) : unchanged(change, sent)),
            ...(isNamed ? [expectation(change, "name", from)] : []),
            ...(isNamed && !isAside && change.was !== undefined ? [{ address, field: "exists", value: false }] : []),
          ],
        },
        [...(isNamed && !isAside ? free(to) : []), ...(isLast ? [nameSetAside(address)] : [])],
        [...(isNamed && !isLast ? free(from) : []), ...(isAside ? [nameSetAside(address)] : [])],
      );
    };
    const whole = update(all);
    if (between !== undefined) return [whole, update(["name"], between, name?.after)];
    if (name === undefined || first === undefined || !all.includes(first)) return [whole];
    return [{ ...whole, alternatives: [[update([first]), update(all.filter((field) => field !== first))]] }];
  };

const nameOnServer = ({ action, address, name }: ObjectChange, context: PlanContext): string =>
  (action === "remove" ? context.pair(address)?.live?.name : undefined) ?? name;
