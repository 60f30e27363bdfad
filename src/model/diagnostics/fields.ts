import { cases, type FactIn } from "../cases.ts";
import { own } from "../defined.ts";
import { severalIn } from "../names-meant.ts";
import { isWordForKey, KEY_IN_FILE } from "../secrets.ts";
import { valueText as asInFile } from "../value-text.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { typeWord as jsonTypeWord } from "./form-cause.ts";
import type { FoundValue, Quoted, Word } from "./values.ts";
import { bare, foundText, orList, q, say, type Words, writtenText } from "./words.ts";

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

const NO_DASHES = 'write each field on a line of its own, without "- "';

/** An item that is not a map: a field that is indented too little, or the only field of a map. */
const itemWay = cases("meant", {
  "field-of-above": ({ entry, noun }: { entry: Quoted; noun: Word }) =>
    `${q(entry)} is a field: if it belongs to the ${noun} above, indent it more`,
  description: "write a description as {description: …}",
  /** `general.description`: a path, as other programs write it. */
  dotted: ({ path }: { path: readonly Quoted[] }) => pathWay(path.map(bare)),
  /** Each of its fields is an entry of a list. */
  "no-dashes": NO_DASHES,
  /** The fields of an entry whose others are in the one above: a dash too many. */
  "entry-above": "if it belongs to the entry above, write two spaces in the place of its dash",
  /** The beginning of a field. */
  "field-name": ({ field }: { field: Word }) => `write "${field}: …", if the field is meant`,
  /** @property sign the sign of another notation that is there instead of a colon */
  "colon-space": (instead: { lines: readonly Quoted[]; sign?: Word }) => {
    const why = instead.sign === undefined ? "a space is missing after the colon" : `${instead.sign} sets nothing`;
    const lines = instead.lines.map((line) => `"${bare(line)}"`);
    return `${why}: write ${lines.join(" and ")}${lines.length > 1 ? ", each on a line of its own" : ""}`;
  },
  /** A colon of another script in the key, which starts no value. */
  "full-width": 'the ： in its name is a full-width character, not a colon: write ": "',
  "list-of-people": ({ field, people }: { field: Word; people: readonly Quoted[] }) =>
    `write people as {${field}: [${people.map(bare).join(", ")}]}`,
  fields: ({ fields }: { fields: readonly Word[] }) => `write its fields: ${listNames(fields, 20)}`,
  /** The meaning is unknown; `form` shows how an item is written. */
  form: ({ form }: { form: Word }) => `write it like ${form}`,
});
/** The probable meaning of an item that is not a map. */
export type NotAnItem = FactIn<typeof itemWay>;

