import type { Span } from "../model/diagnostic.ts";
import type { Policy, ResourceKind } from "../model/kind.ts";
import { didYouMean, listNames } from "../model/suggest.ts";
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
    report.atKey(root, [name], {
      code: "config/unknown-section",
      message: `there is no section ${JSON.stringify(name)}`,
      hint:
        suggest(singular ?? sectionMeant(name, known) ?? meant) ??
        `sections: ${listNames(
          kinds.map((kind) => kind.section),
          20,
        )}`,
    });
  }
  readVersion(document, report);
  const realm = readRealm(document, report);
  return { ...(realm === undefined ? {} : { realm }), ...readPolicies(document, kinds, report) };
}

function readVersion({ root, files }: SourceDocument, report: Report): void {
  if (!Object.hasOwn(root, "version")) {
    // Included files come first in the list, the main file last.
    report.add(
      {
        code: "config/version",
        message: "the file does not say which version of the format it is",
        hint: 'start it with "version: 1"',
      },
      files[files.length - 1]?.span(0, 0),
    );
  } else if (root.version !== FORMAT_VERSION)
    report.atValue(root, ["version"], {
      code: "config/version",
      message: `this realmctl reads version ${FORMAT_VERSION} of the format, not ${JSON.stringify(root.version)}`,
      hint:
        typeof root.version === "number" && root.version > FORMAT_VERSION
          ? "use a newer realmctl"
          : `write version: ${FORMAT_VERSION}`,
    });
}

export function readRealm({ root, places }: SourceDocument, report: Report): Header["realm"] {
  if (!Object.hasOwn(root, "realm")) return undefined;
  const { realm } = root;
  const at = places.valueSpan(root, ["realm"]);
  const url = typeof realm === "string" && URL.canParse(realm) ? new URL(realm) : undefined;
  const problem = (message: string, hint: string, secret = false): undefined => {
    const unquotable = secret ? ({ unquotable: true } as const) : {};
    report.atValue(root, ["realm"], { code: "config/realm", message, hint, ...unquotable });
    return undefined;
  };
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const bare = typeof realm === "string" && /^[\w-]+(\.[\w-]+)*(:\d+)?\/?$/.test(realm);
    return problem(
      "realm is the URL of an organization",
      bare ? `write https://${realm}` : "write it like https://chat.example.org",
    );
  }
  if (url.username !== "" || url.password !== "")
    return problem(
      "credentials do not belong into the file",
      "take them out of the URL; keys come from ZULIP_* variables or a zuliprc",
      true,
    );
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return problem("realm is the URL of an organization, without a path", `write ${url.origin}`);
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
    report.atValue(root, ["manage"], {
      code: "config/policy",
      message: "manage is a map from sections to policies",
      hint: "write manage: {channels: additive}",
    });
    return read;
  }
  const sections = kinds.map((kind) => kind.section);
  for (const { key, value } of places.entries(manage)) {
    const section = String(key);
    if (!sections.includes(section)) {
      report.atKey(manage, [section], {
        code: "config/unknown-section",
        message: `there is no section ${JSON.stringify(section)}`,
        hint: suggest(didYouMean(section, sections, report.patience)) ?? `sections: ${listNames(sections, 20)}`,
      });
      continue;
    }
    const policy = POLICIES.find((known) => known === value);
    if (policy === undefined) {
      const meant = typeof value === "string" ? didYouMean(value, POLICIES) : undefined;
      report.atValue(manage, [section], {
        code: "config/policy",
        message: `${value === null ? "nothing" : JSON.stringify(value)} is no policy`,
        hint:
          suggest(meant) ?? "policies: ignore, additive (what is not in the file is left alone), exact (it is removed)",
      });
      continue;
    }
    // "exact" and no list could be read as "remove them all": nobody should find out which it is on a live realm.
    if (policy === "exact" && !Object.hasOwn(root, section))
      report.atValue(manage, [section], {
        code: "config/exact-without-section",
        message: `manage says exact for ${section}, and the file has no ${section}`,
        hint: `take the line out to leave ${section} alone, or add the section (empty, if every one of them shall go)`,
      });
    policies[section] = policy;
    const at = places.valueSpan(manage, [section]);
    if (at !== undefined) manageAt[section] = at;
  }
  return read;
}

const suggest = (meant: string | undefined): string | undefined =>
  meant === undefined ? undefined : `did you mean ${JSON.stringify(meant)}?`;
