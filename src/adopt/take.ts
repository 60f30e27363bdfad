import { escapeReferences, literalName } from "../config/variable-syntax.ts";
import { escaped, pathOfField, withField, writtenValue } from "../export/written.ts";
import type { Desired } from "../model/desired.ts";
import type { Path } from "../model/diagnostic.ts";
import { type Named, named, quote } from "../model/diagnostics/values.ts";
import { isList, type Json, sameJson } from "../model/json.ts";
import { canonicalName, type ResourceKind } from "../model/kind.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import { addTo } from "../model/lazy.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { hiddenIn, standIns } from "../model/stand-ins.ts";
import { identityOf } from "../source/align.ts";
import { asValue, FileGoal, GONE } from "./file-goal.ts";
import { entryOfType, firstBy, LiveObjects, whyStays } from "./gaps.ts";
import {
  type AdoptFile,
  blocksOf,
  followsEachOther,
  type ItemPlace,
  neighbourOf,
  orderList,
  reorderMap,
} from "./places.ts";
import { followed, nameNow, protectedIn, type RenamedObject } from "./protections.ts";
import { Renames } from "./renames.ts";
import { type ValuesOutside, Variables } from "./variables.ts";

/*
 * Takes the server's values into the files, as a goal for each file.
 *
 * Terms. A *difference* is a change of the plan that would revert the server; adopt goes in the other direction. The *goal* of a file is its content
 * as data once everything is taken. A *place* is the file, the section and the entry that declare an object. A *vote* is the new value of a field
 * that is only a reference to a variable.
 *
 * Premise. People wrote these files. What they wrote stays, except where the server differs: comments, order, profiles, the spelling of values,
 * references to variables. So this module only decides on values; `src/source/` edits the text until it has the value of the goal.
 *
 * The idea.
 *     for each chosen difference:
 *         the object is not in the file:            add an entry, in the file of its neighbour on the server
 *         it is in the file and not on the server:  remove the entry
 *         a field differs:                          write the server's value, in the spelling of the current one; or vote, if it is a reference
 *         its name (in a map) or order differs:     note it for the end
 *     resolveGoals: variables (one new value if all uses agree, otherwise plain values), then names in all files, then orders
 *
 * What it does not do. It does not find differences (the planner does), and does not check that the new files are valid (adopt.ts does). It leaves
 * what no file can express, with a reason, and a difference of one object of an entry that stands for several.
 */

/** The entry of an object, as the goal of its file has it. */
class Entry {
  readonly file: AdoptFile;
  readonly section: string;
  readonly place: ItemPlace;
  private readonly goalOf: (file: AdoptFile) => FileGoal;

  constructor(file: AdoptFile, section: string, place: ItemPlace, goalOf: (file: AdoptFile) => FileGoal) {
    this.file = file;
    this.section = section;
    this.place = place;
    this.goalOf = goalOf;
  }

  get raw(): Json | undefined {
    return this.goalOf(this.file).item(this.section, this.place.entry);
  }

  /** A copy of what is written there. */
  get item() {
    return asValue(this.raw);
  }

  write(item: Json): void {
    this.goalOf(this.file).set(this.section, this.place.entry, item);
  }

  remove(): void {
    this.goalOf(this.file).remove(this.section, this.place.entry);
  }
}

