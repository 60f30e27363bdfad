import type { Command } from "commander";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, failure } from "../model/diagnostic.ts";
import { unresolvedIn } from "../model/plan.ts";
import { type Against, rulesBeside } from "../workflow/rules.ts";
import { answerRules, type RulesAnswer, warningsOfRules } from "../workflow/rules-answers.ts";
import { fileWords } from "./command-words.ts";
import { Context, exitCodeOf, valueOrFailure } from "./context.ts";
import { diagnosticsIn } from "./diagnostics-output.ts";
import { CONNECTION, type ConnectionFlags, MANY, organizationFiles, VALUES } from "./flags.ts";
import { type Io, STANDARD_INPUT } from "./io.ts";
import { commandOf, type FlagsOf, option } from "./options.ts";
import { overOrganizations } from "./organizations/run.ts";
import { errorCodes, NO_COUNTS, type OrganizationOutcome } from "./organizations/work.ts";
import { isMissingFile } from "./stray-words.ts";

const TEST = [
  ...CONNECTION,
  ...MANY,
  ...VALUES,
  option("--rules <file>", "the rules (default: realm.test.yaml for realm.yaml)"),
  option(
    "--snapshot <file>",
    "check with the people of this snapshot (realmctl snapshot), after the file is applied to it",
  ),
  option("--live", "check with the people on the server, after the file is applied to it; changes nothing", {
    conflicts: "snapshot",
  }),
  option("--as-is", "with --snapshot or --live: the organization as it is, without the file"),
  option("--suggest", "write rules that hold today to the standard output, as a start"),
  option("--format <format>", "junit: for CI hosts; github: annotations; sarif: for code scanning", {
    choices: ["text", "json", "junit", "sarif", "github"],
    default: "text",
  }),
  option("--all", "also show the rules that hold"),
];
type TestFlags = FlagsOf<typeof TEST> & ConnectionFlags;

export function testCommand(io: Io): Command {
  return commandOf("test", TEST)
    .description(
      "Check rules about access (realm.test.yaml beside the file) against the file. Needs no server, except with --live. Exits with 8 when a rule does not hold.",
    )
    .addArgument(organizationFiles())
    .action((paths: readonly string[], flags: TestFlags) =>
      overOrganizations(new Context(io, flags), {
        command: "test",
        paths,
        forOne: [flags.snapshot !== undefined && "--snapshot", flags.suggest === true && "--suggest"],
        talks: flags.live === true,
        one: testOne,
      }),
    );
}

async function testOne(context: Context<TestFlags>): Promise<OrganizationOutcome | undefined> {
  const { io, file, flags } = context;
  if (flags.asIs === true && flags.snapshot === undefined && flags.live !== true)
    throw failure("rules/as-is-of-nothing", {});
  if (flags.suggest === true) {
    const { suggestRules } = await import("../workflow/rules-answers.ts");
    io.out.write(valueOrFailure(await againstOf(context, (against) => suggestRules(against))));
    io.setExitCode(EXIT.done);
    return undefined;
  }
  const rules = context.files(flags.rules ?? rulesBeside(file));
  const isFileMissing = flags.rules === undefined && file !== STANDARD_INPUT && (await isMissingFile(io, rules.file));
  const tested = isFileMissing
    ? ({ ok: false, diagnostics: await whyNoRules(context, rules.file) } as const)
    : await againstOf(context, (against) => answerRules(rules, against, file));
  if (!tested.ok && flags.format !== "text") {
    io.out.write(
      flags.format === "junit"
        ? (await import("../report/rules/data.ts")).errorsJunit(tested.diagnostics)
        : await diagnosticsIn(flags.format, tested.diagnostics, exitCodeOf(tested.diagnostics)),
    );
    io.setExitCode(exitCodeOf(tested.diagnostics));
    return { ...NO_COUNTS, codes: errorCodes(tested.diagnostics) };
  }
  if (!tested.ok && tested.others !== undefined) io.out.write(await outputOf(context, tested.others, []));
  const answer = valueOrFailure(tested);
  const warnings = tested.ok ? tested.warnings : [];
  await context.showLeftOut(warnings);
  const ofRules = warningsOfRules(warnings);
  const isInOutput = flags.format === "sarif" || flags.format === "github" || flags.format === "json";
  if (ofRules.length > 0 && !isInOutput) await context.show(ofRules);
  io.out.write(await outputOf(context, answer, ofRules));
  io.setExitCode(answer.exitCode);
  return {
    ...NO_COUNTS,
    codes: answer.exitCode === EXIT.ruleBroken ? ["rules/broken"] : unresolvedIn({ warnings }).map(({ code }) => code),
  };
}

/** The file is not that of an organization, but the rules themselves, a saved plan or the like; or there are no rules. */
async function whyNoRules(context: Context, missing: string): Promise<readonly Diagnostic[]> {
  const read = await readConfig({ ...context.files(), kinds });
  const isOther = ({ code, fact }: Diagnostic): boolean =>
    code === "config/cannot-read" ||
    (code === "config/unknown-section" && typeof fact.holds === "object" && "rules" in fact.holds);
  if (!read.ok && read.diagnostics.some(isOther)) return read.diagnostics;
  const [of] = fileWords(context.file);
  return [error("rules/no-rules", { missing, ...defined({ of }) })];
}

async function againstOf<T>(context: Context<TestFlags>, work: (against: Against) => Promise<T>): Promise<T> {
  const { flags } = context;
  const config = context.files();
  const over = (reader: ZulipReader): Promise<T> =>
    work(flags.asIs === true ? { what: "reading", reader } : { what: "plan", config, reader });
  if (flags.snapshot !== undefined || flags.live === true) return context.filesFirst(() => context.reading(over));
  return work({ what: "file", config });
}

async function outputOf(
  { flags: { format, all = false }, style }: Context<TestFlags>,
  answer: RulesAnswer,
  warnings: readonly Diagnostic[],
): Promise<string> {
  if (format === "github" || format === "sarif")
    return diagnosticsIn(format, [...warnings, ...(await answer.diagnostics())], answer.exitCode);
  return answer.show({ format, all, style });
}
