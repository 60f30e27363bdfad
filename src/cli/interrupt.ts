import type { Stop } from "../apply/options.ts";
import { INTERRUPTED, TIME_IS_OVER } from "../report/commands/run.ts";
import type { Io } from "./io.ts";

/** Ctrl-C and SIGTERM while calls are sent. */
interface Interrupts {
  readonly stop: Stop;
  /** Restores the system's own handling. */
  done(): void;
}

/**
 * The first interrupt finishes the current call and stops; the second does not wait for its answer. A third ends the process: by then everybody waits
 * only for this process, and the journal is on the disk.
 * @param deadline has the same effect as the first interrupt when it fires
 */
export function listenForInterrupts(io: Io, deadline?: AbortSignal): Interrupts {
  const now = new AbortController();
  const soon = new AbortController();
  let requested = false;
  const stopAtDeadline = (): void => {
    if (requested) return;
    requested = true;
    soon.abort();
    io.err.write(TIME_IS_OVER);
  };
  if (deadline?.aborted === true) stopAtDeadline();
  deadline?.addEventListener("abort", stopAtDeadline, { once: true });
  const stopListening = io.onInterrupt(() => {
    if (!requested) {
      requested = true;
      soon.abort();
      io.err.write(INTERRUPTED);
      return;
    }
    now.abort();
    stopListening();
  });
  return {
    stop: {
      get requested() {
        return requested;
      },
      sendNoMore: soon.signal,
      signal: now.signal,
    },
    done() {
      stopListening();
      deadline?.removeEventListener("abort", stopAtDeadline);
    },
  };
}
