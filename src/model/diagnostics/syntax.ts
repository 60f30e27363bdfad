import { cases, type FactIn } from "../cases.ts";
import { count } from "../words.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, q, say, type Words } from "./words.ts";

/** A character on the line that looks like another one, and that explains the error. */
export interface OddCharacter {
  readonly odd?: "space" | "quotes";
}

const closing = (bracket: string): string => (bracket === "{" ? "}" : "]");
const KEY_VALUE = 'write "key: value"';

const INNER_QUOTE = `a quote that belongs to the text is \\" in double quotes, and '' in single quotes`;

function secondColonWay(
  fact: { readonly name?: Quoted } | { readonly field: Quoted; readonly of: Quoted; readonly line: Quoted },
): string {
  if ("field" in fact && bare(fact.field) === "role" && /_group$/.test(bare(fact.of)))
    return `the name of a role has no space: write ${bare(fact.line).replace(/:\s+/, ":")}`;
  if ("field" in fact)
    return `if ${bare(fact.field)} is a field of ${bare(fact.of)}, write "${bare(fact.line)}" on a line of its own below, indented further; if the colon belongs to a text, put the value in quotes`;
  if (fact.name !== undefined) return `put the whole name in quotes: ${q(fact.name)}:`;
  return "put the value in quotes if the colon belongs to it";
}

