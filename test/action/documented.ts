import { readFileSync } from "node:fs";
import type { Permissions } from "./fake-permissions.ts";

/** `` `issues: write` `` and similar in a sentence. */
function permissionsIn(text: string): Permissions {
  const found: { [name: string]: "read" | "write" } = {};
  for (const [, name = "", right] of text.matchAll(/`([a-z-]+): (read|write)`/g))
    found[name] = right === "write" ? "write" : "read";
  return found;
}

/** The table of docs/ci.md: command → permissions. */
export const DOCUMENTED: ReadonlyMap<string, Permissions> = new Map(
  [
    ...readFileSync(new URL("../../docs/ci.md", import.meta.url), "utf8").matchAll(
      /^\| (`[^|]+) \|[^|]*\| ([^|]*`contents:[^|]*) \|$/gm,
    ),
  ].map(([, command = "", rights = ""]) => [command.replaceAll("`", ""), permissionsIn(rights)]),
);