/** The goals of the files, change after change. */
export class FileGoals {
  /** Objects that have another name now. */
  renamed: readonly RenamedObject[] = [];
  /** The same for the editor of texts, and people who have another form: their lines stay where they are. */
  readonly renamedInLists = new Map<string, string>();
  /** Items of lists that have another name now. */
  readonly renamedItems: RenamedObject[] = [];
  /** Whether a file's text was already changed (a name, an order), in addition to its goal. */
  changedText = false;
  /** The reasons why a part of an object was not taken; one clause each. */
  readonly reasons = new Map<Address, readonly InexpressibleFact[]>();
  private readonly goals = new Map<AdoptFile, FileGoal>();
  private readonly renames = new Renames();
  /** Variable → fields that are only a reference to it, and their values on the server. */
  private readonly votes = new Map<string, { readonly value: Json; readonly write: () => void }[]>();
  private readonly variables: Variables;
  /** Maps whose order has a meaning on the server. */
  private readonly orders: { readonly file: AdoptFile; readonly kind: ResourceKind }[] = [];
  private readonly live: LiveObjects;
  /** For each kind: address → the item that declares the object. */
  private readonly items = new Map<ResourceKind, ReadonlyMap<string, DeclaredObject>>();
  private readonly files: readonly AdoptFile[];
  private readonly main: AdoptFile;
  private readonly kinds: readonly ResourceKind[];
  private readonly desired: Desired;
  private readonly realm: Realm;

  constructor(
    files: readonly AdoptFile[],
    main: AdoptFile,
    { kinds, outside }: { readonly kinds: readonly ResourceKind[]; readonly outside: ValuesOutside },
    desired: Desired,
    realm: Realm,
  ) {
    this.files = files;
    this.variables = new Variables(files, outside);
    this.main = main;
    this.kinds = kinds;
    this.desired = desired;
    this.realm = realm;
    this.live = new LiveObjects(realm);
  }

  /** The final content of each file that changes. */
  all(): ReadonlyMap<AdoptFile, Json> {
    return new Map([...this.goals].map(([file, goal]) => [file, goal.value()]));
  }

  /** Takes a difference; false if no file can express it. */
  take(change: Change, only: readonly string[]): boolean {
    const kind = this.kinds.find(({ name }) => name === change.kind);
    if (kind === undefined) return false;
    if (change.action === "reorder") return only.length === 0 && this.order(kind);
    const declared = this.declared(kind, change);
    if (declared === undefined) return only.length === 0 && this.add(kind.section, change.was ?? change.name);
    const entry = this.entryOf(kind, declared);
    if (entry === undefined) return false;
    const recorded = (declared.gaps ?? []).filter(({ field, isGone }) => isGone && isRecord(kind, field));
    if (recorded.length > 0) return recorded.map(({ path }) => dropName(entry, path)).includes(true);
    const live = this.live.find(kind, change);
    if (live === undefined) return only.length === 0 && this.leaveOrRemove(kind, entry, declared, change.address);
    // An entry cannot express a difference of only one of its objects.
    if (entry.place.part !== undefined) {
      this.reasons.set(change.address, [{ why: "part-of-entry" }]);
      return false;
    }
    if (declared.absent && kind.inactivity === undefined) return only.length === 0 && this.back(kind, entry, live);
    const chosen = change.fields.filter(
      (one) => (only.length === 0 || only.includes(one.field)) && this.isSeen(kind, entry, one, declared),
    );
    const known = chosen.filter(({ field }) => Object.hasOwn(live.fields, field) || field === "name");
    const fields = known.filter((field) => this.isNamed(kind, change.address, field, declared));
    // For a singleton, and for objects identified by their address or text, `name` is a field like any other.
    const rename = fields.find(({ field }) => field === "name" && isNameOf(kind, change));
    const done = fields.map((field) => field !== rename && this.field(kind, entry, field, declared));
    for (const { field } of chosen.filter((one) => !fields.includes(one)))
      done.push(isGone(declared, field) && dropField(kind, entry, field));
    if (fields.some(({ field }) => kind.diff?.traits?.[field] === "fixed"))
      entry.write(entryOfType(kind, entry.raw, live, this.realm));
    if (rename !== undefined) done.push(this.renameEntry(kind, entry, declared, String(rename.before)));
    return done.includes(true);
  }

