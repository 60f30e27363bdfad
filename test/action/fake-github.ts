import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buildSchema, graphqlSync } from "graphql";
import { isObject } from "../../src/model/json.ts";
import { answerOf, Described } from "./described.ts";
import { DOCS, FakeGit, invalid } from "./fake-git.ts";
import { type Answer, forbidden, listen, MOST, pagesOf, tooLong } from "./fake-http.ts";
import {
  artifactOf,
  BOT,
  checkOf,
  type FakeArtifact,
  type FakeCheck,
  type FakeComment,
  type FakeIssue,
  type FakeReview,
  issueOf,
  REPOSITORY_ID,
  userOf,
} from "./fake-objects.ts";
import { type Permissions, permissionsFor } from "./fake-permissions.ts";
import { zipOf } from "./fake-zip.ts";

/**
 * What the Action uses of GitHub, on loopback: stores comments, issues, pull requests, checks, commits, branches and artifacts. Follows GitHub's
 * documented behaviour: pages of at most a hundred, limits on lengths, the permission that each request needs, GraphQL refusals in an answer of 200,
 * and artifacts from another host, which never gets the token.
 */
export class FakeGitHub {
  comments: FakeComment[] = [];
  issues: FakeIssue[] = [];
  checks: FakeCheck[] = [];
  artifacts: FakeArtifact[] = [];
  readonly git = new FakeGit();
  /** The rights that `permissions:` of the job gives its token; undefined: all. */
  permissions: Permissions | undefined;
  /** Headers of requests to the host of the artifacts. */
  downloads: IncomingMessage["headers"][] = [];
  /** Commit → path → text. */
  get commits(): { [sha: string]: { [path: string]: string } } {
    return this.git.commits;
  }
  get parents(): { [sha: string]: string[] } {
    return this.git.parents;
  }
  /** Pull request → GitHub's test merge. */
  merges: { [pull: number]: string } = {};
  mergeBase = "";
  /** Commit of the default branch → the merged pull request. */
  merged: { [sha: string]: { number: number; head: string; base?: string } } = {};
  /** Comments on pull request 7, with author and time. */
  reviews: FakeReview[] = [];
  /** Accounts whose reviews count in a page but are left out of it, like those of accounts that GitHub hides. */
  hidden = new Set<string>();
  /**
   * Requests that match get this answer instead, up to the given number. `done`: after they were carried out. `lost`: the connection ends without an
   * answer, or in the middle of it.
   */
  refuse: {
    match: RegExp;
    status: number;
    message: string;
    headers?: Record<string, string>;
    times?: number;
    done?: boolean;
    lost?: "all" | "half";
  }[] = [];
  log: string[] = [];
  /** Every request and every answer is checked against what GitHub publishes about its API. */
  readonly described = new Described();
  private readonly server: Server;
  private readonly storage: Server;
  private storageUrl = "";
  /** The number of annotations in each request. */
  annotationBatches: number[] = [];
  private next = 1000;
  url = "";

  constructor() {
    this.server = createServer((request, response) => void this.serve(request, response));
    this.storage = createServer((request, response) => {
      this.downloads.push(request.headers);
      const artifact = this.artifacts.find(({ id }) => `/${id}` === request.url);
      response.writeHead(artifact === undefined ? 404 : 200, { "content-type": "application/zip" });
      response.end(artifact === undefined ? "" : zipOf(artifact.files));
    });
  }

  async start(): Promise<this> {
    this.url = await listen(this.server);
    this.storageUrl = await listen(this.storage);
    return this;
  }

