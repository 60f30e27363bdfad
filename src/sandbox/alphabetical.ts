import type { Params } from "./params.ts";

/** Parameters in alphabetical order: where one mistake is told, it is that of the first. */
export function alphabetical<P extends Params>(params: P): P;
export function alphabetical(params: Params): Params {
  return Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
}
