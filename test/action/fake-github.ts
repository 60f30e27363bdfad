import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { deflateRawSync } from "node:zlib";

export interface FakeComment {
  id: number;
  pull: number;
  body: string;
  author: string;
  minimised: boolean;
  edits: number;
}
export interface FakeIssue {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  author: string;
  comments: string[];
  edits: number;
}
export interface FakeCheck {
  id: number;
  name: string;
  head_sha: string;
  conclusion: string;
  output: { title: string; summary: string };
  annotations: { path: string; start_line: number; annotation_level: string; message: string }[];
}
export interface FakeArtifact {
  id: number;
  name: string;
  created_at: string;
  files: { [name: string]: string };
  head_sha: string;
  head_branch: string;
  head_repository_id: number;
}

/** The account of a job's token. */
export const BOT = "github-actions[bot]";
export const REPOSITORY_ID = 4711;

type Answer = { status: number; json?: unknown; text?: string; bytes?: Buffer };

/** What the Action uses of GitHub, on loopback: keeps comments, issues, checks, commits and artifacts. */
export class FakeGitHub {
  comments: FakeComment[] = [];
  issues: FakeIssue[] = [];
  checks: FakeCheck[] = [];
  artifacts: FakeArtifact[] = [];
  /** Commit → path → text. */
  commits: { [sha: string]: { [path: string]: string } } = {};
  parents: { [sha: string]: string[] } = {};
  /** Pull request → the merge that GitHub tries. */
  merges: { [pull: number]: string } = {};
  mergeBase = "";
  /** Commit of the default branch → the merged pull request. */
  merged: { [sha: string]: { number: number; head: string } } = {};
  /** Requests that match get this answer instead. */
  refuse: { match: RegExp; status: number; message: string }[] = [];
  log: string[] = [];
  private readonly server: Server;
  private next = 1000;
  url = "";

