import { EXIT } from "../model/diagnostic.ts";
import type { Drift, Moment } from "../model/result.ts";
import { momentBetween } from "./drift-moments.ts";
import { type FollowPorts, follow, isAway } from "./follow.ts";

/** The functions that the watch needs from its caller. */
export interface WatchPorts extends Omit<FollowPorts, "read" | "judge" | "wakeBy" | "settleMs"> {
  /** Reads file and realm. @throws Failure */
  read(): Promise<Drift>;
  /** Called with the first reading. */
  started(drift: Drift): void;
  changed(moment: Moment): void;
}

/**
 * Follows the realm until the signal fires, and reports every difference from the file.
 * @returns the last reading
 * @throws Failure from the first reading, and later if the server refuses the account
 */
export async function watchDrift(ports: WatchPorts): Promise<Drift | undefined> {
  let known: Drift | undefined;
  await follow({
    ...ports,
    async read() {
      known = report(ports, known, await ports.read());
    },
    judge(failure, isReading, isFirst) {
      if (isFirst) return "end";
      if (isAway(failure)) return "again";
      // The file no longer fits the realm, or somebody is editing it: it may be valid again at the next event.
      return isReading && failure.exitCode === EXIT.errors ? "next" : "end";
    },
  });
  return known;
}

function report(ports: WatchPorts, before: Drift | undefined, now: Drift): Drift {
  if (before === undefined) ports.started(now);
  else {
    const moment = momentBetween(before, now);
    if (moment !== undefined) ports.changed(moment);
  }
  return now;
}
