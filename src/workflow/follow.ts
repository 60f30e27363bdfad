import { EXIT, Failure } from "../model/diagnostic.ts";
import type { EventQueue } from "../zulip/event-queue.ts";

/** The functions that following an organization needs from its caller. */
export interface FollowPorts {
  /** @throws Failure when the server cannot be reached or refuses */
  open(): Promise<Pick<EventQueue, "wait" | "close">>;
  /** Reads file and organization, and does what follows from it. @throws Failure */
  read(): Promise<void>;
  /**
   * What a failure leads to: another attempt after a growing pause, the next reading for another reason, or the end.
   * @param isReading the failure is of `read`; otherwise of the queue of events
   * @param isFirst nothing was read yet
   */
  judge(failure: Failure, isReading: boolean, isFirst: boolean): "again" | "next" | "end";
  /** Waits for other reasons to read than an event, and calls `wake` then. @returns a function that ends the waiting */
  wakeBy?(wake: () => void): () => void;
  /** The time in which more events are waited for after one: many changes are often made at once. */
  settleMs?(): number;
  /** Called for a temporary failure. There is another attempt after `waitMs` or, if that is undefined, at the next reason to read. */
  hindered(failure: Failure, waitMs: number | undefined): Promise<void>;
  recovered(): void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number from 0 up to, not including, 1. */
  random(): number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** The longest wait between attempts: seconds, since somebody waits for the result. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Follows the organization until the signal fires: reads at the start and after every event. The queue is opened before the first reading, so that nothing
 * is missed; a queue that the server has deleted is opened again, and everything is read again.
 * @throws Failure that `judge` calls the end
 */
export async function follow(ports: FollowPorts): Promise<void> {
  const { signal } = ports;
  let queue: Pick<EventQueue, "wait" | "close"> | undefined;
  let isFirst = true;
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
          await ports.read();
          isFirst = false;
          mustRead = false;
        }
        const heard = await waited(queue, ports);
        if (heard.heard === "failure") throw heard.failure;
        if (failures > 0 && heard.heard !== "stopped") ports.recovered();
        failures = 0;
        if (heard.heard === "lost") queue = undefined;
        if (heard.heard === "stopped") mustRead = true;
        if (heard.heard === "events") mustRead = heard.types.length > 0;
        if (mustRead && heard.heard === "events") await ports.sleep(ports.settleMs?.() ?? 0, signal);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (signal.aborted) break;
        const isReading = queue !== undefined && mustRead;
        const verdict = ports.judge(error, isReading, isFirst);
        if (verdict === "end") throw error;
        if (verdict === "next") {
          await ports.hindered(error, undefined);
          mustRead = false;
          continue;
        }
        // The queue of an account that is refused may be gone for good, with what happened meanwhile.
        if (!isReading && !isAway(error)) queue = undefined;
        failures += 1;
        const waitMs = backoffMs(failures, ports.random());
        await ports.hindered(error, waitMs);
        await ports.sleep(waitMs, signal);
      }
    }
  } finally {
    // The queue ends by itself if this request no longer reaches the server.
    await queue?.close().catch(() => {});
  }
}

/** The next event, or "stopped" for another reason to read. */
function waited(queue: Pick<EventQueue, "wait">, { signal, wakeBy }: FollowPorts) {
  return whileRunning(signal, async (own, stop) => {
    const stopWaking = wakeBy?.(stop);
    try {
      return await queue.wait(own);
    } finally {
      stopWaking?.();
    }
  });
}

/**
 * Work that ends with the process, with a signal of its own: not AbortSignal.any, since the signal of the process lives for months, and would know every wait.
 * @param work gets a function that stops only it
 */
export async function whileRunning<T>(
  signal: AbortSignal,
  work: (own: AbortSignal, stop: () => void) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  try {
    return await work(own.signal, stop);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** An unreachable server is waited for. */
export const isAway = ({ exitCode }: Failure): boolean => exitCode === EXIT.unreachable;

function backoffMs(failures: number, random: number): number {
  const full = Math.min(1_000 * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
  return Math.ceil(full / 2 + (random * full) / 2);
}
