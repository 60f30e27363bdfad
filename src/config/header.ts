import { finding, type Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/facts.ts";
import { foundValue, quote } from "../model/diagnostics/values.ts";
import type { Policy, ResourceKind } from "../model/kind.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree } from "../source/tree.ts";
import type { Report } from "./report.ts";
import { sectionMeant } from "./synonyms.ts";

export const FORMAT_VERSION = 1;
const POLICIES = ["ignore", "additive", "exact"] as const satisfies readonly Policy[];
/** Keys of a file that are no sections. */
export const HEADER_KEYS = [
  "version",
  "realm",
  "include",
  "vars",
  "values",
  "manage",
  "policy",
  "profiles",
  "defaults",
] as const;

export interface Header {
  readonly realm?: { readonly url: string; readonly at: Span };
  readonly manage: { readonly [section: string]: Policy };
  /** Section → where `manage:` names it. */
  readonly manageAt: { readonly [section: string]: Span };
}

/** Everything at the top of a file but profiles: version, realm, policies, and keys that are none of ours. */
export function readHeader(document: SourceDocument, kinds: readonly ResourceKind[], report: Report): Header {
  const { root, places } = document;
  const known = [...HEADER_KEYS, ...kinds.map((kind) => kind.section)];
  for (const { key } of places.entries(root)) {
    const name = String(key);
    if (known.includes(name)) continue;
    const meant = didYouMean(name, known, report.patience);
    const singular = kinds.find((kind) => kind.name === name)?.section;
    const near = singular ?? sectionMeant(name, known) ?? meant;
    const sections = kinds.map((kind) => kind.section);
    report.atKey(root, [name], unknownSection(name, near, sections));
  }
  readVersion(document, report);
  const realm = readRealm(document, report);
  return { ...(realm === undefined ? {} : { realm }), ...readPolicies(document, kinds, report) };
}

function readVersion({ root, files }: SourceDocument, report: Report): void {
  if (!Object.hasOwn(root, "version")) {
    // Included files come first in the list, the main file last.
    report.add(finding("config/version", { flaw: "missing" }), files[files.length - 1]?.span(0, 0));
  } else if (root.version !== FORMAT_VERSION) {
    const found = foundValue(root.version);
    report.atValue(root, ["version"], finding("config/version", { flaw: "other", found, version: FORMAT_VERSION }));
  }
}

export function readRealm({ root, places }: SourceDocument, report: Report): Header["realm"] {
  if (!Object.hasOwn(root, "realm")) return undefined;
  const { realm } = root;
  const at = places.valueSpan(root, ["realm"]);
  const url = typeof realm === "string" && URL.canParse(realm) ? new URL(realm) : undefined;
  const problem = (fact: DiagnosticFacts["config/realm"]): undefined => {
    const unquotable = fact.flaw === "credentials" ? ({ unquotable: true } as const) : {};
    report.atValue(root, ["realm"], { ...finding("config/realm", fact), ...unquotable });
    return undefined;
  };
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const isHost = typeof realm === "string" && /^[\w-]+(\.[\w-]+)*(:\d+)?\/?$/.test(realm);
    return problem({ flaw: "no-url", ...(isHost && { host: quote(realm) }) });
  }
  if (url.username !== "" || url.password !== "") return problem({ flaw: "credentials" });
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return problem({ flaw: "path", origin: url.origin });
  return at === undefined ? undefined : { url: url.origin, at };
}

function readPolicies(
  { root, places }: SourceDocument,
  kinds: readonly ResourceKind[],
  report: Report,
): Pick<Header, "manage" | "manageAt"> {
  const policies: { [section: string]: Policy } = {};
  const manageAt: { [section: string]: Span } = {};
  const read = { manage: policies, manageAt };
  if (!Object.hasOwn(root, "manage")) return read;
  const { manage } = root;
  if (!isTree(manage)) {
    report.atValue(root, ["manage"], finding("config/policy", { found: foundValue(manage), where: "manage" }));
    return read;
  }
  const sections = kinds.map((kind) => kind.section);
  for (const { key, value } of places.entries(manage)) {
    const section = String(key);
    if (!sections.includes(section)) {
      report.atKey(
        manage,
        [section],
        unknownSection(section, didYouMean(section, sections, report.patience), sections),
      );
      continue;
    }
    const policy = POLICIES.find((known) => known === value);
    if (policy === undefined) {
      const meant = typeof value === "string" ? didYouMean(value, POLICIES) : undefined;
      const suggested = meant === undefined ? {} : { meant };
      const fact = { found: foundValue(value), where: "section", ...suggested } as const;
      report.atValue(manage, [section], finding("config/policy", fact));
      continue;
    }
    if (policy === "exact" && kinds.some((kind) => kind.section === section && kind.isPartial === true)) {
      report.atValue(manage, [section], finding("config/partial-section", { section }));
      continue;
    }
    // "exact" and no list could be read as "remove them all": nobody should find out which it is on a live realm.
    if (policy === "exact" && !Object.hasOwn(root, section))
      report.atValue(manage, [section], finding("config/exact-without-section", { section }));
    policies[section] = policy;
    const at = places.valueSpan(manage, [section]);
    if (at !== undefined) manageAt[section] = at;
  }
  return read;
}

const unknownSection = (name: string, meant: string | undefined, sections: readonly string[]) =>
  finding("config/unknown-section", { name: quote(name), ...(meant === undefined ? {} : { meant }), sections });
