import { count } from "../words.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, q, say, type Words } from "./words.ts";

/** A character on the line that looks like another one, and that explains the error. */
export interface OddCharacter {
  readonly odd?: "space" | "quotes";
}

/** The reason why a text is not YAML. */
export type SyntaxCause =
  | { readonly cause: PlainSyntaxCause }
  | { readonly cause: "quote-on-line"; readonly quote: Word }
  | { readonly cause: "start-character"; readonly character: Word }
  | { readonly cause: "escape"; readonly escape: Quoted }
  /** @property of the key on the line above, in the same column, which has no value */
  | { readonly cause: "no-colon"; readonly text: Quoted; readonly of?: Quoted }
  /** The sign of a list in other texts. */
  | { readonly cause: "bullet"; readonly written: Word }
  | { readonly cause: "other-bracket"; readonly found: Word; readonly bracket: Word }
  /** @property has_comment a comment behind it on its line has a closing bracket */
  | { readonly cause: "open-bracket"; readonly bracket: Word; readonly has_comment?: true }
  | {
      /** A line between two brackets starts too far to the left. */
      readonly cause: "bracket-indent";
      readonly bracket: Word;
      /** Where the bracket opens. */
      readonly line: number;
      /** The closing bracket, if the line starts with it. */
      readonly found?: Word;
      /** The spaces that the line needs. */
      readonly least: number;
    }
  | { readonly cause: "bare-reference"; readonly reference: Quoted; readonly quoted_text: Quoted }
  /** @property variable the name in it, if it is one */
  | { readonly cause: "template"; readonly written: Quoted; readonly variable?: Quoted }
  /** `{% if %}` of another program. */
  | { readonly cause: "template-tag"; readonly written: Quoted }
  /** A line of a shell's command, around the lines of the file. */
  | { readonly cause: "shell-line" }
  /** Three dots, which stand for what an example leaves out. */
  | { readonly cause: "left-out"; readonly written: Word }
  /** A comment as other languages have it. */
  | { readonly cause: "slashes"; readonly written: Word }
  | { readonly cause: "full-width"; readonly written: Word; readonly meant: Word }
  /** A text below `|` that starts in the column of its key. @property least the spaces that its lines need */
  | { readonly cause: "block-text"; readonly least: number }
  /** A line of a text below `|` that is indented less than its first line. @property first how far that is indented */
  | { readonly cause: "block-first"; readonly first: number }
  /** `#general:` above lines that are indented as if it were a key. */
  | { readonly cause: "commented-key"; readonly written: Quoted }
  /** @property name all before the last colon, if the line ends with it */
  | { readonly cause: "second-colon"; readonly name?: Quoted }
  /** @property line the field with its value, which may belong to the entry called `of` */
  | { readonly cause: "second-colon"; readonly field: Quoted; readonly of: Quoted; readonly line: Quoted }
  /** A name or value between marks of Markdown. */
  | {
      readonly cause: "marked";
      readonly mark: Word;
      readonly written: Quoted;
      readonly meant: Quoted;
      readonly is_name: boolean;
    }
  | { readonly cause: "thousands"; readonly written: Quoted }
  /** A field of the entry of a list. @property column where the fields of the entry start */
  | { readonly cause: "list-field"; readonly column: number }
  | { readonly cause: "other"; readonly reason: Word };

/** The causes without further facts. */
type PlainSyntaxCause =
  | "dashes"
  | "dash-space"
  | "first-indent"
  | "merge-conflict"
  | "merge-marker"
  | "comma-before"
  | "comma-at-end"
  | "comma-inside"
  | "comment-space"
  | "colon-space"
  | "no-dash"
  | "indent"
  | "indent-more"
  | "block-indent"
  | "equals"
  | "value-before-comma"
  | "stray-bracket"
  | "list-on-key-line"
  | "block-header"
  | "after-value"
  | "check-box"
  | "dash-in-brackets"
  | "dash-in-map"
  | "open-quote";

const closing = (bracket: string): string => (bracket === "{" ? "}" : "]");
const KEY_VALUE = 'write "key: value"';

const INNER_QUOTE = `a quote that belongs to the text is \\" in double quotes, and '' in single quotes`;

