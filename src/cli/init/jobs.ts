import { defined, whenDefined } from "../../model/defined.ts";
import { EXIT, error, Failure } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { secretsOfEnvironments, secretsOfJobs } from "../../report/commands/files.ts";
import { QUESTIONS } from "../../report/commands/init.ts";
import type { Prompts } from "../asking.ts";
import type { Io } from "../io.ts";
import { ownAction, ownRelease } from "../own-action.ts";
import { answer } from "./answer.ts";
import { besideFor } from "./beside.ts";
import { credentialNames } from "./beside-texts.ts";
import type { CiHost, InitFlags } from "./flags.ts";
import { ACTION, needsOf, PACKAGE, workflowFiles } from "./workflows.ts";

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
  throw new Failure(
    EXIT.errors,
    error("init/no-package", defined({ given: given === undefined ? undefined : quote(given) })),
  );
}

/** The value of `uses:`: never an action that does not exist. */
async function actionOf(io: Io, { action }: InitFlags, prompts: Prompts | undefined): Promise<string> {
  const given =
    action ??
    (await ownAction(io)) ??
    (await ownRelease(io))?.action ??
    (prompts && (await answer(prompts.text(QUESTIONS.action))));
  if (given !== undefined && ACTION.test(given)) return given;
  throw new Failure(EXIT.errors, error("init/no-action", defined({ written: whenDefined(given, quote) })));
}

/** The jobs of one organization, for a host. */
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
