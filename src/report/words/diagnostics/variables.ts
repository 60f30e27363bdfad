import { defined } from "../../../model/defined.ts";
import type { FoundValue } from "../../../model/diagnostics/values.ts";
import type { VariableFacts } from "../../../model/diagnostics/variables.ts";
import { listNames } from "../list-names.ts";
import { foundText } from "./found-value.ts";
import { bare, didYouMean, listOf, q, say, type WordsOf } from "./words.ts";

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

export const variableWords: WordsOf<VariableFacts> = {
  "vars/declaration": (fact) => {
    switch (fact.cause) {
      case "no-map":
        return say(
          `a variable is declared with its type, not with ${foundText(fact.found)}`,
          fact.found.is === "nothing" ? "write {type: string}" : "write {type: string}, and its value under values:",
        );
      case "about":
        return say(
          `about must be a string, not ${foundText(fact.found)}`,
          "say in a sentence what the variable is for",
        );
      case "field":
        return say(
          `the declaration of a variable has no field ${q(fact.field)}`,
          fact.field.quoted === "value"
            ? "write default:, or the value under values:"
            : fact.meant === undefined
              ? "fields: type, about, default, from and name"
              : `did you mean ${JSON.stringify(fact.meant)}?`,
        );
      case "from":
        return say(
          `a value comes from env, the environment, and not from ${foundText(fact.found)}`,
          "write {from: env, name: SITE}",
        );
      case "env-name":
        return say(
          fact.found === undefined
            ? "the declaration does not say which variable of the environment has the value"
            : `${foundText(fact.found)} is not the name of a variable of the environment`,
          "write {from: env, name: SITE}",
        );
      case "env-name-alone":
        return say(
          "name is the variable of the environment that has the value, and this value does not come from there",
          "write from: env, or delete name",
        );
    }
  },
  "vars/in-key": ({ reference }) =>
    say(
      `${bare(reference)} is in a name, and names cannot contain variables`,
      "write the name in full; objects whose names differ between organizations are different objects",
      `write $${bare(reference)} for the characters themselves`,
    ),
  "vars/inside-text": ({ variable, found }) =>
    say(
      `the value of \${${bare(variable)}} is ${foundText(found)} and cannot be inside a string`,
      "make it the whole value, or use a variable that is a string or a number",
    ),
  "vars/name": ({ name }) =>
    say(
      `${q(name)} cannot be the name of a variable`,
      "a name consists of lower-case letters, digits and underscores, and starts with a letter",
    ),
  "vars/nested": () => say("the value of a variable cannot refer to another variable", "write the value in full"),
  "vars/no-value": ({ name, env, is_withheld }) =>
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
  "vars/not-a-map": ({ section, found }) =>
    say(
      `${section} is a map from names of variables to ${section === "vars" ? "what they are" : "their values"}${found === undefined ? "" : `, not ${foundText(found)}`}`,
      section === "vars"
        ? "write vars: {on_call: {type: group}}"
        : "write each value behind the name of its variable: values: {on_call: engineering}; --values FILE names a file of them",
    ),
  "vars/not-here": () =>
    say(
      "realm cannot refer to a variable: it says which organization this file is for",
      "write the URL in full, in the file of the organization",
    ),
  "vars/reference": (fact) =>
    fact.cause === "open"
      ? say("a reference that starts with ${ never ends", "end it with }, or write $${ for the characters themselves")
      : say(`${q(fact.written)} is not a reference to a variable`, referenceWay(bare(fact.written))),
  "vars/secret": (fact) =>
    fact.cause === "name"
      ? say(
          `${fact.env} is the name of a secret, and what a field of the organization has is shown to its people`,
          "name a variable of the environment that is no secret",
        )
      : say(
          `the value of the variable ${q(fact.name)}${fact.by === undefined ? "" : ` (${fact.by})`}${fact.env === undefined ? "" : ` (${fact.env} of the environment)`} looks like a key, a token or a password, and what a field of the organization has is shown to its people`,
          "give another value; if this one is a secret and others could have seen it, make a new one",
        ),
  "vars/type": ({ name, type, found, by, env }) => {
    if (found === undefined) {
      const { wanted } = WANTED[type]?.({ is: "nothing" }) ?? A_PERSON;
      return say(`the variable ${q(name)} is ${wanted}, and ${env} of the environment is not`, `correct ${env}`);
    }
    const { wanted, hint } = WANTED[type]?.(found) ?? A_PERSON;
    const told = `the variable ${q(name)} is ${wanted}, not ${foundText(found)}`;
    return by === undefined ? say(told, hint) : say(told, `correct ${by} ${bare(name)}=VALUE`);
  },
  "vars/type-unknown": ({ name, found, meant, types }) =>
    say(
      found === undefined ? `the variable ${q(name)} has no type` : `${foundText(found)} is not a type of variables`,
      meant === undefined ? `types: ${listNames(types)}` : `did you mean ${JSON.stringify(meant)}?`,
    ),
  "vars/undeclared": ({ name, meant, known, written, by }) =>
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
  "vars/unused": ({ name }) =>
    say(`nothing refers to the variable ${q(name)}`, `delete it, or write \${${bare(name)}} where its value belongs`),
};

type Wanted = { readonly wanted: string; readonly hint?: string };

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
