import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { Diagnostic } from "../src/model/diagnostic.ts";
import { Realm } from "../src/model/realm.ts";
import { planChanges } from "../src/plan/plan.ts";
import { wordedDiagnostic } from "../src/report/words/diagnostics.ts";
import { realmOf } from "./support/realm.ts";

/** Every way in which a file can name an object, and every way in which it can remove that object. */
const NAMING: readonly { readonly section: string; readonly target: Target; readonly item: string }[] = [
  { section: "default_channels", target: "channel", item: "[lab]" },
  {
    section: "invites",
    target: "channel",
    item: "[{emails: [new@acme.example], send_until: 2026-12-31, channels: [lab]}]",
  },
  {
    section: "invites",
    target: "group",
    item: "[{emails: [new@acme.example], send_until: 2026-12-31, groups: [crew]}]",
  },
  { section: "navigation_views", target: "channel", item: "{narrow/channel/7-lab: {name: Lab, is_pinned: true}}" },
  { section: "navigation_views", target: "channel", item: "{narrow/stream/7: {name: Lab, is_pinned: true}}" },
  {
    section: "navigation_views",
    target: "channel",
    item: "{narrow/channel/lab/topic/x: {name: Lab, is_pinned: true}}",
  },
  { section: "channels", target: "folder", item: "{other: {folder: Attic}}" },
  { section: "channels", target: "group", item: "{other: {permissions: {can_send_message_group: crew}}}" },
  { section: "channels", target: "group", item: "{other: {permissions: {can_subscribe_group: {groups: [crew]}}}}" },
  { section: "channels", target: "group", item: "{other: {subscribers: {groups: [crew]}}}" },
  { section: "invite_links", target: "channel", item: "[{expires_on: 2026-12-31, channels: [lab]}]" },
  { section: "invite_links", target: "group", item: "[{expires_on: 2026-12-31, groups: [crew]}]" },
  { section: "settings", target: "channel", item: "{new_stream_announcements_channel: lab}" },
  { section: "settings", target: "group", item: "{permissions: {can_create_groups: crew}}" },
  { section: "settings", target: "group", item: "{permissions: {can_create_groups: {groups: [crew]}}}" },
  { section: "user_groups", target: "group", item: "{other: {subgroups: [crew]}}" },
  { section: "user_groups", target: "group", item: "{other: {permissions: {can_join_group: crew}}}" },
  {
    section: "user_groups",
    target: "group",
    item: "{other: {permissions: {can_manage_group: {groups: [crew, role:owners]}}}}",
  },
  { section: "user_groups", target: "bot", item: "{other: {members: [deploy-bot@localhost]}}" },
  {
    section: "user_groups",
    target: "bot",
    item: "{other: {permissions: {can_join_group: {users: [deploy-bot@localhost]}}}}",
  },
  { section: "channels", target: "bot", item: "{other: {subscribers: {users: [deploy-bot@localhost]}}}" },
  {
    section: "channels",
    target: "bot",
    item: "{other: {permissions: {can_send_message_group: {users: [deploy-bot@localhost]}}}}",
  },
  { section: "settings", target: "bot", item: "{permissions: {can_create_groups: {users: [deploy-bot@localhost]}}}" },
];

type Target = "channel" | "group" | "folder" | "bot";
const TARGETS: Readonly<Record<Target, { section: string; name: string; id: number; dormancy: string }>> = {
  channel: { section: "channels", name: "lab", id: 7, dormancy: "archived" },
  group: { section: "user_groups", name: "crew", id: 31, dormancy: "deactivated" },
  folder: { section: "channel_folders", name: "Attic", id: 2, dormancy: "archived" },
  bot: { section: "bots", name: "deploy-bot", id: 17, dormancy: "deactivated" },
};

type Way = "exact" | "absent" | "archived or deactivated" | "archived or deactivated under another name";
const WAYS: readonly Way[] = [
  "exact",
  "absent",
  "archived or deactivated",
  "archived or deactivated under another name",
];

/** The item that removes the target; none under `exact`. */
function removal(target: Target, way: Way): string | undefined {
  const { name, id, dormancy } = TARGETS[target];
  switch (way) {
    case "exact":
      return undefined;
    case "absent":
      return `${name}: {absent: true}`;
    case "archived or deactivated":
      return `${name}: {${dormancy}: true}`;
    case "archived or deactivated under another name":
      return `zz-${name}: {id: ${id}, ${dormancy}: true}`;
  }
}

