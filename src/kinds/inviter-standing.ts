import { accessIn, maySometime, namesAccount } from "../access/of-plan.ts";
import { OPENING_SETTINGS } from "../access/rules.ts";
import { isList, type Json } from "../model/json.ts";
import type { Fields } from "../model/objects.ts";
import { type Address, fieldIn } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { asGroupValue, type GroupValue } from "../model/realm.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";

/**
 * Invitations are sent last, so the rights of the account at that time count: with the settings after this plan, and the groups that it is in then.
 */
export function channelRights(
  name: string,
  channel: SnapshotChannel,
  context: PlanContext,
): { readonly reads: "yes" | "no" | "unknown"; readonly mayAdd: boolean } {
  const { realm, snapshot } = context;
  const live = accessIn(context).before.channel(channel.name)?.settings;
  const holds = (setting: string): boolean => isLetIn(`channel:${name}`, setting, live?.get(setting), context);
  const isPrivate = isPrivateAfter(name, context) ?? channel.invite_only;
  const reads = (): "yes" | "no" | "unknown" => {
    if (!isPrivate || OPENING_SETTINGS.some(holds)) return "yes";
    const { user_id: me } = snapshot.account;
    const isSubscribed =
      isSubscribedAfter(name, context) ?? snapshot.subscribers?.[String(channel.stream_id)]?.includes(me);
    if (isSubscribed === undefined) return "unknown";
    return isSubscribed ? "yes" : "no";
  };
  const mayAdd =
    (snapshot.default_channels ?? []).includes(channel.stream_id) ||
    maySometime("can_add_subscribers_group", context) ||
    realm.isAdmin ||
    holds("can_administer_channel_group") ||
    holds("can_add_subscribers_group");
  return { reads: reads(), mayAdd };
}

/**
 * Whether the account reads a channel that this plan creates. It is subscribed to it only if the file does not list subscribers, or lists the account;
 * to administer a private channel is not enough (zulip-api.md §9.2).
 */
export function readsCreated(name: string, context: PlanContext): boolean {
  return (
    isPrivateAfter(name, context) !== true ||
    isSubscribedAfter(name, context) !== false ||
    OPENING_SETTINGS.some((setting) => isLetIn(`channel:${name}`, setting, undefined, context))
  );
}

/** Whether the channel is private after the plan; undefined if the plan does not change its privacy. */
function isPrivateAfter(name: string, context: PlanContext): boolean | undefined {
  const privacy = fieldAfter(`channel:${name}`, "privacy", context);
  return typeof privacy === "string" ? privacy.startsWith("private") : undefined;
}

/** Whether the account is subscribed after the plan; undefined if the plan does not change who is subscribed. */
function isSubscribedAfter(name: string, context: PlanContext): boolean | undefined {
  const wanted = fieldAfter(`channel:${name}`, "subscribers", context);
  if (wanted === undefined || !isList(wanted)) return undefined;
  return wanted.includes(context.realm.userName(context.snapshot.account.user_id));
}

/**
 * Rights of the organization that an invitation uses: those without which it would be refused.
 * @param setting - the one that says who may make this invitation at all
 */
export function invitingUses(setting: string, { channels, groups }: Fields, context: PlanContext): readonly string[] {
  const isNeeded = !listed(groups).every((name) => addsToGroup(name, context));
  return [
    setting,
    ...(listed(channels).length > 0 && !context.realm.isAdmin ? ["can_add_subscribers_group"] : []),
    ...(isNeeded ? ["can_manage_all_groups"] : []),
  ];
}

/** Whether settings of the group let the account add people to it. */
export function addsToGroup(name: string, context: PlanContext): boolean {
  const group = accessIn(context).before.group(name);
  return (
    group === undefined ||
    ["can_manage_group", "can_add_members_group"].some((setting) =>
      isLetIn(`user_group:${name}`, setting, group.settings.get(setting), context),
    )
  );
}

/** Whether the account is in the group of a channel's or a group's setting. This plan may change the setting. */
function isLetIn(address: Address, setting: string, live: GroupValue | undefined, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const changed = fieldAfter(address, setting, context);
  const value = changed === undefined ? undefined : asGroupValue(changed);
  if (value !== undefined) return namesAccount(value, after, context);
  return [before, after].every((state) => namesAccount(live, state, context));
}

function fieldAfter(address: Address, field: string, context: PlanContext): Json | undefined {
  return fieldIn(context.pair(address)?.change?.fields, field)?.after;
}
