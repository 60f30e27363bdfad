import { canonicalJson, type Json } from "../model/json.ts";
import type { LiveObject, ResourceKind } from "../model/kind.ts";
import type { Change, Plan } from "../model/plan.ts";
import { membersIn, OPENING_SETTINGS, readersOf } from "../model/readers.ts";
import { asGroupValue, type GroupValue, Realm } from "../model/realm.ts";
import { realmAfter, renamesIn } from "../model/renames.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** Who holds one right in one channel. */
export interface Holders {
  /** The setting as a file would write it; for reading, the channel's privacy. */
  readonly value: Json;
  /** People, bots not counted; undefined when the snapshot does not tell. */
  readonly people: number | undefined;
  /** The number is the least (reading) or the most (other rights) that it can be: the subscribers were not read. */
  readonly bound?: "least" | "most";
}

export type Shift = "same" | "new" | "reopened" | "widens" | "narrows" | "moves" | "reworded" | "unknown";

export interface AccessCell {
  /** undefined: there is no such channel, or the server does not have the right. */
  readonly before: Holders | undefined;
  readonly after: Holders | undefined;
  /** What the plan does to who holds the right; `reworded`: another value that lets the same people in; `reopened`: the channel was archived. */
  readonly shift: Shift;
}

export interface AccessRow {
  readonly name: string;
  readonly was?: string;
  readonly state: "kept" | "created" | "archived" | "unarchived";
  /** What stands in place of the state. */
  readonly note?: string;
  /** One per right of the matrix. */
  readonly cells: readonly AccessCell[];
  readonly isTouched: boolean;
}

/** Channels × rights, before the plan and after it. */
export interface AccessMatrix {
  readonly rights: readonly string[];
  /** Channels that change first, then by the server's order. */
  readonly rows: readonly AccessRow[];
  /** ISO 8601: the reading that people were counted in; undefined when there was none, and only what changes is known. */
  readonly countedAt: string | undefined;
  /** Before and after are those of a plan (the default), or what the file says and what the realm has. */
  readonly reads?: "plan" | "drift";
  /** Channels that are not shown, though nothing about them is too large. */
  readonly leftOut?: number;
}

export const READS = "reads";

type People = ReadonlySet<number>;
interface Held extends Holders {
  readonly ids: People | undefined;
}

/**
 * The matrix of a plan and the reading that it was made from.
 * @param kinds those of the plan: `channel` says what channels look like, `user_group` who is in groups afterwards
 */
export function accessMatrix(plan: Plan, snapshot: Snapshot, kinds: readonly ResourceKind[]): AccessMatrix {
  const now = new Realm(snapshot);
  const after = appliedRealm(plan, now, kinds);
  const channels = kinds.find(({ name }) => name === "channel");
  const before = new Side(now);
  const then = new Side(after);
  const changes = plan.changes.filter(({ kind, action }) => kind === "channel" && action !== "reorder");
  const byId = new Map(changes.flatMap((change) => (change.id === undefined ? [] : [[change.id, change] as const])));
  const named = new Map((channels?.live(after) ?? []).map((object) => [object.id, object]));
  // What a setting is called once groups have their new names is no other setting.
  const renamedOnly = realmAfter(now, renamesIn(plan.changes));
  const asCalled = new Map((channels?.live(renamedOnly) ?? []).map(({ id, fields }) => [id, fields]));

  const drafts: Draft[] = [];
  for (const live of channels?.live(now) ?? []) {
    const change = live.id === null ? undefined : byId.get(live.id);
    const wanted = { ...(named.get(live.id) ?? live).fields, ...wantedOf(change) };
    if (live.dormant && wanted.archived === true) continue;
    const held = before.rights(live.fields, live);
    drafts.push({ live, change, held, called: asCalled.get(live.id) ?? {}, wanted: then.rights(wanted, live) });
  }
  for (const change of changes) {
    if (change.action !== "create") continue;
    const wanted = { ...then.defaults(), ...wantedOf(change) };
    drafts.push({ live: undefined, change, held: new Map(), called: {}, wanted: then.rights(wanted, undefined) });
  }
  const rights = rightsIn(drafts.flatMap(({ held, wanted }) => [...held.keys(), ...wanted.keys()]));
  const shifts = new Shifts(now);
  const rows = drafts.map((draft) => rowOf(draft, rights, shifts));
  return { rights, rows: touchedFirst(rows), countedAt: snapshot.taken_at };
}