function noColonWords({ text, of }: { readonly text: Quoted; readonly of?: Quoted }): Words {
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

/** @param written `#general` */
export const commentedWay = (written: string): string =>
  `"${written}:" is a comment in YAML: write ${written.slice(1)}: without "#"; if it is meant as a comment, put "#" before the lines below it, too`;

/** What is no YAML, and how it is written. */
export const syntaxWords = cases("cause", {
  "quote-on-line": ({ quote }: { quote: Word }) =>
    say("the quote that opens here is not closed on this line", `close it with ${quote}`),
  "start-character": ({ character }: { character: Word }) =>
    say(
      `a value cannot start with ${character}`,
      character === "@" ? 'put it in quotes; groups and people are written without "@"' : "put it in quotes",
    ),
  escape: (fact: { escape: Quoted }) =>
    say(
      `there is no escape ${bare(fact.escape)} in double quotes`,
      "write \\\\ for a backslash, or use single quotes, where a backslash is a plain character",
    ),
  /** @property of the key on the line above, in the same column, which has no value */
  "no-colon": (fact: { text: Quoted; of?: Quoted }) => noColonWords(fact),
  /** The sign of a list in other texts. */
  bullet: ({ written }: { written: Word }) =>
    say(`${written} does not start an entry of a list in YAML`, 'start every entry with "- "'),
  "other-bracket": ({ found, bracket }: { found: Word; bracket: Word }) =>
    say(`this ${found} does not close the ${bracket}`, `write ${closing(bracket)} here, or delete it`),
  /** @property has_comment a comment behind it on its line has a closing bracket */
  "open-bracket": ({ bracket, has_comment }: { bracket: Word; has_comment?: true }) =>
    say(
      `the ${bracket} that opens here is never closed`,
      has_comment === true
        ? `the rest of the line behind " #" is a comment: put a text with # in quotes`
        : `close it with ${closing(bracket)}`,
    ),
  /**
   * A line between two brackets starts too far to the left.
   * @property line where the bracket opens @property found the closing bracket, if the line starts with it @property least the spaces that the line needs
   */
  "bracket-indent": ({ found, bracket, line, least }: { bracket: Word; line: number; found?: Word; least: number }) =>
    say(
      found === undefined
        ? `the ${bracket} of line ${line} is still open, and this line is not indented enough`
        : `this ${found} closes the ${bracket} of line ${line}, and is not indented enough`,
      `start the line with ${count(least, "space")} or more`,
    ),
  "bare-reference": ({ reference, quoted_text }: { reference: Quoted; quoted_text: Quoted }) =>
    say(`${bare(reference)} needs quotes inside brackets and braces`, `write "${bare(quoted_text)}"`),
  /** @property variable the name in it, if it is one */
  template: ({ written, variable }: { written: Quoted; variable?: Quoted }) => {
    const way =
      variable === undefined
        ? 'declare a variable under vars, and write "${its_name}"'
        : `declare ${bare(variable)} under vars, and write "\${${bare(variable)}}"`;
    return say(
      `${bare(written)} is a template of another program: nothing replaces it here`,
      `${way}; or put the whole value in quotes if it is the text itself`,
    );
  },
  /** `{% if %}` of another program. */
  "template-tag": ({ written }: { written: Quoted }) =>
    say(
      `${bare(written)} is a template of another program: nothing replaces it here`,
      "let that program write the file first, or write here what it would write",
    ),
  /** A line of a shell's command, around the lines of the file. */
  "shell-line": say("this line belongs to a command of a shell, not to the file", "delete it"),
  /** Three dots, which stand for what an example leaves out. */
  "left-out": ({ written }: { written: Word }) =>
    say(`${written} stands for what an example leaves out`, "delete it, or write what belongs there"),
  /** A comment as other languages have it. */
  slashes: ({ written }: { written: Word }) =>
    say(`${written} starts no comment in YAML or JSON`, "a comment starts with #; or delete it"),
  "full-width": ({ written, meant }: { written: Word; meant: Word }) =>
    say(`this ${written} is a full-width character, not a ${meant === ":" ? "colon" : "comma"}`, `write "${meant} "`),
  /** A text below `|` that starts in the column of its key. @property least the spaces that its lines need */
  "block-text": ({ least }: { least: number }) =>
    say(
      "the lines of a text below | or > are indented further than its key",
      `start each of them with ${count(least, "space")} or more`,
    ),
  /** A line of a text below `|` that is indented less than its first line. @property first how far that is indented */
  "block-first": ({ first }: { first: number }) =>
    say(
      "this line is indented less than the first line of its text",
      `indent both alike: this one with ${count(first, "space")}, or the first one as this one`,
    ),
  /** `#general:` above lines that are indented as if it were a key. */
  "commented-key": ({ written }: { written: Quoted }) =>
    say("this is a comment, and the lines below it are indented as if it were a name", commentedWay(bare(written))),
  /**
   * @property name all before the last colon, if the line ends with it
   * @property line the field with its value, which may belong to the entry called `of`
   */
  "second-colon": (fact: { name?: Quoted } | { field: Quoted; of: Quoted; line: Quoted }) =>
    say('a second ": " on one line', secondColonWay(fact)),
  /** A name or value between marks of Markdown. */
  marked: (fact: { mark: Word; written: Quoted; meant: Quoted; is_name: boolean }) =>
    say(
      `a ${fact.is_name ? "name" : "value"} cannot start with ${fact.mark}: ${bare(fact.written)} is marked up as in Markdown`,
      `write ${bare(fact.meant)}, or put all of it in quotes if the marks belong to it`,
    ),
  thousands: ({ written }: { written: Quoted }) =>
    say(`${bare(written)} is not one number: a comma separates entries`, `write ${bare(written).replaceAll(",", "")}`),
  /** A field of the entry of a list. @property column where the fields of the entry start */
  "list-field": ({ column }: { column: number }) =>
    say(
      "this line is indented too little for the entry above, and too much for one of its own",
      `start it in column ${column}, if it is a field of the entry above`,
    ),
  other: ({ reason }: { reason: Word }) => say(`this is not valid YAML here: ${reason}`),
  "merge-conflict": say(
    "an unresolved merge conflict starts here",
    "keep the right lines up to >>>>>>>, and delete the markers",
  ),
  "merge-marker": say(
    "a marker of a merge conflict was left here",
    "delete the line, and look at the lines around it: what both sides wrote may be there",
  ),
  "comma-before": say("a comma is missing before this", "separate the values with commas"),
  "comma-at-end": say("a comma ends this line, as in JSON", "delete it: in YAML, the end of the line ends an entry"),
  "comma-inside": say(
    "a comma is missing in here",
    'separate the entries with commas; a text that contains ": " needs quotes',
  ),
  "comment-space": say("a space is missing before the # of a comment", "put the text in quotes if the # belongs to it"),
  "colon-space": say("a space is missing after the colon", KEY_VALUE),
  "no-dash": say("this is neither a list entry nor part of one", 'start the line with "- "'),
  indent: say(
    "this line is not indented like the lines it belongs to",
    "entries of one map or list start in the same column",
  ),
  "indent-more": say(
    'this line is indented further than the entries before it, so it continues the text above, which cannot have ": "',
    "if it is an entry, start it in the column of the entries before it; if it is part of the text, put all of the text in quotes",
  ),
  dashes: say("-- starts neither an entry of a list nor a comment", 'write "- " for an entry, "# " for a comment'),
  "dash-space": say("a space is missing after the dash", "write a space behind it"),
  "first-indent": say(
    "this line is indented, and the other sections are not",
    "start it in the first column, like the others",
  ),
  "block-indent": say(
    "the lines of this text block are indented unevenly",
    "indent every line at least as far as the first",
  ),
  equals: say("this is not YAML: = sets nothing", KEY_VALUE),
  "value-before-comma": say("a value is missing before this comma", "delete the comma, or write a value"),
  "stray-bracket": say("this bracket closes nothing", "delete it, or put the text in quotes"),
  "list-on-key-line": say(
    "a list cannot start on the line of its key",
    "start it on a line of its own, or write [a, b]",
  ),
  "block-header": say(
    "a text cannot start on the line of | or >",
    "start it on the next line, or write it in quotes without the sign",
  ),
  "check-box": say(
    "an entry of a list starts with a check box, as in Markdown",
    'delete the brackets: an entry is only "- " and its text',
  ),
  "after-value": say(
    "there is text after the end of a value",
    `put the whole value in quotes, or delete the rest; ${INNER_QUOTE}`,
  ),
  "dash-in-brackets": say("entries with dashes cannot be inside brackets", "write [a, b]"),
  "dash-in-map": say(
    "an entry of a list is between the entries of a map",
    "replace the dash with a key, or indent the entry below the key it belongs to",
  ),
  "open-quote": say("the quote that opens here is never closed", `close it; ${INNER_QUOTE}`),
});
/** The reason why a text is not YAML. */
export type SyntaxCause = FactIn<typeof syntaxWords>;

/** What a file is that is not YAML: the error, and the advice. */
export const OTHER_FORMATS = {
  fence: [
    "this line is the fence of a code block in Markdown, not YAML",
    "delete it, and the other fence and whatever is outside of them: the file is what is between the two",
  ],
  html: [
    "this is a web page (HTML or XML), not YAML",
    'save the file itself instead of the page that shows it: on GitHub and GitLab that is "Raw"',
  ],
  zuliprc: [
    "this is a zuliprc, which has the key of an account, not a configuration",
    "name it with --zuliprc or in ZULIP_CONFIG, keep it out of the repository, and name the YAML file here",
  ],
  lfs: ["this is only a pointer: Git LFS has the file itself", "fetch it: git lfs pull"],
  diff: ["this is a difference between two files, not a file", "apply it (git apply), or save the whole file"],
  terraform: [
    "this is a file of Terraform or OpenTofu (HCL), not YAML",
    "realmctl export writes a first YAML file from the organization",
  ],
  key: ["this is a key or a certificate, not YAML", "keep it out of the repository, and name the YAML file here"],
  "line-numbers": [
    "these lines were copied with what an editor or a message shows beside them: numbers, or a frame",
    "delete what is before the text of each line, or copy the lines from the file itself",
  ],
  "added-lines": [
    "a + in front of a line is the sign of a difference between two files",
    "delete the + of each line, and the lines that start with -; or apply it (git apply)",
  ],
  "quoted-lines": ["these lines are quoted: each starts with >", "delete the > of each line"],
  program: [
    "this is a program or a script, not YAML",
    "name the YAML file: it starts with version: 1, and realmctl init writes a first one",
  ],
  rego: [
    "this is a policy in Rego, for OPA, which realmctl does not read",
    'write guard rails as "version: 1" and "policy: {limits: {removals: 5}, protect: [channel:general]}" (docs/policy.md)',
  ],
  markdown: ["this is a table of Markdown, not YAML", 'write "key: value", and fields indented below their section'],
  csv: [
    "this is a table (CSV), not YAML",
    'write "version: 1", the name of a section with a colon, and below it an entry with its fields for each row: "name: {field: value}"',
  ],
  terminal: ["this line was copied from a terminal and is not YAML", "delete it"],
  slashes: ["this is not YAML: // and /* start no comment", "a comment is a line that starts with #"],
  environment: [
    "this is a list of environment variables, not YAML",
    "set them in the shell that runs realmctl, keep keys out of the repository, and name the YAML file here",
  ],
  toml: [
    "this is TOML or INI, not YAML: = sets nothing",
    'write "key: value", and fields indented below their section',
  ],
} satisfies { readonly [format: string]: readonly [message: string, hint: string] };
export type OtherFormat = keyof typeof OTHER_FORMATS;

/** The file of another program, in YAML or JSON. */
const OTHER_FILES = {
  kubernetes: "a manifest of Kubernetes",
  helm: "a chart of Helm",
  compose: "a file of Docker Compose",
  octodns: "a configuration of octoDNS",
  pulumi: "a project of Pulumi",
  dependabot: "a configuration of Dependabot",
  deck: "a file of decK",
  github: "a workflow of GitHub Actions",
  gitlab: "a pipeline of GitLab CI",
  ansible: "a playbook or role of Ansible",
  terraform: "a file of Terraform or OpenTofu",
  cloudformation: "a template of CloudFormation",
  openapi: "a description of an API (OpenAPI)",
  package: "a package.json",
  "zulip-export": "an export of Zulip's data",
  "zulip-answer": "an answer of Zulip's API",
  "slack-export": "an export of Slack's data",
} as const;
export type OtherFile = keyof typeof OTHER_FILES;

/** A file of another program, which is YAML or JSON. */
export const fileOfWords = (file: OtherFile): Words =>
  say(
    `this is ${OTHER_FILES[file]}, not the file of an organization`,
    "name the file of the organization; realmctl init writes a first one from the server",
  );
