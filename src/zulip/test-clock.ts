import type { Clock } from "./clock.ts";

/** For tests: time passes only by sleeping, chance is always `random`. */
export function fakeClock(random = 0): Clock & { slept(): number; sleeps: number[]; advance(ms: number): void } {
  const start = Date.UTC(2026, 0, 1);
  let now = start;
  const sleeps: number[] = [];
  return {
    now: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      sleeps.push(ms);
      now += ms;
    },
    random: () => random,
    advance: (ms) => {
      now += ms;
    },
    slept: () => sleeps.reduce((sum, ms) => sum + ms, 0),
    sleeps,
  };
}
