import { loadNamedPolicy } from "../config/policy.ts";
import { openConfig } from "../config/read-config.ts";
import { givenValue, givenValues, textValue } from "../config/variables.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, EXIT, error, Failure, failure, isFatal } from "../model/diagnostic.ts";
import { asJson } from "../model/json.ts";
import { liveObjects, type ResourceKind, SINGLETON } from "../model/kind.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import { addTo } from "../model/lazy.ts";
import type { LiveObject } from "../model/objects.ts";
import { type Address, type Change, type Plan, uncomparedIn } from "../model/plan.ts";
import type { LostProtection } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { planChanges } from "../plan/plan.ts";
import { renamesIn } from "../plan/renamed.ts";
import { editYaml } from "../source/edit.ts";
import type { LoadOptions } from "../source/load.ts";
import { directoryOf, join } from "../source/paths.ts";
import { VERSION } from "../version.ts";
import { withGaps } from "./gaps.ts";
import { AdoptFile } from "./places.ts";
import { lostProtections, type Protection, type RenamedObject } from "./protections.ts";
import { spellAnew } from "./renames.ts";
import { FileGoals } from "./take.ts";
import type { ValuesOutside } from "./variables.ts";

export interface AdoptOptions extends LoadOptions {
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  /** An additional file of guard rails. */
  readonly policyFile?: string;
  /** The differences to take; default: all. */
  readonly choice?: {
    /** Objects that differ, or that the file does not mention. */
    readonly addresses: readonly Address[];
    /** Only these fields of objects that are in the file; all fields if empty. */
    readonly fields?: readonly string[];
  };
  /** Whether files with these texts must not be made, whatever is in them otherwise: then what they would take is left out, as if it had an error. */
  readonly refuses?: (files: Adopted["files"]) => boolean;
}

/** The differences that could be taken into the file. */
export interface Adoptable {
  readonly changes: readonly Change[];
  /** Objects that are on the server, and not in the file. */
  readonly unmanaged: readonly Unmentioned[];
}

/** Objects that the file does not mention. */
export interface Unmentioned {
  readonly address: Address;
  readonly section: string;
  readonly name: string;
  /** For a singleton (settings): the fields that the file leaves out; taken by name, or all that differ from a new organization's. */
  readonly fields?: readonly string[];
  /** Whether the file has the section, so that only named fields are taken. */
  readonly isPart?: true;
}

export interface Adopted {
  readonly files: readonly { readonly file: string; readonly before: string; readonly after: string }[];
  /** Objects that the file now declares with the server's values. */
  readonly taken: readonly Address[];
  /** Selected changes that still differ: values that no file can express, or that have to be written by hand. */
  readonly left: readonly Change[];
  /** Further reasons why something cannot be taken; one clause each. */
  readonly reasons?: ReadonlyMap<Address, readonly InexpressibleFact[]>;
  /** Names in what was left that mean nothing on the server. */
  readonly open?: ReadonlyMap<Address, readonly Diagnostic[]>;
  /** The error that the files would have with a change that was left. */
  readonly why?: ReadonlyMap<string, Diagnostic>;
  /** If everything was to be taken: what a drift still finds, and adopt takes only by name, or a person writes. */
  readonly unsettled?: readonly Diagnostic[];
  /** The account, and what it does not see: the files keep that. */
  readonly seenBy?: Pick<Plan, "account" | "extra"> | undefined;
  /** Objects that have another name on the server, and now also in the files. */
  readonly renamed?: readonly RenamedObject[];
  /** Patterns of policies that protected renamed objects by their old names, and that a person has to change. */
  readonly unprotected?: readonly LostProtection[];
}

/**
 * The maximum number of rounds. A change can reveal the next one: a new object that takes fields from a profile, or an order once all items exist.
 */
const MOST_ROUNDS = 8;

/**
 * Takes the server's values into the files: only the lines that have to change do, comments stay, and a value that an item inherits from a profile or
 * from defaults is overridden in the item. Nothing is written to disk.
 * @throws Failure if the file has errors, or would have errors afterwards
 */
export async function adopt(options: AdoptOptions): Promise<Adopted> {
  const first = await attempt(new Set(), options);
  if (!(first instanceof Failure)) return first;
  const { changes, unmanaged } = choose(await new Files(options).plan(options, new Map()), options);
  const all = [...new Set([...changes, ...unmanaged].map(({ address }) => address))];
  const most = new Most(all, new Map(changes.map((change) => [change.address, change])), options);
  await most.include(all, first);
  const { why } = most;
  // If every difference would break the files, each is named with its reason. What only a person can edit is a fault of the file.
  const isByHand = first.diagnostics[0]?.code === "adopt/by-hand";
  const best = most.best ?? (isByHand ? first : await attempt(new Set(all), options));
  if (best instanceof Failure) throw first;
  const unwritten = changes.filter(
    ({ address }) => why.has(address) && !best.left.some((change) => change.address === address),
  );
  return { ...best, left: [...best.left, ...unwritten], why };
}

