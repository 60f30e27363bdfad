import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defined } from "../model/defined.ts";
import { isObject } from "../model/json.ts";
import type { Io } from "./io.ts";

/**
 * The value of `uses:` in a workflow for the realmctl that is running: the repository on GitHub from which this clone comes, at the commit that is
 * checked out. Undefined if that is not certain: realmctl was not cloned, not from GitHub, or the commit is on no branch there.
 * @param root for tests: the directory of realmctl
 */
export async function ownAction(
  io: Pick<Io, "git">,
  root: string | undefined = ownRoot(),
): Promise<string | undefined> {
  if (root === undefined || io.git === undefined) return undefined;
  const top = await io.git(root, ["rev-parse", "--show-toplevel"]);
  // Below node_modules it would be the repository of somebody who uses realmctl.
  if (top === undefined || resolve(top) !== resolve(root)) return undefined;
  const remote = await io.git(root, ["remote", "get-url", "origin"]);
  const repository =
    /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      remote ?? "",
    )?.[1];
  const commit = await io.git(root, ["rev-parse", "HEAD"]);
  if (repository === undefined || commit === undefined || !/^[0-9a-f]{40}$/.test(commit)) return undefined;
  const branches = await io.git(root, ["branch", "--remotes", "--contains", commit]);
  return branches === undefined || branches === "" ? undefined : `${repository}@${commit}`;
}

/** The release workflow writes this into package.json of the tarball. */
interface Release {
  /** `owner/repository@commit` on GitHub. */
  readonly action?: string;
  /** The package that npm installs. */
  readonly package?: string;
}

/**
 * The release that this realmctl was installed from; undefined when it was not installed from a release.
 * @param root for tests: the directory of realmctl
 */
export async function ownRelease(
  io: Pick<Io, "readFile">,
  root: string | undefined = directoryWith("package.json"),
): Promise<Release | undefined> {
  if (root === undefined) return undefined;
  try {
    const form: unknown = JSON.parse(await io.readFile(join(root, "package.json"), {}, "look"));
    const release = isObject(form) && form.name === "realmctl" ? form.release : undefined;
    if (!isObject(release)) return undefined;
    const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
    return defined({ action: text(release.action), package: text(release.package) });
  } catch {
    return undefined;
  }
}

/** The directory of realmctl: beside dist/ in the bundle, two folders up in the sources. */
function ownRoot(): string | undefined {
  return directoryWith("action.yml", "package.json");
}

function directoryWith(...names: readonly string[]): string | undefined {
  return ["..", "../..", "../../.."]
    .map((up) => join(import.meta.dirname, up))
    .find((directory) => names.every((name) => existsSync(join(directory, name))));
}
