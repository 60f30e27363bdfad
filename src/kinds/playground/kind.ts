import * as z from "zod";
import { ORGANIZATION } from "../../access/scope.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, finding } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/definitions.ts";
import { quote, quoteAll } from "../../model/diagnostics/values.ts";
import { type DraftCall, removed } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import type { SideEffectFact } from "../../model/kind-facts.ts";
import { indexed, once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn, type ObjectChange, objectChanges, type Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { readTemplate, roleDiagnostics } from "../checks.ts";
import { CODE_LANGUAGE, languageIn, languageTakenBy, NO_LANGUAGE } from "../code-language.ts";
import { lengthCause, strip } from "../names.ts";
import { flag, string } from "../optional.ts";
import { keysBeyond, liveObject, rowsIn } from "../readings.ts";
import { leastRemovedAndAdded, removedAndAdded } from "../requests.ts";
import { languageMeant } from "./languages.ts";

/** One code playground as the file writes it: language and name are its identity. */
const playgroundForm = once(() =>
  z.strictObject({
    language: z
      .string()
      .describe(
        "The language of the code blocks that get the button, by its name in Pygments: `Rust`, not `rust` or `rs`.",
      ),
    name: z
      .string()
      .describe("What people see: `Rust playground`. Several playgrounds of a language need several names."),
    absent: flag("`true` removes the playground under any policy."),
    url_template: string(
      "RFC 6570 URL template with only the variable `code`: `https://play.example.org/?code={code}`.",
    ),
  }),
);
type Playground = z.infer<ReturnType<typeof playgroundForm>>;

/** The maximum length of a language; servers fail on longer ones (zulip-api.md §12.5). */
const MAX_LANGUAGE_LENGTH = 40;

/** The identity of a playground: the server requires the pair to be unique, and no language contains a colon. */
const playgroundName = (language: string, name: string): string => `${strip(language)}: ${strip(name)}`;

const ownName = (name: string): string => name.slice(name.indexOf(": ") + 2);

function languageCause(language: string): DiagnosticFacts["playgrounds/language"] | undefined {
  const character = /[^ A-Za-z0-9_+,./#-]/u.exec(language)?.[0];
  const other = character === undefined ? undefined : ({ cause: "character", character: quote(character) } as const);
  return lengthCause(language, MAX_LANGUAGE_LENGTH) ?? other;
}

/** The server's rows. Their ids change with every change of a playground, so they identify nothing here. */
function playgroundRows(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("playgrounds"), ["name", "pygments_language"]);
}

/** The settings of playgrounds that this version does not know. */
const newerOfPlaygrounds = keysBeyond(playgroundRows, ["id", "name", "pygments_language", "url_template"]);

const rowName = ({ pygments_language, name }: JsonObject): string =>
  playgroundName(String(pygments_language), String(name));

const byName = indexed<JsonObject>((row) => [rowName(row)]);

/** The first row with this name, which is that of the file. */
function playgroundRow(name: string, realm: Realm): JsonObject | undefined {
  const rows = playgroundRows(realm);
  return rows === undefined ? undefined : byName(rows, name)[0];
}

const RANK = { remove: 50, add: 51, language: 52 } as const;

/** A playground that changes is removed and added again, since no request changes one (zulip-api.md §12.5). */
function playgroundCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const taking = objectChanges(changes).find((change) => takesLanguage(change, context));
  const drafts = objectChanges(changes).flatMap((change) => {
    const [first, ...rest] = ownCalls(change, context);
    if (first === undefined) return [];
    return [change === taking ? takingLanguage(first, change) : first, ...rest];
  });
  return [...drafts, ...languageCalls(changes, context)];
}

const ownCalls = removedAndAdded({
  add: ({ name, fields }) => ({
    operation: "add-code-playground",
    params: {
      name: ownName(name),
      pygments_language: languageIn(name),
      url_template: String(fieldIn(fields, "url_template")?.after),
    },
    rank: RANK.add,
  }),
  remove: ({ address, name }, { realm }) => {
    const id: Param | undefined = playgroundRow(name, realm)?.id;
    if (typeof id !== "number") throw new RangeError(`${address} is not on the server`);
    return { operation: "remove-code-playground", path: { playground_id: id }, rank: RANK.remove };
  },
});

