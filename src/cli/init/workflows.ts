import { besideIn } from "./beside-texts.ts";
import type { CiHost } from "./hosts.ts";

// Made by `npm run generate` from examples/. Change these, not this file.

/** Name of a workflow → its text in examples/. */
const WORKFLOW_TEMPLATES: {
  readonly [name in "snapshot" | "plan" | "apply" | "drift" | "gitlab" | "forgejo" | "shell"]: string;
} = {
  snapshot:
    "# Saves a snapshot of the organization, so that pull requests can be planned without credentials. Runs only on the default branch.\nname: realmctl snapshot\non:\n  push: { branches: [main] }\n  schedule: [{ cron: \"17 * * * *\" }]\n  workflow_dispatch:\npermissions:\n  contents: read\nconcurrency: { group: realmctl-snapshot, cancel-in-progress: true }\njobs:\n  snapshot:\n    if: github.ref == format('refs/heads/{0}', github.event.repository.default_branch)\n    runs-on: ubuntu-latest\n    timeout-minutes: 15\n    environment: zulip-read # has the key of an account; only the default branch may use it\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n        with: { persist-credentials: false }\n      - id: realmctl\n        uses: example-org/realmctl@v0\n        with:\n          command: snapshot\n          zulip-site: https://chat.example.org\n          zulip-email: ${{ secrets.ZULIP_EMAIL }}\n          zulip-api-key: ${{ secrets.ZULIP_API_KEY }}\n      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n        with:\n          name: ${{ steps.realmctl.outputs.artifact-name }}\n          overwrite: true # for a job that is run again\n          path: ${{ steps.realmctl.outputs.snapshot-file }}\n          retention-days: 7\n",
  plan: '# Plans every pull request from the snapshot that snapshot.yml wrote: no secret, forks included. `pull_request_target` gives the\n# job a token that may comment; no part of the pull request is checked out or run; its YAML is read as data, through the API.\nname: realmctl plan\non:\n  pull_request_target:\n    branches: [main] # other branches may have other guard rails\n    paths: ["**.yaml", "**.yml", "**.png", "**.jpg", "**.jpeg", "**.gif", "**.webp", "!.github/**"] # realm.yaml, and whatever it includes\npermissions:\n  contents: read\n  actions: read\n  pull-requests: write\n  checks: write\nconcurrency: { group: "realmctl-plan-${{ github.event.pull_request.number }}", cancel-in-progress: true }\njobs:\n  plan:\n    runs-on: ubuntu-latest\n    timeout-minutes: 15\n    steps:\n      - id: realmctl\n        uses: example-org/realmctl@v0\n        with:\n          command: plan\n          snapshot: artifact\n      - if: ${{ !cancelled() && steps.realmctl.outputs.artifact-name != \'\' }}\n        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n        with:\n          name: ${{ steps.realmctl.outputs.artifact-name }}\n          overwrite: true # for a job that is run again\n          path: |\n            ${{ steps.realmctl.outputs.reviewed-file }}\n            ${{ steps.realmctl.outputs.report-file }}\n            ${{ steps.realmctl.outputs.page-file }}\n',
  apply:
    '# Applies what was merged: exactly what the pull request\'s plan showed, or nothing. If the environment requires a review, somebody has to approve the run.\nname: realmctl apply\non:\n  push:\n    branches: [main]\n    paths: ["**.yaml", "**.yml", "**.png", "**.jpg", "**.jpeg", "**.gif", "**.webp", "!.github/**"] # realm.yaml, and whatever it includes\npermissions:\n  contents: read\n  actions: read\n  pull-requests: write\nconcurrency: { group: realmctl-apply, cancel-in-progress: false } # one at a time; a run is never cancelled\njobs:\n  apply:\n    runs-on: ubuntu-latest\n    timeout-minutes: 60 # a large plan waits for the rate limit\n    environment: zulip-write\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n        with: { persist-credentials: false }\n      - id: realmctl\n        uses: example-org/realmctl@v0\n        with:\n          command: apply\n          deadline: 50m # then it stops between two calls and keeps its journal; run it again for the rest\n          reviewed: required\n          zulip-site: https://chat.example.org\n          zulip-email: ${{ secrets.ZULIP_EMAIL }}\n          zulip-api-key: ${{ secrets.ZULIP_API_KEY }}\n      # `realmctl apply --undo` needs it (docs/applying.md). It holds names and addresses, so it is kept only in private repositories.\n      - if: ${{ always() && github.event.repository.private && steps.realmctl.outputs.journal != \'\' }}\n        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n        with:\n          name: realmctl-journal-${{ github.run_id }}-${{ github.run_attempt }}\n          path: ${{ steps.realmctl.outputs.journal }}\n          include-hidden-files: true # it is below .realmctl\n          if-no-files-found: error\n          overwrite: true\n          retention-days: 90\n',
  drift:
    "# Every night: does the organization still match the file? Keeps one issue while it does not.\nname: realmctl drift\non:\n  schedule: [{ cron: \"23 3 * * *\" }]\n  workflow_dispatch:\npermissions:\n  contents: read\n  actions: read # to read the record of the last run, and see what is new since then\n  issues: write\nconcurrency: { group: realmctl-drift, cancel-in-progress: false }\njobs:\n  drift:\n    runs-on: ubuntu-latest\n    timeout-minutes: 15\n    environment: zulip-read\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n        with: { persist-credentials: false }\n      - id: realmctl\n        uses: example-org/realmctl@v0\n        with:\n          command: drift\n          zulip-site: https://chat.example.org\n          zulip-email: ${{ secrets.ZULIP_EMAIL }}\n          zulip-api-key: ${{ secrets.ZULIP_API_KEY }}\n      - if: ${{ !cancelled() && steps.realmctl.outputs.artifact-name != '' }}\n        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n        with:\n          name: ${{ steps.realmctl.outputs.artifact-name }}\n          overwrite: true # for a job that is run again\n          path: |\n            ${{ steps.realmctl.outputs.memory-file }}\n            ${{ steps.realmctl.outputs.report-file }}\n            ${{ steps.realmctl.outputs.page-file }}\n          retention-days: 14\n",
  gitlab:
    '# Plans merge requests, applies what was merged when somebody starts the job, and checks for drift every night. Include it in .gitlab-ci.yml:\n#   include: [{ local: ".gitlab/realmctl*.yml" }]\n# Settings, CI/CD, Variables (all of them masked):\n#   ZULIP_EMAIL, ZULIP_API_KEY   of an account that only reads; of the environment zulip, protected: of one that writes\n#   REALMCTL_TOKEN               a project access token (scope api, role Reporter): for the comment on the merge request; without it, there is none\n# Build, Pipeline schedules: create one that runs every night on the default branch.\n.realmctl:\n  image: node:24-slim\n  timeout: 15 minutes\n  variables:\n    REALM_FILE: realm.yaml\n    ZULIP_SITE: https://chat.example.org\n  before_script:\n    - npm install --global --ignore-scripts --no-audit --no-fund example-realmctl@0\n\nrealmctl plan:\n  extends: .realmctl\n  image: node:24 # the slim one has no git\n  stage: test\n  variables:\n    GIT_DEPTH: "0" # the commit from which the merge request starts\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "merge_request_event"\n      changes: &watched ["**/*.yaml", "**/*.yml", "**/*.png", "**/*.jpg", "**/*.jpeg", "**/*.gif", "**/*.webp"]\n  script:\n    - rm -rf realm.plan .base # what somebody committed there is not of this job\n    - base=$(git rev-parse --verify --quiet "$CI_MERGE_REQUEST_DIFF_BASE_SHA^{commit}" || true)\n    # The guard rails of that commit apply, too: no merge request raises its own limits. The default limits do where that commit has no file, or is not known.\n    - mkdir -p ".base/$(dirname "$REALM_FILE")"\n    - if [ -n "$base" ]; then git archive "$base" | tar -x -C .base; fi\n    - \'if [ ! -f ".base/$REALM_FILE" ]; then echo "policy: {}" > ".base/$REALM_FILE"; fi\'\n    # With --base, the plan names what the merge request takes out of the file, and what differs without it.\n    - code=0; realmctl plan "$REALM_FILE" --all ${base:+--base "$base"} --policy ".base/$REALM_FILE" --out realm.plan || code=$?\n    # People want to see a plan above all if a guard rail refuses it. Without one, the comment says so: the plan of an older commit does not stay.\n    - if [ -f realm.plan ]; then set -- realm.plan; else set -- "$REALM_FILE" --failed; fi\n    - if [ -n "$REALMCTL_TOKEN" ]; then realmctl comment "$@" --to gitlab; fi\n    - exit "$code"\n\n# Saves the plan of what was merged. The next job applies exactly this plan, or nothing.\nrealmctl plan of the merge:\n  extends: .realmctl\n  image: node:24 # the slim one has no git\n  stage: test\n  variables:\n    GIT_DEPTH: "0" # the commit before the merge\n  rules:\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "push"\n      changes: *watched\n  script:\n    - rm -rf realm.plan .base\n    - base=$(git rev-parse --verify --quiet "$CI_COMMIT_BEFORE_SHA^{commit}" || true)\n    # The guard rails from before the merge are in the saved plan, so they apply in the next job, too.\n    - mkdir -p ".base/$(dirname "$REALM_FILE")"\n    - if [ -n "$base" ]; then git archive "$base" | tar -x -C .base; fi\n    - \'if [ ! -f ".base/$REALM_FILE" ]; then echo "policy: {}" > ".base/$REALM_FILE"; fi\'\n    - realmctl plan "$REALM_FILE" --policy ".base/$REALM_FILE" --out realm.plan\n  artifacts:\n    access: developer # it holds names and addresses\n    paths: [realm.plan]\n    expire_in: 7 days\n\nrealmctl apply:\n  extends: .realmctl\n  stage: deploy\n  timeout: 1 hour # a large plan waits for the rate limit\n  needs: ["realmctl plan of the merge"]\n  environment: zulip\n  resource_group: realmctl-apply # one at a time\n  rules:\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "push"\n      changes: *watched\n      when: manual\n  script:\n    # At the deadline it stops between two calls and keeps its journal. Run a new pipeline for the rest.\n    - realmctl apply --plan realm.plan --yes --deadline 50m\n  artifacts:\n    when: always\n    access: developer # the journal, for `realmctl apply --undo`, holds names and addresses\n    paths: [.realmctl/]\n    expire_in: 90 days\n\nrealmctl drift:\n  extends: .realmctl\n  stage: test\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "schedule"\n  script:\n    - realmctl drift "$REALM_FILE" # exit code 2 if something differs\n',
  forgejo:
    '# Plans pull requests, applies what was merged, and checks for drift every night, on Forgejo or Gitea. Secrets of the repository: ZULIP_EMAIL and\n# ZULIP_API_KEY. Forgejo has no environments: everybody who may push a branch can read them in a workflow, so let only people push who may\n# know them. Apply plans again: guard rails and --allow decide what may be done, not the plan that the pull request showed.\nname: realmctl\non:\n  pull_request:\n    branches: [main]\n    paths: ["**.yaml", "**.yml", "**.png", "**.jpg", "**.jpeg", "**.gif", "**.webp"]\n  push:\n    branches: [main]\n    paths: ["**.yaml", "**.yml", "**.png", "**.jpg", "**.jpeg", "**.gif", "**.webp"]\n  schedule: [{ cron: "23 3 * * *" }]\nenv:\n  REALM_FILE: realm.yaml\n  ZULIP_SITE: https://chat.example.org\njobs:\n  plan:\n    if: github.event_name == \'pull_request\' && github.event.pull_request.head.repo.full_name == github.repository\n    runs-on: ubuntu-latest\n    timeout-minutes: 15\n    env:\n      ZULIP_EMAIL: ${{ secrets.ZULIP_EMAIL }}\n      ZULIP_API_KEY: ${{ secrets.ZULIP_API_KEY }}\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n        with: { persist-credentials: false, fetch-depth: 0 } # the commit from which the pull request starts\n      - run: rm -rf realm.plan .base # what somebody committed there is not of this job\n      - run: npm install --global --ignore-scripts --no-audit --no-fund example-realmctl@0\n      # With --base, the plan names what the pull request takes out of the file, and what differs without it. The guard rails of the branch apply, too: no pull\n      # request raises its own limits. The default limits do where the branch has no file yet.\n      - id: plan\n        env:\n          BASE: ${{ github.base_ref }}\n        run: |\n          base=$(git merge-base HEAD "origin/$BASE" || true)\n          mkdir -p ".base/$(dirname "$REALM_FILE")"\n          git archive "origin/$BASE" | tar -x -C .base || true\n          if [ ! -f ".base/$REALM_FILE" ]; then echo "policy: {}" > ".base/$REALM_FILE"; fi\n          realmctl plan "$REALM_FILE" --all ${base:+--base "$base"} --policy ".base/$REALM_FILE" --out realm.plan\n      # People want to see a plan above all if a guard rail refuses it. Without one, the comment says so: the plan of an older commit does not stay.\n      - if: ${{ !cancelled() }}\n        env:\n          REALMCTL_TOKEN: ${{ github.token }}\n        run: |\n          if [ -f realm.plan ]; then set -- realm.plan; else set -- "$REALM_FILE" --failed; fi\n          # The job of a fork has no key, plans nothing and says nothing.\n          [ -z "$ZULIP_API_KEY" ] || realmctl comment "$@" --to forgejo\n  apply:\n    if: github.event_name == \'push\'\n    runs-on: ubuntu-latest\n    timeout-minutes: 60 # a large plan waits for the rate limit\n    concurrency: { group: realmctl-apply, cancel-in-progress: false }\n    env:\n      ZULIP_EMAIL: ${{ secrets.ZULIP_EMAIL }}\n      ZULIP_API_KEY: ${{ secrets.ZULIP_API_KEY }}\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n        with: { persist-credentials: false, fetch-depth: 0 } # the commit before the push\n      - run: npm install --global --ignore-scripts --no-audit --no-fund example-realmctl@0\n      # The guard rails from before the push apply, too. At the deadline it stops between two calls and keeps its journal. Run it again for the rest.\n      # A saved plan under the name of the file is no file: apply would take NAME.plan as one.\n      - env:\n          BEFORE: ${{ github.event.before }}\n        run: |\n          rm -rf .base\n          mkdir -p ".base/$(dirname "$REALM_FILE")"\n          git archive "$BEFORE" | tar -x -C .base || true\n          if [ ! -f ".base/$REALM_FILE" ]; then echo "policy: {}" > ".base/$REALM_FILE"; fi\n          realmctl validate "$REALM_FILE" && realmctl apply "$REALM_FILE" --policy ".base/$REALM_FILE" --yes --deadline 50m\n      # `realmctl apply --undo` needs it. It holds names and addresses, so it is kept only in private repositories.\n      - if: ${{ always() && github.event.repository.private }}\n        uses: actions/upload-artifact@ff15f0306b3f739f7b6fd43fb5d26cd321bd4de5 # v3.2.1 # Forgejo and Gitea do not support later versions\n        with:\n          name: realmctl-journal-${{ github.run_id }}\n          path: .realmctl\n          retention-days: 90\n  drift:\n    if: github.event_name == \'schedule\'\n    runs-on: ubuntu-latest\n    timeout-minutes: 15\n    env:\n      ZULIP_EMAIL: ${{ secrets.ZULIP_EMAIL }}\n      ZULIP_API_KEY: ${{ secrets.ZULIP_API_KEY }}\n    steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n        with: { persist-credentials: false }\n      - run: npm install --global --ignore-scripts --no-audit --no-fund example-realmctl@0\n      - run: realmctl drift "$REALM_FILE" # exit code 2 if something differs\n',
  shell:
    '#!/bin/sh\n# realmctl in any CI, or from cron: plan, apply or drift of one organization. The exit code is realmctl\'s own (realmctl --help).\n#   sh realmctl-ci.sh plan     saves realm.plan; writes a comment if COMMENT_TO (gitlab, forgejo, gitea) and REALMCTL_TOKEN are set; with\n#                              PLAN_BASE=origin/main it names what the file no longer lists since that commit, and what differed before, and\n#                              the guard rails of that commit apply, too: no request raises its own limits\n#   sh realmctl-ci.sh apply    applies exactly the realm.plan that `plan` saved; the journal for --undo stays in .realmctl\n#   sh realmctl-ci.sh drift    exit code 2 if something differs\n# The key comes from the environment: ZULIP_EMAIL and ZULIP_API_KEY, or ZULIP_CONFIG with the path of a zuliprc.\nset -eu\nREALM_FILE="${REALM_FILE:-realm.yaml}"\nexport ZULIP_SITE="${ZULIP_SITE:-https://chat.example.org}"\n\ncase "${1:-}" in\n  plan)\n    code=0\n    rm -rf realm.plan .base\n    if [ -n "${PLAN_BASE:-}" ]; then\n      mkdir -p ".base/$(dirname "$REALM_FILE")"\n      git archive "$PLAN_BASE" | tar -x -C .base\n      if [ ! -f ".base/$REALM_FILE" ]; then echo "policy: {}" > ".base/$REALM_FILE"; fi\n      set -- --base "$PLAN_BASE" --policy ".base/$REALM_FILE"\n    else\n      set --\n    fi\n    realmctl plan "$REALM_FILE" --all "$@" --out realm.plan || code=$?\n    # People want to see a plan above all if a guard rail refuses it. Without one, the comment says so: the plan of an older commit does not stay.\n    if [ -f realm.plan ]; then set -- realm.plan; else set -- "$REALM_FILE" --failed; fi\n    if [ -n "${COMMENT_TO:-}" ] && [ -n "${REALMCTL_TOKEN:-}" ]; then realmctl comment "$@" --to "$COMMENT_TO"; fi\n    exit "$code"\n    ;;\n  apply)\n    # A plan that somebody committed is not the one that `plan` saved.\n    if git ls-files --error-unmatch realm.plan >/dev/null 2>&1; then\n      echo "realm.plan is committed: remove it from the repository" >&2\n      exit 64\n    fi\n    realmctl apply --plan realm.plan --yes\n    ;;\n  drift) realmctl drift "$REALM_FILE" ;;\n  *)\n    echo "usage: sh $0 plan|apply|drift" >&2\n    exit 64\n    ;;\nesac\n',
};

