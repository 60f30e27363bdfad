import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { ParsedRequest } from "../sandbox/index.ts";

/**
 * Replaces a file in one step that survives a crash: written beside it, flushed to the disk, renamed over it, and the rename
 * flushed too. Readers see the old text or the new one, never a part.
 * @throws the system's error; the old file is then untouched
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await open(beside, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Requests with these methods change nothing. */
const READING = new Set(["GET", "HEAD", "OPTIONS"]);
/** Written with POST or DELETE, but about event queues, which do not survive a restart on the real server either. */
const FLEETING = /\/(?:register|events|typing)$/;

/** An interceptor that never answers in the server's place. */
export interface Saver {
  after(request: ParsedRequest, response: Response): Promise<undefined>;
}

/**
 * Saves before the answer goes out, so that what a client was told is what the next run starts from. Requests that arrive while a
 * save is running share the next one.
 */
export function savingInterceptor(save: () => Promise<void>): Saver {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function after(previous: Promise<void>): Promise<void> {
    // A failed save is reported to those who waited for it; it must not stop the next.
    await previous.catch(() => undefined);
    next = undefined;
    running = save();
    await running;
  }
  function saved(): Promise<void> {
    if (running === undefined) {
      running = save();
      void running.then(settled, settled);
      return running;
    }
    if (next === undefined) {
      next = after(running);
      void next.then(settled, settled);
    }
    return next;
  }
  function settled(): void {
    if (next === undefined) running = undefined;
  }

  return {
    async after(request, response) {
      if (READING.has(request.method) || FLEETING.test(request.path) || response.status >= 400) return undefined;
      await saved();
      return undefined;
    },
  };
}
