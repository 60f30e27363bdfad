import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "../../src/model/json.ts";
import { FakeGitHub } from "../action/fake-github.ts";
import { undescribed } from "./described.ts";
import { Comparison, type Exchange, exchanged, SCOPES } from "./exchanges.ts";
import { FakeForge } from "./fake-forge.ts";

/** What a real Gitea answered to every request that `realmctl comment` sends: `npm run gitea -- -u` records it. */
const RECORDED: { readonly steps: readonly Exchange[] } = JSON.parse(
  readFileSync(new URL("recordings/gitea.json", import.meta.url), "utf8"),
);
const TOKENS = { bot: "b", other: "o", reader: "r", nameless: "n", wrong: "w" };
const named = RECORDED.steps.map((step, at) => ({ step, at, name: `${step.as}: ${step.method} ${step.path}` }));

describe("the fake of Gitea and Forgejo", () => {
  const forge = new FakeForge("forgejo");
  const comparison = new Comparison();
  let given: readonly Exchange[] = [];
  beforeAll(async () => {
    await forge.start();
    for (const as of ["bot", "other", "reader", "nameless"] as const) {
      const login = as === "other" ? "mallory" : "bob";
      const account = { id: login === "bob" ? 3 : 5, login, scopes: SCOPES[as], isWriter: login === "bob" };
      forge.accounts.set(TOKENS[as], account);
    }
    given = await exchanged(RECORDED.steps, forge.url, TOKENS);
  });
  afterAll(() => forge.end());

  test.each(named)("$at $name: answers as Gitea did", ({ step, at }) => {
    const answer = given[at]?.response;
    expect(answer?.status).toBe(step.response.status);
    const about = step.path === "/user" ? ".user" : "";
    expect(comparison.differences(step.response.body, answer?.body, about)).toEqual([]);
  });

  test("Gitea answered what its description says", () => {
    for (const { method, path, body = {}, response } of RECORDED.steps) {
      const request = { method, path: path.replace(/\{\w+\}/, "1"), query: new URLSearchParams(), body };
      const answer = { status: response.status, value: response.body };
      expect(undescribed("forgejo", request, answer), `${method} ${path}`).toEqual([]);
    }
  });

  test("a difference is seen", () => {
    const one = new Comparison();
    expect(one.differences({ id: 1, body: "x", more: 1 }, { id: 9, body: "x" })).toEqual([]);
    expect(one.differences({ id: 1, body: "x" }, { id: 8, body: "y", new: 1 })).toHaveLength(3);
    expect(one.differences([1], [])).toHaveLength(1);
  });
});

/** Requests that the Action sends to GitHub, and that Gitea has in the same form: a comment is listed, made and edited. */
test("the fake of GitHub answers as Gitea did where both have the same requests", async () => {
  const shared = RECORDED.steps.filter(
    ({ as, path, method, body, response }) =>
      as === "bot" &&
      path !== "/user" &&
      method !== "DELETE" &&
      !path.includes("{second}") &&
      body?.body !== "" &&
      response.status < 500,
  );
  const until = shared.findIndex(({ response }) => response.status === 404);
  const alive = shared.slice(0, until);
  expect(alive.map(({ method }) => method)).toEqual(["GET", "POST", "GET", "PATCH", "GET"]);
  const github = await new FakeGitHub().start();
  const given = await exchanged(alive, github.url, TOKENS, "");
  for (const [at, { response, method, path }] of alive.entries()) {
    const answer = given[at]?.response;
    expect(answer?.status, `${method} ${path}`).toBe(response.status);
    // The other account's comment is in the recording alone.
    expect(bodiesOf(answer?.body), `${method} ${path}`).toEqual(
      bodiesOf(response.body).filter((body) => body !== "Nice"),
    );
  }
  github.comments = [];
  const [gone] = await exchanged(
    [{ ...FIRST_EDIT, path: "/repos/acme/chat/issues/comments/1" }],
    github.url,
    TOKENS,
    "",
  );
  expect(gone?.response.status).toBe(shared[until]?.response.status);
  expect(github.described.violations).toEqual([]);
  await github.end();
});

const FIRST_EDIT = { as: "bot", method: "PATCH", path: "", body: { body: "Three" } } as const;

const bodiesOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).map((one: unknown) => (isObject(one) ? one.body : undefined));
