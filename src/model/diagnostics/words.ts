import { defined } from "../defined.ts";
import { listNames } from "../words.ts";
import type { FoundValue, HiddenAccounts, Named, Person, Quoted, Word } from "./values.ts";

/** The sentences of a report about a diagnostic: the error, the advice, and further lines. */
export interface Words {
  readonly message: string;
  readonly hint?: string;
  readonly footnotes?: readonly string[];
}

export function say(message: string, hint?: string, ...footnotes: readonly string[]): Words {
  return { message, ...defined({ hint, footnotes: footnotes.length === 0 ? undefined : footnotes }) };
}

/** The maximum length of a quoted text. Names are shorter; a longer text would fill the screen. */
const LONGEST_QUOTE = 300;

/** A text in quotes; of a very long one, the beginning and the length. */
export function q(text: Quoted | Word): string {
  const quoted = typeof text === "string" ? text : text.quoted;
  if (quoted.length <= LONGEST_QUOTE) return JSON.stringify(quoted);
  const start = quoted.slice(0, LONGEST_QUOTE).replace(/[\uD800-\uDBFF]$/, "");
  return `${JSON.stringify(`${start}…`)} (${quoted.length.toLocaleString("en")} characters)`;
}

/** A text without quotes. */
export const bare = ({ quoted }: Quoted): string => quoted;

/** "a", "b" and "c" */
export const listOf = (texts: readonly Quoted[], most?: number): string => listNames(texts.map(bare), most);

/** "a", "b" or "c" */
export const orList = (texts: readonly string[]): string => listNames(texts).replace(/ and (?!.* and )/, " or ");

export function didYouMean(meant: Quoted | Word | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean ${q(meant)}?`;
}

/** "Ada Okafor (ada@example.org), the account that runs this,": the subject of every sentence about missing rights. */
export function accountThatRuns({ full_name, email }: Person): string {
  if (full_name === undefined) return "the account that runs this";
  return `${full_name}${email === undefined ? "" : ` (${email})`}, the account that runs this,`;
}

/** Whom an address can mean that nobody seems to have, where people are named by texts. */
export function hiddenAdvice({ hidden, only }: HiddenAccounts): string {
  return only === undefined
    ? `the account that runs this does not see the addresses of ${hidden} accounts: if it is one of them, write the id, as in "user:17"`
    : `if it is ${only.full_name ?? "the account"}, whose address the account that runs this does not see, write "user:${only.user_id}"`;
}

const NOTES = {
  "archived-here": "archived here",
  "first-here": "first here",
  "type-here": "declared here",
  "claimed-here": "first claimed here",
  "opposite-here": "the opposite here",
  "written-here": "first written here",
  "opened-here": "opened here",
  "default-here": "made a default channel here",
  "declared-here": "first declared here",
  "not-declared": "objects that are not declared are removed",
  "made-inactive-here": "archived or deactivated here",
  "removed-here": "removed here",
  "rule-here": "the rule is written here",
} as const;
/** Why a second place is shown. */
export type NoteFact = keyof typeof NOTES | { readonly value_of: Quoted } | { readonly one_of: Named };

export function noteText(note: NoteFact): string {
  if (typeof note === "string") return NOTES[note];
  if ("value_of" in note) return `the value of \${${bare(note.value_of)}} is written here`;
  return `${note.one_of.address} is one of them`;
}

/** A found value, short enough for a sentence. */
export function foundText(found: FoundValue): string {
  switch (found.is) {
    case "nothing":
      return "empty (null)";
    case "list":
      return "a list";
    case "map":
      return "a map";
    case "number":
      return String(found.number);
    case "boolean":
      return String(found.boolean);
    case "text": {
      const text = bare(found.text);
      const [first = ""] = text.split("\n");
      const short = first.length > 40 ? `${first.slice(0, 40)}…` : first === text ? first : `${first}…`;
      return `the string ${JSON.stringify(short)}`;
    }
  }
}

/** A found value in the form of the file: texts are quoted. */
export function writtenText(found: FoundValue): string {
  switch (found.is) {
    case "nothing":
      return "null";
    case "list":
      return found.texts === undefined ? "a list" : `[${found.texts.map(q).join(",")}]`;
    case "text":
      return q(found.text);
    default:
      return foundText(found);
  }
}
