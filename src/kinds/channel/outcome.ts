import type { Json } from "../../model/json.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue, type Realm } from "../../model/realm.ts";
import type { SnapshotChannel } from "../../model/snapshot.ts";
import { hasRight, permissionsAtCreation, settingAtCreation } from "../permissions.ts";

/** A channel before and after its change: unchanged values come from the server, or from its defaults for new channels. */
export interface Outcome {
  readonly change: Change;
  /** As it is on the server; undefined when the plan creates it. */
  readonly channel: SnapshotChannel | undefined;
  before(field: string): Json | undefined;
  after(field: string): Json | undefined;
  changes(field: string): boolean;
}

export function outcomeOf(change: Change, context: PlanContext): Outcome {
  const live = context.pair(change.address)?.live;
  const fields = new Map(change.fields.map((field) => [field.field, field.after]));
  return {
    change,
    channel: change.id === undefined ? undefined : context.realm.channel(change.id),
    before: (field) => live?.fields[field],
    after: (field) => {
      if (fields.has(field)) return fields.get(field);
      return live === undefined ? atCreation(field, context.realm) : live.fields[field];
    },
    changes: (field) => fields.has(field),
  };
}

/** The default of a new channel (zulip-api.md §3.3, §3.7); undefined if the server does not have the field. */
export function atCreation(field: string, realm: Realm): Json | undefined {
  if (isRightName(field))
    return hasRight("stream", field, realm) ? settingAtCreation("stream", field, realm) : undefined;
  switch (field) {
    case "description":
      return "";
    case "privacy":
      return "public";
    case "folder":
      return null;
    case "topics_policy":
      return "inherit";
    case "message_retention_days":
      return "realm_default";
    case "archived":
      return false;
    case "default_push_notifications":
      return realm.level < PUSH_LEVEL ? undefined : false;
    default:
      return undefined;
  }
}

/** The level from which a channel decides about notifications on phones. */
const PUSH_LEVEL = 507;

/** The fields with a default, apart from permissions, in the order of files. */
export const WORDS = [
  "description",
  "privacy",
  "folder",
  "topics_policy",
  "default_push_notifications",
  "message_retention_days",
] as const;

/** The values of a channel that nobody configured: those of its creation, with its creator. There is no default for subscribers. */
export function standingDefaults(realm: Realm, { id }: LiveObject): Fields {
  const creator = (id === null ? undefined : realm.channel(id)?.creator_id) ?? null;
  const words = WORDS.flatMap((field) => {
    const value = atCreation(field, realm);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...Object.fromEntries<Json>(words), ...permissionsAtCreation("stream", realm, creator) };
}

export function groupAfter(outcome: Outcome, setting: string): GroupValue {
  return asGroupValue(outcome.after(setting) ?? null) ?? "role:nobody";
}

export function groupBefore(outcome: Outcome, setting: string): GroupValue {
  return asGroupValue(outcome.before(setting) ?? null) ?? "role:nobody";
}