  async end(): Promise<void> {
    for (const server of [this.server, this.storage]) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
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
      head_sha: "d".repeat(40),
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
    const refusal = this.refuse.find(({ match, times = 1 }) => times > 0 && match.test(line));
    if (refusal?.times !== undefined) refusal.times -= 1;
    if (refusal?.done === true) this.answer(request.method ?? "", url, body);
    if (refusal?.lost === "all") return void request.socket.destroy();
    const answer: Answer =
      refusal !== undefined && refusal.lost === undefined
        ? { status: refusal.status, json: { message: refusal.message } }
        : request.headers.authorization === undefined
          ? { status: 401, json: { message: "Requires authentication" } }
          : this.mayNot(request.method ?? "", url.pathname, text)
            ? forbidden(url.pathname)
            : this.answer(request.method ?? "", url, body);
    const headers: Record<string, string> =
      answer.bytes !== undefined
        ? { "content-type": "application/zip" }
        : answer.text !== undefined
          ? { "content-type": "application/vnd.github.raw; charset=utf-8" }
          : { "content-type": "application/json; charset=utf-8" };
    Object.assign(headers, refusal?.headers, answer.location === undefined ? {} : { location: answer.location });
    const pages = pagesOf(answer.json, url);
    if (pages !== undefined) {
      answer.json = Array.isArray(pages.json) ? pages.json.filter((item) => !this.isHidden(item)) : pages.json;
      if (pages.next !== undefined) headers.link = `<${pages.next}>; rel="next"`;
    }
    if (url.pathname !== "/graphql") {
      const operation = this.described.request(request.method ?? "", url, body);
      // Bytes, and texts requested in raw form, are not JSON.
      if (operation !== undefined && answer.bytes === undefined && answer.text === undefined && refusal === undefined)
        this.described.answer(request.method ?? "", operation, answer.status, answer.json);
    }
    const content = answer.bytes ?? Buffer.from(answer.text ?? JSON.stringify(answer.json ?? null));
    response.writeHead(answer.status, { ...headers, "content-length": content.length });
    if (refusal?.lost === "half")
      response.write(content.subarray(0, content.length / 2), () => void request.socket.destroy());
    else response.end(content);
  }

  private isHidden(item: unknown): boolean {
    const user = isObject(item) && isObject(item.user) ? item.user : {};
    return typeof user.login === "string" && this.hidden.has(user.login);
  }

  /** Does the job's token lack what this request needs? Pull requests are also issues: there, either permission is enough. */
  private mayNot(method: string, path: string, body: string): boolean {
    const { permissions } = this;
    if (permissions === undefined) return false;
    const about = this.issues.some(({ number }) => path.includes(`/issues/${number}`)) ? "issue" : "pull";
    const needed = permissionsFor(method, path, body, about);
    return !needed.some(([name, right]) => permissions[name] === "write" || permissions[name] === right);
  }

  private answer(method: string, url: URL, body: Record<string, unknown>): Answer {
    const path = decodeURIComponent(url.pathname);
    if (path === "/graphql") return this.graphql(String(body.query), body.variables);
    const found = /^\/repos\/acme\/chat\/(.*)$/.exec(path)?.[1];
    if (found === undefined) return MISSING;
    const asked: Asked = { method, found, url, body };
    return (
      this.onComments(asked) ??
      this.onIssues(asked) ??
      this.onChecks(asked) ??
      this.onPulls(asked) ??
      this.git.answer(method, found, url, body) ??
      this.onMerged(asked) ??
      this.onArtifacts(asked) ??
      MISSING
    );
  }

  private onComments({ method, found, body }: Asked): Answer | undefined {
    let args = partsOf(/^issues\/(\d+)\/comments$/, found);
    if (args !== undefined && method === "POST") {
      const number = Number(args[0]);
      const text = String(body.body);
      if (text.length > MOST.body) return tooLong("body", MOST.body);
      const issue = this.issues.find((one) => one.number === number);
      this.next += 1;
      if (issue !== undefined) issue.comments.push(text);
      else this.comments.push({ id: this.next, pull: number, body: text, author: BOT, minimised: false, edits: 0 });
      return ok(answerOf("issues/create-comment", { id: this.next, body: text, user: userOf(BOT) }), 201);
    }
    if (args !== undefined && method === "GET") {
      const number = Number(args[0]);
      const bodies = this.issues.find((one) => one.number === number)?.comments;
      const comments = this.comments.filter(({ pull }) => pull === number);
      return ok(
        (bodies ?? comments.map((comment) => comment.body)).map((text) =>
          answerOf("issues/list-comments", { body: text }),
        ),
      );
    }
    args = partsOf(/^issues\/comments\/(\d+)$/, found);
    if (args !== undefined && method === "PATCH") {
      const comment = this.comments.find(({ id }) => id === Number(args?.[0]));
      if (comment === undefined) return MISSING;
      if (String(body.body).length > MOST.body) return tooLong("body", MOST.body);
      comment.body = String(body.body);
      comment.edits += 1;
      return ok(
        answerOf("issues/update-comment", { id: comment.id, body: comment.body, user: userOf(comment.author) }),
      );
    }
    return undefined;
  }

