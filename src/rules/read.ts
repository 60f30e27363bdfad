import { READ } from "../access/rules.ts";
import { SCOPES } from "../access/scope.ts";
import { PRIVACIES } from "../access/state.ts";
import { PRIVACY_SYNONYMS, rightsCalled, rightWords } from "../access/words.ts";
import { placedFindings } from "../config/issues.ts";
import { Report } from "../config/report.ts";
import { shapeOf } from "../config/shape.ts";
import { withoutFaults } from "../config/without-faults.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Finding, finding, type Path, type Span } from "../model/diagnostic.ts";
import { foundValue, quote, type Word } from "../model/diagnostics/values.ts";
import { isRightName } from "../model/permission-settings.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { type LoadOptions, loadDocument } from "../source/load.ts";
import { isTree, type Tree } from "../source/tree.ts";
import { valuesOf } from "./fields.ts";
import { Expectation, FieldExpectation, isAddress, isAllExcepted, listOf, Rule } from "./schema.ts";

/** A rule with the place of each of its parts. */
export interface ReadRule {
  readonly rule: Rule;
  readonly at: Span;
  /** The place of what is written at a path below the rule. */
  spanOf(path: Path): Span;
  /** The place of the key at a path below the rule. */
  keyOf(path: Path): Span;
}

/** The rules that were read, and the report for further errors, which only an organization shows. */
export interface ReadRules {
  readonly rules: readonly ReadRule[];
  readonly report: Report;
}

const KNOWN = ["version", "tests"];
/** Other words for `tests`. */
const RULES_WORDS: ReadonlySet<string> = new Set(["test", "rule", "rules", "checks"]);
const FILE = { noun: "file of rules", path: [] } as const;

/** @property sections those of a configuration, which is no file of rules */
type RulesFile = LoadOptions & { readonly sections?: readonly string[] };

/** Reads a file of rules. The report has the errors that the file alone shows, so that all errors can be reported together. */
export async function readRules(options: RulesFile): Promise<Checked<ReadRules>> {
  const loaded = await loadDocument(options);
  if (!loaded.ok) return loaded;
  const document = loaded.value;
  const report = new Report(document, loaded.warnings);
  const { root, places } = document;
  const section = options.sections?.find((name) => Object.hasOwn(root, name));
  if (root.tests === undefined && section !== undefined) {
    report.atKey(root, [section], "rules/no-rules", { file: options.file, section });
    return { ok: false, diagnostics: report.sorted() };
  }
  let isMisspelt = false;
  for (const { key } of places.entries(root)) {
    if (KNOWN.includes(String(key))) continue;
    const meant = RULES_WORDS.has(String(key).toLowerCase())
      ? "tests"
      : didYouMean(String(key), KNOWN, report.patience);
    isMisspelt ||= meant === "tests";
    const way =
      meant === undefined ? ({ kind: "fields", fields: KNOWN } as const) : ({ kind: "meant", field: meant } as const);
    report.atKey(root, [String(key)], "field/unknown", { label: FILE, field: quote(String(key)), way });
  }
  if (root.version === undefined) report.add("config/version", { cause: "missing" }, places.keySpan(root, ["tests"]));
  else if (root.version !== 1)
    report.atValue(root, ["version"], "rules/version", { found: quote(String(root.version)) });
  const { tests } = root;
  const testsAt = places.valueSpan(root, ["tests"]) ?? places.keySpan(root, ["version"]);
  if (tests === undefined || (Array.isArray(tests) && tests.length === 0)) {
    // There may be rules below the misspelt key.
    if (tests !== undefined || !isMisspelt) report.add("rules/no-rules", {}, testsAt);
  } else if (!Array.isArray(tests)) {
    const label = { ...FILE, path: ["tests"] };
    const instead = { meant: "form", form: "tests: [{name: …, who: …, can: …}]" } as const;
    report.add("field/type", { label, types: ["array"], found: foundValue(tests), fields: [], instead }, testsAt);
  }
  const rules = Array.isArray(tests) ? tests.flatMap((raw, index) => decode(raw, index, tests, report) ?? []) : [];
  for (const rule of rules) checkAlone(rule, report);
  checkNames(rules, report);
  return { ok: true, value: { rules, report }, warnings: [] };
}

