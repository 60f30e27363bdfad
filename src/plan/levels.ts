import { defined } from "../model/defined.ts";
import { type Diagnostic, error, type Span, tooOld } from "../model/diagnostic.ts";
import { runningAccount } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { isReadOnRequest } from "./requests.ts";

/** Fields that the server cannot store yet, or no longer: reported at the line that sets them, and not in the middle of a run. */
export function levelDiagnostics(
  kind: ResourceKind,
  object: DeclaredObject,
  found: LiveObject | undefined,
  { realm, live }: { readonly realm: Realm; readonly live: readonly LiveObject[] },
): readonly Diagnostic[] {
  const { level, snapshot } = realm;
  return Object.entries(object.fields).flatMap(([field, value]) => {
    const needed = kind.file.fields[field]?.level;
    const at = () => object.spans.of(field) ?? object.at;
    if (needed !== undefined && needed > level) return [tooOld({ kind: "word", word: field }, needed, level, at())];
    // Of a new object, only a field that came later is looked for in others: some readings lack lists, which cost much.
    const shown = found !== undefined ? [found] : needed === undefined ? [] : live;
    const isShown = shown.some(({ fields }) => Object.hasOwn(fields, field));
    const isMissing = value !== null && shown.length > 0 && !isShown && !isUnseen(kind, field);
    const isGone = isMissing || isUndescribed(kind, field, snapshot);
    return isGone ? [error("plan/setting-gone", { setting: field, level, ...defined({ since: needed }) }, at())] : [];
  });
}

/** A permission setting that the server does not describe. A server that describes none says nothing about any. */
function isUndescribed({ file }: ResourceKind, field: string, { permission_settings }: Snapshot): boolean {
  if (file.rights === undefined || !isRightName(field)) return false;
  const described = permission_settings?.[file.rights] ?? {};
  return Object.keys(described).length > 0 && !Object.hasOwn(described, field);
}

/** A field that readings do not have, or not of every object: only its change tells anything. */
const isUnseen = ({ docs, file }: ResourceKind, field: string): boolean =>
  file.fields[field]?.isOfSome === true || Object.hasOwn(docs.unseen ?? {}, field);

/** A section that the snapshot does not hold. */
export function missingSection(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  realm: Realm,
  managedAt: Span | undefined,
): readonly Diagnostic[] {
  const at = declared[0]?.at ?? managedAt;
  if (at === undefined) return [];
  if (kind.live.level !== undefined && realm.level < kind.live.level) {
    return [tooOld({ kind: "word", word: kind.section }, kind.live.level, realm.level, at)];
  }
  const { snapshot } = realm;
  return snapshot.account.is_bot && isReadOnRequest(kind)
    ? [error("invites/bot", { account: runningAccount(snapshot) }, at)]
    : [error("plan/not-read", { section: kind.section }, at)];
}
