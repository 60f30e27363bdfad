import { expect, test } from "vitest";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { Heard } from "../zulip/event-queue.ts";
import { type FollowPorts, follow } from "./follow.ts";

const away = new Failure(EXIT.unreachable, error("apply/sync-unfinished", { left: 0, calls: 0 }));
const refused = new Failure(EXIT.notAllowed, error("apply/sync-unfinished", { left: 0, calls: 0 }));

/** Follows what `hears` says, then ends. Everything that happened, in its order. */
async function happened(
  hears: readonly (Heard | "wake")[],
  more: Partial<FollowPorts> = {},
): Promise<readonly string[]> {
  const log: string[] = [];
  const over = new AbortController();
  const left = [...hears];
  let wake = (): void => {};
  await follow({
    open: async () => {
      log.push("open");
      return {
        wait: async (signal): Promise<Heard> => {
          const next = left.shift();
          if (next === "wake") wake();
          if (next === undefined) over.abort();
          return next === undefined || next === "wake" || signal.aborted ? { heard: "stopped" } : next;
        },
        close: async () => void log.push("close"),
      };
    },
    read: async () => void log.push("read"),
    judge: () => "again",
    wakeBy: (how) => {
      wake = how;
      return () => {};
    },
    hindered: async (_, waitMs) => void log.push(`hindered ${waitMs}`),
    recovered: () => log.push("recovered"),
    sleep: async (ms) => void (ms > 0 && log.push(`sleep ${ms}`)),
    random: () => 0,
    signal: over.signal,
    ...more,
  });
  return log;
}

const events = { heard: "events", types: ["user_group"] } as const;
const failure = { heard: "failure", failure: away } as const;

test.each<{ name: string; hears: readonly (Heard | "wake")[]; more?: Partial<FollowPorts>; log: readonly string[] }>([
  { name: "reads at the start, and closes its queue", hears: [], log: ["open", "read", "close"] },
  {
    name: "reads after events, and not after a heartbeat",
    hears: [{ heard: "events", types: [] }, events],
    log: ["open", "read", "read", "close"],
  },
  { name: "reads for another reason", hears: ["wake"], log: ["open", "read", "read", "close"] },
  {
    name: "waits for more events after one",
    hears: [events],
    more: { settleMs: () => 300 },
    log: ["open", "read", "sleep 300", "read", "close"],
  },
  {
    name: "opens a lost queue again, and reads",
    hears: [{ heard: "lost" }],
    log: ["open", "read", "open", "read", "close"],
  },
  {
    name: "waits longer each time for a server that is away; its queue may still be there",
    hears: [failure, failure, failure, { heard: "events", types: [] }],
    log: [
      ...["open", "read", "hindered 500", "sleep 500", "hindered 1000", "sleep 1000", "hindered 2000", "sleep 2000"],
      ...["recovered", "close"],
    ],
  },
  {
    name: "opens another queue for an account that was refused: its own may be gone",
    hears: [{ heard: "failure", failure: refused }],
    log: ["open", "read", "hindered 500", "sleep 500", "open", "read", "close"],
  },
])("$name", async ({ hears, more, log }) => {
  expect(await happened(hears, more)).toEqual(log);
});

test("the longest pause is half a minute, however long the server is away", async () => {
  const log = await happened(
    Array.from({ length: 200 }, () => failure),
    { random: () => 0.999 },
  );
  const pauses = log.flatMap((one) => (one.startsWith("sleep ") ? [Number(one.slice(6))] : []));
  expect(pauses).toHaveLength(200);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
  expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
});

test("the end throws what ended it, and closes the queue", async () => {
  const log: string[] = [];
  const ended = happened([events], {
    judge: () => "end",
    read: () => Promise.reject(refused),
    recovered: () => log.push(""),
  });
  await expect(ended).rejects.toBe(refused);
});
