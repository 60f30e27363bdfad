import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Router } from "../src/sandbox/endpoint.ts";
import { endpointFor } from "../src/sandbox/http.ts";
import { endpoints } from "../src/sandbox/registry.ts";
import { deviations, OPERATIONS } from "./support/contract/answers.ts";

/**
 * The shapes in test/support/contract are those of a real server: its answers fit them, and an answer that differs in type, nullability or keys does
 * not. Every answer of a sandbox in the end-to-end tests is compared with these shapes.
 */
const FOLDERS = ["recordings/", "recordings/level-384/"];
interface Step {
  readonly method: string;
  readonly path: string;
  readonly response: { readonly status: number; readonly body: unknown };
}
interface Recorded {
  readonly feature_level: number;
  readonly steps?: readonly Step[];
}
const recordings = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith(".json"))
    .map((name): readonly [string, Recorded] => [
      name,
      JSON.parse(readFileSync(new URL(folder + name, import.meta.url), "utf8")),
    ]),
);
const routers = new Map([384, 442].map((level) => [level, new Router(endpoints, level)]));
function operationOf({ method, path }: Step, level: number): string {
  const found = routers.get(level)?.find(decodeURIComponent(path.replace(/\{\{\w+\}\}/g, "1").replace(/\?.*/, "")));
  const endpoint = found === undefined ? undefined : endpointFor(method, found.endpoints);
  return endpoint === undefined ? `${method} ${path}` : `${endpoint.method} ${endpoint.path}`;
}

test("all answers of real servers match", () => {
  const found = new Set<string>();
  let answers = 0;
  for (const [name, { feature_level: level, steps = [] }] of recordings)
    for (const step of steps) {
      answers += 1;
      const { status, body } = step.response;
      // The recorder's mark for a page.
      if (typeof body === "object" && body !== null && "not_json" in body) continue;
      for (const problem of deviations({ operation: operationOf(step, level), level, status, body }))
        found.add(`${name}: ${problem}`);
    }
  expect(answers).toBeGreaterThan(6000);
  expect([...found]).toEqual([]);
});

test("each shape belongs to an existing operation", () => {
  const known = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  expect(OPERATIONS.filter((operation) => !known.has(operation))).toEqual([]);
});

/** A recorded step whose answer has a value at the path. */
const recordedAnswer = (operation: string): { readonly body: object; readonly level: number } => {
  for (const [, { feature_level: level, steps = [] }] of recordings)
    for (const step of steps)
      if (step.response.status === 200 && operationOf(step, level) === operation && level === 442) {
        const { body } = step.response;
        if (typeof body === "object" && body !== null && JSON.stringify(body).length > 300) return { body, level };
      }
  throw new Error(`nobody recorded ${operation}`);
};
const inside = (value: unknown, path: readonly (string | number)[]): object =>
  Object(path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value));

test.each<[operation: string, path: readonly (string | number)[], key: string, value: unknown, problem: string]>([
  ["GET /streams", ["streams", 0], "name", undefined, "GET /streams.streams[]: key name is missing"],
  ["GET /streams", ["streams", 0], "secret", 1, "GET /streams.streams[]: key secret is unexpected"],
  [
    "GET /streams",
    ["streams", 0],
    "creator_id",
    "6",
    "GET /streams.streams[].creator_id: integer expected, string found",
  ],
  [
    "GET /streams",
    ["streams", 0],
    "description",
    null,
    "GET /streams.streams[].description: text expected, null found",
  ],
  ["GET /streams", ["streams", 0], "can_send_message_group", {}, "key direct_members is missing"],
  ["GET /streams", ["streams", 0], "default_push_notifications", true, "does not exist at level 442"],
  ["GET /streams", [], "more", 1, "GET /streams: key more is unexpected"],
  ["GET /users", ["members", 0], "role", 150, "GET /users.members[].role: 100/200/300/400/600 expected, number found"],
  ["GET /messages", ["messages", 0], "flags", ["seen"], "GET /messages.messages[].flags[]: read/"],
  ["GET /events", ["events", 0], "op", "explode", "the contract has no event"],
])("%s, at %j with %s %j: %s", (operation, path, key, value, problem) => {
  const { body, level } = recordedAnswer(operation);
  expect(deviations({ operation, level, status: 200, body })).toEqual([]);
  const changed = structuredClone(body);
  if (value === undefined) Reflect.deleteProperty(inside(changed, path), key);
  else Reflect.set(inside(changed, path), key, value);
  const found = deviations({ operation, level, status: 200, body: changed });
  expect(found.join("\n")).toContain(problem);
});

test.each<[status: number, body: object, problem: string]>([
  [400, { result: "error", msg: "x", code: "NOT_A_CODE" }, "the contract has no code NOT_A_CODE"],
  [400, { result: "error", msg: "x" }, "the contract has no code undefined"],
  [400, { result: "error", msg: "x", code: "BAD_REQUEST", more: 1 }, "key more is unexpected"],
  [400, { result: "error", msg: null, code: "BAD_REQUEST" }, "msg: text expected, null found"],
  [400, { result: "error", msg: "x", code: "EXPECTATION_MISMATCH" }, "key field_name is missing"],
  [200, { result: "success", msg: "", id: 1 }, "key id is unexpected"],
])("%i %j: %s", (status, body, problem) => {
  expect(deviations({ operation: "PATCH /streams/{stream_id}", level: 442, status, body }).join()).toContain(problem);
});
