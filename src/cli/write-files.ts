import { dirname, join, resolve } from "node:path";
import { defined } from "../model/defined.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { unreadable } from "../model/unreadable.ts";
import { whyUnreadable, whyUnwritable } from "../report/words/diagnostics/unreadable.ts";
import type { Io } from "./io.ts";
import { isOwn, OWN_NAMES, type OwnFormat } from "./own-files.ts";

/** A file that the command line names to be written. */
export interface OutputFile {
  readonly file: string;
  /** What realmctl may have written there before: that is replaced without a question. */
  readonly format: OwnFormat;
  /** Replace whatever is there, but for what this run read. */
  readonly force?: boolean;
}

/**
 * Looked at before anything is asked of a server: can the file be written, and would that lose something?
 * @throws Failure when its directory is missing, or something is there that realmctl did not write itself
 */
export async function refuseUnfitOutput(io: Io, output: OutputFile): Promise<void> {
  await refuseMissingDirectory(io, output.file);
  await fitnessOf(io, output);
}

/**
 * Writes a plan, a snapshot, or the like: only for the eyes of the account that runs this.
 * @throws Failure as {@link refuseUnfitOutput}, and when this run read the file
 */
export async function writeOutput(io: Io, output: OutputFile, text: string): Promise<void> {
  const isNew = (await fitnessOf(io, output)) === "new";
  try {
    await io.writeFile(output.file, text, { private: true, isNew });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw isThereAlready(output);
    throw unwritable(`${output.file} cannot be written`, error);
  }
}

async function fitnessOf(io: Io, output: OutputFile): Promise<"new" | "replaces"> {
  const { file, format, force } = output;
  if (await io.wasRead(file)) throw isInput(file);
  let text: string;
  try {
    text = await io.readFile(file, undefined, "look");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "new";
    // A device takes what it is given. Whose a file is that cannot be read, nobody knows.
    if (code === undefined || force === true) return "replaces";
    if (code === "EISDIR") throw unwritable(`${file} cannot be written`, error);
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
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") return;
    const isMissing = code === "ENOENT";
    throw new Failure(EXIT.mistakes, {
      code: "output/no-directory",
      severity: "error",
      message: `${file} cannot be written: ${isMissing ? `there is no directory ${directory}` : `a part of its path is a file, not a directory`}`,
      hint: isMissing ? `make it first (mkdir -p ${directory}), or choose another place` : "choose another place",
    });
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
    } catch (error) {
      throw unwritable(`${path} cannot be written`, error);
    }
  }
}

/** What is thrown when the system does not take a file: `what` is the first half of the sentence. */
export function unwritable(what: string, error: unknown): Failure {
  return new Failure(EXIT.mistakes, {
    code: "output/not-written",
    severity: "error",
    message: `${what}: ${whyUnwritable(unreadable(error))}`,
    hint: codeOf(error) === "EISDIR" ? "name a file in it" : "choose another place, or make this one writable",
  });
}

/** What is thrown rather than to write over what this run read. */
export function isInput(file: string): Failure {
  return new Failure(EXIT.mistakes, {
    code: "output/is-input",
    severity: "error",
    message: `${file} was read by this same command, so it is not overwritten`,
    hint: "choose another file to write to",
  });
}

function isThereAlready({ file, format }: OutputFile): Failure {
  return new Failure(EXIT.mistakes, {
    code: "output/exists",
    severity: "error",
    message: `${file} is there already, and is no ${OWN_NAMES[format]}`,
    hint: "choose another file, or replace this one with --force",
  });
}

/** Those of the paths that are there already. */
export async function existing(io: Io, paths: Iterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await textOf(io, path)) !== undefined) found.push(path);
  return found;
}

/**
 * The text of a file that may be missing, and may be replaced afterwards.
 * @throws Failure when it is there and cannot be read, or is a directory
 */
export async function textOf(io: Io, path: string): Promise<string | undefined> {
  try {
    return await io.readFile(path, undefined, "look");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Failure(EXIT.mistakes, {
      code: "input/unreadable",
      severity: "error",
      message: `${path} cannot be read: ${whyUnreadable(unreadable(error))}`,
      ...defined({ hint: code === "EISDIR" ? `name a file: ${join(path, "realm.yaml")}` : undefined }),
    });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
