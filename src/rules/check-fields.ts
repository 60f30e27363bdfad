import { CHANNEL, GROUP } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import type { Json } from "../model/json.ts";
import { didYouMean } from "../model/suggest.ts";
import { matchesWildcard } from "../model/wildcard.ts";
import { bareGroup, fitsPattern, groupMeant, idsNamed, type MeasuredGround, pathOf } from "./bind.ts";
import { type FieldForm, isGlob, valuesOf } from "./fields.ts";
import { expectationOf } from "./read.ts";
import { type FieldExpectation, isAddress, listOf } from "./schema.ts";
import type { Part } from "./vacuous.ts";

/** An expectation whose values are possible values of the field, in the form of readings. */
export interface CheckedField {
  readonly is?: readonly Json[];
  readonly not?: readonly Json[];
  readonly has?: NonNullable<FieldExpectation["has"]>;
}

interface Place extends Part {
  readonly field: string;
}

/**
 * The expected values of a field, or undefined if none of the objects has the field. A value that the field can never have would let the rule hold
 * forever, or never: it is an error, checked with the kind's own schema, and names with groups, people and folders.
 */
export function checkedField(place: Place, expectation: FieldExpectation): CheckedField | undefined {
  const { read, field, ground, report } = place;
  const forms = formsOf(place);
  const [form] = forms;
  if (form === undefined) return undefined;
  const unfit = form.isInactivity ? "in-use" : form.isList ? "list" : undefined;
  if (unfit !== undefined) {
    report.add("rules/unfit-field", { field: quote(field), why: unfit }, read.keyOf(["fields", field]));
    return undefined;
  }
  if (expectation.has !== undefined && !forms.some(({ isPermission }) => isPermission))
    report.add("rules/unfit-field", { field: quote(field), why: "has" }, read.spanOf(["fields", field, "has"]));
  const canonical = (part: "is" | "not") => {
    const written = expectation[part];
    if (written === undefined) return undefined;
    return valuesOf(written).map((value, index) =>
      checkedValue(value, forms, place, read.spanOf(pathOf(["fields", field, part], written, index))),
    );
  };
  const [is, not] = [canonical("is"), canonical("not")];
  for (const [part, values] of [
    ["is", is],
    ["not", not],
  ] as const)
    if (values !== undefined && forms.every((each) => coversAll(values, each)))
      report.add(
        "rules/never-fails",
        { why: part === "is" ? "any-value" : "no-value" },
        read.spanOf(["fields", field, part]),
      );
  ground.work.target();
  return defined({ is, not, has: expectation.has });
}

/** The field in the kinds that the rule is about; errors if none has it. */
function formsOf({ read, field, ground: { forms }, report }: Place): readonly FieldForm[] {
  const patterns = listOf(read.rule.objects);
  const scopes = [...new Set(patterns.flatMap((pattern) => scopeOfPattern(pattern) ?? []))];
  const found = scopes.flatMap((scope) => forms.of(scope, field) ?? []);
  if (found.length > 0 || scopes.length === 0) return found;
  const others = [...forms.names.keys()].filter((kind) => forms.of(kind, field) !== undefined);
  if (others.length > 0) {
    const fact = { field: quote(field), of: others, patterns: quoteAll(patterns) };
    report.add("rules/field-of-other", fact, read.keyOf(["fields", field]));
    return [];
  }
  const known = scopes.flatMap((scope) => forms.names.get(scope) ?? []);
  const meant = didYouMean(field, known, report.patience);
  report.add(
    "rules/unknown-field",
    {
      field: quote(field),
      ...defined({ meant, expects: expectationOf(field) }),
    },
    read.keyOf(["fields", field]),
  );
  return [];
}

/** The kind of the objects that a pattern names; undefined for the organization, which has no such fields. */
function scopeOfPattern(pattern: string): string | undefined {
  if (pattern === "organization") return undefined;
  return /^(?:user_group:|@)/.test(pattern) ? GROUP : CHANNEL;
}

function checkedValue(value: Json, forms: readonly FieldForm[], place: Place, at: Span): Json {
  const { ground, report } = place;
  const [form] = forms;
  if (form === undefined) return value;
  if (typeof value === "string" && isGlob(value)) {
    checkGlob(value, forms, place, at);
    return value;
  }
  const fitting = forms.find((each) => each.findings(value, report.patience).length === 0);
  if (fitting === undefined) {
    for (const { finding: found } of form.findings(value, report.patience)) report.addFound(found, at);
    return value;
  }
  if (fitting.isPermission && typeof value === "string") {
    const [id] = idsNamed([value], ground, () => at, report);
    return isAddress(value) && id !== undefined ? ground.realm.userName(id) : groupHere(value, ground);
  }
  if (place.field === "folder" && typeof value === "string") checkFolder(value, place, at);
  return fitting.canonical(value);
}

const groupHere = (name: string, ground: MeasuredGround): string =>
  groupMeant(bareGroup(name), ground) ?? bareGroup(name);

/** A pattern that matches no value is a typing error. */
function checkGlob(pattern: string, forms: readonly FieldForm[], { field, ground, report }: Place, at: Span): void {
  const names = namesFor(field, forms, ground);
  if (names === undefined || names.some((name) => fitsPattern(pattern, name, ground.work))) return;
  const [form] = forms;
  const [found] = form?.words === undefined ? [] : form.findings(pattern, report.patience);
  if (found !== undefined) report.addFound(found.finding, at);
  else report.add("rules/unknown-name", { name: quote(pattern), is: field === "folder" ? "folder" : "group" }, at);
}

/** Every text that the field can have; undefined if these are not known, or every text is possible. */
function namesFor(field: string, forms: readonly FieldForm[], ground: MeasuredGround): readonly string[] | undefined {
  if (field === "folder") return ground.isFileAlone ? undefined : ground.folders;
  if (forms.some(({ isPermission }) => isPermission))
    return [
      ...[...ground.state.groups()].filter(({ deactivated }) => !deactivated).map(({ name }) => name),
      ...ground.realm.snapshot.users.map(({ user_id }) => ground.realm.userName(user_id)),
    ];
  return forms.every(({ words }) => words !== undefined) ? forms.flatMap(({ words }) => words ?? []) : undefined;
}

/**
 * Reports an unknown folder. Without a reading, only a name similar to a known one is reported, since a file need not declare the folders that it
 * uses.
 */
function checkFolder(name: string, { ground, report }: Place, at: Span): void {
  if (ground.folders.includes(name)) return;
  const meant = didYouMean(name, ground.folders, report.patience);
  const fact = {
    name: quote(name),
    is: "folder",
    ...defined({ meant: meant === undefined ? undefined : quote(meant) }),
  } as const;
  if (!ground.isFileAlone) report.add("rules/unknown-name", fact, at);
  else if (meant !== undefined) report.add("rules/unknown-name", fact, at, { severity: "warning" });
}

/** Whether these patterns match every value that the field can have. */
function coversAll(values: readonly Json[], { isAlwaysText, words }: FieldForm): boolean {
  if (!isAlwaysText) return false;
  const patterns = values.filter((value) => typeof value === "string");
  if (patterns.some((pattern) => /^\*+$/.test(pattern))) return true;
  return words?.every((word) => patterns.some((pattern) => matchesWildcard(pattern, word))) === true;
}
