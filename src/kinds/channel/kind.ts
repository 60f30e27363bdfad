import { renamedChannels } from "../../access/renamed.ts";
import { defined, own } from "../../model/defined.ts";
import { ACCOUNT, type DocsFacet, type FieldSpec } from "../../model/facets.ts";
import { isList, isObject } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import type { ExportCaveat, ReachCaveat } from "../../model/kind-facts.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { Realm } from "../../model/realm.ts";
import type { SecrecyFacet, Written } from "../../model/secrecy.ts";
import { foldCase, strip } from "../names.ts";
import { creationDefaults, groupsInOtherSettings, impliedRights, permissionFields } from "../permissions.ts";
import { withShownTexts } from "../readings.ts";
import { inexpressibleGroups } from "../references.ts";
import { channelCalls, leastChannelCalls } from "./calls.ts";
import { checkChannels, checkChannelsInFile, UNARCHIVE_LEVEL } from "./check.ts";
import { lastChangeIn, topicOfEvents } from "./events-topic.ts";
import {
  canBeOpened,
  channelToYaml,
  exceptedSubscribers,
  inexpressibleFolder,
  leavesSubscribersOpen,
  liveChannels,
  newerOfChannels,
  showsSubscribing,
  subscribersToYaml,
  unseenChannels,
} from "./live.ts";
import { channelMoves, isPrivate, needsSubscribers, standingDefaults } from "./outcome.ts";
import { CHANNEL_FIELDS } from "./properties.ts";
import { channelEffects, channelRisks, keepsMessages } from "./risks.ts";
import { type Channel, channelForm, decodeChannel } from "./schema.ts";
import { resolveSubscribers } from "./subscriptions.ts";

const CONTENT_ACCESS: DocsFacet["who"] =
  "as above; for a private channel the account must also be subscribed, or be in its `can_add_subscribers_group` or `can_subscribe_group`: no role is enough";
const DELETE_POLICY: DocsFacet["who"] =
  "as above; the account must also be an administrator, or be in the organization's `can_set_delete_message_policy_group`";

const docs: DocsFacet = {
  who: "Administrators, and everybody whom the channel's `can_administer_channel_group` names; never guests. To create a channel, the account must be in the organization's `can_create_public_channel_group`, `can_create_private_channel_group` or `can_create_web_public_channel_group`: no role is exempt.",
  whoMay: {
    privacy: `${CONTENT_ACCESS}. The account must also have the right to create channels of the new privacy`,
    topics_policy:
      "as above; for any value except `inherit` the account must also be an administrator, or be in the organization's `can_set_topics_policy_group`",
    default_push_notifications: "administrators",
    message_retention_days: "owners",
    can_add_subscribers_group: CONTENT_ACCESS,
    can_subscribe_group: CONTENT_ACCESS,
    can_delete_any_message_group: DELETE_POLICY,
    can_delete_own_message_group: DELETE_POLICY,
    subscribers:
      "to add others: administrators, the channel's `can_administer_channel_group` and `can_add_subscribers_group`, and the organization's `can_add_subscribers_group`; for a private channel also what `privacy` requires. To remove others: administrators, the channel's `can_administer_channel_group` and `can_remove_subscribers_group`. To add or remove oneself: everybody who can read the channel",
  },
  defaults: {
    name: "–",
    ...CHANNEL_FIELDS.standardsInWords(),
    archived: "`false`",
    subscribers: "the account that creates it",
    ...creationDefaults("stream"),
  },
  example: `profiles:
  announcement:
    permissions: {can_send_message_group: role:moderators}
channels:
  announce:
    profile: announcement
    description: News everybody should read
  incidents:
    was: outages
    privacy: private_shared_history
    permissions:
      can_subscribe_group: {groups: [role:moderators], users: [ada@example.org]}
    subscribers: {users: [ada@example.org]}
  old-wiki: {archived: true}`,
};

const isPrivateWord = (value: unknown): boolean => typeof value === "string" && value.startsWith("private");

/** A private channel is a secret, including its name and description. */
const channelSecrecy: SecrecyFacet = {
  name: "own",
  fields: {
    ...CHANNEL_FIELDS.secrecy(),
    subscribers: "groups",
  },
  isHidden: ({ privacy }) => isPrivateWord(privacy),
  namesIn: ({ channels }) =>
    channels.map(({ name, stream_id, invite_only }) => ({ name, id: stream_id, isHidden: invite_only })),
  namesToHide: (section, written) =>
    isObject(section) ? Object.entries(section).flatMap(([name, item]) => privateNames(name, item, written)) : [],
  snapshot: ({ channels, subscribers }, { hiddenName, text }) => ({
    subscribers,
    channels: channels.map((channel) => {
      const hidden = hiddenName(channel.name);
      const kept = ["name", "topics_policy"];
      if (hidden !== undefined) return { ...withShownTexts(channel, () => "", kept), name: hidden };
      const shown = withShownTexts(channel, text, kept);
      return "rendered_description" in channel ? { ...shown, rendered_description: "" } : shown;
    }),
  }),
};

/**
 * A file with errors cannot be decoded: every word that begins like a private one counts, whatever its key is; a profile or defaults may have it, too.
 * An item without such a word can mean a channel that is private on the server.
 */
function privateNames(name: string, item: unknown, written: Written): readonly string[] {
  const fields = isObject(item) ? item : {};
  const { was, id } = fields;
  const isPrivate =
    hasPrivateWord(fields) ||
    (fields.privacy === undefined && (hasPrivateWord(written.defaults) || takesPrivacy(fields, written, new Set()))) ||
    written.isHidden(typeof was === "string" ? was : name, typeof id === "number" ? id : undefined);
  return isPrivate ? [name, ...(typeof was === "string" ? [was] : [])] : [];
}

