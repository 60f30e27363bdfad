import type { Json, JsonObject } from "../model/json.ts";
import type { RightScope } from "../model/permission-settings.ts";
import { groupValueIn } from "./access.ts";
import { type Call, everybody } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { isChanged, normalGroupValue, shownGroupValue, systemGroups, writtenGroupValue } from "./groups.ts";
import { groupChange, groupValue, optional, type Params, type Reader, type SentGroupChange } from "./params.ts";
import type { OtherValues, PermissionRule } from "./rows/groups.ts";
import { type GroupValue, rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

/*
 * Permission settings that this sandbox does not know by name. A server describes all of its settings (`server_supported_permission_settings`), so a copy of
 * an organization has those, too: they are read, written and guarded like all others, and nothing follows from them.
 */

const NONE = {};
const rulesOf = (state: RealmState, scope: RightScope): { readonly [setting: string]: PermissionRule } =>
  state.other_rights?.[scope] ?? NONE;

/** The channel or group that has a setting; undefined for the organization. */
type Holder = { readonly creator_id: number | null; readonly other_rights?: OtherValues } | undefined;

/** The value of a setting as it is stored. */
function storedValue(state: RealmState, scope: RightScope, setting: string, holder: Holder): GroupValue {
  const own = holder === undefined ? groupValueIn(state.realm[setting]) : holder.other_rights?.[setting];
  if (own !== undefined) return own;
  const name = rulesOf(state, scope)[setting]?.default_group_name ?? "role:nobody";
  const group = systemGroups(state).find((each) => each.name === name);
  const creator = holder?.creator_id ?? null;
  return (
    group?.id ?? normalGroupValue(state, { direct_members: creator === null ? [] : [creator], direct_subgroups: [] })
  );
}

/** The settings as an answer shows them. */
export function shownOtherRights(state: RealmState, scope: RightScope, holder?: Holder): JsonObject {
  return Object.fromEntries(
    Object.keys(rulesOf(state, scope)).map((setting) => [
      setting,
      asJson(shownGroupValue(state, storedValue(state, scope, setting, holder))),
    ]),
  );
}
const asJson = (value: GroupValue): Json => (typeof value === "number" ? value : { ...value });

/** The settings that name a group. */
export function otherRightsNaming(state: RealmState, scope: RightScope, id: number, holder?: Holder): string[] {
  return Object.keys(rulesOf(state, scope)).filter((setting) => {
    const value = storedValue(state, scope, setting, holder);
    return typeof value === "number" ? value === id : value.direct_subgroups.includes(id);
  });
}

/** The calls that write permission settings: those that change something, and those that create it. */
const WRITERS: { readonly [call: string]: { readonly scope: RightScope; readonly creates: boolean } } = {
  "PATCH /realm": { scope: "realm", creates: false },
  "PATCH /streams/{stream_id}": { scope: "stream", creates: false },
  "POST /channels/create": { scope: "stream", creates: true },
  "POST /users/me/subscriptions": { scope: "stream", creates: true },
  "POST /user_groups/create": { scope: "group", creates: true },
  "PATCH /user_groups/{group_id}": { scope: "group", creates: false },
};

/** The endpoint with the parameters for these settings. They are written after everything else. */
export function withOtherRights(endpoint: Endpoint, state: RealmState): Endpoint {
  const writer = state.other_rights && WRITERS[`${endpoint.method} ${endpoint.path}`];
  const settings = writer === undefined ? [] : Object.keys(rulesOf(state, writer.scope));
  if (writer === undefined || settings.length === 0) return endpoint;
  const read: Reader<SentGroupChange> = writer.creates
    ? (raw, path) => ({ new: groupValue(raw, path), old: undefined })
    : groupChange;
  const others: Params = Object.fromEntries(settings.map((setting) => [setting, optional(read)]));
  return {
    ...endpoint,
    params: { ...endpoint.params, ...others },
    run(call, args) {
      const sent = new Map(Object.entries(args).filter(([name]) => Object.hasOwn(others, name)));
      const first = call.state.next_id[writer.scope === "group" ? "group" : "channel"];
      const fields = endpoint.run(call, args);
      const targets = writer.creates ? madeSince(call.state, writer.scope, first) : [targetOf(call.state, args)];
      const changed = targets.map((target) => writeAll(call, writer.scope, target, sent));
      return writer.scope === "realm" ? { ...fields, ...changed[0] } : fields;
    },
  };
}

type Target = RealmState["channels"][number] | RealmState["user_groups"][number] | undefined;

const madeSince = (state: RealmState, scope: RightScope, first: number): readonly Target[] =>
  scope === "group"
    ? rows(state.user_groups).filter(({ id }) => id >= first)
    : rows(state.channels).filter(({ stream_id }) => stream_id >= first);

function targetOf(state: RealmState, args: object): Target {
  if ("stream_id" in args) return state.channels[Number(args.stream_id)];
  return "group_id" in args ? state.user_groups[Number(args.group_id)] : undefined;
}

/** Each setting that was sent, as the known ones are written (zulip-api.md §17.4). @returns the values that changed */
function writeAll(call: Call, scope: RightScope, target: Target, sent: ReadonlyMap<string, unknown>): JsonObject {
  const changed: { [setting: string]: Json } = {};
  for (const [setting, rule] of Object.entries(rulesOf(call.state, scope))) {
    const change = sent.get(setting);
    if (!isChange(change)) continue;
    const before = storedValue(call.state, scope, setting, target);
    if (!isChanged(call.state, before, change)) continue;
    const value = writtenGroupValue(call, setting, rule, change.new, before);
    if (scope === "realm") call.ledger.countAnonymous(value, before);
    changed[setting] = asJson(value);
    if (target === undefined) call.ledger.set(call.state.realm, setting, asJson(value));
    else call.ledger.set(target, "other_rights", { ...target.other_rights, [setting]: value });
    tell(call, target, setting, asJson(shownGroupValue(call.state, value)));
  }
  return changed;
}

const isChange = (value: unknown): value is SentGroupChange =>
  typeof value === "object" && value !== null && "new" in value;

function tell(call: Call, target: Target, setting: string, value: Json): void {
  if (target === undefined)
    call.emit(everybody, { type: "realm", op: "update_dict", property: "default", data: { [setting]: value } });
  else if ("stream_id" in target) {
    const { stream_id, name } = target;
    call.emit(everybody, { type: "stream", op: "update", property: setting, value, stream_id, name });
  } else call.emit(everybody, { type: "user_group", op: "update", group_id: target.id, data: { [setting]: value } });
}
