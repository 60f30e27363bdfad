import { createHash } from "node:crypto";
import * as z from "zod";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { unknownRunBefore } from "../report/action/log.ts";
import { type DriftItem, type Memory, Since } from "./drift-issue.ts";
import type { Job } from "./job.ts";
import { newestTrusted } from "./trusted-artifact.ts";
import { unzipFile } from "./zip.ts";

/** One file of the artifact that this run leaves for the next one: the issue remembers only while it is open. */
const MEMORY_FILE = "realmctl-drift-memory.json";
const MOST_BYTES = 16 * 1024 * 1024;

const Remembered = z.strictObject({
  format: z.literal("realmctl.drift-memory"),
  version: z.literal(1),
  realm: z.string(),
  file: z.string(),
  since: Since,
});

/** The name of the artifact. Each file has its own, since one run may check several files. */
export function driftArtifact({ inputs, files }: Job): string {
  const slug = files.file.replace(/[^a-z0-9]+/gi, "-").slice(-40);
  return `${inputs.driftArtifact}-${slug}-${createHash("sha256").update(files.file).digest("hex").slice(0, 8)}`;
}

/** The memory of the previous run. Without `actions: read`, and in the first run, there is none; that is not an error. */
export async function readMemory(job: Job, realm: string): Promise<Memory | undefined> {
  try {
    const artifact = await newestTrusted(job, await job.github().artifacts(driftArtifact(job)));
    if (artifact === undefined || artifact.sizeBytes > MOST_BYTES) return undefined;
    const text = unzipFile(await job.github().downloadArtifact(artifact.id), MEMORY_FILE, MOST_BYTES);
    const parsed = Remembered.safeParse(JSON.parse(text));
    if (!parsed.success || parsed.data.realm !== realm || parsed.data.file !== job.files.file) return undefined;
    return { since: parsed.data.since, complete: true };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (!(error instanceof Failure)) throw error;
    const [first] = job.conceal.said(error.diagnostics);
    if (error.exitCode !== EXIT.errors && first !== undefined) job.say(unknownRunBefore(first));
    return undefined;
  }
}

export async function writeMemory(job: Job, realm: string, items: readonly DriftItem[]): Promise<string> {
  const since = Object.fromEntries(items.map((item) => [item.identity, item.since]));
  const remembered: z.infer<typeof Remembered> = {
    format: "realmctl.drift-memory",
    version: 1,
    realm,
    file: job.files.file,
    since,
  };
  return await job.write(MEMORY_FILE, `${JSON.stringify(remembered)}\n`);
}
