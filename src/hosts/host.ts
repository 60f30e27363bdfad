import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { CommentHost } from "../model/diagnostics/hosts.ts";
import { isObject } from "../model/json.ts";
import { withoutTrailingSlashes } from "../model/trailing.ts";

type Env = { readonly [name: string]: string | undefined };

/** One merge request or pull request, as its host's API addresses it. */
export interface Place {
  readonly host: CommentHost;
  /** The address of the REST API, without a slash at the end. */
  readonly api: string;
  /** Sent with every request. Holds the token: never log it. */
  readonly headers: { readonly [name: string]: string };
  /** The path of the comments, below `api`. */
  readonly comments: string;
  /** The path of one comment, below `api`. */
  comment(id: number): string;
  /** The method that changes a comment. */
  readonly edit: "PUT" | "PATCH";
  /** Whether the API returns comments in pages of a hundred. */
  readonly paged: boolean;
}

/**
 * Where the job runs, from the variables that its host sets.
 * @param event the text of the event that started the job, where its host has such a file
 * @throws Failure when this job does not run for a merge request or a pull request
 */
export function placeOf(host: CommentHost, env: Env, event: string | undefined): Place {
  const token = env.REALMCTL_TOKEN ?? "";
  const place = host === "gitlab" ? gitlab(env, token) : forgejo(host, env, token, event);
  const { protocol, hostname } = new URL(place.api);
  if (protocol !== "https:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    throw new Failure(EXIT.errors, error("comment/plain-http", { variable: host === "gitlab" ? API : SERVER }));
  if (token === "") throw new Failure(EXIT.notAllowed, error("comment/no-token", { host }));
  return place;
}

/**
 * The address of the organization that the job is about, as it plans it.
 * @throws Failure if the job does not say
 */
export const siteOf = (host: CommentHost, env: Env): string => needed(host, env, ["ZULIP_SITE"])("ZULIP_SITE");

const API = "CI_API_V4_URL";
const SERVER = "GITHUB_SERVER_URL";

function gitlab(env: Env, token: string): Place {
  const variable = needed("gitlab", env, [API, "CI_PROJECT_ID", "CI_MERGE_REQUEST_IID"]);
  const part = (name: string): string => encodeURIComponent(variable(name));
  const comments = `/projects/${part("CI_PROJECT_ID")}/merge_requests/${part("CI_MERGE_REQUEST_IID")}/notes`;
  return {
    host: "gitlab",
    api: withoutTrailingSlashes(variable(API)),
    headers: { "private-token": token },
    comments,
    comment: (id) => `${comments}/${id}`,
    edit: "PUT",
    paged: true,
  };
}

/** Forgejo's and Gitea's runners set the variables of GitHub's. */
function forgejo(host: "forgejo" | "gitea", env: Env, token: string, event: string | undefined): Place {
  const variable = needed(host, env, [SERVER, "GITHUB_REPOSITORY"]);
  const number = pullOf(event) ?? /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "")?.[1];
  if (number === undefined)
    throw new Failure(EXIT.errors, error("comment/no-job", { host, missing: [], no_number: true }));
  const below = `/repos/${variable("GITHUB_REPOSITORY").split("/").map(encodeURIComponent).join("/")}/issues`;
  return {
    host,
    api: `${withoutTrailingSlashes(variable(SERVER))}/api/v1`,
    headers: { authorization: `token ${token}` },
    comments: `${below}/${number}/comments`,
    comment: (id) => `${below}/comments/${id}`,
    edit: "PATCH",
    paged: false,
  };
}

/** @throws Failure with every variable that is missing, or is not an address although it must be */
function needed(host: CommentHost, env: Env, names: readonly string[]): (name: string) => string {
  const missing = names.filter((name) => {
    const value = env[name] ?? "";
    return value === "" || (name.endsWith("_URL") && !URL.canParse(value));
  });
  if (missing.length > 0) throw new Failure(EXIT.errors, error("comment/no-job", { host, missing }));
  return (name) => env[name] ?? "";
}

function pullOf(event: string | undefined): string | undefined {
  if (event === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(event);
    const pull = isObject(parsed) ? parsed.pull_request : undefined;
    const number = isObject(pull) ? pull.number : undefined;
    return Number.isSafeInteger(number) ? String(number) : undefined;
  } catch {
    return undefined;
  }
}