  private onIssues({ method, found, url, body }: Asked): Answer | undefined {
    if (found === "issues" && method === "GET")
      return ok(
        this.issues
          .filter(({ state }) => state === (url.searchParams.get("state") ?? "open"))
          .toReversed()
          .map((issue) => answerOf("issues/list-for-repo", issueOf(issue))),
      );
    if (found === "issues" && method === "POST") {
      this.next += 1;
      const text = String(body.body);
      if (text.length > MOST.body) return tooLong("body", MOST.body);
      const [number, title] = [this.next, String(body.title)];
      const made: FakeIssue = { number, title, body: text, state: "open", author: BOT, comments: [], edits: 0 };
      this.issues.push(made);
      return ok(answerOf("issues/create", issueOf(made)), 201);
    }
    const args = partsOf(/^issues\/(\d+)$/, found);
    if (args !== undefined && method === "PATCH") {
      const issue = this.issues.find(({ number }) => number === Number(args?.[0]));
      if (issue === undefined) return MISSING;
      if (typeof body.body === "string") {
        if (body.body.length > MOST.body) return tooLong("body", MOST.body);
        issue.body = body.body;
        issue.edits += 1;
      }
      if (typeof body.title === "string") issue.title = body.title;
      if (body.state === "closed" || body.state === "open") {
        issue.state = body.state;
        issue.state_reason = String(body.state_reason);
      }
      return ok(answerOf("issues/update", issueOf(issue)));
    }
    return undefined;
  }

  private onChecks({ method, found, url, body }: Asked): Answer | undefined {
    if (found === "check-runs" && method === "POST") {
      this.next += 1;
      const made = this.check(this.next, body);
      if ("refused" in made) return made.refused;
      this.checks.push(made.check);
      return ok(answerOf("checks/create", checkOf(made.check)), 201);
    }
    let args = partsOf(/^commits\/(\w+)\/check-runs$/, found);
    if (args !== undefined) {
      const name = url.searchParams.get("check_name");
      const listed = this.checks.filter((one) => one.head_sha === args?.[0] && (name === null || one.name === name));
      const check_runs = listed.map((one) => answerOf("checks/get", checkOf(one)));
      return ok({ total_count: check_runs.length, check_runs });
    }
    args = partsOf(/^check-runs\/(\d+)$/, found);
    if (args !== undefined && method === "GET") {
      const check = this.checks.find(({ id }) => id === Number(args?.[0]));
      return check === undefined ? MISSING : ok(answerOf("checks/get", checkOf(check)));
    }
    if (args !== undefined && method === "PATCH") {
      const check = this.checks.find(({ id }) => id === Number(args?.[0]));
      if (check === undefined) return MISSING;
      const more = this.check(0, body);
      if ("refused" in more) return more.refused;
      check.annotations.push(...more.check.annotations);
      return ok(answerOf("checks/update", checkOf(check)));
    }
    return undefined;
  }

  private onPulls({ found }: Asked): Answer | undefined {
    let args = partsOf(/^git\/ref\/pull\/(\d+)\/merge$/, found);
    if (args !== undefined) {
      const sha = this.merges[Number(args[0])];
      return sha === undefined
        ? MISSING
        : ok(
            answerOf("git/get-ref", { ref: `refs/${found.slice("git/ref/".length)}`, object: { sha, type: "commit" } }),
          );
    }
    args = partsOf(/^compare\/(.+)\.\.\.(\w+)$/, found);
    if (args !== undefined) {
      const status = this.git.statusOf(args[0] ?? "", args[1] ?? "");
      return status === undefined && this.mergeBase === ""
        ? MISSING
        : ok(
            answerOf("repos/compare-commits-with-basehead", {
              merge_base_commit: { sha: this.mergeBase },
              status: status ?? "diverged",
            }),
          );
    }
    if (found === "pulls/7/reviews")
      return ok(
        this.reviews.map((review) => answerOf("pulls/list-reviews", { ...review, user: userOf(review.user.login) })),
      );
    return undefined;
  }

  private onMerged({ found }: Asked): Answer | undefined {
    const args = partsOf(/^commits\/(\w+)\/pulls$/, found);
    if (args !== undefined) {
      const pull = this.merged[args[0] ?? ""];
      return ok(
        pull === undefined
          ? []
          : [
              answerOf("repos/list-pull-requests-associated-with-commit", {
                number: pull.number,
                state: "closed",
                head: { sha: pull.head },
                base: { ref: pull.base ?? "main" },
                merged_at: "2026-11-21T12:00:00Z",
                merge_commit_sha: args[0],
              }),
            ],
      );
    }
    return undefined;
  }

