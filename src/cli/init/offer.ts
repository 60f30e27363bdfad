import { dirname } from "node:path";
import type { Exported } from "../../export/export.ts";
import type { FetchedPictures } from "../../model/shown-picture.ts";
import {
  exportNotes,
  type JobsFileFact,
  staysAsItIs,
  writeThis,
  wroteFile,
  wrotePictures,
} from "../../report/commands/files.ts";
import { IGNORED_TITLE } from "../../report/commands/init.ts";
import type { Context } from "../context.ts";
import { diffText } from "../diff-text.ts";
import { besideThem, nounsOf } from "../export.ts";
import type { Io, Prompts } from "../io.ts";
import { answer, Cancelled } from "../prompts.ts";
import { existing, textOf, writeFiles } from "../write-files.ts";
import type { InitFlags } from "./flags.ts";
import { type Jobs, secretsNeeded } from "./jobs.ts";
import { filesOf, GITLAB_MAIN, includes } from "./workflows.ts";

/** Files that must not be in a repository: journals, saved plans (they name private channels), credentials. */
const IGNORED = [".realmctl/", "*.plan", "*zuliprc"] as const;

/** The file with the missing lines added; the same text if it has all of them. */
export function withIgnored(text: string | undefined): string {
  const lines = (text ?? "").split(/\r?\n/).map((line) => line.trim());
  const missing = IGNORED.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  if (missing.length === 0) return text ?? "";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`;
  return `${before}${before === "" ? "" : "\n"}${IGNORED_TITLE}\n${missing.join("\n")}\n`;
}

/** The files to write. */
interface Offered {
  /** The new configuration; undefined: there is one, and it stays. */
  readonly made?: { readonly exported: Exported; readonly pictures: FetchedPictures };
  readonly jobs?: Jobs;
}

/** Shows every file before it asks; without questions only with `--verbose`. */
export async function offer(
  { io, flags, style }: Context<InitFlags>,
  prompts: Prompts | undefined,
  { made, jobs }: Offered,
): Promise<void> {
  const workflows: Jobs["files"] = jobs?.files ?? new Map();
  const ignored = await textOf(io, ".gitignore");
  const wanted = [...(made?.exported.files ?? []), [".gitignore", withIgnored(ignored)] as const, ...workflows];
  const changed = new Map<string, string>();
  for (const [file, text] of wanted) {
    const before = await textOf(io, file);
    if (before === text) continue;
    // Somebody may have added information that only they know: environments, branches, a trusted commit.
    if (before !== undefined && workflows.has(file) && !isReplaceable(file, before)) {
      io.out.write(staysAsItIs(file, whatIsMissing(before, text, flags.file, workflows)));
      continue;
    }
    if (prompts !== undefined || flags.verbose === true) io.out.write(`\n${diffText(file, before, text, style)}`);
    if (prompts !== undefined && !(await answer(prompts.yes(writeThis(file, before !== undefined))))) {
      // Without its file there is nothing to start with.
      if (file === flags.file) throw new Cancelled();
      continue;
    }
    changed.set(file, text);
  }
  await writeFiles(io, changed);
  if (made !== undefined && changed.has(flags.file)) await writePictures(io, flags, made.exported, made.pictures);
  for (const [file, text] of changed)
    io.out.write(wroteFile(file, text, made !== undefined && file === flags.file ? nounsOf(made.exported) : [], style));
  if (jobs !== undefined && [...workflows.keys()].some((file) => changed.has(file))) io.out.write(secretsNeeded(jobs));
  if (made !== undefined) for (const line of exportNotes(made.exported)) io.out.write(line);
}

/** GitLab's first file, as an earlier version of realmctl wrote it. */
const isReplaceable = (file: string, before: string): boolean =>
  file === GITLAB_MAIN && includes(before, "") === "replaceable";

/** What a user has to do by hand about an existing job file. */
function whatIsMissing(before: string, text: string, file: string, workflows: Jobs["files"]): JobsFileFact | undefined {
  if (text.startsWith("include:")) {
    const jobs = [...workflows.keys()].find((path) => path !== GITLAB_MAIN) ?? "";
    return includes(before, jobs) === "yes" ? undefined : { kind: "include-missing", line: text.trim() };
  }
  const others = filesOf(before);
  if (others.length === 0 || others.includes(file)) return undefined;
  return { kind: "of-other-files", files: others, file };
}

/** Writes the pictures beside the file that names them. Existing files stay. */
async function writePictures(
  io: Io,
  { file, force }: InitFlags,
  { files }: Exported,
  pictures: FetchedPictures,
): Promise<void> {
  const beside = besideThem(pictures, files, dirname(file));
  const there = force === true ? [] : await existing(io, beside.keys());
  await writeFiles(io, new Map([...beside].filter(([path]) => !there.includes(path))));
  for (const line of wrotePictures(beside.size - there.length, there)) io.out.write(line);
}
