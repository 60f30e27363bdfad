import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import type { DocsFacet } from "../../model/facets.ts";
import type { Json } from "../../model/json.ts";
import type { SingletonKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { Fields } from "../../model/objects.ts";
import { isRightName, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import type { Change, FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { creationDefaults, groupsInOtherSettings, permissionFields, permissionsForm } from "../permissions.ts";
import { partsOf } from "../property.ts";
import { inexpressibleGroups, resolvePermissions } from "../references.ts";
import { leastSettingsCalls, settingsCalls } from "./calls.ts";
import { checkSettings, checkSettingsInFile, isOwnerOnly } from "./check.ts";
import {
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
  PICTURES,
  pictureFiles,
  resolvePictures,
  shownPictures,
  showsUpload,
} from "./pictures.ts";
import { channelSetting, PARTS, PROPERTIES, SETTINGS } from "./properties.ts";
import { keepsMessages, settingsEffects, settingsRisks } from "./risks.ts";
import { AUTHENTICATION_METHODS, resolveMethods } from "./schema.ts";

/** The section as a file writes it: every field may be left out, and then stays as it is. */
export const settingsForm = once(() => {
  const { [AUTHENTICATION_METHODS]: last, ...forms } = SETTINGS.forms();
  const ordered: typeof forms = { ...forms, ...defined({ [AUTHENTICATION_METHODS]: last }) };
  return z.strictObject({ ...ordered, permissions: permissionsForm("realm").optional() });
});
type Settings = z.infer<ReturnType<typeof settingsForm>>;

/** The schema has made every plain value canonical; only names are left. */
function decodeSettings({ permissions, ...written }: Settings, _name: string, context: DecodeContext): Decoded {
  const { fields, wishes } = SETTINGS.decode(written, context);
  const { fields: rights, ...more } = resolvePermissions("realm", permissions, context);
  const creation = Object.keys(wishes).length === 0 ? undefined : wishes;
  return defined({ absent: false, fields: { ...fields, ...rights }, creation, ...more });
}

const docs: DocsFacet = {
  about:
    "The settings of the whole organization. Names are the API's, without a unit or an id at their end: `message_content_edit_limit: 10m` is the API's `message_content_edit_limit_seconds`, and channels are named. What is left out stays as it is.",
  who: "Administrators of the organization.",
  whoMay: Object.fromEntries(
    [...Object.keys(PROPERTIES), ...KNOWN_RIGHTS.realm].filter(isOwnerOnly).map((field) => [field, "owners"]),
  ),
  defaults: { ...SETTINGS.standardsInWords(), ...creationDefaults("realm") },
  unseen: Object.fromEntries(
    Object.keys(PICTURES).map((name) => [
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
    fields: { ...PROPERTIES, ...permissionFields("realm") },
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
    canSet: (field, value) => SETTINGS.canSet(field, value),
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
    parts: partsOf(PARTS),
    pictures: { of: shownPictures, put: withPicture },
    field: (field, live, raw, _declared, realm) => settingToYaml(field, live, realm, raw),
    outdated: outdatedPictures,
    whyInexpressible: (field, live, realm) => {
      if (isPicture(field)) return live === null ? undefined : { why: "picture", field, is: String(live) };
      return isRightName(field) ? inexpressibleGroups(live, realm) : unnamedChannel(field, live, realm);
    },
  },
  secrecy: { name: "public", fields: SETTINGS.secrecy(), snapshot: () => ({}) },
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
  return [[channel.api ?? field, named?.stream_id ?? -1]];
}
