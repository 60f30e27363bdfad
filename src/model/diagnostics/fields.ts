import { isWordForKey, KEY_IN_FILE } from "../api-keys.ts";
import { severalIn } from "../names-meant.ts";
import { own } from "../own.ts";
import { valueText as asInFile } from "../value-text.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { foundText, writtenText } from "./found-value.ts";
import type { FoundValue, Quoted, Word } from "./values.ts";
import { bare, orList, q, say, type Words } from "./words.ts";

/** What can be written for a field: the first sentence about it, and its values if it has few. */
export interface FieldForm {
  readonly about?: Word;
  readonly values?: readonly Word[];
}

/** The name of a field: the noun of its object, and the path from the object to the field. */
export interface Label {
  readonly noun: Word;
  /** The noun is a plural, as for singletons (settings). */
  readonly isPlural?: true;
  readonly path: readonly (Word | number)[];
}

/** A comment in the place of a value: `- #general`. */
interface WrittenComment {
  readonly comment?: Quoted;
}

/** The probable meaning of an item that is not a map. */
export type NotAnItem =
  | { readonly meant: "field-of-above"; readonly entry: Quoted; readonly noun: Word }
  | { readonly meant: "description" }
  /** `general.description`: a path, as other programs write it. */
  | { readonly meant: "dotted"; readonly path: readonly Quoted[] }
  /** Each of its fields is an entry of a list. */
  | { readonly meant: "no-dashes" }
  /** The fields of an entry whose others are in the one above: a dash too many. */
  | { readonly meant: "entry-above" }
  /** The beginning of a field. */
  | { readonly meant: "field-name"; readonly field: Word }
  /** @property sign the sign of another notation that is there instead of a colon */
  | { readonly meant: "colon-space"; readonly lines: readonly Quoted[]; readonly sign?: Word }
  /** A colon of another script in the key, which starts no value. */
  | { readonly meant: "full-width" }
  | { readonly meant: "list-of-people"; readonly field: Word; readonly people: readonly Quoted[] }
  | { readonly meant: "fields"; readonly fields: readonly Word[] }
  /** The meaning is unknown; `form` shows how an item is written. */
  | { readonly meant: "form"; readonly form: Word };

/** Where an unknown field belongs. */
export type FieldWay =
  /** @property value what is wrong with the value, too, if it is the field's */
  | {
      readonly kind: "meant";
      readonly field: Word;
      readonly under?: readonly Word[];
      readonly value?: TypeFact;
      /** The words that the field can have, if its value is another one. */
      readonly values?: readonly Word[];
    }
  /** `{role: admin}` in the place of `role:administrators`. */
  | { readonly kind: "alone"; readonly field: Word; readonly name: Quoted }
  /** `permissions.can_mention_group`: a path, as other programs write it. */
  | { readonly kind: "dotted"; readonly path: readonly Word[] }
  /** It holds fields of the map that it is in. */
  | { readonly kind: "needless-level" }
  /** An entry of a list of people that is neither an address nor `{id: 17}`. */
  | { readonly kind: "person" }
  /** The key is a section, or another key of the file. */
  | { readonly kind: "section"; readonly line?: Quoted }
  /** `{email: ada@example.org}` in a list of addresses. */
  | { readonly kind: "address"; readonly address: Quoted }
  /** Three dots, which stand for what an example leaves out. */
  | { readonly kind: "left-out" }
  /** What is written in a file exists: `state: present` adds nothing. */
  | { readonly kind: "needless" }
  | { readonly kind: "under"; readonly path: readonly Word[] }
  | { readonly kind: "above"; readonly noun: Word }
  /** The value has fields of the item: it is another item that is indented too much. */
  | { readonly kind: "entry"; readonly noun: Word; readonly elsewhere?: Word }
  /** Another part of the file says it. @property line how it is written there */
  | { readonly kind: "elsewhere"; readonly line: Word }
  /** The name of an object is its key. */
  | { readonly kind: "key"; readonly noun: Word }
  /** `privacy:public` is one word. @property line with the space */
  | { readonly kind: "colon-space"; readonly line: Quoted }
  /** The name of an object is the key of its entry. @property entry as it is written in a list */
  | { readonly kind: "as-entry"; readonly entry: Quoted; readonly besides?: Word }
  | { readonly kind: "fields"; readonly fields: readonly Word[] };