/** What a saved plan says by itself: the channels and rights that it changes, nobody counted. */
export function accessInPlan(plan: Plan): AccessMatrix {
  const changes = plan.changes.filter(({ kind, action }) => kind === "channel" && action !== "reorder");
  const rightOf = (field: string): string | undefined =>
    field === "privacy" ? READS : isRight(field) ? field : undefined;
  const rights = rightsIn(changes.flatMap(({ fields }) => fields.flatMap(({ field }) => rightOf(field) ?? [])));
  const rows = changes.map((change): AccessRow => {
    const cells = rights.map((right): AccessCell => {
      const field = change.fields.find((candidate) => rightOf(candidate.field) === right);
      if (field === undefined) return { before: undefined, after: undefined, shift: "same" };
      const holders = (value: Json): Holders | undefined => (value === null ? undefined : { value, people: undefined });
      return { before: holders(field.before), after: holders(field.after), shift: "unknown" };
    });
    return { ...headOf(change, undefined), cells, isTouched: cells.some(({ shift }) => shift !== "same") };
  });
  return { rights, rows: rows.filter(({ isTouched }) => isTouched), countedAt: undefined };
}

/** The realm once the plan was applied, as far as who is in which group goes. */
function appliedRealm(plan: Plan, now: Realm, kinds: readonly ResourceKind[]): Realm {
  let after = realmAfter(now, renamesIn(plan.changes));
  for (const kind of kinds) {
    const own = plan.changes.filter((change) => change.kind === kind.name);
    if (kind.applied !== undefined && own.length > 0) after = new Realm(kind.applied(own, after));
  }
  return after;
}

interface Draft {
  readonly live: LiveObject | undefined;
  readonly change: Change | undefined;
  readonly held: ReadonlyMap<string, Held>;
  /** The values that are held, under the names that groups have once the plan is applied. */
  readonly called: Fields;
  readonly wanted: ReadonlyMap<string, Held>;
}

type Fields = { readonly [field: string]: Json };

function wantedOf(change: Change | undefined): Fields {
  return Object.fromEntries((change?.fields ?? []).map(({ field, after }) => [field, after]));
}

const isRight = (field: string): boolean => /^can_.*_group$/.test(field);

