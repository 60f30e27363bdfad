import type { People } from "./people.ts";
import { channelHolders, groupHolders, type Holders, organizationHolders } from "./rights.ts";
import { CHANNEL_RULES, type ChannelRule, isChannelSetting } from "./rules.ts";
import { isChannel, type Scope } from "./scope.ts";
import { type Source, sourcesOf, type Target } from "./sources.ts";
import type { AccessState } from "./state.ts";

export type { Target } from "./sources.ts";

/** One source, and the holders of the right who have it from this source. Several sources may give it to the same person. */
export interface Grant {
  readonly source: Source;
  readonly people: People;
  /** Whether the source also names others, who do not meet the other conditions. */
  readonly wider?: boolean;
}

/** One right on one object: its holders, the sources, and what people lack whom a source names and who do not hold it. */
export interface Standing {
  readonly scope: Scope;
  readonly right: string;
  readonly holders: Holders;
  readonly grants: readonly Grant[];
  readonly needs: ChannelRule["needs"];
}

export const scopeOf = (target: Target): Scope => (target === "organization" ? "organization" : target.kind);

/** @returns undefined for a setting that the server does not have */
export function holdersOf(state: AccessState, target: Target, right: string): Holders | undefined {
  if (target === "organization") {
    const people = organizationHolders(state, right);
    return people === undefined ? undefined : { people };
  }
  return isChannel(target) ? channelHolders(state, target, right) : groupHolders(state, target, right);
}

/** Who holds a right, and from which source. @returns undefined for a setting that the server does not have */
export function standingOf(state: AccessState, target: Target, right: string): Standing | undefined {
  const holders = holdersOf(state, target, right);
  if (holders === undefined) return undefined;
  const grants = sourcesOf(state, target, right).flatMap(({ source, people: named }): Grant | readonly [] => {
    const people = named.and(holders.people);
    return people.size === 0 ? [] : { source: source(), people, wider: named.size > people.size };
  });
  const needs = isChannel(target) && isChannelSetting(right) ? CHANNEL_RULES[right].needs : "nothing";
  return { scope: scopeOf(target), right, holders, grants, needs };
}
