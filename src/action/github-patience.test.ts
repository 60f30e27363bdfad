import { describe, expect, test } from "vitest";
import { FakeGitHub } from "../../test/action/fake-github.ts";
import { BOT } from "../../test/action/fake-objects.ts";
import { CommitTree } from "./commit-tree.ts";
import { type CheckRun, GitHub } from "./github.ts";
import { limitWaitMs } from "./github-requests.ts";

const NOW_MS = 1_800_000_000_000;
const answer = (status: number, headers: Record<string, string | number> = {}, message = "no") => ({
  status,
  message,
  response: { headers },
});

test.each([
  ["GitHub says how long", answer(429, { "retry-after": "30" }), 0, 30_000],
  ["in a refusal", answer(403, { "retry-after": "7", "x-ratelimit-remaining": "12" }), 0, 7000],
  ["no time means one second", answer(403, { "retry-after": "0" }), 0, 1000],
  [
    "until the hour is over",
    answer(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": NOW_MS / 1000 + 20 }),
    0,
    21_000,
  ],
  [
    "the hour is over already",
    answer(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": NOW_MS / 1000 - 9 }),
    0,
    1000,
  ],
  ["a secondary limit", answer(403, {}, "You have exceeded a secondary rate limit."), 0, 60_000],
  ["a repeated limit", answer(403, {}, "You have exceeded a secondary rate limit."), 1, 120_000],
  ["too many requests", answer(429), 0, 60_000],
  [
    "a permission",
    answer(403, { "x-ratelimit-remaining": "4999" }, "Resource not accessible by integration"),
    0,
    undefined,
  ],
  ["an outage", answer(503, { "retry-after": "5" }), 0, undefined],
  ["a date is not a number of seconds", answer(403, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }), 0, undefined],
  ["no answer", new TypeError("fetch failed"), 0, undefined],
])("%s", (_, error, repeat, waitMs) => {
  expect(limitWaitMs(error, NOW_MS, repeat)).toBe(waitMs);
});

describe("if GitHub limits the request rate", () => {
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

  test("a request is repeated after the wait, and writes once", async () => {
    expect(await comment(2, { "retry-after": "30" })).toEqual({
      waits: [30_000, 30_000],
      said: Array(2).fill("GitHub was asked too often: waiting 30 s."),
      done: "done",
      comments: 1,
    });
  });

  test.each([
    ["longer than a job should take", { "retry-after": "301" }, []],
    ["longer than a job should take in total", { "retry-after": "140" }, [140_000, 140_000]],
    ["again and again", { "retry-after": "1" }, [1000, 1000, 1000, 1000]],
    ["again and again, without a time", {}, [60_000, 120_000]],
  ])("%s: reported", async (_, headers, expected) => {
    const { waits, done, comments } = await comment(99, headers);
    expect(waits).toEqual(expected);
    expect(done).toContain("GitHub refused to write a comment");
    expect(comments).toBe(0);
  });
});

/** Everything that the Action creates, edits, closes and reads, once each. */
const OPERATIONS: { readonly [name: string]: readonly [RegExp, (github: GitHub) => Promise<unknown>] } = {
  "a comment": [/POST .*issues\/7\/comments/, (github) => github.createComment(7, "Hello\n<!-- marker -->")],
  "a changed comment": [/PATCH .*comments\/1$/, (github) => github.updateComment(1, "Changed")],
  "a minimised comment": [/graphql mutation/, (github) => github.minimiseComment("node-1")],
  "all comments": [/graphql query/, async (github) => expect(await github.comments(7)).toHaveLength(1)],
  "a check": [/POST .*check-runs/, (github) => github.createCheck(CHECK)],
  "more annotations": [/PATCH .*check-runs/, (github) => github.createCheck(CHECK)],
  "an issue": [/POST .*issues$/, (github) => github.createIssue("Drift", "Drift\n<!-- marker -->", "<!-- marker -->")],
  "a closed issue": [/PATCH .*issues\/3$/, (github) => github.updateIssue(3, { state: "closed" })],
  "a comment on an issue": [/POST .*issues\/3\/comments/, (github) => github.commentOnIssue(3, "Done.")],
  "a file": [
    /GET .*git\/blobs/,
    async ({ branches }) =>
      expect(await new CommitTree(branches, SHA).files("a.yaml").readFile("a.yaml")).toBe("version: 1\n"),
  ],
  "a list of files": [
    /GET .*git\/trees/,
    async ({ branches }) => expect(await new CommitTree(branches, SHA).names("")).toContain("a.yaml"),
  ],
  "a branch": [/POST .*git\/refs/, (github) => github.branches.create("realmctl/x", SHA)],
  "a branch that goes": [/DELETE .*git\/refs/, (github) => github.branches.remove("old")],
  "a pull request": [/POST .*pulls$/, openPull],
};
const SHA = "a".repeat(40);
const CHECK: CheckRun = {
  name: "plan",
  headSha: SHA,
  conclusion: "neutral",
  title: "Plan",
  summary: "Plan",
  annotations: Array.from({ length: 120 }, (_, line) => {
    return { path: "a.yaml", line, endLine: line, level: "notice", title: "realmctl", message: `Line ${line}` };
  }),
};

async function openPull({ branches }: GitHub): Promise<void> {
  const parent = { sha: SHA, tree: "", message: "", parents: [] };
  const commit = await branches.commitFiles(parent, () => "Change", [{ path: "b", mode: "100644", text: "B\n" }]);
  await branches.create("change", commit);
  await branches.createPull({ title: "Change", body: "Change", head: "change", base: "main" });
}

describe("if an answer of GitHub is incomplete", () => {
  async function broken(operation: string, refusal: Partial<FakeGitHub["refuse"][number]>) {
    const [match, work] = OPERATIONS[operation] ?? [/never/, async () => undefined];
    const fake = await new FakeGitHub().start();
    const waits: number[] = [];
    fake.comments.push({ id: 1, pull: 7, body: "Old", author: BOT, minimised: false, edits: 0 });
    fake.issues.push({ number: 3, title: "Drift", body: "", state: "open", author: BOT, comments: [], edits: 0 });
    fake.commits[SHA] = { "a.yaml": "version: 1\n" };
    Object.assign(fake.git.branches, { main: SHA, old: SHA });
    fake.refuse.push({ match, status: 502, message: "Bad gateway", times: 1, ...refusal });
    const clock = { now: () => Date.now(), sleep: async (ms: number) => void waits.push(ms) };
    const patience = { clock, say: () => undefined };
    try {
      const fate = await work(new GitHub("token", { owner: "acme", repo: "chat" }, fake.url, patience)).then(
        () => "done",
        (error: Error) => error.message,
      );
      const { comments, issues, checks, git } = fake;
      const edited = ({ edits: _, ...one }: { edits: number }): object => one;
      return {
        fate,
        waits,
        state: {
          comments: comments.map(edited),
          issues: issues.map(edited),
          checks: checks.map(({ external_id: _, ...check }) => check),
          branches: Object.keys(git.branches),
          pulls: git.pulls.map(edited),
        },
      };
    } finally {
      await fake.end();
    }
  }

  test.each(Object.keys(OPERATIONS))("%s: requested again, and created once", async (operation) => {
    const { state } = await broken(operation, { times: 0 });
    for (const how of [{}, { done: true }, { lost: "all" }, { done: true, lost: "all" }, { lost: "half" }] as const) {
      const after = await broken(operation, how);
      expect({ how, ...after }).toEqual({ how, fate: "done", waits: [2000], state });
    }
    // Every answer is lost: each time the Action finds the effect, or writes again without harm.
    expect((await broken(operation, { done: true, times: 3 })).state).toEqual(state);
  });

  test.each(Object.keys(OPERATIONS))("%s: reported if it happens again", async (operation) => {
    const { fate, waits } = await broken(operation, { times: 99 });
    expect(waits).toEqual([2000, 6000, 18_000]);
    expect(fate).toContain("(502): Bad gateway");
  });
});
