import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { manualClock } from "../src/sandbox/clock.ts";
import { createSandbox, type Sandbox } from "../src/sandbox/sandbox.ts";
import { fill, pick } from "./recordings/replay.mjs";
import { damageTo } from "./support/damage.ts";
import fc from "./support/random.ts";
import { mayFail } from "./support/sandbox/failing.ts";

/**
 * Recordings with other callers, other values, other files and missing parameters: most of these requests are well-formed and meet the state that the
 * earlier steps made. Whatever is requested, nothing crashes; the server fails only if a recording shows that it does (or its database must); nothing
 * that exists is answered with the page for missing addresses; and the state stays consistent.
 */
const RUNS = Number(process.env.REALMCTL_PROPERTY_RUNS ?? 4) * 3;
const ROLES = ["owner", "admin", "moderator", "member", "member2", "guest", "bot", "memberbot"];
const ODD = [
  "",
  " ",
  "x",
  "null",
  "true",
  "0",
  "-1",
  "[]",
  "{}",
  '"inherit"',
  "general",
  "✔ done",
  "é".repeat(61),
  "253402300800",
  "99999999999",
  "1.5",
  '"1"',
  "[1]",
  '["x"]',
  '{"new": 1}',
  '{"new": {"direct_members": [9], "direct_subgroups": []}, "old": 1}',
  "a\tb",
];

type Params = { readonly [name: string]: unknown };
interface Step {
  readonly as: string | null;
  readonly method: string;
  readonly path: string;
  readonly params?: Params;
  readonly save?: { readonly [name: string]: string };
  readonly wait?: number;
  readonly file?: UploadedFile;
  readonly response: { readonly status: number; readonly body: { readonly not_json?: string } };
}
interface UploadedFile {
  readonly name: string;
  readonly content: string;
  readonly base64?: boolean;
  readonly type?: string;
  readonly size?: number;
  readonly fields?: readonly string[];
}
interface Recording {
  readonly name: string;
  readonly vars?: Params;
  readonly steps: readonly Step[];
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`recordings/${name}`, import.meta.url), "utf8"));
const recordings: readonly Recording[] = readdirSync(new URL("recordings/", import.meta.url))
  .filter((name) => name.endsWith(".json") && name !== "realm.json")
  .map(read);
const realm = read("realm.json");
const RECORDED_LEVEL = 442;

/** Recordings send the same request with different values: a value from one may be used in another. */
const operationOf = ({ method, path }: Step): string =>
  `${method} ${path.replace(/\?.*/, "").replace(/\{\{[^}]+\}\}|\d+/g, "#")}`;
const alike = new Map<string, Step[]>();
for (const step of recordings.flatMap(({ steps }) => steps)) {
  const same = alike.get(operationOf(step));
  if (same === undefined) alike.set(operationOf(step), [step]);
  else same.push(step);
}

/** Files that are no picture, are not the picture that they claim to be, or are too many: the pictures come from the recordings themselves. */
const FILES: readonly (UploadedFile | null)[] = [
  null,
  { name: "x.png", content: "", type: "image/png" },
  { name: "x.png", content: "x", type: "image/png", size: 5 * 1024 * 1024 + 1 },
  { name: "x.gif", content: "GIF89a", type: "image/gif" },
  { name: "x", content: "x", type: "text/plain" },
  { name: "x", content: "x", fields: ["a", "b"] },
];

