import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, chown, link, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { MOST_INPUT_BYTES, type ReadRules, type WriteRules } from "./io.ts";

/** Not on Windows: there no link is followed unseen, and no pipe stands among the files. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;

/**
 * The text of a regular file. What it is and how large is looked at before it is opened, and again once it is.
 * @param path absolute
 * @throws the system's error, or one whose message ends a sentence about the file: "it is a pipe, not a file"
 */
export async function readRegular(path: string, rules: ReadRules = {}): Promise<string> {
  return decoded(await readRegularBytes(path, rules));
}

/** The same as it is on the disk. */
export async function readRegularBytes(path: string, rules: ReadRules = {}): Promise<Buffer<ArrayBuffer>> {
  // A pipe is seen before its path is followed: /dev/fd/63 leads nowhere.
  refuseOther(await stat(path));
  const real = await realpath(path);
  if (rules.below !== undefined) await refuseOutside(real, rules.below);
  const most = rules.mostBytes ?? MOST_INPUT_BYTES;
  const file = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = await file.stat();
    refuseOther(stats);
    if (stats.size > most) throw tooLarge(stats.size, most);
    const chunks: Buffer[] = [];
    let length = 0;
    // What grows while it is read (or has no size, as in /proc) ends at the limit, too.
    for await (const chunk of file.createReadStream({ autoClose: false, end: most })) {
      chunks.push(chunk);
      length += chunk.length;
    }
    if (length > most) throw tooLarge(length, most);
    return Buffer.concat(chunks, length);
  } finally {
    await file.close();
  }
}

/** Names in a directory, sorted. */
export async function listDirectory(
  path: string,
  { below }: Pick<ReadRules, "below"> = {},
): Promise<readonly string[]> {
  const real = await realpath(path);
  if (below !== undefined) await refuseOutside(real, below);
  return (await readdir(real)).sort();
}

/**
 * Text of bytes from outside, such as the standard input.
 * @throws an error whose message ends a sentence about them
 */
export function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Error("it is UTF-16: save it as UTF-8");
  return bytes.toString("utf8");
}

/** "630 MB", as the message about a limit says it. */
export function tooLarge(size: number, most: number): Error {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString("en")} MB`;
  const message = `it has ${megabytes(size)}, and at most ${megabytes(most)} are read`;
  return Object.assign(new Error(message), { code: "EFBIG" });
}

function refuseOther(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw Object.assign(new Error("it is a directory"), { code: "EISDIR" });
  const what = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  throw new Error(`it is ${what}, not a file: hand it to the standard input and write - for it`);
}

/** @param real absolute, links followed */
async function refuseOutside(real: string, below: string): Promise<void> {
  const root = await realpath(below);
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  if (real !== root && !real.startsWith(inside))
    throw new Error("it is a link that leads out of its directory: put the file itself there");
  // Keys of remotes and the tokens of jobs are kept there.
  if (real.slice(inside.length).split(sep).includes(".git")) throw new Error("it is a part of .git");
}

/**
 * Replaces a file in one step, or makes it. Links are followed and stay; a device or a pipe (`--out /dev/stdout`) is written to as it is.
 * @param path absolute
 * @throws the system's error; the old file is then untouched
 */
export async function writeInOneStep(path: string, text: string | Uint8Array, rules: WriteRules = {}): Promise<void> {
  const before = await statOf(path);
  if (before !== undefined && !before.isFile() && !before.isDirectory() && rules.isNew !== true) {
    await writeTo(path, text);
    return;
  }
  const target = before === undefined ? path : await realpath(path);
  const beside = `${target}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    // Nobody else can read it at any moment, not even before it has its name.
    const file = await open(beside, "wx", rules.private === true || before !== undefined ? 0o600 : 0o666);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    if (before !== undefined && rules.isNew !== true) await keepRights(beside, before, rules);
    if (rules.isNew === true) await placeNew(beside, target);
    else await rename(beside, target);
  } finally {
    await rm(beside, { force: true });
  }
}

async function keepRights(beside: string, before: Stats, rules: WriteRules): Promise<void> {
  // Root lays out somebody's file: it stays theirs. Who may not give files away wrote their own.
  if (before.uid !== process.getuid?.() || before.gid !== process.getgid?.())
    await chown(beside, before.uid, before.gid).catch(() => undefined);
  if (rules.private !== true) await chmod(beside, before.mode & 0o777);
}

/** A link fails where something is, which a rename would replace. */
async function placeNew(beside: string, target: string): Promise<void> {
  try {
    await link(beside, target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || code === "ENOENT" || (await statOf(target)) !== undefined) throw error;
    // A file system without hard links.
    await rename(beside, target);
  }
}

async function writeTo(path: string, text: string | Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Undefined: there is nothing, or only a link that leads nowhere. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}

/** Device and number of the file that a path leads to; of a file that is not there yet, those of its directory, and its name. */
export async function identityOf(path: string): Promise<string | undefined> {
  const stats = await statOf(path);
  if (stats !== undefined) return `${stats.dev}:${stats.ino}`;
  const directory = await statOf(dirname(path));
  return directory === undefined ? undefined : `${directory.dev}:${directory.ino}:${path.slice(dirname(path).length)}`;
}
