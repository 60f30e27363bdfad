import { isAbsolute, relative } from "node:path";
import type { SnapshotRequest } from "../model/api.ts";
import { type Failure, failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { LoadOptions } from "../source/load.ts";
import { basePlan, baseReads, takenOutSince, warningsSince } from "../workflow/base.ts";
import type { Context } from "./context.ts";
import { STANDARD_INPUT } from "./io.ts";

/** The comparison of a file with its version in a commit. */
export interface SinceBase {
  /** What that version needs of a reading, besides what every reading has. */
  readonly reads: Partial<SnapshotRequest>;
  /** The plan with warnings about what the file no longer lists since the commit, and about what differed before. */
  compare(plan: Plan, snapshot: Snapshot): Promise<Plan>;
}

/**
 * Prepares the comparison of a file with its version in a commit, which Git reads with its includes. The pictures that it names are those of today: what they show does not decide what
 * the file lists.
 * @throws Failure if Git does not know the commit here
 */
export async function sinceBase(context: Context, base: string): Promise<SinceBase> {
  const { io, file } = context;
  const git = async (...args: readonly string[]): Promise<string | undefined> => io.git(io.cwd, args);
  if (file === STANDARD_INPUT) throw noBase(base, "no-file");
  const commit = await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${base}^{commit}`);
  if (commit === undefined) {
    if ((await git("--version")) === undefined) throw noBase(base, "no-git");
    throw noBase(base, (await git("rev-parse", "--git-dir")) === undefined ? "no-repository" : "no-commit");
  }
  const below = (path: string): string =>
    `./${(isAbsolute(path) ? relative(io.cwd, path) : path).replaceAll("\\", "/").replace(/^\.\//, "")}`;
  const found = async (...args: readonly string[]): Promise<string> => {
    const text = await git(...args);
    if (text === undefined) throw Object.assign(new Error("not in that commit"), { code: "ENOENT" });
    return text;
  };
  const ofNow = context.files();
  const files: LoadOptions = {
    ...ofNow,
    outside: { ...ofNow.outside, isOfOther: true },
    readFile: (path) => found("show", `${commit}:${below(path)}`),
    listFiles: async (directory) =>
      (await found("ls-tree", "--full-tree", "--name-only", `${commit}:${below(directory)}`)).split("\n").sort(),
  };
  return {
    reads: await baseReads(files),
    async compare(plan, snapshot) {
      const found = await basePlan(files, snapshot);
      const left = await takenOutSince(found, ofNow, plan, snapshot);
      return { ...plan, warnings: [...plan.warnings, ...left, ...warningsSince(found, plan, shortName(base))] };
    },
  };
}

const noBase = (base: string, cause: "no-commit" | "no-file" | "no-git" | "no-repository"): Failure =>
  failure("plan/no-base", { base, cause });

/** A commit as people write it. */
const shortName = (base: string): string => (/^[0-9a-f]{40,}$/.test(base) ? base.slice(0, 12) : base);
