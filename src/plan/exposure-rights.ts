import { isList, type Json } from "../model/json.ts";
import type { Address, Change, Purpose } from "../model/plan.ts";
import { asGroupValue, type GroupValue, type Realm, ROLE } from "../model/realm.ts";
import { GroupSettingValue } from "../model/snapshot.ts";

/** What a request does to the model. Of a list, `adding` only adds what is wanted, `removing` only takes away what is not. */
export interface Held {
  readonly parts: readonly Purpose[];
  readonly half: "whole" | "adding" | "removing";
  /** User ids that a request to subscribe or unsubscribe is about; others of the list stay as they are. */
  readonly people?: readonly number[];
}

type People = ReadonlySet<number>;
/** Right → who holds it. */
type Rights = ReadonlyMap<string, People>;

interface Thing {
  readonly kind: "channel" | "user_group";
  /** As plans write them: names and people by address. */
  readonly fields: Map<string, Json>;
  exists: boolean;
}

const NOBODY: People = new Set();
const OPENING = ["can_add_subscribers_group", "can_subscribe_group"];

/** Channels and groups that a plan changes, and those that its groups open, with who may do what in them. */
export class RightsModel {
  private readonly realm: Realm;
  private readonly things = new Map<Address, Thing>();
  private readonly wanted = new Map<Address, Map<string, Json>>();
  private readonly allowed = new Map<Address, Rights>();
  /** Group → objects whose rights hang on it, before or after. */
  private readonly dependents = new Map<string, Set<Address>>();
  private readonly members: People;
  private inside = new Map<string, People>();

  constructor(changes: readonly Change[], realm: Realm) {
    this.realm = realm;
    this.members = new Set(
      realm.snapshot.users
        .filter(({ is_active, role }) => is_active && role !== ROLE.guest)
        .map(({ user_id }) => user_id),
    );
    this.addGroups();
    this.addChannels();
    for (const change of changes) this.addWanted(change);
    this.findDependents();
    const before = new Map([...this.things.keys()].map((address) => [address, this.rightsOf(address)]));
    const now = new Map(
      [...this.things].map(([address, thing]) => [address, { ...thing, fields: new Map(thing.fields) }]),
    );
    for (const [address, fields] of this.wanted)
      this.apply({ parts: [{ address, fields: [...fields.keys()] }], half: "whole" });
    for (const address of this.things.keys())
      this.allowed.set(address, union(before.get(address) ?? new Map(), this.rightsOf(address)));
    for (const [address, thing] of now) this.things.set(address, thing);
    this.inside = new Map();
  }

  apply({ parts, half, people }: Held): void {
    const only = people?.map((id) => this.realm.userName(id));
    for (const { address, fields } of parts) {
      const thing = this.things.get(address);
      const wanted = this.wanted.get(address);
      if (thing === undefined || wanted === undefined) continue;
      thing.exists = true;
      for (const field of fields) {
        const value = wanted.get(field);
        if (value !== undefined) thing.fields.set(field, between(thing.fields.get(field) ?? null, value, half, only));
      }
      if (thing.kind === "user_group") this.inside = new Map();
    }
  }

  /** How many rights somebody would hold that they hold neither before nor after the plan; 0: the request is safe. */
  excessOf(held: Held): number {
    const before = held.parts.map(({ address }) => {
      const thing = this.things.get(address);
      return [address, thing === undefined ? undefined : { ...thing, fields: new Map(thing.fields) }] as const;
    });
    this.apply(held);
    let excess = 0;
    for (const address of this.touchedBy(held)) excess += this.excessAt(address);
    for (const [address, thing] of before) if (thing !== undefined) this.things.set(address, thing);
    if (before.some(([, thing]) => thing?.kind === "user_group")) this.inside = new Map();
    return excess;
  }

  areEntangled(a: Held, b: Held): boolean {
    const touched = this.touchedBy(a);
    return [...this.touchedBy(b)].some((address) => touched.has(address));
  }

  private touchedBy({ parts }: Held): ReadonlySet<Address> {
    const found = new Set<Address>();
    for (const { address } of parts) {
      if (!this.things.has(address)) continue;
      found.add(address);
      if (address.startsWith(GROUP))
        for (const other of this.dependents.get(address.slice(GROUP.length)) ?? []) found.add(other);
    }
    return found;
  }

  private excessAt(address: Address): number {
    const allowed = this.allowed.get(address);
    let excess = 0;
    for (const [right, people] of this.rightsOf(address)) {
      const most = allowed?.get(right) ?? NOBODY;
      for (const id of people) if (!most.has(id)) excess += 1;
    }
    return excess;
  }

  /** What a sleeping channel or group grants comes back with it, and who manages it may wake it: it is held all along. */
  private rightsOf(address: Address): Rights {
    const thing = this.things.get(address);
    const rights = new Map<string, People>();
    if (thing === undefined || !thing.exists) return rights;
    const groups = [...thing.fields].filter(([field]) => /^can_.*_group$/.test(field));
    if (thing.kind === "user_group") {
      for (const [field, value] of groups) rights.set(field, this.peopleIn(asGroupValue(value)));
      return rights;
    }
    const privacy = String(thing.fields.get("privacy") ?? "public");
    const readers = this.readersOf(thing, privacy);
    rights.set("reads", readers);
    if (privacy !== "private_protected_history") rights.set("reads the past", readers);
    // Protected history has to open its topic group first, whatever the order (docs/decisions/0023-order-by-exposure.md).
    const isForced = this.wanted.get(address)?.get("privacy") === "private_protected_history";
    for (const [field, value] of groups)
      if (!isForced || field !== "can_create_topic_group")
        rights.set(field, both(this.peopleIn(asGroupValue(value)), readers));
    return rights;
  }

