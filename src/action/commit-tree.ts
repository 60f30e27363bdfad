import { posix } from "node:path";
import { defined } from "../model/defined.ts";
import { type Failure, failure } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { MOST_UPLOAD_BYTES } from "../model/repository-file.ts";
import { missing, NotReadable } from "../model/unreadable.ts";
import { LARGEST_FILE_BYTES } from "../source/limits.ts";
import { type Files, filesFrom } from "./files.ts";
import type { Branches, TreeEntry } from "./github-branches.ts";
import type { PullEvent } from "./inputs.ts";
import type { Job } from "./job.ts";

/** The maximum number of files: each costs a request, and GitHub allows a job a thousand requests an hour. */
export const MOST_FILES_READ = 300;
/** The maximum size of all versions of all files together. */
export const MOST_BYTES_READ = 2 * LARGEST_FILE_BYTES;
/** The maximum number of directories that are listed one by one, if a repository is too large for one listing. */
export const MOST_DIRECTORIES = 100;
/** The maximum number of links that are followed for one path. */
const MOST_HOPS = 8;

type Source = Pick<Branches, "tree" | "wholeTree" | "blob">;

/** The remaining budget of a job for reading through the API. A file that is equal in two versions is read once. */
export class FileBudget {
  private readonly blobs = new Map<string, Promise<Buffer>>();
  private readonly directories = new Set<string>();
  private bytes = 0;

  /** @throws Failure for the first file over the limit */
  blob(source: Source, path: string, { sha, sizeBytes = 0 }: TreeEntry): Promise<Buffer> {
    const known = this.blobs.get(sha);
    if (known !== undefined) return known;
    if (this.blobs.size >= MOST_FILES_READ) throw tooMuch({ counted: "files", file: path, most: MOST_FILES_READ });
    this.bytes += sizeBytes;
    if (sizeBytes > LARGEST_FILE_BYTES || this.bytes > MOST_BYTES_READ)
      throw tooMuch({ counted: "bytes", file: path, most_mebibytes: MOST_BYTES_READ / 2 ** 20 });
    const found = source.blob(sha);
    this.blobs.set(sha, found);
    return found;
  }

  /** @throws Failure for the first directory over the limit */
  directory(sha: string): void {
    this.directories.add(sha);
    if (this.directories.size > MOST_DIRECTORIES) throw tooMuch({ counted: "directories", most: MOST_DIRECTORIES });
  }
}

/** A commit that is read through GitHub's API: no part of it is checked out or run. Its list of files is requested once. */
export class CommitTree {
  private readonly source: Source;
  private readonly root: string;
  private readonly budget: FileBudget;
  private whole: Promise<ReadonlyMap<string, readonly TreeEntry[]> | undefined> | undefined;
  private readonly trees = new Map<string, Promise<readonly TreeEntry[]>>();

  /** @param root a commit, or its tree */
  constructor(source: Source, root: string, budget = new FileBudget()) {
    this.source = source;
    this.root = root;
    this.budget = budget;
  }

  files(file: string): Files {
    return filesFrom(
      {
        text: async (path) => (await this.bytes(path)).toString("utf8"),
        upload: (path) => this.bytes(path, MOST_UPLOAD_BYTES),
        names: (directory) => this.names(directory),
      },
      file,
    );
  }

  /** Names of files and directories, in order. @throws if there is no such directory */
  async names(directory: string): Promise<readonly string[]> {
    return (await this.directory(partsOf(directory))).map(({ path }) => path).sort();
  }

  /** A file, link or directory. @throws if nothing has that name */
  async entry(path: string): Promise<TreeEntry> {
    const parts = partsOf(path);
    const name = parts.pop();
    const found = (await this.directory(parts)).find((one) => one.path === name);
    if (found === undefined) throw missing();
    return found;
  }

  blob(path: string, entry: TreeEntry): Promise<Buffer> {
    return this.budget.blob(this.source, path, entry);
  }

  /**
   * A file; links are followed to files of the same commit.
   * @param mostBytes of what is sent to a server; a larger one is not read
   */
  private async bytes(path: string, mostBytes?: number): Promise<Buffer> {
    let at = path;
    for (let hops = 0; hops < MOST_HOPS; hops += 1) {
      const entry = await this.entry(at);
      if (entry.mode === "040000" || entry.mode === "160000")
        throw new NotReadable({ is: entry.mode === "040000" ? "directory" : "submodule" });
      const { sizeBytes = 0 } = entry;
      if (mostBytes !== undefined && sizeBytes > mostBytes)
        throw new NotReadable({ is: "too-large", size_bytes: sizeBytes, most_bytes: mostBytes });
      const bytes = await this.blob(at, entry);
      if (entry.mode !== "120000") return bytes;
      const target = bytes.toString("utf8");
      at = posix.join(posix.dirname(at), target);
      if (target.startsWith("/") || at === ".." || at.startsWith("../")) throw new NotReadable({ is: "link-outside" });
    }
    throw new NotReadable({ is: "link-cycle" });
  }

