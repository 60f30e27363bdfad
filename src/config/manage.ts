import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { foundValue, type Quoted, quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Policy } from "../model/objects.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree, type Tree } from "../source/tree.ts";
import type { Report } from "./report.ts";

/** Patterns with wildcards: each is compared with every object of its kind. */
export const MOST_WILDCARDS = 1_000;

export const POLICIES = ["ignore", "additive", "exact"] as const satisfies readonly Policy[];
/** What the absence of a field in the file means: leave it alone, or the value that the server gives to new objects. */
export const UNSET = ["leave", "default"] as const;
const KEYS = ["policy", "unset", "except"] as const;
/** The key of the policy of sections that have none of their own. */
const DEFAULT = "default";

export type Manage = Required<Pick<Desired, "manage" | "manageAt" | "unset" | "except">>;

/**
 * Reads `manage:`: for each section a policy, or a map with a policy and the meaning of unset fields
 * (docs/internals/decisions/0003-what-a-file-leaves-out-stays.md).
 */
export function readManage({ root, places }: SourceDocument, kinds: readonly ResourceKind[], report: Report): Manage {
  const policies: { [section: string]: Policy } = {};
  const manageAt: { [section: string]: Span } = {};
  const unset: { [section: string]: Span } = {};
  const except: { [section: string]: readonly string[] } = {};
  const read = { manage: policies, manageAt, unset, except };
  if (!Object.hasOwn(root, "manage")) return read;
  const { manage } = root;
  if (!isTree(manage)) {
    const fact = { found: foundValue(manage), where: "manage", ...defined({ line: lineMeant(root, kinds) }) } as const;
    report.atValue(root, ["manage"], "config/policy", fact);
    return read;
  }
  const sections = kinds.map((kind) => kind.section);
  const common = Object.hasOwn(manage, DEFAULT) ? policyAt(manage, DEFAULT, report) : undefined;
  const commonAt = places.valueSpan(manage, [DEFAULT]);
  for (const kind of kinds) {
    if (common === undefined || !takes(kind, common) || !Object.hasOwn(root, kind.section)) continue;
    policies[kind.section] = common;
    if (commonAt !== undefined) manageAt[kind.section] = commonAt;
  }
  for (const { key, value } of places.entries(manage)) {
    const section = String(key);
    if (section === DEFAULT) continue;
    const kind = kinds.find((each) => each.section === section);
    if (kind === undefined) {
      const meant = didYouMean(section, sections, report.patience);
      const policy = POLICIES.find((known) => known === value) ?? "additive";
      const holds = meant === undefined ? { line: quote(`manage: {channels: ${policy}}`) } : undefined;
      report.atKey(manage, [section], "config/unknown-section", unknownSection(section, meant, sections, { holds }));
      continue;
    }
    const [holder, path] = isTree(value) ? [value, "policy"] : [manage, section];
    const isLeftOut = isTree(value) && !Object.hasOwn(value, "policy");
    const policy = isLeftOut ? (policies[section] ?? "additive") : policyAt(holder, path, report);
    if (isTree(value)) {
      const at = unsetAt(value, kind, policy, report);
      if (at !== undefined) unset[section] = at;
      const patterns = exceptAt(value, kind, report);
      if (patterns !== undefined) except[section] = patterns;
    }
    if (policy === undefined) continue;
    if (policy === "exact" && kind.isPartial === true) {
      report.atValue(holder, [path], "config/partial-section", { section });
      continue;
    }
    // "exact" without a list could mean "remove them all": nobody should find that out on a live realm.
    const fact = { section, is_one: kind.shape === "singleton" };
    if (policy === "exact" && !Object.hasOwn(root, section))
      report.atValue(holder, [path], "config/exact-without-section", fact);
    policies[section] = policy;
    const at = places.valueSpan(holder, [path]) ?? places.valueSpan(manage, [section]);
    if (at !== undefined) manageAt[section] = at;
  }
  return read;
}

