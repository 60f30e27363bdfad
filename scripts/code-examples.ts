import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../src/config/read-config.ts";
import type { Example } from "../src/explain/explain.ts";
import { kinds } from "../src/kinds/registry.ts";
import { renderDiagnostics } from "../src/report/diagnostics.ts";
import { PLAIN } from "../src/report/style.ts";
import { smallRealm } from "../test/invalid/small-realm.ts";
import { type InvalidCase, invalidCases } from "../test/support/invalid.ts";

/**
 * Code → a file with that error and the report of a real run: the shortest one in test/invalid, else in the kinds' cases (for errors that only a plan
 * finds). Codes that depend on a server or a disk have none.
 */
export async function codeExamples(root: string): Promise<ReadonlyMap<string, Example>> {
  const best = new Map<string, Example>();
  const offer = (code: string, example: Example): void => {
    const before = best.get(code);
    if (before === undefined || lengthOf(example) < lengthOf(before)) best.set(code, example);
  };
  for (const { code, example } of await fromInvalid(invalidCases(join(root, "test/invalid")))) offer(code, example);
  const offline = new Set(best.keys());
  const ofCases = fromCases(join(root, "src/kinds"));
  for (const { code, example } of ofCases) if (!offline.has(code) && !isShort(example)) offer(code, example);
  // What stops nothing is shown in short.
  const framed = new Set(best.keys());
  for (const { code, example } of ofCases) if (!framed.has(code)) offer(code, example);
  return new Map([...best].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Found {
  readonly code: string;
  readonly example: Example;
}

async function fromInvalid(cases: readonly InvalidCase[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  // By name alone, so that of equally short files the first one is used.
  for (const { text, file: path } of [...cases].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    // A file with includes says little without them.
    if (path.includes("/")) continue;
    const file = text.replace(/^# (expect: |against the realm).*\n/gm, "");
    // A frame of the whole text would say little about texts that are too long.
    if (file.split("\n").some((line) => line.length > 110)) continue;
    const realm = text.includes("# against the realm") ? smallRealm() : undefined;
    const result = await readConfig({ file: "realm.yaml", readFile: async () => file, kinds, realm });
    const diagnostics = result.ok ? result.warnings : result.diagnostics;
    for (const diagnostic of diagnostics) {
      const output = renderDiagnostics({
        diagnostics: [diagnostic],
        sources: new Map([["realm.yaml", file]]),
        style: PLAIN,
        ending: null,
      });
      found.push({ code: diagnostic.code, example: { file, output } });
    }
  }
  return found;
}

/** Plans of the kinds' cases that end with errors or warnings; the tests of the cases see the same texts. */
function fromCases(directory: string): readonly Found[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("plan.txt"))
    .sort()
    .flatMap((name) => {
      const plan = readFileSync(join(directory, name), "utf8");
      const file = readFileSync(join(directory, name.replace(/plan\.txt$/, "realm.yaml")), "utf8");
      return plan.split(/\n(?= {0,2}(?:error|warning)\[)|\n\n/).flatMap((block) => {
        const output = block.startsWith("  ") ? block.replaceAll(/^ {2}/gm, "") : block;
        const code = /^(?:error|warning)\[([^\]]+)\]/.exec(output)?.[1];
        return code === undefined ? [] : [{ code, example: { file, output } }];
      });
    });
}

/** Without the line of the file. */
const isShort = ({ output }: Example): boolean => !output.includes("┌─");

const lengthOf = ({ file, output }: Example): number => file.length + output.length;
