// How fast a file is read: text to values of which every place can be asked for, against js-yaml, which knows no places, and
// against the `yaml` library, which takes over where the plain reader does not go on. `npm run bench:yaml` prints the table of
// bench/README.md. That the two readers cannot disagree is src/source/plain.test.ts.
//   --channels 10000   how many, about 300 bytes each      --runs 7   runs of each, the fastest counts
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { load } from "js-yaml";
import { parseDocument } from "yaml";
import { fileOf } from "./support/file.mjs";
import { fastest, judged, table } from "./support/measure.mjs";
import { runsOf, withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: { channels: { type: "string", default: "10000" }, runs: { type: "string", default: "7" } },
});
const runs = Number(flags.runs);
/** How many times the time of js-yaml a clean file may take. */
const AIM = 2;

/** The reader as it is, without the command line around it. */
const ENTRY = `
export { parseYaml } from "./src/source/load.ts";
export { SourceText } from "./src/source/text.ts";
export { PlaceTable } from "./src/source/tree.ts";
`;

await withSources(ENTRY, async ({ parseYaml, PlaceTable, SourceText }) => {
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
  const tagged = `${clean}tagged: !!str 1\n`;
  const tags = clean
    .replaceAll("description: '", "description: !!str '")
    .replaceAll("permissions:\n", "permissions: !!map\n");
  const ownTags = clean.replaceAll("description: '", "description: !mine '");
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

  assert.deepEqual(JSON.parse(JSON.stringify(await ours(tags))), expected);

  // What still is the full parser's.
  const otherTag = `${clean}tagged: !!float 1.5\n`;
  const twice = `${clean}channels: {}\n`;
  const broken = `${clean}text: 'no end\n`;
  const codesIn = async (text) => {
    const { diagnostics } = await parseYaml(new SourceText("realm.yaml", text), new PlaceTable());
    return diagnostics.map(({ code }) => code);
  };
  assert.deepEqual(await codesIn(twice), ["yaml/duplicate-key"]);
  assert.notDeepEqual(await codesIn(broken), []);

  const ms = async (work) => fastest(await runsOf(runs, work));
  const base = await ms(() => load(clean));
  const measured = [
    ["js-yaml, no places", base],
    ["realmctl, every place", await ms(() => ours(clean)), AIM],
    ["realmctl, a file with an anchor", await ms(() => ours(anchored)), AIM],
    ["realmctl, folded texts", await ms(() => ours(folded)), AIM],
    ["realmctl, aliases and merges everywhere", await ms(() => ours(shared)), AIM],
    ["realmctl, lists of several lines", await ms(() => ours(wrapped)), AIM],
    ["realmctl, quoted texts of two lines", await ms(() => ours(quoted)), AIM],
    ["realmctl, plain texts of two lines", await ms(() => ours(unquoted)), AIM],
    ["realmctl, !!str before a text", await ms(() => ours(tagged)), AIM],
    ["realmctl, a key that is there twice", await ms(() => codesIn(twice)), AIM],
    ["realmctl, !!str and !!map in every channel", await ms(() => ours(tags)), AIM],
    ["realmctl, a tag of one's own (an error) in every channel", await ms(() => codesIn(ownTags)), AIM],
    ["realmctl, a rare tag", await ms(() => ours(otherTag)), AIM],
    ["realmctl, any other error", await ms(() => codesIn(broken)), AIM],
    ["yaml, parseDocument", await ms(() => parseDocument(clean).toJS())],
  ];
  const rows = measured.map(([what, took, aim]) => {
    const ratio = took / base;
    return [what, took.toFixed(0), ratio.toFixed(2), aim === undefined ? "" : judged(ratio, aim)];
  });
  const size = `${flags.channels} channels, ${(clean.length / 1e6).toFixed(1)} MB`;
  console.log(table([size, "processor, ms", "× js-yaml", "aim"], rows));
});
