import { defined } from "../../model/defined.ts";
import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import {
  type Address,
  type Change,
  type Creation,
  type Expectation,
  type FieldChange,
  type ObjectChange,
  objectChanges,
  type Param,
  type Removal,
  type Update,
} from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { asideAndLast, steppingAside as firstOf } from "../stepping-aside.ts";

/** Names are unique after every request: names that are freed come first, and one view of every cycle gets a temporary name. */
export function viewCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const aside = steppingAside(changes);
  return objectChanges(changes).flatMap((change) => ownCalls(change, aside.get(change.address), context));
}

function ownCalls(change: ObjectChange, between: string | undefined, context: PlanContext): readonly DraftCall[] {
  switch (change.action) {
    case "create":
      return [createCall(change)];
    case "update":
      return updateCalls(change, between);
    case "remove":
      return [removeCall(change, context)];
  }
}

/** A cycle of names takes one request more: one of its views is written twice. */
export function leastViewCalls(changes: readonly Change[]): number {
  return changes.length + steppingAside(changes).size;
}

/** Address → the temporary name. */
function steppingAside(changes: readonly Change[]): ReadonlyMap<Address, string> {
  const moves = changes.flatMap(({ action, address, fields }) => {
    const name = action === "update" ? nameOf({ fields }) : undefined;
    const to = String(name?.after);
    return name === undefined ? [] : [{ from: String(name.before), to, item: { address, to } }];
  });
  // Nobody needs this name to find the view: views are identified by their fragments.
  return new Map(firstOf(moves).map(({ address, to }, index) => [address, temporaryName(to, index + 1)]));
}

function nameOf({ fields }: Pick<Change, "fields">): FieldChange | undefined {
  return fields.find(({ field }) => field === "name");
}

function createCall(change: Creation): DraftCall {
  const { address } = change;
  const values = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
  const { name } = values;
  return {
    operation: "add-navigation-view",
    path: {},
    params: {
      fragment: change.name,
      is_pinned: values.is_pinned === true,
      ...defined({ name: typeof name === "string" ? name : undefined }),
    },
    for: [{ address, fields: Object.keys(values) }],
    expects: [{ address, field: "exists", value: false }],
    needs: typeof name === "string" ? [freeName(name)] : [],
    creates: [address],
    rank: 62,
  };
}

function updateCalls(change: Update, between: string | undefined): readonly DraftCall[] {
  const { address } = change;
  const path = { fragment: change.name };
  // The server treats a view's own name as taken: it is sent only if it changes.
  const params: { [name: string]: Param } = {};
  for (const { field, after } of change.fields) params[field] = after;
  const base = { operation: "edit-navigation-view", path, rank: 61 };
  const whole = {
    ...base,
    params,
    for: [{ address, fields: change.fields.map(({ field }) => field) }],
    expects: change.fields.map(({ field, before }): Expectation => ({ address, field, value: before })),
  };
  const name = nameOf(change);
  if (name === undefined) return [whole];
  const takes = freeName(String(name.after));
  const frees = freeName(String(name.before));
  if (between === undefined) return [{ ...whole, needs: [takes], provides: [frees] }];
  return asideAndLast(
    { address, gives: frees, takes },
    { ...whole, params: { ...params, name: between } },
    {
      ...base,
      params: { name: name.after },
      for: [{ address, fields: ["name"] }],
      expects: [{ address, field: "name", value: between }],
    },
  );
}

function removeCall(change: Removal, context: PlanContext): DraftCall {
  const { address, name: fragment } = change;
  const name = context.pair(address)?.live?.fields.name;
  return {
    operation: "remove-navigation-view",
    path: { fragment },
    params: {},
    for: [{ address, fields: change.fields.map(({ field }) => field) }],
    expects: change.fields.map(({ field, before }) => ({ address, field, value: before })),
    provides: typeof name === "string" ? [freeName(name)] : [],
    rank: 60,
  };
}

/** No view has the name. */
const freeName = (name: string): Dependency => nameFree("navigation_view", name);