const variation = fc.oneof(
  fc.record({ kind: fc.constant("caller" as const), role: fc.constantFrom(...ROLES) }),
  fc.record({ kind: fc.constant("without" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("odd" as const), which: fc.nat(), value: fc.constantFrom(...ODD) }),
  fc.record({ kind: fc.constant("others" as const), step: fc.nat(), which: fc.nat() }),
  fc.record({ kind: fc.constant("upload" as const), step: fc.nat(), file: fc.constantFrom(...FILES) }),
);
type Variation = typeof variation extends fc.Arbitrary<infer Value> ? Value : never;

function varied(step: Step, change: Variation): Step {
  const { params = {} } = step;
  const names = Object.keys(params);
  if (change.kind === "upload") {
    if (step.file === undefined) return step;
    const { file: _, ...without } = step;
    return change.file === null ? without : { ...step, file: change.file };
  }
  if (change.kind === "caller") return step.as === null ? step : { ...step, as: change.role };
  if (change.kind === "others") {
    const others = alike.get(operationOf(step)) ?? [];
    const found = Object.entries(others[change.step % Math.max(1, others.length)]?.params ?? {});
    const [name, value] = found[change.which % Math.max(1, found.length)] ?? [];
    return name === undefined ? step : { ...step, params: { ...params, [name]: value } };
  }
  const name = names[change.which % Math.max(1, names.length)];
  if (name === undefined) return step;
  if (change.kind === "odd") return { ...step, params: { ...params, [name]: change.value } };
  const { [name]: _, ...rest } = params;
  return { ...step, params: rest };
}

/** A name that an earlier step failed to save stands for an id that does not exist. */
function filled(value: unknown, vars: Params): unknown {
  const known = new Proxy(vars, {
    has: () => true,
    get: (target, name) => (typeof name === "string" && name in target ? target[name] : 4242),
  });
  return fill(value, known);
}

/** A value that a varied answer does not have is not saved. */
function saved({ save = {} }: Step, body: unknown): Params {
  const out: { [name: string]: unknown } = {};
  for (const [name, path] of Object.entries(save)) {
    try {
      out[name] = pick(body, path) ?? 4242;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return out;
}

function bytesOf({ content, base64 = false, size = 0 }: UploadedFile): Buffer {
  const bytes = Buffer.from(content, base64 ? "base64" : "utf8");
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), bytes)]);
}

function requestOf(sandbox: Sandbox, { as, method, path, params = {}, file }: Step, vars: Params): Request {
  const account = as === null ? undefined : sandbox.accounts[as];
  const headers: Record<string, string> =
    account === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}` };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const sent = filled(value, vars);
    form.set(name, typeof sent === "string" ? sent : JSON.stringify(sent));
  }
  // A poll would wait for an event that never comes.
  if (path === "/events" && method === "GET") form.set("dont_block", "true");
  const url = `http://localhost/api/v1${String(filled(path, vars))}`;
  if (method === "GET") return new Request(`${url}${url.includes("?") ? "&" : "?"}${form}`, { headers });
  if (file !== undefined) {
    const body = new FormData();
    for (const [name, value] of form) body.set(name, value);
    const blob = new Blob([bytesOf(file)], { type: file.type ?? "text/plain" });
    for (const field of file.fields ?? ["file"]) body.set(field, blob, file.name);
    return new Request(url, { method, headers, body });
  }
  headers["content-type"] = "application/x-www-form-urlencoded";
  return new Request(url, { method, headers, body: form.toString() });
}

describe.each([320, 397, 442, 512])("at level %i", (featureLevel) => {
  const clock = manualClock(Date.UTC(2027, 0, 1));
  const sandbox = createSandbox({ from: realm, featureLevel, clock });

  async function run({ name, vars: start, steps }: Recording, changes: readonly (Variation | null)[]): Promise<number> {
    sandbox.reset();
    const vars: { [name: string]: unknown } = { ...start };
    let accepted = 0;
    for (const [index, recorded] of steps.entries()) {
      const change = changes[index % changes.length] ?? null;
      const step = change === null ? recorded : varied(recorded, change);
      clock.advance((step.wait ?? 0) * 1000);
      const request = requestOf(sandbox, step, vars);
      const where = `${name}, step ${index}: ${step.as} ${step.method} ${request.url} ${JSON.stringify(step.params)}`;
      const response = await sandbox.fetch(request).catch((error: unknown) => {
        throw new Error(where, { cause: error });
      });
      const text = await response.text();
      const path = new URL(request.url).pathname.slice("/api/v1".length);
      if (response.status >= 500) expect(mayFail(step.method, path), where).toBe(true);
      // Requests to addresses that exist get an answer from the server, never the page for missing addresses.
      if (featureLevel === RECORDED_LEVEL && recorded.response.body.not_json === undefined)
        expect(response.headers.get("content-type"), where).toBe("application/json");
      if (response.status !== 200) continue;
      accepted += 1;
      Object.assign(vars, saved(step, JSON.parse(text)));
    }
    expect(damageTo(sandbox.state()), name).toEqual([]);
    return accepted;
  }

  test("no variation of a recording crashes the sandbox, and its state stays consistent", async () => {
    const changes = fc.array(fc.option(variation, { freq: 2 }), { minLength: 5, maxLength: 40 });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...recordings.map(({ name }) => name)), changes, async (name, each) => {
        const recording = recordings.find((one) => one.name === name);
        if (recording !== undefined) accepted += await run(recording, each);
      }),
      { numRuns: RUNS },
    );
    // If nearly all requests were refused, the test would show nothing.
    expect(accepted).toBeGreaterThan(RUNS * 3);
  });
});
