import type { NotJson } from "../not-json.ts";
import type { OwnFormat, WrittenFile } from "../own-format.ts";
import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

/** Files that a command line names, to be read or written, and the keys that sign saved plans. */
export interface CommandFileFacts {
  /** @property what the intended content; absent for a file that a command checks before it writes it */
  /** @property newest the newest journal here, if the named one is missing; null without any */
  readonly "input/unreadable": {
    readonly file: Word;
    readonly what?: InputFile;
    readonly why: Unreadable;
    readonly newest?: Word | null;
  };
  readonly "output/exists": { readonly file: Word; readonly format: OwnFormat };
  /** @property holds what would be in the file */
  readonly "output/other-ending": { readonly file: Word; readonly holds: "plan" | "snapshot" | "configuration" };
  readonly "output/is-input": { readonly file: Word };
  readonly "output/no-directory": { readonly file: Word; readonly directory: Word; readonly is_missing: boolean };
  /** The file would be too large to be read again. */
  readonly "output/too-large": {
    readonly file: Word;
    readonly format: OwnFormat;
    /** Absent if the size exceeds the maximum length of a string. */
    readonly bytes?: number;
    readonly most_bytes: number;
  };
  readonly "output/not-written": { readonly file: Word; readonly is_directory: boolean; readonly why: Unreadable };
  readonly "fmt/not-safe":
    | { readonly file: Word; readonly cause: "loses" | "no-section" }
    | { readonly file: Word; readonly cause: "other-file"; readonly what: WrittenFile };
  readonly "plan-file/not-signed": { readonly file: Word };
  /** @property beginning how many of its characters were given, if they are those that it begins with */
  readonly "plan-file/other-checksum": { readonly file: Word; readonly checksum: Word; readonly beginning?: number };
  readonly "plan-file/other-signature": { readonly file: Word };
  readonly "sign/no-key": { readonly variable: Word };
  readonly "sign/short-key": { readonly key: Word; readonly characters: number; readonly least_characters: number };
  readonly "sign/ssh-keygen":
    | { readonly cause: "not-signed"; readonly key: Word; readonly reason: Quoted }
    | { readonly cause: "not-run"; readonly reason: Quoted };
  readonly "sandbox/data": { readonly file: Word; readonly why: Unreadable };
  readonly "sandbox/no-fixture": { readonly file: Word };
  readonly "sandbox/not-a-realm": SandboxFile & { readonly at?: Word; readonly reason?: Quoted };
  readonly "sandbox/not-json": SandboxFile & { readonly reason: NotJson };
  /** @property code the system's code, if there is one */
  /** @property sync it is the port of `sync --listen` */
  readonly "sandbox/port": {
    readonly port: number;
    readonly reason: Quoted;
    readonly code?: Word;
    readonly sync?: true;
  };
  readonly "sandbox/unreadable": SandboxFile & { readonly why: Unreadable };
}

/** What a command reads besides the configuration. */
export type InputFile = "plan" | "journal" | "file" | "key" | "snapshot" | "event";

/** The file that a sandbox starts from. */
interface SandboxFile {
  readonly file: Word;
  readonly flag: "--data" | "--from";
}
