import { setTimeout } from "node:timers/promises";
import { bug, runAction } from "./run.ts";

// Node would print the message of what nobody caught.
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error) => process.exit(bug(error)));
process.exitCode = await runAction({
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
});
