import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Those of `examples/github` that `init --workflows` offers; the others are for several organizations, or another way to do the same. */
const OFFERED = ["snapshot", "plan", "apply", "drift"] as const;

/** In the bundle, so that a command never looks for its templates. */
export function workflowTemplatesSource(root: string): string {
  const texts = OFFERED.map((name) => [name, readFileSync(join(root, "examples/github", `${name}.yml`), "utf8")]);
  return `// Made by \`npm run generate\` from examples/github: change those, not this.

/** Name of a workflow in examples/github → its text. */
export const WORKFLOW_TEMPLATES: { readonly [name: string]: string } = ${JSON.stringify(Object.fromEntries(texts), null, 2)};
`;
}