const hasPrivateWord = (fields: unknown): boolean => isObject(fields) && Object.values(fields).some(isPrivateWord);

/** Whether one of its profiles says that it is private. */
function takesPrivacy({ profile }: { readonly profile?: unknown }, written: Written, seen: Set<string>): boolean {
  const names = isList(profile) ? profile : [profile];
  return names.some((name) => {
    if (typeof name !== "string" || seen.has(name)) return false;
    seen.add(name);
    const found = own(written.profiles, name);
    if (!isObject(found)) return false;
    return hasPrivateWord(found) || (found.privacy === undefined && takesPrivacy(found, written, seen));
  });
}

const fields: { [field: string]: FieldSpec } = {
  ...CHANNEL_FIELDS.specs(),
  archived: { about: "Whether the channel is archived." },
  subscribers: { about: "Who is subscribed.", names: ACCOUNT, syncedBy: ["subscribe", "unsubscribe"] },
  ...permissionFields("stream"),
};
/**
 * A channel with its permission settings. Its name is its identity, compared without regard to case, and archived channels count. The API cannot
 * delete a channel: a channel that the file removes is archived.
 * @see zulip-api.md §3 https://zulip.com/api/update-stream
 */
export const channel: MapKind<Channel> = {
  name: "channel",
  section: "channels",
  shape: "map",
  noun: ["channel", "channels"],
  identity: { keyOf: (name) => foldCase(strip(name)), canonicalName: strip },
  inactivity: { field: "archived", reactivatedFrom: UNARCHIVE_LEVEL },
  file: {
    schema: channelForm,
    rights: "stream",
    profiles: true,
    fields,
    decode: decodeChannel,
    check: checkChannelsInFile,
  },
  live: {
    read: liveChannels,
    unseen: unseenChannels,
    // A new channel is public if its entry does not say otherwise. One that is archived, or ought to be, is not created.
    mayBeUnseen: ({ absent, fields: { privacy, archived } }) =>
      privacy === undefined ? absent || archived === true : isPrivate(String(privacy)),
    otherNames: ({ id, fields }, realm) => groupsInOtherSettings(realm.channel(id ?? 0), fields, realm),
    newer: newerOfChannels,
    renamed: renamedChannels,
    // The right to change a private channel, and who can no longer see it, depend on the subscribers.
    request: (declared, realm) => ({ subscribers: declared.some((object) => needsSubscribers(object, realm)) }),
    requestWords: ["subscribers", "private"],
  },
  diff: {
    resolveFromPlan: resolveSubscribers,
    defaults: standingDefaults,
    implied: impliedRights("stream"),
    traits: {
      ...CHANNEL_FIELDS.traits(),
      subscribers: "items",
    },
  },
  review: { check: checkChannels, keepsMessages, risks: channelRisks },
  calls: {
    draft: channelCalls,
    writtenStates: ["written", "written-early"],
    moves: channelMoves,
    least: leastChannelCalls,
    sideEffects: channelEffects,
    shows: showsSubscribing,
    // Only an accidental creation leads to a channel that is both private and web-public (zulip-api.md §3.3). A newer server may have a policy more.
    canSet: (field, value) => CHANNEL_FIELDS.canSet(field, value),
  },
  undo: {
    // An archived channel keeps its folder in use (zulip-api.md §11).
    beforeDeactivation: ({ fields: { folder } }) => defined({ folder: typeof folder === "string" ? null : undefined }),
    stays: ({ risks }, restored) => {
      const lost = risks.flatMap(({ fact }) => (fact?.kind === "archived" ? [fact] : []));
      const settings = lost.some(({ cleared }) => cleared.length > 0);
      const is_default = lost.some(({ ends_default }) => ends_default === true);
      if (settings || is_default) return { effect: "lost-when-archived", settings, is_default };
      const isShorter = risks.some(({ fact }) => fact?.kind === "messages-deleted");
      return isShorter && restored.message_retention_days !== undefined ? { effect: "messages-deleted" } : undefined;
    },
  },
  yaml: {
    item: channelToYaml,
    asked: ["subscribers"],
    keepsInactive: canBeOpened,
    exportCaveats: unknownSubscribers,
    splitBy: "folder",
    field: (field, live, raw, declared, realm) =>
      field === "subscribers" ? subscribersToYaml(live, raw, declared, realm) : live,
    open: (declared, live, realm) => (leavesSubscribersOpen(declared, live, realm) ? ["subscribers"] : []),
    whyInexpressible: (field, live, realm, declared) => {
      if (field === "subscribers") return exceptedSubscribers(live, declared, realm);
      if (isRightName(field)) return inexpressibleGroups(live, realm);
      return field === "folder" ? inexpressibleFolder(live, realm) : undefined;
    },
  },
  history: { topicOf: topicOfEvents, read: lastChangeIn },
  secrecy: channelSecrecy,
  reach: { caveats: limitsOnChannels },
  docs,
};

/** Private channels whose access list the file cannot have. */
function unknownSubscribers({ snapshot }: Realm): readonly ExportCaveat[] {
  const closed = snapshot.channels.filter(({ invite_only }) => invite_only);
  const unknown = closed.filter(({ stream_id }) => snapshot.subscribers?.[String(stream_id)] === undefined);
  return unknown.length === 0 ? [] : [{ caveat: "subscribers-unknown", number: unknown.length }];
}

/** @see zulip-api.md §3.6 */
function limitsOnChannels({ isAdmin, isOwner }: Realm): readonly ReachCaveat[] {
  const own = isAdmin ? "privacy-from-inside" : "channels-that-name-it";
  return isOwner ? [own] : [own, "owners-change-retention"];
}
