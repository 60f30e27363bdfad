import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { LONGEST_RUN_S, secondsIn } from "../model/duration.ts";
import type { Deadline } from "../zulip/connection.ts";
import type { Io } from "./io.ts";

interface DeadlineFlags {
  /** The time limit for the whole command, in seconds. */
  readonly deadline?: number;
}

/** The remaining time for the whole command, by its option or its environment; undefined without a limit. */
interface TimeLeft {
  readonly limitMs: number;
  readonly leftMs: number;
}

/** @throws Failure if the environment variable is not a time */
export function timeLeft(io: Pick<Io, "env" | "now" | "startedAt">, { deadline }: DeadlineFlags): TimeLeft | undefined {
  const written = (io.env.REALMCTL_DEADLINE ?? "").trim();
  if (deadline === undefined && written === "") return undefined;
  const seconds = deadline ?? secondsIn(written, LONGEST_RUN_S);
  if (seconds === undefined)
    throw new Failure(EXIT.errors, error("use/bad-variable", { variable: "REALMCTL_DEADLINE" }));
  const limitMs = seconds * 1000;
  return { limitMs, leftMs: Math.max(0, io.startedAt + limitMs - io.now()) };
}

interface RunningDeadline extends Deadline {
  /** Cancels the deadline, because the command is done. */
  cancelAlarm(): void;
}

/** Fires when the command's time is over; undefined: there is no limit. */
export function deadlineOf(io: Io, flags: DeadlineFlags): RunningDeadline | undefined {
  const time = timeLeft(io, flags);
  if (time === undefined) return undefined;
  const over = new AbortController();
  const cancelAlarm = io.alarm(time.leftMs, () => over.abort());
  return { limitMs: time.limitMs, signal: over.signal, cancelAlarm };
}
