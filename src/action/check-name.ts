import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { checkTitle } from "../report/action/pages.ts";
import { realmName } from "../report/layout.ts";
import type { Job } from "./job.ts";

const USUAL_FILE = "realm.yaml";

/**
 * The name of a plan's check. The newest check of a name is the one that a protected branch looks at, so that two plans never share one:
 * it says which branch the pull request is for, as one commit may be the head of pull requests to several, and which file, as several may
 * be about one organization.
 * @param realm its address, once it is known
 */
export function checkName({ event, inputs, env }: Pick<Job, "event" | "inputs" | "env">, realm?: string): string {
  const site = realm ?? inputs.zulipSite ?? env.ZULIP_SITE ?? "";
  const about = [site === "" ? [] : realmName(site), site === "" || inputs.file !== USUAL_FILE ? inputs.file : []]
    .flat()
    .join(", ");
  return checkTitle(about, event.pull?.baseBranch);
}

/**
 * Guard rails are those of the base: whoever chooses the base chooses them, so that only branches count that somebody named.
 * @throws Failure when the pull request is for another one
 */
export function refuseOtherBase({ event, inputs }: Pick<Job, "event" | "inputs">): void {
  const { pull, defaultBranch } = event;
  if (pull === undefined) return;
  const allowed = inputs.baseBranches.length > 0 ? inputs.baseBranches : [defaultBranch ?? ""];
  if (allowed.includes(pull.baseBranch)) return;
  throw new Failure(EXIT.refusedByGuard, error("action/base-branch", { branch: pull.baseBranch, allowed }));
}