/** Reports an unknown key below a right or a field, whose names no schema has. */
function unknownExpectation(part: string, key: string, report: Report) {
  const known = Object.keys(part === "rights" ? Expectation.shape : FieldExpectation.shape);
  const meant = didYouMean(key, known, report.patience);
  return finding("rules/unknown-expectation", {
    key: quote(key),
    known,
    ...defined({ meant }),
  });
}

/** A key that a schema silently drops from a map: no right and no field has this name. */
const DROPPED = "__proto__";

/** Parts of a rule with a key that the schema drops; each is reported. */
function checkDropped(raw: Tree, report: Report): boolean {
  let isFound = false;
  for (const part of ["can", "cannot", "rights", "fields"] as const) {
    const map = raw[part];
    if (!isTree(map) || !Object.hasOwn(map, DROPPED)) continue;
    isFound = true;
    // checkRightsOf finds those of rights.
    if (part === "fields") report.atKey(raw, [part, DROPPED], "rules/unknown-field", { field: quote(DROPPED) });
  }
  return isFound;
}

function decode(raw: unknown, index: number, tests: readonly unknown[], report: Report): ReadRule | undefined {
  const { places } = report.document;
  const parsed = Rule.safeParse(raw);
  if (!parsed.success) {
    const container: Tree | readonly unknown[] = isTree(raw) ? raw : tests;
    const context = {
      value: raw,
      shape: shapeOf(Rule, [], { synonyms: () => PRIVACY_SYNONYMS }),
      noun: "rule",
      patience: report.patience,
    };
    const placed = placedFindings(parsed.error.issues, context);
    const reported = new Set<string>();
    for (const { path, on, finding: found } of placed) {
      const nameless = isTree(raw) ? namelessExpectation(path) : undefined;
      if (nameless !== undefined) {
        const at = path.slice(0, 2);
        if (!reported.has(at.join())) report.addFound(nameless, places.keySpan(container, at));
        reported.add(at.join());
        continue;
      }
      const isExpectation = on === "key" && (path[0] === "rights" || path[0] === "fields") && path.length === 3;
      const finding = isExpectation
        ? unknownExpectation(String(path[0]), String(path[2]), report)
        : withForm(found, path);
      const whole = isTree(raw) ? path : [index, ...path];
      if (whole.length === 0) report.addFound(finding, places.valueSpan(tests, [index]));
      else if (on === "key") report.addFound(finding, places.keySpan(container, whole));
      else report.addFound(finding, places.valueSpan(container, whole) ?? places.valueSpan(tests, [index]));
    }
    const isDropped = isTree(raw) && checkDropped(raw, report);
    const faults = placed.map(({ path }) => path);
    const rest = isTree(raw) && !isDropped ? restOf(raw, index, parsed.error.issues, faults) : undefined;
    if (rest === undefined && isTree(raw)) checkRightsOf(raw, report);
    return rest === undefined ? undefined : placedRule(rest, raw, index, tests, report);
  }
  // The rest of such a part would be read as if it were complete.
  if (isTree(raw) && checkDropped(raw, report)) {
    checkRightsOf(raw, report);
    return undefined;
  }
  return placedRule(parsed.data, raw, index, tests, report);
}

function placedRule(
  rule: Rule,
  raw: unknown,
  index: number,
  tests: readonly unknown[],
  { document: { places, root } }: Report,
): ReadRule | undefined {
  const at = places.valueSpan(tests, [index]) ?? places.valueSpan(root, ["tests"]);
  if (at === undefined || !isTree(raw)) return undefined;
  return {
    rule,
    at,
    spanOf: (path) => places.valueSpan(raw, path) ?? at,
    keyOf: (path) => places.keySpan(raw, path) ?? at,
  };
}

/** Which of the two has this expectation, if it is one: its word may stand where the name of a right or field is missing. */
export const expectationOf = (word: string): "right" | "field" | undefined =>
  Object.hasOwn(Expectation.shape, word) ? "right" : Object.hasOwn(FieldExpectation.shape, word) ? "field" : undefined;

