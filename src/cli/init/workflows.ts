import { WORKFLOW_TEMPLATES } from "./workflow-templates.ts";

export interface WorkflowOptions {
  /** The organization's address. */
  readonly site: string;
  /** Path of the organization's file, from the top of the repository. */
  readonly file: string;
  /** What `uses:` names: `owner/repository@commit`. */
  readonly action: string;
}

/** In the templates: an action that nobody has. */
const TEMPLATE_ACTION = "example-org/realmctl@v0";
const TEMPLATE_PATHS = 'paths: ["**.yaml", "**.yml", "!.github/**"]';

/** `owner/repository@ref`, or `owner/repository/directory@ref`: what `uses:` takes of another repository. */
export const ACTION = /^[\w.-]+\/[\w.-]+(?:\/[\w.-]+)*@[\w./-]+$/;

/**
 * The workflows of `examples/github/` that look after one organization, for this one: path from the top of the repository → text. They plan
 * pull requests without a key, apply what was merged, and look every night.
 */
export function workflowFiles({ site, file, action }: WorkflowOptions): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(WORKFLOW_TEMPLATES).map(([name, template]) => {
      const here = template
        .replaceAll("https://chat.example.org", () => site)
        .replaceAll(TEMPLATE_ACTION, () => action)
        .replaceAll(TEMPLATE_PATHS, () => `paths: ${JSON.stringify(watchedPaths(file)).replaceAll(",", ", ")}`);
      return [`.github/workflows/realmctl-${name}.yml`, file === "realm.yaml" ? here : withFile(here, file)];
    }),
  );
}

/**
 * GitHub's patterns for the file and whatever it may include, now or later: nothing outside of its directory can be included, so these
 * are the YAML files of that directory. Workflows are not among them.
 */
export function watchedPaths(file: string): readonly string[] {
  const below = escaped(file.slice(0, file.lastIndexOf("/") + 1).replace(/^(?:\.\/)+/, ""));
  const own = /\.ya?ml$/.test(file) ? [] : [escaped(file)];
  return [...own, `${below}**.yaml`, `${below}**.yml`, ...(below === "" ? ["!.github/**"] : [])];
}

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
