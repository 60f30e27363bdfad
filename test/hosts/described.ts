/**
 * What the hosts publish of the requests that `realmctl comment` sends, as facts: the parameters and fields of an answer by name.
 * GitLab makes its OpenAPI description from `lib/api/notes.rb` and `lib/api/entities/note.rb`; Gitea and Forgejo make theirs from the swagger annotations of
 * `routers/api/v1/repo/issue_comment.go` and of `modules/structs/issue_comment.go`. Read on 23 November 2026.
 */
export interface Described {
  readonly method: string;
  /** Below the API's address. */
  readonly path: RegExp;
  readonly query: { readonly [name: string]: RegExp };
  /** Fields of the body; required ones are true. */
  readonly body: { readonly [field: string]: boolean };
  readonly status: number;
  readonly answer: readonly string[];
}

const NOTE = [
  ...["id", "type", "body", "attachment", "author", "created_at", "updated_at", "system", "noteable_id"],
  ...["noteable_type", "resolvable", "confidential", "noteable_iid", "commands_changes"],
];
const COMMENT = [
  ...["id", "html_url", "pull_request_url", "issue_url", "user", "original_author", "original_author_id", "body"],
  ...["created_at", "updated_at"],
];
const NUMBER = /^[1-9]\d*$/;
const NOTES = String.raw`\/projects\/[^/]+\/merge_requests\/\d+\/notes`;
const REPOSITORY = String.raw`\/repos\/[^/]+\/[^/]+`;
const WHO = { method: "GET", path: /^\/user$/, query: {}, body: {}, status: 200, answer: ["id"] } as const;

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
        per_page: NUMBER,
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
      status: 201,
      answer: NOTE,
    },
    {
      method: "PUT",
      path: new RegExp(`^${NOTES}\\/\\d+$`),
      query: {},
      body: { body: false, confidential: false },
      status: 200,
      answer: NOTE,
    },
    { method: "DELETE", path: new RegExp(`^${NOTES}\\/\\d+$`), query: {}, body: {}, status: 204, answer: [] },
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
      answer: [],
    },
  ],
};

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
  ];
  if (answer.status >= 400) return wrong;
  const values: readonly unknown[] = Array.isArray(answer.value) ? answer.value : [answer.value];
  const lacking = values.flatMap((value) =>
    found.answer.filter((field) => typeof value !== "object" || value === null || !(field in value)),
  );
  return [...wrong, ...(answer.status === found.status ? [] : [`status ${answer.status}`]), ...new Set(lacking)];
}