/** A file in which one section names an object and another section removes it. */
function fileOf(naming: (typeof NAMING)[number], way: Way): string {
  const { section } = TARGETS[naming.target];
  const removed = removal(naming.target, way);
  const isSame = naming.section === section;
  const item = isSame && removed !== undefined ? `{${removed}, ${naming.item.slice(1)}` : naming.item;
  return [
    "version: 1",
    ...(way === "exact" ? [`manage: {${section}: exact}`] : []),
    `${naming.section}: ${item}`,
    ...(isSame ? [] : [`${section}: {${removed ?? ""}}`]),
    "",
  ].join("\n");
}

const snapshot = realmOf({
  feature_level: 482,
  channels: [
    { name: "other", stream_id: 6 },
    { name: "lab", stream_id: 7 },
  ],
  user_groups: [{ name: "other" }, { name: "crew", members: ["ada@acme.example"] }],
  channel_folders: [{ name: "Company" }, { name: "Attic" }],
  subscribers: { other: [], lab: [] },
  invites: [],
});

async function foundIn(text: string): Promise<readonly Diagnostic[]> {
  const desired = await readConfig({
    file: "realm.yaml",
    readFile: async () => text,
    kinds,
    realm: new Realm(snapshot),
  });
  if (!desired.ok) return desired.diagnostics;
  const plan = planChanges({ desired: desired.value, snapshot, kinds, toolVersion: "0" });
  return plan.ok ? plan.warnings : plan.diagnostics;
}

/** These errors have only one place: a group in the file that another entry deactivates, and a name that the file gives away. */
const ONE_PLACE: ReadonlySet<string> = new Set(["user_groups/named-and-deactivated", "reference/renamed"]);

const errorsOf = (found: readonly Diagnostic[]) => found.filter(({ severity }) => severity === "error");

describe.each(WAYS)("removed by %s", (way) => {
  // A view that names a channel by an old name leads nowhere; this is not an error in the file.
  const naming = NAMING.filter(
    ({ item }) => way !== "archived or deactivated under another name" || !item.includes("/lab/"),
  );
  test.each(naming)("$section: $item", async (naming) => {
    const text = fileOf(naming, way);
    const errors = errorsOf(await foundIn(text));
    // One error, not one for every kind involved.
    expect(errors, text).toHaveLength(1);
    const [error] = errors;
    const places = [error?.at, ...(error?.notes ?? []).map(({ at }) => at)].map((at) => at?.line);
    // The error has the place where the object is named and the place where it is removed.
    const lines = text.split("\n");
    const named = lines.findIndex((line) => line.startsWith(`${naming.section}:`)) + 1;
    expect(places).toContain(named);
    const { section } = TARGETS[naming.target];
    const goes = lines.findIndex((line) => line.startsWith(way === "exact" ? "manage:" : `${section}:`)) + 1;
    if (!ONE_PLACE.has(error?.code ?? "")) expect(places).toContain(goes);
    expect(error === undefined ? undefined : wordedDiagnostic(error).hint).toBeDefined();
  });
});

test.each(["absent", "archived or deactivated"] as const)(
  "an invitation that needs no e-mail is a record: what is removed by %s is a warning",
  async (way) => {
    for (const email of ["ada@acme.example", "new@acme.example"]) {
      const item = `[{emails: [${email}], groups: [crew]}]`;
      const found = await foundIn(fileOf({ section: "invites", target: "group", item }, way));
      expect(errorsOf(found)).toEqual([]);
      const [warning, ...others] = found.filter(({ code }) => code === "invites/made-inactive");
      expect(others).toEqual([]);
      expect([warning?.at?.line, ...(warning?.notes ?? []).map(({ at }) => at?.line)]).toEqual([2, 3]);
    }
  },
);

test("every kind whose objects can be named elsewhere is tested as a target, and every kind that names others is tested as a section", () => {
  const naming = kinds
    .filter(({ file: { fields, names } }) => {
      return names !== undefined || Object.values(fields).some((field) => field.names ?? field.isPermission);
    })
    .map(({ section }) => section);
  expect([...new Set(NAMING.map(({ section }) => section))].sort()).toEqual(naming.sort());
});

test.each([
  {
    what: "also declared",
    text: "version: 1\nmanage: {channels: exact}\ndefault_channels: [lab]\nchannels: {lab: {}, other: {}}\n",
  },
  {
    what: "no longer named",
    text: "version: 1\nchannels: {lab: {archived: true}}\ndefault_channels: [{channel: lab, absent: true}]\n",
  },
  {
    what: "replaced by another object with its name",
    text: "version: 1\nchannel_folders: {old: {id: 2, archived: true}, Attic: {}}\nchannels: {other: {folder: Attic}}\n",
  },
])("a removed object that is $what is not an error", async ({ text }) => {
  expect(errorsOf(await foundIn(text)).map(({ code }) => code)).toEqual([]);
});
