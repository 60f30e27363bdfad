import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { otherFile } from "../source/other-file.ts";
import { isTree } from "../source/tree.ts";
import { unknownSection } from "./manage.ts";
import type { Report } from "./report.ts";
import type { shapeOf } from "./shape.ts";
import { keyMeant } from "./synonyms.ts";

interface UnknownKeys {
  readonly document: SourceDocument;
  readonly known: readonly string[];
  readonly kinds: readonly ResourceKind[];
  readonly report: Report;
  /** Given, since this file is loaded on its own, and the function needs the whole library of schemas. */
  readonly shapeOf: typeof shapeOf;
}

/** Read only for an unknown key: these words are loaded when they are read. */
const wordsForSections = (kinds: readonly ResourceKind[]) =>
  Object.fromEntries(kinds.map(({ section, file }) => [section, file.synonyms?.()?.section ?? []]));

/**
 * Reports the keys of a file that are neither sections nor keys of its head.
 * @property isOther the file is of another program
 * @property meant the sections that some of them were meant to be: read as these, all errors in them are found in one run
 */
export function reportUnknownKeys({ document, known, kinds, report, shapeOf }: UnknownKeys): {
  readonly isOther: boolean;
  readonly meant: ReadonlyMap<string, string>;
} {
  const { root, places } = document;
  const meant = new Map<string, string>();
  if (isOther(document, known, kinds, report, shapeOf)) return { isOther: true, meant };
  let above: string | undefined;
  let isTold = false;
  for (const { key, value } of places.entries(root)) {
    const name = String(key);
    if (known.includes(name)) {
      above = value === null ? kinds.find(({ section }) => section === name)?.section : undefined;
      isTold = false;
      continue;
    }
    // Everything below an empty section is indented too little, for one cause: the first key tells it.
    if (above !== undefined && isTold) continue;
    isTold = true;
    const similar = didYouMean(name, known, report.patience);
    const singular = kinds.find((kind) => kind.name === name)?.section;
    const near = singular ?? keyMeant(name, known, wordsForSections(kinds)) ?? similar;
    const sections = kinds.map((kind) => kind.section);
    const isEntry = above !== undefined && isTree(value);
    const holds = isEntry
      ? undefined
      : near === "realm" && isTree(value)
        ? "everything"
        : heldBy(name, document, kinds, shapeOf);
    const word = isEntry || holds !== undefined ? undefined : near;
    report.atKey(root, [name], "config/unknown-section", unknownSection(name, word, sections, { above, holds }));
    const kind = kinds.find(({ section }) => section === word);
    const fits = kind?.shape === "list" ? Array.isArray(value) : isTree(value);
    if (kind !== undefined && fits && !Object.hasOwn(root, kind.section)) meant.set(name, kind.section);
  }
  return { isOther: false, meant };
}

/** Reports once that the file is of another program: otherwise each of its keys would be an error. */
function isOther(
  document: SourceDocument,
  known: readonly string[],
  kinds: readonly ResourceKind[],
  report: Report,
  shapeOf: UnknownKeys["shapeOf"],
): boolean {
  const { root, places } = document;
  const keys = places.entries(root).map(({ key }) => String(key));
  const sections = kinds.map(({ section }) => section);
  const [first] = keys.filter((key) => !known.includes(key));
  if (first === undefined || keys.some((key) => sections.includes(key))) return false;
  const unknown = keys.filter((key) => !known.includes(key));
  const file_of = otherFile(root);
  const isUnlike = (key: string): boolean =>
    !kinds.some(({ name }) => name === key) &&
    heldBy(key, document, kinds, shapeOf) === undefined &&
    (keyMeant(key, known, wordsForSections(kinds)) ?? didYouMean(key, known, report.patience)) === undefined;
  // A word or two that sound like sections make it no file of an organization.
  const unlike = unknown.filter(isUnlike).length;
  const isStrange = keys.length === unknown.length && unlike > 1 && 2 * unlike > unknown.length;
  if (file_of === undefined && !isStrange) return false;
  const holds = file_of === undefined ? { unknown_keys: unknown.map((key) => quote(key)) } : { file_of };
  report.atKey(root, [first], "config/unknown-section", unknownSection(first, undefined, sections, { holds }));
  return true;
}

/** Where other programs have shared values, and what has its place elsewhere. */
function heldBy(
  name: string,
  { root, files }: SourceDocument,
  kinds: readonly ResourceKind[],
  shapeOf: UnknownKeys["shapeOf"],
): DiagnosticFacts["config/unknown-section"]["holds"] {
  if (/^(?:x-|\.)/i.test(name)) return "anchors";
  if (/^(?:limits|protect|lockout|min_owners)$/.test(name)) return { belongs_under: ["policy"] };
  const [outer = "", ...inside] = name.split(/[./]|\s+(?=")/).map((part) => part.replace(/^"|"$/g, ""));
  const whole =
    inside.length === 0 ? undefined : kinds.find(({ section, name: one }) => [section, one].includes(outer));
  if (whole !== undefined) return { path: [whole.section, ...inside].map((part) => quote(part)) };
  if (/^(?:moved|renamed|renames)$/.test(name)) return "renames";
  if (/^(?:tests?|rules|checks|assertions|access_rules)$/.test(name) && Array.isArray(root[name]))
    return name === "tests" && Object.keys(root).every((key) => key === name || key === "version")
      ? { rules: "alone", file: files[0]?.file ?? "" }
      : { rules: "besides" };
  for (const kind of kinds) {
    if (kind.shape !== "singleton") continue;
    const place = shapeOf(kind.file.schema())
      .pathsOf(name)
      .find((path) => path.length === 0 || (path.length === 1 && path[0] === "permissions"));
    if (place !== undefined) return { belongs_under: [kind.section, ...place.map(String)] };
  }
  return undefined;
}

/** The document with sections under the names that they were meant to have. */
export function withSections(
  { root, places, files }: SourceDocument,
  meant: ReadonlyMap<string, string>,
): SourceDocument {
  return { root: places.copy(root, (key) => meant.get(key) ?? key), places, files };
}
