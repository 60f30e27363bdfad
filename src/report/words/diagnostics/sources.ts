import type { PlainSyntaxCause, SourceFacts, SyntaxCause } from "../../../model/diagnostics/sources.ts";
import { isAddress } from "../../../model/repository-file.ts";
import { count } from "../../style.ts";
import { fileOfWords, OTHER_FORMATS } from "./other-formats.ts";
import { wayToRead, whyUnreadable } from "./unreadable.ts";
import { bare, didYouMean, q, say, type Words, type WordsOf } from "./words.ts";

const MEBIBYTE = 1024 * 1024;
const SMALLER = "save it with fewer pixels: it is shown small";

export const sourceWords: WordsOf<SourceFacts> = {
  "config/cannot-read": ({ file, why, near, is_default }) => {
    const first =
      is_default === true ? "write a first file with realmctl init, or name the file on the command line" : undefined;
    const meant = near === undefined ? undefined : `there is ${near}: name it on the command line, or rename it`;
    return say(
      `${file} cannot be read: ${whyUnreadable(why)}`,
      meant ?? first ?? wayToRead(why, file, "on-command-line"),
    );
  },
  "policy/cannot-read": ({ file, why }) =>
    say(`${file} cannot be read: ${whyUnreadable(why)}`, wayToRead(why, file, "in-file")),
  "include/cannot-read": ({ file, why }) =>
    say(
      `${file} cannot be read: ${whyUnreadable(why)}`,
      why.code === "ENOENT"
        ? "correct the path: it is relative to the file that includes it"
        : wayToRead(why, file, "in-file"),
    ),
  "include/cycle": ({ file, chain }) =>
    say(`${file} includes itself: ${chain.join(" → ")}`, "delete one of these includes"),
  "include/declared-twice": ({ key, is_section }) =>
    say(
      is_section ? `${q(key)} is in two files, and the two cannot be merged` : `${q(key)} is declared in two files`,
      "keep one of the two",
    ),
  "include/no-match": ({ pattern }) =>
    say(
      `no file matches ${JSON.stringify(pattern)}`,
      `correct the pattern (paths are relative to the file that includes them), or allow that none matches: {path: ${JSON.stringify(pattern)}, optional: true}`,
    ),
  "include/not-a-list": (fact) => {
    switch (fact.cause) {
      case "no-list":
        return say("include is a list of files", "write include: [channels/*.yaml]");
      case "no-brackets":
        return say("include is a list of files, and this is one text", `write include: [${bare(fact.list)}]`);
      case "no-text":
        return say("an include is the path of a file", "put the path in quotes if it looks like a number");
      case "no-path":
        return say("an include needs the path of a file", "write {path: channels/*.yaml, optional: true}");
      case "optional":
        return say("optional is true or false", "write optional: true, or delete it");
      case "empty":
        return say("the path of an include is empty", "write the path of a file, or delete the entry");
      case "field":
        return say(
          `an include has no field ${q(fact.field)}`,
          fact.meant === undefined
            ? "write {path: channels/*.yaml, optional: true}"
            : `did you mean ${JSON.stringify(fact.meant)}?`,
        );
    }
  },
  "include/outside": ({ path, file, is_directory }) =>
    is_directory
      ? say(
          `${JSON.stringify(path)} is the directory of ${file}, and only files can be included`,
          'name the files, or write a pattern for them: include: ["*.yaml"]',
        )
      : say(
          `${JSON.stringify(path)} is outside the directory of ${file}`,
          "included files are beside the main file or below it",
        ),
  "include/too-large-together": ({ most_bytes }) =>
    say(
      `the file and what it includes are larger than ${most_bytes / MEBIBYTE} MB together`,
      "look for an include that matches too much, or keep a file for each organization",
    ),
  "include/too-many": (fact) =>
    fact.counted === "files"
      ? say(`more than ${fact.most} files are included`, "look for a pattern that matches too much")
      : say(
          `${JSON.stringify(fact.pattern)} looks at more than ${fact.most.toLocaleString("en")} files and directories`,
          "name the directory that contains the files, and the pattern below it",
        ),
  "include/url": () =>
    say(
      "an include is a file below the main file's directory: addresses on the web are not read",
      "keep a copy of that file in the repository, so that its changes are reviewed, and include the copy",
    ),
  "file/outside": ({ path, file }) =>
    say(
      isAddress(path)
        ? `${JSON.stringify(path)} is an address, and only files of the repository are read`
        : `${JSON.stringify(path)} is outside the directory of ${file}`,
      "files are beside the main file or below it, and their paths are relative to the file that names them",
    ),
  "file/cannot-read": ({ file, why }) =>
    say(`${file} cannot be read: ${whyUnreadable(why)}`, wayToRead(why, file, "in-file")),
  "file/too-many": ({ counted, most }) =>
    say(
      counted === "files"
        ? `more than ${most} files are named`
        : `the files that are named have more than ${most / MEBIBYTE} MB together`,
      "name fewer or smaller files",
    ),
  "file/lfs-pointer": ({ file }) =>
    say(
      `${file} is only a pointer: Git LFS has the picture itself`,
      "fetch it (git lfs pull; lfs: true for actions/checkout), or keep the picture itself in the repository",
    ),
  "file/no-image": ({ file, is_empty }) =>
    is_empty
      ? say(`${file} is empty`, "save the picture in it, as PNG, JPEG, GIF or WebP")
      : say(
          `${file} is not a picture that servers accept: a PNG, JPEG, GIF or WebP`,
          "the content of the file matters, not its name; save the picture as PNG",
        ),
  "file/cut-off": ({ file }) => say(`${file} ends in the middle of the picture`, "copy or save it again"),
  "file/too-large": ({ file, size_bytes, most_mebibytes }) =>
    say(
      `${file} has ${(size_bytes / MEBIBYTE).toFixed(1)} MiB, and servers accept at most ${most_mebibytes} MiB`,
      SMALLER,
    ),
  "file/dimensions": ({ file, width, height, most_pixels }) =>
    say(
      `${file} has ${width} × ${height} pixels, and servers accept 1 to ${most_pixels.toLocaleString("en")} pixels in all`,
      SMALLER,
    ),
  "yaml/too-large": ({ file, most_bytes }) =>
    say(`${file} is larger than ${most_bytes / MEBIBYTE} MB`, "split it and join the parts with include"),
  "yaml/encoding": (fact) => {
    switch (fact.cause) {
      case "bytes":
        return say(
          `this file is not UTF-8: the byte 0x${fact.byte.toString(16).toUpperCase()} is no character here${fact.character === undefined ? "" : ` (in Windows-1252 it is ${fact.character})`}`,
          'save the file as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8, or "Encoding" in the editor\'s save dialog)',
        );
      case "wide":
        return say(
          `this file is ${fact.encoding}, not UTF-8`,
          `save it as UTF-8 (iconv -f ${fact.encoding} -t UTF-8, or "Encoding" in the editor's save dialog)`,
        );
      case "binary":
        return say("this is not a text file", "name the YAML file");
      case "replaced":
        return say(
          "a character here could not be read: the file is not UTF-8, or was damaged by a program that read it in another encoding",
          "save the file as UTF-8, and write this character again",
        );
    }
  },
  "yaml/control-character": ({ character, is_everywhere }) =>
    is_everywhere === true
      ? say(
          "the lines of this file end with carriage returns alone, as on very old Macs",
          'save it with line feeds: editors call them LF or "Unix"',
        )
      : character === null
        ? say(
            "this carriage return does not end a line",
            "end lines with a line feed (or carriage return and line feed)",
          )
        : say(
            `the control character ${character} is not allowed in YAML`,
            "delete it; a string that needs it can have it as an escape in double quotes",
          ),
  "yaml/invisible-character": ({ character }) =>
    say(
      `there is an invisible character here: ${character}`,
      "delete it, or write it as an escape in double quotes so that reviewers see it",
    ),
  "yaml/empty": ({ file }) => say(`${file} is empty`, 'start with "version: 1"'),
  "yaml/not-a-map": ({ is_list, meant, file_of }) =>
    file_of !== undefined
      ? fileOfWords(file_of)
      : say(
          `a file is a map of sections, and this is ${is_list ? "a list" : "a single value"}`,
          meant !== undefined
            ? `did you mean "${meant}:"?`
            : is_list
              ? 'write "version: 1" and the name of its section, with a colon, on lines above the list; if this is the file of another program, name the one of the organization'
              : 'name the YAML file of the organization; it starts with "version: 1", and realmctl init writes a first one',
        ),
  "yaml/alias-bomb": ({ most }) =>
    say(
      `aliases stand for more than ${most.toLocaleString("en")} values up to here`,
      "aliases of lists of aliases multiply: write the values in full, or use profiles",
    ),
  "yaml/anchor": ({ reason }) => say(`this anchor or alias is malformed: ${reason}`),
  "yaml/directive": () => say("directives are not supported", "delete the line: files are YAML 1.2"),
  "yaml/duplicate-key": ({ key }) => say(`${q(key)} is written twice`, "keep one of the two"),
  "yaml/key-not-text": (fact) => {
    switch (fact.cause) {
      case "missing":
        return say("a key is missing here", "write a name before the colon");
      case "collection":
        return say("a list or map cannot be a key", "write a name");
      case "value":
        return say(`the key ${bare(fact.text)} is not a string`, `put it in quotes: ${q(fact.text)}`);
    }
  },
  "yaml/leading-zero": ({ text, value }) =>
    say(
      `${bare(text)} means ${value} in YAML 1.2 and something else in older YAML`,
      `write ${value}, or "${bare(text)}" in quotes if it is a string`,
    ),
  "yaml/merge": () =>
    say("<< inserts the fields of a map, and this is not a map", "write <<: *name of an anchored map"),
  "yaml/number": (fact) => {
    switch (fact.cause) {
      case "not-finite":
        return say(
          `${bare(fact.text)} is not a number that can be stored`,
          "write a number, or put a string in quotes",
        );
      case "too-large":
        return say(
          `${bare(fact.text)} is too large to be exact: it would be read as ${fact.value}`,
          "put it in quotes if it is a string",
        );
      case "too-many-digits":
        return say(
          `${bare(fact.text)} has more digits than can be kept: it would be read as ${fact.value}`,
          "write fewer digits, or put it in quotes if it is a string",
        );
    }
  },
  "yaml/recursive-alias": ({ anchor }) =>
    say(`*${bare(anchor)} is inside the value that it repeats`, "write the value in full"),
  "yaml/other-format": ({ format }) => say(...OTHER_FORMATS[format]),
  "yaml/several-documents": ({ empty }) =>
    empty === undefined
      ? say("a second document starts here", "one file is one document: move the rest to another file and include it")
      : say(
          `a second document starts here, and the ${empty} one is empty`,
          empty === "second" ? "delete this line" : "delete one of the two lines with ---",
        ),
  "yaml/syntax": (fact) => {
    const words = syntaxWords(fact);
    return fact.odd === undefined ? words : { ...words, hint: ODD[fact.odd] };
  },
  "yaml/tab": ({ odd }) => say("a tab cannot indent a line", odd === undefined ? "indent with spaces" : ODD[odd]),
  "yaml/tag": (fact) =>
    say(
      "tag" in fact ? `the tag ${bare(fact.tag)} is not supported` : `this tag cannot be used here: ${fact.reason}`,
      "tag" in fact && /^!(?:include|import)$/.test(bare(fact.tag))
        ? "other files are included at the top: include: [channels.yaml]; an included file has its sections by name, too"
        : "tag" in fact && /^![^!]/.test(bare(fact.tag))
          ? "delete it: values are plain; if it belongs to a text, put the text in quotes"
          : "delete it: values are plain",
    ),
  "yaml/too-deep": ({ most }) =>
    most === undefined
      ? say("lists and maps are nested too deep here")
      : say(`more than ${most} lists and maps are nested here`, "look for a bracket that is never closed"),
  "yaml/typographic-quotes": ({ text }) =>
    say(
      `the typographic quotes of ${bare(text)} are part of the text: only plain ones are quotes in YAML`,
      'type them again as "…"; if they are meant, put plain quotes around all of it',
    ),
  "yaml/unknown-anchor": ({ anchor, meant }) =>
    say(
      `there is no anchor &${bare(anchor)} above`,
      meant === undefined
        ? `set an anchor before you use it: &${bare(anchor)}; if the * belongs to a text, put the text in quotes`
        : didYouMean({ quoted: `*${bare(meant)}` }, "").replaceAll('"', ""),
    ),
};

