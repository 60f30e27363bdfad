import { type Diagnostic, error } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { tooOld } from "../model/too-old.ts";

/** Fields that the server is too old to store: reported at the line that sets them, and not in the middle of a run. */
export function levelDiagnostics(kind: ResourceKind, object: DeclaredObject, level: number): readonly Diagnostic[] {
  return Object.keys(object.fields).flatMap((field) => {
    const needed = kind.file.fields[field]?.level;
    if (needed === undefined || needed <= level) return [];
    return [tooOld({ kind: "word", word: field }, needed, level, object.spans.of(field) ?? object.at)];
  });
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
