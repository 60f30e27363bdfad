import { readConfig } from "../config/read-config.ts";
import { escapeReferences } from "../config/references.ts";
import { defined } from "../model/defined.ts";
import { type Checked, EXIT, error, Failure, type Path } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { LiveObject, Policy } from "../model/objects.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { type FetchedPictures, isFetched, pictureKey } from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { planChanges } from "../plan/plan.ts";
import { count } from "../report/style.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { exportCaveatText } from "../report/words/files.ts";
import { pictureTroubleText } from "../report/words/pictures.ts";
import { directoryOf, join } from "../source/paths.ts";
import { VERSION } from "../version.ts";
import { layoutOf } from "./layout.ts";
import { pictureFilesOf } from "./pictures.ts";
import { type FoundProfile, findProfiles } from "./profiles.ts";
import { type Draft, type DraftItem, type DraftSection, type Split, textsOf } from "./text.ts";
import { type Detail, writtenItem } from "./written.ts";

export interface ExportOptions {
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  /** Sections to write; default: {@link defaultSections}. */
  readonly sections?: readonly string[];
  /** Policy of each section; default additive. */
  readonly policies?: { readonly [section: string]: Policy };
  /** Sections that say `unset: default`: what every new object has is left out, and watched nevertheless. Those without defaults do not. */
  readonly unset?: boolean;
  /** What every new object has anyway is written, too. */
  readonly complete?: boolean;
  /** Who is subscribed to each channel, and the like: fields that files are silent about as a rule. */
  readonly subscribers?: boolean;
  /** Archived channels and deactivated groups too. */
  readonly inactive?: boolean;
  /** Which command writes it; default: export. */
  readonly foundBy?: "init" | "export";
  /** What became of the pictures that sections have; left out: nobody fetched them, which the file says. */
  readonly pictures?: FetchedPictures;
  /** A comment on each setting of the sections that are there once, for who sees them for the first time. */
  readonly explain?: boolean;
  readonly split?: Split;
  /** Path or URL of the JSON Schema, for editors. */
  readonly schema?: string;
  /** Name of the main file; default realm.yaml. */
  readonly file?: string;
}

/** Something of the realm that the file does not say, and why. */
export interface Omission {
  readonly section: string;
  /** Of the object. */
  readonly name: string;
  /** Absent for the whole object. */
  readonly field?: string;
  readonly reason: string;
}

