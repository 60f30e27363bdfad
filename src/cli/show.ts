import { Command, Option } from "commander";
import { digestOf, parsePlanFile } from "../apply/plan-file.ts";
import { EXIT } from "../model/diagnostic.ts";
import { renderPlanJson } from "../report/json.ts";
import { renderPlan } from "../report/text.ts";
import { withOutputFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { planPage } from "./plan-page.ts";
import { readInput } from "./read-input.ts";
import { snapshotReader } from "./snapshot-reader.ts";
import { styleFor } from "./terminal.ts";

export interface ShowFlags {
  readonly format: "text" | "json" | "html";
  readonly snapshot?: string;
  readonly all?: boolean;
  readonly checksum?: boolean;
  readonly color?: boolean;
}

export function showCommand(io: Io): Command {
  return withOutputFlags(new Command("show"))
    .description("Show a saved plan. Needs no server, changes nothing.")
    .argument("<file>", "what `realmctl plan --out` wrote")
    .addOption(new Option("--format <format>", "of the output").choices(["text", "json", "html"]).default("text"))
    .option("--all", "every single change, however many")
    .option("--snapshot <file>", "with html: count the people in what `realmctl snapshot` wrote")
    .option("--checksum", "only the number that `realmctl apply --checksum` wants")
    .action(async (file: string, flags: ShowFlags) => {
      const plan = parsePlanFile(await readInput(io, file, "the plan"), file);
      if (flags.checksum === true) {
        io.out.write(`${digestOf(plan)}\n`);
      } else if (flags.format === "json") {
        io.out.write(renderPlanJson(plan, EXIT.done));
      } else if (flags.format === "html") {
        const snapshot =
          flags.snapshot === undefined
            ? undefined
            : await snapshotReader(io, flags.snapshot).snapshot({ invites: false, subscribers: false });
        const applyWith = `realmctl apply --plan ${file}`;
        io.out.write(await planPage(plan, snapshot, { applyWith, all: flags.all ?? false }));
      } else {
        const style = styleFor(io, io.out, flags);
        io.out.write(renderPlan(plan, { style, all: flags.all ?? false, applyWith: `realmctl apply --plan ${file}` }));
      }
    });
}
