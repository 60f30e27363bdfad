import { WORKFLOW_TEMPLATES } from "./workflow-templates.ts";

export interface WorkflowOptions {
  /** The organization's address. */
  readonly site: string;
  /** Path of the organization's file, from the top of the repository. */
  readonly file: string;
}

/**
 * The workflows of `examples/github/` that look after one organization, for this one: path from the top of the repository → text. They plan
 * pull requests without a key, apply what was merged, and look every night.
 */
export function workflowFiles({ site, file }: WorkflowOptions): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(WORKFLOW_TEMPLATES).map(([name, template]) => {
      const here = template.replaceAll("https://chat.example.org", () => site);
      return [`.github/workflows/realmctl-${name}.yml`, file === "realm.yaml" ? here : withFile(here, file)];
    }),
  );
}

/** Watches that file in place of realm.yaml, and hands it to the Action. */
function withFile(template: string, file: string): string {
  const quoted = JSON.stringify(file);
  return template
    .replaceAll('paths: ["realm.yaml", ', () => `paths: [${quoted}, `)
    .replaceAll(/^( +)command: .*$/gm, (line, indent: string) => `${line}\n${indent}file: ${quoted}`);
}
