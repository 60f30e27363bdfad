import { renamedChannels } from "../../access/renamed.ts";
import { defined } from "../../model/defined.ts";
import type { FieldSpec } from "../../model/facets.ts";
import type { MapKind } from "../../model/kind.ts";
import type { ExportCaveat, ReachCaveat } from "../../model/kind-facts.ts";
import { CHANNEL_PERMISSIONS } from "../../model/permission-settings.ts";
import type { Realm } from "../../model/realm.ts";
import { groupsInOtherSettings } from "../group-settings.ts";
import { foldCase, strip } from "../names.ts";
import { inexpressibleGroups } from "../references.ts";
import { fieldsWithNames } from "../tokens.ts";
import { needsSubscribers } from "./access.ts";
import { channelCalls } from "./calls.ts";
import { checkChannels, checkChannelsInFile, UNARCHIVE_LEVEL } from "./check.ts";
import { decodeChannel } from "./decode.ts";
import { docs } from "./docs.ts";
import { lastChangeIn, topicOfEvents } from "./events-topic.ts";
import { leastChannelCalls } from "./least.ts";
import { liveChannels, newerOfChannels, unseenChannels } from "./live.ts";
import { namesOfChannel } from "./names.ts";
import { channelEffects } from "./notices.ts";
import { impliedRights, standingDefaults } from "./outcome.ts";
import { isPrivacy, isPrivate } from "./privacy.ts";
import { channelMoves } from "./renames.ts";
import { channelRisks, keepsMessages } from "./risks.ts";
import {
  type Channel,
  channelForm,
  isPermissionSetting,
  PERMISSION_SETTINGS,
  PERMISSIONS,
  TOPICS_POLICY,
} from "./schema.ts";
import { channelSecrecy } from "./secrecy.ts";
import { showsSubscribing } from "./shown.ts";
import { exceptedSubscribers, leavesSubscribersOpen, subscribersToYaml } from "./subscribers-to-yaml.ts";
import { resolveSubscribers } from "./subscriptions.ts";
import { channelWords } from "./synonyms.ts";
import { canBeOpened, channelToYaml, inexpressibleFolder } from "./to-yaml.ts";

const fields: { [field: string]: FieldSpec } = {
  description: { about: "Text on one line." },
  privacy: { about: "Who can find and read the channel." },
  folder: { level: 389, about: "The channel folder that it is listed under." },
  topics_policy: { level: 392, about: "Whether messages need a topic." },
  default_push_notifications: {
    level: 507,
    about: "Whether people who subscribe for the first time get notifications on their phones.",
  },
  message_retention_days: { about: "Days after which messages are deleted." },
  archived: { about: "Whether the channel is archived." },
  subscribers: { about: "Who is subscribed.", syncedBy: ["subscribe", "unsubscribe"] },
};
for (const setting of PERMISSION_SETTINGS) {
  fields[setting] = {
    level: CHANNEL_PERMISSIONS[setting].level,
    about: PERMISSIONS[setting].about,
    isPermission: true,
  };
}

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
    get schema() {
      return channelForm();
    },
    get synonyms() {
      return channelWords();
    },
    rights: "stream",
    profiles: true,
    fields,
    decode: decodeChannel,
    check: checkChannelsInFile,
    names: namesOfChannel,
    withNames: (object, nameOf) => {
      const fields = fieldsWithNames(object.fields, { isSetting: isPermissionSetting, people: "subscribers" }, nameOf);
      const { folder } = fields;
      return {
        ...object,
        fields: typeof folder === "string" ? { ...fields, folder: nameOf("channel_folder", folder) } : fields,
      };
    },
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
    implied: impliedRights,
    traits: {
      description: "words",
      subscribers: "items",
      folder: "other",
      privacy: "other",
      topics_policy: "other",
      message_retention_days: "other",
      default_push_notifications: "other",
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
    canSet: (field, value) =>
      (field !== "privacy" || isPrivacy(value)) &&
      (field !== "topics_policy" || TOPICS_POLICY.some((known) => known === value)),
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
      if (isPermissionSetting(field)) return inexpressibleGroups(live, realm);
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
