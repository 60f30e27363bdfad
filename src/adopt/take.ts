import { escaped } from "../export/export.ts";
import type { Desired } from "../model/desired.ts";
import { isList, isObject, type Json, sameJson } from "../model/json.ts";
import type { DeclaredObject, LiveObject, ResourceKind } from "../model/kind.ts";
import type { Change, FieldChange } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { renameKey, reorderKeys } from "../source/keys.ts";
import { type AdoptFile, type ItemPlace, pathOfField, writtenValue } from "./places.ts";
import { Variables } from "./variables.ts";

type Value = { [key: string]: Json };

/** A key of a map that gets another name. */
interface Rename {
  readonly file: AdoptFile;
  readonly section: string;
  readonly from: string;
  readonly to: string;
  /** The object's name as the file had it. */
  readonly name: string;
  /** Was it tried? */
  done: boolean;
}

const temporary = (index: number): string => `realmctl-takes-another-name-${index}`;

/** What the files are to say, change after change. */
export class FileGoals {
  /** Objects that have another name now: old → new. */
  readonly renamed = new Map<string, string>();
  /** Was a file's text changed already (a name), besides its goal? */
  changedText = false;
  private readonly goals = new Map<AdoptFile, Value>();
  private readonly renames: Rename[] = [];
  /** Variable → fields that are nothing but a reference to it, and what the server has there. */
  private readonly votes = new Map<string, { readonly value: Json; readonly write: () => void }[]>();
  private readonly variables: Variables;
  /** Maps whose order means something to the server. */
  private readonly orders: { readonly file: AdoptFile; readonly kind: ResourceKind }[] = [];
  private readonly objects = new Map<ResourceKind, readonly LiveObject[]>();
  private readonly files: readonly AdoptFile[];
  private readonly main: AdoptFile;
  private readonly kinds: readonly ResourceKind[];
  private readonly desired: Desired;
  private readonly realm: Realm;

  constructor(
    files: readonly AdoptFile[],
    main: AdoptFile,
    { kinds }: { readonly kinds: readonly ResourceKind[] },
    desired: Desired,
    realm: Realm,
  ) {
    this.files = files;
    this.variables = new Variables(files);
    this.main = main;
    this.kinds = kinds;
    this.desired = desired;
    this.realm = realm;
  }

  all(): ReadonlyMap<AdoptFile, Json> {
    return this.goals;
  }

  /** Takes a difference over; false when no file can say it. */
  take(change: Change, only: readonly string[]): boolean {
    const kind = this.kinds.find(({ name }) => name === change.kind);
    if (kind === undefined) return false;
    if (change.action === "reorder") return only.length === 0 && this.order(kind);
    const declared = this.declared(kind, change);
    if (declared === undefined) return only.length === 0 && this.add(kind.section, change.was ?? change.name);
    const place = this.placeOf(kind, declared);
    if (place === undefined) return false;
    const live = this.liveOf(kind, change);
    if (live === undefined) return only.length === 0 && this.remove(place);
    // What one object of an entry has differently, an entry cannot say.
    if (place.part !== undefined) return false;
    if (declared.absent && kind.dormancy === undefined) return only.length === 0 && this.back(kind, place, live);
    const fields = change.fields.filter(({ field }) => only.length === 0 || only.includes(field));
    const rename = fields.find(({ field }) => field === "name");
    const done = fields.map((field) => field !== rename && this.field(kind, place, field, declared));
    if (rename !== undefined) done.push(this.renamePlace(kind, place, declared, String(rename.before)));
    return done.includes(true);
  }

  /** Gives an object that is gone under its name the name that it has now. */
  rename(change: Change, { name }: LiveObject): boolean {
    const kind = this.kinds.find((candidate) => candidate.name === change.kind);
    const declared = kind && this.declared(kind, change);
    if (kind === undefined || declared === undefined) return false;
    const place = this.placeOf(kind, declared);
    return place !== undefined && this.renamePlace(kind, place, declared, name);
  }

  /** Adds an object that the file does not have. */
  add(section: string, name: string): boolean {
    const kind = this.kinds.find((candidate) => candidate.section === section);
    const live = kind && this.live(kind).find((object) => object.name === name);
    if (kind?.toYaml === undefined || live === undefined) return false;
    const file = [...this.files].reverse().find((candidate) => candidate.has(section)) ?? this.main;
    const goal = this.goal(file);
    const value = escaped(kind.toYaml(live, this.realm));
    const before = goal[section];
    if (kind.shape === "list") goal[section] = [...(isList(before) ? before : []), value];
    else goal[section] = { ...asValue(before), [live.name]: value };
    return true;
  }

  private live(kind: ResourceKind): readonly LiveObject[] {
    const known = this.objects.get(kind);
    if (known !== undefined) return known;
    const live = kind.live(this.realm) ?? [];
    this.objects.set(kind, live);
    return live;
  }

