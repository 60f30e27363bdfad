import type { Json } from "../../model/json.ts";
import type { Fields } from "../../model/objects.ts";
import type { Change, FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { channelSetting } from "./channels.ts";

/** Switches, retention and the channels that settings name, as the server shows them after these changes. */
export function settingsAfter(changes: readonly Change[], realm: Realm): Fields {
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