  /**
   * Whether this account would see the addresses that the file has in a field. Only administrators see all of them that are not hidden from everybody: for
   * others, an address that nobody seems to have may be right, and an id in its place would say less.
   */
  private isSeen(
    kind: ResourceKind,
    entry: Entry,
    { field, before }: FieldChange,
    { name, gaps = [] }: DeclaredObject,
  ): boolean {
    const isAccount = (named: string): boolean =>
      this.kinds.some((one) => one.name === named && one.isAccount === true);
    const mayBeUnseen =
      !this.realm.isAdmin &&
      gaps.some((gap) => gap.field === field && !gap.isGone && isAccount(gap.kind)) &&
      hiddenIn(writtenIn(entry.raw, pathOfField(kind, field)), before).size > 0;
    if (mayBeUnseen) this.addReason(`${kind.name}:${canonicalName(kind, name)}`, { why: "addresses-unseen", field });
    return !mayBeUnseen;
  }

  private addReason(address: Address, reason: InexpressibleFact): void {
    this.reasons.set(address, [...(this.reasons.get(address) ?? []), reason]);
  }

  /** Removes an entry whose object is not on the server, unless it may be there. */
  private leaveOrRemove(kind: ResourceKind, entry: Entry, declared: DeclaredObject, address: Address): boolean {
    const why = whyStays(kind, declared, this.live, this.realm);
    if (why === undefined) return remove(entry);
    if (why === "open") return false;
    if ("why" in why) this.reasons.set(address, [why]);
    if ("why" in why || entry.place.part !== undefined) return false;
    entry.write({ ...entry.item, id: why.id });
    return true;
  }

  /** Whether a file may name the server's value. Texts for readers, such as `North (archived, id 2)`, are not valid in a file. */
  private isNamed(
    kind: ResourceKind,
    address: Address,
    { field, before }: FieldChange,
    declared: DeclaredObject,
  ): boolean {
    const isUnknown = Object.hasOwn(kind.file.fields, field) && kind.calls.canSet?.(field, before) === false;
    const reason =
      kind.yaml?.whyInexpressible?.(field, before, this.realm, declared) ??
      (isUnknown ? { why: "value-unknown", field, is: quote(String(before)) } : undefined);
    if (reason !== undefined) this.addReason(address, reason);
    return reason === undefined;
  }

  /** Gives an object that no longer exists under its name the name that it has now. */
  rename(change: Change, { name }: LiveObject): boolean {
    const kind = this.kinds.find((candidate) => candidate.name === change.kind);
    const declared = kind && this.declared(kind, change);
    if (kind === undefined || declared === undefined) return false;
    const entry = this.entryOf(kind, declared);
    return entry !== undefined && this.renameEntry(kind, entry, declared, name);
  }

  /**
   * Adds an object that the file does not have.
   * @param fields of a singleton: the wanted ones; without them, all fields, as for a new object
   */
  add(section: string, name: string, fields: readonly string[] = []): boolean {
    const kind = this.kinds.find((candidate) => candidate.section === section);
    const live = kind && this.live.of(kind).byName.get(name);
    if (kind?.yaml === undefined || live === undefined || kind.yaml.cannotDeclare?.(live) === true) return false;
    const goal = this.goal(this.homeOf(kind, live));
    if (kind.shape === "singleton") return this.addFields(goal, kind, live, fields);
    const value = escaped(kind.yaml.item(live, this.realm));
    if (kind.shape === "list") goal.append(section, value);
    else goal.put(section, escapeReferences(live.name), value);
    return true;
  }

  /** Adds to a singleton that the file may have in part; false if there is nothing to add. */
  private addFields(goal: FileGoal, kind: ResourceKind, live: LiveObject, fields: readonly string[]): boolean {
    const before = asValue(goal.item(kind.section, null));
    const whole = fields.length === 0 ? asValue(kind.yaml?.item(live, this.realm)) : {};
    const after = fields.reduce((item, field) => withField(kind, item, field, live, this.realm), {
      ...whole,
      ...before,
    });
    if (sameJson(before, after)) return false;
    goal.set(kind.section, null, escaped(after));
    return true;
  }

