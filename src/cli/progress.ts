import type { Plan } from "../model/plan.ts";
import type { Progress } from "../model/result.ts";
import { progressLine, progressLogLine } from "../report/progress.ts";
import type { Style } from "../report/style.ts";
import type { Io } from "./io.ts";
import { CLEAR_LINE } from "./waiting-messages.ts";

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Removes the line. */
  clear(): void;
}

/** A log gets a line after each such interval. */
const LOG_EVERY_MS = 10_000;

/** Shows the progress: one line that is overwritten on a terminal, or a line every ten seconds in a log. */
export function progressDisplay(io: Pick<Io, "err" | "now">, plan: Plan, style: Style): ProgressDisplay {
  return io.err.isTTY ? onTerminal(io, plan, style) : inLog(io, plan);
}

function onTerminal(io: Pick<Io, "err" | "now">, plan: Plan, style: Style): ProgressDisplay {
  let shown = false;
  return {
    show(progress) {
      shown = true;
      io.err.write(`${CLEAR_LINE}${progressLine(progress, plan, style)}`);
    },
    clear() {
      if (shown) io.err.write(CLEAR_LINE);
      shown = false;
    },
  };
}

function inLog(io: Pick<Io, "err" | "now">, plan: Plan): ProgressDisplay {
  let toldAt = io.now();
  return {
    show(progress) {
      if (io.now() - toldAt < LOG_EVERY_MS) return;
      toldAt = io.now();
      io.err.write(`${progressLogLine(progress, plan)}\n`);
    },
    clear: () => {},
  };
}
