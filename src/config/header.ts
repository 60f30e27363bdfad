import { defined } from "../model/defined.ts";
import { finding, type Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/facts.ts";
import { foundValue, quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { otherFile } from "../source/other-file.ts";
import { isTree } from "../source/tree.ts";
import { type Manage, readManage, unknownSection } from "./manage.ts";
import type { Report } from "./report.ts";
import { shapeOf } from "./shape.ts";
import { keyMeant } from "./synonyms.ts";

export const FORMAT_VERSION = 1;
/** Keys of a file that are not sections. */
export const HEADER_KEYS: readonly string[] = [
  "version",
  "realm",
  "include",
  "vars",
  "values",
  "manage",
  "policy",
  "profiles",
  "defaults",
];

interface Header extends Manage {
  readonly realm?: { readonly url: string; readonly at: Span };
}

/** Read only for an unknown key: these words are loaded when they are read. */
const wordsForSections = (kinds: readonly ResourceKind[]) =>
  Object.fromEntries(kinds.map(({ section, file }) => [section, file.synonyms?.section ?? []]));

/** Everything at the top of a file except profiles: version, realm, policies, and unknown keys. */
export function readHeader(document: SourceDocument, kinds: readonly ResourceKind[], report: Report): Header {
  const { root, places } = document;
  const known = [...HEADER_KEYS, ...kinds.map((kind) => kind.section)];
  let above: string | undefined;
  let isTold = false;
  if (isOther(document, known, kinds, report)) return { manage: {}, manageAt: {}, unset: {} };
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
    const meant = didYouMean(name, known, report.patience);
    const singular = kinds.find((kind) => kind.name === name)?.section;
    const near = singular ?? keyMeant(name, known, wordsForSections(kinds)) ?? meant;
    const sections = kinds.map((kind) => kind.section);
    const isEntry = above !== undefined && isTree(value);
    const holds = isEntry
      ? undefined
      : near === "realm" && isTree(value)
        ? "everything"
        : heldBy(name, document, kinds);
    const word = isEntry || holds !== undefined ? undefined : near;
    report.atKey(root, [name], unknownSection(name, word, sections, { above, holds }));
  }
  readVersion(document, report);
  const realm = readRealm(document, report);
  return { ...defined({ realm }), ...readManage(document, kinds, report) };
}

/** Reports once that the file is of another program: otherwise each of its keys would be an error. */
function isOther(
  document: SourceDocument,
  known: readonly string[],
  kinds: readonly ResourceKind[],
  report: Report,
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
    heldBy(key, document, kinds) === undefined &&
    (keyMeant(key, known, wordsForSections(kinds)) ?? didYouMean(key, known, report.patience)) === undefined;
  const isStrange = unknown.length > 2 && keys.length === unknown.length && unknown.every(isUnlike);
  if (file_of === undefined && !isStrange) return false;
  const holds = file_of === undefined ? { unknown_keys: unknown.map((key) => quote(key)) } : { file_of };
  report.atKey(root, [first], unknownSection(first, undefined, sections, { holds }));
  return true;
}

/** Where other programs have shared values, and what has its place elsewhere. */
function heldBy(
  name: string,
  { root }: SourceDocument,
  kinds: readonly ResourceKind[],
): DiagnosticFacts["config/unknown-section"]["holds"] {
  if (/^(?:x-|\.)/i.test(name)) return "anchors";
  if (/^(?:moved|renamed|renames)$/.test(name)) return "renames";
  if (name === "tests" && Array.isArray(root[name]))
    return { rules: Object.keys(root).every((key) => key === name || key === "version") ? "alone" : "besides" };
  for (const kind of kinds) {
    if (kind.shape !== "singleton") continue;
    const place = shapeOf(kind.file.schema)
      .pathsOf(name)
      .find((path) => path.length === 0 || (path.length === 1 && path[0] === "permissions"));
    if (place !== undefined) return { belongs_under: [kind.section, ...place.map(String)] };
  }
  return undefined;
}

/** The unknown keys right below an empty section: its entries, if they were indented. */
export function entriesBelow(
  { root, places }: SourceDocument,
  kinds: readonly ResourceKind[],
  section: string,
): readonly string[] {
  const known = new Set<string>([...HEADER_KEYS, ...kinds.map((kind) => kind.section)]);
  const entries = places.entries(root);
  const own = entries.findIndex(({ key, value }) => key === section && value === null);
  if (own < 0 || !kinds.some((kind) => kind.section === section)) return [];
  const below = entries.slice(own + 1).map(({ key }) => String(key));
  const end = below.findIndex((name) => known.has(name));
  return end < 0 ? below : below.slice(0, end);
}

function readVersion({ root, files }: SourceDocument, report: Report): void {
  if (!Object.hasOwn(root, "version")) {
    if (report.some(({ code, fact }) => code === "config/unknown-section" && fact.meant === "version")) return;
    // Included files come first in the list, the main file last.
    report.add(finding("config/version", { cause: "missing" }), files[files.length - 1]?.span(0, 0));
  } else if (root.version !== FORMAT_VERSION) {
    const found = foundValue(root.version);
    report.atValue(root, ["version"], finding("config/version", { cause: "other", found, version: FORMAT_VERSION }));
  }
}

export function readRealm({ root, places }: SourceDocument, report: Report): Header["realm"] {
  if (!Object.hasOwn(root, "realm")) return undefined;
  const { realm } = root;
  const at = places.valueSpan(root, ["realm"]);
  if (at !== undefined && report.isToldAt(at)) return undefined;
  const url = typeof realm === "string" && URL.canParse(realm) ? new URL(realm) : undefined;
  const cause = (fact: DiagnosticFacts["config/realm"]): undefined => {
    const unquotable = defined({ unquotable: fact.cause === "credentials" || undefined });
    report.atValue(root, ["realm"], { ...finding("config/realm", fact), ...unquotable });
    return undefined;
  };
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const isHost = typeof realm === "string" && /^[\w-]+(\.[\w-]+)*(:\d+)?\/?$/.test(realm);
    return cause({ cause: "no-url", ...defined({ host: isHost ? quote(realm) : undefined }) });
  }
  if (url.username !== "" || url.password !== "") return cause({ cause: "credentials" });
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return cause({ cause: "path", origin: url.origin });
  return at === undefined ? undefined : { url: url.origin, at };
}
