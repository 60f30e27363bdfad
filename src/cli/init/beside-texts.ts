import type { CiHost } from "./flags.ts";

/** The variables or secrets with the credentials of the jobs, if they have no environment of their own. */
export function credentialNames(beside: string | undefined): { readonly email: string; readonly key: string } {
  const end = beside === undefined ? "" : `__${beside.toUpperCase().replaceAll("-", "_")}`;
  return { email: `ZULIP_EMAIL${end}`, key: `ZULIP_API_KEY${end}` };
}

/** Adds a suffix to the jobs of a host's file, and to all other names that must be unique in a repository. */
export function besideIn(host: CiHost, text: string, beside: string | undefined): string {
  if (beside === undefined) return text;
  switch (host) {
    case "github":
      return githubBeside(text, beside);
    case "gitlab":
      return gitlabBeside(text, beside);
    case "forgejo":
    case "gitea":
      return forgejoBeside(text, beside);
    case "shell":
      return text
        .replaceAll("realm.plan", `realm-${beside}.plan`)
        .replaceAll("realmctl-ci.sh", `realmctl-ci-${beside}.sh`);
  }
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