export type ValueCause =
  | {
      readonly cause: "choice";
      readonly label: Label;
      readonly types: readonly Word[];
      readonly values: readonly Word[];
      readonly found: FoundValue;
      readonly meant?: Word;
    }
  | { readonly cause: "empty"; readonly label: Label }
  | {
      readonly cause: "length";
      readonly label: Label;
      readonly bound: "least" | "most";
      readonly limit: number;
      readonly unit: "characters" | "entries";
      readonly length?: number;
    }
  | { readonly cause: "not-positive"; readonly label: Label; readonly found: FoundValue }
  | {
      readonly cause: "number";
      readonly label: Label;
      readonly bound: "least" | "most";
      readonly limit: number;
      readonly found: FoundValue;
    }
  | { readonly cause: "multiple"; readonly label: Label; readonly of: number }
  | { readonly cause: "format"; readonly label: Label; readonly format: Word }
  | { readonly cause: "form"; readonly label: Label; readonly found: FoundValue; readonly form: ValueForm };

/** The form that a schema requires of a value, if zod has no check for it. */
export type ValueForm =
  | { readonly form: "text"; readonly most_characters: number }
  | { readonly form: "days"; readonly most_days: number; readonly words: readonly Word[] }
  /** The requests that a fault of the sandbox affects. */
  | { readonly form: "calls" }
  /** Requests are either counted (`at`) or chosen by chance. */
  | { readonly form: "at-or-chance" }
  /** A fault of the real answer: the request must have been carried out. */
  | { readonly form: "fault-after"; readonly fault: Word }
  | { readonly form: "server-url"; readonly most_characters: number }
  /** @property meant the code that was probably meant */
  | { readonly form: "language-code"; readonly meant?: Word }
  | {
      readonly form: "time-span";
      readonly because: "no-unit" | "not-a-time" | "not-whole" | "too-long" | "zero";
      readonly unit: "seconds" | "days";
      readonly most: Word;
      readonly example: Word;
      /** The word that may be written instead of a number. */
      readonly word?: Word;
    };

type TypeFact = {
  readonly label: Label;
  readonly types: readonly Word[];
  readonly found: FoundValue;
  /** What the field is, in a few words. */
  readonly about?: Word;
  /** The fields of the map that is expected here. */
  readonly fields: readonly Word[];
  readonly instead?: NotAnItem;
} & WrittenComment;

export const fields = {
  "field/missing": diagnostic<
    {
      label: Label;
      field?: Word;
      form?: FieldForm;
    } & WrittenComment & {
        instead?: NotAnItem;
      }
  >({
    says: ({ label, field, form, comment, instead }) =>
      commented(
        say(
          `${label.path.length === 0 ? `this ${label.noun}` : labelText(label)} has no ${field ?? "value"}`,
          insteadText(instead) ?? `add "${field}: …"`,
          ...formOfField(field, form),
        ),
        comment,
      ),
    means: "A required field is missing.",
    out: "Add it.",
  }),
  "field/type": diagnostic<TypeFact>({
    says: typeWords,
    means:
      "The value has the wrong type for the field: a string instead of true or false, or one value instead of a list.",
    out: "Follow the hint. YAML 1.2 reads `yes`, `no`, `on` and `off` as strings; numbers and booleans in quotes are strings too.",
  }),
  /** @property may_be_right a permission setting that only some server may know: none was asked */
  "field/unknown": diagnostic<{ label: Label; field: Quoted; way?: FieldWay; may_be_right?: true }>({
    says: ({ label, field, way, may_be_right }) => {
      const has = label.isPlural === true && label.path.length === 0 ? "have" : "has";
      const live = may_be_right === true ? ["(a right that only your server knows: realmctl validate --live)"] : [];
      // `secret: true` is a way to say that a channel is private.
      const isPrivacy = way?.kind === "meant" && /^privacy\b/.test(way.field);
      const ways = isWordForKey(bare(field)) && !isPrivacy ? [KEY_IN_FILE] : way === undefined ? [] : [wayText(way)];
      const hint = [...ways, ...live].join(" ");
      return say(`${labelText(label)} ${has} no field ${q(field)}`, hint === "" ? undefined : hint);
    },
    means: "There is no field with this name here. It may belong further out or further in, or be misspelt.",
    out: "Correct the name or the indentation; [the reference](../../reference/README.md) has every field.",
  }),
  "field/value": diagnostic<ValueCause & WrittenComment & { instead?: NotAnItem }>({
    says: (fact) => commented(valueText(fact, fact.instead), fact.comment),
    means: "The value has the right type, but the field cannot have this value.",
    out: "Choose one of those that the message names.",
  }),
};

