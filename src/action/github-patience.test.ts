import { describe, expect, test } from "vitest";
import { FakeGitHub } from "../../test/action/fake-github.ts";
import { GitHub } from "./github.ts";
import { limitWaitMs } from "./github-patience.ts";

const NOW_MS = 1_800_000_000_000;
const answer = (status: number, headers: Record<string, string | number> = {}, message = "no") => ({
  status,
  message,
  response: { headers },
});

test.each([
  ["GitHub says how long", answer(429, { "retry-after": "30" }), 0, 30_000],
  ["in a refusal", answer(403, { "retry-after": "7", "x-ratelimit-remaining": "12" }), 0, 7000],
  ["no time is a second", answer(403, { "retry-after": "0" }), 0, 1000],
  [
    "until the hour is over",
    answer(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": NOW_MS / 1000 + 20 }),
    0,
    21_000,
  ],
  [
    "it is over already",
    answer(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": NOW_MS / 1000 - 9 }),
    0,
    1000,
  ],
  ["a secondary limit", answer(403, {}, "You have exceeded a secondary rate limit."), 0, 60_000],
  ["once more", answer(403, {}, "You have exceeded a secondary rate limit."), 1, 120_000],
  ["too many requests", answer(429), 0, 60_000],
  [
    "a permission",
    answer(403, { "x-ratelimit-remaining": "4999" }, "Resource not accessible by integration"),
    0,
    undefined,
  ],
  ["an outage", answer(503, { "retry-after": "5" }), 0, undefined],
  ["a date is no number of seconds", answer(403, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }), 0, undefined],
  ["no answer", new TypeError("fetch failed"), 0, undefined],
])("%s", (_, error, repeat, waitMs) => {
  expect(limitWaitMs(error, NOW_MS, repeat)).toBe(waitMs);
});

describe("against a GitHub that was asked too often", () => {
  async function comment(times: number, headers: Record<string, string>) {
    const fake = await new FakeGitHub().start();
    const waits: number[] = [];
    const said: string[] = [];
    try {
      fake.refuse.push({ match: /POST .*comments/, status: 403, message: "secondary rate limit", headers, times });
      const clock = { now: () => NOW_MS, sleep: async (ms: number) => void waits.push(ms) };
      const github = new GitHub("token", { owner: "acme", repo: "chat" }, fake.url, {
        clock,
        say: (text) => void said.push(text),
      });
      const done = await github.createComment(7, "Hello").then(
        () => "done",
        (error: Error) => error.message,
      );
      return { waits, said, done, comments: fake.comments.length };
    } finally {
      await fake.end();
    }
  }

  test("it is asked again when the time is over, and writes once", async () => {
    expect(await comment(2, { "retry-after": "30" })).toEqual({
      waits: [30_000, 30_000],
      said: Array(2).fill("GitHub was asked too often: waiting 30 s."),
      done: "done",
      comments: 1,
    });
  });

  test.each([
    ["longer than a job should take", { "retry-after": "301" }, []],
    ["longer than a job should take, in all", { "retry-after": "140" }, [140_000, 140_000]],
    ["again and again", { "retry-after": "1" }, [1000, 1000, 1000, 1000]],
    ["again and again, without a time", {}, [60_000, 120_000]],
  ])("%s: it is told", async (_, headers, expected) => {
    const { waits, done, comments } = await comment(99, headers);
    expect(waits).toEqual(expected);
    expect(done).toContain("GitHub did not let us write a comment");
    expect(comments).toBe(0);
  });
});
