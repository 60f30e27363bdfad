import { describe, expect, test } from "vitest";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Policy } from "../../src/model/objects.ts";
import { formatYaml } from "../../src/source/format.ts";
import { RUNS } from "../properties/arbitrary.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { RECORDED, recordedSnapshot } from "../support/recorded.ts";
import { must } from "../support/world.ts";
import { wholeRealm } from "./realms.ts";

const writable = kinds.filter((kind) => kind.yaml?.item !== undefined).map((kind) => kind.section);
const SINGLETONS = new Set(kinds.filter(({ shape }) => shape === "singleton").map(({ section }) => section));
const all = (policy: Policy) => Object.fromEntries(writable.map((section) => [section, policy]));

describe("the export of a recorded realm plans no change", () => {
  test.each(RECORDED.flatMap((name) => (["additive", "exact"] as const).map((policy) => ({ name, policy }))))(
    "$name, $policy",
    async ({ name, policy }) => {
      const snapshot = await recordedSnapshot(name);
      const { files, omitted, counts } = await exportRealm({ snapshot, kinds, policies: all(policy) });
      expect(omitted).toEqual([]);
      expect(counts.get("channels")).toBeGreaterThan(0);
      expect(must(await planFiles(files, "realm.yaml", { snapshot, kinds }))).toMatchObject({ changes: [], calls: [] });
    },
  );
});

test(
  "a random realm, written as files, plans as no change",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        wholeRealm,
        fc.constantFrom("none", "kind", "folder"),
        fc.constantFrom<Policy>("additive", "exact"),
        fc.boolean(),
        async (overlay, split, policy, inactive) => {
          const snapshot = realmOf(overlay);
          const { files, omitted } = await exportRealm({
            snapshot,
            kinds,
            sections: writable,
            policies: all(policy),
            inactive,
            split,
          });
          expect(omitted).toEqual([]);
          const plan = must(await planFiles(files, "realm.yaml", { snapshot, kinds }));
          expect(plan).toMatchObject({ changes: [], calls: [] });
          for (const text of files.values()) expect(formatYaml(text)).toBe(text);
          // Nothing is forgotten, either.
          // Settings with the values of a new organization are left out, and so are not watched.
          const objects = plan.unmanaged.filter(({ section }) => !SINGLETONS.has(section));
          if (policy === "additive") expect(objects.flatMap(({ names }) => names)).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 300,
);

test("the same realm gives the same text", async () => {
  const [overlay] = fc.sample(wholeRealm, { numRuns: 1, seed: 7 });
  if (overlay === undefined) throw new RangeError("no sample");
  const snapshot = realmOf(overlay);
  expect(await exportRealm({ snapshot, kinds })).toEqual(
    await exportRealm({ snapshot: structuredClone(snapshot), kinds }),
  );
});

const closed = { is_archived: false, invite_only: true, history_public_to_subscribers: true };

describe("written as a person would write it", () => {
  test("values that three channels share become a profile; values that every channel has are not written", async () => {
    const channels = ["north", "south", "west"].map((name) => ({
      name,
      description: `What is new in the ${name}`,
      can_send_message_group: 30,
      message_retention_days: 90,
    }));
    const { files } = await exportRealm({
      snapshot: realmOf({ channels: [...channels, { name: "general", description: "", is_archived: false }] }),
      kinds,
      sections: ["channels"],
    });
    expect(files.get("realm.yaml")).toBe(`# Acme Foundry, as realmctl export found it on 2026-11-21.
# Values that every new object has are left out. A field that is missing here is left as it is on the server.
version: 1
realm: https://acme.example.org

# additive: objects that are not listed here are left alone; exact: they are removed
manage:
  channels: additive

profiles:
  announcement-kept-90-days:
    message_retention_days: 90
    permissions:
      can_send_message_group: staff

channels:
  general: {}
  north:
    profile: announcement-kept-90-days
    description: What is new in the north
  south:
    profile: announcement-kept-90-days
    description: What is new in the south
  west:
    profile: announcement-kept-90-days
    description: What is new in the west
`);
  });

  test("a value that no file can express is named in a comment", async () => {
    const odd = { name: "odd", invite_only: true, is_web_public: true, history_public_to_subscribers: true };
    const { files, omitted } = await exportRealm({ snapshot: realmOf({ channels: [odd] }), kinds });
    expect(omitted).toMatchObject([{ section: "channels", name: "odd", field: "privacy" }]);
    expect(files.get("realm.yaml")).toContain("  # privacy is left out: no file can express its value\n  odd:");
  });

  test("a deactivated group cannot be named: the setting is left out, with the reason", async () => {
    const channel = { name: "old", can_send_message_group: { direct_members: [6], direct_subgroups: [33] } };
    const { files, omitted } = await exportRealm({ snapshot: realmOf({ channels: [channel] }), kinds });
    expect(omitted).toMatchObject([{ section: "channels", name: "old", field: "can_send_message_group" }]);
    expect(files.get("realm.yaml")).toContain(
      '  # can_send_message_group is left out: the group "retired" is deactivated\n  old: {}\n',
    );
  });

  test("open invitations: equal ones share an entry, and a comment names what the server does not show", async () => {
    const invites = [
      { email: "lin@example.org" },
      { email: "grace@example.org", invited_as: 600, expires_in_days: null },
      { email: "Hopper@example.org", notify_referrer_on_join: true },
      { email: "ada@acme.example" },
    ];
    const snapshot = realmOf({ invites });
    const [link] = snapshot.invites ?? [];
    if (link === undefined) throw new RangeError("no invitation");
    const { files, omitted, counts } = await exportRealm({
      snapshot: { ...snapshot, invites: [...(snapshot.invites ?? []), { ...link, is_multiuse: true, email: null }] },
      kinds,
      sections: ["invites"],
    });
    expect(omitted).toEqual([]);
    expect(counts.get("invites")).toBe(3);
    expect(files.get("realm.yaml")).toContain(`
# the server does not show channels, groups and welcome texts of invitations, nor how long they were valid
# 1 invitation link not listed: they are in a separate section, invite_links
invites:
  - emails: [grace@example.org]
    invite_as: guest
    expires_in: never
  - emails: [hopper@example.org, lin@example.org]
`);
  });

  test("one file for each folder", async () => {
    const { files } = await exportRealm({
      snapshot: realmOf({
        channels: [
          { name: "a", folder_id: 1 },
          { name: "b", ...closed },
          { name: "c", folder_id: 2 },
        ],
        subscribers: { b: ["ada@acme.example"] },
      }),
      kinds,
      sections: ["channels", "domains"],
      split: "folder",
      schema: "schemas/realm.schema.json",
    });
    expect([...files.keys()]).toEqual([
      "realm.yaml",
      "channels/company.yaml",
      "channels/without-folder.yaml",
      "channels/projects.yaml",
      "domains.yaml",
    ]);
    expect(files.get("channels/company.yaml")).toBe(
      "# yaml-language-server: $schema=../schemas/realm.schema.json\nchannels:\n  a:\n    folder: Company\n",
    );
    expect(files.get("channels/without-folder.yaml")).toContain(
      "    subscribers:\n      users: [ada@acme.example]\n      exact: true\n",
    );
  });
});