/** The maximum number of attempts to take a part of the differences. */
const MOST_ATTEMPTS = 250;

/** A difference: an object, or a field of one (see {@link fieldOf}). */
type Part = string;
const fieldOf = ({ address }: Change, field: string): Part => `${address}\n${field}`;

/** A change without the fields that are kept as the file has them; undefined if none is left. */
function without(kept: ReadonlySet<Part>, change: Change): Change | undefined {
  const fields = change.fields.filter(({ field }) => !kept.has(fieldOf(change, field)));
  if (kept.has(change.address) || (fields.length === 0 && change.fields.length > 0)) return undefined;
  return fields.length === change.fields.length ? change : { ...change, fields };
}

/** The most differences that can be taken together, found by halves: one that breaks the files keeps no other out, and no other field of its object. */
class Most {
  best: Adopted | undefined;
  /** What was not taken because a file with it would have an error. */
  readonly why = new Map<string, Diagnostic>();
  private readonly taken = new Set<Part>();
  private attempts = 0;
  private all: readonly Part[];
  private readonly changes: ReadonlyMap<Part, Change>;
  private readonly options: AdoptOptions;

  constructor(all: readonly Address[], changes: ReadonlyMap<Part, Change>, options: AdoptOptions) {
    this.all = all;
    this.changes = changes;
    this.options = options;
  }

  /** @param broken how taking all of these ended, if that was tried */
  async include(some: readonly Part[], broken?: Failure): Promise<void> {
    const kept = this.all.filter((part) => !this.taken.has(part) && !some.includes(part));
    this.attempts += 1;
    const result = broken ?? (await attempt(new Set(kept), this.options));
    if (!(result instanceof Failure)) {
      this.best = result;
      for (const part of some) this.taken.add(part);
      return;
    }
    const [, cause = result.diagnostics[0]] = result.diagnostics;
    const parts = some.length < 2 ? some.flatMap((part) => this.fieldsOf(part)) : some;
    if (parts.length < 2 || this.attempts > MOST_ATTEMPTS) {
      for (const part of some) if (cause !== undefined) this.why.set(part.replace(/\n.*/, ""), cause);
      return;
    }
    this.all = this.all.flatMap((part) => (part === some[0] && some.length < 2 ? parts : [part]));
    const half = Math.ceil(parts.length / 2);
    await this.include(parts.slice(0, half));
    await this.include(parts.slice(half));
  }

  private fieldsOf(part: Part): readonly Part[] {
    const change = this.changes.get(part);
    // Others follow a new name: it is taken with everything else or not at all.
    if (change?.action !== "update" || change.was !== undefined) return [];
    return change.fields.map(({ field }) => fieldOf(change, field));
  }
}

/** Takes all but these; the failure, if the files would have errors then. */
async function attempt(kept: ReadonlySet<Part>, options: AdoptOptions): Promise<Adopted | Failure> {
  try {
    const adopted = await adoptAllBut(kept, options);
    return options.refuses?.(adopted.files) === true ? wouldBreak([]) : adopted;
  } catch (error) {
    const code = error instanceof Failure ? error.diagnostics[0]?.code : undefined;
    if (error instanceof Failure && (code === "adopt/would-break" || code === "adopt/by-hand")) return error;
    throw error;
  }
}

async function valuesOutside(options: AdoptOptions): Promise<ValuesOutside> {
  const { given } = await givenValues(options);
  return (name, type, env) => {
    const found = given.get(name);
    const text = found === undefined && env !== undefined ? options.outside?.environment?.(env) : undefined;
    const value = found === undefined ? text && textValue(text, type) : givenValue(found, type).value;
    if (value === undefined || value === "") return undefined;
    return asJson(value);
  };
}

