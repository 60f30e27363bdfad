import { defined } from "../../model/defined.ts";
import { failure } from "../../model/diagnostic.ts";
import { Context } from "../context.ts";
import { type Io, STANDARD_INPUT } from "../io.ts";
import { isMissingFile } from "../stray-words.ts";
import { isDirectory, organizationOf } from "./files.ts";
import type { Flags, Work } from "./work.ts";

/**
 * A command over one file works as before. With several files, or a directory, each organization has its own credentials and output, shown as a whole
 * and in the order of the files; of printed output only the summary is kept.
 */
export async function overOrganizations<F extends Flags>(context: Context<F>, work: Work<F>): Promise<void> {
  const { io } = context;
  const { paths } = work;
  const [path = "realm.yaml"] = paths;
  if (paths.length > 1 || (await isDirectory(io, path))) {
    const { overMany } = await import("./many.ts");
    return overMany(context, work);
  }
  const own = ofOne(context, work.isAsked);
  // Checked before any request: otherwise a misspelt name would be reported as an error of the credentials, or not at all.
  if (paths.length > 0 || work.isFileLess !== true) await refuseMissing(io, path, paths.length === 0);
  const organization = organizationOf(io, { file: path, realm: undefined }, false);
  const ran = await work.one(new Context(own.io, { ...own.flags, organization }, path));
  await ran?.closed;
}

/**
 * The context of a command over one organization: with `--quiet`, no text is printed. A person who is asked must see the plan.
 * @throws Failure for a share of one organization
 */
export function ofOne<F extends Flags>(context: Context<F>, isAsked = false): Context<F> {
  const { io, flags, file } = context;
  if (flags.shard !== undefined) {
    const shard = `${flags.shard.part}/${flags.shard.of}`;
    throw failure("organizations/shard-of-one", { shard });
  }
  const isMuted = flags.quiet === true && flags.format === "text" && !isAsked;
  return isMuted ? new Context({ ...io, out: { ...io.out, write: () => {} } }, flags, file) : context;
}

/**
 * @param isDefault the command line names no file
 * @throws Failure if no such file exists
 */
export async function refuseMissing(io: Io, file: string, isDefault = false): Promise<void> {
  if (file === STANDARD_INPUT || !(await isMissingFile(io, file))) return;
  const why = { code: "ENOENT", words: "" };
  const other = file.replace(/\.ya?ml$/, (ending) => (ending === ".yml" ? ".yaml" : ".yml"));
  const near = other === file || (await isMissingFile(io, other)) ? undefined : other;
  const fact = { file, why, ...defined({ near, is_default: isDefault ? (true as const) : undefined }) };
  throw failure("config/cannot-read", fact);
}
