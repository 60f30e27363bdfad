/** Functions for paths inside a project, with "/" on every system. */

import { matchesWildcard } from "../model/wildcard.ts";
import { MOST_LISTED } from "./limits.ts";

export const directoryOf = (file: string): string =>
  file.includes("/") ? file.slice(0, file.lastIndexOf("/")) || "/" : "";

export const join = (directory: string, path: string): string =>
  directory === "" || path === "" ? directory || path : `${directory.replace(/\/$/, "")}/${path}`;

/**
 * `path` relative to `directory`, both below the root: "a" and "../b.yaml" give "b.yaml". Undefined if it leaves the root (or has another root).
 */
export function resolveBelow(directory: string, path: string): string | undefined {
  if (/^([/\\]|[A-Za-z]:)/.test(path)) return undefined;
  const parts = directory === "" ? [] : directory.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** A path below a root as seen from one of its directories: "a/b/c.yaml" from "a/d" is "../b/c.yaml". */
export function relativeTo(directory: string, path: string): string {
  const from = partsOf(directory);
  const to = partsOf(path);
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

const partsOf = (path: string): readonly string[] => (path === "" ? [] : path.split("/"));

/** A path of a file, with the `..` in it taken from what is before them. */
export function joinUp(directory: string, path: string): string {
  if (!path.startsWith("..")) return join(directory, path);
  const parts: string[] = [];
  const isAbsolute = directory.startsWith("/");
  for (const part of [...directory.split("/"), ...path.split("/")]) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return `${isAbsolute ? "/" : ""}${parts.join("/")}` || ".";
}

export const isGlob = (path: string): boolean => /[*?]/.test(path);

/** The maximum depth of `**`. */
const DEEPEST_DIRECTORY = 20;

/**
 * Files below the root that match: `*` and `?` within a name, `**` for any directories, sorted. A pattern matches names that start with a dot only if
 * it starts with a dot itself. `isWhole` is false if there are too many directories to search all of them.
 * @param list names in a directory (relative to the root; "" is the root itself); rejects if it is not a directory
 */
export async function expandGlob(
  pattern: string,
  list: (directory: string) => Promise<readonly string[]>,
): Promise<{ readonly found: readonly string[]; readonly isWhole: boolean }> {
  const found = new Set<string>();
  const walked = new Set<string>();
  const known = new Map<string, readonly string[]>();
  let isWhole = true;
  async function walk(directory: string, parts: readonly string[], depth: number): Promise<void> {
    const [part, ...rest] = parts;
    if (part === undefined || depth > DEEPEST_DIRECTORY) return;
    // Several `**` reach the same directory in many ways, with the same rest of the pattern.
    const step = `${parts.length} ${directory}`;
    if (walked.has(step)) return;
    walked.add(step);
    if (!known.has(directory) && known.size >= MOST_LISTED) {
      isWhole = false;
      return;
    }
    const names = known.get(directory) ?? (await namesIn(directory, list));
    known.set(directory, names);
    if (part === "**") {
      await walk(directory, rest, depth);
      for (const name of names) if (!name.startsWith(".")) await walk(join(directory, name), parts, depth + 1);
      return;
    }
    for (const name of names) {
      if (!matchesWildcard(part, name) || (name.startsWith(".") && !part.startsWith("."))) continue;
      if (rest.length === 0) found.add(join(directory, name));
      else await walk(join(directory, name), rest, depth + 1);
    }
  }
  await walk("", pattern.split("/"), 0);
  return { found: [...found].sort(), isWhole };
}

/** The names in a directory; none for a file, or for a directory that disappeared. */
async function namesIn(
  directory: string,
  list: (directory: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await list(directory);
  } catch {
    return [];
  }
}
