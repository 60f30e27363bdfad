import type { Params } from "./params.ts";

/** Parameters in alphabetical order: if only one error is reported, it is that of the first parameter. */
export function alphabetical<P extends Params>(params: P): P;
export function alphabetical(params: Params): Params {
  return Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
}
