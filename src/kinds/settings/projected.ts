import { daysOf, FULL_MEMBERS, fullMembersAfter, WAITING_PERIOD } from "../../access/full-members.ts";
import type { Json } from "../../model/json.ts";
import type { Change, FieldChange } from "../../model/plan.ts";
import { asGroupValue, type Realm, ROLE } from "../../model/realm.ts";
import { Snapshot, type SnapshotUser } from "../../model/snapshot.ts";
import { channelSetting } from "./channels.ts";
import { isPermission } from "./permissions.ts";

/** The realm as other kinds look at it once these settings are made: switches, rights, the channels they name, who is a full member. */
export function settingsProjected(changes: readonly Change[], realm: Realm): Snapshot {
  const { snapshot } = realm;
  const fields = changes.flatMap((change) => change.fields);
  if (fields.length === 0) return snapshot;
  const settings: { [name: string]: Json } = { ...snapshot.settings };
  for (const field of fields) {
    const [name, value] = readBack(field, realm) ?? [];
    if (name !== undefined && value !== undefined) settings[name] = value;
  }
  return {
    ...snapshot,
    settings: Snapshot.shape.settings.parse(settings),
    user_groups: withFullMembers(fields, realm),
  };
}

/** What the server would show of a field afterwards; undefined for those that no other kind looks at. */
function readBack({ field, after }: FieldChange, realm: Realm): readonly [name: string, value: Json] | undefined {
  if (typeof after === "boolean") return [field, after];
  if (field === "message_retention_days") return [field, typeof after === "number" ? after : -1];
  const channel = channelSetting(field);
  if (channel !== undefined) {
    const named = realm.snapshot.channels.find(({ name, is_archived }) => name === after && !is_archived);
    return [channel.api, named?.stream_id ?? -1];
  }
  const value = isPermission(field) ? asGroupValue(after) : undefined;
  if (value === undefined) return undefined;
  const idOf = (name: string): number => realm.groupByName(name)?.id ?? NOBODYS_GROUP;
  if (typeof value === "string") return [field, idOf(value)];
  return [
    field,
    { direct_members: value.users.map((name) => realm.userId(name)), direct_subgroups: value.groups.map(idOf) },
  ];
}

/** No group has this id. */
const NOBODYS_GROUP = Number.MIN_SAFE_INTEGER;

const isMember = ({ role, is_active }: SnapshotUser): boolean => role === ROLE.member && is_active;

function withFullMembers(fields: readonly FieldChange[], realm: Realm): Snapshot["user_groups"] {
  const { user_groups } = realm.snapshot;
  const days = daysOf(fields.find(({ field }) => field === WAITING_PERIOD)?.after);
  const members = days === undefined ? undefined : fullMembersAfter(days, realm, isMember);
  if (members === undefined) return user_groups;
  return user_groups.map((group) => (group.name === FULL_MEMBERS ? { ...group, members: [...members] } : group));
}
