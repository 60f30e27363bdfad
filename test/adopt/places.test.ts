import { describe, expect, test } from "vitest";
import { realmOf } from "../support/realm.ts";
import { adopted, planned } from "./files.ts";

const SPLIT = new Map([
  [
    "realm.yaml",
    `version: 1
include: [channels/*.yaml]
manage: {linkifiers: exact}
# what announcements have in common
profiles:
  announcement: {permissions: {can_send_message_group: role:moderators}}
linkifiers: # tried in this order
  - pattern: '#(?P<id>[0-9]+)' # bugs
    url_template: https://bugs.example.org/{id}
`,
  ],
  [
    "channels/news.yaml",
    `channels:
  # everybody reads this
  announce: {profile: announcement}   # not the board
  releases:
    profile: announcement
    description: "Every release" # one line
`,
  ],
]);
const drifted = realmOf({
  channels: [
    { name: "announce", can_send_message_group: 30 },
    { name: "releases", description: "Every: release", can_send_message_group: 12, can_administer_channel_group: 30 },
    { name: "party", description: "Costs ${money}" },
  ],
  linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://new.example.org/{id}" }],
});

describe("adopted values are written where they belong", () => {
  test("a value from a profile is overridden in the item, in the file that has the item", async () => {
    const { files, left } = await adopted(SPLIT, drifted);
    expect(left).toBe(0);
    expect(files.get("channels/news.yaml")).toBe(`channels:
  # everybody reads this
  announce: {profile: announcement, permissions: {can_send_message_group: staff}}   # not the board
  releases:
    profile: announcement
    description: "Every: release" # one line
`);
    expect(files.get("realm.yaml")).toBe(
      SPLIT.get("realm.yaml")?.replace("https://bugs.example.org", "https://new.example.org"),
    );
    expect((await planned(files, drifted)).changes).toEqual([]);
  });

  test("only the chosen objects, and those that the file does not know by address", async () => {
    const { files, taken } = await adopted(SPLIT, drifted, { addresses: ["channel:party"] });
    expect(taken).toEqual(["channel:party"]);
    expect(files.get("realm.yaml")).toBe(SPLIT.get("realm.yaml"));
    expect(files.get("channels/news.yaml")).toBe(
      `${SPLIT.get("channels/news.yaml")}  party:\n    description: Costs $\${money}\n`,
    );
    const addresses = (await planned(files, drifted)).changes.map(({ address }) => address);
    expect(addresses).toEqual(["channel:announce", "channel:releases", "linkifier:#(?P<id>[0-9]+)"]);
  });

  test("only one field", async () => {
    const { files } = await adopted(SPLIT, drifted, { addresses: ["channel:releases"], fields: ["description"] });
    expect(files.get("channels/news.yaml")).toContain('description: "Every: release" # one line');
    expect(files.get("channels/news.yaml")).not.toContain("staff");
  });
});

describe("values that come from variables", () => {
  const FLEET = new Map([
    [
      "realm.yaml",
      `version: 1
include: [shared.yaml]
values:
  company: Acme # as in descriptions
  on_call: engineering
`,
    ],
    [
      "shared.yaml",
      `vars:
  company: {type: string}
  on_call: {type: group}
  lead: {type: person, default: ada@acme.example}
  days: {type: integer, default: 30}
channels:
  announce:
    description: News of \${company} for all
  incidents:
    description: Page \${on_call} first
    permissions:
      can_send_message_group: \${on_call}
      can_administer_channel_group: {groups: [staff], users: ["\${lead}"]}
  alerts:
    message_retention_days: \${days}
`,
    ],
  ]);
  const live = (over: { readonly [channel: string]: { readonly [field: string]: unknown } }) =>
    realmOf({
      channels: [
        { name: "announce", description: "News of Acme for all", ...over.announce },
        {
          name: "incidents",
          description: "Page engineering first",
          can_send_message_group: 31,
          can_administer_channel_group: { direct_members: [6], direct_subgroups: [30] },
          ...over.incidents,
        },
        { name: "alerts", message_retention_days: 30, ...over.alerts },
      ],
    });
  test.each([
    {
      what: "the only use of a variable: its value, in the file of the organization",
      over: { alerts: { message_retention_days: 90 } },
      file: "realm.yaml",
      from: "  on_call: engineering\n",
      to: "  on_call: engineering\n  days: 90\n",
    },
    {
      what: "one of several uses of a variable: written out in that place",
      over: { incidents: { can_send_message_group: 32 } },
      file: "shared.yaml",
      from: "can_send_message_group: ${on_call}",
      to: "can_send_message_group: leads",
    },
    {
      what: "a text that contains a reference: the reference stays",
      over: { announce: { description: "All the news of Acme, costs ${nothing}" } },
      file: "shared.yaml",
      from: "News of ${company} for all",
      to: "All the news of ${company}, costs $${nothing}",
    },
    {
      what: "a text that no longer contains the variable's value",
      over: { announce: { description: "News of Acmeland" } },
      file: "shared.yaml",
      from: "News of ${company} for all",
      to: "News of Acmeland",
    },
    {
      what: "a list that contains a reference: the reference stays",
      over: { incidents: { can_administer_channel_group: { direct_members: [7, 6], direct_subgroups: [30] } } },
      file: "shared.yaml",
      from: 'users: ["${lead}"]',
      to: 'users: ["${lead}", ben@acme.example]',
    },
  ])("$what", async ({ over, file, from, to }) => {
    const snapshot = live(over);
    const { files, left } = await adopted(FLEET, snapshot);
    expect(left).toBe(0);
    const expected = new Map(FLEET).set(file, FLEET.get(file)?.replace(from, () => to) ?? "");
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(expected));
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });
});
