import { defined } from "../model/defined.ts";
import { CommitTree, FileBudget } from "./commit-tree.ts";
import type { PullEvent } from "./event.ts";
import type { Files } from "./files.ts";
import type { Job } from "./job.ts";

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
    const parents = await github.parents(job.event.sha);
    const base = parents.length === 2 && parents[1] === pull.head ? (parents[0] ?? pull.base) : pull.base;
    return { head: job.files, base: baseFiles(base), linkCommit: pull.head };
  }
  const merge = await github.mergeOf(pull.number);
  const parents = merge === undefined ? [] : await github.parents(merge);
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
