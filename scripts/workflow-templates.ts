import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The workflows of `examples/` that `init --workflows` offers; the others are for several organizations, or another way to do the same. */
const OFFERED = {
  snapshot: "github/snapshot.yml",
  plan: "github/plan.yml",
  apply: "github/apply.yml",
  drift: "github/drift.yml",
  gitlab: "gitlab/realmctl.yml",
  forgejo: "forgejo/realmctl.yml",
  shell: "shell/realmctl-ci.sh",
} as const;

/** They are in the bundle, so that a command never searches for its templates. */
export function workflowTemplatesSource(root: string): string {
  const texts = Object.entries(OFFERED).map(([name, path]) => [
    name,
    readFileSync(join(root, "examples", path), "utf8"),
  ]);
  return `// Made by \`npm run generate\` from examples/. Change these, not this file.

/** Name of a workflow → its text in examples/. */
export const WORKFLOW_TEMPLATES: { readonly [name in ${Object.keys(OFFERED)
    .map((name) => JSON.stringify(name))
    .join(" | ")}]: string } = ${JSON.stringify(Object.fromEntries(texts), null, 2)};
`;
}
