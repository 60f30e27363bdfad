import { InvalidArgumentError } from "commander";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { secondsIn } from "../model/duration.ts";
import type { Deadline } from "../zulip/connection.ts";
import type { Io } from "./io.ts";

const FORM = "Write a time with its unit, such as 90s, 10m or 2h, and at most 24h.";

/** @throws InvalidArgumentError for what is no time */
export function deadlineSeconds(written: string): number {
  const seconds = secondsIn(written);
  if (seconds === undefined) throw new InvalidArgumentError(FORM);
  return seconds;
}

interface DeadlineFlags {
  /** Seconds. */
  readonly deadline?: number;
}

/** What is left of the time that the whole command has, by its flag or its environment; undefined: as long as it takes. */
export interface TimeLeft {
  readonly limitMs: number;
  readonly leftMs: number;
}

/** @throws Failure for an environment that says no time */
export function timeLeft(io: Pick<Io, "env" | "now" | "startedAt">, { deadline }: DeadlineFlags): TimeLeft | undefined {
  const written = (io.env.REALMCTL_DEADLINE ?? "").trim();
  if (deadline === undefined && written === "") return undefined;
  const seconds = deadline ?? secondsIn(written);
  if (seconds === undefined)
    throw new Failure(EXIT.errors, error("use/bad-variable", { variable: "REALMCTL_DEADLINE" }));
  const limitMs = seconds * 1000;
  return { limitMs, leftMs: Math.max(0, io.startedAt + limitMs - io.now()) };
}

export interface RunningDeadline extends Deadline {
  /** Cancels the deadline: the command is done. */
  giveBack(): void;
}

/** Rings when the command's time is over; undefined: it has no end. */
export function deadlineOf(io: Io, flags: DeadlineFlags): RunningDeadline | undefined {
  const time = timeLeft(io, flags);
  if (time === undefined) return undefined;
  const over = new AbortController();
  const giveBack = io.alarm(time.leftMs, () => over.abort());
  return { limitMs: time.limitMs, signal: over.signal, giveBack };
}
