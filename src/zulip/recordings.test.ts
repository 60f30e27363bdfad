import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Json } from "../model/json.ts";
import { encodeValue } from "./encode.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { fits, type ParamSpec } from "./param.ts";

const Recording = z.object({
  steps: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      params: z.record(z.string(), z.json()).default({}),
      response: z.object({ status: z.number(), body: z.record(z.string(), z.json()) }),
    }),
  ),
});

/** Requests that a real server carried out. */
const accepted = recordingFiles().flatMap((file) =>
  Recording.parse(JSON.parse(readFileSync(file, "utf8")))
    .steps.filter(({ response }) => response.status === 200)
    .map((step) => ({ ...step, path: step.path.replace(/\?.*/, "") })),
);

function recordingFiles(): readonly URL[] {
  const folder = new URL("../../test/recordings/", import.meta.url);
  return ["", "level-384/"].flatMap((part) =>
    readdirSync(new URL(part, folder))
      .filter((name) => name.endsWith(".json") && name !== "realm.json")
      .map((name) => new URL(part + name, folder)),
  );
}

/**
 * Not in the table: requests that prepared the recordings, operations that have nothing to do with configuration, and objects that no kind manages
 * yet (bots, people, groups of default channels).
 */
const LEFT_OUT = [
  "GET /bots",
  "POST /bots",
  "PATCH /bots/{id}",
  "DELETE /bots/{id}",
  "POST /bots/{id}/api_key/regenerate",
  "POST /users/{id}/reactivate",
  "DELETE /users/me",
  "PATCH /users/{email}",
  "POST /default_stream_groups/create",
  "PATCH /default_stream_groups/{id}",
  "PATCH /default_stream_groups/{id}/streams",
  "DELETE /default_stream_groups/{id}",
  "POST /messages/{id}/reactions",
  "GET /messages/{id}/read_receipts",
  "POST /realm/test_welcome_bot_custom_message",
  "GET /settings",
  "PATCH /settings/display",
  "PATCH /settings/notifications",
  "PATCH /users/{id}",
  "DELETE /users/{id}",
  "POST /user_uploads",
];

function operationsOf(method: string, path: string): readonly Operation[] {
  return OPERATIONS.filter(({ sentBy, method: own, template, path: values }) => {
    const pattern = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      values[name]?.type === "segments"
        ? ".+"
        : values[name]?.type === "integer"
          ? "(?:\\d+|\\{\\{\\w+\\}\\})"
          : "[^/]+",
    );
    return sentBy === "client" && own === method && new RegExp(`^(/api/v1)?${pattern}$`).test(path);
  });
}

/** A placeholder for a value that is known only when the recording runs. */
const isPlaceholder = (value: Json): boolean => /\{\{\w+\}\}/.test(JSON.stringify(value));

/** The values of the recording: strings as they are, everything else as JSON text. */
const sentText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The value a caller of ours would pass for that text. */
function valueFor(spec: ParamSpec, text: string): Json {
  return spec.encoding === "json" ? z.json().parse(JSON.parse(text)) : text;
}

/** `/bots/12` → `/bots/{id}`: ids, names of emoji and addresses differ from step to step. */
const patternOf = (path: string): string =>
  path
    .replace(/^\/api\/v1/, "")
    .replace(/^\/realm\/emoji\/.+/, "/realm/emoji/{name}")
    .replace(/^\/users\/[^/]+@[^/]+$/, "/users/{email}")
    .replaceAll(/\{\{\w+\}\}|\d+/g, "{id}");

test("every route in the recordings is in the table, or left out on purpose", () => {
  const missing = accepted
    .filter(({ method, path }) => operationsOf(method, path).length === 0)
    .map(({ method, path }) => `${method} ${patternOf(path)}`);
  expect([...new Set(missing)].filter((route) => !LEFT_OUT.includes(route))).toEqual([]);
  expect(accepted.length).toBeGreaterThan(1_500);
});

test("every parameter that a real server accepted is in the table, with the recorded encoding", () => {
  const unknown = new Set<string>();
  let compared = 0;
  for (const { method, path, params, response } of accepted) {
    const operations = operationsOf(method, path);
    const ignored = z.array(z.string()).parse(response.body.ignored_parameters_unsupported ?? []);
    for (const [name, value] of Object.entries(params)) {
      // GET /server_settings does not report what it ignores.
      if (operations.length === 0 || path === "/server_settings" || ignored.includes(name) || isPlaceholder(value))
        continue;
      const specs = operations.flatMap((operation) => operation.params[name] ?? []);
      if (specs.length === 0) unknown.add(`${method} ${path}: ${name} is not in the table`);
      for (const spec of specs) {
        compared += 1;
        const text = sentText(value);
        if (!writes(spec, text)) unknown.add(`${method} ${path}: ${name}=${text}`);
      }
    }
  }
  expect([...unknown]).toEqual([]);
  expect(compared).toBeGreaterThan(2_000);
});

function writes(spec: ParamSpec, text: string): boolean {
  try {
    const value = valueFor(spec, text);
    return (
      fits(spec.type, value) && encodeValue(spec, value) === (spec.encoding === "json" ? JSON.stringify(value) : text)
    );
  } catch {
    return false;
  }
}