/** Not `settings` and `user_defaults`: `exact` sets what they leave out to defaults, which nobody should get by one word for all sections. */
const takes = ({ shape, isPartial }: ResourceKind, policy: Policy): boolean =>
  shape !== "singleton" && !(policy === "exact" && isPartial === true);

/** As many patterns as a list of protections has. */
function exceptAt(
  value: Tree,
  { section, shape, isPartial }: ResourceKind,
  report: Report,
): readonly string[] | undefined {
  if (!Object.hasOwn(value, "except")) return undefined;
  const { except } = value;
  if (shape === "singleton" || isPartial === true) {
    report.atKey(value, ["except"], "config/unset", { cause: "except-of-none", section });
    return undefined;
  }
  const isName = (name: unknown): name is string => typeof name === "string" && name.trim() !== "";
  if (Array.isArray(except) && except.every(isName) && except.length <= MOST_WILDCARDS) return except;
  report.atValue(value, ["except"], "config/unset", { cause: "except", section, most: MOST_WILDCARDS });
  return undefined;
}

/** `manage: exact` and a list of maps as the map that they mean. */
function lineMeant({ manage, ...root }: Tree, kinds: readonly ResourceKind[]): Quoted | undefined {
  const sections = kinds.map(({ section }) => section).filter((section) => Object.hasOwn(root, section));
  const policy = POLICIES.find((known) => known === manage);
  const entries = Array.isArray(manage)
    ? manage.flatMap((entry: unknown) => (isTree(entry) ? Object.entries(entry) : []))
    : policy === undefined
      ? []
      : sections.map((section) => [section, policy] as const);
  const isWhole = entries.every(([, value]) => POLICIES.some((known) => known === value));
  if (entries.length === 0 || !isWhole) return undefined;
  return quote(`manage: {${entries.map(([section, value]) => `${section}: ${String(value)}`).join(", ")}}`);
}

function policyAt(holder: Tree, path: string, report: Report): Policy | undefined {
  const value = holder[path];
  const policy = POLICIES.find((known) => known === value);
  if (policy !== undefined) return policy;
  const meant = typeof value === "string" ? didYouMean(value, POLICIES) : undefined;
  const suggested = defined({ meant });
  report.atValue(holder, [path], "config/policy", { found: foundValue(value), where: "section", ...suggested });
  return undefined;
}

/** The place where the section asks for defaults. Every unknown key is reported. */
function unsetAt(value: Tree, kind: ResourceKind, policy: Policy | undefined, report: Report): Span | undefined {
  for (const { key } of report.document.places.entries(value)) {
    const name = String(key);
    if (KEYS.some((known) => known === name)) continue;
    const meant = didYouMean(name, KEYS);
    const suggested = defined({ meant });
    report.atKey(value, [name], "config/unset", { cause: "key", key: quote(name), ...suggested });
  }
  if (!Object.hasOwn(value, "unset")) return undefined;
  const { unset } = value;
  if (!UNSET.some((known) => known === unset)) {
    report.atValue(value, ["unset"], "config/unset", { cause: "value", found: foundValue(unset) });
    return undefined;
  }
  if (unset !== "default") return undefined;
  const { section } = kind;
  const isWatched = kind.diff?.defaults !== undefined;
  if (isWatched && policy !== "ignore") return report.document.places.valueSpan(value, ["unset"]);
  const cause = isWatched ? "ignored" : "no-defaults";
  report.atValue(value, ["unset"], "config/unset", { cause, section });
  return undefined;
}

/**
 * @property above the section without content right above: the key may be indented too little
 * @property holds what the key holds if it is no section, but something else that has its place
 */
export const unknownSection = (
  name: string,
  meant: string | undefined,
  sections: readonly string[],
  more: { readonly [K in "above" | "holds"]?: DiagnosticFacts["config/unknown-section"][K] | undefined } = {},
) => ({ name: quote(name), ...defined({ meant, ...more }), sections });
