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

/** A clock that stands still until it is moved; sleepers wake when it passes their time. */
export function manualClock(startMs: number): Clock & { advance(ms: number): void } {
  let now = startMs;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (timeoutMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper = {
          at: now + timeoutMs,
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener("abort", sleeper.wake);
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.at <= now) sleeper.wake();
    },
  };
}

/** The machine's clock plus the time by which it was moved; sleepers wake when it passes their time. */
export function adjustableClock(): Clock & { advance(ms: number): void } {
  let aheadMs = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: AbortController }>();
  const now = (): number => Date.now() + aheadMs;
  return {
    now,
    async sleep(timeoutMs, signal) {
      const sleeper = { at: now() + timeoutMs, wake: new AbortController() };
      sleepers.add(sleeper);
      await systemClock.sleep(timeoutMs, AbortSignal.any([signal, sleeper.wake.signal]));
      sleepers.delete(sleeper);
    },
    advance(ms) {
      aheadMs += ms;
      for (const sleeper of [...sleepers]) if (sleeper.at <= now()) sleeper.wake.abort();
    },
  };
}