/** Two for a playground that changes, and one more if that cleared the default language of code blocks. */
function leastPlaygroundCalls(changes: readonly Change[], context: PlanContext): number {
  return leastRemovedAndAdded(changes) + languageCalls(changes, context).length;
}

/** Whether removing this playground resets the default language of code blocks, so that the plan restores it or sets another. */
function takesLanguage(change: ObjectChange, context: PlanContext): boolean {
  return (
    change.action !== "create" &&
    languageTakenBy(change, context) !== undefined &&
    (isKept(change, context) || isSetAnew(context))
  );
}

/** The first removal clears the language, which is part of its effect: the later call finds none. */
function takingLanguage(draft: DraftCall, { name }: Change): DraftCall {
  return {
    ...draft,
    for: [...draft.for, { address: ORGANIZATION, fields: [CODE_LANGUAGE] }],
    expects: [...(draft.expects ?? []), { address: ORGANIZATION, field: CODE_LANGUAGE, value: languageIn(name) }],
  };
}

/** Sets the default language of code blocks again if removing a playground resets it and it must stay. */
function languageCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const taking = objectChanges(changes).filter((change) => takesLanguage(change, context) && isKept(change, context));
  const [first] = taking;
  if (first === undefined) return [];
  return [
    {
      operation: "update-realm",
      path: {},
      params: { default_code_block_language: languageIn(first.name) },
      for: [{ address: ORGANIZATION, fields: [CODE_LANGUAGE] }],
      expects: [{ address: ORGANIZATION, field: CODE_LANGUAGE, value: NO_LANGUAGE }],
      needs: taking.map(({ address }) => removed(address)),
      rank: RANK.language,
    },
  ];
}

/** Whether the setting must stay: yes, if the playground only changes, or if the file names the language. */
function isKept(change: Change, context: PlanContext): boolean {
  if (isSetAnew(context)) return false;
  const wanted = context.pair(ORGANIZATION)?.declared?.fields[CODE_LANGUAGE];
  const language = languageIn(change.name);
  if (wanted !== undefined) return wanted === language;
  // A playground of the language that only changes restores the setting.
  return context.changes.some(
    ({ kind, action, name }) => kind === change.kind && action === "update" && languageIn(name) === language,
  );
}

/** Whether the plan itself sets another default language of code blocks, or none. Then the server clears nothing that should stay. */
function isSetAnew(context: PlanContext): boolean {
  return fieldIn(context.pair(ORGANIZATION)?.change?.fields, CODE_LANGUAGE) !== undefined;
}

const docs: DocsFacet = {
  about:
    "Buttons on code blocks that open the code on another site. The server cannot change a playground: for another url_template, realmctl removes it and adds it again, in two requests. When a playground is removed and default_code_block_language is its language, the server clears default_code_block_language, even if another playground of the language is left. After a change of the template, realmctl sets it again. If a run stops in between, apply the same saved plan again: a new plan sets the language again only if default_code_block_language is in the file.",
  who: "Administrators.",
  defaults: { language: "–", name: "–", url_template: "required" },
  example: `playgrounds:
  - language: Rust
    name: Rust playground
    url_template: https://play.example.org/?code={code}`,
};

/**
 * A site where code blocks of a language can be run. Language and name together are its identity; to change one, it is removed and added again
 * (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md).
 * @see zulip-api.md §12.5 https://zulip.com/api/add-code-playground
 */
