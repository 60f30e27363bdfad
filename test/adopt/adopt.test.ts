import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adopt } from "../../src/adopt/adopt.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { keepsComments } from "../../src/source/nodes.ts";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

describe("who is subscribed", () => {
  const snapshot = realmOf({
    user_groups: [
      { name: "team", members: ["ada@acme.example", "ben@acme.example"] },
      { name: "guild", members: ["chiara@acme.example", "dmitri@acme.example"] },
      { name: "crowd", members: ["chiara@acme.example", "dmitri@acme.example", "elif@acme.example"] },
    ],
    channels: [{ name: "room" }],
    subscribers: { room: ["ada@acme.example", "ben@acme.example", "chiara@acme.example"] },
  });
  test.each([
    {
      what: "a group that lost a member stays, without the member; so do members who are named and still subscribed",
      before: "{groups: [team, guild], users: [chiara@acme.example, farah@acme.example]}",
      after: "{groups: [team, guild], users: [chiara@acme.example], except: {users: [dmitri@acme.example]}}",
    },
    {
      what: "of a group that lost most of its members, the others are named",
      before: "{groups: [team, crowd]}",
      after: "{groups: [team], users: [chiara@acme.example]}",
    },
    {
      what: "with `exact`, new subscribers are added",
      before: "{groups: [team], exact: true}",
      after: "{groups: [team], exact: true, users: [chiara@acme.example]}",
    },
    { what: "nobody who is named is subscribed", before: "{users: [farah@acme.example]}", after: "{users: []}" },
  ])("$what", async ({ before, after }) => {
    const text = `version: 1\nchannels:\n  room: {subscribers: ${before}} # ours\n`;
    const { files, left } = await adopted(one(text), snapshot);
    expect(left).toBe(0);
    expect(files.get("realm.yaml")).toBe(text.replace(before, after));
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });
});

describe("the list of a private channel that the file leaves open is taken if it is asked for by name", () => {
  const snapshot = realmOf({
    user_groups: [{ name: "team", members: ["ada@acme.example", "ben@acme.example"] }],
    channels: [{ name: "room", invite_only: true }],
    subscribers: { room: ["ada@acme.example", "ben@acme.example", "chiara@acme.example"] },
  });
  const everybody = "users: [ada@acme.example, ben@acme.example, chiara@acme.example]";
  test.each([
    { what: "no list", before: "description: ''", after: `description: '', subscribers: {${everybody}, exact: true}` },
    {
      what: "others may stay",
      before: "subscribers: {groups: [team], exact: false}",
      after: "subscribers: {groups: [team], exact: false, users: [chiara@acme.example]}",
    },
    {
      what: "others may stay, and somebody left",
      before: "subscribers: {users: [farah@acme.example, ada@acme.example], exact: false}",
      after: "subscribers: {users: [ada@acme.example, ben@acme.example, chiara@acme.example], exact: false}",
    },
  ])("$what", async ({ before, after }) => {
    const text = `version: 1\nchannels:\n  room: {privacy: private_shared_history, ${before}} # ours\n`;
    const unasked = await adopted(one(text), snapshot, { addresses: ["channel:room"] });
    expect(unasked.files.get("realm.yaml")).not.toContain("chiara");
    const { files, left } = await adopted(one(text), snapshot, {
      addresses: ["channel:room"],
      fields: ["subscribers"],
    });
    expect(left).toBe(0);
    expect(files.get("realm.yaml")).toBe(text.replace(before, after));
    const { changes, warnings } = await planned(files, snapshot);
    expect([changes, warnings]).toEqual([[], []]);
  });
});

test("a deleted object that the file still names is left, and the rest is adopted", async () => {
  const file = `version: 1
user_groups: {guild: {}}
channels:
  announce: {permissions: {can_send_message_group: guild}}
  random: {description: Anything}
`;
  const snapshot = realmOf({
    channels: [{ name: "announce" }, { name: "random", description: "Anything goes" }],
  });
  const { files, left } = await adopted(one(file), snapshot, { addresses: ["user_group:guild", "channel:random"] });
  expect(left).toBe(1);
  expect(files.get("realm.yaml")).toBe(file.replace("Anything", "Anything goes"));
});