  /** The file for a new object: among the files with its section, the one with its neighbour; otherwise the last one. */
  private homeOf(kind: ResourceKind, object: LiveObject): AdoptFile {
    const having = this.files.filter((candidate) => candidate.has(kind.section));
    const last = having.at(-1) ?? this.main;
    if (having.length < 2) return last;
    const neighbour = neighbourOf(object, this.live.of(kind).all, kind, this.desired.sections.get(kind.section) ?? []);
    return having.find(({ name }) => name === neighbour?.at.file) ?? last;
  }

  private goal(file: AdoptFile): FileGoal {
    const known = this.goals.get(file);
    if (known !== undefined) return known;
    const goal = new FileGoal(file.value());
    this.goals.set(file, goal);
    return goal;
  }

  private declared(kind: ResourceKind, { address }: Change): DeclaredObject | undefined {
    let items = this.items.get(kind);
    if (items === undefined) {
      const declared = this.desired.sections.get(kind.section) ?? [];
      items = firstBy(declared, ({ name }) => `${kind.name}:${canonicalName(kind, name)}`);
      this.items.set(kind, items);
    }
    return items.get(address);
  }

  private entryOf(kind: ResourceKind, { at }: DeclaredObject): Entry | undefined {
    const file = this.files.find(({ name }) => name === at.file);
    const place = file?.entryAt(kind, at);
    return file && place && new Entry(file, kind.section, place, (own) => this.goal(own));
  }

  /** Declares an object that the file removes and that exists. */
  private back(kind: ResourceKind, entry: Entry, live: LiveObject): boolean {
    if (kind.yaml === undefined) return false;
    entry.write(escaped(kind.yaml.item(live, this.realm)));
    return true;
  }

  private field(kind: ResourceKind, entry: Entry, { field, before }: FieldChange, declared: DeclaredObject): boolean {
    if (kind.calls.canSet?.(field, before) === false) return false;
    const path = pathOfField(kind, field);
    const [first = field, second] = path;
    const raw = writtenIn(entry.raw, path);
    const { variables } = this;
    const filled = raw === undefined ? undefined : variables.filled(raw);
    const formed = kind.yaml?.field?.(field, before, filled, declared, this.realm) ?? before;
    const value = formed === before ? writtenValue(before, path, filled, this.realm) : formed;
    for (const [address, id] of standIns(filled, before, this.realm))
      this.renamedInLists.set(identityOf(address), identityOf(id));
    const write = (): void => {
      const { item } = entry;
      const written = variables.respelled(value, raw);
      // `absent` would contradict the field, or repeat it.
      if (first === kind.inactivity?.field) delete item.absent;
      item[first] = second === undefined ? written : { ...asValue(item[first]), [second]: written };
      entry.write(item);
    };
    const name = variables.whole(raw, value);
    if (name === undefined) write();
    else addTo(this.votes, name, { value, write });
    return true;
  }

  /** If all values of a variable changed in the same way, the variable gets the new value; otherwise the changed ones no longer refer to it. */
  private settleVariables(): void {
    for (const [name, votes] of this.votes) {
      const [first] = votes;
      const agreed =
        votes.length === this.variables.uses(name) && votes.every(({ value }) => sameJson(value, first?.value ?? null));
      if (!agreed || first === undefined) {
        for (const { write } of votes) write();
        continue;
      }
      this.goal(this.variables.home(name) ?? this.main).giveVariable(name, first.value);
    }
  }

  private renameEntry(kind: ResourceKind, entry: Entry, declared: DeclaredObject, to: string): boolean {
    if (kind.shape === "list") {
      const { item } = entry;
      delete item.was;
      const nameField = Object.keys(item).find((key) => {
        const { [key]: written } = item;
        return typeof written === "string" && literalName(written) === declared.name;
      });
      const live = this.live.of(kind).byName.get(to);
      // A name of several fields (playgrounds): the entry is the object of the server.
      const next =
        nameField === undefined
          ? live && escaped(kind.yaml?.item(live, this.realm) ?? null)
          : { ...item, [nameField]: escapeReferences(to) };
      if (next === undefined) return false;
      this.renamedInLists.set(identityOf(entry.item), identityOf(next));
      entry.write(next);
      this.renamedItems.push({ section: kind.section, name: declared.name, to });
      return true;
    }
    const stays = (): void => {
      const together = this.exchangedWith(kind, declared, to);
      this.reasons.set(`${kind.name}:${declared.name}`, [
        { why: "name-in-file", name: quote(to, kind.name), together },
      ]);
    };
    const from = String(entry.place.entry);
    this.renames.add(entry.file, entry.section, { from, to: escapeReferences(to), name: declared.name, stays });
    return true;
  }

