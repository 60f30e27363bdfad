import { defined } from "../../model/defined.ts";
import type { DocsFacet, FieldSpec } from "../../model/facets.ts";
import type { Json } from "../../model/json.ts";
import type { SingletonKind } from "../../model/kind.ts";
import type { Fields } from "../../model/objects.ts";
import { isRightName, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import type { Change, FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import type { FieldSecrecy, SecrecyFacet } from "../../model/secrecy.ts";
import { creationDefaults, groupsInOtherSettings, permissionFields } from "../permissions.ts";
import { standardsInWords } from "../property.ts";
import { inexpressibleGroups } from "../references.ts";
import { leastSettingsCalls, settingsCalls } from "./calls.ts";
import { checkSettings, checkSettingsInFile, isOwnerOnly } from "./check.ts";
import {
  canSetSetting,
  liveSettings,
  newerOfOrganization,
  settingsToYaml,
  settingToYaml,
  standardSettings,
  unnamedChannel,
  withPicture,
} from "./live.ts";
import {
  isPicture,
  outdatedPictures,
  PICTURE_FIELDS,
  PICTURES,
  pictureFiles,
  resolvePictures,
  shownPictures,
  showsUpload,
} from "./pictures.ts";
import { PROPERTIES } from "./properties.ts";
import { keepsMessages, settingsEffects, settingsRisks } from "./risks.ts";
import {
  ABOUT_METHODS,
  AUTHENTICATION_METHODS,
  CHANNEL_SETTINGS,
  channelSetting,
  decodeSettings,
  FIELD_ORDER,
  FIELD_PARTS,
  resolveMethods,
  type Settings,
  settingsForm,
} from "./schema.ts";

const docs: DocsFacet = {
  about:
    "The settings of the whole organization. Names are the API's, without a unit or an id at their end: `message_content_edit_limit: 10m` is the API's `message_content_edit_limit_seconds`, and channels are named. What is left out stays as it is.",
  who: "Administrators of the organization.",
  whoMay: Object.fromEntries(
    [...FIELD_ORDER, ...KNOWN_RIGHTS.realm].filter(isOwnerOnly).map((field) => [field, "owners"]),
  ),
  defaults: {
    ...standardsInWords(PROPERTIES, "chosen at creation"),
    ...Object.fromEntries(
      Object.entries(CHANNEL_SETTINGS).map(([name, { general }]) => [name, general ? "`general`" : "none"]),
    ),
    ...Object.fromEntries(PICTURE_FIELDS.map((name) => [name, PICTURES[name]?.standard ?? ""])),
    [AUTHENTICATION_METHODS]: "all that the server has",
    ...creationDefaults("realm"),
  },
  unseen: Object.fromEntries(
    PICTURE_FIELDS.map((name) => [
      name,
      "Whether there is an uploaded picture, and its version, which every upload and every removal raises. They do not see what it looks like. With `replaces`, drift warns of a picture that somebody else uploaded.",
    ]),
  ),
  example: `settings:
  name: Acme Foundry
  description: We cast and forge.
  default_language: en
  invite_required: true
  waiting_period_threshold: 3d
  authentication_methods: {Email: true, Google: false}
  message_content_edit_limit: 1h
  message_retention_days: unlimited
  new_stream_announcements_channel: announce
  permissions:
    can_create_public_channel_group: role:members
    can_invite_users_group: role:moderators
channels: {announce: {}}`,
};

const secrecy: SecrecyFacet = {
  name: "public",
  fields: Object.fromEntries([
    ...FIELD_ORDER.flatMap((field): [string, FieldSecrecy][] => {
      const secrecy = isPicture(field) || PROPERTIES[field]?.type.isText ? "text" : "word";
      return [field, PROPERTIES[field]?.api ?? field].map((name) => [name, secrecy]);
    }),
    ...Object.keys(CHANNEL_SETTINGS).map((field): [string, FieldSecrecy] => [field, { of: "channel" }]),
    [AUTHENTICATION_METHODS, "word"],
  ]),
  snapshot: () => ({}),
};

const fields: { [field: string]: FieldSpec } = {};
for (const field of FIELD_ORDER) {
  const { about = PICTURES[field]?.about ?? ABOUT_METHODS, level } = PROPERTIES[field] ?? CHANNEL_SETTINGS[field] ?? {};
  fields[field] = defined({
    about,
    level,
    isPicture: isPicture(field) ? true : undefined,
    names: field in CHANNEL_SETTINGS ? "channel" : undefined,
  });
}
Object.assign(fields, permissionFields("realm"));

/**
 * The settings of the organization: who may join, how long messages are kept, who may do what everywhere
 * (docs/internals/decisions/0026-settings-are-one-object.md).
 * @see zulip-api.md §12.1
 */
export const settings: SingletonKind<Settings> = {
  name: "settings",
  section: "settings",
  shape: "singleton",
  noun: ["settings", "settings"],
  file: {
    schema: settingsForm,
    rights: "realm",
    fields,
    files: pictureFiles,
    decode: decodeSettings,
    check: checkSettingsInFile,
  },
  live: {
    read: liveSettings,
    newer: newerOfOrganization,
    otherNames: ({ fields: known }, realm) => groupsInOtherSettings(realm.snapshot.settings, known, realm),
  },
  diff: {
    resolveDerivedFields: (declared, live) =>
      resolvePictures(resolveMethods(declared, live?.fields[AUTHENTICATION_METHODS]), live),
    settingsAfter,
    defaults: standardSettings,
  },
  review: { check: checkSettings, keepsMessages, risks: settingsRisks },
  calls: {
    draft: settingsCalls,
    least: leastSettingsCalls,
    canSet: canSetSetting,
    sideEffects: settingsEffects,
    shows: (change, live) => isPicture(change.field) && showsUpload(change, live),
  },
  undo: {
    stays: ({ risks }, restored) => {
      const isShorter = risks.some(({ fact }) => fact?.kind === "messages-deleted-everywhere");
      return isShorter && restored.message_retention_days !== undefined ? { effect: "messages-deleted" } : undefined;
    },
  },
  yaml: {
    item: settingsToYaml,
    parts: FIELD_PARTS,
    pictures: { of: shownPictures, put: withPicture },
    field: (field, live, raw, _declared, realm) => settingToYaml(field, live, realm, raw),
    outdated: outdatedPictures,
    whyInexpressible: (field, live, realm) => {
      if (isPicture(field)) return live === null ? undefined : { why: "picture", field, is: String(live) };
      return isRightName(field) ? inexpressibleGroups(live, realm) : unnamedChannel(field, live, realm);
    },
  },
  secrecy,
  reach: {
    role: "administrator",
    caveats: ({ isOwner }) => (isOwner ? [] : ["owners-change-some-settings"]),
  },
  docs,
};

/** Switches, retention and the channels that settings name, as the server shows them after these changes. */
function settingsAfter(changes: readonly Change[], realm: Realm): Fields {
  const fields = changes.flatMap((change) => change.fields);
  return Object.fromEntries(fields.flatMap((field) => readBack(field, realm)));
}

/** Nothing for fields that no other kind needs. */
function readBack({ field, after }: FieldChange, realm: Realm): readonly (readonly [string, Json])[] {
  if (typeof after === "boolean") return [[field, after]];
  if (field === "message_retention_days") return [[field, typeof after === "number" ? after : -1]];
  const channel = channelSetting(field);
  if (channel === undefined) return [];
  const named = realm.snapshot.channels.find(({ name, is_archived }) => name === after && !is_archived);
  return [[channel.api, named?.stream_id ?? -1]];
}
