import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, chown, link, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { refuseOutside } from "./read.ts";

/** How a file is written. */
export interface WriteRules {
  /** Only the owner may read it: it holds addresses of people, or keys. Otherwise an existing file keeps its mode. */
  readonly private?: boolean;
  /** Nothing may exist at the path; otherwise the error has `code` EEXIST. */
  readonly isNew?: boolean;
  /** It survives a crash of the machine: the file, and its name, are flushed to the disk. */
  readonly isLasting?: boolean;
}

/**
 * Replaces a file in one step, or creates it. Links are followed and kept; a device or a pipe (`--out /dev/stdout`) is written to directly.
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
    // Nobody else can read it at any moment, not even before it gets its name.
    const file = await open(beside, "wx", rules.private === true || before !== undefined ? 0o600 : 0o666);
    try {
      await file.writeFile(text);
      if (rules.isLasting === true) await file.sync();
    } finally {
      await file.close();
    }
    if (before !== undefined && rules.isNew !== true) await keepRights(beside, before, rules);
    if (rules.isNew === true) await placeNew(beside, target);
    else await rename(beside, target);
    if (rules.isLasting === true) await flushNames(dirname(target));
  } finally {
    await rm(beside, { force: true });
  }
}

async function flushNames(directory: string): Promise<void> {
  const names = await open(directory, "r");
  try {
    await names.sync();
  } finally {
    await names.close();
  }
}

async function keepRights(beside: string, before: Stats, rules: WriteRules): Promise<void> {
  // If root writes another account's file, it still belongs to that account. Other accounts cannot change the owner, and need not.
  if (before.uid !== process.getuid?.() || before.gid !== process.getgid?.())
    await chown(beside, before.uid, before.gid).catch(() => undefined);
  if (rules.private !== true) await chmod(beside, before.mode & 0o777);
}

/** Creating a link fails if something exists at the path; a rename would replace it. */
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

/**
 * Refuses to write outside of a directory, or into its `.git`, if a link in the directory leads there: a checkout may have brought that link. A path
 * that names a place outside of the directory directly is allowed.
 * @param path absolute; it need not exist yet
 * @throws NotReadable
 */
export async function refuseLinkOut(path: string, directory: string): Promise<void> {
  const below = relative(directory, path);
  if (below === ".." || below.startsWith(`..${sep}`) || below === path) return;
  const real = await placeOf(path);
  if (real !== join(await realpath(directory), below)) await refuseOutside(real, directory);
}

/** The target of a path whose last parts may not exist yet. A link that leads nowhere is replaced, not followed. */
async function placeOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return dirname(path) === path ? path : join(await placeOf(dirname(path)), basename(path));
  }
}

/** Undefined: nothing exists there, or only a link that leads nowhere. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}

/** Device and inode of the file that a path leads to; if it does not exist yet, those of its directory, and its name. */
export async function identityOf(path: string): Promise<string | undefined> {
  const stats = await statOf(path);
  if (stats !== undefined) return `${stats.dev}:${stats.ino}`;
  const directory = await statOf(dirname(path));
  return directory === undefined ? undefined : `${directory.dev}:${directory.ino}:${path.slice(dirname(path).length)}`;
}
