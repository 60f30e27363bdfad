import { execFile } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_DIRECTORY } from "../apply/journal.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { EXIT, type ExitCode, Failure, failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import { GuardParts } from "../plan/guard-parts.ts";
import { NO_REVIEWED_PLAN, noMergedPull, sending } from "../report/action/log.ts";
import { appliedPage, nothingApplied } from "../report/action/pages.ts";
import { renderResultJson } from "../report/json.ts";
import { type Redaction, redactPlan, redactResult } from "../report/redact.ts";
import { renderResult } from "../report/result.ts";
import { PLAIN } from "../report/style.ts";
import { applyRealm } from "../workflow/apply.ts";
import { refuseBeyond, refuseGuards, refuseUnasked } from "../workflow/refusals.ts";
import { isToRehearse } from "../workflow/rehearsal.ts";
import { type Planned, type PlanOptions, planRealm } from "../workflow/workflow.ts";
import { approvedAt, notApproved } from "./github-requests.ts";
import { heldAgainstPush, namedPolicies } from "./guard-rails.ts";
import { COMMENT_BUDGET, type Job, SUMMARY_BUDGET } from "./job.ts";
import { markerOf, publishComment } from "./publish.ts";
import {
  askedAsReviewed,
  confirmedBy,
  isOtherVersion,
  notReviewed,
  parseReviewed,
  REVIEWED_FILE,
  type Reviewed,
} from "./reviewed.ts";
import { unzipFile } from "./zip.ts";
import { failWith, valueOrFailure, withZulip } from "./zulip.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const RESULT_FILE = "realmctl-result.json";

/** Applies the merged file: exactly what the pull request's plan showed, or nothing. */
export async function applyCommand(job: Job): Promise<ExitCode> {
  if (job.event.pull !== undefined) throw failure("action/apply-on-pull-request", {});
  const pull = job.inputs.reviewed === "ignore" && !job.inputs.comment ? undefined : await mergedPull(job);
  try {
    if (await isTracked(job.workspace, JOURNAL_DIRECTORY)) refuseCheckedOut();
    return await withZulip(job, async ({ reader, writer }) => {
      const planned = await plannedFor(job, reader);
      const { snapshot, planAgain } = planned;
      const isTried = isToRehearse(planned.plan, snapshot, job.inputs.rehearse ? undefined : false);
      const plan = isTried ? await planned.rehearse() : planned.plan;
      const redaction = job.conceal.know([plan], snapshot);
      const reviewed = await refuseUnreviewed(job, planned, redaction, pull);
      const held = reviewed === undefined ? await heldAgainstPush(job, plan, snapshot) : plan;
      const shown = redactPlan(held, redaction);
      refuseGuards(shown);
      if (reviewed === undefined) refuseUnasked(shown);
      else {
        // The person who approved the plan has answered already, for as much as it showed, and for whom.
        const answer = confirmedBy(reviewed, askedAsReviewed(plan, reviewed), snapshot);
        refuseBeyond(askedAsReviewed(shown, reviewed), () => new GuardParts({ plan, snapshot, kinds }), answer);
      }
      job.say(sending(plan.calls.length, plan.changes.length));
      const { stop, done } = job.listenForCancel();
      const result = await applyRealm(plan, {
        stop,
        confirmed: reviewed !== undefined,
        reader,
        writer,
        planAgain,
        hold: async (now, isBegun, made) => void (await planned.hold(now, [], isBegun, made)),
        complete: planAgain,
        readUpload: job.files.readUpload,
        directory: job.workspace,
        onAside: refuseCheckedOut,
        temporary: job.temporary,
        now: () => job.clock.now(),
      }).finally(done);
      return await report(job, plan, redactResult(result, redaction), pull?.number);
    });
  } catch (error) {
    if (error instanceof Failure && pull !== undefined) {
      const text = nothingApplied(job.event.sha, job.conceal.said(error.diagnostics), job.event.runUrl);
      await publishComment(job, pull.number, markerOf("apply", job.event.sha, job.files.file), { text, footer: "" });
    }
    throw error;
  }
}

/** Plans the file of the checkout with the guard rails that the inputs name. */
export async function plannedFor(
  job: Job,
  reader: ZulipReader,
  how: Pick<PlanOptions, "comparesOnly"> = {},
): Promise<Planned> {
  const { policies } = valueOrFailure(await namedPolicies(job));
  return valueOrFailure(await planRealm({ ...job.files, policies, reader, ...how }));
}

/** Files among the journals came with the checkout. */
function refuseCheckedOut(): never {
  throw failure("journal/in-checkout", {});
}

interface MergedPull {
  readonly number: number;
  readonly head: string;
  /** The branch into which the pull request was merged. */
  readonly base: string;
}

/** The merged pull request of a commit. GitHub needs a moment after a merge to know it, so an empty answer is final only at the third attempt. */
async function mergedPull({ clock, event, github, say }: Job): Promise<MergedPull | undefined> {
  const branch = /^refs\/heads\/(.+)$/.exec(event.ref)?.[1];
  const find = async (): Promise<MergedPull | undefined> =>
    (await github().pullsOf(event.sha)).find(({ base }) => branch === undefined || base === branch);
  for (const waitMs of event.name === "push" ? [3000, 10_000] : []) {
    const pull = await find();
    if (pull !== undefined) return pull;
    say(noMergedPull(event.sha.slice(0, 12), waitMs));
    await clock.sleep(waitMs);
  }
  return find();
}