export interface Exported {
  /** Path (the main file's first) → text. */
  readonly files: ReadonlyMap<string, string>;
  readonly omitted: readonly Omission[];
  readonly profiles: readonly FoundProfile[];
  /** Section → how many objects the file has. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Sections that can be written and that this snapshot holds. */
export function defaultSections(snapshot: Snapshot, kinds: readonly ResourceKind[]): readonly string[] {
  const realm = new Realm(snapshot);
  return kinds
    .filter((kind) => kind.yaml !== undefined && kind.yaml.onRequest !== true && liveObjects(kind, realm) !== undefined)
    .map((kind) => kind.section);
}

/**
 * The realm as files that a person could have written, and that plan as no change. What cannot be expressed so that it does is left
 * out, with a comment in its place.
 * @throws RangeError for what is a bug: a realm whose file has errors that belong to no line
 */
export async function exportRealm(options: ExportOptions): Promise<Exported> {
  const { snapshot, kinds } = options;
  const wanted = options.sections ?? defaultSections(snapshot, kinds);
  const realm = new Realm(snapshot);
  const used = kinds.filter((kind) => wanted.includes(kind.section));
  const omitted: Omission[] = [];
  const sections = used.flatMap((kind) => sectionOf(kind, realm, options, omitted));
  const draft: Draft = {
    file: options.file ?? "realm.yaml",
    snapshot,
    ...defined({
      foundBy: options.foundBy,
      schema: options.schema,
      complete: options.complete === true ? true : undefined,
    }),
    sections,
    profiles: [],
  };
  const whole = async () => {
    const profiles = findProfiles(
      sections.filter((section) => section.profiles).flatMap(({ items }) => items.flatMap(profiledItem)),
    );
    const final: Draft = { ...draft, sections: sections.map((section) => joined(section, used)), profiles };
    const { files } = textsOf(final, options.split ?? "none");
    return { files, profiles, problems: await problemsOf(files, final.file, options) };
  };
  // Most realms can be written as they are. Where not, the file without profiles shows line by line what has to go.
  let written = await whole();
  if (written.problems.length > 0) {
    await amend(draft, options, omitted);
    written = await whole();
  }
  const { files, profiles, problems } = written;
  if (problems.length > 0)
    throw new RangeError(`the exported file does not plan as no change: ${problems[0]?.reason ?? ""}`);
  return { files, omitted, profiles, counts: new Map(sections.map(({ section, items }) => [section, items.length])) };
}

function sectionOf(
  kind: ResourceKind,
  realm: Realm,
  { policies, inactive, unset, complete, subscribers, pictures, explain, sections = [] }: ExportOptions,
  omitted: Omission[],
): DraftSection[] {
  const all = liveObjects(kind, realm);
  if (all === undefined || kind.yaml === undefined) return [];
  const hasUnset = unset === true && kind.diff?.defaults !== undefined;
  const detail: Detail = {
    unset: hasUnset,
    complete: complete === true,
    also: subscribers === true ? (kind.yaml.asked ?? []) : [],
  };
  const live = inactive === true ? withoutTakenNames(all) : all.filter((object) => !object.inactive);
  // What has an order of its own stays as the server has it.
  const ordered = kind.diff?.ordered !== undefined;
  const sorted = ordered ? live : [...live].sort((a, b) => byName(a.name, b.name));
  const shown = new Map(sorted.map((object) => [object, kind.yaml?.pictures?.of(object, realm) ?? []]));
  const items = sorted.map((object): DraftItem => {
    const own = shown.get(object) ?? [];
    const comments = Object.entries(object.fields)
      .filter(([field, value]) => Object.hasOwn(kind.file.fields, field) && kind.calls.canSet?.(field, value) === false)
      .filter(([field]) => !own.some((picture) => picture.field === field))
      .map(([field]) => {
        omitted.push({ section: kind.section, name: object.name, field, reason: "no file can ask for its value" });
        return `${field} is left out: no file can ask for what it is`;
      });
    let value = escaped(writtenItem(kind, object, realm, detail));
    for (const { field } of own) {
      const picture = pictures?.get(pictureKey(kind.name, object.name, field));
      if (isFetched(picture)) value = kind.yaml?.pictures?.put(value, field, picture.facts.path) ?? value;
      else if (picture !== undefined) {
        const reason = pictureTroubleText(picture);
        omitted.push({ section: kind.section, name: object.name, field, reason });
        comments.push(`${field} is left out: ${reason}`);
      }
    }
    return { name: object.name, value, comments };
  });
  const distinct = kind.shape === "list" && kind.yaml.join === undefined ? withoutTwins(items) : items;
  for (const { name } of items.filter((each) => !distinct.includes(each)))
    omitted.push({ section: kind.section, name, reason: "an entry of the file says the same of another one" });
  const twins = items.length - distinct.length;
  const layout = layoutOf(kind, explain === true);
  const notListed = all.length - live.length;
  const [one, many] = kind.noun;
  const word = kind.inactivity?.field ?? "inactive";
  return [
    {
      section: kind.section,
      kind: kind.name,
      shape: kind.shape,
      profiles: kind.file.profiles === true,
      splitBy: kind.yaml.splitBy,
      ...defined({ layout }),
      // Whom a file of people does not list is nobody's to remove, nor is one of two that are alike.
      policy: kind.isPartial === true || twins > 0 ? "additive" : (policies?.[kind.section] ?? "additive"),
      unset: hasUnset,
      items: distinct,
      comments: [
        ...(twins === 0 ? [] : [`${count(twins, `${one} is`, `${many} are`)} like another one, and not listed`]),
        ...(notListed === 0 ? [] : [`${notListed} ${word} ${notListed === 1 ? one : many} not listed`]),
        ...(pictures === undefined ? unfetched([...shown.values()].flat().length) : []),
        ...(kind.yaml?.exportCaveats?.(realm) ?? [])
          .filter((caveat) => caveat.caveat !== "links-elsewhere" || !sections.includes(caveat.section))
          .map(exportCaveatText),
      ],
    },
  ];
}

const unfetched = (pictures: number): readonly string[] =>
  pictures === 0
    ? []
    : [
        `${count(pictures, "picture is", "pictures are")} not fetched: realmctl export --out realm.yaml puts them beside the file`,
      ];

/** Of objects of which the server shows the same (links for one role and day), the first: a file can say them once. */
function withoutTwins(items: DraftItem[]): DraftItem[] {
  const seen = new Set<string>();
  return items.filter(({ value }) => {
    const text = JSON.stringify(value);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst;
  });
}

/** Objects that are alike share an entry, where the kind's entries can stand for several. */
function joined(section: DraftSection, kinds: readonly ResourceKind[]): DraftSection {
  const join = kinds.find((kind) => kind.section === section.section)?.yaml?.join;
  if (join === undefined) return section;
  const comments = section.items.flatMap((item) =>
    item.comments.map((text) => `${JSON.stringify(item.name)}: ${text}`),
  );
  const items = join(section.items.map(({ value }) => value)).map(
    (value): DraftItem => ({ name: "", value, comments: [] }),
  );
  return { ...section, items, comments: [...section.comments, ...comments] };
}

/** Texts of the server that hold `${` are no references to variables. */
export function escaped(value: Json): Json {
  if (typeof value === "string") return escapeReferences(value);
  if (isList(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escaped(inner)]));
}

