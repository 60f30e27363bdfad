import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, finding } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/facts.ts";
import { quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import type { SideEffectFact } from "../../model/kind-facts.ts";
import type { LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { languageIn, languageTakenBy } from "../code-language.ts";
import { strip } from "../names.ts";
import { readTemplate } from "../url-template.ts";
import { isKept, isSetAnew, leastPlaygroundCalls, playgroundCalls } from "./calls.ts";
import { languageMeant } from "./languages.ts";
import { newerOfPlaygrounds, playgroundRows, rowName } from "./live.ts";
import { languageCause, ownName, type Playground, playgroundForm, playgroundName } from "./schema.ts";
import { playgroundWords } from "./synonyms.ts";

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
    synonyms: playgroundWords,
    fields: { url_template: { about: "Where the code goes." } },
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
  return playgroundRows(realm)?.map((row) => {
    const name = rowName(row);
    return { key: name, name, id: null, fields: defined({ url_template: row.url_template }), inactive: false };
  });
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
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin)
    return [error("playgrounds/not-allowed", { account: runningAccount(context.snapshot) }, first.at)];
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
