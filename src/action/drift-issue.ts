import { createHash, createHmac } from "node:crypto";
import * as z from "zod";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import {
  DRIFT_CLASSES,
  type DriftClass,
  issueBody,
  issueTitle,
  type ShownDrift,
  shownUncompared,
} from "../report/action/drift.ts";
import { unknownRunBefore } from "../report/action/log.ts";
import { driftChange, driftView, stateText } from "../report/drift-view.ts";
import { changeName } from "../report/layout.ts";
import { PLAIN, shorten } from "../report/style.ts";
import { changeLines } from "../report/values.ts";
import type { Job } from "./job.ts";
import { newestTrusted } from "./snapshot-source.ts";
import { unzipFile } from "./zip.ts";

/** One difference from the file. */
export interface DriftItem extends ShownDrift {
  /** A text that is the same in every run, even if the object has been renamed. */
  readonly identity: string;
  /** The address in the plan, with names; never shown. */
  readonly address?: Address;
}

/** The memory of earlier runs: identity → when it was first seen. Hashes only, no names. */
const Since = z.record(z.string().regex(/^[0-9a-f]{16}$/), z.iso.datetime());
type Since = z.infer<typeof Since>;
const State = z.strictObject({ v: z.literal(1), since: Since, left: z.int().optional() });
type State = z.infer<typeof State>;

interface Memory {
  readonly since: Since;
  /** Whether the memory lists everything that the previous run saw, so that everything else is new. */
  readonly complete: boolean;
}
/** The maximum number of remembered differences, the worst first, which keeps the text far below GitHub's limit. */
const MOST_REMEMBERED = 400;
export const STATE = /^<!-- realmctl:state:([A-Za-z0-9+/=]*) -->\r?$/m;

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex").slice(0, 16);

const uncomparedText = ({ code, fact }: Diagnostic): string => `uncompared:${code}:${JSON.stringify(fact)}`;

/** What the issue's text remembers of earlier runs; undefined if somebody has changed that part. */
export function readState(body: string): Memory | undefined {
  const found = STATE.exec(body)?.[1];
  try {
    const parsed = State.safeParse(JSON.parse(Buffer.from(found ?? "", "base64").toString("utf8")));
    if (parsed.success) return { since: parsed.data.since, complete: parsed.data.left === undefined };
  } catch {
    // The text was not written by realmctl.
  }
  return undefined;
}

/** The union of two memories, with the earlier time if both have an entry. */
export function mergeMemories(one: Memory | undefined, other: Memory | undefined): Memory | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const since = { ...one.since };
  for (const [identity, moment] of Object.entries(other.since)) {
    const known = since[identity];
    if (known === undefined || moment < known) since[identity] = moment;
  }
  return { since, complete: one.complete || other.complete };
}

/**
 * All differences, worst first.
 * @param shown the drift with its names hidden
 * @param drift the same with its names: the numbers that replace hidden names differ in the next run
 * @param secret key for hashes of hidden names, so that nobody can test guesses; empty if the job has none
 */
export function driftItems(
  shown: Drift,
  drift: Drift,
  memory: Memory | undefined,
  secret: string,
): readonly DriftItem[] {
  const now = drift.plan.snapshot_taken_at;
  const sinceOf = (identity: string): string => memory?.since[identity] ?? now;
  // Without a secret, everybody could test a guess. The text that is shown is not secret, but it may contain another number in the next run.
  const identityOf = (own: string, visible: string): string =>
    own === visible || secret === "" ? short(visible) : hmac(secret, own);
  const differences = shown.differences.map((change, index): DriftItem => {
    const address = drift.differences[index]?.address ?? change.address;
    const byNumber = change.action === "reorder" ? "order" : change.id;
    const identity = identityOf(
      `${change.kind}:${byNumber ?? address}`,
      `${change.kind}:${byNumber ?? change.address}`,
    );
    return {
      identity,
      address,
      class: classOf(change),
      title: changeName(change),
      lines: linesOf(change),
      since: sinceOf(identity),
    };
  });
  // Somebody deactivated whom the file names in several places is one item.
  const uncompared = new Map<string, DriftItem>();
  for (const [index, diagnostic] of shown.uncompared.entries()) {
    const whole = drift.uncompared[index] ?? diagnostic;
    const identity = identityOf(uncomparedText(whole), uncomparedText(diagnostic));
    if (!uncompared.has(identity))
      uncompared.set(identity, {
        identity,
        class: "uncompared",
        ...shownUncompared(diagnostic),
        since: sinceOf(identity),
      });
  }
  const unmanaged = shown.unmanaged
    .map((item, index) => ({ ...item, own: drift.unmanaged[index]?.names ?? item.names }))
    .filter(({ policy }) => policy === "additive")
    .flatMap(({ section, names, own }) =>
      names.map((name, index): DriftItem => {
        const whole = own[index] ?? name;
        const identity = identityOf(`unmanaged:${section}:${whole}`, `unmanaged:${section}:${name}`);
        return {
          identity,
          class: "unmanaged",
          title: `${clean(section)}: ${clean(name)}`,
          lines: [],
          since: sinceOf(identity),
        };
      }),
    );
  return [...differences, ...uncompared.values(), ...unmanaged].sort(
    (a, b) => DRIFT_CLASSES.indexOf(a.class) - DRIFT_CLASSES.indexOf(b.class),
  );
}

function classOf(change: Change): DriftClass {
  const { access, state, deletes_messages } = driftView(change);
  // Deleted messages are first, since every hour loses more for good.
  if (deletes_messages) return "deletes";
  // More access than the file gives is the worse one of the two.
  if (access !== "same") return access === "narrows" ? "narrows" : "widens";
  return state === "different" || state === "reordered" ? "cosmetic" : "missing";
}

function linesOf(change: Change): readonly string[] {
  const state = stateText(change);
  if (state !== "") return [state];
  return driftView(change).fields.map((field) => {
    const values = changeLines(PLAIN, driftChange(field), 80, false);
    return shorten(PLAIN, `${field.field}: ${values.join(" ⏎ ")}`, 600);
  });
}

/** The issue's text: equal drifts have equal texts, so that nothing is edited without a reason. */
export function issueText(
  marker: string,
  plan: Pick<Plan, "realm" | "server" | "account" | "extra">,
  items: readonly DriftItem[],
  budget: number,
  rules = "",
): { readonly title: string; readonly body: string } {
  const since: { [identity: string]: string } = {};
  for (const item of items.slice(0, MOST_REMEMBERED)) since[item.identity] = item.since;
  const left = items.length - MOST_REMEMBERED;
  const remembered: State = { v: 1, since, ...defined({ left: left > 0 ? left : undefined }) };
  const state = Buffer.from(JSON.stringify(remembered)).toString("base64");
  const end = `<!-- realmctl:state:${state} -->\n${marker}\n`;
  return { title: issueTitle(plan), body: issueBody(plan, items, rules, budget - end.length) + end };
}

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
