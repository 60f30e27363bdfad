import type { ZulipWriter } from "../model/api.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { JournalEntry, RunSource } from "../model/journal.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Call, Plan } from "../model/plan.ts";
import type { Progress } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Journal } from "./journal.ts";
import type { Resumed } from "./whole-run.ts";

/** Tells whether the person at the terminal, or a supervisor, wants the run to end. The run checks it before every call. */
export interface Stop {
  /** No further call is sent; the run waits for the current one. */
  readonly requested: boolean;
  /** Fires when {@link requested} becomes true: a run that is waiting for the rate limit, which may take an hour, sends nothing more. */
  readonly sendNoMore?: AbortSignal;
  /** Fires when the run should not even wait for the current answer. */
  readonly signal: AbortSignal;
}

/**
 * Lets a run end early: the first signal, or the end of its time, waits for the current call; the second signal does not even wait for its answer.
 * @param onSignal listens for the signals that ask the process to end, and returns what ends that
 * @param tell is called once, before the last call ends
 * @param endsProcess whether a third signal ends the process
 * @returns `done` restores the system's own handling
 */
export function listenForStop(
  onSignal: (listener: () => void) => () => void,
  tell: (why: "deadline" | "cancelled") => void,
  { deadline, endsProcess }: { readonly deadline: AbortSignal | undefined; readonly endsProcess: boolean },
): { readonly stop: Stop; done(): void } {
  const now = new AbortController();
  const soon = new AbortController();
  const stopSoon = (why: "deadline" | "cancelled"): void => {
    if (soon.signal.aborted) return;
    soon.abort();
    tell(why);
  };
  const atDeadline = (): void => stopSoon("deadline");
  if (deadline?.aborted === true) atDeadline();
  deadline?.addEventListener("abort", atDeadline, { once: true });
  const stopListening = onSignal(() => {
    if (!soon.signal.aborted) return stopSoon("cancelled");
    now.abort();
    if (endsProcess) stopListening();
  });
  const stop: Stop = {
    get requested() {
      return soon.signal.aborted;
    },
    sendNoMore: soon.signal,
    signal: now.signal,
  };
  const done = (): void => {
    stopListening();
    deadline?.removeEventListener("abort", atDeadline);
  };
  return { stop, done };
}

export interface ApplyOptions extends Pick<ZulipWriter, "send" | "ready" | "waitRandomTime"> {
  /** @throws Failure if the realm cannot be read, and when the signal fires */
  read(signal?: AbortSignal): Promise<Snapshot>;
  readonly kinds: readonly ResourceKind[];
  /** Called right before the first call is sent. @throws Failure if it cannot be written */
  openJournal(): Journal;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Whether an operation may be sent again if a reading shows that the first attempt had no effect. False if a repetition could send a second mail.
   */
  mayRepeat(operation: string): boolean;
  /** Whether a call can let somebody into what exists: then it relies on who is in a group or a channel. */
  mayLetIn?(call: Call): boolean;
  /**
   * Called with each reading after the first, before a call that may let somebody in.
   * @throws Failure if the rest of the plan may not be carried out
   */
  holdAgain?(snapshot: Snapshot): Promise<void>;
  /** Who is in the private channels that the plan opens, for the journal: an undo names who came in since. */
  insideBefore?(
    snapshot: Snapshot,
  ): Pick<
    Extract<JournalEntry, { readonly entry: "start" }>,
    "inside" | "readers" | "administrators" | "groups" | "already"
  >;
  /** The calls that are left, from a reading after the run. Without it, the values of the plan are checked. */
  replan?(snapshot: Snapshot): Promise<Checked<Plan>>;
  onProgress?(progress: Progress): void;
  readonly stop?: Stop;
  /** Name of the journal that this run continues: its run never reached its end, or ended with requests left. */
  readonly resumes?: string;
  /** What the run carries out, if not the plan of a file. */
  readonly source?: RunSource;
  /** What that journal says was done, if its run had the same calls. */
  readonly resumed?: Resumed;
}
