import type { Command } from "commander";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import type { Desired } from "../model/desired.ts";
import type { Checked, Diagnostic, Ending } from "../model/diagnostic.ts";
import { Realm } from "../model/realm.ts";
import { count } from "../model/words.ts";
import { type ValidFile, validText } from "../report/commands/files.ts";
import { readWhole } from "../workflow/guards.ts";
import { planRealm } from "../workflow/workflow.ts";
import { Context, exitCodeOf } from "./context.ts";
import { diagnosticsIn } from "./diagnostics-output.ts";
import { CONNECTION, type ConnectionFlags, MANY, organizationFiles, VALUES } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { overOrganizations } from "./organizations/run.ts";
import { errorCodes, NO_COUNTS, type OrganizationOutcome } from "./organizations/work.ts";

const VALIDATE = [
  ...CONNECTION,
  ...MANY,
  ...VALUES,
  option("--snapshot <file>", "also check names, rules and rights against this snapshot (realmctl snapshot)"),
  option("--live", "also check names, limits and this account's rights: reads the server, changes nothing", {
    conflicts: "snapshot",
  }),
  option("--format <format>", "github: annotations for GitHub Actions; sarif: for code scanning", {
    choices: ["text", "json", "github", "sarif"],
    default: "text",
  }),
];
type ValidateFlags = FlagsOf<typeof VALIDATE> & ConnectionFlags;

interface Outcome extends Omit<ValidFile, "file"> {
  readonly diagnostics: readonly Diagnostic[];
  /** The state that the last line reports if there are errors. */
  readonly ending: Ending;
}

export function validateCommand(io: Io): Command {
  return commandOf("validate", VALIDATE)
    .description(
      "Look for errors in the file. Needs no server, except with --live or with options that name an account.",
    )
    .addArgument(organizationFiles())
    .action((paths: readonly string[], flags: ValidateFlags) =>
      overOrganizations(new Context(io, flags), {
        command: "validate",
        paths,
        forOne: [flags.snapshot !== undefined && "--snapshot"],
        talks: isLive(flags),
        one: validateOne,
      }),
    );
}

async function validateOne(context: Context<ValidateFlags>): Promise<OrganizationOutcome> {
  const { io, file, flags } = context;
  const outcome = await validate(context);
  const exitCode = exitCodeOf(outcome.diagnostics);
  const codes = errorCodes(outcome.diagnostics);
  if (flags.format === "text") {
    await context.show(outcome.diagnostics, outcome.ending);
    if (codes.length === 0) io.out.write(validText({ file, ...outcome }, context.style));
  } else io.out.write(await diagnosticsIn(flags.format, outcome.diagnostics, exitCode));
  io.setExitCode(exitCode);
  return { ...NO_COUNTS, codes };
}

async function validate(context: Context<ValidateFlags>): Promise<Outcome> {
  const { flags } = context;
  const files = context.files();
  // Everything that would stop a plan is an error, too: levels, rights, values that the server refuses.
  const heldAgainst = async (reader: ZulipReader): Promise<Omit<Outcome, "ending">> => {
    const planned = await planRealm({ ...files, kinds, reader });
    if (!planned.ok) return { diagnostics: planned.diagnostics, contents: [] };
    const { snapshot } = planned.value;
    const { realm, taken_at } = snapshot;
    // The server knows rights that a file alone has not: only with them it is a valid file.
    const contents = contentsOf(await readConfig({ ...files, kinds, realm: new Realm(snapshot) }));
    return { diagnostics: planned.warnings, contents, against: { url: realm.url, takenAt: taken_at } };
  };
  if (flags.snapshot !== undefined || isLive(flags)) {
    const held = await context.filesFirst(() => context.reading(heldAgainst));
    return { ...held, ending: flags.snapshot === undefined ? "nothing-changed" : "not-said" };
  }
  const desired = await readWhole({ ...files, kinds });
  const diagnostics = desired.ok ? desired.warnings : desired.diagnostics;
  return { diagnostics, contents: contentsOf(desired), ending: "not-said" };
}

/** "9 channels", of each section; of a file with errors, nothing. */
function contentsOf(desired: Checked<Desired>): readonly string[] {
  if (!desired.ok) return [];
  return kinds.flatMap((kind) => {
    const objects = desired.value.sections.get(kind.section);
    if (objects === undefined) return [];
    return [kind.shape === "singleton" ? kind.noun[1] : count(objects.length, ...kind.noun)];
  });
}

/**
 * Whether to read from a server. An account on the command line asks for that; variables of the environment alone do not, since they are there for
 * other commands.
 */
function isLive({ live, site, email, key, zuliprc }: ValidateFlags): boolean {
  return live === true || [site, email, key, zuliprc].some((given) => given !== undefined);
}
