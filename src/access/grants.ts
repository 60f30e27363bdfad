import { defined } from "../model/defined.ts";
import type { Address } from "../model/plan.ts";
import type { GroupValue } from "../model/realm.ts";
import type { AccessGroup } from "./group.ts";
import type { People } from "./people.ts";
import { channelHolders, groupHolders, type Holders, isPrivate, organizationHolders } from "./rights.ts";
import {
  ADMINISTRATORS_IN_ORGANIZATION,
  CHANNEL_RULES,
  type ChannelRule,
  GROUP_RULES,
  type GroupRule,
  GUESTS_IN_ORGANIZATION,
  isChannelSetting,
  isGroupSetting,
  OPENING_SETTINGS,
  READ,
  SEE,
} from "./rules.ts";
import { channelAddress, groupAddress, isChannel, type Scope } from "./scope.ts";
import type { AccessChannel, AccessObject, AccessState } from "./state.ts";

/** A source of a right for everybody to whom it gives it: the first step of a path. */
export type Source =
  /** `implied`: no line of the file gives it; the server gives it to the account that creates the object. */
  | { readonly via: "subscriber"; readonly implied?: true }
  | { readonly via: "privacy"; readonly privacy: AccessChannel["privacy"] }
  | { readonly via: "administrators" }
  /** Bots have the rights of their owners. */
  | { readonly via: "owner" }
  | {
      readonly via: "setting";
      readonly on: Address | "organization";
      readonly setting: string;
      readonly value: GroupValue;
      readonly implied?: true;
    };

/** One source, and the holders of the right who have it from this source. Several sources may give it to the same person. */
export interface Grant {
  readonly source: Source;
  readonly people: People;
  /** It also names others, who do not meet the other conditions. */
  readonly wider?: boolean;
}

/** The object of a question. */
export type Target = AccessObject | "organization";

/** One right on one object: who holds it and why, and what people need who are named by a source and do not hold it. */
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
  const grants = sourcesOf(state, target, right)
    .map(({ source, people: named }) => {
      const people = named.and(holders.people);
      return { source, people, wider: named.size > people.size };
    })
    .filter(({ people }) => people.size > 0);
  const isRule = isChannel(target) && isChannelSetting(right);
  return {
    scope: scopeOf(target),
    right,
    holders,
    grants,
    needs: isRule && right !== "can_subscribe_group" ? CHANNEL_RULES[right].needs : "nothing",
  };
}

/** The possible sources of a right, with everybody whom they name, whether or not they meet the other conditions. */
export function sourcesOf(state: AccessState, target: Target, right: string): readonly Grant[] {
  if (target === "organization") return organizationSources(state, right);
  return isChannel(target) ? channelSources(state, target, right) : groupSources(state, target, right);
}

function channelSources(state: AccessState, channel: AccessChannel, right: string): readonly Grant[] {
  const { administrators, owners } = state.accounts;
  const on: Address = channelAddress(channel.name);
  const setting = (name: string, guests: boolean): readonly Grant[] =>
    bySetting(state, { on, setting: name, value: channel.settings.get(name), ...impliedIn(channel, name) }, guests);
  if (right === READ || right === "can_subscribe_group") return readSources(state, channel, setting);
  const byRole: readonly Grant[] = [{ source: { via: "administrators" }, people: administrators }];
  const administering = setting("can_administer_channel_group", false);
  if (right === SEE) return [...readSources(state, channel, setting), ...byRole, ...administering];
  if (!isChannelSetting(right)) return [];
  const rule: ChannelRule = CHANNEL_RULES[right];
  const named = setting(right, rule.guests);
  const owning = rule.botsByOwner === true ? state.peopleIn(channel.settings.get(right)) : undefined;
  const byOwner = owning === undefined ? [] : [...owners].flatMap(([bot, owner]) => (owning.has(owner) ? [bot] : []));
  return [
    ...named,
    ...(rule.everywhere === undefined ? [] : organizationSources(state, rule.everywhere)),
    ...(rule.administrators === true ? byRole : []),
    ...(rule.channelAdministrators === true && right !== "can_administer_channel_group" ? administering : []),
    ...(byOwner.length === 0 ? [] : [{ source: { via: "owner" }, people: state.population.of(byOwner) } as const]),
  ];
}

function readSources(
  state: AccessState,
  channel: AccessChannel,
  setting: (name: string, guests: boolean) => readonly Grant[],
): readonly Grant[] {
  const { everybody, members } = state.accounts;
  const { privacy, subscribers } = channel;
  const subscribed: Source = { via: "subscriber", ...impliedIn(channel, "subscribers") };
  const inside: readonly Grant[] =
    subscribers === undefined ? [] : [{ source: subscribed, people: subscribers.and(everybody) }];
  if (isPrivate(channel)) return [...inside, ...OPENING_SETTINGS.flatMap((name) => setting(name, false))];
  const open = privacy === "web_public" ? everybody : members;
  return [{ source: { via: "privacy", privacy }, people: open }, ...inside];
}

function groupSources(state: AccessState, group: AccessGroup, right: string): readonly Grant[] {
  if (!isGroupSetting(right)) return [];
  const on: Address = groupAddress(group.name);
  const setting = (name: string, guests: boolean): readonly Grant[] =>
    bySetting(state, { on, setting: name, value: group.settings.get(name), ...impliedIn(group, name) }, guests);
  const rule: GroupRule = GROUP_RULES[right];
  if (rule.managersToo === false) return setting(right, rule.guests);
  return [
    ...setting(right, rule.guests),
    ...(right === "can_manage_group" ? [] : setting("can_manage_group", false)),
    ...organizationSources(state, "can_manage_all_groups"),
  ];
}

function organizationSources(state: AccessState, right: string): readonly Grant[] {
  const guests = GUESTS_IN_ORGANIZATION.has(right);
  return [
    ...bySetting(state, { on: "organization", setting: right, value: state.organization.get(right) }, guests),
    ...(ADMINISTRATORS_IN_ORGANIZATION.has(right)
      ? [{ source: { via: "administrators" }, people: state.accounts.administrators } as const]
      : []),
  ];
}

/** Whether the server sets the field for an object that a plan creates. */
const impliedIn = ({ implied }: AccessObject, field: string): { readonly implied?: true } =>
  defined({ implied: implied?.has(field) === true || undefined });

function bySetting(
  state: AccessState,
  { value, ...named }: Omit<SettingSource, "via" | "value"> & { readonly value: GroupValue | undefined },
  guests: boolean,
): readonly Grant[] {
  if (value === undefined) return [];
  const people = state.peopleIn(value);
  return [
    { source: { via: "setting", ...named, value }, people: guests ? people : people.and(state.accounts.members) },
  ];
}

type SettingSource = Extract<Source, { readonly via: "setting" }>;
