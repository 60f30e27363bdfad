import { dirname } from "node:path";
import { Command, Option } from "commander";
import { defaultSections, type Exported, exportRealm } from "../export/export.ts";
import { fetchPictures, picturesIn } from "../export/pictures.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { liveObjects } from "../model/kind.ts";
import type { Policy } from "../model/objects.ts";
import { Realm } from "../model/realm.ts";
import type { FetchedPictures } from "../model/shown-picture.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { listNames } from "../model/suggest.ts";
import { isReadOnRequest } from "../plan/requests.ts";
import { commandLine } from "../report/command-line.ts";
import { roleName } from "../report/layout.ts";
import { clean, count, dotted, type Style, unglued } from "../report/style.ts";
import { readCredentials } from "../zulip/credentials.ts";
import { fetchPicture } from "../zulip/pictures.ts";
import { connectionWords, fileWords } from "./again.ts";
import type { Prompts } from "./asking.ts";
import { type Session, withSession } from "./connect.ts";
import { diffText } from "./diff-text.ts";
import { besideThem, refuseUnread, sectionsNamed } from "./export.ts";
import { type ConnectionFlags, withConnectionFlags } from "./flags.ts";
import { besideFor } from "./init/beside.ts";
import { credentialNames } from "./init/beside-texts.ts";
import { withIgnored } from "./init/gitignore.ts";
import { CI_HOSTS, type CiHost } from "./init/hosts.ts";
import { limitsOf } from "./init/limits.ts";
import { ACTION, filesOf, GITLAB_MAIN, includes, needsOf, PACKAGE, workflowFiles } from "./init/workflows.ts";
import type { Io } from "./io.ts";
import { planWith } from "./make-plan.ts";
import { ownAction, ownRelease } from "./own-action.ts";
import { promptsOf } from "./prompts.ts";
import { schemaPath } from "./schema-path.ts";
import { showDiagnostics, styleFor } from "./terminal.ts";
import { existing, textOf, writeFiles } from "./write-files.ts";

