import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, finding, type Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { foundValue, quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { type LoadOptions, loadDocument, type SourceDocument } from "../source/load.ts";
import { type Manage, readManage } from "./manage.ts";
import { Report } from "./report.ts";
import { shapeOf } from "./shape.ts";
import { reportUnknownKeys } from "./unknown-keys.ts";

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
  /** Unknown keys of the file → the sections that they were meant to be. */
  readonly meant: ReadonlyMap<string, string>;
  readonly realm?: { readonly url: string; readonly at: Span };
}

/** Everything at the top of a file except profiles: version, realm, policies, and unknown keys. */
export function readHeader(document: SourceDocument, kinds: readonly ResourceKind[], report: Report): Header {
  const { root, places } = document;
  const known = [...HEADER_KEYS, ...kinds.map((kind) => kind.section)];
  const hasUnknown = places.entries(root).some(({ key }) => !known.includes(String(key)));
  const unknown = hasUnknown ? reportUnknownKeys({ document, known, kinds, report, shapeOf }) : undefined;
  if (unknown?.isOther === true) return { manage: {}, manageAt: {}, unset: {}, except: {}, meant: new Map() };
  readVersion(document, report);
  const realm = readRealm(document, report);
  return { ...defined({ realm }), ...readManage(document, kinds, report), meant: unknown?.meant ?? new Map() };
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

export function readVersion({ root, files }: SourceDocument, report: Report): void {
  if (!Object.hasOwn(root, "version")) {
    if (report.some(({ code, fact }) => code === "config/unknown-section" && fact.meant === "version")) return;
    // Included files come first in the list, the main file last.
    report.add("config/version", { cause: "missing" }, files[files.length - 1]?.span(0, 0));
  } else if (root.version !== FORMAT_VERSION) {
    const found = foundValue(root.version);
    report.atValue(root, ["version"], "config/version", { cause: "other", found, version: FORMAT_VERSION });
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
    report.addFound({ ...finding("config/realm", fact), ...unquotable }, at);
    return undefined;
  };
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const isHost = typeof realm === "string" && /^(?:[\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?\/?$/.test(realm);
    return cause({ cause: "no-url", ...defined({ host: isHost ? quote(realm) : undefined }) });
  }
  if (url.username !== "" || url.password !== "") return cause({ cause: "credentials" });
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return cause({ cause: "path", origin: url.origin });
  return at === undefined ? undefined : { url: url.origin, at };
}

/** The organization that a file says it is for; undefined if it does not say so. A value that cannot be read, or is not an address, is an error. */
export async function realmNamedIn(options: LoadOptions): Promise<Checked<string | undefined>> {
  const found = await realmOfFile(options);
  return found.ok ? { ...found, value: found.value?.url } : found;
}

/** The same, with its place in the file. */
export async function realmOfFile(options: LoadOptions): Promise<Checked<Desired["realm"]>> {
  const loaded = await loadDocument(options);
  if (!loaded.ok) return loaded;
  const report = new Report(loaded.value, []);
  const value = readRealm(loaded.value, report);
  const diagnostics = report.sorted();
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value, warnings: [] };
}
