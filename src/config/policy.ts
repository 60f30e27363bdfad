import { guardMeant, LIMITS, SECTION_LIMITS } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import { foundValue, quote, quoteAll } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { GuardPolicy, Limit, PolicyEntry } from "../model/policy.ts";
import { type LoadOptions, loadDocument, type SourceDocument } from "../source/load.ts";
import { directoryOf, join } from "../source/paths.ts";
import { isTree, type Tree } from "../source/tree.ts";
import { HEADER_KEYS, readRealm, readVersion } from "./header.ts";
import { MOST_WILDCARDS } from "./manage.ts";
import { Report } from "./report.ts";
import { readSync } from "./sync-parts.ts";
import { fillVariables } from "./variables.ts";

const KEYS = ["limits", "protect", "lockout", "min_owners", "sync"] as const;
/** Reads `policy:`; undefined if the file has none (docs/policy.md). */
export function readPolicy(
  document: SourceDocument,
  kinds: readonly ResourceKind[],
  report: Report,
): PolicyEntry | undefined {
  const { root, places } = document;
  if (!Object.hasOwn(root, "policy")) return undefined;
  const { policy } = root;
  if (typeof policy === "string" && policy.trim() !== "") {
    const at = places.valueSpan(root, ["policy"]);
    return { file: policy, ...defined({ at }) };
  }
  if (!isTree(policy)) {
    report.atValue(root, ["policy"], "policy/not-a-map", { what: "policy" });
    return undefined;
  }
  for (const { key } of places.entries(policy))
    if (!KEYS.some((known) => known === key))
      report.atKey(policy, [String(key)], "policy/unknown", {
        where: "policy",
        key: quote(String(key)),
        ...suggestion(String(key), KEYS),
      });
  return {
    limits: readLimits(policy, document, kinds, report),
    protect: readProtect(policy, document, kinds, report),
    ...defined({ sync: Object.hasOwn(policy, "sync") ? readSync(policy, document, kinds, report) : undefined }),
    ...readLockout(policy, document, report),
    ...readMinOwners(policy, document, report),
  };
}

/** The guard rails in a file, and which organization it is for; other parts are ignored. */
interface OwnPolicy {
  readonly realm?: { readonly url: string; readonly at: Span };
  readonly policy?: PolicyEntry;
}