/** `fields: {is: public}` */
function namelessExpectation([part, word]: Path): Finding | undefined {
  const expects = typeof word === "string" ? expectationOf(word) : undefined;
  if (typeof word !== "string" || expects === undefined) return undefined;
  if (part === "fields") return finding("rules/unknown-field", { field: quote(word), expects });
  return part === "rights" ? finding("rules/unknown-right", { right: quote(word), expects }) : undefined;
}

/** The form of a part of a rule, for an error about another form in its place. */
function formOf([first, second, third]: Path): Word | undefined {
  switch (first) {
    case undefined:
      return "{name: Guests read the lobby, who: guest, can: {read: lobby}}";
    case "rights":
      if (third !== undefined) return third === "at_least" || third === "at_most" ? `${third}: 2` : undefined;
      return second === undefined ? "rights: {read: {only: staff}}" : `${second}: {only: staff}`;
    case "fields":
      if (third !== undefined) return undefined;
      return second === undefined ? "fields: {privacy: {is: public}}" : `${second}: {is: …}`;
    case "can":
    case "cannot":
      return second === undefined ? `${first}: {read: lobby}` : undefined;
    case "objects":
    case "except":
      return `${first}: [lobby, "customer-*", user_group:staff]`;
    case "bots":
      return "bots: true";
    default:
      return undefined;
  }
}

function withForm(found: Finding, path: Path): Finding {
  const form = formOf(path);
  if (form === undefined || found.fact === undefined) return found;
  const instead = { meant: "form", form } as const;
  if (found.code === "field/type") return finding("field/type", { instead, ...found.fact });
  return found.code === "field/value" ? finding("field/value", { instead, ...found.fact }) : found;
}

/** Checks the words for rights in a rule that has another error. */
function checkRightsOf(raw: Tree, report: Report): void {
  const { places } = report.document;
  for (const part of ["can", "cannot", "rights"] as const) {
    const words = raw[part];
    if (!isTree(words)) continue;
    for (const { key } of places.entries(words)) {
      const at = places.keySpan(words, [String(key)]);
      if (at !== undefined && namelessExpectation([part, key]) === undefined) checkRight(String(key), at, report);
    }
  }
}

/**
 * A rule without the rights and fields that have errors, if each of its parts keeps some: what is said about these is no consequence. Without a name, it
 * has its number.
 */
function restOf(
  raw: Tree,
  index: number,
  issues: Parameters<typeof placedFindings>[0],
  faults: readonly Path[],
): Rule | undefined {
  const { value } = withoutFaults(raw, issues, faults);
  const isWhole =
    isTree(value) &&
    Object.keys(raw).every((key) => key === "name" || Object.hasOwn(value, key)) &&
    Object.values(value).every((part) => !isTree(part) || Object.keys(part).length > 0);
  return isWhole ? Rule.safeParse({ name: `rule ${index + 1}`, ...value }).data : undefined;
}

/** What a rule says, by what it is about. */
const EXPECTATIONS = { who: ["can", "cannot"], objects: ["rights", "fields"] } as const;