  private goal(file: AdoptFile): Value {
    const known = this.goals.get(file);
    if (known !== undefined) return known;
    const goal = file.value();
    this.goals.set(file, goal);
    return goal;
  }

  private declared(kind: ResourceKind, { address }: Change): DeclaredObject | undefined {
    return this.desired.sections
      .get(kind.section)
      ?.find(({ name }) => `${kind.name}:${kind.canonicalName?.(name) ?? name}` === address);
  }

  private liveOf(kind: ResourceKind, { action, id, was, name }: Change): LiveObject | undefined {
    if (action === "create") return undefined;
    const key = kind.keyOf(was ?? name);
    const live = this.live(kind);
    return live.find((object) => (id === undefined ? object.key === key : object.id === id));
  }

  private placeOf(kind: ResourceKind, { at }: DeclaredObject): (ItemPlace & { readonly in: AdoptFile }) | undefined {
    const file = this.files.find(({ name }) => name === at.file);
    const found = file?.entryAt(kind, at);
    return file === undefined || found === undefined
      ? undefined
      : { file: file.name, section: kind.section, ...found, in: file };
  }

  private remove({ in: file, section, entry, part }: ItemPlace & { readonly in: AdoptFile }): boolean {
    const goal = this.goal(file);
    if (part !== undefined) {
      const item = asValue(this.item(file, section, entry));
      const list = item[part.list];
      if (!isList(list)) return false;
      item[part.list] = list.map((name, index) => (index === part.index ? GONE : name));
      this.set(file, section, entry, item);
      return true;
    }
    const before = goal[section];
    // Positions of later items must stay true until every change was taken.
    if (isList(before)) goal[section] = before.map((item, index) => (index === entry ? GONE : item));
    else {
      const { [String(entry)]: _, ...rest } = asValue(before);
      goal[section] = rest;
    }
    return true;
  }

  /** What was to be gone and is there: declared as it is. */
  private back(
    kind: ResourceKind,
    { in: file, section, entry }: ItemPlace & { readonly in: AdoptFile },
    live: LiveObject,
  ) {
    if (kind.toYaml === undefined) return false;
    this.set(file, section, entry, escaped(kind.toYaml(live, this.realm)));
    return true;
  }

  private field(
    kind: ResourceKind,
    { in: file, section, entry }: ItemPlace & { readonly in: AdoptFile },
    { field, before }: FieldChange,
    declared: DeclaredObject,
  ): boolean {
    if (kind.canSet?.(field, before) === false) return false;
    const path = pathOfField(kind, field);
    const [first = field, second] = path;
    const there = asValue(this.item(file, section, entry))[first];
    const raw = second === undefined ? there : asValue(there)[second];
    const { variables } = this;
    const filled = raw === undefined ? undefined : variables.filled(raw);
    const formed = kind.fieldToYaml?.(field, before, filled, declared, this.realm) ?? before;
    const value = formed === before ? writtenValue(before, path, filled) : formed;
    const write = (): void => {
      const item = asValue(this.item(file, section, entry));
      const written = variables.respelled(value, raw);
      item[first] = second === undefined ? written : { ...asValue(item[first]), [second]: written };
      this.set(file, section, entry, item);
    };
    const name = variables.whole(raw, value);
    if (name === undefined) write();
    else this.votes.set(name, [...(this.votes.get(name) ?? []), { value, write }]);
    return true;
  }

  /** Where all that a variable stands for changed alike, the variable has another value; else what changed no longer refers to it. */
  private settleVariables(): void {
    for (const [name, votes] of this.votes) {
      const [first] = votes;
      const agreed =
        votes.length === this.variables.uses(name) && votes.every(({ value }) => sameJson(value, first?.value ?? null));
      if (!agreed || first === undefined) {
        for (const { write } of votes) write();
        continue;
      }
      const goal = this.goal(this.variables.home(name) ?? this.main);
      goal.values = { ...asValue(goal.values), [name]: first.value };
    }
  }

  private renamePlace(
    kind: ResourceKind,
    { in: file, section, entry }: ItemPlace & { readonly in: AdoptFile },
    declared: DeclaredObject,
    to: string,
  ): boolean {
    if (kind.shape === "list") {
      const item = asValue(this.item(file, section, entry));
      delete item.was;
      const nameField = Object.keys(item).find((key) => item[key] === declared.name);
      if (nameField === undefined) return false;
      item[nameField] = to;
      this.set(file, section, entry, item);
      return true;
    }
    this.renames.push({ file, section, from: String(entry), to, name: declared.name, done: false });
    return true;
  }