interface InitFlags extends ConnectionFlags {
  readonly file: string;
  readonly kinds?: string;
  readonly policy?: Policy;
  readonly unset?: "leave" | "default";
  readonly schema?: string;
  readonly workflows?: boolean | CiHost;
  readonly action?: string;
  readonly package?: string;
  readonly picturesFrom?: readonly string[];
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** Somebody at the terminal said no, or cancelled. */
class Cancelled extends Error {}

export function initCommand(io: Io): Command {
  return withConnectionFlags(new Command("init"))
    .description(
      "Start with an organization as it is: read it, write its file, and check that a plan of that file has no changes. Changes nothing on the server.",
    )
    .option("--file <file>", "where to write the organization", "realm.yaml")
    .option(
      "--kinds <sections>",
      "what to manage, separated by commas: channels,linkifiers (default: asks, else all it can read)",
    )
    .addOption(
      new Option(
        "--policy <policy>",
        "what happens to objects that are not in the file (default: asks, else additive)",
      ).choices(["additive", "exact", "ignore"]),
    )
    .addOption(
      new Option(
        "--unset <meaning>",
        "the meaning of a field that the file leaves out; default: it must have the value that the server gives to new objects, and drift watches it (default: asks, else default)",
      ).choices(["leave", "default"]),
    )
    .option(
      "--schema <path>",
      "the JSON Schema that the first line names, for editors (default: realmctl's own, if it is below this directory)",
    )
    .addOption(
      new Option(
        "--workflows [host]",
        "also write CI jobs: they plan each pull request, apply what was merged and check for drift every night; without a host, for GitHub (.github/workflows/realmctl-*.yml). Does not replace existing files (default: asks)",
      ).choices(CI_HOSTS),
    )
    .option(
      "--action <owner/repository@commit>",
      "what the workflows' `uses:` names (default: the repository on GitHub and the commit that this realmctl was cloned from)",
    )
    .option(
      "--package <package>",
      "what the jobs of GitLab, Forgejo and Gitea install with npm: name@version, or the https address of a tarball or Git repository (default: this realmctl, if it was installed from a release)",
    )
    .option(
      "--pictures-from <hosts...>",
      "hosts, besides the organization's own, from which pictures (emoji, icon, logos) are fetched: files.example.org",
    )
    .option("--no-workflows", "write no workflows, and do not ask about them")
    .option("--yes", "write without asking")
    .option("--force", "with --yes: replace the file if it exists")
    .action(async (flags: InitFlags) => {
      try {
        await start(io, flags);
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        io.err.write("Nothing was written.\n");
        io.setExitCode(EXIT.appliedInPart);
      }
    });
}

async function start(io: Io, flags: InitFlags): Promise<void> {
  const prompts = flags.yes === true ? undefined : await promptsOf(io);
  if (prompts === undefined && flags.yes !== true) throw new Failure(EXIT.errors, error("init/nobody-to-ask", {}));
  if (prompts === undefined && flags.force !== true && (await textOf(io, flags.file)) !== undefined)
    throw new Failure(EXIT.errors, error("init/exists", { file: flags.file }));
  for (;;) {
    const connection = await connectionOf(io, flags, prompts);
    let isIn = false;
    try {
      return await withSession(io, connection, async (session) => {
        const first = await session.reader.snapshot({ invites: false, subscribers: true });
        isIn = true;
        await withReading(io, flags, prompts, session, first);
      });
    } catch (error) {
      // What was typed can be typed again; what a file or a flag says is wrong once and for all.
      if (connection === flags || isIn || !(error instanceof Failure)) throw error;
      await showDiagnostics(io, error.diagnostics, styleFor(io, io.err, flags));
      io.err.write("Once more, or Ctrl-C to leave it.\n");
    }
  }
}

/** Credentials as every command finds them; asks for what is missing. Gives back the flags themselves when it did not ask. */
async function connectionOf(io: Io, flags: InitFlags, prompts: Prompts | undefined): Promise<ConnectionFlags> {
  const found = await readCredentials(io, flags);
  const nothing = !found.ok && found.diagnostics.every(({ code }) => code === "credentials/missing");
  if (!nothing || prompts === undefined) return flags;
  const where = flags.site ?? (await answer(prompts.text("Address of the organization, or path of a zuliprc")));
  if (!/^https?:/.test(where) && (await textOf(io, where)) !== undefined) return { ...flags, zuliprc: where };
  const email = flags.email ?? (await answer(prompts.text("E-mail address of the account (a person's, or a bot's)")));
  const key = flags.key ?? (await answer(prompts.secret("Its API key (Settings → Account & privacy → API key)")));
  const typed = (["site", "email", "key"] as const).filter((name) => flags[name] === undefined);
  return { ...flags, site: where, email, key, typed };
}

async function withReading(
  io: Io,
  flags: InitFlags,
  prompts: Prompts | undefined,
  session: Session,
  first: Snapshot,
): Promise<void> {
  const style = styleFor(io, io.out, flags);
  for (const line of signedIn(first, style)) io.out.write(`${line}\n`);
  const sections = await sectionsOf(flags, prompts, first);
  const invites = kinds.some((kind) => sections.includes(kind.section) && isReadOnRequest(kind));
  const snapshot = invites ? await session.reader.snapshot({ invites, subscribers: true }) : first;
  refuseUnread(sections, snapshot);
  const policy = await policyOf(flags, prompts);
  const unset = await unsetOf(flags, prompts, sections);
  // From here: the line itself goes up as many directories as the file is deep.
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
    policies: Object.fromEntries(sections.map((section) => [section, policy])),
    unset: unset === "default",
    ...defined({ schema }),
    explain: true,
    file: flags.file,
  });
  const host = await hostOf(flags, prompts);
  const jobs = host === undefined ? undefined : await jobsFor(io, flags, prompts, { host, site: snapshot.realm.url });
  await offer(io, flags, prompts, { exported, pictures, ...defined({ jobs }) }, style);
  await check(io, flags, session);
}

function signedIn(snapshot: Snapshot, style: Style): readonly string[] {
  const { account, server, realm } = snapshot;
  const who = `${account.full_name} (${account.email})`;
  const what = account.is_bot ? `bot, ${roleName(account.role)}` : roleName(account.role);
  const facts = dotted(style, [`Zulip ${server.zulip_version}`, `feature level ${server.feature_level}`]);
  const limits = limitsOf(snapshot, kinds).map(({ message }) => `  - ${message}`);
  return [
    `Organization   ${realm.name} (${realm.url})`,
    `Signed in as   ${who}, ${what}`,
    `Server         ${unglued(facts)}`,
    ...(limits.length === 0 ? [] : ["This account has limits:", ...limits]),
  ].map(clean);
}

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
    // Read when they are chosen; an account that may not see them is not asked.
    if (isReadOnRequest(kind))
      return limited ? [] : [{ value: kind.section, label: many, hint: kind.yaml.offeredAs ?? "" }];
    const live = liveObjects(kind, realm);
    if (live === undefined) return [];
    const amount =
      kind.shape === "singleton" ? [] : [count(live.filter(({ inactive }) => !inactive).length, one, many)];
    const hint = [...amount, ...(limited ? ["see the limits above"] : [])].join(", ");
    return [{ value: kind.section, label: many, ...defined({ hint: hint === "" ? undefined : hint }) }];
  });
  const picked = await answer(prompts.several("What should realmctl manage?", choices, initial));
  return choices.flatMap(({ value }) => (picked.includes(value) ? [value] : []));
}