/** An inactive object whose name another one has cannot be written beside it. */
function withoutTakenNames(live: readonly LiveObject[]): readonly LiveObject[] {
  const inUse = new Set(live.filter(({ inactive }) => !inactive).map(({ key }) => key));
  return live.filter(
    (object, index) =>
      !object.inactive ||
      (!inUse.has(object.key) && live.findIndex(({ key, inactive }) => inactive && key === object.key) === index),
  );
}

function byName(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : a < b ? -1 : a > b ? 1 : 0;
}

const profiledItem = ({ name, value }: DraftItem) => (isObject(value) && !isList(value) ? [{ name, value }] : []);

/** Takes out, one after the other, what the realm itself would refuse or plan otherwise. */
async function amend(draft: Draft, options: ExportOptions, omitted: Omission[]): Promise<void> {
  // Every round takes something out, and most realms need none.
  for (;;) {
    const { files, paths } = textsOf(draft, "none");
    const problems = await problemsOf(files, draft.file, options);
    if (problems.length === 0) return;
    let found = false;
    for (const { line, reason, unset } of problems) {
      if (unset !== undefined) {
        found = withoutUnset(draft, unset) || found;
        continue;
      }
      const path = line === undefined ? undefined : paths.get(line);
      if (path === undefined || !takeOut(draft, path, reason, omitted)) continue;
      found = true;
    }
    // No server has such an organization, but a snapshot that somebody edited does.
    if (!found)
      throw new Failure(EXIT.errors, error("export/not-possible", { reason: quote(problems[0]?.reason ?? "") }));
  }
}

/**
 * Something was left out that no file can say, so that it would be set to its default. Such a section does without `unset: default`.
 */
function withoutUnset({ sections }: Draft, { section, name, field }: UnsetProblem): boolean {
  const found = sections.find((candidate) => candidate.section === section);
  if (found?.unset !== true) return false;
  found.unset = false;
  found.comments.push(
    `unset: default is not possible here: no file can say what ${field}${found.shape === "singleton" ? "" : ` of ${JSON.stringify(name)}`} is`,
  );
  return true;
}

