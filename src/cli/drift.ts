import { Command, Option } from "commander";
import { EXIT, Failure } from "../model/diagnostic.ts";
import type { Drift } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { renderDrift } from "../report/drift.ts";
import { renderDriftJson } from "../report/json.ts";
import { driftOf } from "../workflow/workflow.ts";
import { type DriftFlags, waysOn } from "./drift-flags.ts";
import { withConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { makePlan } from "./make-plan.ts";
import { styleFor } from "./terminal.ts";

export function driftCommand(io: Io): Command {
  return withConnectionFlags(new Command("drift"))
    .description(
      "Show what no longer is as the file says, and what the file does not know. Exits with 2 when something differs.",
    )
    .argument("[file]", "the organization as it should be", "realm.yaml")
    .option("--snapshot <file>", "compare with what `realmctl snapshot` wrote; needs no server")
    .addOption(new Option("--format <format>", "of the output").choices(["text", "json", "html"]).default("text"))
    .option("--policy <file>", "guard rails besides those of the file: says which of them apply would be refused by")
    .option("--all", "every single difference, however many")
    .addOption(
      new Option("--watch", "stay, and report every change as it happens; with json one line each").conflicts(
        "snapshot",
      ),
    )
    .action(async (file: string, flags: DriftFlags) => {
      if (flags.watch === true) {
        if (flags.format === "html") throw noPageOfWatch();
        const { watch } = await import("./watch.ts");
        io.setExitCode(await watch(io, file, flags));
        return;
      }
      const { planned } = await makePlan(io, file, flags);
      const drift = driftOf(planned.plan);
      io.out.write(
        flags.format === "html"
          ? await driftPage(drift, planned.snapshot, flags.all ?? false)
          : flags.format === "json"
            ? renderDriftJson(drift)
            : renderDrift(drift, {
                style: styleFor(io, io.out, flags),
                all: flags.all ?? false,
                ...waysOn(file, flags),
              }),
      );
      io.setExitCode(drift.exitCode);
    });
}

/** What draws the page is loaded only when asked for. */
async function driftPage(drift: Drift, snapshot: Snapshot, all: boolean): Promise<string> {
  const { renderDriftHtml } = await import("../report/html-drift.ts");
  const { accessMatrix } = await import("../report/access.ts");
  return renderDriftHtml(drift, accessMatrix(drift.plan, snapshot), { all });
}

function noPageOfWatch(): Failure {
  return new Failure(EXIT.mistakes, {
    code: "drift/watch-format",
    severity: "error",
    message: "a page cannot grow while somebody watches",
    hint: "use --watch with --format text or json; drift --format html without it",
  });
}
