import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { checkTitle } from "../report/action/pages.ts";
import { realmName } from "../report/layout.ts";
import type { Job } from "./job.ts";

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
  throw new Failure(EXIT.refusedByGuard, error("action/base-branch", { branch: pull.baseBranch, allowed }));
}