async function adoptAllBut(kept: ReadonlySet<Part>, options: AdoptOptions): Promise<Adopted> {
  const files = new Files(options);
  const outside = await valuesOutside(options);
  const originals = new Map<string, string>();
  const taken = new Set<Address>();
  const renamed = new Map<string, string>();
  const objects: RenamedObject[] = [];
  let before: readonly Protection[] | undefined;
  let known: ReadonlySet<string> | undefined;
  let left: readonly Change[] = [];
  let seenBy: Adopted["seenBy"];
  let reasons: Adopted["reasons"] = new Map();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const planned = await files.plan(options, renamed, round > 0);
    const { desired } = planned;
    seenBy = planned.plan;
    before ??= await protectionsOf(desired, options);
    known ??= new Set(desired.warnings.filter(isUnresolved).map(wordingOf));
    for (const { name, text } of files.all()) if (!originals.has(name)) originals.set(name, text);
    const chosen = choose(planned, options);
    left = chosen.changes;
    const changes = left.flatMap((change) => without(kept, change) ?? []);
    const unmanaged = chosen.unmanaged.filter(({ address }) => !kept.has(address));
    if (changes.length === 0 && unmanaged.length === 0) break;
    const realm = new Realm(options.snapshot);
    const goals = new FileGoals(files.all(), files.main(), { ...options, outside }, desired, realm);
    for (const address of takeInto(goals, { changes, unmanaged }, desired, realm, options)) taken.add(address);
    reasons = goals.reasons;
    goals.resolveGoals();
    for (const { name, to } of goals.renamed) renamed.set(name, to);
    objects.push(...goals.renamed, ...goals.renamedItems);
    if (!editedFor(goals) && !goals.changedText) break;
  }
  const final = await files.desired(options.snapshot);
  if (!final.ok) throw taken.size > 0 ? wouldBreak(final.diagnostics) : failureOf(final.diagnostics);
  // A name that did resolve: the file declared its object until now.
  const fresh = final.value.warnings.filter(isUnresolved).filter((one) => known?.has(wordingOf(one)) === false);
  if (taken.size > 0 && fresh.length > 0) throw wouldBreak(fresh);
  // An error that only a plan shows, and that the files had before, is no reason.
  const broken = taken.size === 0 ? [] : files.errorsOfPlan(final.value);
  if (broken.length > 0 && (await new Files(options).errorsBefore()).length === 0) throw wouldBreak(broken);
  return {
    files: files
      .all()
      .map(({ name, text }) => ({ file: name, before: originals.get(name) ?? text, after: text }))
      .filter(({ before, after }) => before !== after),
    taken: [...taken],
    left,
    reasons,
    open: byNamer(final.value.warnings),
    unsettled: options.choice === undefined ? files.unsettled(final.value, left) : [],
    seenBy,
    renamed: objects,
    unprotected: objects.length === 0 ? [] : await lostWith(objects, before ?? [], final.value, options),
  };
}

async function lostWith(
  objects: readonly RenamedObject[],
  before: readonly Protection[],
  desired: Desired,
  options: AdoptOptions,
): Promise<readonly LostProtection[]> {
  const after = await protectionsOf(desired, options);
  return lostProtections(objects, { before, after }, options.kinds, new Realm(options.snapshot));
}

/** What does not resolve, by the object that names it. */
function byNamer(warnings: readonly Diagnostic[]): ReadonlyMap<Address, readonly Diagnostic[]> {
  const found = new Map<Address, Diagnostic[]>();
  for (const one of warnings) if (one.unresolved?.in !== undefined) addTo(found, one.unresolved.in.address, one);
  return found;
}

const isUnresolved = ({ unresolved }: Diagnostic): boolean => unresolved !== undefined;
const wordingOf = ({ code, fact }: Diagnostic): string => JSON.stringify([code, fact]);

/** Takes these differences into the goals. @returns the objects of those that a file can express */
function takeInto(
  goals: FileGoals,
  { changes, unmanaged }: Adoptable,
  desired: Desired,
  realm: Realm,
  { choice, kinds }: AdoptOptions,
): readonly Address[] {
  const taken: Address[] = [];
  const fields = choice?.fields ?? [];
  // Names first: then the objects that mention them no longer differ.
  const names =
    fields.length > 0
      ? []
      : [...renamesIn(changes, desired, kinds, realm), ...namesMeant(changes, desired, kinds, realm)];
  for (const [change, live] of names) if (goals.rename(change, live)) taken.push(addressAfter(change));
  if (names.length > 0) return taken;
  for (const change of changes) if (goals.take(change, fields)) taken.push(addressAfter(change));
  for (const { address, section, name, fields: out = [] } of unmanaged) {
    const wanted = out.filter((field) => fields.includes(field));
    if (goals.add(section, name, wanted)) taken.push(address);
  }
  return taken;
}

