import { listenForStop } from "../apply/options.ts";
import { INTERRUPTED, TIME_IS_OVER } from "../report/commands/run.ts";
import type { Io } from "./io.ts";

/** Ctrl-C and SIGTERM while calls are sent. A third one ends the process: by then everybody waits only for it, and the journal is on the disk. */
export const listenForInterrupts = (io: Io, deadline: AbortSignal | undefined): ReturnType<typeof listenForStop> =>
  listenForStop(
    (listener) => io.onInterrupt(listener),
    (why) => io.err.write(why === "deadline" ? TIME_IS_OVER : INTERRUPTED),
    { deadline, endsProcess: true },
  );
