import type { ReachFacet } from "../../model/facets.ts";
import type { ResourceKind } from "../../model/kind.ts";
import { Realm } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Limit, SectionLimit } from "../../report/whoami.ts";

/** The sections, or parts of them, that this account cannot manage. */
export function limitsOf(snapshot: Snapshot, kinds: readonly ResourceKind[]): readonly Limit[] {
  const realm = new Realm(snapshot);
  const { account } = snapshot;
  const limits: Limit[] = [];
  const about = (kind: SectionLimit["kind"], isOf: (kind: ResourceKind) => boolean, level = 0): void => {
    const own = kinds.filter(isOf);
    const fact = { kind, nouns: own.map(({ noun }) => noun[1]), level };
    if (own.length > 0) limits.push({ sections: own.map(({ section }) => section), fact, isPartial: false });
  };
  const needs = (role: ReachFacet["role"]) => (kind: ResourceKind) => kind.reach?.role === role;
  if (!realm.isAdmin) about("administrators-only", needs("administrator"));
  if (!realm.isOwner) about("owners-only", needs("owner"));
  if (account.is_bot) {
    about("no-bots", ({ reach }) => reach?.bots === "never");
    for (const level of levelsOf(kinds, ({ reach }) => (typeof reach?.bots === "number" ? reach.bots : undefined)))
      if (realm.level < level) about("bots-from-level", ({ reach }) => reach?.bots === level, level);
  } else if (account.role === ROLE.guest) about("no-guests", needs("member"));
  for (const level of levelsOf(kinds, ({ live }) => live.level))
    if (realm.level < level) about("from-level", ({ live }) => live.level === level, level);
  for (const { section, reach } of kinds)
    for (const caveat of reach?.caveats?.(realm) ?? [])
      limits.push({ sections: [section], fact: { kind: "caveat", caveat }, isPartial: true });
  return limits;
}

function levelsOf(
  kinds: readonly ResourceKind[],
  levelOf: (kind: ResourceKind) => number | undefined,
): readonly number[] {
  return [...new Set(kinds.flatMap((kind) => levelOf(kind) ?? []))].sort((a, b) => a - b);
}
