import type { OtherFile } from "../model/diagnostics/syntax.ts";
import { isTree } from "./tree.ts";

/** The keys that the file of a program has: all of one row. */
const KEYS: readonly (readonly [file: OtherFile, ...keys: string[]])[] = [
  ["kubernetes", "apiVersion", "kind"],
  ["helm", "apiVersion", "name", "version"],
  ["deck", "_format_version"],
  ["compose", "services"],
  ["octodns", "providers", "zones"],
  ["pulumi", "name", "runtime"],
  ["dependabot", "version", "updates"],
  ["github", "on", "jobs"],
  ["gitlab", "stages"],
  ["gitlab", "script"],
  ["terraform", "resource"],
  ["terraform", "terraform"],
  ["terraform", "terraform_version"],
  ["cloudformation", "Resources"],
  ["openapi", "openapi"],
  ["openapi", "swagger"],
  ["package", "dependencies"],
  ["package", "devDependencies"],
  ["package", "scripts"],
  ["zulip-export", "zerver_realm"],
  ["zulip-answer", "result", "msg"],
];
/** The keys of the first entry, in a file that is a list. */
const ENTRY_KEYS: typeof KEYS = [
  ["ansible", "hosts"],
  ["ansible", "tasks"],
  ["ansible", "import_playbook"],
  ["kubernetes", "apiVersion", "kind"],
  ["slack-export", "id", "name", "creator"],
];

/** The other program whose file this is, by its keys. */
export function otherFile(value: unknown): OtherFile | undefined {
  const [rows, tree] = Array.isArray(value) ? [ENTRY_KEYS, value[0] as unknown] : [KEYS, value];
  if (!isTree(tree)) return undefined;
  return rows.find(([, ...keys]) => keys.every((key) => Object.hasOwn(tree, key)))?.[0];
}