async function policyOf(flags: InitFlags, prompts: Prompts | undefined): Promise<Policy> {
  if (flags.policy !== undefined || prompts === undefined) return flags.policy ?? "additive";
  const picked = await answer(
    prompts.choose("Objects that the file does not know", [
      { value: "additive", label: "leave them alone", hint: "additive" },
      { value: "exact", label: "remove them", hint: "exact: channels are archived, groups deactivated" },
    ]),
  );
  return picked === "exact" ? "exact" : "additive";
}

/** What nobody wrote is where organizations are opened by hand: it is watched unless somebody says no. */
async function unsetOf(
  flags: InitFlags,
  prompts: Prompts | undefined,
  sections: readonly string[],
): Promise<"leave" | "default"> {
  const isAsked = kinds.some(({ section, diff }) => sections.includes(section) && diff?.defaults !== undefined);
  if (flags.unset !== undefined || prompts === undefined || !isAsked) return flags.unset ?? "default";
  const picked = await answer(
    prompts.choose("Settings that the file does not name, because they have the server's defaults", [
      {
        value: "default",
        label: "watch them: they keep the server's defaults",
        hint: "recommended; unset: default",
      },
      { value: "leave", label: "leave them alone: anybody may change them", hint: "unset: leave" },
    ]),
  );
  return picked === "leave" ? "leave" : "default";
}

/** Whose jobs are written; undefined: none. */
async function hostOf({ workflows }: InitFlags, prompts: Prompts | undefined): Promise<CiHost | undefined> {
  if (typeof workflows === "string") return workflows;
  if (workflows !== undefined || prompts === undefined) return workflows === true ? "github" : undefined;
  const picked = await answer(
    prompts.choose("GitHub workflows: plan pull requests, apply what is merged, check for drift every night", [
      { value: "no", label: "no", hint: "later: realmctl init --workflows" },
      { value: "yes", label: "yes", hint: "four files in .github/workflows" },
    ]),
  );
  return picked === "yes" ? "github" : undefined;
}

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

/** What npm installs: never a name that may be somebody else's by then. */
async function packageOf(io: Io, { package: given }: InitFlags): Promise<string> {
  const spec = given ?? (await ownRelease(io))?.package;
  if (spec !== undefined && PACKAGE.test(spec)) return spec;
  throw new Failure(
    EXIT.errors,
    error("init/no-package", defined({ given: given === undefined ? undefined : quote(given) })),
  );
}

/** What `uses:` names: never something that is not there. */
async function actionOf(io: Io, { action }: InitFlags, prompts: Prompts | undefined): Promise<string> {
  const question = "Where is realmctl on GitHub, and which commit do you trust? (owner/repository@commit)";
  const given =
    action ??
    (await ownAction(io)) ??
    (await ownRelease(io))?.action ??
    (prompts && (await answer(prompts.text(question))));
  if (given !== undefined && ACTION.test(given)) return given;
  throw new Failure(EXIT.errors, error("init/no-action", given === undefined ? {} : { written: quote(given) }));
}

/** The jobs of one organization, for a host. */
interface Jobs {
  readonly host: CiHost;
  /** What their names end with; undefined: those of the first organization have the plain names. */
  readonly beside: string | undefined;
  /** Path from the top of the repository → text. */
  readonly files: ReadonlyMap<string, string>;
}

async function jobsFor(
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

/** What there is to write. */
interface Offered {
  readonly exported: Exported;
  readonly pictures: FetchedPictures;
  readonly jobs?: Jobs;
}

/** Shows every file before any is written. */
async function offer(
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
      `${clean(`  left out: ${field === undefined ? "" : `${field} of `}${section} ${JSON.stringify(name)}: ${reason}`)}\n`,
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

function secretsNeeded({ host, beside }: Jobs): string {
  const end = beside === undefined ? "" : `-${beside}`;
  if (host === "github")
    return `the workflows need ZULIP_EMAIL and ZULIP_API_KEY in the environments zulip-read${end} and zulip-write${end}: docs/action.md`;
  const { email, key } = credentialNames(host === "shell" ? undefined : beside);
  return `the jobs need ${email} and ${key}; what else is at the top of the file, and in docs/ci.md`;
}

async function check(io: Io, flags: InitFlags, session: Session): Promise<void> {
  const { file } = flags;
  const { plan } = await planWith(io, file, session.reader);
  if (plan.changes.length === 0) {
    io.out.write(`Checked: planning ${clean(file)} against the organization changes nothing.\n`);
    io.setExitCode(EXIT.done);
    return;
  }
  io.out.write(
    `Planning ${clean(file)} finds ${count(plan.changes.length, "change", "changes")}: somebody changed the organization meanwhile. Look: ${commandLine(["plan", ...fileWords(file), ...connectionWords(flags)])}\n`,
  );
  io.setExitCode(EXIT.changesPending);
}

/** @throws Cancelled */
async function answer<T>(asked: Promise<T | undefined>): Promise<T> {
  const given = await asked;
  if (given === undefined) throw new Cancelled();
  return given;
}
