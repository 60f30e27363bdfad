import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, type ExitCode, type Span } from "../model/diagnostic.ts";
import { type ChangesByOrigin, type Plan, unresolvedIn, violatedGuards } from "../model/plan.ts";
import { compareThreeWays } from "../plan/three-way.ts";
import { countErrors, diagnosticLines, diagnosticsMarkdown, worstFirst } from "../report/action/diagnostics.ts";
import { guardRefuses, planLine } from "../report/action/log.ts";
import {
  cannotPlan,
  inArtifact,
  inSummaryOrArtifact,
  NOT_COMPARED,
  newInBase,
  pageLine,
  planTitle,
  storedLine,
  tooLongForCheck,
  whole,
} from "../report/action/pages.ts";
import { renderPlanHtml } from "../report/html.ts";
import { renderPlanJson } from "../report/json.ts";
import { isRedacted, type PlanMarkdownInput, renderPlanMarkdown } from "../report/markdown.ts";
import { urlPath } from "../report/markdown-text.ts";
import { risksOf } from "../report/plan-risks-and-guards.ts";
import { type Redaction, redactChange, redactPlan } from "../report/redact.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "../report/words/diagnostics.ts";
import { type BasePlan, basePlan, baseReads, takenOutSince } from "../workflow/base.ts";
import { planPicture } from "../workflow/pictures.ts";
import { readerWith } from "../workflow/reading.ts";
import { isToRehearse, withRehearsal } from "../workflow/rehearsal.ts";
import type { Against } from "../workflow/rules.ts";
import { type Planned, planRealm } from "../workflow/workflow.ts";
import { annotationsOf, deletionFinder, diagnosticAnnotations } from "./annotations.ts";
import { type Versions, versionsOf } from "./commit-tree.ts";
import type { Files } from "./files.ts";
import type { CheckRun } from "./github.ts";
import { heldAgainstBase, type NamedPolicies, namedPolicies } from "./guard-rails.ts";
import { COMMENT_BUDGET, type Job, RULES_BUDGET, SUMMARY_BUDGET } from "./job.ts";
import {
  annotateLog,
  checkName,
  leaveCheck,
  markerOf,
  publicAccess,
  publishCheck,
  publishComment,
  refuseOtherBase,
} from "./publish.ts";
import { REVIEWED_FILE, reviewedOf } from "./reviewed.ts";
import { baseRules, type CheckedRules, ownRules, type RulesReport, rulesReport } from "./rules.ts";
import { type RealmSource, staleNote, withRealm } from "./snapshot-source.ts";

const REPORT_FILE = "realmctl-plan.json";
const PAGE_FILE = "realmctl-plan.html";

/** Plans a file (on a pull request: base, head and the difference) and reports the result wherever reviewers look. */
export async function planCommand(job: Job): Promise<ExitCode> {
  try {
    return await planAndReport(job);
  } catch (error) {
    await leaveCheck(job, error);
    throw error;
  }
}

async function planAndReport(job: Job): Promise<ExitCode> {
  const { pull } = job.event;
  refuseOtherBase(job);
  const versions = pull === undefined ? undefined : await versionsOf(job, pull);
  const head = versions?.head ?? job.files;
  for (const files of versions === undefined ? [] : [versions.head, versions.base]) job.conceal.watch(files);
  return withRealm(job, async (source) => {
    const policies = await namedPolicies(job, versions);
    if (!policies.ok) return await reportErrors(job, policies.diagnostics, source, versions);
    const reads = versions === undefined ? {} : await baseReads(versions.base);
    const reader = readerWith(source.reader, reads);
    const planned = await planRealm({ ...head, policies: policies.value.policies, reader });
    if (!planned.ok) return await reportErrors(job, planned.diagnostics, source, versions);
    const against = { what: "plan", config: head, reader: source.reader } as const;
    const rules = await ownRules(job, head, against, versions?.base);
    if (!rules.ok) return await reportErrors(job, rules.diagnostics, source, versions);
    return await reportPlan(job, planned.value, {
      head,
      versions,
      source,
      against,
      rules: rules.value,
      named: policies.value,
    });
  });
}

