import { expect, test } from "vitest";
import { readEvent } from "./inputs.ts";

const ENV = { GITHUB_REPOSITORY: "acme/chat", GITHUB_REF: "refs/heads/main", GITHUB_REPOSITORY_ID: "4711" };
const REPOSITORY = { id: 42, default_branch: "trunk", full_name: "acme/chat" };
const side = (repo: object | null) => ({ sha: "a".repeat(40), ref: "main", repo });

test.each([
  ["its payload names the repository", "schedule", { repository: REPOSITORY }, [42, "trunk"]],
  [
    "the schedule of an older server does not name the repository",
    "schedule",
    { schedule: "17 * * * *" },
    [4711, "main"],
  ],
  ["a push that does not name its branch may be of any branch", "push", {}, [4711, undefined]],
])("%s", (_, name, payload, [id, branch]) => {
  const event = readEvent({ ...ENV, GITHUB_EVENT_NAME: name }, JSON.stringify(payload));
  expect([event.repositoryId, event.defaultBranch]).toEqual([id, branch]);
});

test.each([
  ["its own branch", { full_name: "acme/chat" }, false],
  ["a fork", { full_name: "stranger/chat" }, true],
  ["a fork that was deleted", null, true],
])("a pull request from %s", (_, repo, fork) => {
  const pull_request = { number: 7, head: side(repo), base: side({ full_name: "acme/chat" }) };
  const payload = JSON.stringify({ repository: REPOSITORY, pull_request });
  expect(readEvent({ ...ENV, GITHUB_EVENT_NAME: "pull_request" }, payload).pull).toMatchObject({
    fork,
    trusted: false,
  });
});

test.each([
  ["not a job of GitHub", {}, "{}", "GITHUB_REPOSITORY is not set"],
  ["not JSON", ENV, "{", "is not JSON"],
  ["a pull request without one", { ...ENV, GITHUB_EVENT_NAME: "pull_request_target" }, "", "which pull request"],
  ["a pull request without a number", ENV, '{"pull_request":{}}', "not as GitHub writes it"],
])("%s", (_, env, payload, words) => {
  expect(() => readEvent(env, payload)).toThrow(words);
});
