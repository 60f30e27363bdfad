import type { ReachFacet } from "../../model/facets.ts";
import type { ResourceKind } from "../../model/kind.ts";
import { Realm, ROLE } from "../../model/realm.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { listNames } from "../../model/suggest.ts";
import { REACH_CAVEATS } from "../../report/words/files.ts";

/** Something that the account cannot do here, and why. */
export interface Limit {
  /** Sections that it is about. */
  readonly sections: readonly string[];
  readonly message: string;
  /** Only some of the section's objects or fields are out of reach, as the message says. */
  readonly isPartial: boolean;
}

/** What this account will not be able to manage, as the kinds say it. */
export function limitsOf(snapshot: Snapshot, kinds: readonly ResourceKind[]): readonly Limit[] {
  const realm = new Realm(snapshot);
  const { account } = snapshot;
  const limits: Limit[] = [];
  const about = (isOf: (kind: ResourceKind) => boolean, what: string): void => {
    const own = kinds.filter(isOf);
    if (own.length === 0) return;
    const names = listNames(
      own.map(({ noun }) => noun[1]),
      own.length,
    );
    limits.push({ sections: own.map(({ section }) => section), message: `${names} ${what}`, isPartial: false });
  };
  const needs = (role: ReachFacet["role"]) => (kind: ResourceKind) => kind.reach?.role === role;
  if (!realm.isAdmin) about(needs("administrator"), "can be changed by administrators only");
  if (!realm.isOwner) about(needs("owner"), "can be changed by owners only");
  if (account.is_bot) {
    about(({ reach }) => reach?.bots === "never", "are refused to bots: they need the key of a person");
    for (const level of levelsOf(kinds, ({ reach }) => (typeof reach?.bots === "number" ? reach.bots : undefined)))
      if (realm.level < level)
        about(
          ({ reach }) => reach?.bots === level,
          `are refused to bots before feature level ${level}: they need the key of a person`,
        );
  } else if (account.role === ROLE.guest) about(needs("member"), "are refused to guests");
  for (const level of levelsOf(kinds, ({ live }) => live.level))
    if (realm.level < level) about(({ live }) => live.level === level, `need feature level ${level}`);
  for (const { section, reach } of kinds)
    for (const caveat of reach?.caveats?.(realm) ?? [])
      limits.push({ sections: [section], message: REACH_CAVEATS[caveat], isPartial: true });
  return limits;
}

function levelsOf(
  kinds: readonly ResourceKind[],
  levelOf: (kind: ResourceKind) => number | undefined,
): readonly number[] {
  return [...new Set(kinds.flatMap((kind) => levelOf(kind) ?? []))].sort((a, b) => a - b);
}
