/** Time and random numbers, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits. Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after that time, unless it was cancelled: a limit for something that may never end. */
  alarm(ms: number, onTime: () => void): () => void;
  /** A random number from 0 up to, not including, 1, so that many waiting processes do not continue at the same moment. */
  random(): number;
}

/** The process's own time, timers and random numbers. */
export const processClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((done) => {
      if (signal?.aborted) return done();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", finish);
        done();
      };
      const timer = setTimeout(finish, ms);
      signal?.addEventListener("abort", finish, { once: true });
    }),
  alarm(ms, onTime) {
    const timer = setTimeout(onTime, ms);
    return () => clearTimeout(timer);
  },
};
