#!/usr/bin/env node
// Replays recorded exchanges against the sandbox over HTTP: npm run replay -- FILE…
//
// Each file starts from the realm.json of its own feature level (test/recordings), with keys made for this run.
// Prints a line per file, what differs, and "N passed, N failed" as its last line. Exit status 1 when a step differed.
import { readFileSync } from "node:fs";
import { createSandbox, serve } from "../dist/sandbox.js";
import { replayFile } from "../test/recordings/replay.mjs";

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith("--"));
const all = args.includes("--all");
if (files.length === 0) {
  console.error(
    "usage: npm run replay -- [--all] FILE...   (--all shows every difference, not only the first eight of a step)",
  );
  process.exit(2);
}

const recordings = new URL("../test/recordings/", import.meta.url);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
/** The realm that recordings of this level start from. */
function realmOf(level) {
  for (const name of ["realm.json", `level-${level}/realm.json`]) {
    try {
      const realm = read(new URL(name, recordings));
      if (realm.register.zulip_feature_level === level) return realm;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  throw new Error(`there is no realm.json of level ${level} in test/recordings`);
}

const sandboxes = new Map();
async function sandboxOf(level) {
  if (!sandboxes.has(level)) {
    // Recordings name a handful of credentials that nobody has.
    const sandbox = createSandbox({ from: realmOf(level) });
    sandboxes.set(level, { sandbox, served: await serve(sandbox, { port: 0 }) });
  }
  return sandboxes.get(level);
}
/** Names that recordings use for credentials that do not work. */
function withBadCredentials(accounts) {
  const { email, api_key } = accounts.owner;
  return {
    ...accounts,
    wrongkey: { email, api_key: [...api_key].reverse().join("") },
    malformedkey: { email, api_key: "short" },
    stranger: { email: "nobody@example.org", api_key },
  };
}

let steps = 0;
let failed = 0;
for (const file of files) {
  const { sandbox, served } = await sandboxOf(read(file).feature_level);
  sandbox.reset();
  const result = await replayFile(file, { base: served.url, accounts: withBadCredentials(sandbox.accounts) });
  steps += result.steps;
  failed += result.failures.length;
  console.log(
    `${result.failures.length > 0 ? "FAIL" : "ok  "} ${result.file}: ${result.steps - result.failures.length}/${result.steps}`,
  );
  for (const failure of result.failures) {
    console.log(`  step ${failure.step}: ${failure.what}${failure.note ? ` (${failure.note})` : ""}`);
    for (const problem of all ? failure.problems : failure.problems.slice(0, 8)) console.log(`    ${problem}`);
  }
}
for (const { served } of sandboxes.values()) await served.close();
console.log(`${steps - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
