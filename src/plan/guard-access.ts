import type { Span } from "../model/diagnostic.ts";
import { type Named, namedOf } from "../model/facts.ts";
import { isList, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Change, Plan } from "../model/plan.ts";
import { OPENING_SETTINGS, readersOf } from "../model/readers.ts";
import { asGroupValue, type GroupValue, Realm } from "../model/realm.ts";
import { realmAfter, renamesIn } from "../model/renames.ts";
import { GroupSettingValue, type SnapshotChannel } from "../model/snapshot.ts";

/** People who can read a channel, or are in a group, before the plan and not after it. */
export interface Loss {
  readonly change: Named;
  readonly section: string;
  readonly people: ReadonlySet<number>;
  readonly at?: Span;
}

export interface Access {
  readonly losses: readonly Loss[];
  /** Private channels that somebody can reach now (or that are new), and nobody afterwards. */
  readonly unreachable: readonly { readonly object: Named; readonly at?: Span }[];
}

/** Who loses what, from the realm as it is and as the plan leaves it: groups included, since they open channels. */
export function accessOf(plan: Plan, realm: Realm, kinds: readonly ResourceKind[]): Access {
  let after = realmAfter(realm, renamesIn(plan.changes));
  for (const kind of kinds) {
    const own = plan.changes.filter((change) => change.kind === kind.name);
    if (kind.applied !== undefined && own.length > 0) after = new Realm(kind.applied(own, after));
  }
  const byId = new Map(
    plan.changes.flatMap((change) => (change.id === undefined ? [] : [[`${change.kind}:${change.id}`, change]])),
  );
  const losses: Loss[] = [];
  const unreachable: { object: Named; at?: Span }[] = [];
  const groupsMove = after !== realm;
  for (const channel of realm.snapshot.channels) {
    const change = byId.get(`channel:${channel.stream_id}`);
    if (channel.is_archived || (change === undefined && !groupsMove)) continue;
    const before = readersBefore(channel, realm);
    const then = readersAfter(channel, change, after);
    const people = new Set([...before.readers].filter((id) => !then.readers.has(id) && isPerson(realm, id)));
    const place = placeOf(change, ["privacy", ...OPENING_SETTINGS, "subscribers"]);
    const cause = change ?? { name: channel.name, address: `channel:${channel.name}` as const };
    if (people.size > 0) losses.push({ change: cause, section: "channels", people, ...place });
    if (isNobody(then) && !isNobody(before)) unreachable.push({ object: namedOf(cause), ...place });
  }
  for (const change of plan.changes) {
    if (change.kind === "channel" && change.action === "create" && isNobody(readersOfNew(change, after)))
      unreachable.push({ object: namedOf(change), ...placeOf(change, ["subscribers", "privacy"]) });
    if (change.kind !== "user_group" || change.id === undefined) continue;
    const left = realm.membersOf(change.id);
    const stay = after.membersOf(change.id);
    const people = new Set([...left].filter((id) => !stay.has(id) && isPerson(realm, id)));
    if (people.size > 0)
      losses.push({ change, section: "user_groups", people, ...placeOf(change, ["members", "subgroups"]) });
  }
  return { losses, unreachable };
}

type Place = { readonly at?: Span };
function placeOf(change: Change | undefined, fields: readonly string[]): Place {
  const own = change?.fields.find(({ field, at }) => fields.includes(field) && at !== undefined)?.at;
  const at = own ?? change?.at;
  return at === undefined ? {} : { at };
}

const isPerson = (realm: Realm, id: number): boolean => realm.user(id)?.is_bot !== true;

/** `certain` is false when the snapshot does not hold the subscribers of a private channel: then there may be more. */
interface Readers {
  readonly readers: ReadonlySet<number>;
  readonly certain: boolean;
}

const isNobody = ({ readers, certain }: Readers): boolean => certain && readers.size === 0;

function readersBefore(channel: SnapshotChannel, realm: Realm): Readers {
  const opening = OPENING_SETTINGS.map((setting) => peopleOf(channel[setting], realm));
  return readers(privacyOf(channel), opening, subscribersOf(channel, realm), realm);
}

function readersAfter(channel: SnapshotChannel, change: Change | undefined, after: Realm): Readers {
  const value = (field: string) => change?.fields.find((candidate) => candidate.field === field)?.after;
  const listed = peopleListed(value("subscribers"));
  const subscribers = listed === undefined ? subscribersOf(channel, after) : after.peopleIn(listed);
  const opening = OPENING_SETTINGS.map((setting) => {
    const wanted = asGroupValue(value(setting) ?? null);
    return wanted === undefined ? peopleOf(channel[setting], after) : after.peopleIn(wanted);
  });
  return readers(String(value("privacy") ?? privacyOf(channel)), opening, subscribers, after);
}

/** Without a word about subscribers the account that makes a channel is its first. */
function readersOfNew(change: Change, after: Realm): Readers {
  const value = (field: string) => change.fields.find((candidate) => candidate.field === field)?.after ?? null;
  const opening = OPENING_SETTINGS.map((setting) => after.peopleIn(asGroupValue(value(setting)) ?? "role:nobody"));
  const subscribers = peopleListed(value("subscribers"));
  const own = new Set([after.snapshot.account.user_id]);
  const privacy = String(value("privacy") ?? "public");
  return readers(privacy, opening, subscribers === undefined ? own : after.peopleIn(subscribers), after);
}

function readers(
  privacy: string,
  opening: readonly ReadonlySet<number>[],
  subscribers: ReadonlySet<number> | undefined,
  realm: Realm,
): Readers {
  const certain = subscribers !== undefined || !privacy.startsWith("private");
  return { readers: readersOf(privacy, opening, subscribers, realm), certain };
}

/** What the file would say, as far as reading goes: of the two private ones either. */
function privacyOf({ invite_only, is_web_public }: SnapshotChannel): string {
  if (invite_only) return "private_shared_history";
  return is_web_public === true ? "web_public" : "public";
}

/** Subscribers are a list of people's names. */
function peopleListed(value: Json | undefined): GroupValue | undefined {
  if (value === undefined || value === null) return undefined;
  return isList(value) ? { groups: [], users: value.map(String) } : asGroupValue(value);
}

function subscribersOf(channel: SnapshotChannel, realm: Realm): ReadonlySet<number> | undefined {
  const listed = realm.snapshot.subscribers?.[String(channel.stream_id)];
  if (listed !== undefined) return new Set(listed);
  return channel.subscriber_count === 0 ? new Set() : undefined;
}

function peopleOf(value: unknown, realm: Realm): ReadonlySet<number> {
  const read = GroupSettingValue.safeParse(value);
  if (!read.success) return new Set();
  if (typeof read.data === "number") return realm.membersOf(read.data);
  const found = new Set(read.data.direct_members);
  for (const id of read.data.direct_subgroups) for (const member of realm.membersOf(id)) found.add(member);
  return found;
}