  /** Names change places in rings, so all of a section change at once; what is in the way is gone in the next round. */
  private renameAll(): void {
    for (const { file, section } of this.renames) {
      const wanted = this.renames.filter((rename) => rename.file === file && rename.section === section);
      if (wanted[0]?.done === true) continue;
      for (const rename of wanted) rename.done = true;
      const leaving = new Set(wanted.map(({ from }) => from));
      const keys = Object.keys(asValue(file.value()[section]));
      const able = wanted.filter(({ to }) => leaving.has(to) || !keys.includes(to));
      if (able.length < leaving.size && able.some(({ to }) => leaving.has(to))) continue;
      let text: string | undefined = file.text;
      for (const [index, { from }] of able.entries()) text = text && renameKey(text, [section, from], temporary(index));
      for (const [index, { to }] of able.entries()) text = text && renameKey(text, [section, temporary(index)], to);
      if (text === undefined) continue;
      file.text = text;
      this.changedText = true;
      const goal = this.goal(file);
      const names = new Map(able.map(({ from, to }) => [from, to]));
      const items = Object.entries(asValue(goal[section])).map(([key, value]): [string, Json] => {
        const to = names.get(key);
        if (to === undefined) return [key, value];
        const { was: _, ...item } = asValue(value);
        return [to, item];
      });
      goal[section] = Object.fromEntries(items);
      for (const { name, to } of able) this.renamed.set(name, to);
    }
  }

  /** A section in the order of the server; what only the file has comes last in a list, and stays where it is in a map. */
  private order(kind: ResourceKind): boolean {
    const [file, ...others] = this.files.filter((candidate) => candidate.has(kind.section));
    if (file === undefined || others.length > 0) return false;
    if (kind.shape === "map") {
      this.orders.push({ file, kind });
      return true;
    }
    const goal = this.goal(file);
    const items = goal[kind.section];
    const ranks = new Map(this.live(kind).map(({ key }, index) => [key, index]));
    const declared = this.desired.sections.get(kind.section) ?? [];
    // Items may have come and gone in this round: then the order is for the next.
    if (!isList(items) || items.length !== declared.length || items.includes(GONE)) return false;
    const rank = (index: number): number => ranks.get(declared[index]?.key ?? "") ?? Number.POSITIVE_INFINITY;
    const positions = items.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
    goal[kind.section] = positions.flatMap((index) => items[index] ?? []);
    return true;
  }

  /** Entries that came, went or got another name in this round are for the next. */
  private reorderAll(): void {
    for (const { file, kind } of this.orders) {
      const { section } = kind;
      const names = Object.keys(asValue(file.value()[section]));
      const wanted = Object.keys(asValue(this.goal(file)[section]));
      if (names.length !== wanted.length || names.some((name) => !wanted.includes(name))) continue;
      const ranks = new Map<string, number>();
      for (const [index, { key, dormant }] of this.live(kind).entries()) if (!dormant) ranks.set(key, index);
      const rank = (name: string): number => ranks.get(kind.keyOf(name)) ?? -1;
      const ranked = names.filter((name) => rank(name) >= 0).sort((a, b) => rank(a) - rank(b));
      const order = names.map((name) => (rank(name) >= 0 ? (ranked.shift() ?? name) : name));
      const text = reorderKeys(file.text, section, order);
      if (text === undefined || text === file.text) continue;
      file.text = text;
      this.changedText = true;
    }
  }

  private item(file: AdoptFile, section: string, entry: string | number): Json | undefined {
    const items = this.goal(file)[section];
    return isList(items) ? items[Number(entry)] : asValue(items)[String(entry)];
  }

  private set(file: AdoptFile, section: string, entry: string | number, item: Json): void {
    const goal = this.goal(file);
    const before = goal[section];
    goal[section] = isList(before)
      ? before.map((old, index) => (index === entry ? item : old))
      : { ...asValue(before), [String(entry)]: item };
  }

  /** The goals without what is gone. */
  settle(): void {
    this.settleVariables();
    this.renameAll();
    this.reorderAll();
    for (const [file, goal] of this.goals)
      this.goals.set(
        file,
        Object.fromEntries(
          Object.entries(goal).map(([key, value]) => [key, isList(value) ? value.flatMap(withoutGone) : value]),
        ),
      );
  }
}

/** An item that stays, without the parts that go; one that had nothing else goes. */
function withoutGone(item: Json): readonly Json[] {
  if (item === GONE) return [];
  if (!isObject(item) || isList(item)) return [item];
  const lists = Object.entries(asValue(item)).map(([key, value]): [string, Json] => [
    key,
    isList(value) ? value.filter((part) => part !== GONE) : value,
  ]);
  const emptied = lists.some(([key, value]) => isList(value) && value.length === 0 && !isEmpty(item[key]));
  return emptied ? [] : [Object.fromEntries(lists)];
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Stands for an item of a list that goes; no text of a file can be this. */
const GONE = "\u0000gone";

function asValue(value: Json | undefined): Value {
  return isObject(value) && !isList(value) ? Object.fromEntries(Object.entries(value)) : {};
}
