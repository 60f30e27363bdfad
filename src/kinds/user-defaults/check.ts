import { AUDIENCES, opening } from "../../access/openness.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { isList, isObject } from "../../model/json.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { didYouMean } from "../../model/suggest.ts";

export function checkUserDefaults(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
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
  const field = fields.find((candidate) => candidate.field === "notification_sound");
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
export function userDefaultRisks(change: Change): readonly FoundRisk[] {
  const field = change.fields.find((candidate) => candidate.field === "email_address_visibility");
  const to = AUDIENCES.find((audience) => audience === field?.after);
  if (field === undefined || to === undefined) return [];
  if (!opening(field.field, field.before, field.after).opens) return [];
  return [{ kind: "widens", fact: { kind: "addresses-of-new-people", to }, field: field.field }];
}
