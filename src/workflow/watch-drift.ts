import { EXIT, Failure } from "../model/diagnostic.ts";
import type { Drift, Moment } from "../model/result.ts";
import type { EventQueue } from "../zulip/event-queue.ts";
import { momentBetween } from "./drift-moments.ts";

/** The functions that the watch needs from its caller. */
export interface WatchPorts {
  /** @throws Failure when the server cannot be reached or refuses */
  open(): Promise<Pick<EventQueue, "wait" | "close">>;
  /** Reads file and realm. @throws Failure */
  read(): Promise<Drift>;
  /** Called with the first reading. */
  started(drift: Drift): void;
  changed(moment: Moment): void;
  /** Called for a temporary failure. The watch tries again after `waitMs` or, if that is undefined, at the next event. */
  hindered(failure: Failure, waitMs: number | undefined): Promise<void>;
  recovered(): void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number from 0 up to, not including, 1. */
  random(): number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** The longest wait between attempts: seconds, since somebody waits for these reports. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Follows the realm until the signal fires. The queue is opened before the first reading, so that nothing is missed; a queue that the server has
 * deleted is opened again, and everything is read again.
 * @returns the last reading
 * @throws Failure from the first reading, and later if the server refuses the account
 */
export async function watchDrift(ports: WatchPorts): Promise<Drift | undefined> {
  const { signal } = ports;
  let queue: Pick<EventQueue, "wait" | "close"> | undefined;
  let known: Drift | undefined;
  let mustRead = true;
  let failures = 0;
  try {
    while (!signal.aborted) {
      try {
        if (queue === undefined) {
          queue = await ports.open();
          mustRead = true;
        }
        if (mustRead) {
          known = report(ports, known, await ports.read());
          mustRead = false;
        }
        const heard = await queue.wait(signal);
        if (heard.heard === "failure") throw heard.failure;
        if (failures > 0 && heard.heard !== "stopped") ports.recovered();
        failures = 0;
        if (heard.heard === "lost") queue = undefined;
        if (heard.heard === "events") mustRead = heard.types.length > 0;
      } catch (error) {
        if (!(error instanceof Failure) || known === undefined) throw error;
        if (error.exitCode === EXIT.unreachable) {
          failures += 1;
          const waitMs = backoffMs(failures, ports.random());
          await ports.hindered(error, waitMs);
          await ports.sleep(waitMs, signal);
        } else if (error.exitCode === EXIT.errors && mustRead) {
          // The file no longer fits the realm, or somebody is editing it: it may be valid again at the next event.
          await ports.hindered(error, undefined);
          mustRead = false;
        } else throw error;
      }
    }
    return known;
  } finally {
    // The queue ends by itself if this request no longer reaches the server.
    await queue?.close().catch(() => {});
  }
}

function report(ports: WatchPorts, before: Drift | undefined, now: Drift): Drift {
  if (before === undefined) ports.started(now);
  else {
    const moment = momentBetween(before, now);
    if (moment !== undefined) ports.changed(moment);
  }
  return now;
}

function backoffMs(failures: number, random: number): number {
  const full = Math.min(1_000 * 2 ** (failures - 1), LONGEST_WAIT_MS);
  return Math.ceil(full / 2 + (random * full) / 2);
}