function typeWords({ label, types, found, fields, about, comment, instead }: TypeFact): Words {
  return commented(
    say(
      `${labelText(label)} must be ${types.map(typeWord).join(" or ")}, not ${foundText(found)}`,
      // The form of an item says more than "a list".
      (found.is === "map" ? insteadText(instead) : undefined) ??
        (instead?.meant === "colon-space" || instead?.meant === "full-width" ? insteadText(instead) : undefined) ??
        typeHint(types, [], found, fields, subjectOf(label)) ??
        insteadText(instead) ??
        (found.is === "list" && label.path.length > 0 && types.some((type) => type === "object" || type === "record")
          ? NO_DASHES
          : undefined) ??
        (found.is === "text" ? mapHint(bare(found.text), fields) : undefined) ??
        (about === undefined ? undefined : formOfField(subjectOf(label), { about }).join()),
    ),
    comment,
  );
}

const NO_DASHES = 'write each field on a line of its own, without "- "';

function formOfField(field = "", { about, values }: FieldForm = {}): readonly string[] {
  if (values !== undefined) return [`${field} is ${orList(values)}`];
  return about === undefined ? [] : [`${field}: ${about.charAt(0).toLowerCase()}${about.slice(1)}`];
}

/** `- #general` is an empty entry with a comment after it. People write it because channels have a "#". */
function commented(words: Words, comment: Quoted | undefined): Words {
  if (comment === undefined) return words;
  const text = bare(comment);
  const isName = /^#[\p{L}\p{N}_-]+$/u.test(text);
  const way = isName
    ? `write ${text.slice(1)} without "#", or put it in quotes`
    : `put it in single quotes: '${text.replaceAll("'", "''")}'`;
  return { ...words, hint: `"${text}" is a comment in YAML: ${way}` };
}

const TYPE_WORDS: { readonly [type: string]: string } = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  null: "null",
};
const typeWord = (type: string): string => TYPE_WORDS[type] ?? type;

/** The field that a value is of: of an entry of a list, the list. */
const subjectOf = ({ noun, path }: Label): string => String(path.findLast((step) => typeof step === "string") ?? noun);

const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;

/** `description`, `permissions.can_subscribe_group`, `entry 2 of users`. */
function labelText({ noun, isPlural, path }: Label): string {
  const last = path.at(-1);
  if (last === undefined) return isPlural === true ? noun : withArticle(noun);
  if (typeof last === "number") return `entry ${last + 1} of ${labelText({ noun, path: path.slice(0, -1) })}`;
  return last;
}

function valueText(fact: ValueCause, instead: NotAnItem | undefined): Words {
  switch (fact.cause) {
    case "choice":
      return choiceText(fact);
    case "empty":
      return say(`${labelText(fact.label)} must not be empty`, "write a value, or delete the line");
    case "length": {
      const has = fact.length === undefined ? "" : `, but has ${fact.length}`;
      return say(
        `${labelText(fact.label)} must have at ${fact.bound} ${fact.limit} ${fact.unit}${has}`,
        insteadText(instead),
      );
    }
    case "not-positive":
      return say(
        `${labelText(fact.label)} must be greater than 0, not ${foundText(fact.found)}`,
        "correct it, or delete the line",
      );
    case "number":
      return say(
        `${labelText(fact.label)} must be at ${fact.bound} ${fact.limit}, not ${foundText(fact.found)}`,
        insteadText(instead),
      );
    case "multiple":
      return say(`${labelText(fact.label)} must be a multiple of ${fact.of}`, insteadText(instead));
    case "format":
      return say(`${labelText(fact.label)} is not a valid ${fact.format.replaceAll("_", " ")}`, insteadText(instead));
    case "form":
      return formText(fact);
  }
}

