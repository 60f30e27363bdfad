import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { undescribed } from "./described.ts";
import { type FakeAccount, giteaAnswer } from "./fake-gitea.ts";

export interface FakeNote {
  id: number;
  body: string;
  author: number;
  system: boolean;
  /** A reference from a place that the token may not see: GitLab counts it in a page, and leaves it out. */
  hidden?: boolean;
}

/** The account that the token belongs to. */
export const ME = 7;
export const TOKEN = "glpat-canaryTokenThatIsNeverPrinted0";

/** GitLab: at most this many characters in a note (its documentation of the notes API). */
const MOST_NOTE = 1_000_000;

/**
 * What `realmctl comment` uses of GitLab, Forgejo and Gitea, on loopback. Every request and answer is checked against what the hosts publish
 * (described.ts); differences are stored in `undescribed`. The part of Forgejo and Gitea is held against what a real Gitea answered; GitLab's was not
 * compared with a real server.
 */
export class FakeForge {
  notes: FakeNote[] = [];
  log: string[] = [];
  undescribed: string[] = [];
  /** Replaces every answer that matches. */
  refuse: { match: RegExp; status: number; body: string } | undefined;
  /** What the token may do. */
  scope: "api" | "read_api" = "api";
  url = "";
  /** Gitea and Forgejo: whose tokens are known, and what they may do. */
  readonly accounts = new Map<string, FakeAccount>([
    [TOKEN, { id: ME, login: "realmctl", scopes: ["write:issue", "read:user"], isWriter: true }],
  ]);
  private readonly kind: "gitlab" | "forgejo";
  private readonly server: Server;
  private next = 100;

  constructor(kind: "gitlab" | "forgejo") {
    this.kind = kind;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  add(note: Partial<FakeNote>): void {
    this.next += 1;
    this.notes.push({ id: this.next, body: "Nice", author: 1, system: false, ...note });
  }

  /** The environment that the host gives to a job. */
  env(): { readonly [name: string]: string } {
    return this.kind === "gitlab"
      ? {
          CI_API_V4_URL: `${this.url}/api/v4`,
          CI_PROJECT_ID: "42",
          CI_MERGE_REQUEST_IID: "3",
          CI_PIPELINE_SOURCE: "merge_request_event",
          REALMCTL_TOKEN: TOKEN,
        }
      : {
          GITHUB_SERVER_URL: this.url,
          GITHUB_REPOSITORY: "acme/chat",
          GITHUB_REF: "refs/pull/3/head",
          REALMCTL_TOKEN: TOKEN,
        };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? "/", this.url);
    const method = request.method ?? "";
    this.log.push(`${method} ${url.pathname}${url.search}`);
    const body: { body?: unknown } = text === "" ? {} : JSON.parse(text);
    const isRefused = this.refuse?.match.test(`${method} ${url.pathname}`) === true;
    const [status, answer] =
      this.refuse?.match.test(`${method} ${url.pathname}`) === true
        ? [this.refuse.status, this.refuse.body]
        : this.kind === "forgejo"
          ? this.forgejo(request, method, url, body)
          : this.gitlab(request, method, url, body);
    if (!isRefused) {
      const path = url.pathname.replace(/^\/api\/v[14]/, "");
      this.undescribed.push(
        ...undescribed(this.kind, { method, path, query: url.searchParams, body }, { status, value: answer }),
      );
    }
    response.writeHead(status, { "content-type": "application/json", ...this.nextPage(url, method) });
    response.end(typeof answer === "string" ? answer : answer === undefined ? "" : JSON.stringify(answer));
  }