test("invitations: an address that is no longer invited is removed from the entry, a new one becomes an entry", async () => {
  const file = `version: 1
manage: {invites: exact}
invites:
  # the new team
  - emails: [grace@example.org, lin@example.org, tove@example.org]
    send_until: 2026-11-24
    channels: [general]
  - emails: [max@example.org] # leaves soon
    send_until: 2026-11-24
`;
  const snapshot = realmOf({
    channels: [{ name: "general" }],
    invites: [{ email: "Lin@example.org" }, { email: "noor@example.org", invited_as: 600 }],
  });
  const { files, left } = await adopted(one(file), snapshot);
  expect(left).toBe(0);
  expect(files.get("realm.yaml")).toBe(`version: 1
manage: {invites: exact}
invites:
  # the new team
  - emails: [lin@example.org]
    send_until: 2026-11-24
    channels: [general]
  - emails: [noor@example.org]
    invite_as: guest
  # leaves soon
`);
});

test("a channel names a group that no longer exists: reported, and nothing is changed", async () => {
  const file = `version: 1
user_groups: {guild: {}}
channels: {announce: {permissions: {can_send_message_group: guild}}}
`;
  const { files, taken, left, broken } = await adopted(one(file), realmOf({ channels: [{ name: "announce" }] }), {
    addresses: ["user_group:guild"],
  });
  expect(files.get("realm.yaml")).toBe(file);
  expect({ taken, left, broken }).toEqual({
    taken: [],
    left: 1,
    broken: [["user_group:guild", "reference/unknown-group"]],
  });
});

describe("every example keeps every comment, whatever differs", () => {
  test.each([
    { directory: "examples/small", file: "realm.yaml", url: "https://chat.example.org" },
    { directory: "examples/fleet", file: "production.yaml", url: "https://chat.example.org" },
    { directory: "examples/fleet", file: "staging.yaml", url: "https://chat-staging.example.org" },
  ])("$directory/$file", async ({ directory, file, url }) => {
    const level = 442;
    const snapshot = realmOf({
      feature_level: level,
      user_groups: ["night-watch", "engineering", "leads", "staff"].map((name) => ({ name })),
      channels: ["announce", "random", "help", "board", "customers"].map((name) => ({ name, description: "Drifted" })),
    });
    const people = snapshot.users.map((user, index) => ({
      ...user,
      delivery_email: ["ada@acme.example", "ben@acme.example"][index] ?? user.delivery_email,
    }));
    const { realm, ...rest } = snapshot;
    const result = await adopt({
      file: join(directory, file),
      readFile: (path) => readFile(path, "utf8"),
      listFiles: (path) => readdir(path),
      snapshot: { ...rest, users: people, realm: { ...realm, url } },
      kinds,
    });
    expect(result.left).toEqual([]);
    expect(result.files.length).toBeGreaterThan(0);
    for (const { before, after } of result.files) {
      expect(after).not.toBe(before);
      expect(keepsComments(before, after)).toBe(true);
    }
  });
});

test("the organization's name is a setting: it is adopted in place, and is not a rename", async () => {
  const file = "version: 1\nsettings:\n  name: Acme Works # ours\n  default_language: de\n";
  const snapshot = realmOf({ channels: [] });
  const { files, left } = await adopted(one(file), snapshot);
  expect(left).toBe(0);
  expect(files.get("realm.yaml")).toBe(file.replace("Acme Works", "Acme Foundry").replace("de\n", "en\n"));
  expect((await planned(files, snapshot)).changes).toEqual([]);
});

test.each([
  { section: "channels", field: "archived", live: { channels: [{ name: "attic" }] } },
  { section: "user_groups", field: "deactivated", live: { user_groups: [{ name: "attic" }] } },
  { section: "channel_folders", field: "archived", live: { channel_folders: [{ name: "attic" }] } },
])(
  "$section: an object that the file removes and that is active is declared as active",
  async ({ section, field, live }) => {
    const snapshot = realmOf(live);
    const file = `version: 1\n${section}:\n  attic: {absent: true}\n`;
    const { files, left } = await adopted(one(file), snapshot);
    expect(left).toBe(0);
    expect(files.get("realm.yaml")).toBe(`version: 1\n${section}:\n  attic:\n    ${field}: false\n`);
    expect((await planned(files, snapshot)).changes).toEqual([]);
  },
);
