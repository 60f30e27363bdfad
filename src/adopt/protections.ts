import { isList, type Json } from "../model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { LostProtection } from "../model/policy.ts";
import type { Realm } from "../model/realm.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { meantBy } from "../plan/guard-protect.ts";
import { asValue } from "./file-goal.ts";
import type { AdoptFile } from "./places.ts";

/** An object of a section that has another name now. */
export interface RenamedObject {
  readonly section: string;
  readonly name: string;
  readonly to: string;
}

/** A pattern of `protect`, or the new name in its place if it is exactly the old name of one of these objects. */
export function followed(pattern: string, renamed: readonly RenamedObject[], kinds: readonly ResourceKind[]): string {
  const meant = meantBy(pattern, kinds);
  if (meant === undefined) return pattern;
  const { kind, key, glob } = meant;
  const naming = namingSection(kind, kinds);
  const exact = renamed.find(({ section, name }) => section === naming && keyOf(kind, name) === key);
  // With a wildcard in one of the names, the pattern means other objects too, or would.
  if (exact === undefined || [glob, exact.to].some((name) => /[*?]/.test(name))) return pattern;
  return `${pattern.slice(0, pattern.length - glob.length)}${exact.to}`;
}

/** The section whose names the objects of a kind have: its own, or that of another kind (a default channel has the name of its channel). */
function namingSection({ section, secrecy }: ResourceKind, kinds: readonly ResourceKind[]): string {
  const { name: by } = secrecy;
  return (typeof by === "string" ? undefined : kinds.find(({ name }) => name === by.of)?.section) ?? section;
}

/** A pattern, and the file that has it if that is not the file of the organization. */
export interface Protection {
  readonly pattern: string;
  readonly file?: string;
}

/** The renamed objects that were protected before, and that nothing protects now. */
export function lostProtections(
  renamed: readonly RenamedObject[],
  { before, after }: { readonly before: readonly Protection[]; readonly after: readonly Protection[] },
  kinds: readonly ResourceKind[],
  realm: Realm,
): readonly LostProtection[] {
  const protects =
    (kind: ResourceKind, name: string) =>
    ({ pattern }: Protection): boolean => {
      const meant = meantBy(pattern, kinds);
      return meant?.kind === kind && matchesWildcard(meant.key, keyOf(kind, name));
    };
  return kinds.flatMap((kind) => {
    const live = new Set(liveObjects(kind, realm)?.map(({ key }) => key));
    const naming = namingSection(kind, kinds);
    return renamed.flatMap(({ section, name, to }) => {
      if (section !== naming || !live.has(keyOf(kind, to))) return [];
      const had = before.find(protects(kind, name));
      return had === undefined || after.some(protects(kind, to)) ? [] : [{ ...had, name, to }];
    });
  });
}

/** The name that this name's object has now; a name that differs only in case still means it. */
export function nameNow(name: string, named: ResourceKind, renamed: readonly RenamedObject[]): string {
  const key = keyOf(named, name);
  const object = renamed.find((one) => one.section === named.section && keyOf(named, one.name) === key);
  return object === undefined || keyOf(named, object.to) === key ? name : object.to;
}

/** The entries of `policy: {protect: …}` of a file; undefined if it has none. */
export function protectedIn(file: AdoptFile): readonly Json[] | undefined {
  const { protect } = asValue(file.value().policy);
  return protect !== undefined && isList(protect) ? protect : undefined;
}
