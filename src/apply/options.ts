import type { Checked } from "../model/diagnostic.ts";
import type { Answer, WireCall } from "../model/journal.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Plan } from "../model/plan.ts";
import type { Progress } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Journal } from "./journal.ts";
import type { Resumed } from "./resume.ts";

/** Asked before every call: the person at the terminal, or a supervisor, wants the run to end. */
export interface Stop {
  /** No further call goes out; the current one is waited for. */
  readonly requested: boolean;
  /** Fires when {@link requested} becomes true: a run that is waiting for the rate limit, which may take an hour, sends nothing more. */
  readonly sendNoMore?: AbortSignal;
  /** Fires when not even the current answer is to be waited for. */
  readonly signal: AbortSignal;
}

export interface ApplyOptions {
  /** The fate of a call is a value: never throws for what the server or the network does. */
  send(call: WireCall, signal?: AbortSignal, sendNoMore?: AbortSignal): Promise<Answer>;
  /** Waits until the next call may go out at once; absent where nothing limits the rate. */
  ready?(signal?: AbortSignal): Promise<void>;
  /** Waits a time that chance decides, before the first call that makes a second mail when two runs send it; absent where there can be no other run. */
  standApart?(signal?: AbortSignal): Promise<void>;
  /** @throws Failure when the realm cannot be read, and when the signal fires */
  read(signal?: AbortSignal): Promise<Snapshot>;
  readonly kinds: readonly ResourceKind[];
  /** Called right before the first call goes out. @throws Failure when it cannot be written */
  openJournal(): Journal;
  /** Milliseconds since 1970. */
  now(): number;
  /** May it be sent again when a reading shows that the first sending did nothing? False where a repeat makes a second mail. */
  mayRepeat(operation: string): boolean;
  /** The calls that are left to do, from a reading after the run. Without it, the values of the plan are looked for. */
  replan?(snapshot: Snapshot): Promise<Checked<Plan>>;
  onProgress?(progress: Progress): void;
  readonly stop?: Stop;
  /** Name of the unfinished journal that this run goes on from. */
  readonly resumes?: string;
  /** What that journal says was done, when it is of these very calls. */
  readonly resumed?: Resumed;
}