const SYNTAX: {
  readonly [F in PlainSyntaxCause]: readonly [message: string, hint: string];
} = {
  "merge-conflict": [
    "an unresolved merge conflict starts here",
    "keep the right lines up to >>>>>>>, and delete the markers",
  ],
  "merge-marker": [
    "a marker of a merge conflict was left here",
    "delete the line, and look at the lines around it: what both sides wrote may be there",
  ],
  "comma-before": ["a comma is missing before this", "separate the values with commas"],
  "comma-at-end": ["a comma ends this line, as in JSON", "delete it: in YAML, the end of the line ends an entry"],
  "comma-inside": [
    "a comma is missing in here",
    'separate the entries with commas; a text that contains ": " needs quotes',
  ],
  "comment-space": ["a space is missing before the # of a comment", "put the text in quotes if the # belongs to it"],
  "colon-space": ["a space is missing after the colon", KEY_VALUE],
  "no-dash": ["this is neither a list entry nor part of one", 'start the line with "- "'],
  indent: [
    "this line is not indented like the lines it belongs to",
    "entries of one map or list start in the same column",
  ],
  "indent-more": [
    'this line is indented further than the entries before it, so it continues the text above, which cannot have ": "',
    "if it is an entry, start it in the column of the entries before it; if it is part of the text, put all of the text in quotes",
  ],
  dashes: ["-- starts neither an entry of a list nor a comment", 'write "- " for an entry, "# " for a comment'],
  "dash-space": ["a space is missing after the dash", "write a space behind it"],
  "first-indent": [
    "this line is indented, and the other sections are not",
    "start it in the first column, like the others",
  ],
  "block-indent": [
    "the lines of this text block are indented unevenly",
    "indent every line at least as far as the first",
  ],
  equals: ["this is not YAML: = sets nothing", KEY_VALUE],
  "value-before-comma": ["a value is missing before this comma", "delete the comma, or write a value"],
  "stray-bracket": ["this bracket closes nothing", "delete it, or put the text in quotes"],
  "list-on-key-line": ["a list cannot start on the line of its key", "start it on a line of its own, or write [a, b]"],
  "block-header": [
    "a text cannot start on the line of | or >",
    "start it on the next line, or write it in quotes without the sign",
  ],
  "check-box": [
    "an entry of a list starts with a check box, as in Markdown",
    'delete the brackets: an entry is only "- " and its text',
  ],
  "after-value": [
    "there is text after the end of a value",
    `put the whole value in quotes, or delete the rest; ${INNER_QUOTE}`,
  ],
  "dash-in-brackets": ["entries with dashes cannot be inside brackets", "write [a, b]"],
  "dash-in-map": [
    "an entry of a list is between the entries of a map",
    "replace the dash with a key, or indent the entry below the key it belongs to",
  ],
  "open-quote": ["the quote that opens here is never closed", `close it; ${INNER_QUOTE}`],
};

function templateWords({ written, variable }: Extract<SyntaxCause, { readonly cause: "template" }>): Words {
  const way =
    variable === undefined
      ? 'declare a variable under vars, and write "${its_name}"'
      : `declare ${bare(variable)} under vars, and write "\${${bare(variable)}}"`;
  return say(
    `${bare(written)} is a template of another program: nothing replaces it here`,
    `${way}; or put the whole value in quotes if it is the text itself`,
  );
}

type Notation = Extract<
  SyntaxCause,
  {
    readonly cause:
      | "template"
      | "template-tag"
      | "slashes"
      | "full-width"
      | "block-text"
      | "thousands"
      | "shell-line"
      | "left-out"
      | "marked"
      | "block-first"
      | "bullet"
      | "commented-key";
  }
>;

/** What is written as another program or language has it. */
function notationWords(fact: Notation): Words {
  switch (fact.cause) {
    case "template":
      return templateWords(fact);
    case "template-tag":
      return say(
        `${bare(fact.written)} is a template of another program: nothing replaces it here`,
        "let that program write the file first, or write here what it would write",
      );
    case "slashes":
      return say(`${fact.written} starts no comment in YAML or JSON`, "a comment starts with #; or delete it");
    case "shell-line":
      return say("this line belongs to a command of a shell, not to the file", "delete it");
    case "marked":
      return say(
        `a ${fact.is_name ? "name" : "value"} cannot start with ${fact.mark}: ${bare(fact.written)} is marked up as in Markdown`,
        `write ${bare(fact.meant)}, or put all of it in quotes if the marks belong to it`,
      );
    case "commented-key":
      return say(
        "this is a comment, and the lines below it are indented as if it were a name",
        commentedWay(bare(fact.written)),
      );
    case "bullet":
      return say(`${fact.written} does not start an entry of a list in YAML`, 'start every entry with "- "');
    case "left-out":
      return say(`${fact.written} stands for what an example leaves out`, "delete it, or write what belongs there");
    case "full-width":
      return say(
        `this ${fact.written} is a full-width character, not a ${fact.meant === ":" ? "colon" : "comma"}`,
        `write "${fact.meant} "`,
      );
    case "block-first":
      return say(
        "this line is indented less than the first line of its text",
        `indent both alike: this one with ${count(fact.first, "space")}, or the first one as this one`,
      );
    case "block-text":
      return say(
        "the lines of a text below | or > are indented further than its key",
        `start each of them with ${count(fact.least, "space")} or more`,
      );
    case "thousands":
      return say(
        `${bare(fact.written)} is not one number: a comma separates entries`,
        `write ${bare(fact.written).replaceAll(",", "")}`,
      );
  }
}

