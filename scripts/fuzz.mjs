// Hostile files, snapshots, plans, journals, answers and names for a while: `npm run fuzz`, `npm run fuzz -- --seconds 3600`, and, for a
// finding again, `npm run fuzz -- --target journals --seed 17 --cases 1`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    cases: { type: "string" },
    target: { type: "string" },
  },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}, ${values.seconds} s`);
const env = {
  ...process.env,
  REALMCTL_FUZZ_SECONDS: values.seconds,
  REALMCTL_FUZZ_SEED: seed,
  ...(values.cases === undefined ? {} : { REALMCTL_FUZZ_CASES: values.cases }),
  ...(values.target === undefined ? {} : { REALMCTL_FUZZ_TARGET: values.target }),
};
const root = join(import.meta.dirname, "..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/fuzz/fuzz.test.ts"], {
  cwd: root,
  env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