/** Where an unknown field belongs. */
const wayText = cases("kind", {
  /** @property value what is wrong with the value, too, if it is the field's */
  meant: (way: {
    field: Word;
    under?: readonly Word[];
    value?: TypeFact;
    /** The words that the field can have, if its value is another one. */
    values?: readonly Word[];
  }) =>
    `did you mean ${JSON.stringify(way.field)}${way.under === undefined ? "" : `, under ${way.under.join(".")}:`}?${valueHint(way)}`,
  /** `{role: admin}` in the place of `role:administrators`. */
  alone: ({ field, name }: { field: Word; name: Quoted }) => `write ${field}: ${asInFile(bare(name))}`,
  /** `permissions.can_mention_group`: a path, as other programs write it. */
  dotted: ({ path }: { path: readonly Word[] }) => pathWay(path),
  /** It holds fields of the map that it is in. */
  "needless-level": "delete this line, and indent the fields below it as far as it is",
  /** An entry of a list of people that is neither an address nor `{id: 17}`. */
  person:
    "write the e-mail address of a person alone, or {id: 17}; groups are written under subgroups (of a user group), or under groups (beside users)",
  /** The key is a section, or another key of the file. */
  section: ({ line }: { line?: Quoted }) =>
    line === undefined
      ? "it is a section of the file: start it in the first column"
      : `it is a key of the file, for sections: write ${bare(line)} in the first column`,
  /** `{email: ada@example.org}` in a list of addresses. */
  address: ({ address }: { address: Quoted }) => `write the address itself: ${bare(address)}`,
  /** Three dots, which stand for what an example leaves out. */
  "left-out": "delete it: it stands for what an example leaves out",
  /** What is written in a file exists: `state: present` adds nothing. */
  needless: "delete it: what the file lists exists and is in use",
  under: ({ path }: { path: readonly Word[] }) => `it belongs under ${path.join(".")}:`,
  above: ({ noun }: { noun: Word }) => `it belongs to the ${noun} itself: indent it less`,
  /** The value has fields of the item: it is another item that is indented too much. */
  entry: ({ noun, elsewhere }: { noun: Word; elsewhere?: Word }) =>
    `if it is ${withArticle(noun)} of its own, indent it as far as the one above${
      elsewhere === undefined ? "" : `; a channel in it is written ${elsewhere}`
    }`,
  /** Another part of the file says it. @property line how it is written there */
  elsewhere: ({ line }: { line: Word }) => `it is written at the top of the file: ${line}`,
  /** The name of an object is its key. */
  key: ({ noun }: { noun: Word }) =>
    `the name of a ${noun} is its key; to rename it, write the new name there, and was: with the old one`,
  /** `privacy:public` is one word. @property line with the space */
  "colon-space": ({ line }: { line: Quoted }) => `a space is missing after the colon: write "${bare(line)}"`,
  /** The name of an object is the key of its entry. @property entry as it is written in a list */
  "as-entry": ({ entry, besides }: { entry: Quoted; besides?: Word }) =>
    `write the entry as ${bare(entry)}${besidesText(besides)}`,
  fields: ({ fields }: { fields: readonly Word[] }) => `fields: ${listNames(fields, 20)}`,
});
export type FieldWay = FactIn<typeof wayText>;

const valueText = cases("cause", {
  choice: choiceText,
  empty: ({ label }: { label: Label }) =>
    say(`${labelText(label)} must not be empty`, "write a value, or delete the line"),
  length: (
    {
      length,
      label,
      bound,
      limit,
      unit,
    }: { label: Label; bound: "least" | "most"; limit: number; unit: "characters" | "entries"; length?: number },
    instead: NotAnItem | undefined,
  ) => {
    const has = length === undefined ? "" : `, but has ${length}`;
    return say(`${labelText(label)} must have at ${bound} ${limit} ${unit}${has}`, insteadText(instead));
  },
  "not-positive": ({ label, found }: { label: Label; found: FoundValue }) =>
    say(`${labelText(label)} must be greater than 0, not ${foundText(found)}`, "correct it, or delete the line"),
  number: (
    { label, bound, limit, found }: { label: Label; bound: "least" | "most"; limit: number; found: FoundValue },
    instead: NotAnItem | undefined,
  ) => say(`${labelText(label)} must be at ${bound} ${limit}, not ${foundText(found)}`, insteadText(instead)),
  multiple: ({ label, of }: { label: Label; of: number }, instead: NotAnItem | undefined) =>
    say(`${labelText(label)} must be a multiple of ${of}`, insteadText(instead)),
  format: ({ label, format }: { label: Label; format: Word }, instead: NotAnItem | undefined) =>
    say(`${labelText(label)} is not a valid ${format.replaceAll("_", " ")}`, insteadText(instead)),
  form: ({ form, label, found }: { label: Label; found: FoundValue; form: ValueForm }) =>
    formText(form, labelText(label), found),
});
export type ValueCause = FactIn<typeof valueText>;

