import { describe, expect, test } from "vitest";
import { adopt } from "../../src/adopt/adopt.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { inexpressibleText } from "../../src/model/diagnostics/inexpressible.ts";
import { realmOf } from "../support/realm.ts";
import { one, planned } from "./files.ts";

const archived = (name: string) => ({ name, is_archived: true });

/** The server may have values that no file can express: then the file keeps its own, and the person learns why. */
describe("objects that no file can name are left, with the reason", () => {
  test.each([
    {
      what: "one of two folders with the same name, both archived",
      file: "channels:\n  hall: {folder: Company} # moved\n",
      overlay: {
        channel_folders: [archived("North"), archived("North"), { name: "Company" }],
        channels: [{ name: "hall", folder_id: 2 }],
      },
      after: "channels:\n  hall: {folder: Company} # moved\n",
      reasons: { "channel:hall": ["the folder North (archived, id 2) is not in use on the server"] },
    },
    {
      what: "an archived folder with the name of an active one; the rest of the channel is adopted",
      file: "channels:\n  hall: {folder: Company, description: Old}\n",
      overlay: {
        channel_folders: [{ name: "North" }, archived("North"), { name: "Company" }],
        channels: [{ name: "hall", folder_id: 2, description: "New" }],
      },
      after: "channels:\n  hall: {folder: Company, description: New}\n",
      reasons: { "channel:hall": ["the folder North (archived, id 2) is not in use on the server"] },
    },
    {
      what: "the only folder with its name, archived",
      file: "channels:\n  hall: {folder: Company}\n  lunch: {description: Old}\n",
      overlay: {
        channel_folders: [archived("North"), { name: "Company" }],
        channels: [
          { name: "hall", folder_id: 1 },
          { name: "lunch", description: "New" },
        ],
      },
      after: "channels:\n  hall: {folder: Company}\n  lunch: {description: New}\n",
      reasons: { "channel:hall": ["the folder North is not in use on the server"] },
    },
    {
      what: "a deactivated group, in a permission of a channel and of a group",
      file: "user_groups:\n  leads: {permissions: {can_mention_group: role:members}}\nchannels:\n  hall: {archived: true, permissions: {can_send_message_group: role:members, can_subscribe_group: role:nobody}}\n",
      overlay: {
        user_groups: [
          { name: "old", deactivated: true },
          { name: "leads", can_mention_group: "old" },
        ],
        channels: [{ name: "hall", is_archived: true, can_send_message_group: 30, can_subscribe_group: 12 }],
      },
      after:
        "user_groups:\n  leads: {permissions: {can_mention_group: role:members}}\nchannels:\n  hall: {archived: true, permissions: {can_send_message_group: role:members, can_subscribe_group: role:moderators}}\n",
      reasons: {
        "channel:hall": ["the group old is not in use on the server"],
        "user_group:leads": ["the group old is not in use on the server"],
      },
    },
  ])("$what", async ({ file, overlay, after, reasons }) => {
    const text = `version: 1\n${file}`;
    const snapshot = realmOf(overlay);
    const found = await adopt({
      file: "realm.yaml",
      readFile: async () => text,
      listFiles: async () => [],
      snapshot,
      kinds,
    });
    const written = found.files[0]?.after ?? text;
    expect(written).toBe(`version: 1\n${after}`);
    const said = [...(found.reasons ?? [])].map(([address, facts]) => [address, facts.map(inexpressibleText)]);
    expect(Object.fromEntries(said)).toEqual(reasons);
    const plan = await planned(one(written), snapshot);
    expect(plan.changes.map(({ address }) => address).sort()).toEqual(Object.keys(reasons).sort());
  });
});
