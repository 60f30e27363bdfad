import type { Command } from "commander";
import { defined } from "../model/defined.ts";
import { failure } from "../model/diagnostic.ts";
import { countUncompared } from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { NOBODY_TOLD, RULES_NOT_CHECKED } from "../report/commands/run.ts";
import { renderDrift } from "../report/drift.ts";
import { type DriftRules, driftExitCode, renderDriftJson } from "../report/json.ts";
import { brokenDiagnostics } from "../report/rules/facts.ts";
import { renderRules } from "../report/rules/text.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { ruleCounts } from "../rules/result.ts";
import type { LoadOptions } from "../source/load.ts";
import { rulesBeside, testRules } from "../workflow/rules.ts";
import { driftOf } from "../workflow/workflow.ts";
import { waysOn } from "./command-words.ts";
import { Context } from "./context.ts";
import { organizationFiles, showsAll } from "./flags.ts";
import type { Io } from "./io.ts";
import { makePlan } from "./make-plan.ts";
import { commandOf, refuseIdle } from "./options.ts";
import { overOrganizations } from "./organizations/run.ts";
import { countsOf, type OrganizationOutcome } from "./organizations/work.ts";
import { DRIFT, type DriftFlags } from "./plan-flags.ts";
import { textOf } from "./write-files.ts";

export function driftCommand(io: Io): Command {
  return commandOf("drift", DRIFT)
    .description(
      "Show where the organization differs from the file, and which objects the file does not mention. Exits with 2 when something differs.",
    )
    .addArgument(organizationFiles())
    .action((paths: readonly string[], flags: DriftFlags) =>
      overOrganizations(new Context(io, flags), {
        command: "drift",
        paths,
        forOne: [flags.snapshot !== undefined && "--snapshot", flags.watch === true && "--watch"],
        talks: true,
        one: driftOne,
      }),
    );
}

async function driftOne(context: Context<DriftFlags>): Promise<OrganizationOutcome | undefined> {
  const { io, file, flags } = context;
  if (flags.watch === true) {
    if (flags.format === "html") throw failure("drift/watch-format", {});
    const { watch } = await import("./watch.ts");
    io.setExitCode(await context.filesFirst(() => watch(context)));
    return undefined;
  }
  if (flags.rules !== undefined && flags.format === "html") refuseIdle("drift", "--rules", "--format html");
  const rules = await rulesOf(context);
  const reads = defined({ subscribers: rules && true });
  let asked: Drift["differences"] | undefined;
  const ask: Parameters<typeof makePlan>[4] = async ({ connection }, { plan, snapshot }) => {
    const [{ whoChanged }, { readTopic }] = await Promise.all([
      import("../workflow/who-changed.ts"),
      import("../zulip/topic-messages.ts"),
    ]);
    asked = await whoChanged(driftOf(plan).differences, snapshot, (topic) => readTopic(connection, topic));
  };
  const compares = { comparesOnly: true, covers: flags.coverage === true };
  const { planned, closed } = await makePlan(context, reads, "take", compares, flags.who ? ask : undefined);
  const found = driftOf(planned.plan);
  if (asked !== undefined && asked.length > 0 && !asked.some(({ changed_by }) => changed_by !== undefined))
    io.err.write(NOBODY_TOLD);
  const drift = { ...found, differences: asked ?? found.differences };
  const checkedRules = rules === undefined ? undefined : await checked(rules, planned.snapshot, context.files());
  const { format } = flags;
  io.out.write(
    flags.coverage === true && format !== "json"
      ? await coverageOutput(context, drift)
      : format === "html"
        ? await driftPage(drift, planned.snapshot, showsAll(flags))
        : format === "json"
          ? renderDriftJson(drift, checkedRules && dataOf(checkedRules))
          : renderDrift(drift, {
              style: context.style,
              all: showsAll(flags),
              ...waysOn(file, flags),
            }),
  );
  if (format === "text" && checkedRules !== undefined) io.out.write(`\n${await rulesText(context, checkedRules)}`);
  io.setExitCode(driftExitCode(drift.exitCode, checkedRules && dataOf(checkedRules)));
  const counts = countsOf(drift.plan, drift.differences);
  const changes = drift.differences.length + countUncompared(drift.uncompared);
  return { ...counts, changes, uncompared: null, closed };
}

/** The rules of the file: the named ones, or those beside it. An HTML page does not show them, and neither does `--coverage`. */
async function rulesOf(context: Context<DriftFlags>): Promise<LoadOptions | undefined> {
  const { io, file, flags } = context;
  if (flags.format === "html" || flags.coverage === true) return undefined;
  const rules = flags.rules ?? rulesBeside(file);
  const isThere = flags.rules !== undefined || (file !== "-" && (await textOf(io, rules)) !== undefined);
  return isThere ? context.files(rules) : undefined;
}

type RulesResult = Awaited<ReturnType<typeof testRules>>;
type CheckedRules = Extract<RulesResult, { ok: true }>["value"];

const checked = (rules: LoadOptions, snapshot: Snapshot, invitations: LoadOptions): Promise<RulesResult> =>
  testRules(rules, { what: "reading", reader: { snapshot: async () => snapshot }, invitations });

/** Rules that cannot be read, or that no longer fit the organization, count as broken: their results are unknown. */
function dataOf(result: RulesResult): DriftRules {
  if (!result.ok) {
    const found = result.diagnostics.filter(({ severity }) => severity === "error").map(wordedDiagnostic);
    const others = result.others === undefined ? undefined : dataOfRules(result.others);
    return {
      ...(others ?? ruleCounts([])),
      broken: found.length + (others?.broken ?? 0),
      cannotBeHeld: true,
      messages: [...found.map(({ message }) => message), ...(others?.messages ?? [])],
    };
  }
  return dataOfRules(result.value);
}

function dataOfRules({ outcomes, ground }: CheckedRules): DriftRules {
  return {
    ...ruleCounts(outcomes),
    messages: outcomes.flatMap((outcome) =>
      brokenDiagnostics(outcome, ground).map((broken) => wordedDiagnostic(broken).message),
    ),
  };
}

async function rulesText(context: Context<DriftFlags>, result: RulesResult): Promise<string> {
  const { file, flags, style } = context;
  const warnings = result.ok ? result.warnings.filter(({ code }) => code.startsWith("rules/")) : [];
  if (warnings.length > 0) await context.show(warnings);
  if (result.ok) return renderRules(result.value, { style, all: showsAll(flags), file });
  await context.show(result.diagnostics);
  return result.others === undefined
    ? RULES_NOT_CHECKED
    : renderRules(result.others, { style, all: showsAll(flags), file });
}

/** The drift as an HTML page, whose renderer is loaded only here. */
async function driftPage(drift: Drift, snapshot: Snapshot, all: boolean): Promise<string> {
  const { renderDriftHtml } = await import("../report/html-drift.ts");
  const { accessMatrix } = await import("../report/access.ts");
  return renderDriftHtml(drift, accessMatrix(drift.plan, snapshot), { all });
}

/** What is compared, and what not, whose renderer is loaded only here. */
async function coverageOutput({ flags, style }: Context<DriftFlags>, drift: Drift): Promise<string> {
  const { renderCoverage, renderCoverageHtml } = await import("../report/coverage.ts");
  if (flags.format === "html") return renderCoverageHtml(drift);
  return renderCoverage(drift, { style, all: flags.all ?? false });
}
