import { createHash } from "node:crypto";
import { answerOf } from "./described.ts";
import type { Answer } from "./fake-http.ts";

export interface FakePull {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  merged_at: string | null;
  head: string;
  base: string;
  edits: number;
}

interface FakeEntry {
  path: string;
  mode: string;
  type: string;
  sha: string;
  size?: number;
}
type FileTexts = { [path: string]: string };
const hash = (text: string): string => createHash("sha1").update(text).digest("hex");
const ok = (json: unknown, status = 200): Answer => ({ status, json });
export const DOCS = "https://docs.github.com/rest";
export const invalid = (message: string): Answer => ({ status: 422, json: { message, documentation_url: DOCS } });
const MISSING: Answer = { status: 404, json: { message: "Not Found", documentation_url: DOCS, status: "404" } };

function pullOf({ number, title, body, state, merged_at, head, base }: FakePull): { [field: string]: unknown } {
  return { number, title, body, state, merged_at, head: { ref: head }, base: { ref: base } };
}

/** Commits, trees, branches and the pull requests made from them, as GitHub's API shows and creates them. */
export class FakeGit {
  /** Commit → path → text. */
  commits: { [sha: string]: FileTexts } = {};
  parents: { [sha: string]: string[] } = {};
  messages: { [sha: string]: string } = {};
  branches: { [name: string]: string } = {};
  /** Path → mode, if it is not 100644. */
  modes: { [path: string]: string } = {};
  pulls: FakePull[] = [];
  /** If there are more files than this, they are not all listed at once. */
  mostListed = 100_000;
  private readonly trees = new Map<string, FileTexts>();
  private readonly blobs = new Map<string, string>();

  /** The relation of a commit to a branch, as `compare` reports it; undefined if either does not exist. */
  statusOf(branch: string, sha: string): "identical" | "behind" | "diverged" | undefined {
    const head = this.branches[branch];
    if (head === undefined) return undefined;
    if (head === sha) return "identical";
    return this.historyOf(head).has(sha) ? "behind" : "diverged";
  }

  answer(method: string, found: string, url: URL, body: Record<string, unknown>): Answer | undefined {
    const missing = MISSING;
    const at = (verb: string, pattern: RegExp): string[] | undefined =>
      verb === method ? pattern.exec(found)?.slice(1) : undefined;
    let args = at("GET", /^git\/commits\/(\w+)$/);
    if (args !== undefined) {
      const sha = args[0] ?? "";
      const parents = (this.parents[sha] ?? []).map((parent) => ({ sha: parent, url: DOCS, html_url: DOCS }));
      if (this.commits[sha] === undefined && parents.length === 0) return missing;
      const tree = { sha: this.treeOf(this.commits[sha] ?? {}) };
      return ok(answerOf("git/get-commit", { sha, parents, tree, message: this.messages[sha] ?? "Something" }));
    }
    args = at("GET", /^git\/trees\/(\w+)$/);
    if (args !== undefined) {
      const sha = args[0] ?? "";
      const commit = this.commits[sha];
      const files = this.trees.get(commit === undefined ? sha : this.treeOf(commit));
      if (files === undefined) return missing;
      const own = { sha, url: DOCS };
      if (url.searchParams.get("recursive") === null)
        return ok({ ...own, tree: this.entriesOf(files), truncated: false });
      const tree = this.allEntriesOf(files, "");
      return ok({ ...own, tree: tree.slice(0, this.mostListed), truncated: tree.length > this.mostListed });
    }
    args = at("GET", /^git\/blobs\/(\w+)$/);
    if (args !== undefined) {
      const text = this.blobs.get(args[0] ?? "");
      if (text === undefined) return missing;
      // Lines of sixty characters, as GitHub writes them.
      const content = Buffer.from(text, "latin1").toString("base64").replace(/.{60}/g, "$&\n");
      return ok(answerOf("git/get-blob", { sha: args[0], size: text.length, content, encoding: "base64" }));
    }
    if (method === "POST" && found === "git/trees") return this.makeTree(body);
    if (method === "POST" && found === "git/commits") return this.makeCommit(body);
    return this.refs(method, found, body) ?? this.pullRequests(method, found, url, body);
  }

