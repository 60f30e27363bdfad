import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { renderDriftJson } from "../report/json.ts";
import { realmName } from "../report/layout.ts";
import { codeText } from "../report/markdown-text.ts";
import { redactionOf, redactPlan } from "../report/redact.ts";
import { driftOf, planRealm } from "../workflow.ts";
import { type DriftItem, driftItems, driftSummary, issueText, readState } from "./drift-issue.ts";
import { failWith } from "./fail.ts";
import { COMMENT_BUDGET, type Job, SUMMARY_BUDGET } from "./job.ts";
import { attempt } from "./publish.ts";
import { withRealm } from "./snapshot-source.ts";
import { markerOf } from "./sticky.ts";

/** Says what no longer is as the file says, and keeps one issue about it. */
export async function driftCommand(job: Job): Promise<ExitCode> {
  return withRealm(job, async ({ reader }) => {
    const planned = await planRealm({ ...job.files, reader });
    if (!planned.ok) return failWith(EXIT.mistakes, planned.diagnostics);
    const { plan, snapshot } = planned.value;
    const redaction = redactionOf([plan], snapshot, {
      privateNames: !job.inputs.showPrivateNames,
      invitations: !job.inputs.showInvitations,
    });
    const shown = redactPlan(plan, redaction);
    const drift = driftOf(shown);
    let items = driftItems(drift, readState(""));
    let written = true;
    if (job.inputs.issue)
      written = await attempt(job, "the issue", async () => {
        items = await keepIssue(job, shown, (body) => driftItems(drift, readState(body)));
      });
    await job.summarise(driftSummary(shown, items, SUMMARY_BUDGET));
    for (const name of ["widens", "narrows", "missing", "cosmetic", "unmanaged"] as const)
      job.setOutput(name, items.filter((item) => item.class === name).length);
    job.setOutput(
      "unmanaged-new",
      items.filter(({ class: name, since }) => name === "unmanaged" && since === plan.snapshot_taken_at).length,
    );
    job.setOutput("drift", drift.differences.length);
    job.setOutput("report-file", await job.write("realmctl-drift.json", renderDriftJson(drift)));
    if (drift.exitCode !== EXIT.done && job.inputs.failOnDrift) return drift.exitCode;
    return written ? EXIT.done : EXIT.notAllowed;
  });
}

/** Opened with the first difference, edited while they change, closed when there is none. */
async function keepIssue(
  job: Job,
  plan: Plan,
  itemsOf: (body: string) => readonly DriftItem[],
): Promise<readonly DriftItem[]> {
  const github = job.github();
  const marker = markerOf("drift", plan.realm.url, job.files.file);
  const [known, ...others] = await github.openIssues(marker);
  const items = itemsOf(known?.body ?? "");
  const differs = items.some((item) => item.class !== "unmanaged");
  const { title, body } = issueText(marker, plan, items, COMMENT_BUDGET);
  for (const other of others) await github.updateIssue(other.number, { state: "closed" });
  if (known === undefined) {
    job.setOutput("issue-number", differs ? await github.createIssue(title, body) : "");
    return items;
  }
  job.setOutput("issue-number", known.number);
  if (!differs) {
    await github.commentOnIssue(
      known.number,
      `${codeText(realmName(plan.realm.url))} is as the file says again ([the run](${job.event.runUrl})).`,
    );
    await github.updateIssue(known.number, { state: "closed" });
  } else if (known.body.trimEnd() !== body.trimEnd()) await github.updateIssue(known.number, { title, body });
  return items;
}
