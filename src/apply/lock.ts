import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import * as z from "zod";
import { defined } from "../model/defined.ts";
import { error as diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import type { NotOwn } from "../model/diagnostics/runs.ts";
import { codeOf, isMissing, unreadable } from "../model/unreadable.ts";

/*
 * At most one run at a time for each organization and account of a machine.
 *
 * Terms. The *holder* of a lock is a process of a machine; it writes its id into the lock. A lock is *stale* if its process no longer runs.
 *
 * Premise. Two runs at once would only find each other's changes and stop halfway. A process can be killed at any moment, so a lock must not outlive
 * its holder, and nobody may see one without a holder. The directory for temporary files belongs to everybody, so a lock only counts in a directory
 * that no other account can change.
 *
 * The idea.
 *     place   write the holder into a new file and link it to the lock's path: that fails if the path exists, and is one step
 *     if it exists: is the holder alive?      yes: refuse
 *                                             no: rename the stale lock away, check again what was renamed, and place the own one
 *     if two runs do this at the same time, only one of them can place its lock
 *
 * What it does not do. It does not separate machines: there, the server's check of `old` and the reading before each write do. A holder on another
 * machine (a shared directory) cannot be checked, so its lock counts until somebody removes it.
 */

/** The lock of a run that writes: at most one for each realm, account of the machine, and temporary directory. */
interface Lock {
  release(): void;
}

/** Paths of the locks that this process holds. In any other lock, this process's id is that of an earlier process, as in a restarted container. */
const lockedPaths = new Set<string>();

/** The content of a lock. The ids 0 and -1 mean many processes to the system, and some of them always run. */
const HolderForm = z.object({ pid: z.int().positive(), host: z.string(), since: z.string() }).readonly();
type Holder = z.infer<typeof HolderForm>;

/**
 * A lock whose process no longer exists is taken over.
 * @param temporary the directory for files that no other account may touch: {@link lockRoot}
 * @param isAlive whether a process with this id runs. Replaced in tests.
 * @throws Failure if another run holds it, or the file cannot be created
 */
export function takeLock(
  temporary: string,
  realmUrl: string,
  nowMs: number,
  isAlive: (pid: number) => boolean = processRuns,
): Lock {
  const path = pathOf(temporary, realmUrl);
  const mine: Holder = { pid: process.pid, host: hostname(), since: new Date(nowMs).toISOString() };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const why = unsupportedIn(dirname(path));
    if (why !== undefined) throw notMine(dirname(path), why);
    if (!place(path, mine)) {
      const holder = readHolder(path);
      if (holder !== undefined && isHeld(path, holder, isAlive)) throw heldBy(realmUrl, holder, path);
      takeOver(path, mine, realmUrl, isAlive);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.errors, diagnostic("apply/no-lock", { lock: path, why: unreadable(error) }));
  }
  lockedPaths.add(path);
  return {
    release() {
      lockedPaths.delete(path);
      // Another run may have taken over a lock that looked stale to it; its lock stays.
      if (readHolder(path)?.pid === mine.pid) rmSync(path, { force: true });
    },
  };
}

/**
 * The directory of locks: the account's own runtime directory if the machine has one, otherwise the system's directory for temporary files.
 * @param env of the process
 * @param sessions the directory with the runtime directories of accounts. Replaced in tests.
 */
export function lockRoot(env: { readonly [name: string]: string | undefined }, sessions = "/run/user"): string {
  const uid = process.getuid?.();
  const named = env.XDG_RUNTIME_DIR;
  // Without a session (cron), no variable names it, but it may exist.
  const runtime =
    named !== undefined && isAbsolute(named) ? named : uid === undefined ? undefined : join(sessions, `${uid}`);
  if (runtime !== undefined && unsupportedIn(runtime) === undefined) return runtime;
  return env.TMPDIR ?? tmpdir();
}