interface Planning {
  readonly head: Files;
  readonly versions: Versions | undefined;
  readonly source: RealmSource;
  readonly against: Against;
  /** The head's own rules. */
  readonly rules: readonly CheckedRules[];
  readonly named: NamedPolicies;
}

/** The plan with its rehearsal, except for a snapshot with hidden parts: a refusal by a copy of it would say nothing about the organization. */
async function tried(job: Job, plan: Plan, planned: Planned, { stored }: RealmSource): Promise<Plan> {
  const asked = job.inputs.rehearse ? undefined : false;
  if (stored?.hidden === true || !isToRehearse(plan, planned.snapshot, asked)) return plan;
  return withRehearsal(plan, await planned.rehearse());
}

/** The plan that is reported, and what it is compared with. */
interface Decided {
  readonly plan: Plan;
  readonly base: BasePlan | undefined;
  readonly split: ChangesByOrigin;
  /** The head's own rules, and those of the base that the pull request must keep. */
  readonly rules: readonly CheckedRules[];
}

/** Compares the plan with the base's plan, and checks it against the base's guard rails and rules if the pull request asks for something. */
async function decide(job: Job, planned: Planned, planning: Planning): Promise<Decided> {
  const { head, versions, source, against, rules, named } = planning;
  const { snapshot } = planned;
  const base = versions === undefined ? undefined : await basePlan(versions.base, snapshot);
  const split = originsOf(planned.plan, base);
  // A pull request that only changes guard rails is checked against the new ones: otherwise nobody could loosen guard rails that stop everything.
  const asks = (base?.plan === undefined ? planned.plan.changes : split.mine).length > 0;
  const rails = versions && {
    files: versions.base,
    isAbsent: base?.absent === true,
    named: { ok: true, value: named, warnings: [] } as const,
  };
  const railed = rails !== undefined && asks ? await heldAgainstBase(planned.plan, snapshot, rails) : planned.plan;
  const own = await tried(job, railed, planned, source);
  const left = base === undefined ? [] : await takenOutSince(base, head, own, snapshot);
  const plan = { ...own, warnings: [...own.warnings, ...left] };
  // A pull request that takes manual changes into the file sends nothing, but asks that they stay.
  const isHeld = base?.absent !== true && (asks || split.adopted.length > 0);
  const ofBase = versions !== undefined && isHeld ? await baseRules(job, versions.base, head, against) : [];
  return { plan, base, split, rules: [...rules, ...ofBase] };
}

interface Reported extends Decided {
  readonly planned: Planned;
  readonly head: Files;
  readonly redaction: Redaction;
  /** The plan without hidden names. */
  readonly shown: Plan;
  readonly report: RulesReport;
  readonly exitCode: ExitCode;
  /** Where the values of the organization are from, if not from the server. */
  readonly stored: string;
  /** The broken rules and the plan, within a number of UTF-16 units. */
  markdown(budget: number, elsewhere: string): string;
}

/** A plan that leaves out a part of the file does not pass. */
function exitCodeOf(plan: Plan, { exitCode }: RulesReport): ExitCode {
  if (plan.guards.some(({ violated }) => violated)) return EXIT.refusedByGuard;
  return exitCode === EXIT.done && unresolvedIn(plan).length > 0 ? EXIT.errors : exitCode;
}

async function reportPlan(job: Job, planned: Planned, planning: Planning): Promise<ExitCode> {
  const { head, versions, source } = planning;
  const decided = await decide(job, planned, planning);
  const { plan, base } = decided;
  const redaction = job.conceal.know(base?.plan === undefined ? [plan] : [plan, base.plan], planned.snapshot);
  const shown = redactPlan(plan, redaction);
  const report = rulesReport(job, decided.rules, redaction);
  const exitCode = exitCodeOf(plan, report);
  const input: Omit<PlanMarkdownInput, "budget" | "elsewhere"> = {
    plan: shown,
    origin: redactSplit(decided.split, redaction),
    ...defined({ notCompared: whyNotCompared(base), link: versions && linkTo(job, versions.linkCommit) }),
    hides: isRedacted(plan, shown),
    notes: [
      staleNote(source.stored, job.inputs.snapshotMaxAgeHours) ?? [],
      base?.absent === true ? newInBase(head.file) : [],
    ].flat(),
  };
  const ruled = report.markdown(RULES_BUDGET);
  const markdown: Reported["markdown"] = (budget, elsewhere) =>
    `${ruled}${renderPlanMarkdown({ ...input, budget: budget - ruled.length, elsewhere })}`;
  const stored = storedLine(source.stored);
  const reported = { ...decided, planned, head, redaction, shown, report, exitCode, stored, markdown };
  await reportToRun(job, reported);
  const { pull } = job.event;
  if (pull !== undefined && versions !== undefined) return reportToPull(job, reported, pull, versions);
  annotateLog(job, diagnosticAnnotations(errorsIn(shown)));
  return exitCode;
}