function takeOut(draft: Draft, path: Path, reason: string, omitted: Omission[]): boolean {
  const [first, ...within] = path;
  const section = draft.sections.find((candidate) => candidate.section === first);
  const [second, ...below] = section?.shape === "singleton" ? [0, ...within] : within;
  if (section === undefined || second === undefined) return false;
  const index =
    typeof second === "number" ? second : section.items.findIndex((candidate) => candidate.name === String(second));
  const item = section.items[index];
  if (item === undefined) return false;
  const field = below.slice(0, 2).filter((step) => typeof step === "string" && step !== "permissions")[0];
  const { value } = item;
  const rest = isObject(value) && below.length > 0 ? without(value, below.slice(0, 2)) : undefined;
  if (rest === undefined) {
    section.items.splice(index, 1);
    section.comments.push(`${JSON.stringify(item.name)} is left out: ${reason}`);
    // What is not in the file would be removed.
    section.policy = section.policy === "exact" ? "additive" : section.policy;
    omitted.push({ section: section.section, name: item.name, reason });
    return true;
  }
  item.value = rest;
  item.comments.push(`${String(field)} is left out: ${reason}`);
  omitted.push({ section: section.section, name: item.name, field: String(field), reason });
  return true;
}

/** A copy without what is at a path; undefined when there is nothing. */
function without(value: { readonly [key: string]: unknown }, [step, ...below]: Path): Json | undefined {
  const copy: { [key: string]: Json } = JSON.parse(JSON.stringify(value));
  if (step === undefined || !Object.hasOwn(copy, step)) return undefined;
  const inner = copy[step];
  const rest = step === "permissions" && isObject(inner) && below.length > 0 ? without(inner, below) : undefined;
  if (rest === undefined || (isObject(rest) && Object.keys(rest).length === 0)) delete copy[step];
  else copy[step] = rest;
  return copy;
}

interface UnsetProblem {
  readonly section: string;
  readonly name: string;
  readonly field: string;
}

interface Problem {
  readonly line: number | undefined;
  readonly reason: string;
  /** A field that the file leaves out, and that is not what it would be set to for that. */
  readonly unset?: UnsetProblem;
}

/** Why the files do not plan as no change on their own realm. */
async function problemsOf(
  files: ReadonlyMap<string, string>,
  file: string,
  options: ExportOptions,
): Promise<readonly Problem[]> {
  const planned = await planFiles(files, file, options);
  if (planned.ok)
    return planned.value.changes.flatMap((change): Problem[] => {
      const reason = "the server and the file do not mean the same by it";
      const section = options.kinds.find(({ name }) => name === change.kind)?.section ?? "";
      const fields = change.fields.map(({ at, field, unset }) => ({
        line: (at ?? change.at)?.line,
        reason,
        ...defined({ unset: unset === true ? { section, name: change.name, field } : undefined }),
      }));
      return fields.length > 0 ? fields : [{ line: change.at?.line, reason }];
    });
  return planned.diagnostics
    .filter(({ severity }) => severity === "error")
    .map((diagnostic) => ({ line: diagnostic.at?.line, reason: wordedDiagnostic(diagnostic).message }));
}

/** A plan of files that are not on any disk. */
export async function planFiles(
  files: ReadonlyMap<string, string>,
  file: string,
  { snapshot, kinds, pictures }: Pick<ExportOptions, "snapshot" | "kinds" | "pictures">,
): Promise<Checked<Plan>> {
  const base = directoryOf(file);
  const beside = new Map(
    [...pictureFilesOf(pictures ?? new Map())].map(([path, picture]) => [join(base, path), picture]),
  );
  const desired = await readConfig({
    file,
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw Object.assign(new Error("there is no such file"), { code: "ENOENT" });
      return text;
    },
    listFiles: async (directory) => namesIn(files.keys(), directory),
    lookAt: async (path) => {
      const picture = beside.get(path);
      if (picture === undefined) throw Object.assign(new Error("there is no such file"), { code: "ENOENT" });
      return { ...picture.facts, path };
    },
    kinds,
    realm: new Realm(snapshot),
  });
  if (!desired.ok) return desired;
  return planChanges({ desired: desired.value, snapshot, kinds, toolVersion: VERSION });
}

/** What a directory would show if these paths were on a disk. */
export function namesIn(paths: Iterable<string>, directory: string): readonly string[] {
  const above = directory === "" || directory === "." ? "" : `${directory}/`;
  const below = [...paths].filter((path) => path.startsWith(above)).map((path) => path.slice(above.length));
  return [...new Set(below.map((path) => path.split("/")[0] ?? path))];
}