/** Errors of one rule that are visible without an organization. */
function checkAlone(read: ReadRule, report: Report): void {
  const { rule, spanOf, keyOf } = read;
  const test = quote(rule.name);
  const nameAt = spanOf(["name"]);
  const { who, objects: on, rights, fields } = rule;
  for (const part of ["can", "cannot", "rights", "fields"] as const)
    if (rule[part] !== undefined && Object.keys(rule[part]).length === 0)
      report.add("rules/empty-part", { part }, keyOf([part]));
  const names = typeof who === "string" || Array.isArray(who) ? listOf(who) : [];
  if (names.length > 0 && names.every((name) => NOBODY.has(name)))
    report.add("rules/never-fails", { why: "nobody" }, spanOf(["who"]));
  if (who !== undefined && on !== undefined) report.add("rules/two-kinds", { test }, nameAt);
  else if (who === undefined && on === undefined) {
    report.add("rules/no-subject", { test }, nameAt);
    return;
  } else {
    const [of, belongs] = who === undefined ? (["objects", "who"] as const) : (["who", "objects"] as const);
    if (EXPECTATIONS[of].every((part) => rule[part] === undefined))
      report.add("rules/no-expectation", { test, of }, nameAt);
    for (const field of EXPECTATIONS[belongs])
      if (rule[field] !== undefined) report.add("rules/misplaced", { field, belongs }, spanOf([field]));
  }
  for (const [index, pattern] of listOf(rule.privacy).entries())
    if (!PRIVACIES.some((privacy) => matchesWildcard(pattern, privacy))) {
      // "private" is a common word for two of them.
      const isStart = PRIVACIES.some((privacy) => privacy.startsWith(`${pattern}_`));
      const meant = isStart ? `${pattern}_*` : didYouMean(pattern, PRIVACIES, report.patience);
      report.add(
        "rules/no-match",
        {
          pattern: quote(pattern),
          ...defined({ meant: meant === undefined ? undefined : quote(meant) }),
        },
        spanOf(Array.isArray(rule.privacy) ? ["privacy", index] : ["privacy"]),
      );
    }
  for (const part of ["can", "cannot", "rights"] as const)
    for (const right of Object.keys(rule[part] ?? {})) checkRight(right, keyOf([part, right]), report);
  for (const [right, expectation] of Object.entries(rights ?? {}))
    checkExpectation(right, expectation, (path) => spanOf(["rights", right, ...path]), report);
  for (const [field, expectation] of Object.entries(fields ?? {})) checkField(field, expectation, spanOf, report);
  checkOpposites(read, report);
}

function checkRight(right: string, at: Span, report: Report): void {
  if (rightsCalled(right).length > 0) return;
  // Only a server can tell whether it is the name of a right that it has and this version does not know.
  if (!isRightName(right)) report.addFound(unknownRight(right, report), at);
}

export function unknownRight(right: string, { patience }: Pick<Report, "patience">): Finding {
  const meant = didYouMean(right, rightWords(SCOPES), patience);
  return finding("rules/unknown-right", { right: quote(right), ...defined({ meant, expects: expectationOf(right) }) });
}

const EVERYBODY: ReadonlySet<string> = new Set(["role:everyone", "role:internet"]);
const NOBODY: ReadonlySet<string> = new Set(["role:nobody", "nobody"]);
const MEMBERS: ReadonlySet<string> = new Set(["role:members", "member", "members"]);
const GUESTS: ReadonlySet<string> = new Set(["guest", "guests"]);
/** No organization has so many people: a higher limit has no effect. */
const MOST_PEOPLE = 500_000;

/** Whether these names mean everybody: one name for everybody, or members and guests together. */
function isEverybody(names: readonly string[]): boolean {
  if (names.some((name) => EVERYBODY.has(name))) return true;
  return names.some((name) => MEMBERS.has(name)) && names.some((name) => GUESTS.has(name));
}

/** Whether an address is certainly not in a list of names. Only an organization shows who is in groups. */
function isOutside(name: string, only: readonly string[]): boolean {
  const wanted = name.toLowerCase();
  return isAddress(name) && only.every((one) => isAddress(one) && one.toLowerCase() !== wanted);
}

function checkExpectation(right: string, expectation: Expectation, spanOf: (path: Path) => Span, report: Report): void {
  const { exactly, allow, deny, only, at_least, at_most } = expectation;
  if (Object.keys(expectation).length === 0) {
    report.add("rules/empty-expectation", { right: quote(right) }, spanOf([]));
    return;
  }
  if (exactly !== undefined && Object.keys(expectation).length > 1)
    report.add("rules/contradiction", { between: "exactly-and-others" }, spanOf(["exactly"]));
  const denied = new Set(listOf(deny));
  const both = listOf(allow).find((name) => denied.has(name));
  if (both !== undefined)
    report.add("rules/contradiction", { between: "allow-and-deny", name: quote(both) }, spanOf(["deny"]));
  const bounded = exactly ?? only;
  const atMostNamed = listOf(bounded).every((name) => isAddress(name)) ? new Set(listOf(bounded)).size : undefined;
  if (bounded !== undefined && atMostNamed !== undefined && at_least !== undefined && at_least > atMostNamed)
    report.add("rules/contradiction", { between: "only-and-least" }, spanOf(["at_least"]));
  if (only !== undefined) {
    const outside = listOf(allow).find((name) => isOutside(name, listOf(only)));
    if (outside !== undefined)
      report.add("rules/contradiction", { between: "only-and-allow", name: quote(outside) }, spanOf(["allow"]));
  }
  if (at_least !== undefined && at_most !== undefined && at_least > at_most)
    report.add("rules/contradiction", { between: "least-and-most" }, spanOf(["at_least"]));
  if (at_least === 0) report.add("rules/never-fails", { why: "no-limit" }, spanOf(["at_least"]));
  if (at_most !== undefined && at_most >= MOST_PEOPLE)
    report.add("rules/never-fails", { why: "too-many-allowed" }, spanOf(["at_most"]));
  // On the web, people without an account read, too.
  if (isEverybody(listOf(only)) && !rightsCalled(right).some((one) => one.right === READ))
    report.add("rules/never-fails", { why: "everybody" }, spanOf(["only"]));
  for (const part of ["allow", "deny"] as const)
    if (expectation[part] !== undefined && listOf(expectation[part]).every((name) => NOBODY.has(name)))
      report.add("rules/never-fails", { why: "nobody" }, spanOf([part]));
}