/** Objects of which an error of the file says the name that they have on the server. */
function namesMeant(
  changes: readonly Change[],
  { warnings, sections }: Desired,
  kinds: readonly ResourceKind[],
  realm: Realm,
): readonly (readonly [Change, LiveObject])[] {
  return warnings.flatMap(({ fact, unresolved }) => {
    if (unresolved?.isHeld !== true || unresolved.field !== "" || !("meant" in fact)) return [];
    const { meant } = fact;
    const change = changes.find(({ address }) => address === unresolved.in?.address);
    const kind = kinds.find(({ name }) => name === change?.kind);
    if (change === undefined || kind === undefined || typeof meant !== "object" || !("quoted" in meant)) return [];
    const live = liveObjects(kind, realm)?.find(({ name }) => name === meant.quoted);
    const isFree = sections.get(kind.section)?.every(({ key }) => key !== live?.key) === true;
    return live === undefined || !isFree ? [] : [[change, live] as const];
  });
}

/**
 * Edits the texts of the files until they express the goals.
 * @returns whether a text is different now
 * @throws Failure if only a person can edit a file
 */
function editedFor(goals: FileGoals): boolean {
  let edited = false;
  for (const [file, goal] of goals.all()) {
    const text = editYaml(file.text, goal, goals.renamedInLists);
    if (text === undefined) throw failure("adopt/by-hand", { file: file.name });
    edited ||= text !== file.text;
    file.text = text;
  }
  return edited;
}

/** The patterns of `protect` of the file, and of the policy files that it and the options name. */
async function protectionsOf({ policy }: Desired, options: AdoptOptions): Promise<readonly Protection[]> {
  const own =
    policy === undefined
      ? []
      : "file" in policy
        ? await protectionsIn(join(directoryOf(options.file.replaceAll("\\", "/")), policy.file), options)
        : policy.protect.map(({ pattern }) => ({ pattern }));
  return options.policyFile === undefined ? own : [...own, ...(await protectionsIn(options.policyFile, options))];
}

/** The patterns of a policy file; none if it has errors, which every plan reports. */
async function protectionsIn(file: string, options: AdoptOptions): Promise<readonly Protection[]> {
  const loaded = await loadNamedPolicy({ ...options, file });
  return loaded.ok ? loaded.value.protect.map(({ pattern }) => ({ pattern, file })) : [];
}

/** @throws Failure if the file has errors */
export async function adoptable(options: AdoptOptions): Promise<Adoptable> {
  const planned = await new Files(options).plan(options, new Map());
  const { choice: _, ...all } = options;
  const { changes } = choose(planned, all);
  return { changes, unmanaged: unmanagedOf(planned, options) };
}

const addressAfter = ({ kind, address, was }: Change): Address => (was === undefined ? address : `${kind}:${was}`);

function choose(planned: Planned, options: AdoptOptions): Adoptable {
  const { plan } = planned;
  const { choice } = options;
  if (choice === undefined) return { changes: plan.changes, unmanaged: [] };
  const wanted = new Set<string>(choice.addresses);
  const fields = choice.fields ?? [];
  // An object that looks renamed is one difference, by either of its names.
  if (fields.length === 0)
    for (const [{ address, kind }, { name }] of renamesIn(
      plan.changes,
      planned.desired,
      options.kinds,
      new Realm(options.snapshot),
    ))
      if (wanted.delete(`${kind}:${name}`)) wanted.add(address);
  const changes = plan.changes.filter(
    (change) =>
      (wanted.has(change.address) || wanted.has(addressAfter(change))) &&
      (fields.length === 0 || change.fields.some(({ field }) => fields.includes(field))),
  );
  const unmanaged = unmanagedOf(planned, options).filter(
    ({ address, fields: out, isPart }) =>
      wanted.has(address) &&
      (out === undefined || (fields.length === 0 ? isPart !== true : out.some((field) => fields.includes(field)))),
  );
  return { changes, unmanaged };
}

/** The content of a file, and how the server differs from it. */
interface Planned {
  readonly desired: Desired;
  readonly plan: Plan;
}

function unmanagedOf({ plan, desired }: Planned, { kinds, snapshot }: AdoptOptions): Adoptable["unmanaged"] {
  const realm = new Realm(snapshot);
  return kinds.flatMap((kind): readonly Unmentioned[] => {
    const { name: kindName, section } = kind;
    if (kind.yaml === undefined) return [];
    const names = plan.unmanaged.find((unmanaged) => unmanaged.section === section)?.names ?? [];
    if (kind.shape !== "singleton")
      return names.map((name) => ({ address: `${kindName}:${name}` as const, section, name }));
    const own = { address: `${kindName}:${SINGLETON}` as const, section, name: SINGLETON };
    if (desired.sections.has(section)) return names.length === 0 ? [] : [{ ...own, fields: names, isPart: true }];
    const live = kind.live.read(realm);
    return live === undefined ? [] : [{ ...own, fields: Object.keys(live) }];
  });
}

