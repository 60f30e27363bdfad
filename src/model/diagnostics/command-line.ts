import type { Quoted, Word } from "./values.ts";

type Nothing = Record<never, never>;

/** Errors in options and arguments, and in commands that need somebody at the terminal. */
export interface CommandLineFacts {
  readonly "use/unknown-option": ParserFact;
  readonly "use/unknown-command": ParserFact;
  readonly "use/too-many-arguments": ParserFact;
  readonly "use/missing-argument": ParserFact;
  readonly "use/missing-option": ParserFact;
  readonly "use/bad-value": ParserFact;
  readonly "use/conflicting-options": ParserFact;
  readonly "use/no-value": ParserFact | { readonly flag: Word; readonly value: Quoted };
  readonly "use/not-a-file": StrayWord;
  readonly "use/bad-variable": { readonly variable: Word };
  readonly "use/empty-value": { readonly of: Word };
  readonly "use/given-twice": { readonly flag: Word };
  readonly "use/standard-input":
    | { readonly cause: "read-twice"; readonly inputs: readonly Word[] }
    | { readonly cause: "written"; readonly flag: Word };
  readonly "adopt/nobody-to-ask": Nothing;
  readonly "adopt/shared-file": { readonly file: Word; readonly by: readonly Word[] };
  readonly "adopt/unknown-address": {
    readonly written: Quoted;
    readonly meant?: Quoted;
    readonly known: readonly Quoted[];
  };
  readonly "adopt/unknown-field": { readonly field: Quoted; readonly meant?: Word };
  readonly "adopt/what":
    | { readonly cause: "file"; readonly file: Word }
    | { readonly cause: "all-and-named"; readonly named: readonly Quoted[] }
    | { readonly cause: "nobody-to-ask"; readonly differ: number; readonly file: Word; readonly example: Quoted };
  readonly "apply/checksum-without-plan": Nothing;
  readonly "apply/nobody-to-ask": Nothing;
  readonly "apply/replan-saved": Nothing;
  readonly "apply/replan-unseen": Nothing;
  readonly "apply/two-sources": { readonly sources: readonly Word[] };
  readonly "apply/foreign-without-undo": Nothing;
  readonly "apply/verify-without-plan": Nothing;
  readonly "drift/watch-format": Nothing;
  readonly "explain/unknown": { readonly code: Quoted; readonly meant: readonly Word[] };
  readonly "export/exists": { readonly files: readonly Word[] };
  readonly "export/not-read": {
    readonly section: Word;
    readonly needs_level?: number;
    readonly is_on_request: boolean;
  };
  readonly "export/unknown-section": {
    readonly section: Quoted;
    readonly meant?: Word;
    readonly sections: readonly Word[];
  };
  readonly "export/where": { readonly cause: "both" } | { readonly cause: "split"; readonly split: Word };
  readonly "init/exists": { readonly file: Word };
  readonly "init/no-action": { readonly written?: Quoted };
  readonly "init/nobody-to-ask": Nothing;
  readonly "plan/sign-without-out": Nothing;
}

/** Words behind the last argument that the command takes. */
interface Surplus {
  readonly surplus: readonly Quoted[];
  readonly most: number;
}

/** An error that the parser of command lines found. Its texts name options and arguments. */
export interface ParserFact {
  readonly reason: Word | Surplus | { readonly long_dash: Quoted };
  /** The command on the command line, if there is one. */
  readonly command?: Word;
  readonly way?: ParserWay;
}

/** A word that would be read as the name of a file, but no such file exists. @property flag the option before it */
export type StrayWord =
  | { readonly cause: "takes-none"; readonly flag: Word; readonly word: Quoted }
  | { readonly cause: "behind-dashes"; readonly word: Quoted }
  | { readonly cause: "is-command"; readonly word: Quoted }
  /** @property flag the option that takes it, if the command has one */
  | { readonly cause: "is-object"; readonly flag?: Word; readonly word: Quoted }
  | {
      readonly cause: "takes-one";
      readonly flag: Word;
      readonly value: Quoted;
      readonly is_repeatable: boolean;
      readonly word: Quoted;
    };

/** The replacement for a wrong part of the command line. */
export type ParserWay =
  | { readonly is: "meant"; readonly meant: Word }
  | { readonly is: "option" | "without-value"; readonly option: Word }
  | { readonly is: "takes-none"; readonly option: Word }
  /** The command is written after its arguments. */
  | { readonly is: "command-first"; readonly words: readonly Word[] }
  /** The command takes its file as an argument. */
  | { readonly is: "file-argument"; readonly command: Word }
  /** Other commands have the option. */
  | { readonly is: "of-others"; readonly option: Word; readonly commands: readonly Word[] }
  /** Another program's word for it. */
  | { readonly is: "elsewhere"; readonly word: Word };
