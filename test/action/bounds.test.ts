import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CompareLines, MOST_DIFFERENT_LINES, movedLines } from "../../src/action/annotations.ts";
import {
  CommitTexts,
  CommitTree,
  FileBudget,
  MOST_BYTES_READ,
  MOST_DIRECTORIES,
  MOST_FILES_READ,
} from "../../src/action/commit-tree.ts";
import { workspaceFiles } from "../../src/action/files.ts";
import type { TreeEntry } from "../../src/action/github-branches.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { LARGEST_FILE_BYTES } from "../../src/source/limits.ts";
import { GENERAL } from "./file-and-head.ts";
import { repositoryOfTests, SHA } from "./runner.ts";

/** A repository that counts the requests for it. */
class Counted {
  readonly asked = { whole: 0, tree: 0, blob: 0 };
  private readonly entries: readonly TreeEntry[];
  private readonly isLarge: boolean;

  constructor(entries: readonly TreeEntry[], isLarge = false) {
    this.entries = entries;
    this.isLarge = isLarge;
  }

  async wholeTree(): Promise<readonly TreeEntry[] | undefined> {
    this.asked.whole += 1;
    return this.isLarge ? undefined : this.entries;
  }

  async tree(sha: string): Promise<readonly TreeEntry[]> {
    this.asked.tree += 1;
    return sha === "root" ? this.entries : [];
  }

  async blob(sha: string): Promise<Buffer> {
    this.asked.blob += 1;
    return Buffer.from(`text of ${sha}`);
  }
}

const fileEntry = (path: string, sha = path, sizeBytes = 10): TreeEntry => ({ path, mode: "100644", sha, sizeBytes });
const folder = (path: string): TreeEntry => ({ path, mode: "040000", sha: path });

describe("a commit that is read through the API", () => {
  test("600 directories with one file each need one listing; only the files that are read are requested, once each", async () => {
    const entries = Array.from({ length: 600 }, (_, at) => [folder(`d${at}`), fileEntry(`d${at}/a.yaml`)]).flat();
    const source = new Counted(entries);
    const files = new CommitTree(source, "root").files("realm.yaml");
    for (const name of await files.listFiles(".")) expect(await files.listFiles(name)).toEqual(["a.yaml"]);
    await expect(files.readFile("realm.yaml")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(files.listFiles("nowhere")).rejects.toMatchObject({ code: "ENOENT" });
    for (let again = 0; again < 3; again += 1) await files.readFile("d7/a.yaml");
    expect(source.asked).toEqual({ whole: 1, tree: 0, blob: 1 });
  });

  test("content that two versions share is read once", async () => {
    const source = new Counted([fileEntry("a", "same"), fileEntry("b", "same")]);
    const budget = new FileBudget();
    for (const commit of ["one", "two"]) {
      const files = new CommitTree(source, commit, budget).files("a");
      await files.readFile("a");
      await files.readFile("b");
    }
    expect(source.asked).toEqual({ whole: 2, tree: 0, blob: 1 });
  });

  test("more files than a job may read: no request for the files over the limit", async () => {
    const source = new Counted(Array.from({ length: MOST_FILES_READ + 50 }, (_, at) => fileEntry(`f${at}`)));
    const files = new CommitTree(source, "root").files("f0");
    for (let at = 0; at < MOST_FILES_READ; at += 1) await files.readFile(`f${at}`);
    for (let at = MOST_FILES_READ; at < MOST_FILES_READ + 50; at += 1)
      await expect(files.readFile(`f${at}`)).rejects.toMatchObject({
        diagnostics: [{ code: "action/too-much", fact: { most: MOST_FILES_READ } }],
      });
    expect(source.asked.blob).toBe(MOST_FILES_READ);
  });

  test("160 versions of a large file: sizes are added up before any content is requested", async () => {
    const source = new Counted(Array.from({ length: 160 }, (_, at) => fileEntry(`f${at}`, `s${at}`, 31_000_000)));
    const files = new CommitTree(source, "root").files("f0");
    const results = await Promise.allSettled(Array.from({ length: 160 }, (_, at) => files.readFile(`f${at}`)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(
      Math.floor(MOST_BYTES_READ / 31_000_000),
    );
    expect(source.asked.blob).toBe(Math.floor(MOST_BYTES_READ / 31_000_000));
    const one = new Counted([fileEntry("f", "f", LARGEST_FILE_BYTES + 1)]);
    await expect(new CommitTree(one, "root").files("f").readFile("f")).rejects.toThrow("larger than");
    expect(one.asked.blob).toBe(0);
  });

  test("a repository whose listing is incomplete: directories are listed one by one, up to a limit", async () => {
    const source = new Counted(
      Array.from({ length: 600 }, (_, at) => folder(`d${at}`)),
      true,
    );
    const files = new CommitTree(source, "root").files("realm.yaml");
    const results = await Promise.allSettled((await files.listFiles("")).map((name) => files.listFiles(name)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(MOST_DIRECTORIES - 1);
    expect(source.asked).toEqual({ whole: 1, tree: MOST_DIRECTORIES, blob: 0 });
  });

  test.each<readonly [string, string, string]>([
    ["outside the repository", "../../etc/passwd", "link-outside"],
    ["to the root of the file system", "/etc/passwd", "link-outside"],
    ["to itself", "link", "link-cycle"],
  ])("a link that leads %s is not followed", async (_, to, is) => {
    const source = new Counted([{ path: "link", mode: "120000", sha: "link" }, fileEntry("a")]);
    source.blob = async (sha) => Buffer.from(sha === "link" ? to : "text");
    await expect(new CommitTree(source, "root").files("a").readFile("link")).rejects.toMatchObject({ why: { is } });
  });

  test("bytes that are not UTF-8 are not treated as text; writing them back would change them", async () => {
    const source = new Counted([fileEntry("realm.yaml")]);
    source.blob = async () => Buffer.from("# Gr\xfc\xdfe\n", "latin1");
    const files = new CommitTexts(source, "root").files("realm.yaml");
    await expect(files.readFile("realm.yaml")).rejects.toMatchObject({ why: { is: "not-utf-8" } });
  });

  test("a link to a file in the commit is read as that file; a link to a directory is not", async () => {
    const source = new Counted([folder("d"), { path: "d/link", mode: "120000", sha: "link" }, fileEntry("a")]);
    source.blob = async (sha) => Buffer.from(sha === "link" ? "../a" : "text");
    const files = new CommitTree(source, "root").files("a");
    expect(await files.readFile("d/link")).toBe("text");
    await expect(files.readFile("d")).rejects.toMatchObject({ why: { is: "directory" } });
  });
});

describe.runIf(process.platform !== "win32")("files of the checkout", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "realmctl-checkout-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test.each<readonly [string, (path: string) => void, { [name: string]: unknown }]>([
    ["gigabytes", (path) => truncate(path, 8 * 2 ** 30), { is: "too-large", size_bytes: 8 * 2 ** 30 }],
    ["a file one byte too large", (path) => truncate(path, LARGEST_FILE_BYTES + 1), { is: "too-large" }],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), { is: "pipe" }],
    ["a directory", (path) => mkdirSync(path), { is: "directory" }],
    ["a device without end", (path) => symlinkSync("/dev/zero", path), { is: "device" }],
  ])("%s: refused because of its type or size", async (_, make, why) => {
    make(join(root, "realm.yaml"));
    const files = workspaceFiles(root, "realm.yaml");
    await expect(files.readFile("realm.yaml")).rejects.toMatchObject({ why });
    expect(files.texts.size).toBe(0);
  });
});