function secondColonWay(fact: Extract<SyntaxCause, { readonly cause: "second-colon" }>): string {
  if ("field" in fact && bare(fact.field) === "role" && /_group$/.test(bare(fact.of)))
    return `the name of a role has no space: write ${bare(fact.line).replace(/:\s+/, ":")}`;
  if ("field" in fact)
    return `if ${bare(fact.field)} is a field of ${bare(fact.of)}, write "${bare(fact.line)}" on a line of its own below, indented further; if the colon belongs to a text, put the value in quotes`;
  if (fact.name !== undefined) return `put the whole name in quotes: ${q(fact.name)}:`;
  return "put the value in quotes if the colon belongs to it";
}

function noColonWords({ text, of }: Extract<SyntaxCause, { readonly cause: "no-colon" }>): Words {
  if (of !== undefined)
    return say(
      `${q(text)} has no value: a colon or a dash is missing`,
      `if ${bare(of)} is a list, start each of its entries with "- "; otherwise ${KEY_VALUE}`,
    );
  return /^["'\w]\S*$/.test(bare(text))
    ? say(`${q(text)} has no value: a colon is missing`, `${KEY_VALUE}, or delete it if it is not meant`)
    : say(
        `${q(text)} is neither a key with its value nor a comment`,
        'delete the line, start it with "# " if it is a comment, or put a colon behind it if it is a name',
      );
}

function openBracketWords(fact: Extract<SyntaxCause, { readonly cause: "open-bracket" }>): Words {
  return say(
    `the ${fact.bracket} that opens here is never closed`,
    fact.has_comment === true
      ? `the rest of the line behind " #" is a comment: put a text with # in quotes`
      : `close it with ${closing(fact.bracket)}`,
  );
}

/** @param written `#general` */
export const commentedWay = (written: string): string =>
  `"${written}:" is a comment in YAML: write ${written.slice(1)}: without "#"; if it is meant as a comment, put "#" before the lines below it, too`;

const referenceWords = (fact: Extract<SyntaxCause, { readonly cause: "bare-reference" }>): Words =>
  say(`${bare(fact.reference)} needs quotes inside brackets and braces`, `write "${bare(fact.quoted_text)}"`);

/** What is no YAML, and how it is written. */
export function syntaxWords(fact: SyntaxCause): Words {
  switch (fact.cause) {
    case "second-colon":
      return say('a second ": " on one line', secondColonWay(fact));
    case "no-colon":
      return noColonWords(fact);
    case "quote-on-line":
      return say("the quote that opens here is not closed on this line", `close it with ${fact.quote}`);
    case "start-character":
      return say(
        `a value cannot start with ${fact.character}`,
        fact.character === "@" ? 'put it in quotes; groups and people are written without "@"' : "put it in quotes",
      );
    case "escape":
      return say(
        `there is no escape ${bare(fact.escape)} in double quotes`,
        "write \\\\ for a backslash, or use single quotes, where a backslash is a plain character",
      );
    case "other-bracket":
      return say(
        `this ${fact.found} does not close the ${fact.bracket}`,
        `write ${closing(fact.bracket)} here, or delete it`,
      );
    case "bracket-indent":
      return say(
        fact.found === undefined
          ? `the ${fact.bracket} of line ${fact.line} is still open, and this line is not indented enough`
          : `this ${fact.found} closes the ${fact.bracket} of line ${fact.line}, and is not indented enough`,
        `start the line with ${count(fact.least, "space")} or more`,
      );
    case "open-bracket":
      return openBracketWords(fact);
    case "bare-reference":
      return referenceWords(fact);
    case "template":
    case "template-tag":
    case "slashes":
    case "shell-line":
    case "left-out":
    case "full-width":
    case "block-text":
    case "thousands":
    case "marked":
    case "block-first":
    case "bullet":
    case "commented-key":
      return notationWords(fact);
    case "list-field":
      return say(
        "this line is indented too little for the entry above, and too much for one of its own",
        `start it in column ${fact.column}, if it is a field of the entry above`,
      );
    case "other":
      return say(`this is not valid YAML here: ${fact.reason}`);
    default:
      return say(...SYNTAX[fact.cause]);
  }
}
