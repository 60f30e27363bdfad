// What the benchmarks of parts share: the sources as one module, in the process that measures, and the demo's organization to start from.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./measure.mjs";

/**
 * Does work with what `entry` exports (`export { x } from "./src/…";`, paths from the root), bundled as the command is.
 * The directory is there for the work to write into, and gone afterwards.
 */
export function withSources(entry, work) {
  return withBundle(entry, async (outfile, directory) => work(await import(outfile), directory));
}

/** Does work with the file of a bundle, such as to run it in a process of its own; as {@link withSources}. */
export async function withBundle(entry, work) {
  // Below node_modules, so that packages are found from there.
  const directory = mkdtempSync(join(root, "node_modules/.cache-bench-"));
  try {
    const outfile = join(directory, "sources.mjs");
    await build({
      absWorkingDir: root,
      stdin: { contents: entry, resolveDir: root, loader: "ts" },
      outfile,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      target: "node20.19",
      logLevel: "warning",
    });
    return await work(outfile, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What a real server answered, of the organization in the demo. */
export const recordedRealm = () => JSON.parse(readFileSync(join(root, "fixtures/acme-realm.json"), "utf8"));

/** Milliseconds of processor that the work takes in this process: what else the machine does hardly changes them. */
export async function processorMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Several runs of the same work, in milliseconds of processor. */
export async function runsOf(count, work) {
  const all = [];
  for (let run = 0; run < count; run += 1) all.push(await processorMs(work));
  return all;
}
