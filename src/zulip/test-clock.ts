import type { Clock } from "./clock.ts";

/**
 * For tests: time passes only by sleeping, chance is always `random`.
 * @param start milliseconds since 1970
 */
export function fakeClock(
  random = 0,
  start = Date.UTC(2026, 0, 1),
): Clock & { slept(): number; sleeps: number[]; advance(ms: number): void; alarms(): number } {
  let now = start;
  const sleeps: number[] = [];
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>();
  const pass = (ms: number): void => {
    now += ms;
    for (const alarm of [...alarms].sort((a, b) => a.at - b.at))
      if (alarm.at <= now && alarms.delete(alarm)) alarm.ring();
  };
  return {
    now: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      sleeps.push(ms);
      pass(ms);
    },
    alarm(ms, ring) {
      const alarm = { at: now + ms, ring };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    /** How many are set and have not rung. */
    alarms: () => alarms.size,
    random: () => random,
    advance: pass,
    slept: () => sleeps.reduce((sum, ms) => sum + ms, 0),
    sleeps,
  };
}
