import { defined } from "../../model/defined.ts";
import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import type { Move } from "../../model/facets.ts";
import {
  type Change,
  type Creation,
  type FieldChange,
  fieldIn,
  type ObjectChange,
  objectChanges,
  type Param,
  type Removal,
  type Update,
} from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asideAndLast } from "../moves.ts";
import { requestFor } from "../requests.ts";

/** Names are unique after every request: names that are freed come first. */
export function viewCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).flatMap((change) => ownCalls(change, context));
}

function ownCalls(change: ObjectChange, context: PlanContext): readonly DraftCall[] {
  switch (change.action) {
    case "create":
      return [createCall(change)];
    case "update":
      return updateCalls(change, context);
    case "remove":
      return [removeCall(change, context)];
  }
}

/** Names of views are unique, although a view is identified by its fragment. */
export function viewMoves(changes: readonly Change[]): readonly Move[] {
  return changes.flatMap((change) => {
    const moved = change.action === "update" ? nameOf(change) : undefined;
    if (moved === undefined) return [];
    const name = String(moved.after);
    return [{ change, from: String(moved.before), to: name, name }];
  });
}

function nameOf({ fields }: Pick<Change, "fields">): FieldChange | undefined {
  return fieldIn(fields, "name");
}

function createCall(change: Creation): DraftCall {
  const { name, is_pinned } = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
  const isNamed = typeof name === "string";
  return requestFor(change, {
    operation: "add-navigation-view",
    params: { fragment: change.name, is_pinned: is_pinned === true, ...defined({ name: isNamed ? name : undefined }) },
    needs: isNamed ? [freeName(name)] : [],
    rank: 62,
  });
}

function updateCalls(change: Update, context: PlanContext): readonly DraftCall[] {
  const { address } = change;
  const path = { fragment: change.name };
  // The server treats a view's own name as taken: it is sent only if it changes.
  const params: { [name: string]: Param } = {};
  for (const { field, after } of change.fields) params[field] = after;
  const base = { operation: "edit-navigation-view", path, rank: 61 };
  const whole = requestFor(change, { ...base, params });
  const name = nameOf(change);
  if (name === undefined) return [whole];
  const takes = freeName(String(name.after));
  const frees = freeName(String(name.before));
  const between = context.move(address)?.aside;
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
  const name = context.pair(change.address)?.live?.fields.name;
  return requestFor(change, {
    operation: "remove-navigation-view",
    path: { fragment: change.name },
    provides: typeof name === "string" ? [freeName(name)] : [],
    rank: 60,
  });
}

/** The state in which no view has the name. */
const freeName = (name: string): Dependency => nameFree("navigation_view", name);
