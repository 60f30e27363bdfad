import { createHash } from "node:crypto";
import { type Adopted, type AdoptOptions, adopt, adoptable } from "../adopt/adopt.ts";
import { type SharedFile, sharedFiles } from "../adopt/shared-files.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import { Failure, failure } from "../model/diagnostic.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { adoptionBody, adoptionClosed, adoptionTitle, nothingToTake, notOurBranch } from "../report/action/adoption.ts";
import type { Redaction } from "../report/redact.ts";
import { documentValue } from "../source/yaml.ts";
import { CommitTexts } from "./commit-tree.ts";
import type { DriftItem } from "./drift-issue.ts";
import type { Branches, Commit, OwnPull } from "./github-branches.ts";
import { isMarked } from "./github-requests.ts";
import { COMMENT_BUDGET, type Job } from "./job.ts";
import { markerOf } from "./publish.ts";

/** Marks a commit of ours that adopts values into the file; the rest of the line is a digest of the commit. */
export const TRAILER = "realmctl-adopt: ";
const SEAL = "realmctl-seal: ";

/** Adds to a commit's message a digest of the commit as it was made: its files, its parent, its message. */
export function sealed(message: string, tree: string, parents: readonly string[]): string {
  return `${message}${SEAL}${hash(JSON.stringify([message.trim(), tree, parents]))}\n`;
}

