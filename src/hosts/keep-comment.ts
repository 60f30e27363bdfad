import { createHash } from "node:crypto";
import { defined } from "../model/defined.ts";
import { EXIT, type Failure, failure } from "../model/diagnostic.ts";
import type { CommentHost, CommentWork } from "../model/diagnostics/hosts.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isObject } from "../model/json.ts";
import { withoutTrailingSlashes } from "../model/texts.ts";
import { type Transport, TransportError } from "../zulip/transport.ts";

type Env = { readonly [name: string]: string | undefined };

/** One merge request or pull request, as its host's API addresses it. */
interface Place {
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
    throw failure("comment/plain-http", { variable: host === "gitlab" ? API : SERVER });
  if (token === "") throw failure("comment/no-token", { host }, EXIT.notAllowed);
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
  if (number === undefined) throw failure("comment/no-job", { host, missing: [], no_number: true });
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
  if (missing.length > 0) throw failure("comment/no-job", { host, missing });
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

type CommentFate = "created" | "edited" | "unchanged";

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly author: number;
}

/** The maximum number of pages with a hundred comments each. If there are more, a new comment is written. */
const MOST_PAGES = 20;
const PAGE = 100;

/**
 * The end of our comment about one organization and one file: its beginning is what a mail or a phone shows. A hash, so that no name can break out of the
 * comment.
 */
export function markerOf(realm: string, file: string): string {
  const digest = createHash("sha256").update(`${realm}\n${file}`).digest("hex").slice(0, 32);
  return `<!-- realmctl:plan:${digest} -->`;
}

/**
 * Keeps one comment on a merge request or a pull request, known by any of its markers: it is created, edited in place, or left alone if its content is the same
 * already. Two jobs at once may both create one: the newest stays. Comments of other accounts with the marker are ignored: anybody can write any text.
 * @throws Failure if the host refuses a request
 */
export async function keepComment(
  send: Transport,
  place: Place,
  markers: readonly string[],
  text: string,
): Promise<CommentFate> {
  const body = `${text.trimEnd()}\n\n${markers.join("\n")}`;
  const me = idOf(await ask(send, place, "say-who", "GET", "/user"), place, "say-who");
  // Within a line, a name that anybody chose can look like the marker.
  const list = async (): Promise<readonly Comment[]> =>
    (await commentsOf(send, place)).filter(
      ({ author, body: said }) => author === me && said.split(/\r?\n/).some((line) => markers.includes(line)),
    );
  let own = await list();
  const last = own.at(-1);
  let fate: CommentFate = "unchanged";
  if (last === undefined) {
    await ask(send, place, "create", "POST", place.comments, { body });
    own = await list();
    fate = "created";
  } else if (!sameText(last.body, body)) {
    await ask(send, place, "edit", place.edit, place.comment(last.id), { body });
    fate = "edited";
  }
  for (const { id } of own.slice(0, -1)) await answered(send, place, "delete", "DELETE", place.comment(id));
  return fate;
}

/** Whether two texts are equal except for line ends and white space before them, which hosts may change. */
const sameText = (one: string, other: string): boolean => squeezed(one) === squeezed(other);
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** All comments, the oldest first. */
async function commentsOf(send: Transport, place: Place): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = place.paged ? `?sort=asc&order_by=created_at&per_page=${PAGE}&page=${page}` : "";
    const { value, headers } = await answered(send, place, "list", "GET", `${place.comments}${query}`);
    if (!Array.isArray(value)) throw unexpected(place, "list");
    const listed: readonly unknown[] = value;
    found.push(...listed.flatMap(commentOf));
    if (!place.paged || isLast(listed, headers["x-next-page"])) break;
  }
  return found.sort((a, b) => a.id - b.id);
}

/** GitLab leaves out of a page what the token may not see, so a page that is not full may not be the last one: a header has the next one. */
const isLast = (listed: readonly unknown[], next: string | undefined): boolean =>
  next === undefined ? listed.length === 0 : next === "";

/** GitLab calls the writer `author`, Forgejo and Gitea `user`. Notes of the host itself are not comments. */
function commentOf(item: unknown): readonly Comment[] {
  if (!isObject(item) || item.system === true) return [];
  const author = isObject(item.author) ? item.author.id : isObject(item.user) ? item.user.id : undefined;
  const { id, body } = item;
  if (typeof id !== "number" || typeof body !== "string" || typeof author !== "number") return [];
  return [{ id, body, author }];
}

/** The id of the new comment. A wrong id would edit comments of others. */
function idOf(answer: unknown, place: Place, work: CommentWork): number {
  const id = isObject(answer) ? answer.id : undefined;
  if (typeof id !== "number") throw unexpected(place, work);
  return id;
}

function unexpected({ host }: Place, work: CommentWork): Failure {
  return failure("comment/unreachable", { host, work }, EXIT.unreachable);
}

/** The answer as JSON; undefined where it has no body. */
const ask = async (...request: Parameters<typeof answered>): Promise<unknown> => (await answered(...request)).value;

async function answered(
  send: Transport,
  place: Place,
  work: CommentWork,
  method: string,
  path: string,
  body?: { readonly body: string },
): Promise<{ readonly value: unknown; readonly headers: { readonly [name: string]: string } }> {
  const { host, api, headers } = place;
  const answer = await send({
    method,
    url: `${api}${path}`,
    headers: { ...headers, accept: "application/json", ...defined({ "content-type": body && "application/json" }) },
    body: body && JSON.stringify(body),
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof TransportError)) throw thrown;
    throw failure("comment/unreachable", { host, work, reason: thrown.reason }, EXIT.unreachable);
  });
  const { status } = answer;
  // Another job deleted it before.
  if (work === "delete" && status === 404) return { value: undefined, headers: {} };
  if (status < 200 || status > 299) {
    const exitCode = status >= 500 || status === 429 ? EXIT.unreachable : EXIT.notAllowed;
    throw failure("comment/refused", { host, work, status, answer: quote(wordsOf(answer.body)) }, exitCode);
  }
  const { headers: said } = answer;
  if (answer.body === "") return { value: undefined, headers: said };
  try {
    return { value: JSON.parse(answer.body), headers: said };
  } catch {
    throw unexpected(place, work);
  }
}

/** The host's message: GitLab has `message` (a text, or texts by field) or `error`, Forgejo and Gitea have `message`. */
function wordsOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const said = isObject(parsed) ? (parsed.message ?? parsed.error) : undefined;
    return (typeof said === "string" ? said : (JSON.stringify(said) ?? "no reason")).slice(0, MOST_SAID);
  } catch {
    return "no reason";
  }
}

/** The maximum length of the host's message. */
const MOST_SAID = 300;
