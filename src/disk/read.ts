import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import type { ReadCause } from "../model/diagnostics/unreadable.ts";
import { NotReadable } from "../model/unreadable.ts";

/** What a file must be so that it is read: a regular file within the size limit (always checked, since pipes and devices have no end). */
export interface ReadRules {
  /** A directory: neither the path nor a link may lead out of it. */
  readonly below?: string;
  /** Larger files are refused before a byte is read; default {@link MOST_INPUT_BYTES}. */
  readonly mostBytes?: number;
}

/** The largest file that is read: a snapshot of 10,000 channels with their subscribers takes a twentieth of it. */
export const MOST_INPUT_BYTES = 256 * 1024 * 1024;

/** Not on Windows, where no link is followed unnoticed and files cannot be pipes. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;

/**
 * The text of a regular file. Its type and size are checked before it is opened, and again afterwards.
 * @param path absolute
 * @throws the system's error, or {@link NotReadable}
 */
export async function readRegular(path: string, rules: ReadRules = {}): Promise<string> {
  return decoded(await readRegularBytes(path, rules));
}

/** The bytes of a regular file. */
export async function readRegularBytes(path: string, rules: ReadRules = {}): Promise<Buffer<ArrayBuffer>> {
  // A pipe is recognised before its path is resolved: /dev/fd/63 leads nowhere.
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
    // A file that grows while it is read (or has no size, as in /proc) is also cut off at the limit.
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

/** The text of a regular file, synchronously: for code that cannot wait between two looks at a directory. @throws as {@link readRegular} */
export function readRegularSync(path: string, mostBytes: number): string {
  refuseOther(statSync(path));
  const file = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    refuseOther(stats);
    if (stats.size > mostBytes) throw tooLarge(stats.size, mostBytes);
    // One byte more than its size, to notice that it grew in the meantime.
    const bytes = Buffer.alloc(stats.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return decoded(bytes.subarray(0, length));
  } finally {
    closeSync(file);
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
 * @throws NotReadable
 */
export function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw refused({ is: "utf-16" });
  return bytes.toString("utf8");
}

/** A file, or the standard input, is larger than the limit. The code is the system's code for such files. */
export function tooLarge(size_bytes: number, most_bytes: number): NotReadable {
  return new NotReadable({ is: "too-large", size_bytes, most_bytes }, "EFBIG");
}

function refuseOther(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new NotReadable({ is: "directory" }, "EISDIR");
  throw refused({ is: stats.isFIFO() ? "pipe" : stats.isSocket() ? "socket" : "device" });
}

/** @param real absolute, links followed @throws NotReadable when it is not below the directory, or in its `.git` */
export async function refuseOutside(real: string, below: string): Promise<void> {
  const root = await realpath(below);
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  if (real !== root && !real.startsWith(inside)) throw refused({ is: "link-outside" });
  // Keys of remotes and the tokens of jobs are stored there.
  if (real.slice(inside.length).split(sep).includes(".git")) throw refused({ is: "in-git" });
}

const refused = (cause: ReadCause): NotReadable => new NotReadable(cause);
