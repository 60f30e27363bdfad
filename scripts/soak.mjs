// The random tests with a new seed, every row of the long tables, and the tests that `npm test` leaves out (AT_NIGHT in vitest.config.ts): `npm run soak`,
// `npm run soak -- 50` for fifty times as many runs. It says what it has, and at the end how long it took.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const times = Number(process.argv[2] ?? 5);
if (!(times > 0)) throw new RangeError(`how many times as much? A number, not ${process.argv[2]}`);
const root = join(import.meta.dirname, "..");
/** @param {string} folder */
const tests = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter(
      (path) =>
        path.endsWith(".test.ts") &&
        /random\.ts|properties\/|crash\.ts|begin\.ts|mixed-plans\.ts|sample\.ts|REALMCTL_(?:\w+_)?RUNS/.test(
          readFileSync(join(root, path), "utf8"),
        ),
    );
const seed = process.env.REALMCTL_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const env = {
  ...process.env,
  REALMCTL_SEED: seed,
  REALMCTL_RUNS: String(200 * times),
  REALMCTL_FUZZ_RUNS: String(500 * times),
  REALMCTL_PROPERTY_RUNS: String(30 * times),
};
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const files = [...tests("src"), ...tests("test")];
console.log(
  `REALMCTL_SEED=${seed}, ${200 * times} runs of each property, every row of each table, in ${files.length} files:`,
);
console.log(files.join("\n"));
const started = Date.now();
const { status } = spawnSync(process.execPath, [vitest, "run", "--testTimeout", String(times * 600_000), ...files], {
  cwd: root,
  env,
  stdio: "inherit",
});
console.log(`the soak took ${Math.ceil((Date.now() - started) / 60_000)} minutes`);
process.exitCode = status ?? 1;
