import type { getOctokit } from "@actions/github";
import { defined } from "../model/defined.ts";
import { type Requests, unlessMissing } from "./github-requests.ts";

/** A commit that need not be checked out. */
export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly message: string;
  readonly parents: readonly string[];
}

export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755` (may be run), `120000` (a link), `040000` (a directory), `160000` (another repository). */
  readonly mode: string;
  readonly sha: string;
  /** The size of a file. */
  readonly sizeBytes?: number;
}

/** A pull request from a branch of this repository. */
export interface OwnPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  readonly merged: boolean;
}

const entryOf = (entry: { path?: string; mode?: string; sha?: string; size?: number }): TreeEntry => ({
  path: entry.path ?? "",
  mode: entry.mode ?? "",
  sha: entry.sha ?? "",
  ...defined({ sizeBytes: entry.size }),
});

type Octokit = ReturnType<typeof getOctokit>;
const WRITE = "contents: write";
const PULLS = "pull-requests: write";

/** Branches and pull requests through GitHub's API: nothing is checked out, pushed or run. */
export class Branches {
  private readonly octokit: Octokit;
  private readonly requests: Requests;
  private readonly at: { readonly owner: string; readonly repo: string };

  constructor(octokit: Octokit, requests: Requests, at: { readonly owner: string; readonly repo: string }) {
    this.octokit = octokit;
    this.requests = requests;
    this.at = at;
  }

  async commit(sha: string): Promise<Commit> {
    return this.requests.repeat("read-commit", "contents: read", async () => {
      const { data } = await this.octokit.rest.git.getCommit({ ...this.at, commit_sha: sha });
      return {
        sha: data.sha,
        tree: data.tree.sha,
        message: data.message,
        parents: data.parents.map((parent) => parent.sha),
      };
    });
  }

  /** The entries of one directory, without those of its subdirectories. */
  async tree(sha: string): Promise<readonly TreeEntry[]> {
    return this.requests.repeat("read-directory", "contents: read", async () => {
      const { data } = await this.octokit.rest.git.getTree({ ...this.at, tree_sha: sha });
      return data.tree.map(entryOf);
    });
  }

  /**
   * Everything below a commit or a directory, in one request.
   * @returns undefined if it is more than GitHub returns at once (100,000 files or 7 MB)
   */
  async wholeTree(sha: string): Promise<readonly TreeEntry[] | undefined> {
    return this.requests.repeat("read-files", "contents: read", async () => {
      const { data } = await this.octokit.rest.git.getTree({ ...this.at, tree_sha: sha, recursive: "1" });
      return data.truncated ? undefined : data.tree.map(entryOf);
    });
  }

  /** The bytes of a file. */
  async blob(sha: string): Promise<Buffer> {
    return this.requests.repeat("read-file", "contents: read", async () => {
      const { data } = await this.octokit.rest.git.getBlob({ ...this.at, file_sha: sha });
      return Buffer.from(data.content, data.encoding === "base64" ? "base64" : "utf8");
    });
  }

  /** The last commit of a branch; undefined if there is no such branch. */
  async head(branch: string): Promise<Commit | undefined> {
    const sha = await this.requests.repeat("read-branch", "contents: read", () =>
      unlessMissing(async () => {
        const { data } = await this.octokit.rest.git.getRef({ ...this.at, ref: `heads/${branch}` });
        return data.object.sha;
      }),
    );
    return sha === undefined ? undefined : await this.commit(sha);
  }

  /**
   * Makes a commit on top of another one that changes the texts of some files, and nothing else.
   * @param message from the tree of the new commit
   * @returns its id
   */
  async commitFiles(
    parent: Commit,
    message: (tree: string) => string,
    files: readonly { readonly path: string; readonly mode: "100644" | "100755"; readonly text: string }[],
  ): Promise<string> {
    return this.requests.repeat("write-commit", WRITE, async () => {
      const tree = await this.octokit.rest.git.createTree({
        ...this.at,
        base_tree: parent.tree,
        tree: files.map(({ path, mode, text }) => ({ path, mode, type: "blob" as const, content: text })),
      });
      const { data } = await this.octokit.rest.git.createCommit({
        ...this.at,
        message: message(tree.data.sha),
        tree: tree.data.sha,
        parents: [parent.sha],
      });
      return data.sha;
    });
  }

  async create(branch: string, sha: string): Promise<void> {
    await this.requests.once(
      "make-branch",
      WRITE,
      async () => void (await this.octokit.rest.git.createRef({ ...this.at, ref: `refs/heads/${branch}`, sha })),
      async () => (await this.head(branch))?.sha === sha || undefined,
    );
  }

  /** Moves a branch to a commit, even if the branch has other commits. */
  async move(branch: string, sha: string): Promise<void> {
    await this.requests.repeat("move-branch", WRITE, () =>
      this.octokit.rest.git.updateRef({ ...this.at, ref: `heads/${branch}`, sha, force: true }),
    );
  }

  async remove(branch: string): Promise<void> {
    await this.requests.once(
      "remove-branch",
      WRITE,
      async () => void (await this.octokit.rest.git.deleteRef({ ...this.at, ref: `heads/${branch}` })),
      async () => (await this.head(branch)) === undefined || undefined,
    );
  }

  /** Pull requests from a branch of this repository, newest first, open ones before all others. */
  async pulls(branch: string): Promise<readonly OwnPull[]> {
    return this.requests.repeat("read-pull-requests", PULLS, async () => {
      const { data } = await this.octokit.rest.pulls.list({
        ...this.at,
        head: `${this.at.owner}:${branch}`,
        state: "all",
        sort: "created",
        direction: "desc",
        per_page: 100,
      });
      return data
        .map(({ number, title, body, state, merged_at }) => ({
          number,
          title,
          body: body ?? "",
          open: state === "open",
          merged: merged_at !== null,
        }))
        .sort((a, b) => Number(b.open) - Number(a.open) || b.number - a.number);
    });
  }

  async createPull(pull: { title: string; body: string; head: string; base: string }): Promise<number> {
    return this.requests.once(
      "open-pull-request",
      PULLS,
      async () => (await this.octokit.rest.pulls.create({ ...this.at, ...pull })).data.number,
      async () => (await this.pulls(pull.head)).find(({ open }) => open)?.number,
    );
  }

  async updatePull(number: number, change: { title?: string; body?: string; state?: "closed" }): Promise<void> {
    await this.requests.repeat("edit-pull-request", PULLS, () =>
      this.octokit.rest.pulls.update({ ...this.at, pull_number: number, ...change }),
    );
  }
}
