import type { ReachFacet } from "../../model/facets.ts";
import type { ResourceKind } from "../../model/kind.ts";
import { Realm } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Limit, LimitFact } from "../../report/whoami.ts";

/** The sections, or parts of them, that this account cannot manage. */
export function limitsOf(snapshot: Snapshot, kinds: readonly ResourceKind[]): readonly Limit[] {
  const realm = new Realm(snapshot);
  const { account } = snapshot;
  const limits: Limit[] = [];
  const about = (isOf: (kind: ResourceKind) => boolean, factOf: (nouns: readonly string[]) => LimitFact): void => {
    const own = kinds.filter(isOf);
    if (own.length === 0) return;
    const fact = factOf(own.map(({ noun }) => noun[1]));
    limits.push({ sections: own.map(({ section }) => section), fact, isPartial: false });
  };
  const needs = (role: ReachFacet["role"]) => (kind: ResourceKind) => kind.reach?.role === role;
  if (!realm.isAdmin) about(needs("administrator"), (nouns) => ({ kind: "administrators-only", nouns }));
  if (!realm.isOwner) about(needs("owner"), (nouns) => ({ kind: "owners-only", nouns }));
  if (account.is_bot) {
    about(
      ({ reach }) => reach?.bots === "never",
      (nouns) => ({ kind: "no-bots", nouns }),
    );
    for (const level of levelsOf(kinds, ({ reach }) => (typeof reach?.bots === "number" ? reach.bots : undefined)))
      if (realm.level < level)
        about(
          ({ reach }) => reach?.bots === level,
          (nouns) => ({ kind: "bots-from-level", nouns, level }),
        );
  } else if (account.role === ROLE.guest) about(needs("member"), (nouns) => ({ kind: "no-guests", nouns }));
  for (const level of levelsOf(kinds, ({ live }) => live.level))
    if (realm.level < level)
      about(
        ({ live }) => live.level === level,
        (nouns) => ({ kind: "from-level", nouns, level }),
      );
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
