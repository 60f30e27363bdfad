import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import { looksRenamed } from "../model/plan.ts";
import { ANSWERS_AGAIN, watching } from "../report/commands/run.ts";
import { driftMomentJson, renderDrift, renderDriftMoment } from "../report/drift.ts";
import { realmName } from "../report/layout.ts";
import { watchDrift } from "../workflow/watch-drift.ts";
import { driftOf } from "../workflow/workflow.ts";
import { EventQueue } from "../zulip/event-queue.ts";
import { waysOn } from "./command-words.ts";
import type { Context } from "./context.ts";
import { showsAll } from "./flags.ts";
import type { DriftFlags } from "./plan-flags.ts";
import { planWith } from "./plan-with.ts";

/**
 * Reports drift as it happens until Ctrl-C or SIGTERM; the file is read again with every change.
 * @returns the exit code for the last reading: 2 with differences, otherwise 0
 * @throws Failure as `drift` does
 */
export async function watch(context: Context<DriftFlags>): Promise<ExitCode> {
  const { io, file, flags, style } = context;
  const isJson = flags.format === "json";
  const stop = new AbortController();
  const stopListening = io.onInterrupt(() => {
    stop.abort();
    // A second signal ends the process without waiting for the server.
    stopListening();
  });
  try {
    const last = await context.session(({ connection, reader, credentials, deadline }) => {
      deadline?.addEventListener("abort", () => stop.abort(), { once: true });
      return watchDrift({
        open: () => EventQueue.open(connection),
        read: async () => driftOf((await planWith(context, reader, "take", { comparesOnly: true })).plan),
        started(drift) {
          const everything = {
            drift,
            appeared: drift.differences,
            ended: [],
            unmanagedNew: drift.unmanaged,
            unmanagedGone: [],
            renamed: looksRenamed(drift.plan),
            uncomparedNew: drift.uncompared,
            uncomparedGone: [],
          };
          io.out.write(
            isJson
              ? driftMomentJson("start", everything)
              : renderDrift(drift, { style, all: showsAll(flags), ...waysOn(file, flags) }),
          );
          io.err.write(watching(realmName(credentials.site)));
        },
        changed(moment) {
          io.out.write(
            isJson ? driftMomentJson("change", moment) : `\n${renderDriftMoment(moment, style, showsAll(flags))}`,
          );
        },
        async hindered(failure, waitMs) {
          const ending = waitMs === undefined ? "watching-on" : { again_in_ms: waitMs };
          await context.show(failure.diagnostics, ending);
        },
        recovered: () => io.err.write(ANSWERS_AGAIN),
        sleep: (ms, signal) => io.sleep(ms, signal),
        random: () => io.random(),
        signal: stop.signal,
      });
    });
    return last?.exitCode ?? EXIT.done;
  } finally {
    stopListening();
  }
}