  private readersOf(thing: Thing, privacy: string): People {
    // A list of people: a plan has worked out who is in the groups that the file subscribes.
    const readers = new Set(names(thing.fields.get("subscribers")).map((name) => this.realm.userId(name)));
    if (!privacy.startsWith("private")) for (const id of this.members) readers.add(id);
    else
      for (const setting of OPENING)
        for (const id of both(this.peopleIn(asGroupValue(thing.fields.get(setting) ?? null)), this.members))
          readers.add(id);
    return readers;
  }

  private peopleIn(value: GroupValue | undefined): People {
    if (value === undefined) return NOBODY;
    if (typeof value === "string") return this.membersOf(value, new Set());
    const found = new Set(value.users.map((name) => this.realm.userId(name)));
    for (const name of value.groups) for (const id of this.membersOf(name, new Set())) found.add(id);
    return found;
  }

  private membersOf(name: string, open: Set<string>): People {
    const known = this.inside.get(name);
    if (known !== undefined) return known;
    const thing = this.things.get(`${GROUP}${name}`);
    if (thing === undefined) {
      const group = this.realm.groupByName(name);
      return group === undefined ? NOBODY : this.realm.membersOf(group.id);
    }
    if (open.has(name)) return NOBODY;
    open.add(name);
    const found = new Set(names(thing.fields.get("members")).map((email) => this.realm.userId(email)));
    for (const inner of names(thing.fields.get("subgroups")))
      for (const id of this.membersOf(inner, open)) found.add(id);
    open.delete(name);
    if (open.size === 0) this.inside.set(name, found);
    return found;
  }

  private addGroups(): void {
    const { realm } = this;
    for (const group of realm.snapshot.user_groups) {
      if (group.is_system_group) continue;
      const fields = this.settingsOf(group);
      fields.set(
        "members",
        group.members.filter((id) => realm.user(id)?.is_active !== false).map((id) => realm.userName(id)),
      );
      fields.set(
        "subgroups",
        group.direct_subgroup_ids.map((id) => realm.groupName(id)),
      );
      fields.set("deactivated", group.deactivated === true);
      this.things.set(`${GROUP}${group.name}`, { kind: "user_group", fields, exists: true });
    }
  }

  private addChannels(): void {
    const { realm } = this;
    for (const channel of realm.snapshot.channels) {
      const fields = this.settingsOf(channel);
      const history = channel.history_public_to_subscribers === true ? "shared" : "protected";
      fields.set("privacy", channel.invite_only ? `private_${history}_history` : "public");
      fields.set("archived", channel.is_archived === true);
      const subscribed = realm.snapshot.subscribers?.[String(channel.stream_id)] ?? [];
      fields.set(
        "subscribers",
        subscribed.map((id) => realm.userName(id)),
      );
      this.things.set(`channel:${channel.name}`, { kind: "channel", fields, exists: true });
    }
  }

  private settingsOf(object: { readonly [key: string]: unknown }): Map<string, Json> {
    const fields = new Map<string, Json>();
    for (const [field, value] of Object.entries(object)) {
      const read = /^can_.*_group$/.test(field) ? GroupSettingValue.safeParse(value) : undefined;
      if (read?.success !== true) continue;
      const canonical = this.realm.canonical(read.data);
      fields.set(field, typeof canonical === "string" ? canonical : { ...canonical });
    }
    return fields;
  }

  private addWanted({ kind, address, action, fields }: Change): void {
    if (kind !== "channel" && kind !== "user_group") return;
    this.wanted.set(address, new Map(fields.map(({ field, after }) => [field, after])));
    if (action === "create") this.things.set(address, { kind, fields: new Map(), exists: false });
  }

  private findDependents(): void {
    for (const [address, thing] of this.things) {
      const values = [...thing.fields, ...(this.wanted.get(address) ?? [])];
      const queue = values.flatMap(([, value]) => groupsOf(value));
      if (thing.kind === "user_group") queue.push(...this.subgroupsOf(address));
      const seen = new Set<string>();
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        if (seen.has(name)) continue;
        seen.add(name);
        const known = this.dependents.get(name) ?? new Set<Address>();
        this.dependents.set(name, known.add(address));
        queue.push(...this.subgroupsOf(`${GROUP}${name}`));
      }
    }
  }

  private subgroupsOf(address: Address): readonly string[] {
    return [
      ...names(this.things.get(address)?.fields.get("subgroups")),
      ...names(this.wanted.get(address)?.get("subgroups")),
    ];
  }
}

const GROUP = "user_group:";

/** Groups that a setting's value names; other texts are names of no group, and do no harm. */
function groupsOf(value: Json): readonly string[] {
  const group = asGroupValue(value);
  if (group === undefined) return [];
  return typeof group === "string" ? [group] : group.groups;
}

function between(before: Json, wanted: Json, half: Held["half"], only: readonly string[] | undefined): Json {
  if (half === "whole" || !isList(wanted)) return wanted;
  const [from, to] = [names(before), new Set(names(wanted))];
  const isMeant = (name: string): boolean => only === undefined || only.includes(name);
  return half === "adding"
    ? [...new Set([...from, ...[...to].filter(isMeant)])]
    : from.filter((name) => to.has(name) || !isMeant(name));
}

function names(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}

function both(a: People, b: People): People {
  return new Set([...a].filter((id) => b.has(id)));
}

function union(a: Rights, b: Rights): Rights {
  const rights = new Map(a);
  for (const [right, people] of b) rights.set(right, new Set([...(rights.get(right) ?? []), ...people]));
  return rights;
}
