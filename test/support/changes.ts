import type { DraftCall } from "../../src/model/draft-call.ts";
import type { Json } from "../../src/model/json.ts";
import type { Address, Change } from "../../src/model/plan.ts";

/** Parts of a plan for tests of the planner's own functions. No field had a value before. */
export type Values = { readonly [field: string]: Json };

const partOf = (address: Address, after: Values) => ({
  kind: address.replace(/:.*/, ""),
  address,
  name: address.replace(/^[^:]*:/, ""),
  fields: Object.entries(after).map(([field, value]) => ({ field, before: null, after: value })),
  risks: [],
});

export const update = (address: Address, after: Values, id = 1): Change => ({
  ...partOf(address, after),
  action: "update",
  id,
});

export const creation = (address: Address, after: Values): Change => ({ ...partOf(address, after), action: "create" });

export const draft = (
  operation: string,
  address: Address,
  fields: readonly string[],
  more: Partial<DraftCall> = {},
): DraftCall => ({ operation, path: {}, params: {}, for: [{ address, fields }], ...more });
