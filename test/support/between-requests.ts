import { OLDEST_BEFORE_REPLACING_MS } from "../../src/apply/readings.ts";

/**
 * For a run during which others work only between two requests: they act once before each request except the first, and then the last reading is too
 * old to replace anything.
 * @param act gets the number of requests sent so far
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
      // Called before every request, and again after a reading.
      ready: async () => {
        if (acted === sent) return;
        acted = sent;
        await act(sent);
        now += OLDEST_BEFORE_REPLACING_MS + 1;
      },
    },
  };
}
