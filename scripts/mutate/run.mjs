// Mutation tests: `npm run mutate -- src/plan/guards.ts src/plan/cycles.ts`, or a folder. It changes one statement after the other; each time, a test must fail.
// Too slow for CI (minutes for a file). docs/internals/mutation.md has the scores, explains how it works, and names the files that were not measured.
// Tests: those of the file's folder, the plans of all case folders, and those after `--tests`. With `--again`, only the survivors of the last run of the same files
// are tried, with tests of any length: `npm run mutate -- --again src/report/redact.ts --tests test/action/hostile.test.ts`. Reports: reports/mutation/.
// At the end it prints the survivors without a note in survivors/ (why no test could fail), ready to be pasted there.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { asYaml, compareNotes, notesOf, pathOf, survivorsOf } from "./survivors.mjs";

const here = import.meta.dirname;
const root = join(here, "../..");
const separator = process.argv.indexOf("--tests");
const named = process.argv.slice(2, separator === -1 ? undefined : separator).filter((each) => !each.startsWith("--"));
const more = separator === -1 ? [] : process.argv.slice(separator + 1);
const CASES = "scripts/mutate/cases.test.ts";

/** The folders to measure, and their tests. Tests of whole commands are left out: each mutant would take minutes. */
const TESTS = {
  "src/plan": ["src/plan", "test/targets.test.ts", "test/named-and-removed.test.ts", "test/removals.test.ts", CASES],
  "src/access": ["src/access", "test/access/answers.test.ts"],
  "src/apply": ["src/apply"],
  "src/config": ["src/config", CASES],
  "src/report": ["src/report", CASES],
};

/** Tests of whole plans, with a kind that needs no server. */
const PLANS = ["plan", "plan-facts", "sections", "match", "reorder", "small-questions", "compare"].map(
  (name) => `src/plan/${name}.test.ts`,
);

const QUESTIONS = ["src/plan/small-questions.test.ts"];
const NAMED = ["src/plan/named.test.ts"];
const REQUESTS = ["src/plan/assemble.test.ts", "src/plan/combined-call.test.ts"];

