import { type Call, type Plan, replacesUnseen } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { LiveObjects } from "./goals.ts";
import type { ApplyOptions } from "./options.ts";

/** A call does not rely on a reading that is older than this. */
export const OLDEST_READING_MS = 10_000;

/**
 * A call that replaces a value which the server does not compare (a name, a description) does not rely on an older reading: within this time, it may
 * replace somebody else's value unseen. Nor does one that lets in whoever is in a group or a channel by then. At the server's pace, some twenty such calls
 * share one reading.
 */
export const OLDEST_BEFORE_REPLACING_MS = 2_000;

/**
 * A call whose repetition has a second effect (an invitation sends a second e-mail) does not rely on an older reading. What remains is the time that
 * the request itself takes, which nobody can observe.
 */
export const OLDEST_BEFORE_MAIL_MS = 100;

/** One reading of the realm. */
export interface Reading {
  readonly objects: LiveObjects;
  readonly snapshot: Snapshot;
  /** When it was complete, in milliseconds since 1970. */
  readonly at: number;
}

/** What a run knows about the realm: the last reading, and the calls that were sent after it. */
export class Readings {
  private readonly plan: Plan;
  private readonly options: ApplyOptions;
  private readonly sentSince = new Set<number>();
  private reading: Reading | undefined;
  private hasWaitedRandomTime = false;

  constructor(plan: Plan, options: ApplyOptions) {
    this.plan = plan;
    this.options = options;
  }

  /** @throws Failure if the realm cannot be read */
  async read(): Promise<LiveObjects> {
    const snapshot = await this.options.read(this.options.stop?.signal);
    const objects = new LiveObjects(this.options.kinds, snapshot, this.plan.changes);
    this.reading = { objects, snapshot, at: this.options.now() };
    this.sentSince.clear();
    return objects;
  }

  /** The last reading; undefined before the first one. */
  last(): Reading | undefined {
    return this.reading;
  }

  objects(): LiveObjects {
    if (this.reading === undefined) throw new RangeError("the realm was not read yet");
    return this.reading.objects;
  }

  /** When the realm was read last, in milliseconds since 1970. */
  readAtMs(): number {
    return Date.parse(this.reading?.snapshot.taken_at ?? this.plan.snapshot_taken_at);
  }

  /** Notes that the last reading does not show the effect of this call. */
  noteSent(n: number): void {
    this.sentSince.add(n);
  }

  wasSentSince(n: number): boolean {
    return this.sentSince.has(n);
  }

  /** Whether a call was sent after the last reading. */
  isBehind(): boolean {
    return this.sentSince.size > 0;
  }

  /** Waits for a random time, since runs that start together would read and send at the same moments and not notice each other. */
  async waitRandomTime(): Promise<void> {
    if (this.hasWaitedRandomTime) return;
    this.hasWaitedRandomTime = true;
    const { stop, waitRandomTime } = this.options;
    await waitRandomTime?.(stop?.sendNoMore ?? stop?.signal);
  }

  /** Reads the realm again if the last reading is too old for this call. First waits for the rate limit, which may take an hour. */
  async refreshIfStale(call: Call): Promise<void> {
    const { stop, ready } = this.options;
    // A reading also counts against the rate limit. If almost nothing is left of it, three attempts must be enough.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await ready?.(stop?.sendNoMore ?? stop?.signal);
      if (stop?.requested === true || !this.isStale(call)) return;
      await this.read();
    }
  }

  /** Whether the reading is so old that others may have made changes. If the clock was set back, nothing is known: read. */
  private isStale(call: Call): boolean {
    const ageMs = this.options.now() - (this.reading?.at ?? 0);
    const isBlind = replacesUnseen(call) || this.options.mayLetIn?.(call) === true;
    if (ageMs > (isBlind ? OLDEST_BEFORE_REPLACING_MS : OLDEST_READING_MS) || ageMs < 0) return true;
    // A call that makes a second mail if somebody else was quicker gets a separate reading.
    return !this.options.mayRepeat(call.operation) && (this.isBehind() || ageMs > OLDEST_BEFORE_MAIL_MS);
  }
}
