import { dirname } from "node:path";
import type { Exported } from "../../export/export.ts";
import { kinds } from "../../kinds/registry.ts";
import type { FetchedPictures } from "../../model/shown-picture.ts";
import { listNames } from "../../model/suggest.ts";
import { clean, count, dotted, type Style, unglued } from "../../report/style.ts";
import { omissionText } from "../../report/words/export.ts";
import type { Prompts } from "../asking.ts";
import { diffText } from "../diff-text.ts";
import { besideThem } from "../export.ts";
import type { Io } from "../io.ts";
import { existing, textOf, writeFiles } from "../write-files.ts";
import { answer, Cancelled } from "./answer.ts";
import type { InitFlags } from "./flags.ts";
import { withIgnored } from "./gitignore.ts";
import { type Jobs, secretsNeeded } from "./jobs.ts";
import { filesOf, GITLAB_MAIN, includes } from "./workflows.ts";

/** What there is to write. */
interface Offered {
  readonly exported: Exported;
  readonly pictures: FetchedPictures;
  readonly jobs?: Jobs;
}

/** Shows every file before any is written. */
export async function offer(
  io: Io,
  flags: InitFlags,
  prompts: Prompts | undefined,
  { exported, pictures, jobs }: Offered,
  style: Style,
): Promise<void> {
  const workflows: Jobs["files"] = jobs?.files ?? new Map();
  const ignored = await textOf(io, ".gitignore");
  const wanted = [...exported.files, [".gitignore", withIgnored(ignored)] as const, ...workflows];
  const changed = new Map<string, string>();
  for (const [file, text] of wanted) {
    const before = await textOf(io, file);
    if (before === text) continue;
    // Somebody wrote into it what only they know: environments, branches, the commit that they trust.
    if (before !== undefined && workflows.has(file) && !isReplaceable(file, before)) {
      io.out.write(
        `${clean(`${file} is there already and stays as it is.${whatIsMissing(before, text, flags.file, workflows)}`)}\n`,
      );
      continue;
    }
    io.out.write(`\n${diffText(file, before, text, style)}`);
    const question = before === undefined ? `Write ${file}?` : `${file} is there already. Change it as shown?`;
    if (prompts !== undefined && !(await answer(prompts.yes(question)))) {
      // Without its file there is nothing to start with.
      if (file === flags.file) throw new Cancelled();
      continue;
    }
    changed.set(file, text);
  }
  await writeFiles(io, changed);
  if (changed.has(flags.file)) await writePictures(io, flags, exported, pictures);
  const { counts, profiles, omitted } = exported;
  const nouns = kinds.flatMap((kind) => {
    const number = counts.get(kind.section);
    if (number === undefined) return [];
    return [kind.shape === "singleton" ? kind.noun[1] : count(number, ...kind.noun)];
  });
  for (const file of changed.keys())
    io.out.write(`${clean(unglued(dotted(style, [`Wrote ${file}`, ...(file === flags.file ? nouns : [])])))}\n`);
  if (jobs !== undefined && [...workflows.keys()].some((file) => changed.has(file)))
    io.out.write(`  ${secretsNeeded(jobs)}\n`);
  for (const { name, members } of profiles)
    io.out.write(`${clean(`  ${members.size} channels share the profile ${JSON.stringify(name)}`)}\n`);
  for (const { section, name, field, reason } of omitted)
    io.out.write(
      `${clean(`  left out: ${field === undefined ? "" : `${field} of `}${section} ${JSON.stringify(name)}: ${omissionText(reason)}`)}\n`,
    );
}

/** Our own first file of GitLab's, as an earlier version wrote it. */
const isReplaceable = (file: string, before: string): boolean =>
  file === GITLAB_MAIN && includes(before, "") === "replaceable";

/** What somebody has to do by hand about a job's file that stays. */
function whatIsMissing(before: string, text: string, file: string, workflows: Jobs["files"]): string {
  if (text.startsWith("include:")) {
    const jobs = [...workflows.keys()].find((path) => path !== GITLAB_MAIN) ?? "";
    return includes(before, jobs) === "yes" ? "" : ` Add to it: ${text.trim()}`;
  }
  const others = filesOf(before);
  if (others.length === 0 || others.includes(file)) return "";
  return ` It looks after ${listNames(others)}, not ${file}: write one for ${file} beside it, under another name (docs/ci.md).`;
}

/** Beside the file that names them. Those that are there stay, as other files do. */
async function writePictures(
  io: Io,
  { file, force }: InitFlags,
  { files }: Exported,
  pictures: FetchedPictures,
): Promise<void> {
  const beside = besideThem(pictures, files, dirname(file));
  const there = force === true ? [] : await existing(io, beside.keys());
  await writeFiles(io, new Map([...beside].filter(([path]) => !there.includes(path))));
  const number = beside.size - there.length;
  if (number > 0) io.out.write(`Wrote ${count(number, "picture", "pictures")} beside it\n`);
  if (there.length > 0) io.out.write(`${clean(`  left as they are: ${listNames(there)}`)}\n`);
}
