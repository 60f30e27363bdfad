import { expect, test } from "vitest";
import type { PullComment } from "./github-requests.ts";
import { keepComment, markerOf } from "./publish.ts";

const MARKER = markerOf("plan", "https://chat.example.org", "realm.yaml");
const SAYS = { text: "Two things\nchange.", footer: "Read at noon" };

/** A pull request's comments, kept in memory. */
function pull() {
  const comments: PullComment[] = [];
  const add = (body: string, more: Partial<PullComment> = {}): void =>
    void comments.push({
      id: comments.length,
      nodeId: `n${comments.length}`,
      body,
      mine: true,
      minimised: false,
      ...more,
    });
  const change = (at: number, more: Partial<PullComment>): void => {
    const [old] = comments.slice(at, at + 1);
    if (old !== undefined) comments[at] = { ...old, ...more };
  };
  return {
    comments,
    add,
    change,
    keep: (says = SAYS) =>
      keepComment(
        {
          comments: async () => [...comments],
          createComment: async (_, body) => add(body),
          updateComment: async (id, body) => change(id, { body }),
          minimiseComment: async (nodeId) => change(Number(nodeId.slice(1)), { minimised: true }),
        },
        7,
        MARKER,
        says,
      ),
  };
}

test.each([
  ["says the same", (body: string) => body, {}, "unchanged", 1],
  ["says the same of an older reading", (body: string) => body.replace("noon", "midnight"), {}, "unchanged", 1],
  [
    "has other line ends, and no spaces at its end",
    (body: string) => body.replaceAll("\n", "\r\n").trim(),
    {},
    "unchanged",
    1,
  ],
  ["was edited by hand, whatever it says about itself", (body: string) => body.replace("Two", "No"), {}, "edited", 1],
  ["was hidden, and says the same", (body: string) => body, { minimised: true }, "unchanged", 1],
  [
    "was hidden, and says something else",
    (body: string) => body.replace("Two", "No"),
    { minimised: true },
    "created",
    2,
  ],
  ["belongs to somebody else", (body: string) => body, { mine: false }, "created", 2],
  [
    "has the marker only within a line, as names can",
    (body: string) => body.replace(MARKER, `\`${MARKER}\``),
    {},
    "created",
    2,
  ],
  ["lost its marker", (body: string) => body.replace(MARKER, ""), {}, "created", 2],
])("one that %s", async (_, change, more, fate, number) => {
  const { keep, comments, change: set } = pull();
  expect(await keep()).toBe("created");
  set(0, { body: change(comments[0]?.body ?? ""), ...more });
  expect(await keep()).toBe(fate);
  expect(comments).toHaveLength(number);
  expect(comments.at(-1)?.body).toMatch(/Two things\r?\nchange\./);
  expect(await keep()).toBe("unchanged");
});

test("a deleted comment is written again; of several, the newest is kept up to date and the others are minimised", async () => {
  const { keep, comments, add } = pull();
  await keep();
  comments.pop();
  expect(await keep()).toBe("created");
  add(`Old\n${MARKER}`);
  expect(await keep()).toBe("edited");
  expect(comments.map(({ minimised, body }) => [minimised, body.includes("Two things")])).toEqual([
    [true, true],
    [false, true],
  ]);
});
