import type { Stop } from "../apply/options.ts";
import { INTERRUPTED, TIME_IS_OVER } from "../report/commands/run.ts";
import type { Io } from "./io.ts";

/** Ctrl-C and SIGTERM while calls are sent. */
interface Interrupts {
  readonly stop: Stop;
  /** Lets the system's own handling take over again. */
  done(): void;
}

/**
 * The first interrupt finishes the current call and stops; the second does not wait for its answer. A third ends the process: by
 * then only this process is waited for, and the journal is on the disk.
 * @param deadline what it does when it fires is what the first interrupt does
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
