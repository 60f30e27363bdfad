import * as z from "zod";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";

/** The event in the repository, as far as the Action uses it. */
export interface GithubEvent {
  readonly name: string;
  readonly repository: { readonly owner: string; readonly repo: string };
  /** The id identifies a repository even if another one takes its name. */
  readonly repositoryId: number | undefined;
  readonly defaultBranch: string | undefined;
  /** The commit that the job runs for. */
  readonly sha: string;
  /** The ref of the event: `refs/heads/main`. */
  readonly ref: string;
  /** Of a push: the commit that the branch had before; `null` if it is new. */
  readonly before?: string | null;
  readonly runUrl: string;
  readonly serverUrl: string;
  readonly pull?: PullEvent;
}

export interface PullEvent {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  /** The branch that it would be merged into: `main`. */
  readonly baseBranch: string;
  /** Whether the pull request comes from another repository: GitHub gives its jobs no secrets and a read-only token. */
  readonly fork: boolean;
  /** `pull_request_target`: a job of the base branch, with its permissions; no part of the head may be checked out or run. */
  readonly trusted: boolean;
}

const Payload = z.looseObject({
  repository: z.looseObject({ id: z.int(), default_branch: z.string() }).optional(),
  before: z.string().optional(),
  pull_request: z
    .looseObject({
      number: z.int().positive(),
      head: z.looseObject({ sha: z.string(), repo: z.looseObject({ full_name: z.string() }).nullable() }),
      base: z.looseObject({ sha: z.string(), ref: z.string(), repo: z.looseObject({ full_name: z.string() }) }),
    })
    .optional(),
});

/**
 * @param env GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_SHA, …
 * @param payload text of the event file; "" if the job has no such file
 * @throws Failure if this does not run in a job of GitHub Actions
 */
export function readEvent(env: { readonly [name: string]: string | undefined }, payload: string): GithubEvent {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? "").split("/");
  if (owner === undefined || repo === undefined || owner === "" || repo === "")
    throw outside({ cause: "no-repository" });
  let json: unknown;
  try {
    json = payload === "" ? {} : JSON.parse(payload);
  } catch {
    throw outside({ cause: "not-json" });
  }
  const parsed = Payload.safeParse(json);
  if (!parsed.success) throw outside({ cause: "form", reason: formCause(parsed.error) });
  const { repository, pull_request: pull, before } = parsed.data;
  const name = env.GITHUB_EVENT_NAME ?? "";
  if (/^pull_request(_target)?$/.test(name) && pull === undefined) throw outside({ cause: "no-pull-request" });
  const serverUrl = env.GITHUB_SERVER_URL ?? "https://github.com";
  return {
    name,
    repository: { owner, repo },
    // Older servers do not name the repository in scheduled runs, which run on the default branch only.
    repositoryId:
      repository?.id ?? (/^\d+$/.test(env.GITHUB_REPOSITORY_ID ?? "") ? Number(env.GITHUB_REPOSITORY_ID) : undefined),
    defaultBranch:
      repository?.default_branch ??
      (name === "schedule" ? /^refs\/heads\/(.+)$/.exec(env.GITHUB_REF ?? "")?.[1] : undefined),
    sha: env.GITHUB_SHA ?? "",
    ref: env.GITHUB_REF ?? "",
    serverUrl,
    runUrl: `${serverUrl}/${owner}/${repo}/actions/runs/${env.GITHUB_RUN_ID ?? "0"}`,
    ...defined({
      before: name !== "push" || before === undefined ? undefined : /^0*$/.test(before) ? null : before,
      pull:
        pull === undefined
          ? undefined
          : {
              number: pull.number,
              head: pull.head.sha,
              base: pull.base.sha,
              baseBranch: pull.base.ref,
              fork: pull.head.repo?.full_name !== pull.base.repo.full_name,
              trusted: name === "pull_request_target",
            },
    }),
  };
}

const formCause = ({ issues: [first] }: z.ZodError): string =>
  first === undefined ? "" : `${first.path.join(".")}: ${first.message}`;

const outside = (fact: DiagnosticFacts["action/event"]): Failure =>
  new Failure(EXIT.errors, error("action/event", fact));
