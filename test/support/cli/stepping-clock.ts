import type { ProcessIo } from "../../../src/cli/io.ts";

/** A clock for tests. Time passes only while something sleeps: once all other code has run, the clock jumps to the next timer. */
export function steppingClock(start = Date.UTC(2026, 0, 1)): Pick<ProcessIo, "now" | "sleep" | "alarm"> {
  interface Timer {
    readonly at: number;
    readonly call: () => void;
  }
  let now = start;
  let sleeping = 0;
  let isDriven = false;
  const timers = new Set<Timer>();

  async function drive(): Promise<void> {
    if (isDriven) return;
    isDriven = true;
    while (sleeping > 0) {
      // The code that the timer called runs before more time passes.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((nextTurn) => setImmediate(nextTurn));
      const [first] = [...timers].sort((a, b) => a.at - b.at);
      if (first === undefined || sleeping === 0) break;
      timers.delete(first);
      now = Math.max(now, first.at);
      first.call();
    }
    isDriven = false;
  }

  return {
    now: () => now,
    alarm(ms, call) {
      const timer = { at: now + ms, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    sleep(ms, signal) {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((done) => {
        sleeping += 1;
        const end = (): void => {
          timers.delete(timer);
          if (isOver) return;
          isOver = true;
          sleeping -= 1;
          done();
        };
        let isOver = false;
        const timer: Timer = { at: now + ms, call: end };
        timers.add(timer);
        signal?.addEventListener("abort", end, { once: true });
        void drive();
      });
    },
  };
}