/** The reason why other accounts could change a directory; undefined: only this account can. */
function unsupportedIn(directory: string): NotOwn | undefined {
  // Windows: each account has its own temporary directory.
  if (process.getuid === undefined) return undefined;
  try {
    const stats = lstatSync(directory);
    if (!stats.isDirectory()) return { is: "no-directory" };
    if (stats.uid !== process.getuid()) return { is: "of-another-account" };
    return (stats.mode & 0o077) === 0 ? undefined : { is: "open" };
  } catch (error) {
    return { is: "unreadable", why: unreadable(error) };
  }
}

/** Whether a run is active on this realm. Then its journal has no end because the run has not reached it yet. */
export function isLocked(
  temporary: string,
  realmUrl: string,
  isAlive: (pid: number) => boolean = processRuns,
): boolean {
  const path = pathOf(temporary, realmUrl);
  // A lock that other accounts could have put there does not count.
  if (unsupportedIn(dirname(path)) !== undefined) return false;
  const holder = readHolder(path);
  return holder !== undefined && isHeld(path, holder, isAlive);
}

function pathOf(temporary: string, realmUrl: string): string {
  const folder = join(temporary, `realmctl-${process.getuid?.() ?? "user"}`);
  return join(folder, `${createHash("sha256").update(realmUrl).digest("hex").slice(0, 16)}.lock`);
}

/** A stale lock is moved away before the new one is placed. If two runs do this at once, one of them fails to place its lock. */
function takeOver(path: string, mine: Holder, realmUrl: string, isAlive: (pid: number) => boolean): void {
  const aside = `${path}.${mine.pid}`;
  try {
    moveAside(path, aside);
    const moved = readHolder(aside);
    if (moved !== undefined && isHeld(path, moved, isAlive)) {
      // Another run replaced the stale lock with its own between the check and the move.
      linkSync(aside, path);
      throw heldBy(realmUrl, moved, path);
    }
  } finally {
    rmSync(aside, { force: true });
  }
  if (!place(path, mine)) throw heldBy(realmUrl, readHolder(path) ?? mine, path);
}

/** Moves a lock away. Its holder may have released it in the meantime. */
function moveAside(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Places a lock: the file is created under another name and linked into place, so nobody ever sees a lock without its holder. */
function place(path: string, holder: Holder): boolean {
  const made = `${path}.${randomBytes(8).toString("hex")}.new`;
  try {
    // Nothing may exist at this path, not even a link.
    writeFileSync(made, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    linkSync(made, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(made, { force: true });
  }
}

/** A lock is a line of about 100 characters. */
const LARGEST_LOCK_BYTES = 4096;

/** Reads a small file. Links are not followed, a pipe does not block, and only the beginning of a larger file is read. */
function readSmall(path: string): string {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(LARGEST_LOCK_BYTES);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, LARGEST_LOCK_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined if there is no file, or the file is not a lock. */
function readHolder(path: string): Holder | undefined {
  try {
    return HolderForm.parse(JSON.parse(readSmall(path)));
  } catch {
    return undefined;
  }
}

/** Whether the holder of a lock still runs. A process of another machine (a shared directory) cannot be checked: its lock counts. */
function isHeld(path: string, holder: Holder, isAlive: (pid: number) => boolean): boolean {
  if (holder.host !== hostname()) return true;
  return holder.pid === process.pid ? lockedPaths.has(path) && isAlive(holder.pid) : isAlive(holder.pid);
}

function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Whether a process was killed, and no other process has read its exit code yet. In a container without an init process, this state can last. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\t[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // Not on Linux.
    return false;
  }
}

const notMine = (directory: string, why: NotOwn): Failure =>
  new Failure(EXIT.errors, diagnostic("apply/lock-not-own", { directory, why }));

function heldBy(realmUrl: string, holder: Holder, path: string): Failure {
  const { pid, host, since } = holder;
  const elsewhere = defined({ host: host === hostname() ? undefined : host });
  return new Failure(
    EXIT.conflict,
    diagnostic("apply/locked", { process: pid, ...elsewhere, url: realmUrl, since, lock: path }),
  );
}
