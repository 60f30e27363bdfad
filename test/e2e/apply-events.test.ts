import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { worldOfTest, worldOfTests } from "./world.ts";

const world = worldOfTests();

const schema: object = JSON.parse(
  readFileSync(new URL("../../schemas/apply-event.schema.json", import.meta.url), "utf8"),
);
const check = new Ajv({ strict: false }).compile(schema);
const FILE = `version: 1
channels:
  general: {description: Hello}
  books: {}
user_groups:
  crew: {}
`;

/** The lines, each checked against the schema; times come from the machine's clock. */
async function events(
  line: string,
): Promise<{ readonly code: number; readonly all: readonly { readonly event: string }[] }> {
  const { code, out } = await world.realmctl(line);
  const all = out
    .trimEnd()
    .split("\n")
    .map((text): { event: string } => JSON.parse(text));
  for (const event of all) expect(check(event), `${JSON.stringify(event)}\n${JSON.stringify(check.errors)}`).toBe(true);
  return { code, all };
}

test("one line when each call is sent, and one for its result", async () => {
  world.file("realm.yaml", FILE);
  const { code, all } = await events("apply --yes --format jsonl");
  expect(code).toBe(0);
  expect(all.map(({ event }) => event)).toEqual([
    "start",
    ...["sending", "call", "sending", "call", "sending", "call"],
    "end",
  ]);
  expect(all[0]).toMatchObject({ calls: 3, summary: { create: 2, update: 1 } });
  expect(all).toContainEqual(
    expect.objectContaining({
      event: "call",
      total: 3,
      call: expect.objectContaining({
        operation: "update-stream",
        state: "done",
        duration_ms: expect.any(Number),
        objects: [
          {
            address: "channel:general",
            action: "update",
            fields: [{ field: "description", before: "For team-wide conversations", after: "Hello" }],
          },
        ],
      }),
    }),
  );
  expect(all.at(-1)).toMatchObject({ outcome: "applied", totals: { calls: 3, done: 3, failed: 0 }, exit_code: 0 });
});

test("a refusal is shown in the server's words", async () => {
  world.file("realm.yaml", FILE);
  const refusing = await worldOfTest({
    interceptors: [
      {
        before: async ({ method }) =>
          method === "PATCH"
            ? Response.json({ result: "error", msg: "Not on a Monday.", code: "BAD_REQUEST" }, { status: 400 })
            : undefined,
      },
    ],
  });
  refusing.file("realm.yaml", "version: 1\nchannels: {general: {description: Hello}}\n");
  const { out } = await refusing.realmctl("apply --yes --no-rehearse --format json");
  expect(JSON.parse(out)).toMatchObject({
    totals: { calls: 1, done: 0, failed: 1 },
    calls: [{ state: "failed", server_said: "Not on a Monday." }],
  });
});

test("a file with errors is one line, too", async () => {
  world.file("realm.yaml", "version: 1\nchannels: {general: {privacy: open}}\n");
  const { code, all } = await events("apply --yes --format jsonl");
  expect(code).toBe(1);
  expect(all).toMatchObject([{ event: "refused", exit_code: 1, diagnostics: [{ code: "field/value" }] }]);
});

test("the text names the completed changes", async () => {
  world.file("realm.yaml", FILE);
  const { out } = await world.realmctl("apply --yes");
  const done = out.split("\n").filter((line) => line.startsWith("  ✓ "));
  expect(done).toEqual([
    "  ✓ user groups: created crew",
    "  ✓ channels: created #books · changed #general (description)",
  ]);
});
