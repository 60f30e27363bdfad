import { CHANNEL, DEFAULT_CHANNEL } from "../access/scope.ts";
import type { Desired } from "../model/desired.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import { matchesWildcard } from "../model/wildcard.ts";

/** Whether `manage` leaves out an object of this name, if the file does not mention it; names as the server compares them. */
export function asideIn(kind: ResourceKind, { except = {} }: Desired): (name: string) => boolean {
  const patterns = (except[kind.section] ?? []).map((pattern) => leftOutKey(kind, pattern));
  return (name) => patterns.length > 0 && patterns.some((pattern) => matchesWildcard(pattern, keyOf(kind, name)));
}

/** `#general` is the channel "general", as everywhere on the command line. */
export const leftOutKey = (kind: ResourceKind, pattern: string): string =>
  keyOf(kind, kind.name === CHANNEL || kind.name === DEFAULT_CHANNEL ? pattern.replace(/^#+/, "") : pattern);