/** Reads `policy:` of a configuration whose other sections may have any error: an undo must not depend on them. */
export async function readOwnPolicy(
  options: LoadOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<OwnPolicy>> {
  const loaded = await loadDocument(options);
  if (!loaded.ok) return loaded;
  const report = new Report(loaded.value, loaded.warnings);
  await fillVariables(loaded.value, report, options, true);
  const realm = readRealm(loaded.value, report);
  const policy = readPolicy(loaded.value, options.kinds, report);
  const diagnostics = report.sorted();
  if (diagnostics.some(({ severity }) => severity === "error")) return { ok: false, diagnostics };
  const value = { ...defined({ realm, policy }) };
  return { ok: true, value, warnings: diagnostics };
}

/**
 * The guard rails of a file that a command names: a policy, or another version of the organization's file. Of that, only `policy:` is read; where it says
 * nothing, the default limits apply.
 */
export async function loadNamedPolicy(
  options: LoadOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<GuardPolicy>> {
  const found = await loadPolicy(options);
  const isOrganization = !found.ok && found.diagnostics.some(isOfOrganization);
  if (!isOrganization) return found;
  const own = await readOwnPolicy(options);
  if (!own.ok) return own;
  const { policy = { limits: {}, protect: [] } } = own.value;
  if (!("file" in policy)) return { ...own, value: policy };
  return loadPolicy({ ...options, file: join(directoryOf(options.file.replaceAll("\\", "/")), policy.file) });
}

const isOfOrganization = ({ code, fact }: Diagnostic): boolean =>
  (code === "policy/missing" && fact.section !== undefined) ||
  (code === "policy/unknown" && fact.where === "file" && HEADER_KEYS.includes(fact.key.quoted));

/** A policy in a separate file, with `version: 1` and `policy:`, or only the content of `policy:`. */
export async function loadPolicy(
  options: LoadOptions & { readonly kinds: readonly ResourceKind[] },
): Promise<Checked<GuardPolicy>> {
  const loaded = await loadDocument(options);
  // What is no map is not told to be the file of an organization: that is not what was asked for.
  if (!loaded.ok)
    return {
      ok: false,
      diagnostics: loaded.diagnostics.map((one) =>
        one.code === "yaml/not-a-map" ? error("policy/missing", { file: options.file }, one.at) : one,
      ),
    };
  const document = loaded.value;
  const report = new Report(document, loaded.warnings);
  const known = ["version", "policy"];
  const others = document.places
    .entries(document.root)
    .flatMap(({ key }) => (known.includes(String(key)) ? [] : [String(key)]));
  const section = others.find((name) => options.kinds.some((kind) => kind.section === name));
  if (section !== undefined) {
    // To delete what does not belong into a policy would delete the organization's file.
    report.atKey(document.root, [section], "policy/missing", { file: options.file, section });
    return { ok: false, diagnostics: report.sorted() };
  }
  const rails = Object.hasOwn(document.root, "policy") ? [] : others.filter((name) => KEYS.some((key) => key === name));
  for (const name of others) {
    const belongs = defined({ belongs: rails.includes(name) ? (true as const) : undefined });
    report.atKey(document.root, [name], "policy/unknown", { where: "file", key: quote(name), ...belongs });
  }
  if (Object.hasOwn(document.root, "version")) readVersion(document, report);
  const policy = readPolicy(document, options.kinds, report);
  const isWritten = Object.hasOwn(document.root, "policy");
  if ((policy === undefined && rails.length === 0 && !isWritten) || (policy !== undefined && "file" in policy))
    report.add(
      "policy/missing",
      { file: options.file, ...defined({ names: policy?.file }) },
      document.files[document.files.length - 1]?.span(0, 0),
    );
  const diagnostics = report.sorted();
  if (policy === undefined || "file" in policy || diagnostics.some(({ severity }) => severity === "error"))
    return { ok: false, diagnostics };
  return { ok: true, value: policy, warnings: diagnostics };
}

function readLimits(
  policy: Tree,
  { places }: SourceDocument,
  kinds: readonly ResourceKind[],
  report: Report,
): GuardPolicy["limits"] {
  const limits: { [name: string]: Limit } = {};
  if (!Object.hasOwn(policy, "limits")) return limits;
  const sections = kinds.map(({ section }) => section);
  const read = (map: Tree, prefix: string, known: readonly string[]): void => {
    for (const { key, value } of places.entries(map)) {
      const name = String(key);
      if (prefix === "" && sections.includes(name) && isTree(value)) {
        read(value, `${name}.`, SECTION_LIMITS);
        continue;
      }
      if (!known.includes(name)) {
        const section = defined({ section: prefix.slice(0, -1) || undefined });
        const near = suggestion(name, prefix === "" ? [...known, ...sections] : known);
        report.atKey(map, [name], "policy/unknown-limit", { name: quote(name), ...section, ...near });
        continue;
      }
      const isPercent = name.endsWith("_percent");
      if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || (isPercent && value > 100)) {
        report.atValue(map, [name], "policy/limit", { limit: name, is_percent: isPercent, found: foundValue(value) });
        continue;
      }
      const at = places.valueSpan(map, [name]);
      limits[`${prefix}${name}`] = { most: value, ...defined({ at }) };
    }
  };
  if (isTree(policy.limits)) read(policy.limits, "", LIMITS);
  else report.atValue(policy, ["limits"], "policy/not-a-map", { what: "limits" });
  return limits;
}

function readProtect(
  policy: Tree,
  { places }: SourceDocument,
  kinds: readonly ResourceKind[],
  report: Report,
): GuardPolicy["protect"] {
  const { protect } = policy;
  if (!Object.hasOwn(policy, "protect")) return [];
  if (!Array.isArray(protect)) {
    const parts = typeof protect === "string" ? protect.split(/,\s*/) : [];
    const areNames = parts.length > 0 && parts.every((part) => /^[^\s:][^:]*$/.test(part) || isPattern(part, kinds));
    report.atValue(policy, ["protect"], "policy/not-a-list", areNames ? { patterns: quoteAll(parts) } : {});
    return [];
  }
  const wildcards = protect.filter((pattern) => typeof pattern === "string" && /[*?]/.test(pattern)).length;
  if (wildcards > MOST_WILDCARDS) {
    const fact = { patterns: wildcards, most: MOST_WILDCARDS };
    report.atValue(policy, ["protect"], "policy/protect", fact);
    return [];
  }
  const names = kinds.map(({ name }) => name);
  return protect.flatMap((pattern: unknown, index) => {
    if (typeof pattern !== "string" || !isPattern(pattern, kinds)) {
      report.atValue(protect, [index], "policy/protect", { found: foundValue(pattern), kinds: names });
      return [];
    }
    const at = places.valueSpan(protect, [index]);
    return [{ pattern, ...defined({ at }) }];
  });
}

/** Whether it is a kind, a colon and a name. No name begins or ends with a space: such a pattern would protect nothing, without a message. */
function isPattern(text: string, kinds: readonly ResourceKind[]): boolean {
  const [, kind, rest] = /^([^:]+):(\S|\S.*\S)$/s.exec(text) ?? [];
  return rest !== undefined && kinds.some(({ name, section }) => name === kind || section === kind);
}

function readLockout(
  policy: Tree,
  { places }: SourceDocument,
  report: Report,
): Pick<GuardPolicy, "lockout" | "lockoutAt"> {
  if (!Object.hasOwn(policy, "lockout")) return {};
  const { lockout } = policy;
  const at = places.valueSpan(policy, ["lockout"]);
  if (lockout === "refuse" || lockout === "allow") return { lockout, ...defined({ lockoutAt: at }) };
  report.atValue(policy, ["lockout"], "policy/lockout", { found: foundValue(lockout) });
  return {};
}

function readMinOwners(policy: Tree, { places }: SourceDocument, report: Report): Pick<GuardPolicy, "minOwners"> {
  if (!Object.hasOwn(policy, "min_owners")) return {};
  const { min_owners: least } = policy;
  const at = places.valueSpan(policy, ["min_owners"]);
  if (typeof least === "number" && Number.isInteger(least) && least >= 1)
    return { minOwners: { least, ...defined({ at }) } };
  report.atValue(policy, ["min_owners"], "policy/min-owners", { found: foundValue(least) });
  return {};
}

function suggestion(name: string, known: readonly string[]) {
  const meant = guardMeant(name, known);
  return { ...defined({ meant }), known };
}
