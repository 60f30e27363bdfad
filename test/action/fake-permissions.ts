/** The rights that `permissions:` of a workflow gives. */
export type Permissions = { readonly [name: string]: "read" | "write" | undefined };
type Need = readonly [name: string, right: "read" | "write"];

const RULES: readonly (readonly [method: RegExp, path: RegExp, needs: readonly Need[]])[] = [
  [/POST|PATCH/, /\/check-runs/, [["checks", "write"]]],
  [/GET/, /\/check-runs/, [["checks", "read"]]],
  [/GET/, /\/compare\//, [["contents", "read"]]],
  [/GET/, /\/git\//, [["contents", "read"]]],
  [/POST|PATCH|DELETE/, /\/git\//, [["contents", "write"]]],
  [/GET/, /\/actions\/artifacts/, [["actions", "read"]]],
  [/GET/, /\/commits\/\w+\/pulls$/, [["pull-requests", "read"]]],
  [/GET/, /\/pulls(\/|$)/, [["pull-requests", "read"]]],
  [/POST|PATCH/, /\/pulls(\/|$)/, [["pull-requests", "write"]]],
  [
    /GET/,
    /\/issues\/\d+\/comments$/,
    [
      ["issues", "read"],
      ["pull-requests", "read"],
    ],
  ],
  [/GET/, /\/issues$/, [["issues", "read"]]],
  [/POST/, /\/issues$/, [["issues", "write"]]],
];

/**
 * Any of these is enough, as GitHub documents it for each request; requests that are not listed are never allowed.
 * @param about whether the number in the path is that of an issue or of a pull request: the requests for comments are the same for both
 */
export function permissionsFor(method: string, path: string, body: string, about: "issue" | "pull"): readonly Need[] {
  if (path === "/graphql")
    return body.includes("minimizeComment")
      ? [
          ["pull-requests", "write"],
          ["issues", "write"],
        ]
      : body.includes("viewer {")
        ? [
            ["contents", "read"],
            ["issues", "read"],
          ]
        : [["pull-requests", "read"]];
  if (/\/issues\/(comments\/)?\d+/.test(path) && method !== "GET")
    return about === "issue"
      ? [["issues", "write"]]
      : [
          ["issues", "write"],
          ["pull-requests", "write"],
        ];
  return RULES.find(([verb, where]) => verb.test(method) && where.test(path))?.[2] ?? [];
}