  private refs(method: string, found: string, body: Record<string, unknown>): Answer | undefined {
    const sha = String(body.sha);
    if (method === "POST" && found === "git/refs") {
      const name = String(body.ref).replace(/^refs\/heads\//, "");
      if (!String(body.ref).startsWith("refs/heads/")) return invalid("Reference name must start with 'refs/'");
      if (this.branches[name] !== undefined) return invalid("Reference already exists");
      if (this.commits[sha] === undefined) return invalid("Object does not exist");
      this.branches[name] = sha;
      return ok(answerOf("git/create-ref", { ref: body.ref, object: { sha, type: "commit" } }), 201);
    }
    const name = /^git\/refs?\/heads\/(.+)$/.exec(found)?.[1];
    if (name === undefined) return undefined;
    const head = this.branches[name];
    const reference = (id: string, commit: string): Answer =>
      ok(answerOf(id, { ref: `refs/heads/${name}`, object: { sha: commit, type: "commit" } }));
    if (method === "GET") return head === undefined ? MISSING : reference("git/get-ref", head);
    if (head === undefined) return invalid("Reference does not exist");
    if (method === "DELETE") {
      delete this.branches[name];
      for (const pull of this.pulls) if (pull.head === name) pull.state = "closed";
      return { status: 204, text: "" };
    }
    if (body.force !== true && !this.historyOf(sha).has(head)) return invalid("Update is not a fast forward");
    this.branches[name] = sha;
    return reference("git/update-ref", sha);
  }

  private pullRequests(method: string, found: string, url: URL, body: Record<string, unknown>): Answer | undefined {
    if (method === "GET" && found === "pulls") {
      const [owner, head] = (url.searchParams.get("head") ?? "").split(":");
      const state = url.searchParams.get("state") ?? "open";
      const listed = this.pulls.filter((one) => owner === "acme" && one.head === head);
      return ok(
        listed
          .filter((one) => state === "all" || one.state === state)
          .toReversed()
          .map((one) => answerOf("pulls/list", pullOf(one))),
      );
    }
    if (method === "POST" && found === "pulls") {
      const head = String(body.head);
      const base = String(body.base);
      const [from, to] = [this.branches[head], this.branches[base]];
      if (from === undefined || to === undefined) return invalid("Validation Failed: head or base is invalid");
      if (from === to || this.historyOf(to).has(from))
        return invalid(`Validation Failed: No commits between ${base} and ${head}`);
      if (this.pulls.some((one) => one.state === "open" && one.head === head))
        return invalid("Validation Failed: A pull request already exists");
      const text = String(body.body ?? "");
      if (text.length > 65_536) return invalid("body is too long (maximum is 65536 characters)");
      const number = 500 + this.pulls.length;
      const title = String(body.title);
      const made: FakePull = { number, title, body: text, state: "open", merged_at: null, head, base, edits: 0 };
      this.pulls.push(made);
      return ok(answerOf("pulls/create", pullOf(made)), 201);
    }
    const number = method === "PATCH" ? /^pulls\/(\d+)$/.exec(found)?.[1] : undefined;
    const pull = this.pulls.find((one) => one.number === Number(number));
    if (pull === undefined) return undefined;
    if (typeof body.body === "string") pull.body = body.body;
    if (typeof body.title === "string") pull.title = body.title;
    if (body.state === "closed") pull.state = "closed";
    pull.edits += 1;
    return ok(answerOf("pulls/update", pullOf(pull)));
  }

  private makeTree(body: Record<string, unknown>): Answer {
    const files = { ...(this.trees.get(String(body.base_tree)) ?? {}) };
    const entries: { path: string; mode: string; type: string; content: string }[] = JSON.parse(
      JSON.stringify(body.tree),
    );
    for (const { path, mode, type, content } of entries) {
      if (type !== "blob" || !/^100(644|755)$/.test(mode)) return invalid("tree.mode is invalid");
      files[path] = Buffer.from(content, "utf8").toString("latin1");
      if (mode !== "100644") this.modes[path] = mode;
      else delete this.modes[path];
    }
    const sha = hash(JSON.stringify(files));
    this.trees.set(sha, files);
    return ok(answerOf("git/create-tree", { sha, tree: this.entriesOf(files) }), 201);
  }

  private makeCommit(body: Record<string, unknown>): Answer {
    const tree = this.trees.get(String(body.tree));
    if (tree === undefined) return invalid("Tree SHA does not exist");
    const sha = hash(JSON.stringify([body, Object.keys(this.commits).length]));
    const parents: string[] = JSON.parse(JSON.stringify(body.parents));
    const texts = Object.entries(tree).map(([path, text]) => [path, Buffer.from(text, "latin1").toString("utf8")]);
    this.commits[sha] = Object.fromEntries(texts);
    this.parents[sha] = parents;
    this.messages[sha] = String(body.message);
    const made = {
      sha,
      message: this.messages[sha],
      tree: { sha: String(body.tree) },
      parents: parents.map((parent) => ({ sha: parent, url: DOCS, html_url: DOCS })),
    };
    return ok(answerOf("git/create-commit", made), 201);
  }

  /** The tree of a commit's files; texts are stored as bytes. */
  private treeOf(texts: FileTexts): string {
    const files = Object.fromEntries(
      Object.entries(texts).map(([path, text]) => [path, Buffer.from(text, "utf8").toString("latin1")]),
    );
    const sha = hash(JSON.stringify(files));
    this.trees.set(sha, files);
    return sha;
  }

  private entriesOf(files: FileTexts): FakeEntry[] {
    const below = new Map<string, FileTexts>();
    const entries: FakeEntry[] = [];
    for (const [path, text] of Object.entries(files)) {
      const slash = path.indexOf("/");
      if (slash === -1) {
        const sha = hash(`blob ${text}`);
        this.blobs.set(sha, text);
        entries.push({ path, mode: this.modes[path] ?? "100644", type: "blob", sha, size: text.length });
      } else {
        const name = path.slice(0, slash);
        below.set(name, { ...below.get(name), [path.slice(slash + 1)]: text });
      }
    }
    for (const [path, inner] of below) {
      const sha = hash(JSON.stringify(inner));
      this.trees.set(sha, inner);
      entries.push({ path, mode: "040000", type: "tree", sha });
    }
    return entries;
  }

  private allEntriesOf(files: FileTexts, prefix: string): FakeEntry[] {
    return this.entriesOf(files).flatMap((entry) => {
      const own = { ...entry, path: prefix + entry.path };
      const inner = entry.type === "tree" ? this.trees.get(entry.sha) : undefined;
      return inner === undefined ? [own] : [own, ...this.allEntriesOf(inner, `${own.path}/`)];
    });
  }

  private historyOf(sha: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const open = [sha];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(this.parents[next] ?? []));
    }
    return seen;
  }
}
