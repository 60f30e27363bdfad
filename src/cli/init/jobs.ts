import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defined, whenDefined } from "../../model/defined.ts";
import { failure } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { isObject } from "../../model/json.ts";
import { secretsOfEnvironments, secretsOfJobs } from "../../report/commands/files.ts";
import { QUESTIONS } from "../../report/commands/init.ts";
import type { Io, Prompts } from "../io.ts";
import { nameOf } from "../organizations/files.ts";
import { answer } from "../prompts.ts";
import { textOf } from "../write-files.ts";
import type { CiHost, InitFlags } from "./flags.ts";
import {
  ACTION,
  credentialNames,
  filesOf,
  GITLAB_MAIN,
  needsOf,
  PACKAGE,
  workflowFiles,
  workflowPaths,
} from "./workflows.ts";

async function fromOf(host: CiHost, io: Io, flags: InitFlags, prompts: Prompts | undefined): Promise<string> {
  switch (needsOf(host)) {
    case "action":
      return actionOf(io, flags, prompts);
    case "package":
      return packageOf(io, flags);
    case undefined:
      return "";
  }
}

/** The package that npm installs: never a name that somebody else could own. */
async function packageOf(io: Io, { package: given }: InitFlags): Promise<string> {
  const spec = given ?? (await ownRelease(io))?.package;
  if (spec !== undefined && PACKAGE.test(spec)) return spec;
  throw failure("init/no-package", defined({ given: given === undefined ? undefined : quote(given) }));
}

/** The value of `uses:`: never an action that does not exist. */
async function actionOf(io: Io, { action }: InitFlags, prompts: Prompts | undefined): Promise<string> {
  const given =
    action ??
    (await ownAction(io)) ??
    (await ownRelease(io))?.action ??
    (prompts && (await answer(prompts.text(QUESTIONS.action))));
  if (given !== undefined && ACTION.test(given)) return given;
  throw failure("init/no-action", defined({ written: whenDefined(given, quote) }));
}

export interface Jobs {
  readonly host: CiHost;
  /** The suffix of their names; undefined: the first organization has the plain names. */
  readonly beside: string | undefined;
  /** Path from the top of the repository → text. */
  readonly files: ReadonlyMap<string, string>;
}

/** The files of the jobs, and what has to be installed for them. @throws Failure if the source is not known */
export async function jobsFor(
  io: Io,
  flags: InitFlags,
  prompts: Prompts | undefined,
  { host, site }: { readonly host: CiHost; readonly site: string },
): Promise<Jobs> {
  const from = await fromOf(host, io, flags, prompts);
  const { file } = flags;
  const beside = await besideFor(io, host, file);
  return { host, beside, files: workflowFiles({ host, site, file, from, ...defined({ beside }) }) };
}

/** What a user has to enter at the host by hand. */
export function secretsNeeded({ host, beside }: Jobs): string {
  const end = beside === undefined ? "" : `-${beside}`;
  if (host === "github") return secretsOfEnvironments(end);
  return secretsOfJobs(credentialNames(host === "shell" ? undefined : beside));
}

/**
 * The suffix of the names of an organization's jobs. The first organization in a repository has the plain names; every other one has a suffix, so
 * that the files do not collide. Existing jobs keep their names.
 */
async function besideFor(io: Io, host: CiHost, file: string): Promise<string | undefined> {
  const own = ownEnding(file);
  const found = await Promise.all(
    [undefined, ...endings(own, file)].map(async (beside) => ({
      beside,
      whose: await whoseAre(io, host, beside, file),
    })),
  );
  const mine = found.find(({ whose }) => whose === "own") ?? found.find(({ whose }) => whose === "nobody");
  return mine?.beside;
}

function endings(own: string, file: string): readonly string[] {
  const digest = createHash("sha256").update(file).digest("hex").slice(0, 8);
  return own === "" ? [digest] : [own, `${own}-${digest}`];
}

/** The suffix for a file, as in the organization's own variables: `acme` for `orgs/acme.yaml` and `orgs/acme/realm.yaml`. */
function ownEnding(file: string): string {
  return nameOf(file)
    .toLowerCase()
    .replaceAll("_", "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, "");
}

async function whoseAre(
  io: Io,
  host: CiHost,
  beside: string | undefined,
  file: string,
): Promise<"own" | "other" | "nobody"> {
  const paths = workflowPaths(host, beside).filter((path) => path !== GITLAB_MAIN);
  const texts = await Promise.all(paths.map((path) => textOf(io, path)));
  const whose = texts.flatMap((text) => (text === undefined ? [] : filesOf(text)));
  if (whose.includes(file)) return "own";
  return whose.length === 0 ? "nobody" : "other";
}

/**
 * The value of `uses:` in a workflow for the realmctl that is running: the repository on GitHub from which this clone comes, at the commit that is
 * checked out. Undefined if that is not certain: realmctl was not cloned, not from GitHub, or the commit is on no branch there.
 * @param root for tests: the directory of realmctl
 */
export async function ownAction(
  io: Pick<Io, "git">,
  root: string | undefined = ownRoot(),
): Promise<string | undefined> {
  if (root === undefined) return undefined;
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
async function ownRelease(
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
