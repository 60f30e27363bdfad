import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { SnapshotRequest, ZulipReader } from "../src/model/api.ts";
import type { ResourceKind } from "../src/model/kind.ts";
import { mayRequest, requestOf } from "../src/plan/requests.ts";
import { planRealm } from "../src/workflow/workflow.ts";
import { invalidCases } from "./support/invalid.ts";
import { lookAt } from "./support/pictures.ts";
import { realmOf } from "./support/realm.ts";
import { oneIn } from "./support/sample.ts";

const files = readdirSync("src/kinds", { recursive: true, encoding: "utf8" })
  .filter((path) => /cases\/.*\brealm\.yaml$/.test(path))
  .map((path) => join("src/kinds", path));

describe("a file that needs more than every reading contains has a word that shows this", () => {
  test("cases of kinds", async () => {
    let asking = 0;
    for (const file of files) {
      const config = await openConfig({
        file,
        readFile: async (path) => readFileSync(path),
        listFiles: async (directory) => readdirSync(directory),
        lookAt: (path) => lookAt(path.slice(dirname(file).length + 1)),
        kinds,
      });
      const desired = config.decode();
      const { invites, subscribers } = requestOf(desired.ok ? desired.value : undefined, kinds);
      if (!invites && !subscribers) continue;
      asking += 1;
      expect([file, mayRequest(kinds, config.texts)]).toEqual([file, true]);
    }
    expect(asking).toBeGreaterThan(50);
  });
});

describe("how often a file is decoded, and what is read", () => {
  const channels = Array.from({ length: 20 }, (_, n) => ({ name: `team-${n}`, invite_only: n === 0 }));

  /** Plans with kinds that count what is decoded. */
  async function counted(line: string) {
    let decoded = 0;
    const counting = kinds.map((kind): ResourceKind => {
      const { decode } = kind.file;
      const file: typeof kind.file = {
        ...kind.file,
        decode: (...given) => {
          decoded += kind.name === "channel" ? 1 : 0;
          return decode(...given);
        },
      };
      return Object.assign({ ...kind }, { file });
    });
    const readings: SnapshotRequest[] = [];
    const yaml = `version: 1\nchannels:\n  team-1: {${line}}\n${channels
      .slice(2)
      .map(({ name }) => `  ${name}: {}\n`)
      .join("")}`;
    const planned = await planRealm({
      file: "realm.yaml",
      readFile: async () => yaml,
      kinds: counting,
      reader: {
        snapshot: async (request) => {
          readings.push(request);
          return realmOf({ channels });
        },
      },
    });
    return { ok: planned.ok, decoded, readings };
  }

  test("once, if the file needs nothing more", async () =>
    expect(await counted("description: Ours")).toEqual({
      ok: true,
      decoded: 19,
      readings: [{ invites: false, subscribers: false }],
    }));

  test("twice, if the file may need more; one reading contains it", async () =>
    expect(await counted("privacy: private_shared_history")).toEqual({
      ok: true,
      decoded: 38,
      readings: [{ invites: false, subscribers: true }],
    }));

  test("if the live realm requires more, it is read again and the file is compared with that reading", async () =>
    expect(await counted("description: Ours}\n  team-0: {permissions: {can_subscribe_group: role:members}")).toEqual({
      ok: true,
      decoded: 40,
      readings: [
        { invites: false, subscribers: false },
        { invites: false, subscribers: true },
      ],
    }));

  test("an error that the file alone shows does not prevent a reading from containing what the file needs", async () => {
    const { readings } = await counted(
      "privacy: private_protected_history, permissions: {can_create_topic_group: role:members}}\n" +
        "invites: [{emails: [nora@acme.example], send_until: 2030-01-01}]\nuser_groups:\n  staff: {description: Ours",
    );
    expect(readings.at(-1)).toEqual({ invites: true, subscribers: true });
  });

  test("the same word with another meaning costs one reading, and changes nothing else", async () =>
    expect(await counted('privacy: "\\x70rivate_shared_history"')).toEqual({
      ok: true,
      decoded: 38,
      readings: [
        { invites: false, subscribers: false },
        { invites: false, subscribers: true },
      ],
    }));
});

/** Adds an invitation to every file with errors: the errors must not include a complaint about data that was never requested. */
test("no error in a file prevents its invitations from being read", async () => {
  const asked: boolean[] = [];
  for (const { directory, file, text } of oneIn(3, invalidCases())) {
    if (/^invites:|^# expect: (yaml|config|include)\//m.test(text)) continue;
    const reader: ZulipReader = {
      snapshot: async (request) => {
        asked.push(request.invites);
        return { ...realmOf({}), invites: request.invites ? [] : null };
      },
    };
    const planned = await planRealm({
      file,
      readFile: async (path) =>
        path === file
          ? `${text.trimEnd()}\ninvites:\n  - emails: [nora@acme.example]\n    send_until: 2030-01-01\n`
          : readFileSync(join(directory, path)),
      listFiles: async (path) => readdirSync(join(directory, path)).sort(),
      lookAt,
      reader,
    });
    const codes = planned.ok ? [] : planned.diagnostics.map(({ code }) => code);
    expect([file, codes.filter((code) => code === "plan/not-read")]).toEqual([file, []]);
  }
  expect(asked.filter((invites) => invites).length).toBeGreaterThan(5);
});
