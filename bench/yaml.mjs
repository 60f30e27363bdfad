// How fast a file is read: text to values of which every place can be asked for, against js-yaml, which knows no places, and
// against the `yaml` library, which takes over where the plain reader does not go on. `npm run bench:yaml` prints the table of
// bench/README.md. That the two readers cannot disagree is src/source/plain.test.ts.
//   --channels 10000   how many, about 300 bytes each      --runs 7   runs of each, the fastest counts
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { load } from "js-yaml";
import { parseDocument } from "yaml";
import { fileOf } from "./file.mjs";

const { values: flags } = parseArgs({
  options: { channels: { type: "string", default: "10000" }, runs: { type: "string", default: "7" } },
});
const runs = Number(flags.runs);
/** How many times the time of js-yaml a clean file may take. */
const AIM = 2;

const root = new URL("..", import.meta.url).pathname;
const directory = mkdtempSync(join(root, "node_modules/.cache-bench-"));
try {
  const { parseYaml, PlaceTable, SourceText } = await sources();
  const clean = fileOf(Number(flags.channels));
  const anchored = clean.replace("channels:", "channels: &all");
  const folded = clean.replaceAll(/description: '(.*) (.*)'/g, "description: >-\n      $1\n      $2");
  // What channels share in one place, as people do who know YAML.
  const shared = clean
    .replace("version: 1\n", "version: 1\nbase: &base {topics_policy: disable_empty_topic}\nwho: &who role:members\n")
    .replaceAll("    topics_policy: disable_empty_topic\n", "    <<: *base\n")
    .replaceAll(
      /permissions:\n +can_send_message_group: role:members\n/g,
      "also: {<<: *base, who: [*who]}\n    permissions:\n",
    );
  const wrapped = clean.replaceAll("    topics_policy", "    lists: [one,\n      two,\n    ]\n    topics_policy");
  const quoted = clean.replaceAll(/description: '(.*) (.*)'/g, "description: '$1\n      $2'");
  const unquoted = clean.replaceAll(/description: '(.*): (.*) (.*)'/g, "description: $1 $2\n      $3");
  // One tag is enough: from there on it is the full parser's file.
  const tagged = `${clean}tagged: !!str 1\n`;
  const ours = async (text) => {
    const { value, diagnostics } = await parseYaml(new SourceText("realm.yaml", text), new PlaceTable());
    assert.deepEqual(diagnostics, []);
    return value;
  };
  const expected = load(clean);
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(clean))), expected);
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(anchored))), expected);
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(folded))), expected);
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(shared))), load(shared));
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(wrapped))), load(wrapped));
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(quoted))), expected);
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(unquoted))), load(unquoted));
  assert.deepEqual(JSON.parse(JSON.stringify(await ours(tagged))), { ...expected, tagged: "1" });

  const base = await fastest(() => load(clean));
  const rows = [
    ["js-yaml, no places", base],
    ["realmctl, every place", await fastest(() => ours(clean)), AIM],
    ["realmctl, a file with an anchor", await fastest(() => ours(anchored)), AIM],
    ["realmctl, folded texts", await fastest(() => ours(folded)), AIM],
    ["realmctl, aliases and merges everywhere", await fastest(() => ours(shared)), AIM],
    ["realmctl, lists of several lines", await fastest(() => ours(wrapped)), AIM],
    ["realmctl, quoted texts of two lines", await fastest(() => ours(quoted)), AIM],
    ["realmctl, plain texts of two lines", await fastest(() => ours(unquoted)), AIM],
    ["realmctl, a tag", await fastest(() => ours(tagged))],
    ["yaml, parseDocument", await fastest(() => parseDocument(clean).toJS())],
  ];
  console.log(
    `| ${flags.channels} channels, ${(clean.length / 1e6).toFixed(1)} MB | ms | × js-yaml | aim |\n| --- | --- | --- | --- |`,
  );
  for (const [what, ms, aim] of rows) {
    const ratio = ms / base;
    const judged = aim === undefined ? "" : `${aim} ${ratio <= aim ? "met" : "missed"}`;
    console.log(`| ${what} | ${ms.toFixed(0)} | ${ratio.toFixed(2)} | ${judged} |`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** The reader as it is, without the command line around it. */
async function sources() {
  const outfile = join(directory, "source.mjs");
  await build({
    absWorkingDir: root,
    stdin: {
      contents:
        'export { parseYaml } from "./src/source/parse.ts"; export { SourceText } from "./src/source/text.ts"; export { PlaceTable } from "./src/source/tree.ts";',
      resolveDir: root,
    },
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
  });
  return import(outfile);
}

/** What else the machine does only ever makes a run slower: the fastest is the truest. */
async function fastest(measured) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await measured();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
