import type { Command } from "commander";
import { fetchPictures, picturesIn } from "../export/check.ts";
import { defaultSections, exportRealm } from "../export/export.ts";
import { kinds } from "../kinds/registry.ts";
import { commandLine } from "../model/command-line.ts";
import { defined } from "../model/defined.ts";
import { EXIT, Failure, failure } from "../model/diagnostic.ts";
import { liveObjects, newerSettings } from "../model/kind.ts";
import type { Policy } from "../model/objects.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { count } from "../model/words.ts";
import { isReadOnRequest } from "../plan/requests.ts";
import { NOTHING_WRITTEN } from "../report/commands/adopt.ts";
import {
  CHOICES,
  changedMeanwhile,
  checkedFile,
  keptFile,
  ONCE_MORE,
  QUESTIONS,
  SEE_LIMITS,
  signedIn,
} from "../report/commands/init.ts";
import { newerLines } from "../report/words/newer.ts";
import { readCredentials } from "../zulip/credentials.ts";
import { fetchPicture } from "../zulip/pictures.ts";
import { connectionWords, fileWords } from "./command-words.ts";
import type { Session } from "./connect.ts";
import { Context } from "./context.ts";
import { refuseUnread, sectionsNamed } from "./export.ts";
import type { ConnectionFlags } from "./flags.ts";
import { type CiHost, INIT, type InitFlags } from "./init/flags.ts";
import { jobsFor } from "./init/jobs.ts";
import { limitsOf } from "./init/limits.ts";
import { offer } from "./init/offer.ts";
import type { Io, Prompts } from "./io.ts";
import { commandOf } from "./options.ts";
import { planWith } from "./plan-with.ts";
import { answer, Cancelled, promptsOf } from "./prompts.ts";
import { refuseOtherEnding, schemaPath, textOf } from "./write-files.ts";

export function initCommand(io: Io): Command {
  return commandOf("init", INIT)
    .description(
      "Start from an existing organization: read it, write its file, and check that a plan of that file has no changes. Changes nothing on the server.",
    )
    .action(async (flags: InitFlags) => {
      try {
        await start(new Context(io, flags, flags.file));
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        io.err.write(NOTHING_WRITTEN);
        io.setExitCode(EXIT.appliedInPart);
      }
    });
}

async function start(context: Context<InitFlags>): Promise<void> {
  const { io, flags } = context;
  const prompts = flags.yes === true ? undefined : await promptsOf(io);
  if (prompts === undefined && flags.yes !== true) throw failure("init/nobody-to-ask", {});
  const there = await textOf(io, flags.file);
  if (there === undefined) refuseOtherEnding(flags.file, "configuration");
  const isThere = flags.force !== true && there !== undefined;
  const isForJobs = isThere && (flags.workflows ?? false) !== false;
  if (prompts === undefined && isThere && !isForJobs) throw failure("init/exists", { file: flags.file });
  for (;;) {
    const connection = await connectionOf(context, prompts);
    let isIn = false;
    try {
      return await new Context(io, connection).session(async (session) => {
        const first = await session.reader.snapshot({ invites: false, subscribers: !isForJobs });
        isIn = true;
        if (isForJobs) await jobsAlone(context, prompts, first);
        else await withReading(context, prompts, session, first);
      });
    } catch (error) {
      // A typed value can be typed again; a value of a file or an option cannot.
      if (connection === flags || isIn || !(error instanceof Failure)) throw error;
      await context.show(error.diagnostics);
      io.err.write(ONCE_MORE);
    }
  }
}

/** Jobs for a file that somebody has already written: nothing else is touched. */
async function jobsAlone(
  context: Context<InitFlags>,
  prompts: Prompts | undefined,
  { realm }: Snapshot,
): Promise<void> {
  const { io, flags } = context;
  const host = await hostOf(flags, prompts);
  if (host === undefined) return;
  io.out.write(keptFile(flags.file));
  const jobs = await jobsFor(io, flags, prompts, { host, site: realm.url });
  await offer(context, prompts, { jobs });
  io.setExitCode(EXIT.done);
}

/** Finds credentials as every command does, and asks for missing ones. Returns the flags themselves if it did not ask. */
async function connectionOf({ io, flags }: Context<InitFlags>, prompts: Prompts | undefined): Promise<ConnectionFlags> {
  const found = await readCredentials(io, flags);
  const nothing = !found.ok && found.diagnostics.every(({ code }) => code === "credentials/missing");
  if (!nothing || prompts === undefined) return flags;
  const where = flags.site ?? (await answer(prompts.text(QUESTIONS.address)));
  if (!/^https?:/.test(where) && (await textOf(io, where)) !== undefined) return { ...flags, zuliprc: where };
  const email = flags.email ?? (await answer(prompts.text(QUESTIONS.email)));
  const key = flags.key ?? (await answer(prompts.secret(QUESTIONS.key)));
  const typed = (["site", "email", "key"] as const).filter((name) => flags[name] === undefined);
  return { ...flags, site: where, email, key, typed };
}

