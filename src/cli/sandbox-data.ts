import { readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeInOneStep } from "../disk/write.ts";
import { isMissing } from "../model/unreadable.ts";

/** The end of the name that a file has before it replaces another one. */
const BESIDE = /^[0-9a-f]{8}\.tmp$/;

/**
 * Replaces a file in one step that survives a crash. Readers see the old text or the new one, never a part.
 * @throws the system's error; the old file is then untouched
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const write = (): Promise<void> => writeInOneStep(path, text, { private: true, isLasting: true });
  try {
    await write();
  } catch (error) {
    // Another run that is just starting treated the file beside it as a leftover.
    if (!isMissing(error)) throw error;
    await write();
  }
}

/**
 * Deletes files that {@link replaceFile} left when its process was killed: files with exactly that form of name, no links and no directories. They
 * hold keys or a whole organization, and nobody would ever read them.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const prefix = `${basename(target)}.`;
  const entries = await readdir(dirname(target), { withFileTypes: true }).catch(() => []);
  const left = entries.filter(
    (entry) => entry.isFile() && entry.name.startsWith(prefix) && BESIDE.test(entry.name.slice(prefix.length)),
  );
  // A file that cannot be deleted stays; it does no harm.
  for (const { name } of left) await rm(join(dirname(target), name), { force: true }).catch(() => undefined);
}

/** An interceptor that saves, and leaves the answer to the server. */
interface Saver {
  after(): Promise<undefined>;
}

/**
 * Saves before the answer is sent, so that the next run starts from a state that includes everything that a client was told: also the steps that a
 * refused request had taken, and work that was due in the meantime. Requests that arrive while a save is running share the next one.
 * @param revision grows with every change (`Sandbox.revision`); its initial value counts as saved
 */
export function savingInterceptor(save: () => Promise<void>, revision: () => number): Saver {
  let savedRevision = revision();
  let running: Promise<void> | undefined;

  async function start(): Promise<void> {
    const startedAt = revision();
    try {
      await save();
      savedRevision = startedAt;
    } finally {
      running = undefined;
    }
  }

  return {
    async after() {
      const wanted = revision();
      while (savedRevision < wanted) {
        if (running === undefined) {
          running = start();
          await running;
        } else {
          // A failed save is reported to the request that started it; requests that only waited try again.
          await running.catch(() => undefined);
        }
      }
      return undefined;
    },
  };
}