/** Files for which a few tests suffice, and those of the whole folder would take many minutes. For some of them, long tests count. */
const OWN_TESTS = {
  "src/access/account.ts": ["src/access/account.test.ts", "src/access/state.test.ts", "src/access/projected.test.ts"],
  "src/access/nesting.ts": ["src/access/nesting.test.ts", "src/access/large.test.ts"],
  "src/access/answers.ts": ["src/access/answers.test.ts"],
  "src/access/invitations.ts": ["src/access/invitations.test.ts"],
  "src/access/joining.ts": ["src/access/joining.test.ts"],
  "src/access/of-file.ts": ["src/access/of-file.test.ts"],
  "src/access/opened-channels.ts": [
    "src/access/opened-channels.test.ts",
    "src/access/risk-people.test.ts",
    "src/access/joining.test.ts",
  ],
  "src/access/of-plan.ts": ["src/access/projected.test.ts", "src/plan/guard-access.test.ts"],
  "src/access/people.ts": ["src/access/people.test.ts", "src/access/state.test.ts"],
  "src/access/personas.ts": ["src/access/personas.test.ts"],
  "src/access/projected.ts": ["src/access/projected.test.ts"],
  "src/access/renamed.ts": ["src/access/risk-people.test.ts"],
  "src/access/grants.ts": ["src/access"],
  "src/access/scope.ts": ["src/access/of-file.test.ts"],
  "src/access/state.ts": ["src/access/account.test.ts", "src/access/state.test.ts", "src/access/large.test.ts"],
  "src/access/words.ts": ["src/access/answers.test.ts"],
  "src/report/diagnostics.ts": ["src/report/diagnostics.test.ts"],
  "src/report/difference.ts": ["src/report/difference.test.ts"],
  "src/report/html.ts": ["src/report/html.test.ts"],
  "src/report/markdown.ts": ["src/report/markdown.test.ts"],
  "src/report/html-page.ts": ["src/report/escaping.test.ts"],
  "src/report/markdown-text.ts": ["src/report/escaping.test.ts", "src/report/markdown.test.ts"],
  "src/report/name-search.ts": ["src/report/name-search.test.ts"],
  "src/report/redact.ts": [
    "src/report/redacted-plan.test.ts",
    "src/report/redact.test.ts",
    "src/report/redaction.test.ts",
  ],
  "src/report/redaction.ts": ["src/report/redacted-plan.test.ts", "src/report/redaction.test.ts"],
  "src/report/tally.ts": ["src/report/tally.test.ts", "src/report/text.test.ts"],
  "src/report/result.ts": ["src/report/result.test.ts"],
  "src/report/style.ts": ["src/report/style.test.ts"],
  "src/report/text.ts": ["src/report/text.test.ts"],
  "src/report/values.ts": ["src/report/values.test.ts", "src/report/text.test.ts"],
  "src/apply/undo-parts.ts": ["src/apply/undo-parts.test.ts"],
  "src/apply/readings.ts": ["src/apply/readings.test.ts", "src/apply/record.test.ts"],
  "src/plan/assemble.ts": REQUESTS,
  "src/plan/compare.ts": ["src/plan/compare.test.ts"],
  "src/plan/context.ts": ["src/plan/context.test.ts", "src/plan/sections.test.ts"],
  "src/plan/splits.ts": ["src/plan/temporary-gains.test.ts", "src/plan/exposure.test.ts", "src/plan/splits.test.ts"],
  "src/plan/cycles.ts": ["src/plan/cycles.test.ts", "src/plan/assemble.test.ts"],
  "src/plan/exposure.ts": [
    "src/plan/exposure-order.test.ts",
    "src/plan/exposure.test.ts",
    "src/plan/temporary-gains.test.ts",
  ],
  "src/plan/exposure-queue.ts": ["src/plan/exposure-queue.test.ts", "src/plan/exposure.test.ts"],
  "src/plan/exposure-steps.ts": ["src/plan/exposure-steps.test.ts"],
  "src/plan/exposure-rights.ts": [
    "src/plan/exposure-rights.test.ts",
    "src/plan/exposure.test.ts",
    "src/plan/temporary-gains.test.ts",
    "src/plan/exposure-order.test.ts",
    "src/plan/own-right-loss.test.ts",
  ],
  "src/plan/guards.ts": ["guards", "guard-counts", "guard-facts", "guards-of-accounts"].map(
    (name) => `src/plan/${name}.test.ts`,
  ),
  "src/plan/group-dependents.ts": ["src/plan/group-dependents.test.ts"],
  "src/plan/held-names.ts": ["src/plan/held-names.test.ts"],
  "src/plan/risks.ts": ["src/plan/risks.test.ts"],
  "src/plan/match.ts": ["src/plan/match.test.ts", "src/plan/match-facts.test.ts", ...QUESTIONS],
  "src/plan/merge.ts": REQUESTS,
  "src/plan/named-and-removed.ts": NAMED,
  "src/plan/other-realm.ts": QUESTIONS,
  "src/plan/own-rights.ts": ["src/plan/own-rights.test.ts"],
  "src/plan/partial.ts": ["src/plan/partial.test.ts", "test/targets.test.ts", "src/plan/targets.test.ts"],
  "src/plan/plan.ts": PLANS,
  "src/plan/renamed.ts": NAMED,
  "src/plan/requests.ts": QUESTIONS,
  "src/plan/sections.ts": [...PLANS, ...QUESTIONS, "src/plan/reorder.test.ts"],
  "src/plan/own-right-loss.ts": ["src/plan/own-right-loss.test.ts"],
  "src/plan/unset.ts": QUESTIONS,
};
const WITH_LONG_TESTS = new Set(["src/plan/cycles.ts"]);

const sourcesIn = (path) => filesIn(path).filter((name) => !name.endsWith(".test.ts"));
const testsIn = (path) => filesIn(path).filter((name) => name.endsWith(".test.ts") && existsSync(join(root, name)));

function filesIn(path) {
  if (path.endsWith(".ts")) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}

const files = named.flatMap(sourcesIn);
const folderOf = (file) => file.split("/").slice(0, 2).join("/");
const folders = [...new Set(files.map(folderOf))];
if (files.length === 0 || folders.some((folder) => !(folder in TESTS))) {
  console.error(`Name files below ${Object.keys(TESTS).join(", ")}: npm run mutate -- src/plan/guards.ts`);
  process.exit(1);
}

