import { defined } from "../model/defined.ts";
import { failure, type Path } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { OmissionReason } from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { bytesOf } from "../model/texts.ts";
import { leftOutComment, noUnsetComment, omissionText } from "../report/words/export.ts";
import { LARGEST_FILE_BYTES, MOST_BYTES } from "../source/limits.ts";
import { obstaclesOf, type UnsetField } from "./check.ts";
import type { ExportOptions, Omission } from "./options.ts";
import { type FoundProfile, findProfiles } from "./profiles.ts";
import { joined, sectionOf } from "./sections.ts";
import { type Draft, type DraftItem, type DraftSection, textsOf } from "./text.ts";

export interface Exported {
  /** Path (the main file's first) → text. */
  readonly files: ReadonlyMap<string, string>;
  readonly omitted: readonly Omission[];
  readonly profiles: readonly FoundProfile[];
  /** Section → how many objects the file has. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The sections that can be written and that this snapshot holds. */
export function defaultSections(snapshot: Snapshot, kinds: readonly ResourceKind[]): readonly string[] {
  const realm = new Realm(snapshot);
  return kinds
    .filter((kind) => kind.yaml !== undefined && kind.yaml.onRequest !== true && liveObjects(kind, realm) !== undefined)
    .map((kind) => kind.section);
}

/**
 * The realm as files that a person could have written, with an empty plan. Values that cannot be expressed in this way are left out, with a comment
 * in their place.
 * @throws RangeError for a bug: a realm whose file has errors without a line
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
    refuseTooLarge(files, options);
    return { files, profiles, obstacles: await obstaclesOf(files, final.file, options) };
  };
  // Most realms can be written as they are. If not, the file without profiles shows line by line what has to be left out.
  let written = await whole();
  if (written.obstacles.length > 0) {
    await amend(draft, options, omitted);
    written = await whole();
  }
  const { files, profiles, obstacles: diagnostics } = written;
  if (diagnostics.length > 0)
    throw new RangeError(`the exported file does not plan as no change: ${diagnostics[0]?.reason.is ?? ""}`);
  return { files, omitted, profiles, counts: new Map(sections.map(({ section, items }) => [section, items.length])) };
}

const profiledItem = ({ name, value }: DraftItem) => (isObject(value) && !isList(value) ? [{ name, value }] : []);

/** @throws Failure if the files could not be read again */
function refuseTooLarge(files: ReadonlyMap<string, string>, { subscribers, split = "none" }: ExportOptions): void {
  const sizes = [...files].map(([file, text]) => ({ file, bytes: bytesOf(text) }));
  const is = { has_subscribers: subscribers === true, is_split: split !== "none" };
  const large = sizes.find(({ bytes }) => bytes > LARGEST_FILE_BYTES);
  if (large !== undefined) throw failure("export/too-large", { ...large, most_bytes: LARGEST_FILE_BYTES, ...is });
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes > MOST_BYTES) throw failure("export/too-large", { bytes, most_bytes: MOST_BYTES, ...is });
}

/** Removes, one after the other, entries that the realm itself would refuse or plan differently. */
async function amend(draft: Draft, options: ExportOptions, omitted: Omission[]): Promise<void> {
  // Every round removes something, and most realms need none.
  for (;;) {
    const { files, paths } = textsOf(draft, "none");
    const obstacles = await obstaclesOf(files, draft.file, options);
    if (obstacles.length === 0) return;
    let found = false;
    // Which entry each line is about is looked up before any is taken out: then the numbers of a list are other ones.
    const places = obstacles.map(({ line }) => placeOf(draft, line === undefined ? undefined : paths.get(line)));
    obstacles.forEach(({ reason, unset }, at) => {
      const place = places[at];
      if (unset !== undefined) found = withoutUnset(draft, unset) || found;
      else if (place !== undefined) found = takeOut(place, reason, omitted) || found;
    });
    // No server, but an edited snapshot, can contain such an organization.
    const [first] = obstacles;
    if (!found && first !== undefined)
      throw failure("export/not-possible", { reason: quote(omissionText(first.reason)) });
  }
}

/** Writes a section without `unset: default` if a value was left out that no file can express: the default would replace it. */
function withoutUnset({ sections }: Draft, { section, name, field }: UnsetField): boolean {
  const found = sections.find((candidate) => candidate.section === section);
  if (found?.unset !== true) return false;
  found.unset = false;
  found.comments.push(noUnsetComment(field, found.shape === "singleton" ? undefined : name));
  return true;
}

/** An entry of the draft, and the path within it. */
interface Place {
  readonly section: DraftSection;
  readonly item: DraftItem;
  readonly below: Path;
}

function placeOf({ sections }: Draft, path: Path | undefined): Place | undefined {
  const [first, ...within] = path ?? [];
  const section = sections.find((candidate) => candidate.section === first);
  const [second, ...below] = section?.shape === "singleton" ? [0, ...within] : within;
  if (section === undefined || second === undefined) return undefined;
  const item =
    typeof second === "number" ? section.items[second] : section.items.find(({ name }) => name === String(second));
  return item && { section, item, below };
}

/** Takes a field out of its entry, or the entry if that is all that can be done: once, with the reason that was found first. */
function takeOut({ section, item, below }: Place, reason: OmissionReason, omitted: Omission[]): boolean {
  const index = section.items.indexOf(item);
  if (index === -1) return false;
  const field = below.slice(0, 2).filter((step) => typeof step === "string" && step !== "permissions")[0];
  const { value } = item;
  const rest = isObject(value) && below.length > 0 ? without(value, below.slice(0, 2)) : undefined;
  if (rest !== undefined) {
    item.value = rest;
    withoutVague({ section, item }, String(field), omitted);
    item.comments.push(leftOutComment(String(field), reason));
    item.left = [...(item.left ?? []), { section: section.section, name: item.name, field: String(field), reason }];
    omitted.push(...item.left.slice(-1));
    return true;
  }
  // What it lacks by now is what was taken out before.
  const before = item.left ?? [];
  const why = before[0]?.reason ?? reason;
  for (const one of before) omitted.splice(omitted.indexOf(one), 1);
  section.items.splice(index, 1);
  section.comments.push(leftOutComment(JSON.stringify(item.name), why));
  // What is not in the file would be removed.
  section.policy = section.policy === "exact" ? "additive" : section.policy;
  omitted.push({ section: section.section, name: item.name, reason: why });
  return true;
}

/** Of two reasons for one field, "no file can express its value" says less. */
function withoutVague({ section, item }: Omit<Place, "below">, field: string, omitted: Omission[]): void {
  const said = leftOutComment(field, { is: "no-value" });
  if (item.comments.includes(said)) item.comments.splice(item.comments.indexOf(said), 1);
  const known = omitted.findIndex(
    (one) =>
      one.section === section.section && one.name === item.name && one.field === field && one.reason.is === "no-value",
  );
  if (known !== -1) omitted.splice(known, 1);
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
