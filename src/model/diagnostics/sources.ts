import type { WrittenFile } from "../own-format.ts";
import type { Quoted, Word } from "./values.ts";

/** Errors in the text of files: reading, YAML, and includes. */
export interface SourceFacts {
  readonly "config/cannot-read": {
    readonly file: Word;
    readonly why: Unreadable;
    /** A file that is there, with the other ending: `realm.yml`. */
    readonly near?: Word;
    /** The command line names no file. */
    readonly is_default?: true;
  };
  readonly "policy/cannot-read": { readonly file: Word; readonly why: Unreadable };
  readonly "include/cannot-read": { readonly file: Word; readonly why: Unreadable };
  readonly "include/cycle": { readonly file: Word; readonly chain: readonly Word[] };
  readonly "include/declared-twice": { readonly key: Quoted; readonly is_section: boolean };
  readonly "include/no-match": { readonly pattern: Word };
  readonly "include/not-a-list":
    | { readonly cause: "no-list" | "no-path" | "no-text" | "optional" | "empty" }
    | { readonly cause: "no-brackets"; readonly list: Quoted }
    | { readonly cause: "field"; readonly field: Quoted; readonly meant?: Word };
  readonly "include/outside": {
    readonly path: Word;
    readonly file: Word;
    /** It is the directory of the main file itself. */
    readonly is_directory?: true;
  };
  readonly "include/too-large-together": { readonly most_bytes: number };
  readonly "include/too-many":
    | { readonly counted: "files"; readonly most: number }
    | { readonly counted: "entries"; readonly most: number; readonly pattern: Word };
  readonly "include/url": Record<never, never>;
  readonly "file/outside": { readonly path: Word; readonly file: Word };
  readonly "file/cannot-read": { readonly file: Word; readonly why: Unreadable };
  readonly "file/too-many": { readonly counted: "files" | "bytes"; readonly most: number };
  readonly "file/lfs-pointer": { readonly file: Word };
  readonly "file/no-image": { readonly file: Word; readonly is_empty: boolean };
  readonly "file/cut-off": { readonly file: Word };
  readonly "file/too-large": { readonly file: Word; readonly size_bytes: number; readonly most_mebibytes: number };
  readonly "file/dimensions": {
    readonly file: Word;
    readonly width: number;
    readonly height: number;
    readonly most_pixels: number;
  };
  readonly "yaml/too-large": { readonly file: Word; readonly most_bytes: number };
  readonly "yaml/encoding":
    | { readonly cause: "replaced" | "binary" }
    /** @property byte the first byte that is no UTF-8 @property character what it is in Windows-1252 */
    | { readonly cause: "bytes"; readonly byte: number; readonly character?: Word }
    | { readonly cause: "wide"; readonly encoding: Word };
  /** @property is_everywhere all lines of the file end with a carriage return alone */
  readonly "yaml/control-character": {
    readonly character: Word | null;
    readonly is_everywhere?: true;
    /** What is behind the character, if the two are a colour of a terminal. */
    readonly code?: Quoted;
  };
  readonly "yaml/invisible-character": { readonly character: Word };
  readonly "yaml/empty": { readonly file: Word };
  /** @property file_of what the list is, if it is the file of another program */
  readonly "yaml/not-a-map": { readonly is_list: boolean; readonly meant?: Word; readonly file_of?: OtherFile };
  readonly "yaml/alias-bomb": { readonly most: number };
  readonly "yaml/anchor": { readonly reason: Word };
  readonly "yaml/directive": Record<never, never>;
  /** @property is_section at the top of the file, and both have entries */
  /** @property comment a name between the two that is a comment, as in `#general:` */
  readonly "yaml/duplicate-key": { readonly key: Quoted; readonly is_section?: true; readonly comment?: Quoted };
  readonly "yaml/key-not-text":
    | { readonly cause: "missing" | "collection" }
    | { readonly cause: "value"; readonly text: Quoted };
  readonly "yaml/leading-zero": { readonly text: Quoted; readonly value: number };
  readonly "yaml/merge": Record<never, never>;
  readonly "yaml/number":
    | { readonly cause: "not-finite"; readonly text: Quoted }
    | { readonly cause: "too-large" | "too-many-digits"; readonly text: Quoted; readonly value: number };
  readonly "yaml/other-format": { readonly format: OtherFormat };
  readonly "yaml/recursive-alias": { readonly anchor: Quoted };
  /**
   * @property empty the document that says nothing: a line too many, not a second file
   * @property is_end `...` ends the first one
   */
  readonly "yaml/several-documents": { readonly empty?: "first" | "second"; readonly is_end?: true };
  readonly "yaml/syntax": SyntaxCause & OddCharacter;
  readonly "yaml/tab": OddCharacter;
  readonly "yaml/tag": { readonly tag: Quoted } | { readonly reason: Word };
  readonly "yaml/too-deep": { readonly most?: number };
  readonly "yaml/typographic-quotes": { readonly text: Quoted };
  readonly "yaml/unknown-anchor": { readonly anchor: Quoted; readonly meant?: Quoted };
}

/** Why a file cannot be read: the system's code and message, or the cause that realmctl found itself. */
export interface Unreadable {
  readonly code?: Word;
  readonly words: Word;
  readonly cause?: ReadCause;
}

/** The reason why realmctl refuses to read a file although the system allows it. */
export type ReadCause =
  | { readonly is: "pipe" | "socket" | "device" | "directory" | "submodule" }
  | { readonly is: "link" | "link-outside" | "link-cycle" | "in-git" | "utf-16" | "not-utf-8" | "no-reader" }
  | { readonly is: "written-by-us"; readonly what: WrittenFile }
  | { readonly is: "too-large"; readonly size_bytes: number; readonly most_bytes: number };

/** What a file is that is not YAML. */
export type OtherFormat =
  | "fence"
  | "html"
  | "zuliprc"
  | "lfs"
  | "diff"
  | "terraform"
  | "terminal"
  | "slashes"
  | "environment"
  | "key"
  | "line-numbers"
  | "added-lines"
  | "quoted-lines"
  | "program"
  | "rego"
  | "markdown"
  | "csv"
  | "toml";

/** The file of another program, in YAML or JSON. */
export type OtherFile =
  | "kubernetes"
  | "helm"
  | "octodns"
  | "pulumi"
  | "dependabot"
  | "compose"
  | "deck"
  | "github"
  | "gitlab"
  | "ansible"
  | "terraform"
  | "cloudformation"
  | "openapi"
  | "package"
  | "zulip-export"
  | "zulip-answer"
  | "slack-export";

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
export type PlainSyntaxCause =
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
