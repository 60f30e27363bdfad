import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import { countUncompared, type Plan } from "../model/plan.ts";
import { asTheFileAgain, closedAsNotPlanned, driftLine, driftSummary } from "../report/action/drift.ts";
import { whole } from "../report/action/pages.ts";
import { renderDriftHtml } from "../report/html-drift.ts";
import { driftExitCode, renderDriftJson } from "../report/json.ts";
import { redactPlan } from "../report/redact.ts";
import { driftOf } from "../workflow/workflow.ts";
import { keepAdoption } from "./adopt-pull.ts";
import { plannedFor } from "./apply.ts";
import {
  type DriftItem,
  driftArtifact,
  driftItems,
  issueText,
  mergeMemories,
  readMemory,
  readState,
  STATE,
  writeMemory,
} from "./drift-issue.ts";
import { type Issue, sameText } from "./github-requests.ts";
import { COMMENT_BUDGET, type Job, RULES_BUDGET, SUMMARY_BUDGET } from "./job.ts";
import { attempt, markerOf, publicAccess } from "./publish.ts";
import { liveRules, type RulesReport, rulesReport } from "./rules.ts";
import { withRealm } from "./snapshot-source.ts";

/** Reports differences from the file, and keeps one issue about them. */
export async function driftCommand(job: Job): Promise<ExitCode> {
  return withRealm(job, async ({ reader, stored }) => {
    const { plan, snapshot } = await plannedFor(job, reader, { comparesOnly: true });
    const checked = await liveRules(job, reader);
    const redaction = job.conceal.know([plan], snapshot);
    const rules = rulesReport(job, checked, redaction);
    const shown = redactPlan(plan, redaction);
    const drift = driftOf(shown);
    const realm = plan.realm.url;
    let memory = await readMemory(job, realm);
    const itemsNow = (): readonly DriftItem[] => driftItems(drift, driftOf(plan), memory, secretOf(job));
    let items = itemsNow();
    let written = true;
    if (job.inputs.issue)
      written = await attempt(job, "issue", async () => {
        items = await keepIssue(job, shown, rules, (body) => {
          memory = mergeMemories(memory, readState(body));
          return itemsNow();
        });
      });
    if (job.inputs.adoptPullRequest) {
      const hidden = stored?.hidden === true;
      const found = { plan, snapshot, redaction: job.conceal.forFiles([plan], snapshot), items, hidden };
      written = (await attempt(job, "pull-request", () => keepAdoption(job, found))) && written;
    }
    // Without a previous run, nothing can be called new.
    const unmanagedNew =
      memory?.complete === true
        ? items.filter(({ class: name, since }) => name === "unmanaged" && since === plan.snapshot_taken_at).length
        : undefined;
    const uncompared = countUncompared(drift.uncompared);
    const widened = items.filter((item) => item.class === "widens").length;
    job.say(driftLine(realm, { differing: drift.differences.length, widening: widened, uncompared }));
    for (const line of rules.lines) job.say(line);
    const ruled = rules.markdown(RULES_BUDGET);
    await job.summarise(`${ruled}${driftSummary(shown, items, unmanagedNew, SUMMARY_BUDGET - ruled.length)}`);
    for (const name of ["widens", "narrows", "missing", "cosmetic", "unmanaged"] as const)
      job.setOutput(name, items.filter((item) => item.class === name).length);
    job.setOutput("rules-broken", rules.broken);
    job.setOutput("unmanaged-new", unmanagedNew ?? "");
    const page = renderDriftHtml(drift, publicAccess(job, plan, snapshot, redaction), {
      elsewhere: whole("realmctl-drift.json"),
    });
    job.setOutput("page-file", await job.write("realmctl-drift.html", page));
    job.setOutput("artifact-name", driftArtifact(job));
    job.setOutput("memory-file", await writeMemory(job, realm, items));
    job.setOutput("drift", drift.differences.length + uncompared);
    job.setOutput("report-file", await job.write("realmctl-drift.json", renderDriftJson(drift, rules.data)));
    const exitCode = driftExitCode(drift.exitCode, rules.data);
    if (exitCode !== EXIT.done && job.inputs.failOnDrift) return exitCode;
    return written ? EXIT.done : EXIT.notAllowed;
  });
}

/** Key for hashes of hidden names; empty for a job that reads a stored snapshot without credentials. */
function secretOf({ inputs, env }: Job): string {
  return inputs.zulipApiKey ?? env.ZULIP_API_KEY ?? "";
}

/**
 * Keeps one issue: it is opened with the first difference, edited while the differences change, and closed after the last one. An issue that a person
 * closed while something still differs is reopened, unless it was closed as not planned and the drift is the same.
 */
async function keepIssue(
  job: Job,
  plan: Plan,
  rules: RulesReport,
  itemsOf: (body: string) => readonly DriftItem[],
): Promise<readonly DriftItem[]> {
  const github = job.github();
  const marker = markerOf("drift", plan.realm.url, job.files.file);
  const [open, ...others] = await github.openIssues(marker);
  for (const other of others) await github.updateIssue(other.number, { state: "closed" });
  const isWanted = rules.broken > 0 || itemsOf("").some((item) => item.class !== "unmanaged");
  // Issues that were closed in this run have no state reason.
  const known = open ?? (await closedByPeople(isWanted, () => github.closedIssues(marker)));
  const items = itemsOf(known?.body ?? "");
  const differs = rules.broken > 0 || items.some((item) => item.class !== "unmanaged");
  const { title, body } = issueText(marker, plan, items, COMMENT_BUDGET, rules.markdown(RULES_BUDGET));
  const same = known !== undefined && sameText(known.body, body);
  job.setOutput("issue-number", open?.number ?? "");
  if (open !== undefined && !differs) {
    // Closed first: if the comment came first, a run that stops in between would repeat it every night.
    await github.updateIssue(open.number, { body: open.body.replace(STATE, ""), state: "closed" });
    await github.commentOnIssue(open.number, asTheFileAgain(plan.realm.url, job.event.runUrl));
  } else if (open !== undefined) {
    if (!same) await github.updateIssue(open.number, { title, body });
  } else if (known?.notPlanned && same) job.say(closedAsNotPlanned(known.number));
  else if (known !== undefined) {
    await github.updateIssue(known.number, { title, body, state: "open" });
    job.setOutput("issue-number", known.number);
  } else if (differs) job.setOutput("issue-number", await github.createIssue(title, body, marker));
  return items;
}

async function closedByPeople(isWanted: boolean, find: () => Promise<readonly Issue[]>): Promise<Issue | undefined> {
  if (!isWanted) return undefined;
  return (await find()).find(({ body }) => STATE.test(body));
}
