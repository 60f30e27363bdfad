import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isList, isObject } from "../../src/model/json.ts";
import { start } from "./child.ts";
import type { Ran, World } from "./world.ts";

export interface Loaded extends Ran {
  /** Files of the program that the process read, with their sizes. */
  readonly files: ReadonlyMap<string, number>;
  /** How many zod schemas it created. */
  readonly forms: number;
  /** Node's own modules, by the names that Node gives them. */
  readonly builtIn: readonly string[];
}

/** Counts the schemas, and writes their number and Node's own modules to files. */
const COUNTING = `
import { writeFileSync } from "node:fs";
let forms = 0;
globalThis.__zod_globalConfig = { postProcessor: () => { forms += 1; } };
process.on("exit", () => {
  writeFileSync("forms.txt", String(forms));
  writeFileSync("built-in.txt", process.moduleLoadList.join("\\n"));
});
`;

/** Runs a command as a process, and returns the code files that it read: Node's coverage lists them. */
export async function loadedBy(world: World, line: string): Promise<Loaded> {
  const directory = join(world.directory, "covered");
  const ran = await start(world, line, { env: { NODE_V8_COVERAGE: directory }, preload: COUNTING }).ended;
  const urls = readdirSync(directory).flatMap((name) => {
    const { result }: { readonly result: unknown } = JSON.parse(readFileSync(join(directory, name), "utf8"));
    return isList(result) ? result.flatMap((script) => (isObject(script) ? [String(script.url)] : [])) : [];
  });
  const paths = [...new Set(urls)].filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  const forms = Number(readFileSync(join(world.directory, "forms.txt"), "utf8"));
  const builtIn = readFileSync(join(world.directory, "built-in.txt"), "utf8").split("\n");
  return {
    ...ran,
    forms,
    builtIn,
    files: new Map(paths.map((path) => [path.replace(/^.*\//, ""), statSync(path).size])),
  };
}