function formText({ label, found, form }: Extract<ValueCause, { readonly cause: "form" }>): Words {
  const name = labelText(label);
  const number = (amount: number): string => amount.toLocaleString("en");
  switch (form.form) {
    case "text": {
      const has = found.is === "text" ? `, but has ${number([...found.text.quoted].length)}` : "";
      const otherwise = name === "description" ? "; pin the rest as a message, or link to it" : "";
      return say(
        `${name} must have at most ${number(form.most_characters)} characters${has}`,
        `shorten it${otherwise}`,
      );
    }
    case "days": {
      const message = `${name} cannot be ${writtenText(found)}`;
      if (found.is === "number" && found.number > form.most_days)
        return say(`${message}: no server keeps messages for more than ${form.most_days} days`, "write unlimited");
      return say(
        `${message}: it must be ${orList(["a number of days (1 or more)", ...form.words])}`,
        found.is === "number" && found.number === -1
          ? "write unlimited"
          : `write unlimited to keep messages forever${form.words.includes("realm_default") ? ", realm_default to use the organization's setting" : ""}`,
      );
    }
    case "at-or-chance":
      return say("at and chance exclude each other", "write one of them");
    case "fault-after":
      return say(
        `${form.fault} is about the real answer, so the request must have been carried out`,
        "add when: after",
      );
    case "calls":
      return say(`${name} must be a method and a path below /api/v1, for example "PATCH /streams/*" or "* **"`);
    case "server-url":
      return say(
        `${name} must be the URL of a server, not ${foundText(found)}`,
        `write one like https://meet.example.org, of at most ${form.most_characters} characters, or default`,
      );
    case "language-code":
      return say(
        `${name} must be the code of a language, not ${foundText(found)}`,
        form.meant === undefined
          ? "write its code in lower-case letters, such as de or pt-br"
          : `write ${JSON.stringify(form.meant)}: ${form.meant.includes("-") ? "lower-case letters, with a hyphen before the country" : "servers have this language without a country"}`,
      );
    case "time-span":
      return spanText(name, found, form);
  }
}

/** `1.5h`, `1 week`, `1h30m` */
const isNearly = (found: FoundValue): boolean => found.is === "text" && /^\s*\d.*[a-z]/i.test(bare(found.text));

function spanText(name: string, found: FoundValue, form: Extract<ValueForm, { readonly form: "time-span" }>): Words {
  const way = `write ${isNearly(found) ? "a whole number and one unit, without a space" : "a number with its unit"}: ${form.example}${form.word === undefined ? "" : `, or ${form.word}`}`;
  switch (form.because) {
    case "no-unit":
      return say(`${name} has no unit: ${writtenText(found)}`, way);
    case "zero": {
      const never = name === "message_content_edit_limit" ? "to forbid editing, allow_message_editing: false" : "";
      const longer = `write a longer time, such as ${form.example}`;
      return say(`${name} must be longer than 0`, never === "" ? longer : `${longer}; ${never}`);
    }
    case "not-a-time":
      return say(`${name} must be a length of time, not ${foundText(found)}`, way);
    case "not-whole":
      return say(`${name} is counted in whole ${form.unit}, and ${writtenText(found)} is not`, way);
    case "too-long":
      return say(`${name} must be at most ${form.most}, and ${writtenText(found)} is longer`, way);
  }
}

function choiceText({ label, types, values, found, meant }: Extract<ValueCause, { readonly cause: "choice" }>): Words {
  const choices = [...types.map(typeWord), ...values];
  const allowed = choices.length === 1 ? choices.join() : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  const name = labelText(label);
  const message = `${name} cannot be ${foundText(found).replace(/^the string /, "")}`;
  if (meant !== undefined) return say(message, `did you mean ${JSON.stringify(meant)}?`, `${name} is ${allowed}`);
  const hint = typeHint(types, values, found);
  return hint === undefined ? say(message, `it is ${allowed}`) : say(message, hint, `${name} is ${allowed}`);
}

const OLD_BOOLEANS: { readonly [text: string]: boolean } = {
  yes: true,
  on: true,
  y: true,
  no: false,
  off: false,
  n: false,
};

