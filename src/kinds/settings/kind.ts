import { defined } from "../../model/defined.ts";
import type { FieldSpec } from "../../model/facets.ts";
import type { SingletonKind } from "../../model/kind.ts";
import { ORGANIZATION_PERMISSIONS } from "../../model/permission-settings.ts";
import { groupsInOtherSettings } from "../group-settings.ts";
import { inexpressibleGroups } from "../references.ts";
import { fieldsWithNames, groupsIn } from "../tokens.ts";
import { leastSettingsCalls, settingsCalls } from "./calls.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { checkSettings, checkSettingsInFile } from "./check.ts";
import { decodeSettings, resolveMethods } from "./decode.ts";
import { docs } from "./docs.ts";
import { liveSettings } from "./live.ts";
import { newerOfOrganization } from "./newer.ts";
import { aboutPermission, isPermission, PERMISSION_SETTINGS, PERMISSIONS } from "./permissions.ts";
import {
  isPicture,
  outdatedPictures,
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
  FIELD_ORDER,
  FIELD_PARTS,
  type Settings,
  settingsForm,
} from "./schema.ts";
import { secrecy } from "./secrecy.ts";
import { settingsAfter } from "./settings-after.ts";
import { settingsWords } from "./synonyms.ts";
import { settingsToYaml, settingToYaml, standardSettings, unnamedChannel, withPicture } from "./to-yaml.ts";
import { canSetSetting } from "./values-known.ts";

const fields: { [field: string]: FieldSpec } = {};
for (const field of FIELD_ORDER) {
  const { about = PICTURES[field]?.about ?? ABOUT_METHODS, level } = PROPERTIES[field] ?? CHANNEL_SETTINGS[field] ?? {};
  fields[field] = {
    about,
    ...defined({ level, isPicture: isPicture(field) ? true : undefined }),
  };
}
for (const setting of PERMISSION_SETTINGS) {
  fields[setting] = {
    about: aboutPermission(PERMISSIONS[setting]),
    level: ORGANIZATION_PERMISSIONS[setting].level,
    isPermission: true,
  };
}

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
    get schema() {
      return settingsForm();
    },
    get synonyms() {
      return settingsWords();
    },
    rights: "realm",
    fields,
    files: pictureFiles,
    decode: decodeSettings,
    check: checkSettingsInFile,
    names: ({ fields: declared }) =>
      Object.entries(declared).flatMap(([field, value]) => {
        if (isPermission(field)) return groupsIn(value).map((name) => ({ kind: "user_group", name, field }));
        return field in CHANNEL_SETTINGS && typeof value === "string" ? [{ kind: "channel", name: value, field }] : [];
      }),
    withNames: (object, nameOf) => {
      const named = fieldsWithNames(object.fields, { isSetting: isPermission }, nameOf);
      const channels = Object.keys(CHANNEL_SETTINGS).flatMap((field) => {
        const name = named[field];
        return typeof name === "string" ? [[field, nameOf("channel", name)] as const] : [];
      });
      return { ...object, fields: { ...named, ...Object.fromEntries(channels) } };
    },
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
      return isPermission(field) ? inexpressibleGroups(live, realm) : unnamedChannel(field, live, realm);
    },
  },
  secrecy,
  reach: {
    role: "administrator",
    caveats: ({ isOwner }) => (isOwner ? [] : ["owners-change-some-settings"]),
  },
  docs,
};