/** Reading first, posting next, then by name. */
function rightsIn(names: readonly string[]): readonly string[] {
  const rank = (name: string): number => [READS, "can_send_message_group"].indexOf(name) + 1 || 3;
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const touchedFirst = (rows: readonly AccessRow[]): readonly AccessRow[] => [
  ...rows.filter(({ isTouched }) => isTouched),
  ...rows.filter(({ isTouched }) => !isTouched),
];

function headOf(change: Change | undefined, live: LiveObject | undefined): Pick<AccessRow, "name" | "was" | "state"> {
  const becomes = change?.fields.find(({ field }) => field === "archived")?.after;
  const archived = becomes === true || change?.action === "remove";
  const was = change?.was;
  return {
    name: change?.name ?? live?.name ?? "",
    ...(was === undefined || was === change?.name ? {} : { was }),
    state: change?.action === "create" ? "created" : archived ? "archived" : becomes === false ? "unarchived" : "kept",
  };
}

function rowOf({ live, change, held, called, wanted }: Draft, rights: readonly string[], shifts: Shifts): AccessRow {
  const cells = rights.map((right): AccessCell => {
    const before = held.get(right);
    const after = wanted.get(right);
    const shift = shifts.between(before, after, called[right]);
    // Nobody could do anything in it but read: it is not new for that.
    const reopened = shift === "new" && live?.dormant === true;
    return { before: shown(before), after: shown(after), shift: reopened ? "reopened" : shift };
  });
  const head = headOf(change, live);
  return { ...head, cells, isTouched: head.state !== "kept" || cells.some(({ shift }) => shift !== "same") };
}

function shown(held: Held | undefined): Holders | undefined {
  if (held === undefined) return undefined;
  const { value, people, bound } = held;
  return { value, people, ...(bound === undefined ? {} : { bound }) };
}

/** Compares who holds a right; a thousand channels that change alike ask the same question once. */
class Shifts {
  private readonly known = new WeakMap<People, WeakMap<People, Shift>>();
  private readonly realm: Realm;

  constructor(realm: Realm) {
    this.realm = realm;
  }

  /** @param called the value before, under the names that groups get */
  between(before: Held | undefined, after: Held | undefined, called?: Json): Shift {
    if (before === undefined && after === undefined) return "same";
    // A new channel takes nothing from anybody and opens nothing that was there.
    if (before === undefined) return after?.value === "web_public" ? "widens" : after?.people === 0 ? "same" : "new";
    if (after === undefined) return before.people === 0 ? "same" : "narrows";
    const isSameText = [before.value, called ?? before.value].some(
      (value) => canonicalJson(value) === canonicalJson(after.value),
    );
    const openness = Number(after.value === "web_public") - Number(before.value === "web_public");
    if (openness !== 0) return openness > 0 ? "widens" : "narrows";
    const people = this.compared(before.ids ?? NOBODY, after.ids ?? NOBODY);
    // Of bounds only the same wording is certain, and what moves in what is known.
    if (people === "same" && !isSameText)
      return before.bound === undefined && after.bound === undefined ? "reworded" : "unknown";
    return people;
  }

  private compared(before: People, after: People): Shift {
    if (before === after) return "same";
    const inner = this.known.get(before) ?? new WeakMap<People, Shift>();
    this.known.set(before, inner);
    const known = inner.get(after);
    if (known !== undefined) return known;
    const gains = this.hasMore(after, before);
    const loses = this.hasMore(before, after);
    const shift = gains ? (loses ? "moves" : "widens") : loses ? "narrows" : "same";
    inner.set(after, shift);
    return shift;
  }

  private hasMore(people: People, than: People): boolean {
    for (const id of people) if (!than.has(id) && this.realm.user(id)?.is_bot !== true) return true;
    return false;
  }
}

const NOBODY: People = new Set();

/** One state of the realm: who can do what in a channel with these fields. */
class Side {
  private readonly realm: Realm;
  private readonly members: People;
  private readonly allowed = new WeakMap<People, Map<string, People>>();
  private readonly counts = new WeakMap<People, number>();
  private readonly readers = new Map<string, People>();

  constructor(realm: Realm) {
    this.realm = realm;
    this.members = membersIn(realm);
  }

  /** What a channel gets when its creator says nothing; `channel_creator` is the account that acts. */
  defaults(): Fields {
    const { snapshot } = this.realm;
    const fields: { [field: string]: Json } = { privacy: "public" };
    for (const [setting, rule] of Object.entries(snapshot.permission_settings?.stream ?? {})) {
      if (!isRight(setting)) continue;
      const name = rule.default_group_name;
      const creator = { groups: [], users: [this.realm.userName(snapshot.account.user_id)] };
      fields[setting] = name.startsWith("role:") ? name : creator;
    }
    return fields;
  }

  /** @param live the channel as it is, for its subscribers; a new one has its creator and whom the plan subscribes */
  rights(fields: Fields, live: LiveObject | undefined): ReadonlyMap<string, Held> {
    const found = new Map<string, Held>();
    const privacy = String(fields.privacy ?? "public");
    const { ids, certain } = this.readersOf(fields, privacy, live);
    const reads: Held = { value: privacy, ids, people: this.count(ids), ...(certain ? {} : { bound: "least" }) };
    found.set(READS, reads);
    // An archived channel is read, and nothing else.
    if (fields.archived === true) return found;
    for (const [field, value] of Object.entries(fields)) {
      const group = isRight(field) ? asGroupValue(value) : undefined;
      if (group === undefined) continue;
      const holders = certain ? this.allowedOf(group, ids) : this.allowedOf(group, undefined);
      found.set(field, {
        value,
        ids: holders,
        people: this.count(holders),
        ...(certain ? {} : { bound: "most" }),
      });
    }
    return found;
  }

  private readersOf(
    fields: Fields,
    privacy: string,
    live: LiveObject | undefined,
  ): { readonly ids: People; readonly certain: boolean } {
    const subscribers = this.subscribersOf(fields, live);
    const isPrivate = privacy.startsWith("private");
    const opening = isPrivate ? OPENING_SETTINGS.map((setting) => fields[setting] ?? null) : [];
    const key = canonicalJson([privacy, opening, subscribers ?? null]);
    const known = this.readers.get(key);
    const named = (value: Json): People => this.realm.peopleIn(asGroupValue(value) ?? "role:nobody");
    const ids = known ?? readersOf(privacy, opening.map(named), subscribers, this.realm);
    this.readers.set(key, ids);
    return { ids, certain: !isPrivate || subscribers !== undefined };
  }

  private subscribersOf(fields: Fields, live: LiveObject | undefined): readonly number[] | undefined {
    const named = fields.subscribers;
    const listed = Array.isArray(named) ? { groups: [], users: named.map(String) } : asGroupValue(named ?? null);
    if (listed !== undefined) return [...this.realm.peopleIn(listed)].sort((a, b) => a - b);
    if (live === undefined) return [this.realm.snapshot.account.user_id];
    return undefined;
  }

  /** Of those whom a setting names the ones who can read the channel. */
  private allowedOf(value: GroupValue, readers: People | undefined): People {
    const everybody = readers ?? this.members;
    const known = this.allowed.get(everybody) ?? new Map<string, People>();
    this.allowed.set(everybody, known);
    const key = canonicalJson(typeof value === "string" ? value : { ...value });
    const found = known.get(`${readers === undefined} ${key}`);
    if (found !== undefined) return found;
    const named = this.realm.peopleIn(value);
    const holders = readers === undefined ? named : new Set([...named].filter((id) => readers.has(id)));
    known.set(`${readers === undefined} ${key}`, holders);
    return holders;
  }

  private count(people: People): number {
    const known = this.counts.get(people);
    if (known !== undefined) return known;
    let number = 0;
    for (const id of people) if (this.realm.user(id)?.is_bot !== true) number += 1;
    this.counts.set(people, number);
    return number;
  }
}
