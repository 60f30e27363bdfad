import { isObject } from "../../src/model/json.ts";

/**
 * What the hosts publish of the requests that `realmctl comment` sends, as facts: parameters by name and form, fields of an answer by name and type, and what GitLab
 * documents besides (`doc/api/notes.md`: the length of a note; `doc/api/rest/_index.md`: the pages of a list). GitLab makes its OpenAPI description from `lib/api/notes.rb` and `lib/api/entities/note.rb`; Gitea and Forgejo make theirs from the swagger annotations of
 * `routers/api/v1/repo/issue_comment.go` and of `modules/structs/issue_comment.go`. Read on 23 November 2026.
 */
export interface Described {
  readonly method: string;
  /** Below the API's address. */
  readonly path: RegExp;
  readonly query: { readonly [name: string]: RegExp };
  /** Fields of the body; required ones are true. */
  readonly body: { readonly [field: string]: boolean };
  /** The maximum length of the text in the body. */
  readonly longest?: number;
  readonly status: number;
  /** Field → its types, by the names of JSON Schema. A list has items of this form. */
  readonly answer: { readonly [field: string]: RegExp };
}

const [NUMBERS, TEXT, YES_OR_NO, OBJECT, TEXT_OR_NONE] = [
  /^number$/,
  /^string$/,
  /^boolean$/,
  /^object$/,
  /^(string|null)$/,
];
const NOTE = {
  ...{ id: NUMBERS, type: TEXT_OR_NONE, body: TEXT, attachment: TEXT_OR_NONE, author: OBJECT, created_at: TEXT },
  ...{ updated_at: TEXT, system: YES_OR_NO, noteable_id: NUMBERS, noteable_type: TEXT, resolvable: YES_OR_NO },
  ...{ confidential: YES_OR_NO, noteable_iid: NUMBERS, commands_changes: OBJECT },
};
const COMMENT = {
  ...{ id: NUMBERS, html_url: TEXT, pull_request_url: TEXT, issue_url: TEXT, user: OBJECT, original_author: TEXT },
  ...{ original_author_id: NUMBERS, body: TEXT, created_at: TEXT, updated_at: TEXT },
};
const NUMBER = /^[1-9]\d*$/;
/** GitLab's pages have at most a hundred items. */
const PAGE_SIZE = /^([1-9]\d?|100)$/;
const LONGEST_NOTE = 1_000_000;
const NOTES = String.raw`\/projects\/[^/]+\/merge_requests\/\d+\/notes`;
const REPOSITORY = String.raw`\/repos\/[^/]+\/[^/]+`;
const WHO = { method: "GET", path: /^\/user$/, query: {}, body: {}, status: 200, answer: { id: NUMBERS } };

export const DESCRIBED: { readonly [kind in "gitlab" | "forgejo"]: readonly Described[] } = {
  gitlab: [
    WHO,
    {
      method: "GET",
      path: new RegExp(`^${NOTES}$`),
      query: {
        order_by: /^(created_at|updated_at)$/,
        sort: /^(asc|desc)$/,
        activity_filter: /^(all_notes|only_comments|only_activity)$/,
        page: NUMBER,
        per_page: PAGE_SIZE,
      },
      body: {},
      status: 200,
      answer: NOTE,
    },
    {
      method: "POST",
      path: new RegExp(`^${NOTES}$`),
      query: {},
      body: { body: true, internal: false, confidential: false, created_at: false, merge_request_diff_head_sha: false },
      longest: LONGEST_NOTE,
      status: 201,
      answer: NOTE,
    },
    {
      method: "PUT",
      path: new RegExp(`^${NOTES}\\/\\d+$`),
      query: {},
      body: { body: false, confidential: false },
      longest: LONGEST_NOTE,
      status: 200,
      answer: NOTE,
    },
    { method: "DELETE", path: new RegExp(`^${NOTES}\\/\\d+$`), query: {}, body: {}, status: 204, answer: {} },
  ],
  forgejo: [
    WHO,
    {
      method: "GET",
      path: new RegExp(`^${REPOSITORY}\\/issues\\/\\d+\\/comments$`),
      query: { since: /./, before: /./ },
      body: {},
      status: 200,
      answer: COMMENT,
    },
    {
      method: "POST",
      path: new RegExp(`^${REPOSITORY}\\/issues\\/\\d+\\/comments$`),
      query: {},
      body: { body: true, updated_at: false },
      status: 201,
      answer: COMMENT,
    },
    {
      method: "PATCH",
      path: new RegExp(`^${REPOSITORY}\\/issues\\/comments\\/\\d+$`),
      query: {},
      body: { body: true, updated_at: false },
      status: 200,
      answer: COMMENT,
    },
    {
      method: "DELETE",
      path: new RegExp(`^${REPOSITORY}\\/issues\\/comments\\/\\d+$`),
      query: {},
      body: {},
      status: 204,
      answer: {},
    },
  ],
};

function textProblems(given: object, longest: number): readonly string[] {
  if (!("body" in given)) return [];
  const { body } = given;
  if (typeof body !== "string") return ["the text is none"];
  return body.length > longest ? ["the text is too long"] : [];
}

/** How a request and its answer differ from the description; empty if they do not. */
export function undescribed(
  kind: keyof typeof DESCRIBED,
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams; readonly body: object },
  answer: { readonly status: number; readonly value: unknown },
): readonly string[] {
  const { method, path, query, body } = request;
  const found = DESCRIBED[kind].find((one) => one.method === method && one.path.test(path));
  if (found === undefined) return [`${method} ${path} is not described`];
  const wrong = [
    ...[...query].filter(([name, value]) => found.query[name]?.test(value) !== true).map(([name]) => `?${name}`),
    ...Object.keys(body).filter((field) => !(field in found.body)),
    ...Object.entries(found.body).flatMap(([field, needed]) => (needed && !(field in body) ? [`no ${field}`] : [])),
    ...textProblems(body, found.longest ?? Number.POSITIVE_INFINITY),
  ];
  if (answer.status >= 400) return wrong;
  const values: readonly unknown[] = Array.isArray(answer.value) ? answer.value : [answer.value];
  const lacking = values.flatMap((value) =>
    Object.entries(found.answer).flatMap(([field, type]) => {
      const own = isObject(value) ? value[field] : undefined;
      return type.test(own === null ? "null" : typeof own) ? [] : [field];
    }),
  );
  return [...wrong, ...(answer.status === found.status ? [] : [`status ${answer.status}`]), ...new Set(lacking)];
}
