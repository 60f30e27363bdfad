// Mutation tests of single files: `npm run mutate -- src/plan/guards.ts src/plan/cycles.ts`. Each statement is changed in turn, and a test has to fail.
// Slow (minutes a file), so it is no part of CI; docs/mutation.md has the scores, and which files were never run. Tests: those beside the file that
// import it and those after `--tests`, or else all beside it. Reports: reports/mutation/.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const here = import.meta.dirname;
const root = join(here, "../..");
const separator = process.argv.indexOf("--tests");
const files = process.argv.slice(2, separator === -1 ? undefined : separator);
const more = separator === -1 ? [] : process.argv.slice(separator + 1);
if (files.length === 0) {
  console.error("name files: npm run mutate -- src/plan/guards.ts");
  process.exit(1);
}

/** What is worth it, and by which tests: those that import the file, or else those beside it. Not those of whole commands: each mutant would take minutes. */
const FOLDERS = ["src/plan", "src/access", "src/apply", "src/config", "src/report"];

const testsIn = (path) =>
  path.endsWith(".test.ts")
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => join(path, name));

if (!existsSync(join(here, "node_modules"))) {
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

for (const file of files) {
  if (!FOLDERS.some((name) => file.startsWith(`${name}/`)))
    throw new RangeError(`${file} is in none of ${FOLDERS.join(", ")}`);
  const beside = testsIn(dirname(file));
  const near = beside.filter((path) => readFileSync(join(root, path), "utf8").includes(`/${basename(file)}"`));
  const tests = [...new Set([...(near.length + more.length > 0 ? near : beside), ...more.flatMap(testsIn)])];
  const name = file.replaceAll("/", "-").replace(/\.ts$/, "");
  const report = join("reports/mutation", `${name}.json`);
  const config = join(here, `stryker-${process.pid}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      mutate: [file],
      testRunner: "vitest",
      plugins: [join(here, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js")],
      vitest: { configFile: join(here, "vitest.config.ts"), related: false },
      coverageAnalysis: "perTest",
      // A text that no test reads is no error of logic; what is said is held by snapshots of whole outputs.
      mutator: { excludedMutations: ["StringLiteral"] },
      // Stryker would rewrite it with the API of an older TypeScript.
      tsconfigFile: "none.json",
      disableTypeChecks: false,
      concurrency: 1,
      ignorePatterns: [
        "dist",
        "bench",
        "docs",
        "reports",
        "schemas",
        "examples",
        "test/invalid",
        "test/recordings",
        "scripts",
      ],
      reporters: ["clear-text", "json"],
      clearTextReporter: { allowColor: false, reportTests: false, logTests: false, allowEmojis: false },
      jsonReporter: { fileName: report },
      tempDirName: `.stryker-${process.pid}`,
      incremental: false,
      timeoutMS: 20_000,
    }),
  );
  console.log(`${file}: ${tests.length} files of tests`);
  const { status } = spawnSync(
    process.execPath,
    [join(here, "node_modules/@stryker-mutator/core/bin/stryker.js"), "run", config],
    {
      cwd: root,
      env: { ...process.env, REALMCTL_MUTATE_TESTS: tests.join(" ") },
      stdio: "inherit",
    },
  );
  spawnSync("rm", ["-f", config]);
  if (status !== 0) process.exitCode = status ?? 1;
  else
    console.log(`${basename(file)}: ${JSON.stringify(scoreOf(JSON.parse(readFileSync(join(root, report), "utf8"))))}`);
}

/** @param {{ files: { [name: string]: { mutants: { status: string }[] } } }} report */
function scoreOf(report) {
  const mutants = Object.values(report.files).flatMap((each) => each.mutants);
  const count = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const all = killed + count("Survived", "NoCoverage");
  return {
    killed,
    survived: count("Survived"),
    uncovered: count("NoCoverage"),
    percent: Math.round((1000 * killed) / all) / 10,
  };
}