  /** The entries that have each other's names on the server, from this one on. */
  private exchangedWith(kind: ResourceKind, declared: DeclaredObject, to: string): readonly Named[] {
    const all = new Map((this.desired.sections.get(kind.section) ?? []).map((object) => [object.name, object]));
    const found = [declared];
    for (let next = all.get(to); next !== undefined && !found.includes(next); ) {
      found.push(next);
      const live = this.live.of(kind).byId.get(next.id ?? null);
      next = live === undefined ? undefined : all.get(live.name);
    }
    return found.map(({ name }) => named(kind.name, name));
  }

  /**
   * A section in the order of the server, within each file. In a list, objects that are only in the file come last; in a map, they stay where they
   * are. False if an entry would have to move from one file to another.
   */
  private order(kind: ResourceKind): boolean {
    const blocks = blocksOf(this.desired.sections.get(kind.section) ?? []);
    const ranks = this.live.ranks(kind);
    if (!followsEachOther([...blocks.values()].map((block) => block.flatMap(({ key }) => ranks.get(key) ?? []))))
      return false;
    let done = blocks.size > 0;
    for (const [name, block] of blocks) {
      const file = this.files.find((candidate) => candidate.name === name);
      if (file === undefined) return false;
      if (kind.shape === "map") this.orders.push({ file, kind });
      else done = orderList(this.goal(file), kind, block, ranks) && done;
    }
    return done;
  }

  /** A protection follows the object: otherwise a new name on the server would lift it. */
  private followProtections(file: AdoptFile): void {
    const protect = protectedIn(file);
    if (this.renamed.length === 0 || protect === undefined) return;
    const next = protect.map((pattern) =>
      typeof pattern === "string" ? followed(pattern, this.renamed, this.kinds) : pattern,
    );
    if (!sameJson(next, [...protect])) this.goal(file).put("policy", "protect", next);
  }

  /** Names of items that are the names of other objects, such as default channels, by their place. */
  private records(): readonly RecordedNames[] {
    const found = new Map<string, RecordedNames>();
    for (const kind of this.kinds)
      for (const declared of this.desired.sections.get(kind.section) ?? [])
        for (const { kind: other, field } of namedIn(kind.file, declared)) {
          const named = this.kinds.find(({ name }) => name === other);
          if (named === undefined || field !== "" || kind.shape !== "list") continue;
          const entry = this.entryOf(kind, declared);
          if (entry !== undefined)
            found.set(JSON.stringify([entry.file.name, entry.section, entry.place.entry]), { entry, named });
        }
    return [...found.values()];
  }

  /** No difference and no error shows such a name: if names were exchanged, it would mean the other object from now on. */
  private followRecord({ entry, named }: RecordedNames): void {
    const { raw: item } = entry;
    const now = (name: Json): Json => (typeof name === "string" ? nameNow(name, named, this.renamed) : name);
    // The name is the item, or one of its fields.
    const fields = Object.entries(asValue(item)).map(([key, value]) => [key, now(value)] as const);
    const next = typeof item === "string" ? now(item) : Object.fromEntries(fields);
    if (item !== undefined && !sameJson(next, item)) entry.write(next);
  }