/** Is the commit as the Action made it? A commit that somebody amended keeps the trailer, but no longer matches the seal. */
export function isOurs({ message, tree, parents }: Pick<Commit, "message" | "tree" | "parents">): boolean {
  const own = message.lastIndexOf(`\n${SEAL}`);
  if (own === -1 || !message.includes(`\n${TRAILER}`)) return false;
  return sealed(message.slice(0, own + 1), tree, parents).trim() === message.trim();
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** The result of the drift command. */
interface DriftFound {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  /** Hides values that must not reach the repository. */
  readonly redaction: Redaction;
  /** The differences, the worst first. */
  readonly items: readonly DriftItem[];
  /** Whether the snapshot has made-up names instead of private ones. */
  readonly hidden: boolean;
}

/**
 * One pull request that adopts the state of the server into the file, in place. It is opened with the first difference, updated while the differences
 * change, and closed when there is nothing left to adopt. Commits of others on its branch are never overwritten, and a pull request that somebody
 * closed is not opened again for the same drift.
 * @throws Failure if GitHub refuses something
 */
export async function keepAdoption(job: Job, found: DriftFound): Promise<void> {
  const { branches } = job.github();
  const keeper = new Keeper(job, found, branches);
  const parent = await branches.commit(job.event.sha);
  const texts = new CommitTexts(branches, parent.tree);
  const differing = found.items.filter((item) => item.class !== "unmanaged").length;
  const adopted =
    differing > 0 && !refusesHidden(found)
      ? await takeAll(
          {
            ...texts.files(job.files.file),
            ...defined({ outside: job.files.outside }),
            ...defined({ policyFile: job.inputs.policy }),
            kinds,
            snapshot: found.snapshot,
          },
          found.redaction,
        )
      : { files: [], taken: [], left: [] };
  const pulls = await branches.pulls(keeper.branch);
  const open = pulls.find((pull) => pull.open && isMarked(pull.body, keeper.marker));
  if (adopted.files.length === 0) return await keeper.close(open, adopted);
  await keeper.offer(parent, texts, adopted, open, pulls[0]);
}

/** @throws Failure if names in the snapshot are made up: they would end up in the file */
function refusesHidden({ hidden }: DriftFound): false {
  if (!hidden) return false;
  throw failure("adopt/hidden-snapshot", {});
}

class Keeper {
  readonly branch: string;
  readonly marker: string;
  private readonly job: Job;
  private readonly found: DriftFound;
  private readonly branches: Branches;

  constructor(job: Job, found: DriftFound, branches: Branches) {
    const { file } = job.files;
    const realm = found.plan.realm.url;
    const slug = file.replace(/[^a-z0-9]+/gi, "-").replace(/^-+|-+$/g, "");
    this.branch = `realmctl/adopt-${slug.slice(-40)}-${hash(`${realm}\n${file}`).slice(0, 8)}`;
    this.marker = markerOf("adopt", realm, file);
    this.job = job;
    this.found = found;
    this.branches = branches;
  }

  /** Closes the pull request, since nothing is left to adopt. */
  async close(open: OwnPull | undefined, adopted: Pick<Adopted, "left">): Promise<void> {
    this.job.setOutput("adopt-pull-request", "");
    if (open === undefined) return;
    // Without the digest in its text, the pull request does not look as if a person had closed it.
    await this.branches.updatePull(open.number, { body: open.body.replace(DIGEST, ""), state: "closed" });
    await this.job
      .github()
      .commentOnIssue(
        open.number,
        nothingToTake(this.found.plan.realm.url, adopted.left.length > 0, this.job.event.runUrl),
      );
    const head = await this.branches.head(this.branch);
    if (head !== undefined && isOurs(head)) await this.branches.remove(this.branch);
  }

  async offer(
    parent: Commit,
    texts: CommitTexts,
    adopted: Adopted,
    open: OwnPull | undefined,
    latest: OwnPull | undefined,
  ): Promise<void> {
    const { job, branch, branches } = this;
    const digest = hash(JSON.stringify(adopted.files));
    const head = await branches.head(branch);
    job.setOutput("adopt-pull-request", open?.number ?? "");
    if (head !== undefined && !isOurs(head)) return job.say(notOurBranch(branch));
    if (open === undefined && latest?.merged === false && DIGEST.exec(latest.body)?.[1] === digest)
      return job.say(adoptionClosed(latest.number));
    if (open === undefined || head?.message.includes(TRAILER + digest) !== true) {
      const files = adopted.files.map(({ file, after }) => ({ path: file, mode: texts.mode(file), text: after }));
      const commit = await branches.commitFiles(
        parent,
        (tree) => sealed(`${this.title()}\n\n${TRAILER}${digest}\n`, tree, [parent.sha]),
        files,
      );
      if (head === undefined) await branches.create(branch, commit);
      else await branches.move(branch, commit);
    }
    const included = adopted.files.flatMap(({ file }) => (file === job.files.file ? [] : [file]));
    const shared = await sharedFiles(texts.files(job.files.file), included);
    const body = this.body(`<!-- realmctl:digest:${digest} -->`, adopted, shared);
    if (open === undefined) {
      const pull = { title: this.title(), body, head: branch, base: this.base() };
      job.setOutput("adopt-pull-request", await branches.createPull(pull));
    } else if (open.body.trimEnd() !== body.trimEnd()) await branches.updatePull(open.number, { body });
  }

  /** @throws Failure if the run is not for a branch */
  private base(): string {
    const { ref } = this.job.event;
    if (ref.startsWith("refs/heads/")) return ref.slice("refs/heads/".length);
    throw failure("adopt/no-branch", defined({ ref: ref || undefined }));
  }

  private title(): string {
    return adoptionTitle(this.found.plan.realm.url, this.job.files.file);
  }

  private body(stamp: string, { taken, left, unprotected = [] }: Adopted, shared: readonly SharedFile[]): string {
    const end = `${stamp}\n${this.marker}\n`;
    const done = new Set<string>(taken);
    const rest = new Set<string>(left.map(({ address }) => address));
    const among = (wanted: ReadonlySet<string>): readonly DriftItem[] =>
      this.found.items.filter(({ address }) => address !== undefined && wanted.has(address));
    // A rename on the server: the file knows the object by the name that the plan would give it.
    for (const { address, kind, was } of this.found.plan.changes)
      if (was !== undefined && done.has(`${kind}:${was}`)) done.add(address);
    for (const address of rest) done.delete(address);
    const of = { url: this.found.plan.realm.url, file: this.job.files.file };
    const about = { taken: among(done), left: among(rest), unprotected, shared };
    return adoptionBody(of, about, COMMENT_BUDGET - end.length) + end;
  }
}

const DIGEST = /^<!-- realmctl:digest:([0-9a-f]+) -->\r?$/m;

/** Everything that can be adopted. What would bring a hidden name into the repository is left out. */
async function takeAll(options: AdoptOptions, redaction: Redaction): Promise<Adopted> {
  try {
    return await adopt({ ...options, refuses: (files) => tells(files, redaction) });
  } catch (error) {
    if (!(error instanceof Failure) || !error.diagnostics.some(({ code }) => code.startsWith("adopt/"))) throw error;
    return { files: [], taken: [], left: (await adoptable(options)).changes };
  }
}

/** Whether the new text of a file would contain a hidden name that it did not have. */
function tells(files: Adopted["files"], redaction: Redaction): boolean {
  return files.some(({ before, after }) => {
    const known = new Set(stringsIn(documentValue(before)));
    return stringsIn(documentValue(after)).some((text) => !known.has(text) && redaction.value(text) !== text);
  });
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(stringsIn);
  if (isObject(value)) return [...Object.keys(value), ...Object.values(value).flatMap(stringsIn)];
  return [];
}
