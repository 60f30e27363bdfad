import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { type AccessMatrix, accessMatrix } from "../report/access.ts";
import { type Redaction, redactAccess } from "../report/redact.ts";
import type { Job } from "./job.ts";

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