if (!existsSync(join(here, "node_modules"))) {
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const isBeside = process.argv.includes("--beside");
const isAgain = process.argv.includes("--again");
/** The tests beside the code of the planner are only those that the case folders do not replace. */
const ownTests = (file) => [
  ...(OWN_TESTS[file] ?? TESTS[folderOf(file)]),
  ...(file.startsWith("src/plan/") ? [CASES] : []),
];
const chosen = isBeside ? folders : files.flatMap(ownTests);
const isThorough =
  process.env.REALMCTL_MUTATE_THOROUGH ?? (isAgain || files.some((file) => WITH_LONG_TESTS.has(file)) ? "1" : "0");
// Tests that did not notice the mutant are not run again.
const tests = [...new Set((isAgain && more.length > 0 ? more : [...chosen, ...more]).flatMap(testsIn))];
const report = join("reports/mutation", `${files[0].replaceAll("/", "-").replace(/\.ts$/, "")}.json`);
const mutate = isAgain ? survivorsIn(report) : files;

/** Places of the survivors, in Stryker's notation. */
function survivorsIn(path) {
  return Object.entries(JSON.parse(readFileSync(join(root, path), "utf8")).files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map(({ location: { start, end } }) => `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`),
  );
}
const config = join(here, `stryker-${process.pid}.json`);
writeFileSync(
  config,
  JSON.stringify({
    mutate: [...new Set(mutate)],
    testRunner: "collected",
    plugins: [join(here, "runner.mjs")],
    buildCommand: `${process.execPath} ${join(here, "bundle.mjs")}`,
    // For a mutant, only the tests that reach it run, up to the first that fails.
    coverageAnalysis: "perTest",
    // A text that no test reads is not an error of logic. Snapshots of whole outputs check the texts.
    mutator: { excludedMutations: ["StringLiteral"] },
    // Stryker would rewrite it with the API of an older TypeScript.
    tsconfigFile: "none.json",
    disableTypeChecks: false,
    concurrency: 1,
    ignorePatterns: [
      "dist",
      "bench",
      "reports",
      ".stryker-*",
      "site",
      "scripts/*",
      "!scripts/mutate",
      "scripts/mutate/*",
      `!${CASES}`,
    ],
    reporters: ["clear-text", "json", "progress-append-only"],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false, allowEmojis: false },
    jsonReporter: { fileName: isAgain ? report.replace(/\.json$/, "-again.json") : report },
    tempDirName: `.stryker-${process.pid}`,
    incremental: false,
    // For a mutant in code that runs while modules are loaded, all modules would have to be loaded again.
    ignoreStatic: true,
    timeoutMS: 8_000,
  }),
);
mkdirSync(join(root, "reports/mutation"), { recursive: true });
console.log(`${files.length} files, ${tests.length} files of tests`);
const { status } = spawnSync(
  process.execPath,
  [join(here, "node_modules/@stryker-mutator/core/bin/stryker.js"), "run", config],
  {
    cwd: root,
    env: {
      ...process.env,
      REALMCTL_MUTATE_TESTS: tests.join(" "),
      REALMCTL_MUTATE_NAMED: more.flatMap(testsIn).join(" "),
      REALMCTL_MUTATE_THOROUGH: isThorough,
    },
    stdio: "inherit",
  },
);
rmSync(config, { force: true });
if (status !== 0) process.exitCode = status ?? 1;
else {
  const measured = Object.entries(
    JSON.parse(readFileSync(join(root, isAgain ? report.replace(/\.json$/, "-again.json") : report), "utf8")).files,
  );
  for (const [file, { mutants }] of measured) console.log(row(file, mutants));
  for (const [file, { mutants, source }] of measured) sayNotes(file, survivorsOf(source, mutants));
}

/** Prints which survivors have no note yet, and which notes are out of date. */
function sayNotes(file, survivors) {
  const { missing, stale } = compareNotes(survivors, notesOf(folderOf(file))[file] ?? []);
  console.log(
    `\n${file}: ${survivors.length} survivors, ${missing.length} without a note in ${relative(root, pathOf(folderOf(file)))}`,
  );
  if (missing.length > 0) console.log(asYaml(missing));
  // A run with other tests, or of survivors only, says nothing about the other notes.
  if (!isAgain) for (const { line, mutant } of stale) console.log(`  out of date: ${line} | ${mutant}`);
}

/** A row of the table in docs/internals/mutation.md. */
function row(file, mutants) {
  const count = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const [survived, uncovered] = [count("Survived"), count("NoCoverage")];
  const all = killed + survived + uncovered;
  const score = all === 0 ? "–" : `${(Math.round((1000 * killed) / all) / 10).toFixed(1)} %`;
  return `| \`${file}\` | ${all} | ${killed} | ${survived} | ${uncovered} | ${score} |`;
}