/** @returns the review of the plan, if there is one */
async function refuseUnreviewed(
  job: Job,
  { plan, snapshot, origin }: Planned,
  redaction: Redaction,
  pull: MergedPull | undefined,
): Promise<Reviewed | undefined> {
  if (job.inputs.reviewed === "ignore" || plan.changes.length === 0) return undefined;
  const { reviewed, isOther } = pull === undefined ? NOT_REVIEWED : await reviewedPlan(job, pull);
  if (reviewed === undefined || pull === undefined) {
    if (job.inputs.reviewed === "if-found") {
      job.say(NO_REVIEWED_PLAN);
      return undefined;
    }
    const of = defined({ pull: pull?.number, other_version: isOther || undefined });
    throw failure("reviewed/none", { commit: job.event.sha.slice(0, 12), ...of }, EXIT.refusedByGuard);
  }
  const diagnostics = notReviewed(reviewed, plan, snapshot, redaction, {
    base: pull.base,
    configuration: origin.configuration,
  });
  if (diagnostics.length > 0) failWith(EXIT.conflict, diagnostics);
  return reviewed;
}

interface Found {
  readonly reviewed?: Reviewed;
  /** There is a plan of that commit, and another version of the Action wrote it. */
  readonly isOther: boolean;
}
const NOT_REVIEWED: Found = { isOther: false };

async function reviewedPlan(job: Job, pull: MergedPull): Promise<Found> {
  const github = job.github();
  const approved =
    job.inputs.approval === "required" ? approvedAt(await github.reviews(pull.number), pull.head) : undefined;
  if (job.inputs.approval === "required" && approved === undefined) throw notApproved(pull.number, false);
  let [newer, isOther] = [false, false];
  for (const artifact of (await github.artifacts(`${job.inputs.planArtifact}-${pull.number}`)).slice(0, 20)) {
    if (artifact.sizeBytes > MOST_BYTES) continue;
    // Approvals do not cover a plan that was written later; an older plan may be the approved one.
    if (approved !== undefined && Date.parse(artifact.createdAt) > Date.parse(approved)) {
      newer = true;
      continue;
    }
    try {
      const reviewed = parseReviewed(unzipFile(await github.downloadArtifact(artifact.id), REVIEWED_FILE, MOST_BYTES));
      if (reviewed?.commit !== pull.head) continue;
      if (!isOtherVersion(reviewed)) return { reviewed, isOther };
      isOther = true;
    } catch (error) {
      // An artifact that cannot be unpacked was not written by this Action; an older one may be valid.
      if (!(error instanceof Failure) || error.exitCode !== EXIT.errors) throw error;
    }
  }
  if (newer) throw notApproved(pull.number, true);
  return { isOther };
}

async function report(job: Job, plan: Plan, result: ApplyResult, pull: number | undefined): Promise<ExitCode> {
  const good = result.exitCode === EXIT.done;
  // The journal is deleted with the runner, so the text must not offer it for an undo.
  const text = renderResult({ ...result, journal: null }, { style: PLAIN });
  for (const line of text.trimEnd().split("\n")) job.say(line);
  const { sha: commit, runUrl } = job.event;
  const of = { commit, url: plan.realm.url, exitCode: result.exitCode, runUrl };
  const body = (budget: number): string => appliedPage(of, text, RESULT_FILE, budget);
  await job.summarise(body(SUMMARY_BUDGET));
  job.setOutput("outcome", result.outcome);
  job.setOutput("changes", plan.changes.length);
  job.setOutput("report-file", await job.write(RESULT_FILE, renderResultJson(result)));
  if (result.journal !== null) job.setOutput("journal", result.journal);
  const posted =
    pull === undefined ||
    (await publishComment(job, pull, markerOf("apply", job.event.sha, job.files.file), {
      text: body(COMMENT_BUDGET - 1000),
      footer: "",
    }));
  return good && !posted ? EXIT.notAllowed : result.exitCode;
}

/**
 * Whether the checkout has files below a directory, by what Git says. Where there is no Git, or no repository, nothing says so.
 * @param workspace absolute path of the checkout
 */
async function isTracked(workspace: string, directory: string): Promise<boolean> {
  // Nothing is believed that is not there.
  if (lstatSync(join(workspace, directory), { throwIfNoEntry: false }) === undefined) return false;
  // In a container, the checkout belongs to another account than the one that asks.
  const asked = ["-c", "safe.directory=*", "ls-files", "-z", "--", directory];
  const options = { cwd: workspace, timeout: 10_000, maxBuffer: 1024 * 1024 };
  return new Promise((resolved) => {
    execFile("git", asked, options, (error, listed) => resolved(error === null ? listed !== "" : isTooLong(error)));
  });
}

/** Then the list is longer than is read of it. */
const isTooLong = (error: Error): boolean => "code" in error && error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