export const playground: ListKind<Playground> = {
  name: "playground",
  section: "playgrounds",
  shape: "list",
  noun: ["playground", "playgrounds"],
  identity: {
    keyOf: (name) => name,
    nameOf: ({ language, name }) => playgroundName(language, name),
    knownBy: ["language", "name"],
  },
  file: {
    schema: playgroundForm,
    fields: { url_template: {} },
    decode: decodePlayground,
  },
  live: { read: livePlaygrounds, newer: newerOfPlaygrounds },
  diff: {
    traits: { url_template: "value" },
    // One site runs many languages.
    areTwo: (name, other) => languageIn(name).toLowerCase() !== languageIn(other).toLowerCase(),
    keepsNameBelow: Number.POSITIVE_INFINITY,
  },
  review: { check: checkPlaygrounds, risks: playgroundRisks },
  calls: { draft: playgroundCalls, least: leastPlaygroundCalls },
  undo: { stays: staysReset },
  yaml: { item: playgroundToYaml },
  secrecy: { name: "text", snapshot: () => ({}) },
  reach: { role: "administrator" },
  docs,
};

function livePlaygrounds(realm: Realm): readonly LiveObject[] | undefined {
  return playgroundRows(realm)?.map((row) => liveObject(rowName(row), defined({ url_template: row.url_template })));
}

function decodePlayground(item: Playground, _name: string, context: DecodeContext): Decoded {
  const absent = item.absent === true;
  const template = item.url_template === undefined ? undefined : strip(item.url_template);
  if (!absent) {
    const language = strip(item.language);
    const cause = languageCause(language);
    const meant = languageMeant(language);
    if (cause !== undefined) context.report(["language"], finding("playgrounds/language", cause));
    else if (meant !== undefined) {
      const alias = { cause: "alias", language: quote(language), meant } as const;
      context.report(["language"], finding("playgrounds/language", alias, { severity: "warning" }));
    }
    if (strip(item.name) === "") context.report(["name"], finding("playgrounds/name", {}));
    if (template !== undefined) checkTemplate(template, context);
  }
  return { absent, fields: defined({ url_template: absent ? undefined : template }) };
}

/** The server does not check the scheme (zulip-api.md §12.5), and a browser follows any that it knows. */
function checkTemplate(template: string, context: DecodeContext): void {
  const cause = templateCause(template);
  const fact = { cause: "scheme", template: quote(template) } as const;
  if (cause !== undefined) context.report(["url_template"], finding("playgrounds/template", cause));
  else if (!/^https?:\/\//i.test(template))
    context.report(["url_template"], finding("playgrounds/template", fact, { severity: "warning" }));
}

function templateCause(template: string): DiagnosticFacts["playgrounds/template"] | undefined {
  if (template === "") return { cause: "empty" };
  const read = readTemplate(template);
  if ("cause" in read) return { cause: "no-template", why: read.cause };
  const others = read.variables.filter((name) => name !== "code");
  if (!read.variables.includes("code")) return { cause: "no-code" };
  return others.length === 0 ? undefined : { cause: "other-variables", variables: quoteAll(others) };
}

function playgroundToYaml({ name, fields }: LiveObject): Json {
  return { language: languageIn(name), name: ownName(name), url_template: fields.url_template ?? "" };
}

function staysReset({ risks }: Change): SideEffectFact | undefined {
  return risks.some(({ fact }) => fact?.kind === "code-language-reset") ? { effect: "code-language-reset" } : undefined;
}

function checkPlaygrounds(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const refused = roleDiagnostics("playgrounds/not-allowed", context.realm.isAdmin, changes, context);
  if (refused.length > 0) return refused;
  return changes
    .filter(({ action, fields }) => action === "create" && fieldIn(fields, "url_template") === undefined)
    .map(({ at }) => error("playgrounds/template", { cause: "missing" }, at));
}

/** A playground that is removed, and the default language of code blocks if it is lost with it. */
function playgroundRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  if (change.action !== "remove") return [];
  const risk = (fact: RiskFact): FoundRisk => ({ kind: "removes", fact });
  const object = namedOf(change);
  const language = languageTakenBy(change, context);
  const taken =
    language === undefined || isKept(change, context) || isSetAnew(context)
      ? []
      : [risk({ kind: "code-language-reset", object, language: { quoted: language } })];
  return [risk({ kind: "removed", object, noun: "playground" }), ...taken];
}
