import type { Plan } from "../model/plan.ts";
import type { Progress } from "../model/result.ts";
import { progressLine } from "../report/result.ts";
import type { Style } from "../report/style.ts";
import type { Io } from "./io.ts";

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Takes the line away. */
  clear(): void;
}

const CLEAR_LINE = "\r\u001b[2K";

/** One line that is written over on a terminal; nothing elsewhere, where the result says it all. */
export function progressDisplay(io: Io, plan: Plan, style: Style): ProgressDisplay {
  if (!io.err.isTTY) return { show: () => {}, clear: () => {} };
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
