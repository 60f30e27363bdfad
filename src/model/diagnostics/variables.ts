import { cases } from "../cases.ts";
import { defined } from "../defined.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { FoundValue, Quoted, Word } from "./values.ts";
import { bare, didYouMean, foundText, listOf, q, say, type Words } from "./words.ts";

/** What is between the braces says what was meant: a template of another program, a filter, or a name. */
function referenceWay(written: string): string {
  const meant = /^\$\{\{?[\s.]*(?:[a-z]\w*\.)*([a-z]\w*)\s*(\|[^}]*)?\}$/i.exec(written);
  const name = meant?.[1]?.toLowerCase();
  if (written.startsWith("${{"))
    return `no other program replaces it here: declare ${name ?? "a variable"} under vars, and write \${${name ?? "its_name"}}`;
  if (meant?.[2] !== undefined) return `there are no filters: write \${${name}}, and its value as it should appear`;
  if (name !== undefined && /^\$\{ *\w+ *\}$/.test(written))
    return `write \${${name}}, in small letters and without spaces, declared under vars; write $${written} for the characters themselves`;
  return `a variable's name has small letters, digits and _: \${name}, declared under vars; write $${written} for the characters themselves`;
}

export const variables = {
  "vars/declaration": diagnostic({
    says: cases("cause", {
      "no-map": ({ found }: { found: FoundValue }) =>
        say(
          `a variable is declared with its type, not with ${foundText(found)}`,
          found.is === "nothing" ? "write {type: string}" : "write {type: string}, and its value under values:",
        ),
      field: ({ field, meant }: { field: Quoted; meant?: Word }) =>
        say(
          `the declaration of a variable has no field ${q(field)}`,
          field.quoted === "value"
            ? "write default:, or the value under values:"
            : meant === undefined
              ? "fields: type, about, default, from and name"
              : `did you mean ${JSON.stringify(meant)}?`,
        ),
      about: ({ found }: { found: FoundValue }) =>
        say(`about must be a string, not ${foundText(found)}`, "say in a sentence what the variable is for"),
      from: ({ found }: { found: FoundValue }) =>
        say(
          `a value comes from env, the environment, and not from ${foundText(found)}`,
          "write {from: env, name: SITE}",
        ),
      /** @property found what is there instead of the name of a variable of the environment */
      "env-name": ({ found }: { found?: FoundValue }) =>
        say(
          found === undefined
            ? "the declaration does not say which variable of the environment has the value"
            : `${foundText(found)} is not the name of a variable of the environment`,
          "write {from: env, name: SITE}",
        ),
      "env-name-alone": say(
        "name is the variable of the environment that has the value, and this value does not come from there",
        "write from: env, or delete name",
      ),
    }),
    means:
      "A variable is declared with a map: its `type`, and optionally a sentence `about` it and a `default`. Its value can come from the environment: `from: env`, with the `name` that it has there.",
    out: "Write `on_call: {type: group}`, and its value under `values`; or `site: {from: env, name: SITE}`.",
  }),
  "vars/in-key": diagnostic<{ reference: Quoted }>({
    says: ({ reference }) =>
      say(
        `${bare(reference)} is in a name, and names cannot contain variables`,
        "write the name in full; objects whose names differ between organizations are different objects",
        `write $${bare(reference)} for the characters themselves`,
      ),
    means:
      "A name contains a reference. Names identify objects from run to run, and people search for them, so names cannot contain variables.",
    out: "Write the name out. Declare an object that only one organization has in the file of that organization.",
  }),
  "vars/inside-text": diagnostic<{ variable: Quoted; found: FoundValue }>({
    says: ({ variable, found }) =>
      `the value of \${${bare(variable)}} is ${foundText(found)} and cannot be inside a string`,
    help: "make it the whole value, or use a variable that is a string or a number",
    means: "The value of a variable is true, false or `{id: …}`, and cannot be part of a string.",
    out: "Make the reference the whole value, or use a variable that is a string or a number.",
  }),
  "vars/name": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `${q(name)} cannot be the name of a variable`,
    help: "a name consists of lower-case letters, digits and underscores, and starts with a letter",
    means: "This cannot be the name of a variable.",
    out: "Use lower-case letters, digits and underscores, starting with a letter.",
  }),
  "vars/nested": diagnostic({
    says: "the value of a variable cannot refer to another variable",
    help: "write the value in full",
    means:
      "The value of a variable refers to another variable. Values are plain, so that everybody who reads one knows what it is.",
    out: "Write it out.",
  }),
  /** @property env the variable of the environment that has none either @property is_withheld the Action may not read it */
  "vars/no-value": diagnostic<{ name: Quoted; env?: Word; is_withheld?: true }>({
    says: ({ name, env, is_withheld }) =>
      env === undefined
        ? say(
            `the variable ${q(name)} has no value`,
            `write it under values: in the file of the organization (values: {${bare(name)}: …}), give it with --set ${bare(name)}=VALUE or --values FILE, or give it a default`,
          )
        : say(
            is_withheld
              ? `the variable ${q(name)} has no value: the job does not pass ${env} of its environment to the file`
              : `the variable ${q(name)} has no value: ${env} of the environment is empty or not set`,
            is_withheld
              ? `name ${env} in the input env of the Action, or give the variable a default`
              : `set ${env}, write --set ${bare(name)}=VALUE, or give the variable a default`,
          ),
    means:
      "A variable has neither a value under `values` nor a default, no option gives it one, and with `from: env` the environment has none or the Action's input `env` does not name it.",
    out: "Write its value in the file of the organization, or a `default` where it is declared; or give it with `--set`, `--values` or the environment.",
  }),
  "vars/not-a-map": diagnostic<{ section: "vars" | "values"; found?: FoundValue }>({
    says: ({ section, found }) =>
      `${section} is a map from names of variables to ${section === "vars" ? "what they are" : "their values"}${found === undefined ? "" : `, not ${foundText(found)}`}`,
    help: ({ section }) =>
      section === "vars"
        ? "write vars: {on_call: {type: group}}"
        : "write each value behind the name of its variable: values: {on_call: engineering}; --values FILE names a file of them",
    means: "`vars` maps names to declarations, and `values` maps names to values; this is something else.",
    out: "Write `vars: {on_call: {type: group}}` and `values: {on_call: engineering}`.",
  }),
  "vars/not-here": diagnostic({
    says: "realm cannot refer to a variable: it says which organization this file is for",
    help: "write the URL in full, in the file of the organization",
    means:
      "`realm` says which organization a file is for, and is checked before anything else, so it cannot depend on a variable.",
    out: "Write the URL out, in the file of the organization.",
  }),
  "vars/reference": diagnostic<{ cause: "open" } | { cause: "form"; written: Quoted }>({
    says: (fact) =>
      fact.cause === "open"
        ? say("a reference that starts with ${ never ends", "end it with }, or write $${ for the characters themselves")
        : say(`${q(fact.written)} is not a reference to a variable`, referenceWay(bare(fact.written))),
    means:
      "`${` starts a reference, but this text is not one: the closing brace is missing, or there is something other than a name inside. There are no expressions.",
    out: "Write `${name}`, or `$${` for the characters themselves.",
  }),
  /** @property env the variable of the environment that has the secret */
  "vars/secret": diagnostic<
    { cause: "value"; name: Quoted; by?: "--set"; env?: Word } | { cause: "name"; name: Quoted; env: Word }
  >({
    says: (fact) =>
      fact.cause === "name"
        ? say(
            `${fact.env} is the name of a secret, and what a field of the organization has is shown to its people`,
            "name a variable of the environment that is no secret",
          )
        : say(
            `the value of the variable ${q(fact.name)}${fact.by === undefined ? "" : ` (${fact.by})`}${fact.env === undefined ? "" : ` (${fact.env} of the environment)`} looks like a key, a token or a password, and what a field of the organization has is shown to its people`,
            "give another value; if this one is a secret and others could have seen it, make a new one",
          ),
    means:
      "The value of a variable looks like a key, a token or a password, or the variable of the environment has the name of one. What a field of the organization has is shown to its people, in plans, comments and in Zulip itself, so realmctl refuses it.",
    out: "Give another value. If it is a secret that others could have seen, make a new one.",
  }),
  /** @property env the value is of this variable of the environment, and is not shown */
  "vars/type": diagnostic<{ name: Quoted; type: Word; found?: FoundValue; by?: "--set"; env?: Word }>({
    says: ({ name, type, found, by, env }) => {
      if (found === undefined) {
        const { wanted } = WANTED[type]?.({ is: "nothing" }) ?? A_PERSON;
        return say(`the variable ${q(name)} is ${wanted}, and ${env} of the environment is not`, `correct ${env}`);
      }
      const { wanted, hint } = WANTED[type]?.(found) ?? A_PERSON;
      const told = `the variable ${q(name)} is ${wanted}, not ${foundText(found)}`;
      return by === undefined ? say(told, hint) : say(told, `correct ${by} ${bare(name)}=VALUE`);
    },
    means: "The value of a variable is not of the type that it was declared with.",
    out: "Correct the value or the type; the note shows the declaration.",
  }),
  "vars/type-unknown": diagnostic<{ name: Quoted; found?: FoundValue; meant?: Word; types: readonly Word[] }>({
    says: ({ name, found }) =>
      found === undefined ? `the variable ${q(name)} has no type` : `${foundText(found)} is not a type of variables`,
    help: ({ meant, types }) =>
      meant === undefined ? `types: ${listNames(types)}` : `did you mean ${JSON.stringify(meant)}?`,
    means: "A variable has no type, or an unknown type.",
    out: "Use `string`, `integer`, `boolean`, `group`, `person` or `channel`.",
  }),
  "vars/undeclared": diagnostic<{
    name: Quoted;
    meant?: Quoted;
    /** Absent when there are too many errors for suggestions. */
    known?: readonly Quoted[];
    /** The reference in its written form, if it may be meant as text. */
    written?: Quoted;
    /** What gives it a value. */
    by?: "--set" | "--values";
  }>({
    says: ({ name, meant, known, written, by }) =>
      say(
        `there is no variable ${q(name)}${by === undefined ? "" : `, which ${by} gives a value`}`,
        didYouMean(
          meant,
          known === undefined
            ? "declare it under vars:"
            : known.length === 0
              ? `declare it under vars: (vars: {${bare(name)}: {type: string}})`
              : `variables: ${listOf(known)}`,
        ),
        ...(written === undefined ? [] : [`write $${bare(written)} for the characters themselves`]),
      ),
    means:
      "A reference, an entry of `values`, or an option (`--set`, `--values`) names a variable that `vars` does not declare.",
    out: "Correct the name or declare the variable. `$${name}` means the characters themselves.",
  }),
  "vars/unused": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `nothing refers to the variable ${q(name)}`,
    help: ({ name }) => `delete it, or write \${${bare(name)}} where its value belongs`,
    means: "No value refers to this variable.",
    out: "Delete it, or refer to it.",
  }),
};

interface Wanted extends Pick<Words, "hint"> {
  readonly wanted: Word;
}

/** The values of each type of variables. */
const WANTED: { readonly [type: string]: (found: FoundValue) => Wanted } = {
  string: (found) => ({
    wanted: "a string",
    ...defined({
      hint: found.is === "number" || found.is === "boolean" ? `put it in quotes: "${foundText(found)}"` : undefined,
    }),
  }),
  integer: (found) => ({
    wanted: "a whole number",
    ...defined({
      hint:
        found.is === "text" && /^-?\d+$/.test(found.text.quoted)
          ? `write ${found.text.quoted} without quotes`
          : undefined,
    }),
  }),
  boolean: () => ({ wanted: "true or false", hint: "write true or false, without quotes" }),
  group: () => ({ wanted: "the name of a group", hint: "write it like staff or role:members" }),
  channel: () => ({ wanted: "the name of a channel", hint: "write it like general" }),
};

const A_PERSON: Wanted = {
  wanted: "a person",
  hint: "write the e-mail address of the account, or {id: 17} for somebody whose address is hidden",
};