  private onArtifacts({ found, url }: Asked): Answer | undefined {
    if (found === "actions/artifacts") {
      const name = url.searchParams.get("name");
      const listed = this.artifacts.filter((artifact) => name === null || artifact.name === name).toReversed();
      return ok({ total_count: listed.length, artifacts: listed.map(artifactOf) });
    }
    const args = partsOf(/^actions\/artifacts\/(\d+)\/zip$/, found);
    if (args !== undefined) {
      const artifact = this.artifacts.find(({ id }) => id === Number(args?.[0]));
      return artifact === undefined ? MISSING : { status: 302, location: `${this.storageUrl}/${artifact.id}` };
    }
    return undefined;
  }

  private check(id: number, body: Record<string, unknown>): { check: FakeCheck } | { refused: Answer } {
    const check: FakeCheck = JSON.parse(JSON.stringify({ ...body, id }));
    const { annotations = [] }: { annotations?: FakeCheck["annotations"] } = JSON.parse(
      JSON.stringify(body.output ?? {}),
    );
    const { title = "", summary = "" } = check.output ?? {};
    if (annotations.length > MOST.annotations)
      return {
        refused: invalid("Invalid request. No more than 50 annotations are allowed"),
      };
    if (title.length > MOST.title) return { refused: tooLong("output.title", MOST.title) };
    if (summary.length > MOST.summary) return { refused: tooLong("output.summary", MOST.summary) };
    if (annotations.some(({ message }) => Buffer.byteLength(message) > MOST.annotation))
      return { refused: tooLong("annotations.message", MOST.annotation) };
    this.annotationBatches.push(annotations.length);
    return { check: { ...check, annotations } };
  }

  /** Run on GitHub's own schema, which refuses unknown fields and arguments. */
  private graphql(query: string, variables: unknown): Answer {
    const given: { [name: string]: unknown } = JSON.parse(JSON.stringify(variables ?? {}));
    const answer = graphqlSync({
      schema: SCHEMA,
      source: query,
      variableValues: given,
      rootValue: {
        viewer: { login: BOT },
        repository: { pullRequest: ({ number }: { number: number }) => ({ comments: this.commentsOf(number) }) },
        minimizeComment: ({ input }: { input: { subjectId: string } }) => {
          const comment = this.comments.find(({ id }) => `node-${id}` === input.subjectId);
          if (comment === undefined)
            throw new Error(`Could not resolve to a node with the global id of '${input.subjectId}'`);
          comment.minimised = true;
          return { clientMutationId: null };
        },
      },
    });
    for (const { message, originalError } of answer.errors ?? [])
      if (originalError === undefined) this.described.violations.push(`GraphQL: ${message}`);
    return { status: 200, json: answer };
  }

  /** The pages of a pull request's comments, as a resolver of GitHub's schema. */
  private commentsOf(pull: number) {
    return ({ first, after }: { first?: number; after?: string | null }): object => {
      const all = this.comments.filter((comment) => comment.pull === pull);
      if (first === undefined || first < 1 || first > 100) throw new Error("`first` must be between 1 and 100");
      const from = Number(after ?? 0);
      const nodes = all.slice(from, from + first).map(({ id, body, author, minimised }) => ({
        id: `node-${id}`,
        databaseId: id,
        body,
        viewerDidAuthor: author === BOT,
        isMinimized: minimised,
      }));
      const hasNextPage = from + first < all.length;
      return { pageInfo: { hasNextPage, endCursor: hasNextPage ? String(from + first) : null }, nodes };
    };
  }
}

const SCHEMA = buildSchema(readFileSync(new URL("described/github.graphql", import.meta.url), "utf8"));

/** A request about the repository. */
interface Asked {
  readonly method: string;
  /** Its path after the name of the repository. */
  readonly found: string;
  readonly url: URL;
  readonly body: Record<string, unknown>;
}

const MISSING: Answer = { status: 404, json: { message: "Not Found", documentation_url: DOCS, status: "404" } };
const ok = (json: unknown, status = 200): Answer => ({ status, json });
const partsOf = (pattern: RegExp, found: string): string[] | undefined => pattern.exec(found)?.slice(1);
