import type { PlainSyntaxCause, SyntaxCause } from "../../../model/diagnostics/sources.ts";
import { count } from "../../style.ts";
import { bare, q, say, type Words } from "./words.ts";

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