/** @param fields the fields of the expected map */
function typeHint(
  types: readonly string[],
  values: readonly string[],
  found: FoundValue,
  fields: readonly string[] = [],
  subject = "",
): string | undefined {
  const takes = (type: string) => types.includes(type);
  switch (found.is) {
    case "nothing":
      return "write a value, or delete the line";
    case "map":
      if (takes("array")) return `write a list: ${found.keys === undefined ? "[]" : asInFile(found.keys.map(bare))}`;
      return takes("string") && found.sole !== undefined ? `write it alone: ${asInFile(bare(found.sole))}` : undefined;
    case "list": {
      if (fields.includes("groups")) {
        if (found.length === 0) return "write role:nobody, or the name of a group";
        const names = found.texts?.map(bare) ?? ["…"];
        const people = fields.includes("users") ? names.filter((name) => name.includes("@")) : [];
        const groups = names.filter((name) => !people.includes(name));
        const written = [
          { named: "write groups as", part: `groups: ${asInFile(groups)}`, is: groups.length > 0 },
          { named: "write people as", part: `users: ${asInFile(people)}`, is: people.length > 0 },
        ].filter(({ is }) => is);
        const lead = written.length > 1 ? "write both as" : (written[0]?.named ?? "");
        return `${lead} {${written.map(({ part }) => part).join(", ")}}`;
      }
      // Methods to sign in, each on or off.
      if (takes("record") && subject.endsWith("methods") && found.texts !== undefined)
        return `write a map: ${asInFile(Object.fromEntries(found.texts.map((text) => [bare(text), true])))}`;
      if (found.length === 1 && (takes("string") || values.length > 0)) return "write it without brackets";
      if (!takes("string") || values.length > 0) return undefined;
      return found.length === 1 ? "write it without brackets" : "write one text";
    }
    case "boolean":
      if (fields.includes("groups"))
        return `write who has the right: ${found.boolean ? "role:everyone, role:members" : "role:nobody"} or the name of a group`;
      return takes("string") ? `put it in quotes: "${found.boolean}"` : undefined;
    case "number":
      if (fields.join() === "id") return `write the account with this id as {id: ${found.number}}`;
      if (takes("int")) return "write a number without a fraction";
      // The API numbers words: in quotes, the number would be none of them.
      if (takes("string")) return values.length > 1 ? undefined : numberHint(found.number, subject);
      return takes("array") ? `write a list: [${found.number}]` : undefined;
    case "text":
      return textHint(takes, bare(found.text), values);
  }
}

/** The API numbers channels, folders and groups; a file has their names. */
function numberHint(number: number, subject: string): string {
  const [, what] = /(folder|channel|group)s?$/.exec(subject) ?? [];
  const way = `put it in quotes: "${number}"`;
  if (what === undefined) return /^expires_/.test(subject) ? `write a number with its unit: ${number}d` : way;
  const example = what === "group" ? ", such as role:members" : "";
  return `a file has the names of ${what}s, not their numbers: write the name${example}; if ${number} is the name, ${way}`;
}

/** The hint for a text in the place of a map. */
function mapHint(text: string, fields: readonly string[]): string | undefined {
  if (text.includes("@") && fields.includes("users")) return `people are written {users: ${asInFile([text])}}`;
  if (fields.includes("groups")) return `groups are written {groups: ${asInFile([text])}}`;
  return fields.length === 0 ? undefined : `write its fields: ${listNames(fields, 20)}`;
}

function textHint(takes: (type: string) => boolean, text: string, values: readonly string[]): string | undefined {
  if (takes("boolean")) {
    const meant = own(OLD_BOOLEANS, text.toLowerCase());
    if (meant !== undefined) return `"${text}" is a string in YAML 1.2: write ${meant}`;
    if (/^(true|false)$/i.test(text)) return `write ${text.toLowerCase()} without quotes`;
  }
  if (takes("number") || takes("int")) {
    if (/^\d+$/.test(text)) return `write ${text} without quotes`;
    const digits = /^(\d+) ?(?:[a-z]{1,2}|days?|%)$/i.exec(text)?.[1];
    if (digits !== undefined) return `write the number alone: ${digits}`;
    return values.length > 0 ? undefined : "write it in digits: 17";
  }
  // One of the known words is missing: brackets would not help.
  if (!takes("array") || values.length > 0) return undefined;
  if (/^(?:[•·▪◦‣–—*-]|\d{1,3}[.)])\s/.test(text)) return 'start every entry with "- ", on a line of its own';
  if (/^-\S+(?:\s+-\S+)*$/.test(text)) return "write a space behind each dash";
  const addresses = severalIn(text, (part) => part.includes("@"));
  return `write a list: [${addresses?.join(", ") ?? text.replace(/^[<(]|[>)]$/g, "")}]`;
}

