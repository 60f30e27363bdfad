import { defined, whenDefined } from "../model/defined.ts";
import { foundValue, quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { GuardPolicy, SyncPart } from "../model/policy.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import type { Tree } from "../source/tree.ts";
import type { Report } from "./report.ts";

/** Every list that `sync` can keep, for all objects: `channels.*.subscribers`. */
export const syncable = (kinds: readonly ResourceKind[]): readonly string[] =>
  kinds.flatMap(({ section, file }) =>
    Object.entries(file.fields).flatMap(([field, { syncedBy }]) =>
      syncedBy === undefined ? [] : [`${section}.*.${field}`],
    ),
  );

/** What `policy: sync:` names. Few policies have it: it is loaded when it is called (scripts/on-call.mjs). */
export function readSync(
  policy: Tree,
  { places }: SourceDocument,
  kinds: readonly ResourceKind[],
  report: Report,
): NonNullable<GuardPolicy["sync"]> {
  const { sync } = policy;
  const parts = syncable(kinds);
  if (!Array.isArray(sync)) {
    report.atValue(policy, ["sync"], "policy/sync", { found: foundValue(sync), parts });
    return [];
  }
  return sync.flatMap((pattern: unknown, index): readonly SyncPart[] => {
    const part = typeof pattern === "string" ? syncPart(pattern, kinds) : undefined;
    if (part !== undefined) return [{ ...part, ...defined({ at: places.valueSpan(sync, [index]) }) }];
    const meant = typeof pattern === "string" ? partMeant(pattern, parts) : undefined;
    report.atValue(sync, [index], "policy/sync", {
      found: foundValue(pattern),
      parts,
      ...defined({ meant: whenDefined(meant, quote) }),
    });
    return [];
  });
}

/** A name may have dots: the kind is before the first one, the field after the last. */
const SYNC_PATTERN = /^([^.]+)\.(\S|\S.*\S)\.([^.]+)$/s;

function syncPart(pattern: string, kinds: readonly ResourceKind[]): SyncPart | undefined {
  const [, word, name = "", field = ""] = SYNC_PATTERN.exec(pattern) ?? [];
  const kind = kinds.find(({ name: own, section }) => own === word || section === word);
  if (kind?.file.fields[field]?.syncedBy === undefined) return undefined;
  return { pattern, section: kind.section, name, field };
}

/** The part that somebody meant, with the names that they wrote. */
function partMeant(pattern: string, parts: readonly string[]): string | undefined {
  const [, word = "", name = "*", field = ""] = SYNC_PATTERN.exec(pattern) ?? [];
  const written = word === "" ? pattern.replace(/^([^.]+)\.([^.]+)$/, "$1.*.$2") : `${word}.*.${field}`;
  const meant = parts.includes(written) ? written : didYouMean(written, parts);
  return meant?.replace(".*.", () => `.${name}.`);
}