interface WorkflowOptions {
  readonly host: CiHost;
  /** The organization's address. */
  readonly site: string;
  /** Path of the organization's file, from the top of the repository. */
  readonly file: string;
  /** The value of `uses:`, or what npm installs: `needsOf` says which of them. Empty if neither is needed. */
  readonly from: string;
  /** The suffix of the jobs' names, if those of another organization have the plain ones: `acme`. */
  readonly beside?: string;
}

/** In the templates: an action, and a package, that do not exist. */
const TEMPLATE_ACTION = "example-org/realmctl@v0";
const TEMPLATE_PACKAGE = "example-realmctl@0";
const TEMPLATE_SITE = "https://chat.example.org";

/** `owner/repository@ref`, or `owner/repository/directory@ref`: what `uses:` takes of another repository. */
export const ACTION = /^[\w.-]+\/[\w.-]+(?:\/[\w.-]+)*@[\w./-]+$/;
/** What npm installs: a name with its version, or the https address of a tarball or a Git repository. Nothing that a shell would take for more than a word. */
export const PACKAGE = /^(?:(?:@[\w.-]+\/)?[\w.-]+@[\w.+-]+|(?:git\+)?https:\/\/[\w.\-/:@%+~]+(?:#[\w.-]+)?)$/;

/** Pictures that servers take: emoji, icon and logos. */
const PICTURES = ["png", "jpg", "jpeg", "gif", "webp"];

/** Whether the host's file names the Action, or what npm installs, or nothing. */
export function needsOf(host: CiHost): "action" | "package" | undefined {
  return host === "github" ? "action" : host === "shell" ? undefined : "package";
}

/**
 * Files of `examples/` for one organization, filled in for this one: path from the top of the repository → text. They plan pull requests, apply what
 * was merged, and check for drift every night.
 */
export function workflowFiles(options: WorkflowOptions): ReadonlyMap<string, string> {
  const { host, beside } = options;
  const [main = "", ...others] = workflowPaths(host, beside);
  switch (host) {
    case "github":
      return new Map(
        GITHUB.map((name) => [githubPath(name, beside), githubWorkflow(WORKFLOW_TEMPLATES[name], options)]),
      );
    case "gitlab":
      return new Map([[main, gitlabJobs(options)], ...others.map((path) => [path, GITLAB_INCLUDE] as const)]);
    case "forgejo":
    case "gitea":
      return new Map([[main, forgejoWorkflow(options)]]);
    case "shell":
      return new Map([[main, shellScript(options)]]);
  }
}

/** The files of a host's jobs, from the top of the repository; the one that all organizations share is last. */
export function workflowPaths(host: CiHost, beside: string | undefined): readonly string[] {
  const end = beside === undefined ? "" : `-${beside}`;
  switch (host) {
    case "github":
      return GITHUB.map((name) => githubPath(name, beside));
    case "gitlab":
      return [`.gitlab/realmctl${end}.yml`, GITLAB_MAIN];
    case "forgejo":
    case "gitea":
      return [`.${host}/workflows/realmctl${end}.yml`];
    case "shell":
      return [`realmctl-ci${end}.sh`];
  }
}

const GITHUB = ["snapshot", "plan", "apply", "drift"] as const;

const githubPath = (name: string, beside: string | undefined): string =>
  `.github/workflows/realmctl-${name}${beside === undefined ? "" : `-${beside}`}.yml`;

/** GitLab's entry file, which includes the jobs of every organization. */
export const GITLAB_MAIN = ".gitlab-ci.yml";
const GITLAB_INCLUDE = 'include: [{ local: ".gitlab/realmctl*.yml" }]\n';
/** The entry file of an earlier version, for one organization. */
const GITLAB_INCLUDE_OF_ONE = "include: [{ local: .gitlab/realmctl.yml }]\n";

/** Whether GitLab's entry file includes the jobs, or is our own, for one organization, and can be replaced. */
export function includes(main: string, jobs: string): "yes" | "no" | "replaceable" {
  if (main === GITLAB_INCLUDE_OF_ONE) return "replaceable";
  return main.includes(jobs) || main.includes(".gitlab/realmctl*.yml") ? "yes" : "no";
}

function githubWorkflow(template: string, { site, file, from, beside }: WorkflowOptions): string {
  const here = template
    .replaceAll(TEMPLATE_SITE, () => site)
    .replaceAll(TEMPLATE_ACTION, () => from)
    .replaceAll(/paths: \[.*\]/g, () => `paths: ${listed(githubPaths(file))}`);
  return besideIn("github", file === "realm.yaml" ? here : withFile(here, file), beside);
}

function forgejoWorkflow({ host, site, file, from, beside }: WorkflowOptions): string {
  const here = WORKFLOW_TEMPLATES.forgejo
    .replaceAll(TEMPLATE_SITE, () => site)
    .replaceAll(TEMPLATE_PACKAGE, () => from)
    .replaceAll("--to forgejo", `--to ${host}`)
    .replaceAll(/paths: \[.*\]/g, () => `paths: ${listed(watchedPaths(file))}`)
    .replace("REALM_FILE: realm.yaml", () => `REALM_FILE: ${fileValue(file)}`);
  return besideIn(host, here, beside);
}

function gitlabJobs({ site, file, from, beside }: WorkflowOptions): string {
  // GitLab's patterns are Ruby's: ** is any directories, and a name begins behind the slash.
  const paths = watchedPaths(file).map((path) => path.replace("**.", "**/*."));
  const here = WORKFLOW_TEMPLATES.gitlab
    .replaceAll(TEMPLATE_SITE, () => site)
    .replaceAll(TEMPLATE_PACKAGE, () => from)
    .replace(/&watched \[.*\]/, () => `&watched ${listed(paths)}`)
    .replace("REALM_FILE: realm.yaml", () => `REALM_FILE: ${fileValue(file)}`);
  return besideIn("gitlab", here, beside);
}

function shellScript({ site, file, beside }: WorkflowOptions): string {
  const here = WORKFLOW_TEMPLATES.shell
    .replace(`\${ZULIP_SITE:-${TEMPLATE_SITE}}`, () => `\${ZULIP_SITE:-${site}}`)
    .replace('"${REALM_FILE:-realm.yaml}"', () => `"\${REALM_FILE:-${file.replace(/[\\"$`}]/g, "\\$&")}}"`);
  return besideIn("shell", here, beside);
}