  private async directory(parts: readonly string[]): Promise<readonly TreeEntry[]> {
    this.whole ??= this.source.wholeTree(this.root).then((all) => (all === undefined ? undefined : byDirectory(all)));
    const whole = await this.whole;
    if (whole !== undefined) {
      const found = whole.get(parts.join("/"));
      if (found === undefined) throw missing();
      return found;
    }
    let sha = this.root;
    for (const part of parts) {
      const entry = (await this.tree(sha)).find(({ path }) => path === part);
      if (entry?.mode !== "040000") throw missing();
      sha = entry.sha;
    }
    return this.tree(sha);
  }

  private tree(sha: string): Promise<readonly TreeEntry[]> {
    this.budget.directory(sha);
    const known = this.trees.get(sha) ?? this.source.tree(sha);
    this.trees.set(sha, known);
    return known;
  }
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");

/** Directory → its entries; paths in the full list are relative to its root. */
function byDirectory(all: readonly TreeEntry[]): ReadonlyMap<string, readonly TreeEntry[]> {
  const found = new Map<string, TreeEntry[]>([["", []]]);
  for (const entry of all) if (entry.mode === "040000") found.set(entry.path, []);
  for (const entry of all) {
    const slash = entry.path.lastIndexOf("/");
    found.get(slash === -1 ? "" : entry.path.slice(0, slash))?.push({ ...entry, path: entry.path.slice(slash + 1) });
  }
  return found;
}

const tooMuch = (fact: DiagnosticFacts["action/too-much"]): Failure => failure("action/too-much", fact);

/** The files of a commit, byte by byte, with their modes: what is written back differs only in what was edited. */
export class CommitTexts {
  private readonly tree: CommitTree;
  private readonly modes = new Map<string, "100644" | "100755">();

  /** @param root the commit's tree */
  constructor(branches: Pick<Branches, "tree" | "wholeTree" | "blob">, root: string) {
    this.tree = new CommitTree(branches, root);
  }

  files(file: string): Files {
    return filesFrom(
      {
        text: (path) => this.text(path),
        upload: (path) => this.bytes(path),
        names: (directory) => this.tree.names(directory),
      },
      file,
    );
  }

  /** The mode of a file that was read. */
  mode(path: string): "100644" | "100755" {
    return this.modes.get(path) ?? "100644";
  }

  private async bytes(path: string): Promise<Buffer> {
    const entry = await this.tree.entry(path);
    const { mode } = entry;
    if (mode !== "100644" && mode !== "100755") throw new NotReadable({ is: "link" });
    this.modes.set(path, mode);
    return this.tree.blob(path, entry);
  }

  private async text(path: string): Promise<string> {
    const bytes = await this.bytes(path);
    const text = bytes.toString("utf8");
    if (!Buffer.from(text, "utf8").equals(bytes)) throw new NotReadable({ is: "not-utf-8" });
    return text;
  }
}

/** The two versions of the configuration that a pull request compares. */
export interface Versions {
  readonly head: Files;
  readonly base: Files;
  /** The commit that links to lines refer to. */
  readonly linkCommit: string;
}

/**
 * Head and base of a pull request. A `pull_request` job reads its checkout, which is GitHub's test merge. A `pull_request_target` job reads that
 * merge through the API, and never has the head's files on its disk.
 */
export async function versionsOf(job: Job, pull: PullEvent): Promise<Versions> {
  const github = job.github();
  const { file } = job.inputs;
  // Reads both versions together: what they have in common is read once.
  const budget = new FileBudget();
  const { outside } = job.files;
  const headFiles = (sha: string): Files => ({
    ...new CommitTree(github.branches, sha, budget).files(file),
    ...defined({ outside }),
  });
  const baseFiles = (sha: string): Files => ({ ...headFiles(sha), outside: { ...outside, isOfOther: true } });
  if (!pull.trusted) {
    const parents = (await github.branches.commit(job.event.sha)).parents;
    const base = parents.length === 2 && parents[1] === pull.head ? (parents[0] ?? pull.base) : pull.base;
    return { head: job.files, base: baseFiles(base), linkCommit: pull.head };
  }
  const merge = await github.mergeOf(pull.number);
  const parents = merge === undefined ? [] : (await github.branches.commit(merge)).parents;
  // A merge of an older head would show changes that the pull request no longer makes.
  if (merge !== undefined && parents[1] === pull.head && parents[0] !== undefined)
    return {
      head: headFiles(merge),
      base: baseFiles(parents[0]),
      linkCommit: pull.head,
    };
  const base = await github.mergeBase(pull.base, pull.head);
  return { head: headFiles(pull.head), base: baseFiles(base), linkCommit: pull.head };
}
