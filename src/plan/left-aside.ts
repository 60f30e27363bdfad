import { CHANNEL, DEFAULT_CHANNEL } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";

/** Whether `manage` leaves out an object of this name, if the file does not mention it; names as the server compares them. */
export function asideIn(kind: ResourceKind, { except = {} }: Desired): (name: string) => boolean {
  const patterns = (except[kind.section] ?? []).map((pattern) => leftOutKey(kind, pattern));
  return (name) => patterns.length > 0 && patterns.some((pattern) => matchesWildcard(pattern, keyOf(kind, name)));
}

/** `#general` is the channel "general", as everywhere on the command line. */
const leftOutKey = (kind: ResourceKind, pattern: string): string =>
  keyOf(kind, kind.name === CHANNEL || kind.name === DEFAULT_CHANNEL ? pattern.replace(/^#+/, "") : pattern);

/** Patterns that leave nothing out: a name alone, and any where the plan removes what they may have meant. `tmp-*` may just have nothing to match today. */
export function exceptOfNothing(
  kind: ResourceKind,
  { except = {}, manageAt }: Desired,
  live: readonly LiveObject[],
  changes: readonly Change[],
): readonly Diagnostic[] {
  const { section } = kind;
  const isRemoving = changes.some(({ action }) => action === "remove");
  const names = live.map(({ name }) => name);
  return (except[section] ?? []).flatMap((pattern): Diagnostic | readonly [] => {
    const key = leftOutKey(kind, pattern);
    if (!isRemoving && /[*?]/.test(pattern)) return [];
    if (names.some((name) => matchesWildcard(key, keyOf(kind, name)))) return [];
    const meant = didYouMean(pattern, names);
    const fact = { cause: "except-of-nothing", section, pattern: quote(pattern) } as const;
    return warning(
      "config/unset",
      { ...fact, ...defined({ meant: meant === undefined ? undefined : quote(meant) }) },
      manageAt?.[section],
    );
  });
}
