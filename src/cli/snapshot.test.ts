import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { error, success, TEST_KEY } from "../../test/support/zulip/scripted.ts";
import { readSnapshotFile } from "../zulip/snapshot.ts";
import type { Transport } from "../zulip/transport.ts";

const env = { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: TEST_KEY };
const recorded = new URL("../../test/recordings/realm.json", import.meta.url);
const { register } = z
  .object({ register: z.record(z.string(), z.json()) })
  .parse(JSON.parse(readFileSync(recorded, "utf8")));

const transport: Transport = async ({ method, url }) => {
  if (method === "POST") return success({ ...register, queue_id: "q" });
  return url.endsWith("/invites") ? success({ invites: [] }) : success();
};

test("on standard output", async () => {
  const ran = await runCommandLine(["snapshot"], { env, transport });
  expect(ran).toMatchObject({ exitCode: 0, err: "" });
  const read = readSnapshotFile(ran.out, "-");
  expect(read.ok && read.value.realm.name).toBe(register.realm_name);
});

test("to a file, with a list of its content", async () => {
  const ran = await runCommandLine(["snapshot", "--out", "live.json", "--invites"], {
    env,
    transport,
  });
  expect(ran.exitCode).toBe(0);
  expect(ran.out).toBe("");
  expect(ran.err).toMatch(/^live\.json: .* feature level 442\): \d+ channels, \d+ groups, \d+ accounts\n$/);
  const read = readSnapshotFile(ran.files["live.json"] ?? "", "live.json");
  expect(read.ok && read.value.invites).toEqual([]);
  expect(read.ok && Object.keys(read.value.subscribers ?? {})).not.toEqual([]);
});

test.each<[flags: readonly string[], held: boolean]>([
  [[], true],
  [["--subscribers"], true],
  [["--no-subscribers"], false],
])("subscribers with %j: %s, in one request either way", async (flags, held) => {
  const asked: string[] = [];
  const counted: Transport = (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return transport(request);
  };
  const ran = await runCommandLine(["snapshot", ...flags], { env, transport: counted });
  const read = readSnapshotFile(ran.out, "-");
  expect(read.ok && read.value.subscribers !== null).toBe(held);
  expect(asked.sort()).toEqual(["DELETE /api/v1/events", "POST /api/v1/register"]);
});

test("a file that cannot be written", async () => {
  const ran = await runCommandLine(["snapshot", "--out", "/readonly/live.json"], { env, transport });
  expect(ran.exitCode).toBe(1);
  expect(ran.err).toContain("/readonly/live.json cannot be written");
});

test("a refusal leaves no file behind", async () => {
  const refusing: Transport = async () => error(401, "UNAUTHORIZED", "Invalid API key");
  const ran = await runCommandLine(["snapshot", "--out", "live.json"], { env, transport: refusing });
  expect(ran).toMatchObject({ exitCode: 6, out: "", files: {} });
  expect(ran.err).toContain("Invalid API key");
  expect(ran.err).toContain("Nothing was changed or written.");
});
