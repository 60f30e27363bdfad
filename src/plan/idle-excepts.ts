import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { leftOutKey } from "./left-aside.ts";

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