  private forgejo({ headers }: IncomingMessage, method: string, url: URL, body: object): readonly [number, unknown] {
    const unknown = [...url.searchParams.keys()];
    if (unknown.length > 0) return [400, { message: `${unknown[0]} is invalid` }];
    const token = /^token (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    const own = this.accounts.get(TOKEN);
    if (this.scope !== "api" && own !== undefined)
      this.accounts.set(TOKEN, { ...own, scopes: ["read:issue", "read:user"] });
    return giteaAnswer(this, token, method, url.pathname.replace("/api/v1", ""), body);
  }

  private gitlab(
    { headers }: IncomingMessage,
    method: string,
    url: URL,
    body: { body?: unknown },
  ): readonly [number, unknown] {
    if (headers["private-token"] !== TOKEN) return [401, { message: "401 Unauthorized" }];
    return this.scope !== "api" && method !== "GET"
      ? [403, { error: "insufficient_scope", error_description: "The request requires higher privileges" }]
      : this.answer(method, url, body);
  }

  private answer(method: string, url: URL, body: { body?: unknown }): readonly [number, unknown] {
    const path = url.pathname.replace("/api/v4", "");
    const unknown = [...url.searchParams.keys()].filter((key) => !LIST_PARAMETERS.includes(key));
    if (unknown.length > 0) return [400, { error: `${unknown[0]} is invalid` }];
    if (method === "GET" && path === "/user") return [200, { id: ME, username: "realmctl" }];
    const list = "/projects/42/merge_requests/3/notes";
    const one = /^\/projects\/42\/merge_requests\/3\/notes\/(\d+)$/;
    if (path === list && method === "GET") return [200, this.listed(url.searchParams)];
    const refused = textProblem(body.body);
    if (path === list && method === "POST") {
      if (refused !== undefined) return refused;
      this.add({ body: String(body.body), author: ME });
      return [201, this.shown(this.notes.at(-1))];
    }
    const note = this.notes.find(({ id }) => id === Number(one.exec(path)?.[1]));
    if (note === undefined || !["PUT", "DELETE"].includes(method)) return [404, { message: "404 Not found" }];
    if (method === "PUT" && refused !== undefined) return refused;
    if (note.author !== ME) return [403, { message: "403 Forbidden" }];
    if (method === "DELETE") {
      this.notes = this.notes.filter((other) => other !== note);
      return [204, undefined];
    }
    note.body = String(body.body);
    return [200, this.shown(note)];
  }

  private listed(query: URLSearchParams): readonly unknown[] {
    const { size, page } = pageOf(query);
    const ordered = query.get("sort") === "asc" ? this.notes : this.notes.toReversed();
    return ordered
      .slice((page - 1) * size, page * size)
      .filter(({ hidden }) => hidden !== true)
      .map((note) => this.shown(note));
  }

  private nextPage(url: URL, method: string): { readonly "x-next-page"?: string } {
    if (this.kind !== "gitlab" || method !== "GET" || !url.pathname.endsWith("/notes")) return {};
    const { size, page } = pageOf(url.searchParams);
    return { "x-next-page": page * size < this.notes.length ? String(page + 1) : "" };
  }

  private shown(note: FakeNote | undefined): unknown {
    if (note === undefined) return null;
    const { id, body, author, system } = note;
    const at = "2026-11-21T12:00:00Z";
    return {
      id,
      body,
      system,
      author: { id: author, username: `u${author}` },
      created_at: at,
      updated_at: at,
      type: null,
      attachment: null,
      noteable_id: 30,
      noteable_type: "MergeRequest",
      noteable_iid: 3,
      resolvable: false,
      confidential: false,
      commands_changes: {},
    };
  }
}

const pageOf = (query: URLSearchParams): { readonly size: number; readonly page: number } => ({
  size: Math.min(100, Number(query.get("per_page") ?? 20)),
  page: Number(query.get("page") ?? 1),
});

const LIST_PARAMETERS = ["sort", "order_by", "per_page", "page", "activity_filter"];

function textProblem(body: unknown): readonly [number, unknown] | undefined {
  if (typeof body !== "string" || body === "") return [400, { message: '400 (Bad request) "body" not given' }];
  return body.length > MOST_NOTE
    ? [400, { message: { note: ["is too long (maximum is 1000000 characters)"] } }]
    : undefined;
}
