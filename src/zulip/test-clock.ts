import type { Clock } from "./clock.ts";

/**
 * For tests: time passes only by sleeping, random numbers are always `random`.
 * @param start milliseconds since 1970
 */
export function fakeClock(
  random = 0,
  start = Date.UTC(2026, 0, 1),
): Clock & { slept(): number; pauses: number[]; advance(ms: number): void; alarms(): number } {
  let now = start;
  const pauses: number[] = [];
  const alarms = new Set<{ readonly at: number; readonly onTime: () => void }>();
  const pass = (ms: number): void => {
    now += ms;
    for (const alarm of [...alarms].sort((a, b) => a.at - b.at))
      if (alarm.at <= now && alarms.delete(alarm)) alarm.onTime();
  };
  return {
    now: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      pauses.push(ms);
      pass(ms);
    },
    alarm(ms, onTime) {
      const alarm = { at: now + ms, onTime };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    /** How many timers are set and have not fired. */
    alarms: () => alarms.size,
    random: () => random,
    advance: pass,
    slept: () => pauses.reduce((sum, ms) => sum + ms, 0),
    pauses,
  };
}
