// Organizations and files of other shapes than those of bench/people.mjs: for each, the processor time with N, 2 N and 4 N of one thing, and the
// exponent of its growth. `npm run bench:shapes` prints the table of bench/README.md.
//   --people 50000   people of the organization             --things 250   N
//   --runs 2         runs of each, the fastest counts       --only bots,rules   shapes whose names contain one of these
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fastest, profile, runChild, table } from "./support/measure.mjs";
import { shapesOf } from "./support/shapes.mjs";
import { withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: {
    people: { type: "string", default: "50000" },
    things: { type: "string", default: "250" },
    runs: { type: "string", default: "2" },
    only: { type: "string" },
    profile: { type: "boolean", default: false },
  },
});
const things = Number(flags.things);
const runs = Number(flags.runs);
/** What a process and its organization take anyway is measured with one thing. */
const SIZES = [1, things, 2 * things, 4 * things];
/** A growth of less than this many milliseconds says nothing. */
const LEAST_GROWTH_MS = 60;

const ENTRY = `
export { realmOf } from "./test/support/realm.ts";
export { snapshotText } from "./src/zulip/snapshot.ts";
`;

await withSources(ENTRY, async (sources, directory) => {
  const shapes = Object.entries(shapesOf(sources.realmOf, Number(flags.people)));
  const wanted = shapes.filter(([name]) => flags.only?.split(",").some((part) => name.includes(part)) ?? true);
  const rows = [];
  for (const [name, shape] of wanted) {
    const measured = [];
    for (const size of SIZES)
      measured.push(await measure(sources, join(directory, `${rows.length}-${size}`), shape, size));
    const row = rowOf(name, measured);
    rows.push(row);
    console.error(row.join(" · "));
  }
  console.log(table(["shape", `N = ${things}, ms`, "2 N, ms", "4 N, ms", "exponent", "peak, MB", "output, MB"], rows));
});

async function measure({ snapshotText }, directory, shape, size) {
  const { realm, files, argv, before, codes = [0, 3] } = shape(size);
  mkdirSync(directory, { recursive: true });
  if (realm !== undefined) writeFileSync(join(directory, "realm.json"), snapshotText(realm));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(directory, name, ".."), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  if (before !== undefined) await ranWell(directory, before, codes);
  const all = [];
  for (let run = 0; run < runs; run += 1) all.push(await ranWell(directory, argv, codes));
  if (flags.profile && size === SIZES.at(-1)) await profile(directory, argv, {});
  return {
    cpuMs: fastest(all.map((run) => run.cpuMs)),
    mb: Math.max(...all.map((run) => run.peakKb)) / 1024,
    outMb: Buffer.byteLength(all[0].out) / 1e6,
  };
}

async function ranWell(directory, argv, codes) {
  const ran = await runChild(directory, [], argv);
  if (codes.includes(ran.code)) return ran;
  throw new Error(
    `${argv.join(" ")} in ${directory}: exit code ${ran.code}\n${ran.out.slice(0, 2000)}\n${ran.err.slice(0, 2000)}`,
  );
}

function rowOf(name, measured) {
  const [one, ...sizes] = measured.map(({ cpuMs }) => cpuMs);
  const [, twice, four] = sizes.map((ms) => ms - one);
  const exponent = four < LEAST_GROWTH_MS || twice <= 0 ? "" : Math.log2(four / twice).toFixed(2);
  const last = measured.at(-1);
  return [name, ...sizes.map((ms) => ms.toFixed(0)), exponent, last.mb.toFixed(0), last.outMb.toFixed(2)];
}
