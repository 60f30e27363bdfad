import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { isList, isObject } from "../model/json.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { bytesOf } from "../model/texts.ts";
import { LARGEST_FILE_BYTES, MOST_BYTES } from "../source/limits.ts";
import { amend } from "./amend.ts";
import { obstaclesOf } from "./check.ts";
import type { ExportOptions, Omission } from "./options.ts";
import { type FoundProfile, findProfiles } from "./profiles.ts";
import { joined, sectionOf } from "./sections.ts";
import { type Draft, type DraftItem, textsOf } from "./text.ts";

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
  if (large !== undefined)
    throw new Failure(EXIT.errors, error("export/too-large", { ...large, most_bytes: LARGEST_FILE_BYTES, ...is }));
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes > MOST_BYTES)
    throw new Failure(EXIT.errors, error("export/too-large", { bytes, most_bytes: MOST_BYTES, ...is }));
}