/** Reports the same right on the same object in `can` and `cannot` of one rule, and rules whose objects are all excepted. */
function checkOpposites({ rule, spanOf }: ReadRule, report: Report): void {
  for (const part of ["can", "cannot"] as const)
    for (const [right, objects] of Object.entries(rule[part] ?? {}))
      if (isAllExcepted(listOf(objects), listOf(rule.except)))
        report.add("rules/never-fails", { why: "all-excepted" }, spanOf([part, right]));
  for (const [right, objects] of Object.entries(rule.cannot ?? {})) {
    const allowed = new Set(listOf(rule.can?.[right]));
    const both = listOf(objects).find((pattern) => allowed.has(pattern)) ?? coveredBy(listOf(objects), [...allowed]);
    if (both !== undefined)
      report.add("rules/contradiction", { between: "can-and-cannot", on: quote(both) }, spanOf(["cannot", right]));
  }
}

/** Objects of `can` that `cannot` also has: a pattern covers every name that it matches. Excepted objects are in neither. */
function coveredBy(patterns: readonly string[], names: readonly string[]): string | undefined {
  const wild = patterns.filter((pattern) => pattern.includes("*") && isOfChannels(pattern));
  return names.find(
    (name) =>
      isOfChannels(name) && !name.includes("*") && wild.some((pattern) => matchesWildcard(bare(pattern), bare(name))),
  );
}
/** Whether a pattern is about channels: `*` alone matches every channel, and no group. */
export const isOfChannels = (pattern: string): boolean => !/^(?:user_group:|@)|^organization$/.test(pattern);
const bare = (pattern: string): string => pattern.replace(/^(?:#|channel:)/, "").toUpperCase();

/** Reports values that a field must both have and not have, and a field of which nothing is said. */
function checkField(field: string, expectation: FieldExpectation, spanOf: ReadRule["spanOf"], report: Report): void {
  if (Object.keys(expectation).length === 0)
    report.add("rules/empty-expectation", { right: quote(field) }, spanOf(["fields", field]));
  const [wanted, refused] = [valuesOf(expectation.is), valuesOf(expectation.not)];
  if (wanted.length > 0 && wanted.every((value) => refused.includes(value)))
    report.add("rules/contradiction", { between: "is-and-not" }, spanOf(["fields", field, "not"]));
}

function checkNames(rules: readonly ReadRule[], report: Report): void {
  const seen = new Set<string>();
  const exact = new Map<string, { readonly names: string; readonly rule: Rule; readonly at: Span }>();
  for (const { rule, spanOf } of rules) {
    if (seen.has(rule.name)) report.add("rules/same-name", { test: quote(rule.name) }, spanOf(["name"]));
    seen.add(rule.name);
    const objects = [...listOf(rule.objects), ...listOf(rule.privacy).map((word) => `privacy ${word}`)]
      .sort()
      .join("\n");
    for (const [right, { exactly }] of Object.entries(rule.rights ?? {})) {
      if (exactly === undefined) continue;
      const key = `${objects}\n${rightsCalled(right)[0]?.right ?? right}`;
      const names = [...listOf(exactly)].sort().join("\n");
      const before = exact.get(key);
      const at = spanOf(["rights", right, "exactly"]);
      if (before !== undefined && before.names !== names)
        report.addFound(oppositeOf(listOf(rule.objects).join(", "), before.rule, before.at), at);
      exact.set(key, before ?? { names, rule, at });
    }
  }
  checkPeopleRules(rules, report);
}

const oppositeOf = (on: string, { name }: Rule, at: Span) =>
  finding(
    "rules/contradiction",
    { between: "other-rule", on: quote(on), rule: quote(name) },
    { notes: [{ at, note: "opposite-here" }] },
  );

/** The statement of one rule about people, a right and a pattern of objects. */
interface Said {
  readonly part: "can" | "cannot";
  readonly rule: Rule;
  readonly pattern: string;
  readonly at: Span;
}

/**
 * Reports pairs of rules of which one says that somebody can and the other that they cannot, on the same pattern, or on a channel that the other
 * pattern covers.
 */
function checkPeopleRules(rules: readonly ReadRule[], report: Report): void {
  const said = new Map<string, Map<string, Said>>();
  // Each list gets a number, so that keys do not repeat a list of thousands of people.
  const numbers = new Map<string, number>();
  for (const { rule, spanOf } of rules) {
    if (rule.except !== undefined || rule.privacy !== undefined) continue;
    for (const { who, part, right, patterns, path } of sayingsOf(rule)) {
      const number = numbers.get(who) ?? numbers.size;
      numbers.set(who, number);
      const key = `${number}\n${rightsCalled(right)[0]?.right ?? right}`;
      const known = said.get(key) ?? new Map<string, Said>();
      said.set(key, known);
      for (const pattern of patterns) {
        const before = oppositeIn(known, part, pattern);
        if (before !== undefined && before.rule !== rule)
          report.addFound(oppositeOf(pattern, before.rule, before.at), spanOf(path));
        const own = `${part}\n${plainOf(pattern)}`;
        if (!known.has(own)) known.set(own, { part, rule, pattern, at: spanOf(path) });
      }
    }
  }
}

/** Lists with at most this number of patterns are searched for covering patterns. In longer ones, only the equal pattern and `*` are looked up. */
const MOST_COVERING = 50;

function oppositeIn(known: ReadonlyMap<string, Said>, part: "can" | "cannot", pattern: string): Said | undefined {
  const other = part === "can" ? "cannot" : "can";
  const same = known.get(`${other}\n${plainOf(pattern)}`);
  if (same !== undefined) return same;
  if (!isOfChannels(pattern)) return undefined;
  const every = known.get(`${other}\n*`);
  if (every !== undefined) return every;
  if (known.size > MOST_COVERING) return undefined;
  return [...known.values()].find(
    (one) =>
      one.part === other && (coveredBy([one.pattern], [pattern]) ?? coveredBy([pattern], [one.pattern])) !== undefined,
  );
}

const plainOf = (pattern: string): string => (isOfChannels(pattern) ? bare(pattern) : pattern);

/** The statements of a rule about named people, in either form of rules. */
function sayingsOf(rule: Rule) {
  const { who } = rule;
  if (who !== undefined) {
    const key = JSON.stringify(typeof who === "string" || Array.isArray(who) ? listOf(who) : plainWho(who));
    return (["can", "cannot"] as const).flatMap((part) =>
      Object.entries(rule[part] ?? {}).map(([right, objects]) => ({
        who: key,
        part,
        right,
        patterns: listOf(objects),
        path: [part, right],
      })),
    );
  }
  const patterns = listOf(rule.objects);
  return Object.entries(rule.rights ?? {}).flatMap(([right, { allow, deny }]) =>
    (["allow", "deny"] as const).flatMap((word) =>
      listOf(word === "allow" ? allow : deny).map((name) => ({
        who: JSON.stringify([name]),
        part: word === "allow" ? ("can" as const) : ("cannot" as const),
        right,
        patterns,
        path: ["rights", right, word],
      })),
    ),
  );
}

/** `{role: guest}` and `guest` are the same people. */
const plainWho = (who: { readonly role: string; readonly groups?: readonly string[] | undefined }) =>
  who.groups === undefined || who.groups.length === 0 ? [who.role] : who;