/** The summary, the outputs, the files and the log of the run. */
async function reportToRun(job: Job, reported: Reported): Promise<void> {
  const { plan, planned, redaction, shown, report, exitCode, stored, markdown } = reported;
  await job.summarise(`${markdown(SUMMARY_BUDGET, inArtifact(REPORT_FILE))}\n${stored}`);
  job.setOutput("report-file", await job.write(REPORT_FILE, renderPlanJson(shown, exitCode)));
  const access = publicAccess(job, plan, planned.snapshot, redaction);
  const picture = job.inputs.showPrivateNames ? planPicture(plan, planned.snapshot) : "";
  const page = renderPlanHtml(shown, access, { applyWith: "", elsewhere: whole(REPORT_FILE), picture });
  job.setOutput("page-file", await job.write(PAGE_FILE, page));
  sayPlan(job, plan, shown, report);
}

type PullRequest = NonNullable<Job["event"]["pull"]>;

/** The reviewed plan, the comment and the check of the pull request. */
async function reportToPull(job: Job, reported: Reported, pull: PullRequest, versions: Versions): Promise<ExitCode> {
  const { plan, planned, head, redaction, shown, split, base, report, exitCode, stored, markdown } = reported;
  const reviewed = reviewedOf(plan, planned.snapshot, redaction, {
    base: pull.baseBranch,
    commit: pull.head,
    configuration: planned.origin.configuration,
  });
  job.setOutput("reviewed-file", await job.write(REVIEWED_FILE, `${JSON.stringify(reviewed, null, 1)}\n`));
  job.setOutput("artifact-name", `${job.inputs.planArtifact}-${pull.number}`);
  const annotations = annotationsIn({ plan, shown, split, base, before: versions.base, after: head });
  const text = markdown(COMMENT_BUDGET, inSummaryOrArtifact(job.event.runUrl, REPORT_FILE));
  const check = checkOf(job, pull.head, plan, exitCode, {
    title: planTitle(plan, {
      refused: exitCode === EXIT.refusedByGuard,
      rulesBroken: exitCode === EXIT.ruleBroken ? report.broken : 0,
      risks: risksOf(plan).length,
    }),
    annotations: [...diagnosticAnnotations(errorsIn(shown)), ...report.annotations, ...annotations],
    summary: text,
  });
  const footer = `${pageFooter(job)}${stored}`;
  const posted = await publishComment(job, pull.number, markerOf("plan", plan.realm.url, head.file), { text, footer });
  const checked = await publishCheck(job, check);
  return exitCode === EXIT.done && !(posted && checked) ? EXIT.notAllowed : exitCode;
}

/** Outputs and log: what would be sent, and why it is refused. */
function sayPlan(job: Job, plan: Plan, shown: Plan, report: RulesReport): void {
  const risks = risksOf(plan).length;
  job.setOutput("changes", plan.changes.length);
  job.setOutput("risks", risks);
  job.setOutput("rules-broken", report.broken);
  for (const line of report.lines) job.say(line);
  for (const line of diagnosticLines(errorsIn(shown))) job.say(line);
  for (const guard of violatedGuards(shown)) job.say(guardRefuses(guard));
  job.say(planLine(plan, risks));
}

/** Why the plan leaves out a part of the file. */
const errorsIn = (plan: Plan): readonly SaidDiagnostic[] => unresolvedIn(plan).map(wordedDiagnostic);

/** What the pull request changes, and what differed before it. */
function originsOf(plan: Plan, base: BasePlan | undefined): ChangesByOrigin {
  if (base?.plan !== undefined) return compareThreeWays(base.plan, plan);
  return base?.absent === true
    ? { mine: plan.changes, earlier: [], adopted: [] }
    : { mine: [], earlier: plan.changes, adopted: [] };
}