async function withReading(
  context: Context<InitFlags>,
  prompts: Prompts | undefined,
  session: Session,
  first: Snapshot,
): Promise<void> {
  const { io, flags, style } = context;
  const limits = limitsOf(first, kinds).map(({ fact }) => fact);
  for (const line of signedIn(first, limits, style)) io.out.write(`${line}\n`);
  for (const line of newerLines(newerSettings(kinds, new Realm(first)), first.server.feature_level)) io.out.write(line);
  const sections = await sectionsOf(flags, prompts, first);
  const invites = kinds.some((kind) => sections.includes(kind.section) && isReadOnRequest(kind));
  const snapshot = invites ? await session.reader.snapshot({ invites, subscribers: true }) : first;
  refuseUnread(sections, snapshot);
  const policy = await policyOf(flags, prompts);
  const realm = new Realm(snapshot);
  const opens = kinds.flatMap(({ section, yaml }) => (yaml?.opens?.(realm) === true ? [section] : []));
  const watched = flags.policy === undefined ? opens : [];
  const unset = await unsetOf(flags, prompts, sections);
  // Relative to this directory: the line goes up as many directories as the file is deep.
  const schema = flags.schema ?? (await schemaPath(io));
  const pictures = await fetchPictures(picturesIn(snapshot, kinds, sections), (address, mostBytes) =>
    fetchPicture(session.connection, address, { mostBytes, others: flags.picturesFrom ?? [] }),
  );
  const exported = await exportRealm({
    snapshot,
    kinds,
    sections,
    pictures,
    foundBy: "init",
    policies: Object.fromEntries(sections.map((section) => [section, watched.includes(section) ? "exact" : policy])),
    unset: unset === "default",
    ...defined({ schema }),
    explain: true,
    file: flags.file,
  });
  const host = await hostOf(flags, prompts);
  const jobs = host === undefined ? undefined : await jobsFor(io, flags, prompts, { host, site: snapshot.realm.url });
  await offer(context, prompts, { made: { exported, pictures }, ...defined({ jobs }) });
  await check(context, session);
}

async function check({ io, flags, file }: Context<InitFlags>, session: Session): Promise<void> {
  const { plan } = await planWith(new Context(io, {}, file), session.reader);
  if (plan.changes.length === 0) {
    io.out.write(checkedFile(file));
    io.setExitCode(EXIT.done);
    return;
  }
  const command = commandLine(["plan", ...fileWords(file), ...connectionWords(flags)]);
  io.out.write(changedMeanwhile(file, plan.changes.length, command));
  io.setExitCode(EXIT.changesPending);
}

/** Asks which sections realmctl should manage. */
async function sectionsOf(
  flags: InitFlags,
  prompts: Prompts | undefined,
  snapshot: Snapshot,
): Promise<readonly string[]> {
  if (flags.kinds !== undefined) return sectionsNamed(flags.kinds);
  const initial = defaultSections(snapshot, kinds);
  if (prompts === undefined) return initial;
  const realm = new Realm(snapshot);
  const limits = limitsOf(snapshot, kinds);
  const choices = kinds.flatMap((kind) => {
    const limited = limits.some(({ sections }) => sections.includes(kind.section));
    const [one, many] = kind.noun;
    if (kind.yaml?.item === undefined) return [];
    // Read when they are selected; an account that cannot read them is not asked.
    if (isReadOnRequest(kind))
      return limited ? [] : [{ value: kind.section, label: many, hint: kind.yaml.offeredAs ?? "" }];
    const live = liveObjects(kind, realm);
    if (live === undefined) return [];
    const amount =
      kind.shape === "singleton" ? [] : [count(live.filter(({ inactive }) => !inactive).length, one, many)];
    const hint = [...amount, ...(limited ? [SEE_LIMITS] : [])].join(", ");
    return [{ value: kind.section, label: many, ...defined({ hint: hint === "" ? undefined : hint }) }];
  });
  const picked = await answer(prompts.several(QUESTIONS.sections, choices, initial));
  return choices.flatMap(({ value }) => (picked.includes(value) ? [value] : []));
}

/** Asks what happens to objects that the file does not declare. */
async function policyOf(flags: InitFlags, prompts: Prompts | undefined): Promise<Policy> {
  if (flags.policy !== undefined || prompts === undefined) return flags.policy ?? "additive";
  const picked = await answer(prompts.choose(QUESTIONS.undeclared, CHOICES.undeclared));
  return picked === "exact" ? "exact" : "additive";
}

/** Asks whether fields that the file leaves out are watched; default yes, since such fields often open an organization. */
async function unsetOf(
  flags: InitFlags,
  prompts: Prompts | undefined,
  sections: readonly string[],
): Promise<"leave" | "default"> {
  const isAsked = kinds.some(({ section, diff }) => sections.includes(section) && diff?.defaults !== undefined);
  if (flags.unset !== undefined || prompts === undefined || !isAsked) return flags.unset ?? "default";
  const picked = await answer(prompts.choose(QUESTIONS.unset, CHOICES.unset));
  return picked === "leave" ? "leave" : "default";
}

/** The host for which jobs are written; undefined: no jobs. */
async function hostOf({ workflows }: InitFlags, prompts: Prompts | undefined): Promise<CiHost | undefined> {
  if (typeof workflows === "string") return workflows;
  if (workflows !== undefined || prompts === undefined) return workflows === true ? "github" : undefined;
  const picked = await answer(prompts.choose(QUESTIONS.workflows, CHOICES.workflows));
  return picked === "yes" ? "github" : undefined;
}
