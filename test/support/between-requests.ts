import { OLDEST_BEFORE_REPLACING_MS } from "../../src/apply/readings.ts";

/**
 * For a run in which others are at work only between two requests: before each request but the first, and once for each, they act, and then
 * the last reading is too old to replace anything.
 * @param act gets the number of requests that were sent
 */
export function betweenRequests(act: (sent: number) => Promise<void>) {
  let now = 0;
  let sent = 0;
  let acted = 0;
  return {
    onSend: async () => {
      sent += 1;
    },
    clock: {
      now: () => now,
      // Asked before every request, and again after a reading.
      ready: async () => {
        if (acted === sent) return;
        acted = sent;
        await act(sent);
        now += OLDEST_BEFORE_REPLACING_MS + 1;
      },
    },
  };
}
