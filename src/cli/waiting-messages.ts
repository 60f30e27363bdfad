import type { Io } from "./io.ts";

/** The longest wait without a message. */
export const QUIET_MS = 10_000;

/** Takes a line of progress off a terminal. */
export const CLEAR_LINE = "\r\u001b[2K";

/** Replaces a line of progress, which comes back by itself. */
export function tellWaiting({ err }: Pick<Io, "err">, text: string): void {
  err.write(`${err.isTTY ? CLEAR_LINE : ""}${text}\n`);
}

/**
 * Says what a command waits for, as long as it waits and writes nothing else: a line every ten seconds, on terminals and in logs.
 * @param words undefined: the command is not waiting
 * @returns ends it
 */
export function showWhileWaiting(
  io: Pick<Io, "err" | "now" | "alarm" | "writtenAt">,
  words: () => string | undefined,
): () => void {
  let beatAt = io.now();
  const next = (): (() => void) => {
    const quietSince = Math.max(beatAt, io.writtenAt());
    return io.alarm(Math.max(0, quietSince + QUIET_MS - io.now()), beat);
  };
  const beat = (): void => {
    if (io.now() - io.writtenAt() >= QUIET_MS) {
      beatAt = io.now();
      const text = words();
      if (text !== undefined) tellWaiting(io, text);
    }
    cancel = next();
  };
  let cancel = next();
  return () => cancel();
}