const ODD = {
  space: "a space on this line is not a plain one (a non-breaking space, perhaps): type it again",
  quotes: "the quotes on this line are typographic ones: type them again",
} as const;

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
  "comma-before": ["a comma is missing before this", "separate the values with commas"],
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
  "after-value": [
    "there is text after the end of a value",
    `put the whole value in quotes, or delete the rest; ${INNER_QUOTE}`,
  ],
  "dash-in-brackets": ["entries with dashes cannot be inside brackets", "write [a, b]"],
  "dash-in-map": [
    "an entry of a list is between the entries of a map",
    "replace the dash with a key, or indent the entry below the key it belongs to",
  ],
  "second-colon": ['a second ": " on one line', "put the value in quotes if the colon belongs to it"],
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
      | "left-out";
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
    case "left-out":
      return say(`${fact.written} stands for what an example leaves out`, "delete it, or write what belongs there");
    case "full-width":
      return say(
        `this ${fact.written} is a full-width character, not a ${fact.meant === ":" ? "colon" : "comma"}`,
        `write "${fact.meant} "`,
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

function syntaxWords(fact: SyntaxCause): Words {
  switch (fact.cause) {
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
    case "no-colon":
      return say(`${q(fact.text)} has no value: a colon is missing`, KEY_VALUE);
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
      return say(
        `the ${fact.bracket} that opens here is never closed`,
        fact.has_comment === true
          ? `the rest of the line behind " #" is a comment: put a text with # in quotes`
          : `close it with ${closing(fact.bracket)}`,
      );
    case "bare-reference":
      return say(
        `${bare(fact.reference)} needs quotes inside brackets and braces`,
        `write "${bare(fact.quoted_text)}"`,
      );
    case "template":
    case "template-tag":
    case "slashes":
    case "shell-line":
    case "left-out":
    case "full-width":
    case "block-text":
    case "thousands":
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
