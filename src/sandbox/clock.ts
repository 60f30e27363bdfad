/** The sandbox's only source of time, so that tests can control it. */
export interface Clock {
  /** The time in UNIX milliseconds. */
  now(): number;
  /** Resolves after that time, or at once when the signal fires. */
  sleep(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (timeoutMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener("abort", done);
    }),
};

interface MovableClock extends Clock {
  /** Sleepers wake when the clock passes their time. */
  advance(ms: number): void;
}
function movable(time: () => number, wait: Clock["sleep"]): MovableClock {
  let aheadMs = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: AbortController }>();
  const now = (): number => time() + aheadMs;
  return {
    now,
    async sleep(timeoutMs, signal) {
      const sleeper = { at: now() + timeoutMs, wake: new AbortController() };
      sleepers.add(sleeper);
      await wait(timeoutMs, AbortSignal.any([signal, sleeper.wake.signal]));
      sleepers.delete(sleeper);
    },
    advance(ms) {
      aheadMs += ms;
      for (const sleeper of [...sleepers]) if (sleeper.at <= now()) sleeper.wake.abort();
    },
  };
}

/** A clock that stands still until it is moved. */
export const manualClock = (startMs: number): MovableClock =>
  movable(
    () => startMs,
    (_, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      }),
  );

/** The machine's clock plus the time by which it was moved. */
export const adjustableClock = (): MovableClock => movable(Date.now, systemClock.sleep);