/** The form that a schema requires of a value, if zod has no check for it. */
const formText = cases("form", {
  text: ({ most_characters }: { most_characters: number }, name: string, found: FoundValue) => {
    const has = found.is === "text" ? `, but has ${number([...found.text.quoted].length)}` : "";
    const otherwise = name === "description" ? "; pin the rest as a message, or link to it" : "";
    return say(`${name} must have at most ${number(most_characters)} characters${has}`, `shorten it${otherwise}`);
  },
  days: ({ most_days, words }: { most_days: number; words: readonly Word[] }, name: string, found: FoundValue) => {
    const message = `${name} cannot be ${writtenText(found)}`;
    if (found.is === "number" && found.number > most_days)
      return say(`${message}: no server keeps messages for more than ${most_days} days`, "write unlimited");
    return say(
      `${message}: it must be ${orList(["a number of days (1 or more)", ...words])}`,
      found.is === "number" && found.number === -1
        ? "write unlimited"
        : `write unlimited to keep messages forever${words.includes("realm_default") ? ", realm_default to use the organization's setting" : ""}`,
    );
  },
  /** The requests that a fault of the sandbox affects. */
  calls: (_: object, name: string) =>
    say(`${name} must be a method and a path below /api/v1, for example "PATCH /streams/*" or "* **"`),
  /** Requests are either counted (`at`) or chosen by chance. */
  "at-or-chance": say("at and chance exclude each other", "write one of them"),
  /** A fault of the real answer: the request must have been carried out. */
  "fault-after": ({ fault }: { fault: Word }) =>
    say(`${fault} is about the real answer, so the request must have been carried out`, "add when: after"),
  "server-url": ({ most_characters }: { most_characters: number }, name: string, found: FoundValue) =>
    say(
      `${name} must be the URL of a server, not ${foundText(found)}`,
      `write one like https://meet.example.org, of at most ${most_characters} characters, or default`,
    ),
  /** @property meant the code that was probably meant */
  "language-code": ({ meant }: { meant?: Word }, name: string, found: FoundValue) =>
    say(
      `${name} must be the code of a language, not ${foundText(found)}`,
      meant === undefined
        ? "write its code in lower-case letters, such as de or pt-br"
        : `write ${JSON.stringify(meant)}: ${meant.includes("-") ? "lower-case letters, with a hyphen before the country" : "servers have this language without a country"}`,
    ),
  "time-span": spanText,
});
export type ValueForm = FactIn<typeof formText>;

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

const insteadText = (instead: NotAnItem | undefined): string | undefined =>
  instead === undefined ? undefined : itemWay(instead);

const number = (amount: number): string => amount.toLocaleString("en");

function formOfField(field = "", { about, values }: FieldForm = {}): readonly string[] {
  if (values !== undefined) return [`${field} is ${orList(values)}`];
  return about === undefined ? [] : [`${field}: ${about.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}`];
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

const typeWord = (type: string): string => jsonTypeWord(type, "a map");

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

/** `1.5h`, `1 week`, `1h30m` */
const isNearly = (found: FoundValue): boolean => found.is === "text" && /^\s*\d.*[a-z]/i.test(bare(found.text));

interface TimeSpan {
  readonly because: "no-unit" | "not-a-time" | "not-whole" | "too-long" | "zero";
  readonly unit: "seconds" | "days";
  readonly most: Word;
  readonly example: Word;
  /** The word that may be written instead of a number. */
  readonly word?: Word;
}

function spanText(form: TimeSpan, name: string, found: FoundValue): Words {
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

interface Choice {
  readonly label: Label;
  readonly types: readonly Word[];
  readonly values: readonly Word[];
  readonly found: FoundValue;
  readonly meant?: Word;
}

function choiceText({ label, types, values, found, meant }: Choice): Words {
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
      // A list is of people; only its map has a place for a group.
      return takes("array") && fields.includes("groups") && !/[@,;]/.test(bare(found.text))
        ? mapHint(bare(found.text), fields)
        : textHint(takes, bare(found.text), values);
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

/** What an entry needs to do what its writer expects. */
export const besidesText = (field: string | undefined): string =>
  field === undefined ? "" : `, and add ${field}, without which nothing is sent`;

/** A path with dots as YAML has it. */
export const pathWay = (path: readonly string[]): string =>
  `write ${path.map((key) => `${key}:`).join(" and ")} on lines of their own, each indented further than the one above`;

/** How the value is written, if it has the form of another notation. */
function valueHint({ value, values }: { readonly value?: TypeFact; readonly values?: readonly Word[] }): string {
  if (values !== undefined) return ` (it is ${orList(values)})`;
  const hint = value === undefined ? undefined : typeWords(value).hint;
  return hint === undefined ? "" : ` (${hint})`;
}