  /**
   * Names in fields that are never compared, such as the channels of an invitation. No difference and no error shows such a name: if names were
   * exchanged, it would mean the other object from now on. All of them follow, also those of an invitation that ended.
   */
  private followRecords(): void {
    for (const kind of this.kinds)
      for (const [field, named] of Object.entries(kind.file.records ?? {})) {
        const of = this.kinds.find(({ name }) => name === named);
        if (of === undefined) continue;
        for (const file of this.files) {
          this.followField(file, "defaults", kind.section, field, of);
          const items = file.has(kind.section) ? (this.goal(file).items(kind.section) ?? []) : [];
          for (const entry of items.keys()) this.followField(file, kind.section, entry, field, of);
        }
      }
  }

  private followField(
    file: AdoptFile,
    section: string,
    entry: string | number,
    field: string,
    named: ResourceKind,
  ): void {
    if (!file.has(section)) return;
    const goal = this.goal(file);
    const whole = asValue(goal.item(section, entry));
    const names = whole[field];
    if (names === undefined || !isList(names)) return;
    const next = names.map((name) => (typeof name === "string" ? nameNow(name, named, this.renamed) : name));
    if (!sameJson(next, [...names])) goal.set(section, entry, { ...whole, [field]: next });
  }

  /** Makes the changes that depend on all others: variables, names, order. */
  resolveGoals(): void {
    this.settleVariables();
    const before = this.files.map(({ text }) => text);
    const records = this.records();
    this.renamed = this.renames.carryOut((file) => this.goal(file));
    if (this.renamed.length > 0) {
      for (const record of records) this.followRecord(record);
      this.followRecords();
    }
    for (const file of this.files) this.followProtections(file);
    for (const { file, kind } of this.orders) reorderMap(file, this.goal(file), kind, this.live.ranks(kind));
    this.changedText = this.files.some(({ text }, index) => text !== before[index]);
  }
}

/** Removes the entry, or the object from an entry that stands for several. */
function remove(entry: Entry): boolean {
  const { item } = entry;
  const { part } = entry.place;
  if (part === undefined) {
    entry.remove();
    return true;
  }
  const list = item[part.list];
  if (!isList(list)) return false;
  entry.write({ ...item, [part.list]: list.map((name, index) => (index === part.index ? GONE : name)) });
  return true;
}

/** Removes a name from a list that nothing compares: the object that it meant is gone. */
function dropName(entry: Entry, [field = "", index]: Path): boolean {
  const { item } = entry;
  const list = item[field];
  if (list === undefined || !isList(list) || typeof index !== "number" || list[index] === undefined) return false;
  const left = list.map((name, at) => (at === index ? GONE : name));
  entry.write({ ...item, [field]: left.every((name) => name === GONE) ? [] : left });
  return true;
}

/** Removes a field: what it named is gone, and no file can express what the server has. */
function dropField(kind: ResourceKind, entry: Entry, field: string): boolean {
  const { item } = entry;
  const [first = field, second] = pathOfField(kind, field);
  if (!Object.hasOwn(item, first)) return false;
  const { [second ?? ""]: _, ...inner } = asValue(item[first]);
  if (second === undefined) delete item[first];
  else item[first] = inner;
  entry.write(item);
  return true;
}

/** Whether the field only records what was asked for. */
const isRecord = ({ file }: ResourceKind, field: string): boolean => file.records?.[field] !== undefined;

/** What an entry has at the path of a field. */
function writtenIn(item: Json | undefined, [first = "", second]: readonly string[]): Json | undefined {
  const there = asValue(item)[first];
  return second === undefined ? there : asValue(there)[second];
}

const isGone = ({ gaps = [] }: DeclaredObject, field: string): boolean =>
  gaps.some((gap) => gap.field === field && gap.isGone);

interface RecordedNames {
  readonly entry: Entry;
  /** The kind of the named objects. */
  readonly named: ResourceKind;
}

/** Whether the field `name` of a change is the name of the object. The organization's is a setting. */
function isNameOf(kind: ResourceKind, { id }: Change): boolean {
  return kind.shape !== "singleton" && id !== undefined;
}