/** The organization files that a job's file passes to the commands; realm.yaml if it names none. */
export function filesOf(workflow: string): readonly string[] {
  const named = [...workflow.matchAll(/(?:\bfile: |REALM_FILE: |REALM_FILE:-)"?([^"}\n]+)/g)].map(
    ([, file = ""]) => file,
  );
  if (named.length === 0) return workflow.includes("realmctl") ? ["realm.yaml"] : [];
  return [...new Set(named)];
}

const listed = (paths: readonly string[]): string => JSON.stringify(paths).replaceAll(",", ", ");
const fileValue = (file: string): string => (file === "realm.yaml" ? file : JSON.stringify(file));

/**
 * GitHub's patterns for the file and everything it may include or upload, now or later: nothing outside of its directory can be named, so these are
 * the YAML files and the pictures of that directory.
 */
function watchedPaths(file: string): readonly string[] {
  const below = escaped(directoryOf(file));
  const own = /\.ya?ml$/.test(file) ? [] : [escaped(file)];
  return [...own, ...["yaml", "yml", ...PICTURES].map((extension) => `${below}**.${extension}`)];
}

/** The watched paths for GitHub, without the workflows themselves. */
export function githubPaths(file: string): readonly string[] {
  return [...watchedPaths(file), ...(directoryOf(file) === "" ? ["!.github/**"] : [])];
}

const directoryOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1).replace(/^(?:\.\/)+/, "");

/** A path in which no character is a wildcard. */
function escaped(path: string): string {
  return path.replace(/[*?+[\]!\\]/g, "\\$&");
}

/** The template with this file as the Action's input, instead of realm.yaml. */
function withFile(template: string, file: string): string {
  const quoted = JSON.stringify(file);
  return template
    .replaceAll("realm.yaml, and whatever it includes", "the file, and whatever it includes")
    .replaceAll(/^( +)command: .*$/gm, (line, indent: string) => `${line}\n${indent}file: ${quoted}`);
}
