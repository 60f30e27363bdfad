import { cases } from "../cases.ts";
import { isAddress } from "../file-param.ts";
import { diagnostic } from "./definition.ts";
import {
  commentedWay,
  fileOfWords,
  type OddCharacter,
  OTHER_FORMATS,
  type OtherFile,
  type OtherFormat,
  type SyntaxCause,
  syntaxWords,
} from "./syntax.ts";
import { type Unreadable, wayToRead, whyUnreadable } from "./unreadable.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, didYouMean, q, say } from "./words.ts";

const MEBIBYTE = 1024 * 1024;
const SMALLER = "save it with fewer pixels: it is shown small";

/** Errors in the text of files: reading, YAML, and includes. */
export const sources = {
  "config/cannot-read": diagnostic<{
    file: Word;
    why: Unreadable;
    /** A file that is there, with the other ending: `realm.yml`. */
    near?: Word;
    /** The command line names no file. */
    is_default?: true;
  }>({
    says: ({ file, why, near, is_default }) => {
      const first =
        is_default === true ? "write a first file with realmctl init, or name the file on the command line" : undefined;
      const meant = near === undefined ? undefined : `there is ${near}: name it on the command line, or rename it`;
      return say(
        `${file} cannot be read: ${whyUnreadable(why)}`,
        meant ?? first ?? wayToRead(why, file, "on-command-line"),
      );
    },
    means: "The named file, or `realm.yaml` if no file was named, cannot be read.",
    out: "Name the file as an argument, or change to the directory that contains it.",
  }),
  "policy/cannot-read": diagnostic<{ file: Word; why: Unreadable }>({
    says: ({ file, why }) => `${file} cannot be read: ${whyUnreadable(why)}`,
    help: ({ file, why }) => wayToRead(why, file, "in-file"),
    means: "The file that `policy:` names cannot be read, so it is not known which guard rails apply.",
    out: "Correct the path; it is relative to the file that names it.",
  }),
  "include/cannot-read": diagnostic<{ file: Word; why: Unreadable }>({
    says: ({ file, why }) => `${file} cannot be read: ${whyUnreadable(why)}`,
    help: ({ file, why }) =>
      why.code === "ENOENT"
        ? "correct the path: it is relative to the file that includes it"
        : wayToRead(why, file, "in-file"),
    means: "An included file cannot be read.",
    out: "Correct the path; it is relative to the file that includes it.",
  }),
  "include/cycle": diagnostic<{ file: Word; chain: readonly Word[] }>({
    says: ({ file, chain }) => `${file} includes itself: ${chain.join(" → ")}`,
    help: "delete one of these includes",
    means: "A file includes itself, directly or through others.",
    out: "Delete one of the includes.",
  }),
  "include/declared-twice": diagnostic<{ key: Quoted; is_section: boolean }>({
    says: ({ key, is_section }) =>
      is_section ? `${q(key)} is in two files, and the two cannot be merged` : `${q(key)} is declared in two files`,
    help: "keep one of the two",
    means: "Two files declare the same key of a section, or give values that cannot be merged.",
    out: "Keep one of the two; the note shows the first.",
  }),
  "include/no-match": diagnostic<{ pattern: Word }>({
    says: ({ pattern }) => `no file matches ${JSON.stringify(pattern)}`,
    help: ({ pattern }) =>
      `correct the pattern (paths are relative to the file that includes them), or allow that none matches: {path: ${JSON.stringify(pattern)}, optional: true}`,
    means:
      "No file matches the pattern of an include. That is dangerous: with `exact`, a plan would remove everything that the files declared.",
    out: "Correct it; it is relative to the file that includes. `*` matches within a name, `**` any directories. If there may be no match, write `{path: local/*.yaml, optional: true}`.",
  }),
  "include/not-a-list": diagnostic({
    says: cases("cause", {
      "no-list": say("include is a list of files", "write include: [channels/*.yaml]"),
      "no-path": say("an include needs the path of a file", "write {path: channels/*.yaml, optional: true}"),
      "no-text": say("an include is the path of a file", "put the path in quotes if it looks like a number"),
      optional: say("optional is true or false", "write optional: true, or delete it"),
      empty: say("the path of an include is empty", "write the path of a file, or delete the entry"),
      "no-brackets": ({ list }: { list: Quoted }) =>
        say("include is a list of files, and this is one text", `write include: [${bare(list)}]`),
      field: ({ field, meant }: { field: Quoted; meant?: Word }) =>
        say(
          `an include has no field ${q(field)}`,
          meant === undefined
            ? "write {path: channels/*.yaml, optional: true}"
            : `did you mean ${JSON.stringify(meant)}?`,
        ),
    }),
    means: "`include` is a path, `{path: …, optional: true}`, or a list of these.",
    out: "Write `include: [channels/*.yaml]`; a path that looks like a number needs quotes.",
  }),
  "include/outside": diagnostic<{
    path: Word;
    file: Word;
    /** It is the directory of the main file itself. */
    is_directory?: true;
  }>({
    says: ({ path, file, is_directory }) =>
      is_directory
        ? say(
            `${JSON.stringify(path)} is the directory of ${file}, and only files can be included`,
            'name the files, or write a pattern for them: include: ["*.yaml"]',
          )
        : say(
            `${JSON.stringify(path)} is outside the repository of ${file}, or of its directory if that is in none`,
            "included files are in the same repository; without one, beside the main file or below it",
          ),
    means:
      "An include leads out of the repository of the main file (the nearest directory above with a `.git`; without one, the file's own directory), so that a plan could depend on files that nobody reviews; or it is the directory of the file itself.",
    out: "Put the file into the repository. To include all files of a directory, write a pattern: `*.yaml`.",
  }),
  "include/too-large-together": diagnostic<{ most_bytes: number }>({
    says: ({ most_bytes }) => `the file and what it includes are larger than ${most_bytes / MEBIBYTE} MB together`,
    help: "look for an include that matches too much, or keep a file for each organization",
    means:
      "The file and what it includes are larger than 64 MB together; an organization with 10,000 channels takes 4 MB.",
    out: "Look for an include that matches too much, or keep a file for each organization.",
  }),
  "include/too-many": diagnostic<
    { counted: "files"; most: number } | { counted: "entries"; most: number; pattern: Word }
  >({
    says: (fact) =>
      fact.counted === "files"
        ? say(`more than ${fact.most} files are included`, "look for a pattern that matches too much")
        : say(
            `${JSON.stringify(fact.pattern)} looks at more than ${fact.most.toLocaleString("en")} files and directories`,
            "name the directory that contains the files, and the pattern below it",
          ),
    means: "More than a thousand files are included, or a pattern looks at more than 10,000 files and directories.",
    out: "Look for a pattern that matches too much, or starts too far up.",
  }),
  "include/url": diagnostic({
    says: "an include is a file of the repository: addresses on the web are not read",
    help: "keep a copy of that file in the repository, so that its changes are reviewed, and include the copy",
    means:
      "An include is an address on the web. Everything that a plan is made from must be in the repository, where it is reviewed.",
    out: "Keep a copy of that file in the repository, and include the copy.",
  }),
  "file/outside": diagnostic<{ path: Word; file: Word }>({
    says: ({ path, file }) =>
      isAddress(path)
        ? `${JSON.stringify(path)} is an address, and only files of the repository are read`
        : `${JSON.stringify(path)} is outside the directory of ${file}`,
    help: "files are beside the main file or below it, and their paths are relative to the file that names them",
    means: "A path leads out of the directory of the main file, so that a plan could send files that nobody reviews.",
    out: "Put the file beside the main file or below it.",
  }),
  "file/cannot-read": diagnostic<{ file: Word; why: Unreadable }>({
    says: ({ file, why }) => `${file} cannot be read: ${whyUnreadable(why)}`,
    help: ({ file, why }) => wayToRead(why, file, "in-file"),
    means: "A file that an entry names, such as the picture of an emoji, cannot be read.",
    out: "Correct the path: it is relative to the file that names it.",
  }),
  "file/too-many": diagnostic<{ counted: "files" | "bytes"; most: number }>({
    says: ({ counted, most }) =>
      counted === "files"
        ? `more than ${most} files are named`
        : `the files that are named have more than ${most / MEBIBYTE} MB together`,
    help: "name fewer or smaller files",
    means: "The configuration names more files than realmctl reads: at most 1,000 files, or 256 MB together.",
    out: "Name fewer or smaller files.",
  }),
  "file/lfs-pointer": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} is only a pointer: Git LFS has the picture itself`,
    help: "fetch it (git lfs pull; lfs: true for actions/checkout), or keep the picture itself in the repository",
    means: "The picture is stored in Git LFS. The checkout has only a pointer to it.",
    out: "Fetch it before planning: `git lfs pull`, or `lfs: true` for actions/checkout. Where a job reads a pull request through GitHub's API, keep the picture itself in the repository.",
  }),
  "file/no-image": diagnostic<{ file: Word; is_empty: boolean }>({
    says: ({ file, is_empty }) =>
      is_empty
        ? say(`${file} is empty`, "save the picture in it, as PNG, JPEG, GIF or WebP")
        : say(
            `${file} is not a picture that servers accept: a PNG, JPEG, GIF or WebP`,
            "the content of the file matters, not its name; save the picture as PNG",
          ),
    means: "The content of the file is not a picture that servers accept. Its name does not matter.",
    out: "Save it as PNG, JPEG, GIF or WebP.",
  }),
  "file/cut-off": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} ends in the middle of the picture`,
    help: "copy or save it again",
    means: "The file ends in the middle of the picture, as after an interrupted copy.",
    out: "Copy or save it again.",
  }),
  "file/too-large": diagnostic<{ file: Word; size_bytes: number; most_mebibytes: number }>({
    says: ({ file, size_bytes, most_mebibytes }) =>
      `${file} has ${(size_bytes / MEBIBYTE).toFixed(1)} MiB, and servers accept at most ${most_mebibytes} MiB`,
    help: SMALLER,
    means: "The file is larger than servers accept.",
    out: "Save it with fewer pixels.",
  }),
  "file/dimensions": diagnostic<{ file: Word; width: number; height: number; most_pixels: number }>({
    says: ({ file, width, height, most_pixels }) =>
      `${file} has ${width} × ${height} pixels, and servers accept 1 to ${most_pixels.toLocaleString("en")} pixels in all`,
    help: SMALLER,
    means: "The picture has no pixels, or more pixels than servers accept.",
    out: "Save it with fewer pixels: emoji, icons and logos are shown small.",
  }),
  "yaml/too-large": diagnostic<{ file: Word; most_bytes: number }>({
    says: ({ file, most_bytes }) => `${file} is larger than ${most_bytes / MEBIBYTE} MB`,
    help: "split it and join the parts with include",
    means: "The file is larger than 32 MB; ten thousand channels take 4 MB.",
    out: "Split it and join the parts with `include`.",
  }),
  "yaml/encoding": diagnostic({
    says: cases("cause", {
      replaced: say(
        "a character here could not be read: the file is not UTF-8, or was damaged by a program that read it in another encoding",
        "save the file as UTF-8, and write this character again",
      ),
      binary: say("this is not a text file", "name the YAML file"),
      /** @property byte the first byte that is no UTF-8 @property character what it is in Windows-1252 */
      bytes: ({ byte, character }: { byte: number; character?: Word }) =>
        say(
          `this file is not UTF-8: the byte 0x${byte.toString(16).toUpperCase()} is no character here${character === undefined ? "" : ` (in Windows-1252 it is ${character})`}`,
          'save the file as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8, or "Encoding" in the editor\'s save dialog)',
        ),
      wide: ({ encoding }: { encoding: Word }) =>
        say(
          `this file is ${encoding}, not UTF-8`,
          `save it as UTF-8 (iconv -f ${encoding} -t UTF-8, or "Encoding" in the editor's save dialog)`,
        ),
    }),
    means: "The file is not UTF-8, or was damaged by a program that took it for something else.",
    out: "Save it as UTF-8, and write the damaged characters again.",
  }),
  /** @property is_everywhere all lines of the file end with a carriage return alone */
  "yaml/control-character": diagnostic<{
    character: Word | null;
    is_everywhere?: true;
    /** What is behind the character, if the two are a colour of a terminal. */
    code?: Quoted;
  }>({
    says: ({ character, is_everywhere, code }) =>
      code !== undefined
        ? say(
            `this text has colours of a terminal, from which it was copied: ${character} with ${q(code)} behind it`,
            "delete both, and the others of their kind in the file; or copy the text without colours",
          )
        : is_everywhere === true
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
    means:
      "The file contains a character that YAML forbids, such as NUL, an escape character, or a carriage return that ends no line.",
    out: 'Delete it. A text that needs it writes it as an escape in double quotes: `"\\u001b"`.',
  }),
  "yaml/invisible-character": diagnostic<{ character: Word }>({
    says: ({ character }) => `there is an invisible character here: ${character}`,
    help: "delete it, or write it as an escape in double quotes so that reviewers see it",
    means:
      "The text has an invisible character, or one that changes the order in which a line is shown. A reviewer would approve something other than what realmctl does.",
    out: "Delete it, or write it as an escape in double quotes.",
  }),
  "yaml/empty": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} is empty`,
    help: 'start with "version: 1"',
    means: "The file is empty, or has only comments.",
    out: "Start with `version: 1`. To manage nothing, that line alone is enough.",
  }),
  /** @property file_of what the list is, if it is the file of another program */
  "yaml/not-a-map": diagnostic<{ is_list: boolean; meant?: Word; file_of?: OtherFile }>({
    says: ({ is_list, meant, file_of }) =>
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
    means: "The file is a list or a single value. A file is a map of sections.",
    out: "Start with `version: 1`, and write each section on a separate line.",
  }),
  "yaml/alias-bomb": diagnostic<{ most: number }>({
    says: ({ most }) => `aliases stand for more than ${most.toLocaleString("en")} values up to here`,
    help: "aliases of lists of aliases multiply: write the values in full, or use profiles",
    means:
      "Aliases stand for more than a million values. Lists of aliases of lists of aliases multiply, and nobody writes them on purpose.",
    out: "Write the values out, or use profiles and defaults.",
  }),
  "yaml/anchor": diagnostic<{ reason: Word }>({
    says: ({ reason }) => `this anchor or alias is malformed: ${reason}`,
    means: "An anchor (`&name`) or an alias (`*name`) has no name, or two.",
    out: "Write `&name` before a value and `*name` where it is repeated.",
  }),
  "yaml/directive": diagnostic({
    says: "directives are not supported",
    help: "delete the line: files are YAML 1.2",
    means: "The file starts with a directive (`%YAML`, `%TAG`). Files are YAML 1.2 without any.",
    out: "Delete the line.",
  }),
  /** @property is_section at the top of the file, and both have entries */
  /** @property comment a name between the two that is a comment, as in `#general:` */
  "yaml/duplicate-key": diagnostic<{ key: Quoted; is_section?: true; comment?: Quoted }>({
    says: ({ key }) => `${q(key)} is written twice`,
    help: ({ is_section, comment }) =>
      comment !== undefined
        ? commentedWay(bare(comment))
        : is_section === true
          ? "move what is below this one to the end of the first, and delete this line"
          : "keep one of the two",
    means:
      "A key is written twice in one map. Programs disagree about which of the two counts, so realmctl accepts neither.",
    out: "Keep one of the two; the note shows the first.",
  }),
  "yaml/key-not-text": diagnostic({
    says: cases("cause", {
      missing: say("a key is missing here", "write a name before the colon"),
      collection: say("a list or map cannot be a key", "write a name"),
      value: ({ text }: { text: Quoted }) =>
        say(`the key ${bare(text)} is not a string`, `put it in quotes: ${q(text)}`),
    }),
    means: "A key is a number, true, false, null, a list or a map. Keys are names.",
    out: "Put it in quotes if it is a name; write one before the colon if it is missing.",
  }),
  "yaml/leading-zero": diagnostic<{ text: Quoted; value: number }>({
    says: ({ text, value }) => `${bare(text)} means ${value} in YAML 1.2 and something else in older YAML`,
    help: ({ text, value }) => `write ${value}, or "${bare(text)}" in quotes if it is a string`,
    means: "A number starts with a zero. YAML 1.2 reads it as a decimal number, older YAML as an octal one.",
    out: "Delete the zeros, or put it in quotes if it is a string.",
  }),
  "yaml/merge": diagnostic({
    says: "<< inserts the fields of a map, and this is not a map",
    help: "write <<: *name of an anchored map",
    means: "`<<` takes over the fields of a map, but its value is not a map.",
    out: "Write `<<: *name` of a map with the anchor `&name`.",
  }),
  "yaml/number": diagnostic({
    says: cases("cause", {
      "not-finite": ({ text }: { text: Quoted }) =>
        say(`${bare(text)} is not a number that can be stored`, "write a number, or put a string in quotes"),
      "too-large": ({ text, value }: { text: Quoted; value: number }) =>
        say(
          `${bare(text)} is too large to be exact: it would be read as ${value}`,
          "put it in quotes if it is a string",
        ),
      "too-many-digits": ({ text, value }: { text: Quoted; value: number }) =>
        say(
          `${bare(text)} has more digits than can be kept: it would be read as ${value}`,
          "write fewer digits, or put it in quotes if it is a string",
        ),
    }),
    means: "A number cannot be kept exactly: it is too large, has too many digits, or is not finite.",
    out: "Write fewer digits, or put it in quotes if it is a string.",
  }),
  "yaml/recursive-alias": diagnostic<{ anchor: Quoted }>({
    says: ({ anchor }) => `*${bare(anchor)} is inside the value that it repeats`,
    help: "write the value in full",
    means: "An alias is inside the value that it repeats.",
    out: "Write the value out.",
  }),
  "yaml/other-format": diagnostic<{ format: OtherFormat }>({
    says: ({ format }) => say(...OTHER_FORMATS[format]),
    means:
      "The file is something else than YAML: a web page, a zuliprc, a diff, TOML, Terraform, a pointer of Git LFS, or YAML that was pasted with the fences of Markdown or the line of a terminal around it.",
    out: "Follow the hint, or name another file.",
  }),
  /**
   * @property empty the document that says nothing: a line too many, not a second file
   * @property is_end `...` ends the first one
   */
  "yaml/several-documents": diagnostic<{ empty?: "first" | "second"; is_end?: true }>({
    says: ({ empty, is_end }) =>
      is_end === true
        ? say('"..." ends the document, and there is more below it', "delete the line")
        : empty === undefined
          ? say(
              "a second document starts here",
              "one file is one document: move the rest to another file and include it",
            )
          : say(
              `a second document starts here, and the ${empty} one is empty`,
              empty === "second" ? "delete this line" : "delete one of the two lines with ---",
            ),
    means: "A second document starts here (`---`). One file is one document.",
    out: "Put the rest into a separate file and include it.",
  }),
  "yaml/syntax": diagnostic<SyntaxCause & OddCharacter>({
    says: (fact) => {
      const words = syntaxWords(fact);
      return fact.odd === undefined ? words : { ...words, hint: ODD[fact.odd] };
    },
    means: "The text is not YAML. The message shows where reading stopped; the error is there or a little above.",
    out: "Follow the hint. Strings with `: ` or ` #`, or with a bracket or brace at the start, need quotes.",
  }),
  "yaml/tab": diagnostic<OddCharacter>({
    says: "a tab cannot indent a line",
    help: ({ odd }) => (odd === undefined ? "indent with spaces" : ODD[odd]),
    means:
      "A line is indented with a tab. YAML allows only spaces, because editors do not agree on the width of a tab.",
    out: "Replace the tabs with spaces.",
  }),
  "yaml/tag": diagnostic<{ tag: Quoted } | { reason: Word }>({
    says: (fact) =>
      "tag" in fact ? `the tag ${bare(fact.tag)} is not supported` : `this tag cannot be used here: ${fact.reason}`,
    help: (fact) =>
      "tag" in fact && /^!(?:include|import)$/.test(bare(fact.tag))
        ? "other files are included at the top: include: [channels.yaml]; an included file has its sections by name, too"
        : "tag" in fact && /^![^!]/.test(bare(fact.tag))
          ? "delete it: values are plain; if it belongs to a text, put the text in quotes"
          : "delete it: values are plain",
    means: "A value has a tag (`!name`). Values are plain: strings, numbers, true, false, null, lists and maps.",
    out: "Delete the tag.",
  }),
  "yaml/too-deep": diagnostic<{ most?: number }>({
    says: ({ most }) =>
      most === undefined
        ? say("lists and maps are nested too deep here")
        : say(`more than ${most} lists and maps are nested here`, "look for a bracket that is never closed"),
    means: "More than 100 lists and maps are nested in each other.",
    out: "Look for a bracket that is never closed.",
  }),
  "yaml/typographic-quotes": diagnostic<{ text: Quoted }>({
    says: ({ text }) =>
      `the typographic quotes of ${bare(text)} are part of the text: only plain ones are quotes in YAML`,
    help: 'type them again as "…"; if they are meant, put plain quotes around all of it',
    means:
      "A key or a value is between typographic quotes, as word processors and messengers make them. YAML takes them for letters, so a channel would be called “general” with its quotes.",
    out: "Type plain quotes. If the typographic ones are meant, put plain quotes around them, too.",
  }),
  "yaml/unknown-anchor": diagnostic<{ anchor: Quoted; meant?: Quoted }>({
    says: ({ anchor }) => `there is no anchor &${bare(anchor)} above`,
    help: ({ anchor, meant }) =>
      meant === undefined
        ? `set an anchor before you use it: &${bare(anchor)}; if the * belongs to a text, put the text in quotes`
        : didYouMean({ quoted: `*${bare(meant)}` }, "").replaceAll('"', ""),
    means: "An alias (`*name`) repeats an anchor that is not set above it.",
    out: "Set the anchor (`&name`) before it is used, or correct the name.",
  }),
};

const ODD = {
  space: "a space on this line is not a plain one (a non-breaking space, perhaps): type it again",
  quotes: "the quotes on this line are typographic ones: type them again",
} as const;
