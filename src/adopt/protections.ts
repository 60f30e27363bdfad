import { keyOf, type ResourceKind } from "../model/kind.ts";
import type { LostProtection } from "../model/policy.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { meantBy } from "../plan/guard-protect.ts";

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
  const exact = renamed.find(({ section, name }) => section === kind.section && keyOf(kind, name) === key);
  // As a pattern, a name with a wildcard would mean other objects too.
  if (exact === undefined || /[*?]/.test(exact.to)) return pattern;
  return `${pattern.slice(0, pattern.length - glob.length)}${exact.to}`;
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
): readonly LostProtection[] {
  const protects =
    (section: string, name: string) =>
    ({ pattern }: Protection): boolean => {
      const meant = meantBy(pattern, kinds);
      return meant?.kind.section === section && matchesWildcard(meant.key, keyOf(meant.kind, name));
    };
  return renamed.flatMap(({ section, name, to }) => {
    const had = before.find(protects(section, name));
    return had === undefined || after.some(protects(section, to)) ? [] : [{ ...had, name, to }];
  });
}
