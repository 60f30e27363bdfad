import { dirname, resolve } from "node:path";
import { MOST_INPUT_BYTES } from "../disk/read.ts";
import { bytesOf } from "../model/bytes.ts";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { OwnFormat } from "../model/own-format.ts";
import { unreadable } from "../model/unreadable.ts";
import type { Io } from "./io.ts";
import { isOwn } from "./own-files.ts";

/** A file that the command line names to be written. */
export interface OutputFile {
  readonly file: string;
  /** What realmctl may have written there before: that is replaced without a question. */
  readonly format: OwnFormat;
  /** Replace whatever is there, but for what this run read. */
  readonly force?: boolean;
}

/**
 * Checks before any request to a server whether the file can be written, and whether that would lose data.
 * @throws Failure when its directory is missing, or something is there that realmctl did not write itself
 */
export async function refuseUnfitOutput(io: Io, output: OutputFile): Promise<void> {
  await refuseMissingDirectory(io, output.file);
  await fitnessOf(io, output);
}

/**
 * Writes a plan, a snapshot, or the like: only for the eyes of the account that runs this.
 * @throws Failure as {@link refuseUnfitOutput}, when this run read the file, and when the text is too long to be read again
 */
export async function writeOutput(io: Io, output: OutputFile, text: string): Promise<void> {
  refuseUnreadable(output, bytesOf(text));
  const isNew = (await fitnessOf(io, output)) === "new";
  try {
    await io.writeFile(output.file, text, { private: true, isNew });
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") throw isThereAlready(output);
    throw unwritable(output.file, thrown);
  }
}

async function fitnessOf(io: Io, output: OutputFile): Promise<"new" | "replaces"> {
  const { file, format, force } = output;
  if (await io.wasRead(file)) throw isInput(file);
  let text: string;
  try {
    text = await io.readFile(file, undefined, "look");
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return "new";
    // A device takes what it is given. Whose a file is that cannot be read, nobody knows.
    if (code === undefined || force === true) return "replaces";
    if (code === "EISDIR") throw unwritable(file, thrown);
    throw isThereAlready(output);
  }
  if (text.trim() !== "" && force !== true && !isOwn(format, text)) throw isThereAlready(output);
  return "replaces";
}

async function refuseMissingDirectory(io: Io, file: string): Promise<void> {
  const directory = dirname(file);
  if (directory === "." || directory === "/") return;
  try {
    await io.list(directory);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code !== "ENOENT" && code !== "ENOTDIR") return;
    throw new Failure(EXIT.errors, error("output/no-directory", { file, directory, is_missing: code === "ENOENT" }));
  }
}

/**
 * Writes files that a command made, with the directories they are in. What the person agreed to replace is the command's business.
 * @throws Failure when one of them cannot be written, or was an input of this run
 */
export async function writeFiles(io: Io, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  for (const path of files.keys()) if (await io.wasRead(path)) throw isInput(path);
  await editFiles(io, files);
}

/**
 * Writes files that a command read and changed.
 * @throws Failure when one of them cannot be written
 */
export async function editFiles(io: Io, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  for (const [path, text] of files) {
    try {
      await io.makeDirectory?.(dirname(resolve(io.cwd, path)));
      await io.writeFile(path, text);
    } catch (thrown) {
      throw unwritable(path, thrown);
    }
  }
}

/** What is thrown when the system does not take a file, or does not make a directory. */
export function unwritable(file: string, thrown: unknown, what: "file" | "directory" = "file"): Failure {
  return new Failure(
    EXIT.errors,
    error("output/not-written", { file, is_directory: what === "directory", why: unreadable(thrown) }),
  );
}

/** What is thrown rather than to write over what this run read. */
export const isInput = (file: string): Failure => new Failure(EXIT.errors, error("output/is-input", { file }));

/** @throws Failure for a file that no command would read again */
export function refuseUnreadable(output: OutputFile, bytes: number): void {
  if (bytes > MOST_INPUT_BYTES) throw tooLargeOutput(output, bytes);
}

/** @param bytes left out: more than a text can have */
export const tooLargeOutput = ({ file, format }: OutputFile, bytes?: number): Failure =>
  new Failure(
    EXIT.errors,
    error("output/too-large", { file, format, most_bytes: MOST_INPUT_BYTES, ...defined({ bytes }) }),
  );

const isThereAlready = ({ file, format }: OutputFile): Failure =>
  new Failure(EXIT.errors, error("output/exists", { file, format }));

/** Those of the paths that are there already. */
export async function existing(io: Io, paths: Iterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) if (!(await isDevice(io, path)) && (await textOf(io, path)) !== undefined) found.push(path);
  return found;
}

/** A device (`/dev/null`) is written to: no file replaces it, and no other file is created beside it. */
export async function isDevice(io: Io, path: string): Promise<boolean> {
  try {
    await io.readFile(path, undefined, "look");
    return false;
  } catch (thrown) {
    return unreadable(thrown).cause?.is === "device";
  }
}

/**
 * The text of a file that may be missing, and may be replaced afterwards.
 * @throws Failure when it is there and cannot be read, or is a directory
 */
export async function textOf(io: Io, path: string): Promise<string | undefined> {
  try {
    return await io.readFile(path, undefined, "look");
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Failure(EXIT.errors, error("input/unreadable", { file: path, why: unreadable(thrown) }));
  }
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}
