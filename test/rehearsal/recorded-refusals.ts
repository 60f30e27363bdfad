import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { OPERATIONS } from "../../src/zulip/operations.ts";

const ROOT = join(import.meta.dirname, "../..");
const Recording = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        method: z.string(),
        path: z.string(),
        response: z.looseObject({
          status: z.int(),
          body: z.looseObject({ code: z.string().optional(), msg: z.string().optional() }),
        }),
      }),
    )
    .optional(),
});

/** Names and numbers differ from recording to recording. */
export const general = (words: string): string =>
  words.replaceAll(/"[^"]*"|'[^']*'|\d+/g, "…").replaceAll(/(channel(?:\(s\))?) \([^)]*\)/gi, "$1 (…)");

/** A real server's answer to a request that a plan may send, without names and numbers. */
export interface RecordedRefusal {
  readonly code: string;
  readonly words: string;
  readonly operations: ReadonlySet<string>;
}

/** The code that all kinds consist of. */
export function kindSources(): string {
  const folder = join(ROOT, "src/kinds");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

/** The operations that plans send: those that a kind names in its source. */
export function plannedOperations(): readonly string[] {
  const sources = kindSources();
  return OPERATIONS.filter(({ name, repeat }) => repeat !== "read" && sources.includes(`"${name}"`)).map(
    ({ name }) => name,
  );
}

/** Every distinct answer of 400 to 499 in the recordings to an operation that plans send. */
export function recordedRefusals(): readonly RecordedRefusal[] {
  const planned = new Set(plannedOperations());
  const routes = OPERATIONS.filter(({ name }) => planned.has(name)).map(({ name, method, template }) => ({
    name,
    route: new RegExp(
      `^${method} ${template.replaceAll(/\{(\w+)\}/g, (_, key) => (key === "fragment" ? ".+" : "[^/]+"))}$`,
    ),
  }));
  const found = new Map<string, { code: string; words: string; operations: Set<string> }>();
  const folder = join(ROOT, "test/recordings");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".json")) continue;
    for (const { method, path, response } of Recording.safeParse(JSON.parse(readFileSync(join(folder, file), "utf8")))
      .data?.steps ?? []) {
      if (response.status < 400 || response.status > 499) continue;
      const request = `${method} ${path.split("?")[0]}`;
      const operation = routes.find(({ route }) => route.test(request))?.name;
      if (operation === undefined) continue;
      const { code = "", msg = "" } = response.body;
      const words = general(msg);
      const known = found.get(`${code}\n${words}`) ?? { code, words, operations: new Set<string>() };
      known.operations.add(operation);
      found.set(`${code}\n${words}`, known);
    }
  }
  return [...found.values()];
}
