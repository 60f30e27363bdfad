import { processClock } from "../zulip/clock.ts";
import { bug, runAction } from "./run.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

// Without this, Node would print the message of an uncaught error.
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error) => process.exit(bug(error)));
process.exitCode = await runAction({
  clock: processClock,
  onSignal(listener) {
    for (const signal of SIGNALS) process.on(signal, listener);
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    };
  },
});
