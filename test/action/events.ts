import { eventOf } from "./described.ts";
import { REPOSITORY_ID } from "./fake-objects.ts";

export const SHA = { base: "b".repeat(40), head: "a".repeat(40), merge: "c".repeat(40), main: "d".repeat(40) };

/** Every event that a workflow with the Action may have. */
export type EventName =
  | "pull_request"
  | "pull_request_target"
  | "push"
  | "schedule"
  | "workflow_dispatch"
  | "workflow_run"
  | "merge_group";

/** What a runner gives a job of an event: its file, and the variables that depend on it. */
export interface Started {
  /** The name of the event in GitHub's description; a schedule is in none. */
  readonly described?: string;
  readonly payload: { readonly [field: string]: unknown };
  readonly ref: string;
  readonly sha: string;
}

interface PullOptions {
  /** The repository of the head: another one for a fork. */
  readonly headRepository?: string;
  readonly base?: string;
  readonly action?: "opened" | "synchronize";
}

const MAIN = "refs/heads/main";
const repository = { id: REPOSITORY_ID, name: "chat", full_name: "acme/chat", default_branch: "main" };
/** For events in which GitHub does not promise it, and sends it. */
const whole = eventOf("workflow-dispatch", { repository }).repository;

/** The event with all fields that GitHub promises; names are invented. */
export function startedBy(name: EventName, options: PullOptions = {}): Started {
  const described = (
    known: string,
    fields: object,
    at: Pick<Started, "ref" | "sha"> = { ref: MAIN, sha: SHA.main },
  ): Started => ({
    described: known,
    payload: eventOf(known, { repository, ...fields }),
    ...at,
  });
  switch (name) {
    case "pull_request":
    case "pull_request_target": {
      const { headRepository = "acme/chat", base = "main", action = "synchronize" } = options;
      const pull = {
        number: 7,
        state: "open",
        title: "More channels",
        head: { label: "ada:more", ref: "more", sha: SHA.head, repo: { name: "chat", full_name: headRepository } },
        base: { label: `acme:${base}`, ref: base, sha: SHA.base, repo: { name: "chat", full_name: "acme/chat" } },
      };
      const sha = name === "pull_request" ? SHA.merge : SHA.base;
      return described(`pull-request-${action}`, { number: 7, pull_request: pull }, { ref: "refs/pull/7/merge", sha });
    }
    case "push":
      return described("push", { ref: MAIN, before: SHA.base, after: SHA.main, compare: "https://github.example/x" });
    case "workflow_dispatch":
      return described("workflow-dispatch", {
        ref: MAIN,
        workflow: ".github/workflows/realmctl.yml",
        inputs: { why: "" },
      });
    case "workflow_run":
      // The run that ended can be a fork's: the job is one of the default branch all the same.
      return described("workflow-run-completed", {
        workflow_run: {
          event: "pull_request",
          head_branch: "more",
          head_sha: SHA.head,
          conclusion: "success",
          status: "completed",
        },
      });
    case "merge_group": {
      const ref = `refs/heads/gh-readonly-queue/main/pr-7-${SHA.base}`;
      const group = { head_sha: SHA.merge, head_ref: ref, base_sha: SHA.base, base_ref: MAIN };
      return described(
        "merge-group-checks-requested",
        { merge_group: group, repository: whole },
        { ref, sha: SHA.merge },
      );
    }
    case "schedule":
      return {
        payload: { schedule: "17 3 * * *", workflow: ".github/workflows/realmctl.yml", repository: whole },
        ref: MAIN,
        sha: SHA.main,
      };
  }
}