/** An item that is not a map: a field that is indented too little, or the only field of a map. */
function insteadText(instead: NotAnItem | undefined): string | undefined {
  switch (instead?.meant) {
    case undefined:
      return undefined;
    case "field-of-above":
      return `${q(instead.entry)} is a field: if it belongs to the ${instead.noun} above, indent it more`;
    case "colon-space": {
      const why = instead.sign === undefined ? "a space is missing after the colon" : `${instead.sign} sets nothing`;
      const lines = instead.lines.map((line) => `"${bare(line)}"`);
      return `${why}: write ${lines.join(" and ")}${lines.length > 1 ? ", each on a line of its own" : ""}`;
    }
    case "dotted":
      return pathWay(instead.path.map(bare));
    case "no-dashes":
      return NO_DASHES;
    case "entry-above":
      return "if it belongs to the entry above, write two spaces in the place of its dash";
    case "field-name":
      return `write "${instead.field}: …", if the field is meant`;
    case "description":
      return "write a description as {description: …}";
    case "full-width":
      return 'the ： in its name is a full-width character, not a colon: write ": "';
    case "list-of-people":
      return `write people as {${instead.field}: [${instead.people.map(bare).join(", ")}]}`;
    case "fields":
      return `write its fields: ${listNames(instead.fields, 20)}`;
    case "form":
      return `write it like ${instead.form}`;
  }
}

/** What an entry needs to do what its writer expects. */
export const besidesText = (field: string | undefined): string =>
  field === undefined ? "" : `, and add ${field}, without which nothing is sent`;

/** A path with dots as YAML has it. */
export const pathWay = (path: readonly string[]): string =>
  `write ${path.map((key) => `${key}:`).join(" and ")} on lines of their own, each indented further than the one above`;

/** How the value is written, if it has the form of another notation. */
function valueHint({ value, values }: Extract<FieldWay, { readonly kind: "meant" }>): string {
  if (values !== undefined) return ` (it is ${orList(values)})`;
  const hint = value === undefined ? undefined : typeWords(value).hint;
  return hint === undefined ? "" : ` (${hint})`;
}

function wayText(way: FieldWay | undefined): string | undefined {
  switch (way?.kind) {
    case undefined:
      return undefined;
    case "meant":
      return `did you mean ${JSON.stringify(way.field)}${way.under === undefined ? "" : `, under ${way.under.join(".")}:`}?${valueHint(way)}`;
    case "alone":
      return `write ${way.field}: ${asInFile(bare(way.name))}`;
    case "dotted":
      return pathWay(way.path);
    case "needless-level":
      return "delete this line, and indent the fields below it as far as it is";
    case "person":
      return "write the e-mail address of a person alone, or {id: 17}; groups are written under subgroups (of a user group), or under groups (beside users)";
    case "section":
      return way.line === undefined
        ? "it is a section of the file: start it in the first column"
        : `it is a key of the file, for sections: write ${bare(way.line)} in the first column`;
    case "address":
      return `write the address itself: ${bare(way.address)}`;
    case "left-out":
      return "delete it: it stands for what an example leaves out";
    case "needless":
      return "delete it: what the file lists exists and is in use";
    case "under":
      return `it belongs under ${way.path.join(".")}:`;
    case "above":
      return `it belongs to the ${way.noun} itself: indent it less`;
    case "entry":
      return `if it is ${withArticle(way.noun)} of its own, indent it as far as the one above${
        way.elsewhere === undefined ? "" : `; a channel in it is written ${way.elsewhere}`
      }`;
    case "elsewhere":
      return `it is written at the top of the file: ${way.line}`;
    case "key":
      return `the name of a ${way.noun} is its key; to rename it, write the new name there, and was: with the old one`;
    case "colon-space":
      return `a space is missing after the colon: write "${bare(way.line)}"`;
    case "as-entry":
      return `write the entry as ${bare(way.entry)}${besidesText(way.besides)}`;
    case "fields":
      return `fields: ${listNames(way.fields, 20)}`;
  }
}
