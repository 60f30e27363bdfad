import * as z from "zod";
import { AUDIENCES, opening } from "../../access/opened-channels.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { isList, isObject } from "../../model/json.ts";
import type { SingletonKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { Fields } from "../../model/objects.ts";
import { type Change, fieldIn, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";
import { partsOf } from "../property.ts";
import { keysBeyond, OLDEST_COMPLETE } from "../readings.ts";
import { requestFor } from "../requests.ts";
import { apiName, DEFAULT_PARTS, DEFAULTS, USER_DEFAULTS } from "./properties.ts";

const docs: DocsFacet = {
  about:
    "The personal settings of new accounts. People can change their own; a change here changes nobody's settings. Names are the API's; where the API has numbers, the file has words.",
  who: "Administrators of the organization.",
  defaults: DEFAULTS.standardsInWords(),
  example: `user_defaults:
  color_scheme: automatic
  twenty_four_hour_time: true
  web_home_view: inbox
  email_notifications_batching_period: 5m
  email_address_visibility: moderators`,
};

/** The section as a file writes it: every field may be left out, and then stays as it is. */
const userDefaultsForm = once(() => z.strictObject(DEFAULTS.forms()));
type UserDefaults = z.infer<ReturnType<typeof userDefaultsForm>>;

/** What the server has beside them: settings of people that have no default, and their choices (zulip-api.md §12.2). */
const NOT_DEFAULTS = [
  "allow_private_data_export",
  "available_notification_sounds",
  "default_language",
  "emojiset_choices",
  "enable_login_emails",
  "enable_marketing_emails",
];

const newerDefaults = keysBeyond(
  (realm) => {
    const read = realm.setting("user_settings_defaults");
    return isObject(read) && realm.level >= OLDEST_COMPLETE ? [read] : [];
  },
  [...NOT_DEFAULTS, ...Object.keys(USER_DEFAULTS).map(apiName)],
);

/**
 * The settings that new accounts start with. Existing accounts keep theirs (docs/internals/decisions/0026-settings-are-one-object.md).
 * @see zulip-api.md §12.2 https://zulip.com/api/update-realm-user-settings-defaults
 */
export const userDefaults: SingletonKind<UserDefaults> = {
  name: "user_defaults",
  section: "user_defaults",
  shape: "singleton",
  noun: ["defaults of new accounts", "defaults of new accounts"],
  file: {
    schema: userDefaultsForm,
    fields: USER_DEFAULTS,
    decode: (item, _, context) => ({ absent: false, fields: DEFAULTS.decode(item, context).fields }),
  },
  live: { read: liveUserDefaults, newer: newerDefaults },
  diff: { defaults: (realm) => DEFAULTS.standards(realm) },
  review: { check: checkUserDefaults, risks: userDefaultRisks },
  calls: {
    draft: userDefaultCalls,
    canSet: (field, value) => DEFAULTS.canSet(field, value),
  },
  yaml: {
    parts: partsOf(DEFAULT_PARTS),
    item: ({ fields }, realm) => DEFAULTS.toYaml(fields, realm),
  },
  secrecy: {
    name: "public",
    fields: Object.fromEntries(Object.keys(USER_DEFAULTS).map((field) => [field, "word"])),
    snapshot: () => ({}),
  },
  reach: { role: "administrator" },
  docs,
};

function liveUserDefaults(realm: Realm): Fields | undefined {
  const read = realm.setting("user_settings_defaults");
  if (!isObject(read)) return undefined;
  return DEFAULTS.live((name) => {
    const value = read[apiName(name)];
    return isScalar(value) ? value : undefined;
  }, realm);
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Sent before anybody can join: people who join through a domain or an invitation of this plan get these values. */
const RANK = 50;

/** One request: the server writes all of them, or none (zulip-api.md §12.2). */
function userDefaultCalls(changes: readonly Change[], { realm }: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map((change) =>
    requestFor(change, {
      operation: "update-realm-user-settings-defaults",
      params: Object.fromEntries(
        change.fields.map(({ field, after }) => [
          apiName(field),
          USER_DEFAULTS[field]?.type.toApi(after, realm) ?? after,
        ]),
      ),
      rank: RANK,
    }),
  );
}

function checkUserDefaults(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  return changes.flatMap((change) => [
    ...(realm.isAdmin
      ? []
      : [error("settings/not-allowed", { account: runningAccount(snapshot), section: "user_defaults" }, change.at)]),
    ...soundDiagnostics(change, realm),
  ]);
}

/** The server lists its sounds beside the defaults (zulip-api.md §12.2). */
function soundDiagnostics({ fields }: Change, realm: Realm): readonly Diagnostic[] {
  const field = fieldIn(fields, "notification_sound");
  const defaults = realm.setting("user_settings_defaults");
  const sounds =
    isObject(defaults) && isList(defaults.available_notification_sounds)
      ? defaults.available_notification_sounds.map(String)
      : undefined;
  if (field === undefined || sounds === undefined) return [];
  const sound = String(field.after);
  if (sound === "none" || sounds.includes(sound)) return [];
  const meant = didYouMean(sound, sounds);
  return [error("user_defaults/sound", { sound: quote(sound), known: sounds, ...defined({ meant }) }, field.at)];
}

/** The one default that shows something about new people to others whom they may not know. */
function userDefaultRisks(change: Change): readonly FoundRisk[] {
  const field = fieldIn(change.fields, "email_address_visibility");
  const to = AUDIENCES.find((audience) => audience === field?.after);
  if (field === undefined || to === undefined) return [];
  if (!opening(field.field, field.before, field.after).opens) return [];
  return [{ kind: "widens", fact: { kind: "addresses-of-new-people", to }, field: field.field }];
}