function truncate(path: string, bytes: number): void {
  writeFileSync(path, "");
  truncateSync(path, bytes);
}

describe("lines that were deleted", () => {
  test("two versions are compared once, however many channels were removed", () => {
    const before = Array.from({ length: 4000 }, (_, at) => `line ${at}\n`);
    const after = before.filter((_, at) => at < 100 || at >= 1100);
    let compared = 0;
    const compare: CompareLines = (old, now, options) => {
      compared += 1;
      expect(options.maxEditLength).toBe(MOST_DIFFERENT_LINES);
      expect([old, now]).toEqual([before.join(""), after.join("")]);
      return [{ count: 100 }, { count: 1000, removed: true }, { count: 2900 }];
    };
    const moved = movedLines(before.join(""), after.join(""), compare);
    expect(compared).toBe(0);
    const lines = before.map((_, at) => moved(at + 1));
    expect(compared).toBe(1);
    expect(lines.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    expect(new Set(lines.slice(100, 1100))).toEqual(new Set([101]));
    expect(lines.at(-1)).toBe(3000);
  });

  test("the real comparison gives the same result, and stops early where the versions share nothing", () => {
    const moved = movedLines("a\nb\nc\nd\n", "a\nx\nd\n");
    expect([1, 2, 3, 4].map(moved)).toEqual([1, 2, 2, 3]);
    expect(movedLines("a\n", "")(1)).toBe(1);
    const other = (letter: string) =>
      Array.from({ length: MOST_DIFFERENT_LINES }, (_, at) => `${letter}${at}\n`).join("");
    expect(movedLines(other("a"), other("b"))(5)).toBeUndefined();
  });
});

describe("a pull request of a fork", () => {
  const repository = repositoryOfTests();
  const requests = (part: string) => repository.github.log.filter((line) => line.includes(part)).length;

  test("an include pattern in a repository of 600 files costs two lists, and what it names", async () => {
    const { git } = repository.github;
    const spread = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`docs/${at}/page.md`, `Page ${at}\n`] as const),
    );
    const head = `${GENERAL}include: ["**/*.realm.yaml"]\n`;
    repository.pull(GENERAL, head);
    const more = { ...spread, "a.realm.yaml": "channels:\n  news: {description: New}\n" };
    for (const sha of [SHA.base, SHA.merge]) git.commits[sha] = { ...git.commits[sha], ...spread };
    git.commits[SHA.merge] = { ...git.commits[SHA.merge], ...more };
    const step = await repository.run("plan", { event: "pull_request_target", fork: true });
    expect(step).toMatchObject({ code: 0, outputs: { changes: "2" } });
    expect([requests("/git/trees/"), requests("/git/blobs/"), requests("/contents")]).toEqual([2, 3, 0]);
  });

  test("more files than the limit: a reason, a check, and no request for the rest", async () => {
    const { git } = repository.github;
    repository.pull(GENERAL, `${GENERAL}include: ["many/*.yaml"]\n`);
    const many = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`many/${at}.yaml`, `# ${at}\nchannels: {}\n`] as const),
    );
    git.commits[SHA.merge] = { ...git.commits[SHA.merge], ...many };
    const step = await repository.run("plan", { event: "pull_request_target", fork: true });
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("one file more than the 300");
    expect(requests("/git/blobs/")).toBeLessThanOrEqual(MOST_FILES_READ);
    expect(repository.github.checks).toMatchObject([{ conclusion: "failure" }]);
  });
});
