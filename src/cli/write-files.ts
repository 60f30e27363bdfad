import { dirname, relative, resolve } from "node:path";
import { SCHEMA_STORE } from "../config/schema-store.ts";
import { MOST_INPUT_BYTES } from "../disk/read.ts";
import { defined } from "../model/defined.ts";
import { type Failure, failure } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { OwnFormat, WrittenFile } from "../model/own-format.ts";
import { bytesOf } from "../model/texts.ts";
import { codeOf, unreadable } from "../model/unreadable.ts";
import type { Io } from "./io.ts";

/** An output file that the command line names. */
export interface OutputFile {
  readonly file: string;
  /** The format of the file. An existing file of this format, which realmctl wrote, is replaced without a question. */
  readonly format: OwnFormat;
  /** Whether to replace any existing file, except inputs of this run. */
  readonly force?: boolean;
  /** Files that this run will read: no output replaces them. Those that are known only later are checked before writing. */
  readonly inputs?: readonly string[];
}

/**
 * Checks before any request to a server whether the file can be written, and whether that would lose data.
 * @throws Failure if its directory is missing, or a file exists there that realmctl did not write, or that this run reads
 */
export async function refuseUnfitOutput(io: Io, output: OutputFile): Promise<void> {
  await refuseMissingDirectory(io, output.file);
  for (const input of output.inputs ?? []) if (await io.isSameFile(input, output.file)) throw isInput(output.file);
  const isNew = (await fitnessOf(io, output)) === "new";
  if (isNew && (output.format === "plan" || output.format === "snapshot"))
    refuseOtherEnding(output.file, output.format);
}

/**
 * Writes a plan, a snapshot or similar. Only this account of the machine can read the file.
 * @throws Failure as {@link refuseUnfitOutput}, if this run read the file, and if the text is too long to be read again
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

const OTHER_ENDINGS = {
  plan: /\.(?:html?|md|ya?ml|csv|xml|pdf)$/i,
  snapshot: /\.(?:html?|md|ya?ml|csv|xml|pdf|plan)$/i,
  configuration: /\.(?:html?|md|json|csv|xml|pdf|plan)$/i,
} as const;

/** Not asked about an existing file: whoever replaces it means this one. @throws Failure for a name that says that the file has another format */
export function refuseOtherEnding(file: string, holds: keyof typeof OTHER_ENDINGS): void {
  if (OTHER_ENDINGS[holds].test(file)) throw failure("output/other-ending", { file, holds });
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
    // A device can always be written. For a file that cannot be read, it is unknown who wrote it.
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
    throw failure("output/no-directory", { file, directory, is_missing: code === "ENOENT" });
  }
}

/**
 * Writes files that a command made, and creates their directories. The command checks whether existing files may be replaced.
 * @throws Failure if one of them cannot be written, or was an input of this run
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
      await io.makeDirectory(dirname(resolve(io.cwd, path)));
      await io.writeFile(path, text);
    } catch (thrown) {
      throw unwritable(path, thrown);
    }
  }
}

/** The failure if the system cannot write a file, or create a directory. */
export function unwritable(file: string, thrown: unknown, what: "file" | "directory" = "file"): Failure {
  return failure("output/not-written", { file, is_directory: what === "directory", why: unreadable(thrown) });
}

/** The failure if an output would replace an input of this run. */
export const isInput = (file: string): Failure => failure("output/is-input", { file });

/** @throws Failure for a file that is too large to be read again */
export function refuseUnreadable(output: OutputFile, bytes: number): void {
  if (bytes > MOST_INPUT_BYTES) throw tooLargeOutput(output, bytes);
}

/** @param bytes the size; absent if it exceeds the maximum length of a string */
export const tooLargeOutput = ({ file, format }: OutputFile, bytes?: number): Failure =>
  failure("output/too-large", { file, format, most_bytes: MOST_INPUT_BYTES, ...defined({ bytes }) });

const isThereAlready = ({ file, format }: OutputFile): Failure => failure("output/exists", { file, format });

/** The paths at which a file exists already. */
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
 * @throws Failure if it exists and cannot be read, or is a directory
 */
export async function textOf(io: Io, path: string): Promise<string | undefined> {
  try {
    return await io.readFile(path, undefined, "look");
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "EISDIR") throw unwritable(path, thrown);
    throw failure("input/unreadable", { file: path, why: unreadable(thrown) });
  }
}

/** The places of the schema: in a project that has realmctl installed, and in a clone of realmctl. */
const PLACES = ["node_modules/realmctl/schemas/realm.schema.json", "schemas/realm.schema.json"] as const;

/**
 * What the first line of a file names: the schema's path relative to that file's directory if the project has the schema (of the same version, and without
 * a network), otherwise its published address, which does not depend on where the file lies.
 * @param file path of the file that will have the line; undefined: not known yet, so relative to the current directory
 */
export async function schemaPath(io: Io, file?: string): Promise<string> {
  const from = file === undefined ? io.cwd : dirname(resolve(io.cwd, file));
  for (const place of PLACES)
    if ((await textOf(io, place)) !== undefined) return relative(from, resolve(io.cwd, place)).replaceAll("\\", "/");
  return SCHEMA_STORE.realm.url;
}

/** Whether realmctl wrote this text itself. Then another file of the same format replaces it without a question. */
export function isOwn(format: OwnFormat, text: string): boolean {
  return RECOGNISE[format](text);
}

/** The format of a text that was read as configuration and is a file of realmctl instead; undefined for any other text. */
export function ownFormat(text: string): WrittenFile | undefined {
  if (/^\s*\{\s*"entry":\s*"start"/.test(text)) return "journal";
  return (["plan", "snapshot"] as const).find((each) => isOwn(each, text));
}

const RECOGNISE: { readonly [format in OwnFormat]: (text: string) => boolean } = {
  plan: (text) => /^\s*\{\s*"format":\s*"realmctl\.plan"/.test(text),
  snapshot: (text) => /^\s*\{\s*"format":\s*"realmctl\.snapshot"/.test(text),
  "sync-status": (text) => /^\s*\{\s*"format":\s*"realmctl\.sync-status"/.test(text),
  "sandbox-data": isState,
  "sandbox-accounts": isAccounts,
  "sandbox-zuliprc": (text) =>
    /^\[api\]\nemail=\S+\nkey=[A-Za-z0-9]{32}\nsite=http:\/\/(127\.0\.0\.1|localhost):\d+\n$/.test(text),
};

/** The state of a sandbox: a snapshot and a recording have none of these. */
function isState(text: string): boolean {
  const json = parsed(text);
  return isObject(json) && isObject(json.next_id) && isObject(json.user_settings_defaults) && isObject(json.channels);
}

function isAccounts(text: string): boolean {
  const json = parsed(text);
  return (
    isObject(json) &&
    Object.values(json).every((account) => isObject(account) && Object.keys(account).sort().join() === "api_key,email")
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
