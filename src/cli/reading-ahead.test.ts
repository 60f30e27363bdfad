import { expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import { mayRequest } from "../plan/requests.ts";
import { STANDARD_INPUT } from "./io.ts";
import { readingAhead } from "./make-plan.ts";

const PLAIN: SnapshotRequest = { invites: false, subscribers: false };

/** The requests to the server before the reader is used, and afterwards. */
async function asked(file: string, text: string | undefined, then: readonly SnapshotRequest[] = []) {
  const requests: SnapshotRequest[] = [];
  const reader: ZulipReader = {
    snapshot: async (request) => {
      requests.push(request);
      throw new RangeError("nobody answers");
    },
  };
  const io = {
    readFile: async () => {
      if (text === undefined) throw new Error("ENOENT");
      return text;
    },
    readBytes: async () => new Uint8Array(),
    list: async () => [],
  };
  const ahead = await readingAhead(io, file, reader);
  const atOnce = requests.length;
  for (const request of then) await expect(ahead.snapshot(request)).rejects.toThrow("nobody answers");
  return { atOnce, requests };
}

test("for a plain file, the request is sent at once, and its answer is used once", async () => {
  expect(await asked("realm.yaml", "channels: {}", [PLAIN])).toEqual({ atOnce: 1, requests: [PLAIN] });
  expect(await asked("realm.yaml", "channels: {}", [PLAIN, PLAIN])).toEqual({ atOnce: 1, requests: [PLAIN, PLAIN] });
});

test("a caller that needs more asks again", async () => {
  const more = { invites: false, subscribers: true };
  expect(await asked("realm.yaml", "channels: {}", [more])).toEqual({ atOnce: 1, requests: [PLAIN, more] });
});

test.each([
  ["subscribers", "channels: {a: {subscribers: [b]}}"],
  ["a private channel", "channels: {a: {privacy: private}}"],
  ["invitations", "invites: {}"],
  ["links", "invite_links: []"],
  ["included files", "include: [more.yaml]"],
  ["a file that cannot be read", undefined],
])("not sent early with %s", async (_, text) => {
  expect(await asked("realm.yaml", text)).toEqual({ atOnce: 0, requests: [] });
});

test("not sent early for standard input, which can be read only once", async () => {
  expect((await asked(STANDARD_INPUT, "channels: {}")).atOnce).toBe(0);
});

test("no kind needs more for a file whose request is sent at once", () => {
  expect(mayRequest(kinds, ["version: 1\nchannels: {}\n"])).toBe(false);
});
