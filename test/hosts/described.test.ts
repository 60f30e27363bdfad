import { describe, expect, test } from "vitest";
import { keepComment, placeOf } from "../../src/hosts/keep-comment.ts";
import { DESCRIBED, undescribed } from "./described.ts";

const NOTES = "/projects/42/merge_requests/3/notes";
const NOTE = {
  ...{ id: 1, type: null, body: "x", attachment: null, author: { id: 7 }, created_at: "", updated_at: "" },
  ...{ system: false, noteable_id: 30, noteable_type: "MergeRequest", resolvable: false, confidential: false },
  ...{ noteable_iid: 3, commands_changes: {} },
};

/** What is found about one request to GitLab and its answer. */
function found(line: string, body: object, status: number, value: unknown): string {
  const [method = "", given = ""] = line.split(" ");
  const { pathname: path, searchParams: query } = new URL(given, "https://gitlab.example");
  return undescribed("gitlab", { method, path, query, body }, { status, value }).join();
}

test.each([
  ["a request that does not exist", `PATCH ${NOTES}/1`, { body: "x" }, 200, NOTE, "is not described"],
  ["a parameter that does not exist", `GET ${NOTES}?limit=100`, {}, 200, [], "?limit"],
  ["more in a page than there can be", `GET ${NOTES}?per_page=101`, {}, 200, [], "?per_page"],
  ["an order that does not exist", `GET ${NOTES}?sort=up`, {}, 200, [], "?sort"],
  ["a note without its text", `POST ${NOTES}`, {}, 201, NOTE, "no body"],
  ["a note with a field that does not exist", `POST ${NOTES}`, { body: "x", text: "x" }, 201, NOTE, "text"],
  ["a text that is none", `PUT ${NOTES}/1`, { body: 7 }, 200, NOTE, "the text is none"],
  ["a text that is too long", `POST ${NOTES}`, { body: "x".repeat(1_000_001) }, 201, NOTE, "the text is too long"],
  ["another status", `POST ${NOTES}`, { body: "x" }, 200, NOTE, "status 200"],
  ["an answer without a field", `POST ${NOTES}`, { body: "x" }, 201, { ...NOTE, author: undefined }, "author"],
  ["a field of another type", `GET ${NOTES}`, {}, 200, [NOTE, { ...NOTE, id: "1" }], "id"],
])("it finds %s", (_, line, body, status, value, says) => {
  expect(found(line, body, status, value)).toContain(says);
});

test("it finds nothing where requests and answers are as described", () => {
  expect(found(`GET ${NOTES}?sort=asc&order_by=created_at&per_page=100&page=2`, {}, 200, [NOTE])).toBe("");
  expect(found(`POST ${NOTES}`, { body: "x" }, 201, NOTE)).toBe("");
});

describe.each(["gitlab", "forgejo"] as const)("%s", (host) => {
  test("exactly the requests that a comment needs are described", async () => {
    const place = placeOf(
      host,
      {
        ...{ CI_API_V4_URL: "https://forge.example/api/v4", CI_PROJECT_ID: "42", CI_MERGE_REQUEST_IID: "3" },
        ...{
          GITHUB_SERVER_URL: "https://forge.example",
          GITHUB_REPOSITORY: "acme/chat",
          GITHUB_REF: "refs/pull/3/head",
        },
        REALMCTL_TOKEN: "t",
      },
      undefined,
    );
    const sent = new Set<string>();
    const own = (id: number, text: string) => ({ id, body: `${text}\n\nMARK`, author: { id: 7 }, user: { id: 7 } });
    // None yet, one that says something else, and two of one's own, of which one is too many.
    for (const listed of [[], [own(1, "Old")], [own(1, "Old"), own(2, "Old")]])
      await keepComment(
        async ({ method, url }) => {
          sent.add(`${method} ${new URL(url).pathname.replace(/^\/api\/v\d/, "")}`);
          const value = url.endsWith("/user") ? { id: 7 } : method === "GET" ? listed : {};
          return { status: 200, headers: { "x-next-page": "" }, body: JSON.stringify(value) };
        },
        place,
        ["MARK"],
        "New",
      );
    const used = (method: string, path: RegExp): boolean =>
      [...sent].some((line) => line.startsWith(`${method} `) && path.test(line.slice(method.length + 1)));
    expect(DESCRIBED[host].filter(({ method, path }) => !used(method, path))).toEqual([]);
    for (const line of sent) {
      const [method = "", path = ""] = line.split(" ");
      expect(
        DESCRIBED[host].some((one) => one.method === method && one.path.test(path)),
        line,
      ).toBe(true);
    }
  });
});
