import type { FakeNote } from "./fake-forge.ts";

/** An account of Gitea or Forgejo, as one of its tokens knows it. */
export interface FakeAccount {
  readonly id: number;
  readonly login: string;
  readonly scopes: readonly string[];
  /** Whether it may edit and delete what others wrote. */
  readonly isWriter: boolean;
}

interface FakeState {
  readonly url: string;
  notes: FakeNote[];
  readonly accounts: ReadonlyMap<string, FakeAccount>;
  add(note: Partial<FakeNote>): void;
}

/** A status, and what is sent as JSON: nothing for undefined. */
type Answer = readonly [number, unknown];

const LIST = "/repos/acme/chat/issues/3/comments";
const ONE = /^\/repos\/acme\/chat\/issues\/comments\/(\d+)$/;

/** What Gitea and Forgejo answer to a request below /api/v1: recordings.test.ts holds it against what Gitea answered. */
export function giteaAnswer(state: FakeState, token: string, method: string, path: string, body: object): Answer {
  const account = state.accounts.get(token);
  const refused = (status: number, message: string): Answer => [status, { message, url: `${state.url}/api/swagger` }];
  if (account === undefined) return refused(401, "invalid username, password or token");
  const needed = `${method === "GET" ? "read" : "write"}:${path === "/user" ? "user" : "issue"}`;
  if (!account.scopes.includes(needed) && !account.scopes.includes(needed.replace("read", "write"))) {
    const lacking = `required=[${needed}], token scope=${account.scopes.toSorted().join(",")}`;
    return refused(403, `token does not have at least one of required scope(s), ${lacking}`);
  }
  if (method === "GET" && path === "/user") return [200, { id: account.id, login: account.login }];
  const text = "body" in body && typeof body.body === "string" ? body.body : "";
  const isEmpty = (method === "POST" || method === "PATCH") && text === "";
  if (/^\/repos\/acme\/chat\/issues\/\d+\/comments$/.test(path) && ["GET", "POST"].includes(method)) {
    if (isEmpty) return refused(422, "[Body]: Required");
    // It does not say that there is no such issue.
    if (path !== LIST) return refused(500, "");
    if (method === "GET") return [200, state.notes.map((note) => shown(state, note))];
    state.add({ body: text, author: account.id });
    return [201, shown(state, state.notes.at(-1))];
  }
  const id = Number(ONE.exec(path)?.[1]);
  const note = state.notes.find((one) => one.id === id);
  if (isEmpty && ONE.test(path)) return refused(422, "[Body]: Required");
  if (note === undefined || !["PATCH", "DELETE"].includes(method)) return refused(404, "not found");
  if (note.author !== account.id && !account.isWriter) return [403, undefined];
  if (method === "PATCH") note.body = text;
  else state.notes = state.notes.filter((one) => one !== note);
  return method === "PATCH" ? [200, shown(state, note)] : [204, undefined];
}

function shown({ url, accounts }: FakeState, note: FakeNote | undefined): unknown {
  if (note === undefined) return null;
  const { id, body, author } = note;
  const at = "2026-11-28T12:00:00Z";
  const login = [...accounts.values()].find((one) => one.id === author)?.login ?? `u${author}`;
  return {
    id,
    body,
    user: { id: author, login },
    html_url: `${url}/acme/chat/pulls/3#issuecomment-${id}`,
    pull_request_url: `${url}/acme/chat/pulls/3`,
    issue_url: "",
    original_author: "",
    original_author_id: 0,
    created_at: at,
    updated_at: at,
  };
}
