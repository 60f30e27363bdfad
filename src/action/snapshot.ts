import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import { EXIT, type ExitCode, error } from "../model/diagnostic.ts";
import { requestOf } from "../plan/requests.ts";
import { snapshotLine } from "../report/action/log.ts";
import { snapshotPage } from "../report/action/pages.ts";
import { failWith, valueOrFailure } from "./fail.ts";
import { hiddenSnapshot, SNAPSHOT_FILE, snapshotArtifactText } from "./hidden-snapshot.ts";
import type { Job } from "./job.ts";
import { withZulip } from "./zulip.ts";

/** Writes a snapshot of the realm for jobs that have no credentials: what the file's sections need, without names that the file does not have. */
export async function snapshotCommand(job: Job): Promise<ExitCode> {
  const { pull } = job.event;
  if (pull !== undefined) failWith(EXIT.errors, [error("action/snapshot-on-pull-request", {})]);
  const desired = valueOrFailure(await readConfig({ ...job.files, kinds }));
  return withZulip(job, async ({ reader }) => {
    const snapshot = await reader.snapshot(requestOf(desired, kinds));
    const shown = job.inputs.redactSnapshot ? hiddenSnapshot(snapshot, desired, kinds) : snapshot;
    const { text, digest } = snapshotArtifactText(shown);
    job.setOutput("snapshot-file", await job.write(SNAPSHOT_FILE, text));
    job.setOutput("digest", digest);
    job.setOutput("artifact-name", job.inputs.snapshotArtifact);
    job.say(snapshotLine(shown.realm.url, digest));
    await job.summarise(snapshotPage(shown, digest));
    return EXIT.done;
  });
}
