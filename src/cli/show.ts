import type { Command } from "commander";
import { commandLine } from "../model/command-line.ts";
import { EXIT } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { asSaved, carriesSignature, JSON_FORMAT } from "../report/commands/files.ts";
import { renderPlanJson } from "../report/json.ts";
import { renderPlanMarkdown } from "../report/markdown.ts";
import { codeText } from "../report/markdown-text.ts";
import { renderPlan } from "../report/text.ts";
import { readSavedPlan } from "../workflow/saved.ts";
import { pathWord } from "./command-words.ts";
import { Context } from "./context.ts";
import { ALL_CHANGES, OUTPUT, showsAll, WHO } from "./flags.ts";
import type { Io } from "./io.ts";
import { commandOf, type FlagsOf, option, refuseIdle } from "./options.ts";
import { namesOf, planPage } from "./plan-output.ts";

const SHOW = [
  ...OUTPUT,
  option("--format <format>", "the output format", { choices: ["text", "json", "html", "markdown"], default: "text" }),
  ALL_CHANGES,
  option("--verbose", "leave nothing out"),
  WHO,
  option("--snapshot <file>", "with html: count people from what `realmctl snapshot` wrote"),
  option("--checksum", "only the checksum, for `realmctl apply --checksum`"),
];
type ShowFlags = FlagsOf<typeof SHOW>;

export function showCommand(io: Io): Command {
  return commandOf("show", SHOW)
    .description("Show a saved plan. Needs no server, changes nothing.")
    .argument("<file>", "what `realmctl plan --out` wrote")
    .action(async (file: string, flags: ShowFlags) => {
      const context = new Context(io, flags, file);
      if (flags.checksum === true && flags.format !== "text")
        refuseIdle("show", `--format ${flags.format}`, "--checksum");
      if (flags.snapshot !== undefined && flags.format !== "html")
        refuseIdle("show", "--snapshot", `--format ${flags.format}`);
      const { plan, planned, checksum, signature } = await readSavedPlan(await context.input(file, "plan"), file);
      if (flags.checksum === true) io.out.write(`${checksum}\n`);
      else io.out.write(await textOf(context, plan, planned.snapshot));
      if (signature !== undefined && flags.checksum !== true) io.err.write(carriesSignature(signature.method));
    });
}

async function textOf(context: Context<ShowFlags>, plan: Plan, madeFrom: Snapshot): Promise<string> {
  const { file, flags, style } = context;
  const applyWith = commandLine(["apply", "--plan", pathWord(file)]);
  const all = showsAll(flags);
  switch (flags.format) {
    case "json":
      return renderPlanJson(plan, EXIT.done);
    case "html": {
      const snapshot =
        flags.snapshot === undefined
          ? undefined
          : await context.snapshotIn(flags.snapshot).snapshot({ invites: false, subscribers: false });
      return planPage(plan, snapshot, { applyWith, all });
    }
    case "markdown":
      return renderPlanMarkdown({
        plan,
        origin: { mine: [], earlier: plan.changes, adopted: [] },
        notCompared: asSaved(codeText(applyWith)),
        budget: MOST_MARKDOWN,
        elsewhere: JSON_FORMAT,
        all,
        calls: true,
      });
    case "text":
      return renderPlan(plan, {
        style,
        all,
        applyWith,
        calls: true,
        ...(await namesOf(plan, madeFrom, flags.who ?? false)),
      });
  }
}

/** The maximum size of a page that people can still open, in UTF-16 units. */
const MOST_MARKDOWN = 4_000_000;
