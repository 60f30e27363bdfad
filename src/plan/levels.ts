import { type Diagnostic, error } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { tooOld } from "../model/too-old.ts";

/** Fields that the server cannot store yet, or no longer: reported at the line that sets them, and not in the middle of a run. */
export function levelDiagnostics(
  kind: ResourceKind,
  object: DeclaredObject,
  live: LiveObject | undefined,
  { level, snapshot }: Realm,
): readonly Diagnostic[] {
  return Object.keys(object.fields).flatMap((field) => {
    const needed = kind.file.fields[field]?.level;
    const at = object.spans.of(field) ?? object.at;
    if (needed !== undefined && needed > level) return [tooOld({ kind: "word", word: field }, needed, level, at)];
    return isGone(kind, field, live, snapshot) ? [error("plan/right-gone", { right: field, level }, at)] : [];
  });
}

/** A permission setting that the server neither describes nor shows any more. A server that describes none says nothing about any. */
function isGone({ file }: ResourceKind, field: string, live: LiveObject | undefined, snapshot: Snapshot): boolean {
  if (file.rights === undefined || !isRightName(field)) return false;
  const described = snapshot.permission_settings?.[file.rights] ?? {};
  return (
    Object.keys(described).length > 0 && !Object.hasOwn(described, field) && !Object.hasOwn(live?.fields ?? {}, field)
  );
}

/** A section that the snapshot does not hold. */
export function missingSection(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  realm: Realm,
): readonly Diagnostic[] {
  const [first] = declared;
  if (first === undefined) return [];
  if (kind.live.level !== undefined && realm.level < kind.live.level) {
    return [tooOld({ kind: "word", word: kind.section }, kind.live.level, realm.level, first.at)];
  }
  return [error("plan/not-read", { section: kind.section }, first.at)];
}
