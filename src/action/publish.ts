import { createHash } from "node:crypto";
import { error as diagnostic, EXIT, Failure, failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type AccessMatrix, accessMatrix } from "../report/access.ts";
import { diagnosticsMarkdown } from "../report/action/diagnostics.ts";
import { commentKept, notWritten, type Publication } from "../report/action/log.ts";
import { checkTitle, NOTHING_PLANNED, nothingPlanned, nothingPlannedCheck } from "../report/action/pages.ts";
import { realmName } from "../report/layout.ts";
import { type Redaction, redactAccess } from "../report/redact.ts";
import type { Annotation, CheckRun, GitHub } from "./github.ts";
import { isMarked } from "./github-requests.ts";
import type { Job } from "./job.ts";

/** The maximum number of annotations in the log: GitHub shows ten of each level for one step. */
const MOST_FROM_LOG = 10;

/**
 * Makes one request to GitHub. A refusal is reported and makes the step fail, but never stops what comes after it. Jobs of pull requests from forks
 * cannot write at all: for them the refusal is only reported.
 * @returns whether it was done
 */
export async function attempt(job: Job, what: Publication, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [first] = job.conceal.said(error.diagnostics);
    const expected = job.event.pull?.fork === true && !job.event.pull.trusted && error.exitCode === EXIT.notAllowed;
    job.annotate({
      path: "",
      line: 0,
      endLine: 0,
      level: expected ? "notice" : "failure",
      title: first?.code ?? "action/bug",
      message: notWritten(what, expected ? "fork" : first),
    });
    return expected;
  }
}

export async function publishComment(
  job: Job,
  pull: number,
  marker: string,
  body: { readonly text: string; readonly footer: string },
): Promise<boolean> {
  if (!job.inputs.comment) return true;
  let fate: CommentFate | "not-written" = "not-written";
  const done = await attempt(job, "comment", async () => {
    fate = await keepComment(job.github(), pull, marker, body);
  });
  job.setOutput("comment", fate);
  job.say(commentKept(pull, fate));
  return done;
}

/** A check with its annotations. If a check is not wanted or not allowed, the first annotations go to the log. */
export async function publishCheck(job: Job, check: CheckRun): Promise<boolean> {
  let written = false;
  let done = true;
  if (job.inputs.check)
    done = await attempt(job, "check", async () => {
      await job.github().createCheck(check);
      written = true;
    });
  if (!written) annotateLog(job, check.annotations);
  return done;
}

/** GitHub's limit for the summary of a check, less a margin. */
const CHECK_BUDGET = 60_000;

/**
 * For a pull request's plan that ended before it had a check of its own: creates one that says why, so that neither the reviewers nor a protected
 * branch wait forever. An uncaught error is reported without its message, which may contain names.
 */
export async function leaveCheck(job: Job, error: unknown): Promise<void> {
  const { pull, runUrl } = job.event;
  if (pull === undefined || !job.inputs.check) return;
  const found = error instanceof Failure ? error.diagnostics : [diagnostic("action/bug", {})];
  const diagnostics = job.conceal.said(found);
  const list = diagnosticsMarkdown(diagnostics, CHECK_BUDGET);
  await attempt(job, "check", () =>
    job.github().createCheck({
      name: checkName(job),
      headSha: pull.head,
      conclusion: "failure",
      title: diagnostics[0]?.code ?? NOTHING_PLANNED,
      summary: nothingPlannedCheck(list, runUrl),
      annotations: [],
    }),
  );
  await job.summarise(nothingPlanned(list));
}

/** @returns how many of them fit into one step */
export function annotateLog({ annotate }: Pick<Job, "annotate">, annotations: readonly Annotation[]): number {
  const shown = (["failure", "warning", "notice"] as const).flatMap((level) =>
    annotations.filter((one) => one.level === level).slice(0, MOST_FROM_LOG),
  );
  for (const annotation of shown) annotate(annotation);
  return shown.length;
}

/** The access matrix of the page, which everybody who can read the repository may see. */
export function publicAccess(
  { inputs }: Pick<Job, "inputs">,
  plan: Plan,
  snapshot: Snapshot,
  redaction: Redaction,
): AccessMatrix {
  const access = accessMatrix(plan, snapshot);
  return inputs.showPrivateNames ? access : redactAccess(access, redaction);
}

const USUAL_FILE = "realm.yaml";

/**
 * The name of a plan's check. A protected branch looks at the newest check of a name, so two plans must never share one. The name therefore contains
 * the base branch, because one commit may be the head of several pull requests, and the file, because several files may be about one organization.
 * @param realm its address, if known
 */
export function checkName({ event, inputs, env }: Pick<Job, "event" | "inputs" | "env">, realm?: string): string {
  const site = realm ?? inputs.zulipSite ?? env.ZULIP_SITE ?? "";
  const about = [site === "" ? [] : realmName(site), site === "" || inputs.file !== USUAL_FILE ? inputs.file : []]
    .flat()
    .join(", ");
  return checkTitle(about, event.pull?.baseBranch);
}

/**
 * Refuses pull requests for branches that are not in the list. The guard rails come from the base branch, so a choice of the base would be a choice
 * of the guard rails.
 * @throws Failure if the pull request is for another branch
 */
export function refuseOtherBase({ event, inputs }: Pick<Job, "event" | "inputs">): void {
  const { pull, defaultBranch } = event;
  if (pull === undefined) return;
  const allowed = inputs.baseBranches.length > 0 ? inputs.baseBranches : [defaultBranch ?? ""];
  if (allowed.includes(pull.baseBranch)) return;
  throw failure("action/base-branch", { branch: pull.baseBranch, allowed }, EXIT.refusedByGuard);
}

type CommentFate = "created" | "edited" | "unchanged";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** The text without differences in white space, since GitHub may change spaces and line ends. */
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * Marks our comment about one realm and one file: its last line, since its first lines are what a mail or a phone shows. The marker is a hash, so that
 * no name can break out of the comment.
 */
export function markerOf(purpose: string, realm: string, file: string): string {
  return `<!-- realmctl:${purpose}:${hash(`${realm}\n${file}`)} -->`;
}

/**
 * Keeps one comment per marker: creates it, edits it in place, or leaves it alone if it already says the same. Older ones of ours are minimised. If
 * somebody minimised the comment and there is something new to say, a new one is created. Comments of others that have the marker are ignored.
 * @param text decides whether the comment changed
 * @param footer may differ without an edit: when the snapshot was taken
 */
export async function keepComment(
  github: Pick<GitHub, "comments" | "createComment" | "updateComment" | "minimiseComment">,
  pull: number,
  marker: string,
  { text, footer }: { readonly text: string; readonly footer: string },
): Promise<CommentFate> {
  const stamp = `<!-- realmctl:digest:${hash(text)} -->`;
  const end = `${stamp}\n${marker}`;
  const body = `${text}\n${footer}\n${end}`;
  const own = (await github.comments(pull)).filter((comment) => comment.mine && isMarked(comment.body, marker));
  const newest = own.at(-1);
  for (const old of own) if (old !== newest && !old.minimised) await github.minimiseComment(old.nodeId);
  // Somebody may have edited it by hand: its text counts, not the digest that it states.
  const says = squeezed(newest?.body ?? "");
  if (newest !== undefined && says.startsWith(squeezed(text)) && says.endsWith(squeezed(end))) return "unchanged";
  // An edit of a minimised comment would not be noticed.
  if (newest === undefined || newest.minimised) {
    await github.createComment(pull, body);
    return "created";
  }
  await github.updateComment(newest.id, body);
  return "edited";
}