  constructor() {
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

  /** Requests that changed something since the last call. */
  writes(): string[] {
    const found = this.log.filter((line) => /^(POST|PATCH|PUT|DELETE) (?!.*graphql query)/.test(line));
    this.log = [];
    return found;
  }

  addArtifact(name: string, files: { [name: string]: string }, from: Partial<FakeArtifact> = {}): void {
    this.next += 1;
    this.artifacts.push({
      id: this.next,
      name,
      files,
      created_at: new Date(1_700_000_000_000 + this.next * 1000).toISOString(),
      head_sha: "f".repeat(40),
      head_branch: "main",
      head_repository_id: REPOSITORY_ID,
      ...from,
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? "/", this.url);
    const body: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
    const query = typeof body.query === "string" ? ` ${body.query.trimStart().split(/[\s({]/)[0]}` : "";
    const line = `${request.method} ${url.pathname}${query}`;
    this.log.push(line);
    const refusal = this.refuse.find(({ match }) => match.test(line));
    const answer: Answer =
      refusal === undefined
        ? this.answer(request.method ?? "", url, body)
        : { status: refusal.status, json: { message: refusal.message } };
    const headers: Record<string, string> =
      answer.bytes !== undefined
        ? { "content-type": "application/zip" }
        : answer.text !== undefined
          ? { "content-type": "application/vnd.github.raw; charset=utf-8" }
          : { "content-type": "application/json; charset=utf-8" };
    response.writeHead(answer.status, headers);
    response.end(answer.bytes ?? answer.text ?? JSON.stringify(answer.json ?? null));
  }

  private answer(method: string, url: URL, body: Record<string, unknown>): Answer {
    const missing: Answer = { status: 404, json: { message: "Not Found" } };
    const path = decodeURIComponent(url.pathname);
    if (path === "/graphql") return this.graphql(String(body.query), body.variables);
    const found = /^\/repos\/acme\/chat\/(.*)$/.exec(path)?.[1];
    if (found === undefined) return missing;
    const ok = (json: unknown, status = 200): Answer => ({ status, json });
    const at = (pattern: RegExp): string[] | undefined => pattern.exec(found)?.slice(1);
    let args = at(/^issues\/(\d+)\/comments$/);
    if (args !== undefined && method === "POST") {
      const number = Number(args[0]);
      const text = String(body.body);
      if (text.length > 65_536)
        return { status: 422, json: { message: "body is too long (maximum is 65536 characters)" } };
      const issue = this.issues.find((one) => one.number === number);
      this.next += 1;
      if (issue !== undefined) issue.comments.push(text);
      else this.comments.push({ id: this.next, pull: number, body: text, author: BOT, minimised: false, edits: 0 });
      return ok({ id: this.next }, 201);
    }
    args = at(/^issues\/comments\/(\d+)$/);
    if (args !== undefined && method === "PATCH") {
      const comment = this.comments.find(({ id }) => id === Number(args?.[0]));
      if (comment === undefined) return missing;
      comment.body = String(body.body);
      comment.edits += 1;
      return ok({ id: comment.id });
    }
    if (found === "issues" && method === "GET")
      return ok(
        this.issues
          .filter(({ state }) => state === "open")
          .map(({ number, title, body: text, author }) => ({ number, title, body: text, user: { login: author } })),
      );
    if (found === "issues" && method === "POST") {
      this.next += 1;
      const text = String(body.body);
      if (text.length > 65_536) return { status: 422, json: { message: "body is too long" } };
      this.issues.push({
        number: this.next,
        title: String(body.title),
        body: text,
        state: "open",
        author: BOT,
        comments: [],
        edits: 0,
      });
      return ok({ number: this.next }, 201);
    }
    args = at(/^issues\/(\d+)$/);
    if (args !== undefined && method === "PATCH") {
      const issue = this.issues.find(({ number }) => number === Number(args?.[0]));
      if (issue === undefined) return missing;
      if (typeof body.body === "string") {
        issue.body = body.body;
        issue.edits += 1;
      }
      if (typeof body.title === "string") issue.title = body.title;
      if (body.state === "closed") issue.state = "closed";
      return ok({ number: issue.number });
    }
    if (found === "check-runs" && method === "POST") {
      this.next += 1;
      this.checks.push(this.check(this.next, body));
      return ok({ id: this.next }, 201);
    }
    args = at(/^check-runs\/(\d+)$/);
    if (args !== undefined && method === "PATCH") {
      const check = this.checks.find(({ id }) => id === Number(args?.[0]));
      check?.annotations.push(...this.check(0, body).annotations);
      return ok({});
    }
    args = at(/^contents\/(.*)$/) ?? (found === "contents" ? [""] : undefined);
    if (args !== undefined) {
      const files = this.commits[url.searchParams.get("ref") ?? ""] ?? {};
      const name = args[0] ?? "";
      const text = files[name];
      if (text !== undefined) return { status: 200, text };
      const prefix = name === "" ? "" : `${name}/`;
      const names = [
        ...new Set(
          Object.keys(files).flatMap((file) =>
            file.startsWith(prefix) ? [file.slice(prefix.length).split("/")[0]] : [],
          ),
        ),
      ];
      return names.length === 0 ? missing : ok(names.map((one) => ({ name: one, type: "file" })));
    }
    args = at(/^git\/commits\/(\w+)$/);
    if (args !== undefined) return ok({ parents: (this.parents[args[0] ?? ""] ?? []).map((sha) => ({ sha })) });
    args = at(/^git\/ref\/pull\/(\d+)\/merge$/);
    if (args !== undefined) {
      const sha = this.merges[Number(args[0])];
      return sha === undefined ? missing : ok({ object: { sha } });
    }
    if (found.startsWith("compare/")) return ok({ merge_base_commit: { sha: this.mergeBase } });
    args = at(/^commits\/(\w+)\/pulls$/);
    if (args !== undefined) {
      const pull = this.merged[args[0] ?? ""];
      return ok(
        pull === undefined
          ? []
          : [
              {
                number: pull.number,
                head: { sha: pull.head },
                merged_at: "2026-11-21T12:00:00Z",
                merge_commit_sha: args[0],
              },
            ],
      );
    }
    if (found === "actions/artifacts")
      return ok({
        total_count: this.artifacts.length,
        artifacts: this.artifacts
          .filter(({ name }) => name === url.searchParams.get("name"))
          .map(({ files, head_sha, head_branch, head_repository_id, ...artifact }) => ({
            ...artifact,
            expired: false,
            size_in_bytes: JSON.stringify(files).length,
            workflow_run: { head_sha, head_branch, head_repository_id },
          })),
      });
    args = at(/^actions\/artifacts\/(\d+)\/zip$/);
    if (args !== undefined) {
      const artifact = this.artifacts.find(({ id }) => id === Number(args?.[0]));
      return artifact === undefined ? missing : { status: 200, bytes: zipOf(artifact.files) };
    }
    return missing;
  }

  private check(id: number, body: Record<string, unknown>): FakeCheck {
    const check: FakeCheck = JSON.parse(JSON.stringify({ ...body, id }));
    const { annotations = [] }: { annotations?: FakeCheck["annotations"] } = JSON.parse(
      JSON.stringify(body.output ?? {}),
    );
    if (annotations.length > 50) throw new Error("more than 50 annotations in one request");
    return { ...check, annotations };
  }

  private graphql(query: string, variables: unknown): Answer {
    const given: { number?: number; id?: string } = JSON.parse(JSON.stringify(variables ?? {}));
    if (query.includes("minimizeComment")) {
      const comment = this.comments.find(({ id }) => `node-${id}` === given.id);
      if (comment !== undefined) comment.minimised = true;
      return { status: 200, json: { data: { minimizeComment: { clientMutationId: null } } } };
    }
    if (query.includes("viewer {")) return { status: 200, json: { data: { viewer: { login: "github-actions" } } } };
    const nodes = this.comments
      .filter(({ pull }) => pull === given.number)
      .map(({ id, body, author, minimised }) => ({
        id: `node-${id}`,
        databaseId: id,
        body,
        viewerDidAuthor: author === BOT,
        isMinimized: minimised,
      }));
    const comments = { pageInfo: { hasNextPage: false, endCursor: null }, nodes };
    return { status: 200, json: { data: { repository: { pullRequest: { comments } } } } };
  }
}

/** A zip as GitHub makes it: deflated entries and a directory. */
export function zipOf(files: { readonly [name: string]: string }): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(Buffer.from(text));
    const title = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(Buffer.byteLength(text), 22);
    local.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(Buffer.byteLength(text), 24);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, title, data);
    entries.push(entry, title);
    offset += local.length + title.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
