import { WORKFLOW_TEMPLATES } from "./workflow-templates.ts";

/** Whose jobs the files are for; `shell` is a script for everything else. */
export const CI_HOSTS = ["github", "gitlab", "forgejo", "gitea", "shell"] as const;
export type CiHost = (typeof CI_HOSTS)[number];

export interface WorkflowOptions {
  readonly host: CiHost;
  /** The organization's address. */
  readonly site: string;
  /** Path of the organization's file, from the top of the repository. */
  readonly file: string;
  /** What `uses:` names, or what npm installs: `needsOf` says which of them. Nothing where neither is needed. */
  readonly from: string;
}

/** In the templates: an action, and a package, that nobody has. */
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
 * Files of `examples/` that look after one organization, for this one: path from the top of the repository → text. They plan what is
 * proposed, apply what was merged, and look every night.
 */
export function workflowFiles(options: WorkflowOptions): ReadonlyMap<string, string> {
  switch (options.host) {
    case "github":
      return new Map(
        GITHUB.map((name) => [
          `.github/workflows/realmctl-${name}.yml`,
          githubWorkflow(WORKFLOW_TEMPLATES[name], options),
        ]),
      );
    case "gitlab":
      return new Map([
        [".gitlab/realmctl.yml", gitlabJobs(options)],
        [".gitlab-ci.yml", "include: [{ local: .gitlab/realmctl.yml }]\n"],
      ]);
    case "forgejo":
    case "gitea":
      return new Map([[`.${options.host}/workflows/realmctl.yml`, forgejoWorkflow(options)]]);
    case "shell":
      return new Map([["realmctl-ci.sh", shellScript(options)]]);
  }
}

const GITHUB = ["snapshot", "plan", "apply", "drift"] as const;

function githubWorkflow(template: string, { site, file, from }: WorkflowOptions): string {
  const here = template
    .replaceAll(TEMPLATE_SITE, () => site)
    .replaceAll(TEMPLATE_ACTION, () => from)
    .replaceAll(/paths: \[.*\]/g, () => `paths: ${listed(githubPaths(file))}`);
  return file === "realm.yaml" ? here : withFile(here, file);
}

function forgejoWorkflow({ host, site, file, from }: WorkflowOptions): string {
  return WORKFLOW_TEMPLATES.forgejo
    .replaceAll(TEMPLATE_SITE, () => site)
    .replaceAll(TEMPLATE_PACKAGE, () => from)
    .replaceAll("--to forgejo", `--to ${host}`)
    .replaceAll(/paths: \[.*\]/g, () => `paths: ${listed(watchedPaths(file))}`)
    .replace("REALM_FILE: realm.yaml", () => `REALM_FILE: ${fileValue(file)}`);
}

function gitlabJobs({ site, file, from }: WorkflowOptions): string {
  // GitLab's patterns are Ruby's: ** is any directories, and a name begins behind the slash.
  const paths = watchedPaths(file).map((path) => path.replace("**.", "**/*."));
  return WORKFLOW_TEMPLATES.gitlab
    .replaceAll(TEMPLATE_SITE, () => site)
    .replaceAll(TEMPLATE_PACKAGE, () => from)
    .replace(/&watched \[.*\]/, () => `&watched ${listed(paths)}`)
    .replace("REALM_FILE: realm.yaml", () => `REALM_FILE: ${fileValue(file)}`);
}

function shellScript({ site, file }: WorkflowOptions): string {
  return WORKFLOW_TEMPLATES.shell
    .replace(`\${ZULIP_SITE:-${TEMPLATE_SITE}}`, () => `\${ZULIP_SITE:-${site}}`)
    .replace('"${REALM_FILE:-realm.yaml}"', () => `"\${REALM_FILE:-${file.replace(/[\\"$`}]/g, "\\$&")}}"`);
}

/** The files of organizations that a job's file hands over; without a word about it: realm.yaml. */
export function filesOf(workflow: string): readonly string[] {
  const named = [...workflow.matchAll(/(?:\bfile: |REALM_FILE: |REALM_FILE:-)"?([^"}\n]+)/g)].map(
    ([, file = ""]) => file,
  );
  return named.length === 0 ? ["realm.yaml"] : [...new Set(named)];
}

const listed = (paths: readonly string[]): string => JSON.stringify(paths).replaceAll(",", ", ");
const fileValue = (file: string): string => (file === "realm.yaml" ? file : JSON.stringify(file));

/**
 * GitHub's patterns for the file and whatever it may include or upload, now or later: nothing outside of its directory can be named, so these
 * are the YAML files and the pictures of that directory.
 */
export function watchedPaths(file: string): readonly string[] {
  const below = escaped(directoryOf(file));
  const own = /\.ya?ml$/.test(file) ? [] : [escaped(file)];
  return [...own, ...["yaml", "yml", ...PICTURES].map((extension) => `${below}**.${extension}`)];
}

/** Workflows are no part of an organization. */
export function githubPaths(file: string): readonly string[] {
  return [...watchedPaths(file), ...(directoryOf(file) === "" ? ["!.github/**"] : [])];
}

const directoryOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1).replace(/^(?:\.\/)+/, "");

/** A path that is meant letter by letter. */
function escaped(path: string): string {
  return path.replace(/[*?+[\]!\\]/g, "\\$&");
}

/** Hands that file to the Action in place of realm.yaml. */
function withFile(template: string, file: string): string {
  const quoted = JSON.stringify(file);
  return template
    .replaceAll("realm.yaml, and whatever it includes", "the file, and whatever it includes")
    .replaceAll(/^( +)command: .*$/gm, (line, indent: string) => `${line}\n${indent}file: ${quoted}`);
}
