import type { SourceFacts } from "../../../model/diagnostics/sources.ts";
import { isAddress } from "../../../model/repository-file.ts";
import { fileOfWords, OTHER_FORMATS } from "./other-formats.ts";
import { commentedWay, syntaxWords } from "./syntax.ts";
import { wayToRead, whyUnreadable } from "./unreadable.ts";
import { bare, didYouMean, q, say, type WordsOf } from "./words.ts";

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
          `${JSON.stringify(path)} is outside the repository of ${file}`,
          "included files are in the same repository; without one, beside the main file or below it",
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
  "yaml/control-character": ({ character, is_everywhere, code }) =>
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
  "yaml/duplicate-key": ({ key, is_section, comment }) =>
    say(
      `${q(key)} is written twice`,
      comment !== undefined
        ? commentedWay(bare(comment))
        : is_section === true
          ? "move what is below this one to the end of the first, and delete this line"
          : "keep one of the two",
    ),
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
  "yaml/several-documents": ({ empty, is_end }) =>
    is_end === true
      ? say('"..." ends the document, and there is more below it', "delete the line")
      : empty === undefined
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
