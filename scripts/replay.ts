import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isRecording, Replayer } from "./recordings.ts";

/** `npm run replay -- FILE…`: one line per file, the differences, and "N passed, N failed" at the end. */
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: npm run replay -- FILE...");
  process.exit(2);
}
const SHOWN_PROBLEMS = 8;
/** npm runs scripts from the package's folder, but a path is relative to the folder where npm was called. */
function located(file: string): string {
  const asCalled = resolve(process.env.INIT_CWD ?? ".", file);
  return existsSync(asCalled) ? asCalled : resolve(file);
}
/** A file that says nothing about the server must not look like one that passed. */
function whyNoRecording(file: string): string | undefined {
  try {
    if (!isRecording(file)) return "is no recording: it has no steps";
  } catch (error) {
    return `is no recording: ${error instanceof Error ? error.message : String(error)}`;
  }
  return undefined;
}
const replayer = new Replayer();
let steps = 0;
let failed = 0;
let unusable = 0;
for (const file of files.map(located)) {
  if (!existsSync(file)) {
    console.error(`no such file: ${file}`);
    process.exit(2);
  }
  const missing = whyNoRecording(file);
  if (missing !== undefined) {
    console.error(`FAIL ${file}: ${missing}`);
    unusable += 1;
    continue;
  }
  const result = await replayer.replay(file);
  steps += result.steps;
  failed += result.failures.length;
  const passed = result.steps - result.failures.length;
  console.log(`${result.failures.length > 0 ? "FAIL" : "ok  "} ${result.file}: ${passed}/${result.steps}`);
  for (const { step, what, note, problems } of result.failures) {
    console.log(`  step ${step}: ${what}${note === undefined ? "" : ` (${note})`}`);
    for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(`    ${problem}`);
  }
}
await replayer.close();
console.log(`${steps - failed} passed, ${failed} failed`);
if (unusable > 0) console.log(`${unusable} ${unusable === 1 ? "file is" : "files are"} no recording`);
process.exitCode = failed > 0 || unusable > 0 ? 1 : 0;