function whyNotCompared(base: BasePlan | undefined): string | undefined {
  if (base === undefined) return NOT_COMPARED["no-pull-request"];
  return base.plan === undefined && base.absent !== true ? NOT_COMPARED["errors-in-base"] : undefined;
}

interface Annotated extends Omit<Decided, "rules"> {
  /** The plan without hidden names. */
  readonly shown: Plan;
  readonly before: Files;
  readonly after: Files;
}

/** Annotations at the lines of the pull request's own changes. */
function annotationsIn({ plan, shown, split, base, before, after }: Annotated): ReturnType<typeof annotationsOf> {
  const find = deletionFinder(base?.desired, before.texts, after.texts);
  const names = new Map(plan.changes.map((change, index) => [shown.changes[index], change]));
  return annotationsOf(
    // The finder looks objects up by their names in the file; the texts shown are redacted.
    shown.changes.filter((change) => {
      const own = names.get(change);
      return (
        base?.plan === undefined || split.mine.some((one) => one.address === own?.address && one.action === own?.action)
      );
    }),
    (change) => {
      const own = names.get(change);
      return own === undefined ? undefined : find(own);
    },
  );
}

/** The address of the run's page; it does not decide whether a comment changed. */
function pageFooter({ event, inputs }: Job): string {
  if (event.pull === undefined) return "";
  return pageLine(PAGE_FILE, `${inputs.planArtifact}-${event.pull.number}`, event.runUrl);
}

function redactSplit({ mine, earlier, adopted }: ChangesByOrigin, redaction: Redaction): ChangesByOrigin {
  const all = (changes: ChangesByOrigin["mine"]) => changes.map((change) => redactChange(change, redaction));
  return { mine: all(mine), earlier: all(earlier), adopted: all(adopted) };
}

function linkTo({ event }: Job, commit: string): (at: Span) => string {
  const { owner, repo } = event.repository;
  return (at) =>
    `${event.serverUrl}/${urlPath(`${owner}/${repo}`)}/blob/${urlPath(commit)}/${urlPath(at.file)}#L${at.line}`;
}

function checkOf(
  job: Job,
  headSha: string,
  plan: Plan,
  exitCode: ExitCode,
  { title, summary, annotations }: Pick<CheckRun, "title" | "summary" | "annotations">,
): CheckRun {
  return {
    name: checkName(job, plan.realm.url),
    headSha,
    conclusion: exitCode !== EXIT.done ? "failure" : plan.changes.length === 0 ? "success" : "neutral",
    title,
    summary: summary.length > 60_000 ? tooLongForCheck(job.event.runUrl) : summary,
    annotations,
  };
}

/** Errors of the file, shown in the same places as a plan. Names of the realm in them ("did you mean …") are not shown to everybody. */
async function reportErrors(
  job: Job,
  found: readonly Diagnostic[],
  source: RealmSource,
  versions: Versions | undefined,
): Promise<ExitCode> {
  const { pull } = job.event;
  const diagnostics = worstFirst(job.conceal.said(found));
  const hidden = source.stored?.hidden === true && diagnostics.some(({ code }) => /unknown/.test(code));
  const link = versions === undefined ? undefined : linkTo(job, versions.linkCommit);
  const list = diagnosticsMarkdown(diagnostics, 57_000, link);
  const text = cannotPlan(job.files.file, diagnostics, hidden, list);
  const footer = storedLine(source.stored);
  await job.summarise(`${text}\n${footer}`);
  for (const line of diagnosticLines(diagnostics)) job.say(line);
  job.setOutput("changes", 0);
  const annotations = diagnosticAnnotations(diagnostics);
  if (pull === undefined) {
    annotateLog(job, annotations);
    return EXIT.errors;
  }
  const { realm } = await source.reader.snapshot({ invites: false, subscribers: false });
  await publishComment(job, pull.number, markerOf("plan", realm.url, job.files.file), { text, footer });
  await publishCheck(job, {
    name: checkName(job, realm.url),
    headSha: pull.head,
    conclusion: "failure",
    title: countErrors(diagnostics),
    summary: text,
    annotations,
  });
  return EXIT.errors;
}
