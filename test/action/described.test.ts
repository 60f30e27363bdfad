import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerOf, Described } from "./described.ts";
import { FakeGitHub } from "./fake-github.ts";
import { TOKEN } from "./runner.ts";

const DESCRIPTION: { operations: { [name: string]: { id: string; answers: object } }; examples: object } = JSON.parse(
  readFileSync(new URL("described/github-rest.json", import.meta.url), "utf8"),
);
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const url = (path: string): URL => new URL(`https://api.github.com/repos/acme/chat/${path}`);

/** The findings about one request and one answer to it. */
function said(method: string, path: string, body: unknown, status = 0, json: unknown = undefined): readonly string[] {
  const described = new Described();
  const operation = described.request(method, url(path), body);
  if (operation !== undefined && status > 0) described.answer(method, operation, status, json);
  return described.violations;
}

test("the description has exactly the requests that the Action can send", () => {
  const directory = new URL("../../src/action/", import.meta.url);
  const source = readdirSync(directory)
    .map((name) => readFileSync(new URL(name, directory), "utf8"))
    .join("\n");
  const used = [...source.matchAll(/octokit\.rest\.(\w+)\.(\w+)/g)].map(
    ([, area, name = ""]) => `${area}/${dashed(name)}`,
  );
  const described = Object.values(DESCRIPTION.operations).map(({ id }) => id);
  expect([...new Set(used)].sort()).toEqual(described.toSorted());
});

test.each(Object.entries(DESCRIPTION.operations))(
  "what the test uses as GitHub's answer to %s matches the description",
  (name, { id, answers }) => {
    const shown = new Map(Object.entries(DESCRIPTION.examples)).get(id);
    const status = Number(Object.keys(answers).find((one) => Number(one) < 400));
    const described = new Described();
    const [method = "", path = ""] = name.split(" ");
    const operation = described.request(method, new URL(`https://api.github.com${path.replace(/\{\w+\}/g, "7")}`), {});
    described.violations.length = 0;
    if (operation !== undefined && shown !== undefined) described.answer(method, operation, status, shown);
    expect({ id: operation?.id, violations: described.violations }).toEqual({ id, violations: [] });
  },
);

test.each([
  [
    "a request that does not exist",
    said("PUT", "issues/7", {}),
    "PUT /repos/acme/chat/issues/7: GitHub describes no such request",
  ],
  ["a misspelt parameter", said("GET", "issues?pagesize=100", {}), "has no parameter pagesize"],
  ["a parameter with a value that it does not accept", said("GET", "pulls?state=merged", {}), 'state is "merged"'],
  ["a path parameter that is not a number", said("PATCH", "issues/seven", {}), 'issue_number is "seven"'],
  ["a body without a required field", said("POST", "issues/7/comments", {}), "must have required property 'body'"],
  ["a body with a field that GitHub does not know", said("PATCH", "issues/7", { text: "x" }), "GitHub knows no /text"],
  [
    "more than GitHub accepts at once",
    said("PATCH", "check-runs/1", {
      output: { title: "", summary: "", annotations: Array.from({ length: 51 }, () => ({})) },
    }),
    "must NOT have more than 50 items",
  ],
  [
    "an answer without a field that GitHub's have",
    said("PATCH", "issues/comments/1", { body: "" }, 200, { id: 1 }),
    "must have required property 'html_url'",
  ],
  [
    "an answer with a field that GitHub's do not have",
    said("PATCH", "issues/comments/1", { body: "" }, 200, answerOf("issues/update-comment", { mine: true })),
    "GitHub knows no /mine",
  ],
  [
    "a status that GitHub does not use",
    said("POST", "issues/7/comments", { body: "" }, 200, {}),
    "GitHub answers with no such status",
  ],
])("it finds %s", (_, violations, words) => expect(violations.join("\n")).toContain(words));

test("no difference is found where the requests match GitHub's description", () => {
  expect(
    said("POST", "issues/7/comments", { body: "Hello" }, 201, answerOf("issues/create-comment", { body: "Hello" })),
  ).toEqual([]);
  expect(said("GET", "git/ref/heads%2Fmain", {}, 404, { message: "Not Found" })).toEqual([]);
});

test("a query with a field that GitHub's schema does not have is refused, and kept", async () => {
  const github = await new FakeGitHub().start();
  const answer = await fetch(`${github.url}/graphql`, {
    method: "POST",
    headers: { authorization: `token ${TOKEN}` },
    body: JSON.stringify({ query: "query { viewer { login nickname } }" }),
  });
  await github.end();
  expect(await answer.text()).toContain('Cannot query field \\"nickname\\" on type \\"User\\"');
  expect(github.described.violations.join("\n")).toContain("nickname");
});