/** The files on the disk, and their new content. */
class Files {
  private readonly files = new Map<string, AdoptFile>();
  /** Names with which references were respelled. */
  private readonly written = new Set<string>();
  private readonly options: AdoptOptions;
  private readonly kinds: readonly ResourceKind[];

  constructor(options: AdoptOptions) {
    this.options = options;
    // The file may contain values that this account may not change on the server.
    this.kinds = options.kinds.map((kind) => ({ ...kind, review: {}, calls: { draft: () => [], least: () => 0 } }));
  }

  all(): readonly AdoptFile[] {
    return [...this.files.values()];
  }

  main(): AdoptFile {
    const main = this.files.get(this.options.file.replaceAll("\\", "/"));
    if (main === undefined) throw new RangeError(`${this.options.file} was not read`);
    return main;
  }

  /** Plans the files. References to renamed objects get the new names. */
  async plan(
    { snapshot }: AdoptOptions,
    renamed: ReadonlyMap<string, string>,
    isEdited = false,
  ): Promise<{ readonly desired: Desired; readonly plan: Plan }> {
    for (;;) {
      const desired = await this.desired(snapshot);
      if (!desired.ok) {
        if (spellAnew(this.files, desired.diagnostics, renamed, this.written)) continue;
        throw isEdited ? wouldBreak(desired.diagnostics) : failureOf(desired.diagnostics);
      }
      if (renamed.size > 0 && spellAnew(this.files, desired.value.warnings, renamed, this.written)) continue;
      const elsewhere = otherRealm(desired.value, snapshot);
      if (elsewhere !== undefined) throw failureOf([elsewhere]);
      const { kinds } = this;
      const plan = planChanges({ desired: desired.value, snapshot, kinds, toolVersion: VERSION, comparesOnly: true });
      if (!plan.ok) throw isEdited ? wouldBreak(plan.diagnostics) : failureOf(plan.diagnostics);
      const changes = withGaps(
        plan.value.changes,
        desired.value,
        new Realm(snapshot),
        kinds,
        this.options.choice?.fields ?? [],
      );
      return { desired: desired.value, plan: { ...plan.value, changes } };
    }
  }

  /** The errors for which no plan can be made. */
  errorsOfPlan(desired: Desired): readonly Diagnostic[] {
    const { snapshot } = this.options;
    const plan = planChanges({ desired, snapshot, kinds: this.kinds, toolVersion: VERSION });
    if (!plan.ok) return plan.diagnostics;
    return plan.value.warnings.filter(({ unresolved }) => unresolved?.isHeld === true);
  }

  /** What a drift of the files finds besides differences, without the names in what was left. */
  unsettled(desired: Desired, left: readonly Change[]): readonly Diagnostic[] {
    const { snapshot, kinds } = this.options;
    const plan = planChanges({ desired, snapshot, kinds, toolVersion: VERSION, comparesOnly: true });
    if (!plan.ok) return plan.diagnostics.filter(isFatal);
    const said = new Set<Address | undefined>(left.map(({ address }) => address));
    return uncomparedIn(plan.value).filter(({ unresolved }) => !said.has(unresolved?.in?.address));
  }

  /** {@link Files.errorsOfPlan} of the files on the disk. */
  async errorsBefore(): Promise<readonly Diagnostic[]> {
    const desired = await this.desired(this.options.snapshot);
    return desired.ok ? this.errorsOfPlan(desired.value) : desired.diagnostics;
  }

  async desired(snapshot: Snapshot): Promise<Checked<Desired>> {
    const config = await openConfig({
      ...this.options,
      kinds: this.kinds,
      readFile: async (path) => {
        const known = this.files.get(path);
        if (known !== undefined) return known.text;
        const content = await this.options.readFile(path);
        if (typeof content !== "string") return content;
        this.files.set(path, new AdoptFile(path, content));
        return content;
      },
    });
    return config.decode(new Realm(snapshot));
  }
}

function failureOf(diagnostics: readonly Diagnostic[]): Failure {
  const [first, ...others] = diagnostics.filter(isFatal);
  if (first === undefined) throw new RangeError("refused without a diagnostic");
  return new Failure(EXIT.errors, first, ...others);
}

/** The failure with these errors, without their places, which belong to a text that is not on the disk. */
function wouldBreak(diagnostics: readonly Diagnostic[]): Failure {
  const errors = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ at: _, notes: __, ...error }): Diagnostic => error);
  const different = new Map(errors.map((one) => [JSON.stringify(one), one]));
  return new Failure(EXIT.errors, error("adopt/would-break", {}), ...different.values());
}
