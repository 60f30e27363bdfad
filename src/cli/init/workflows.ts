import type { CiHost } from "./flags.ts";
import { WORKFLOW_TEMPLATES } from "./workflow-templates.ts";

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
  const texts = HOSTS[options.host].texts(options);
  return new Map(workflowPaths(options.host, options.beside).map((path, index) => [path, texts[index] ?? ""]));
}

/** The files of a host's jobs, from the top of the repository; the one that all organizations share is last. */
export const workflowPaths = (host: CiHost, beside: string | undefined): readonly string[] =>
  HOSTS[host].paths(beside === undefined ? "" : `-${beside}`);

interface Host {
  /** @param end the suffix of the files of another organization, or empty */
  readonly paths: (end: string) => readonly string[];
  /** The texts of these files. */
  readonly texts: (options: WorkflowOptions) => readonly string[];
  /** Adds the suffix to the jobs of a file, and to all other names that must be unique in a repository. */
  readonly beside: (text: string, beside: string) => string;
}

const GITHUB = ["snapshot", "plan", "apply", "drift"] as const;

const likeForgejo = (host: "forgejo" | "gitea"): Host => ({
  paths: (end) => [`.${host}/workflows/realmctl${end}.yml`],
  texts: (options) => [forgejoWorkflow(options)],
  beside: forgejoBeside,
});

const HOSTS: { readonly [host in CiHost]: Host } = {
  github: {
    paths: (end) => GITHUB.map((name) => `.github/workflows/realmctl-${name}${end}.yml`),
    texts: (options) => GITHUB.map((name) => githubWorkflow(WORKFLOW_TEMPLATES[name], options)),
    beside: githubBeside,
  },
  gitlab: {
    paths: (end) => [`.gitlab/realmctl${end}.yml`, GITLAB_MAIN],
    texts: (options) => [gitlabJobs(options), GITLAB_INCLUDE],
    beside: gitlabBeside,
  },
  forgejo: likeForgejo("forgejo"),
  gitea: likeForgejo("gitea"),
  shell: {
    paths: (end) => [`realmctl-ci${end}.sh`],
    texts: (options) => [shellScript(options)],
    beside: (text, beside) =>
      text.replaceAll("realm.plan", `realm-${beside}.plan`).replaceAll("realmctl-ci.sh", `realmctl-ci-${beside}.sh`),
  },
};

const besideIn = (host: CiHost, text: string, beside: string | undefined): string =>
  beside === undefined ? text : HOSTS[host].beside(text, beside);

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

/** The variables or secrets with the credentials of the jobs, if they have no environment of their own. */
export function credentialNames(beside: string | undefined): { readonly email: string; readonly key: string } {
  const end = beside === undefined ? "" : `__${beside.toUpperCase().replaceAll("-", "_")}`;
  return { email: `ZULIP_EMAIL${end}`, key: `ZULIP_API_KEY${end}` };
}

function githubBeside(text: string, beside: string): string {
  return (
    text
      .replace(/^name: realmctl \w+$/m, (line) => `${line} ${beside}`)
      .replace(/(?<=\bgroup: "?)realmctl-\w+/, (group) => `${group}-${beside}`)
      .replace(/(?<=^ +environment: )zulip-\w+/m, (environment) => `${environment}-${beside}`)
      .replace("realmctl-journal-${{", () => `realmctl-journal-${beside}-\${{`)
      .replaceAll(/\b(?:snapshot|plan)\.yml(?= wrote)/g, (name) => `realmctl-${name.replace(".yml", `-${beside}.yml`)}`)
      // Both organizations store snapshots and plans among the artifacts of one repository.
      .replace(/^( +)command: (\w+)$(?:\n +file: .*$)?/m, (lines, indent: string, command: string) =>
        [
          lines,
          ...(command === "snapshot" || command === "plan" ? [`snapshot-artifact: realmctl-snapshot-${beside}`] : []),
          ...(command === "plan" || command === "apply" ? [`plan-artifact: realmctl-plan-${beside}`] : []),
        ].join(`\n${indent}`),
      )
  );
}

/**
 * Adds the suffix to GitLab's jobs. Job names, also hidden ones, are unique in a pipeline. A variable of the project takes precedence over one of the
 * file, but not over the script.
 */
function gitlabBeside(text: string, beside: string): string {
  const { email, key } = credentialNames(beside);
  return text
    .replaceAll(/(?<=^realmctl )[\w ]+(?=:$)/gm, (name) => `${name} ${beside}`)
    .replaceAll(/(?<=^(?: +extends: )?)\.realmctl(?=:?$)/gm, (name) => `${name}-${beside}`)
    .replace('needs: ["realmctl plan of the merge"]', `needs: ["realmctl plan of the merge ${beside}"]`)
    .replace("environment: zulip\n", `environment: zulip-${beside}\n`)
    .replace("of the environment zulip,", `of the environment zulip-${beside},`)
    .replace("resource_group: realmctl-apply", `resource_group: realmctl-apply-${beside}`)
    .replace("ZULIP_EMAIL, ZULIP_API_KEY  ", `${email}, ${key}  `)
    .replace("    ZULIP_SITE: ", "    REALM_SITE: ")
    .replace(
      "  before_script:\n",
      () => `  before_script:\n    - export ZULIP_SITE="$REALM_SITE" ZULIP_EMAIL="$${email}" ZULIP_API_KEY="$${key}"\n`,
    );
}

function forgejoBeside(text: string, beside: string): string {
  const { email, key } = credentialNames(beside);
  return text
    .replace(/^name: realmctl$/m, `name: realmctl ${beside}`)
    .replace("group: realmctl-apply", `group: realmctl-apply-${beside}`)
    .replace("realmctl-journal-${{", `realmctl-journal-${beside}-\${{`)
    .replaceAll("secrets.ZULIP_EMAIL ", `secrets.${email} `)
    .replaceAll("secrets.ZULIP_API_KEY ", `secrets.${key} `)
    .replace("ZULIP_EMAIL and\n# ZULIP_API_KEY", `${email} and\n# ${key}`);
}
