import { describe, expect, test } from "vitest";
import { realmOf } from "../support/realm.ts";
import { adopted, one, planned } from "./files.ts";

test("a group that was renamed on the server is renamed everywhere in the file", async () => {
  const file = `version: 1
user_groups:
  staff: {id: 30} # all of us
channels:
  announce: {permissions: {can_send_message_group: staff, can_subscribe_group: {groups: [staff, leads]}}}
`;
  const groups = ["employees", "engineering", "leads"].map((name) => ({ name }));
  const snapshot = realmOf({ user_groups: groups, channels: [{ name: "announce" }] });
  const { files } = await adopted(one(file), snapshot, { addresses: ["user_group:employees"] });
  expect(files.get("realm.yaml")).toBe(
    file
      .replace("staff: {id", "employees: {id")
      .replace("group: staff,", "group: employees,")
      .replace("[staff,", "[employees,"),
  );
});

test.each([
  { what: "an open invitation", invites: [{ email: "grace@example.org" }], until: "2099-01-01" },
  { what: "an invitation that ended", invites: [], until: "2020-01-01" },
])("$what is only a record, and follows, too", async ({ invites, until }) => {
  const file = `version: 1
user_groups:
  staff: {id: 30}
channels:
  lobby: {description: Come in}
invites:
  - {emails: [grace@example.org], send_until: ${until}, channels: [lobby], groups: [staff]}
`;
  const snapshot = realmOf({
    user_groups: [{ name: "employees" }],
    channels: [{ name: "entrance", description: "Come in" }],
    invites,
  });
  const { files, left } = await adopted(one(file), snapshot);
  expect(left).toBe(0);
  expect(files.get("realm.yaml")).toBe(file.replaceAll("lobby", "entrance").replaceAll("staff", "employees"));
});

test("names that were exchanged on the server are exchanged in invitations and links, too", async () => {
  const file = `version: 1
user_groups:
  staff: {id: 30}
  guards: {id: 31}
channels:
  lobby: {id: 101}
  yard: {id: 102}
invites:
  - emails: [grace@example.org, lin@example.org]
    send_until: 2099-01-01
    channels: [yard, lobby] # both
    groups: [staff]
invite_links:
  - {expires_on: never, channels: [lobby], groups: [guards]}
`;
  const snapshot = realmOf({
    user_groups: [{ name: "guards" }, { name: "staff" }],
    channels: [{ name: "yard" }, { name: "gate" }],
    invites: [{ email: "grace@example.org" }, { email: "lin@example.org" }],
    links: [{ expires_in_days: null }],
  });
  const { files } = await adopted(one(file), snapshot);
  const now = [
    ["{id: 30}\n  guards", "{id: 30}\n  staff"],
    ["  staff: {id: 30}", "  guards: {id: 30}"],
    ["yard: {id", "gate: {id"],
    ["lobby: {id", "yard: {id"],
    ["[yard, lobby] # both", "[gate, yard] # both"],
    ["groups: [staff]", "groups: [@]"],
    ["channels: [lobby], groups: [guards]", "channels: [yard], groups: [staff]"],
    ["groups: [@]", "groups: [guards]"],
  ] as const;
  expect(files.get("realm.yaml")).toBe(now.reduce((text, [from, to]) => text.replace(from, to), file));
});

test("swapped names that can be used for neither object are reported, and not rewritten in every run", async () => {
  const file = `version: 1
channel_folders:
  Attic: {id: 1}
  Company: {id: 2}
channels:
  hall: {folder: Attic}
`;
  const snapshot = realmOf({
    channel_folders: [
      { name: "Company", is_archived: true },
      { name: "Attic", is_archived: true },
    ],
    channels: [{ name: "hall", folder_id: 1 }],
  });
  const BROKEN = [["channel_folder:Attic", "channels/archived-folder"]];
  const { files, left, broken } = await adopted(one(file), snapshot);
  expect({ left, broken }).toEqual({ left: 2, broken: BROKEN });
  // What can be taken without the names is.
  expect(files.get("realm.yaml")).toBe(file.replace("{id: 2}", "{id: 2, archived: true}"));
  const again = await adopted(files, snapshot);
  expect(again).toMatchObject({ files, left: 2, broken: BROKEN });
});

describe("another name on the server", () => {
  const file = `version: 1
profiles: {news: {permissions: {can_send_message_group: managers}}}
user_groups:
  # they decide
  managers: {description: Decide, members: [ada@acme.example], permissions: {can_manage_group: {groups: [managers]}}}
channels:
  announce: {profile: news} # read by all
  lunch: {description: Who goes where, subscribers: {groups: [managers]}}
default_channels: [announce, lunch]
`;
  const base = {
    user_groups: [
      { name: "leadership", description: "Decide", members: ["ada@acme.example"], can_manage_group: "leadership" },
    ],
    channels: [
      { name: "announce", can_send_message_group: 30 },
      { name: "Lunch club", description: "Who goes where" },
    ],
    default_channels: ["announce", "Lunch club"],
    subscribers: { announce: [], "Lunch club": ["ada@acme.example"] },
  };
  test("is used in all references, and replaces the old one", async () => {
    const snapshot = realmOf(base);
    const { files, left, taken } = await adopted(one(file), snapshot);
    expect(left).toBe(0);
    expect(taken).toEqual(["user_group:managers", "channel:lunch"]);
    expect(files.get("realm.yaml")).toBe(file.replaceAll("managers", "leadership").replaceAll("lunch", "Lunch club"));
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });

  test.each([
    {
      what: "two objects could be it",
      more: [{ name: "Lunch crew", description: "Who goes where" }],
      name: "Lunch club",
    },
    { what: "its fields differ", more: [], name: "Lunch club", description: "Minutes of the board" },
  ])("is not guessed if $what: the entry is removed", async ({ more, name, description = "Who goes where" }) => {
    const lunch = "version: 1\nchannels:\n  lunch: {description: Who goes where}\n  announce: {}\n";
    const snapshot = realmOf({ channels: [{ name: "announce" }, { name, description }, ...more] });
    const { files } = await adopted(one(lunch), snapshot);
    expect(files.get("realm.yaml")).toBe("version: 1\nchannels:\n  announce: {}\n");
  });

  test.each([
    { what: "the only object that is left", live: ["announce", "party"], becomes: "  party: {}\n  announce: {}\n" },
    { what: "any of two objects", live: ["announce", "party", "picnic"], becomes: "  announce: {}\n" },
  ])("an entry without any field could mean $what", async ({ live, becomes }) => {
    const bare = "version: 1\nchannels:\n  lunch: {}\n  announce: {}\n";
    const { files } = await adopted(one(bare), realmOf({ channels: live.map((name) => ({ name })) }));
    expect(files.get("realm.yaml")).toBe(`version: 1\nchannels:\n${becomes}`);
  });

  test.each(["chiara@acme.example", "ada@acme.example"])(
    "what %s does not see is not taken for gone",
    async (account) => {
      const file = "version: 1\nchannels:\n  vault: {description: Contracts} # keep\n  announce: {}\n";
      const snapshot = realmOf({
        account,
        channels: [{ name: "announce" }, { name: "party", description: "All of us" }],
      });
      const { files, left, reasons } = await adopted(one(file), snapshot);
      const seesAll = account === "ada@acme.example";
      expect(files.get("realm.yaml")).toBe(seesAll ? "version: 1\nchannels:\n  # keep\n  announce: {}\n" : file);
      expect(left).toBe(seesAll ? 0 : 1);
      expect(reasons.get("channel:vault")).toEqual(seesAll ? undefined : [{ why: "unseen", noun: "channel" }]);
    },
  );

  test("an entry of a list that looks renamed keeps its place, its layout and its remarks", async () => {
    const file = `version: 1
linkifiers:
  # Jira
  - {pattern: 'JIRA-(?P<id>[0-9]+)', url_template: 'https://jira.example.org/{id}'} # since 2020
  # Trac
  - pattern: 'TRAC-(?P<id>[0-9]+)' # old
    url_template: https://trac.example.org/{id}
profile_fields:
  # how to call
  - name: Phone # nr
    type: short_text
    hint: with country # remark
  - {name: Site, type: short_text}
`;
    const snapshot = realmOf({
      linkifiers: [
        { pattern: "J-(?P<id>[0-9]+)", url_template: "https://jira.example.org/{id}" },
        { pattern: "TRAC-(?P<id>[0-9]+)", url_template: "https://trac.example.org/{id}" },
      ],
      profile_fields: [
        { name: "Telephone", type: "short_text", hint: "with country" },
        { name: "Site", type: "short_text" },
      ],
    });
    const { files, renamed } = await adopted(one(file), snapshot);
    expect(files.get("realm.yaml")).toBe(file.replace("JIRA-", "J-").replace("Phone", "Telephone"));
    expect(renamed).toContainEqual(
      expect.objectContaining({ section: "profile_fields", name: "Phone", to: "Telephone" }),
    );
  });

  test("fields that exchanged their names get the types and options of the server", async () => {
    const file = `version: 1
profile_fields:
  - {name: Site, type: select, options: [Leeds, Porto]} # where
  - {name: Phone, type: short_text, hint: mobile} # nr
`;
    const options = { 0: { text: "Leeds", order: "1" }, 1: { text: "Porto", order: "2" } };
    const snapshot = realmOf({
      profile_fields: [
        { name: "Phone", type: "select", field_data: options },
        { name: "Site", type: "short_text" },
      ],
    });
    const { files, left } = await adopted(one(file), snapshot);
    const after = files.get("realm.yaml") ?? "";
    expect(after).toContain("- {name: Site, type: short_text} # where\n");
    expect(after).toMatch(/- \{name: Phone, type: select, .*options: \[Leeds, Porto\].*\} # nr\n/);
    expect([left, (await planned(files, snapshot)).changes]).toEqual([0, []]);
  });

  test("a wrong id becomes the id of the object with the name", async () => {
    const file = "version: 1\nchannels:\n  announce: {id: 99, description: News} # keep\n";
    const { files } = await adopted(one(file), realmOf({ channels: [{ name: "announce", description: "News" }] }));
    expect(files.get("realm.yaml")).toBe(file.replace("99", "101"));
  });

  test("a new object with a name that does not resolve stays as it is", async () => {
    const file =
      "version: 1\nchannels:\n  feed: {privacy: private_shared_history, subscribers: {users: [nobody@acme.example, ada@acme.example]}}\n";
    const vault = { name: "vault", invite_only: true, history_public_to_subscribers: true };
    const snapshot = realmOf({ channels: [vault], subscribers: { vault: ["ada@acme.example"] } });
    const { files, left } = await adopted(one(file), snapshot);
    expect([files.get("realm.yaml"), left]).toEqual([file, 1]);
  });
});

describe("a channel that was renamed together with what it names", () => {
  const base = {
    user_groups: [{ name: "leadership", description: "Decide" }],
    channel_folders: [{ name: "Firm", description: "All of us" }],
    channels: [
      { name: "Lunch club", description: "Who goes where", folder_id: 1, can_send_message_group: 30 },
      { name: "hall", folder_id: 1 },
    ],
  };
  const LUNCH = "description: Who goes where, folder: Company, permissions: {can_send_message_group: managers}";
  const fileWith = (group: string, folder: string, channel: string) => `version: 1
user_groups: # people
${group}
channel_folders:
${folder}
channels:
  lunch: {${channel}${LUNCH}} # at noon
  hall: {folder: Company}
`;
  const ways = (pinned: string, described: string) => [
    pinned,
    `${pinned.slice(0, -1)}, ${described}}`,
    `{${described}}`,
    "{}",
  ];
  const rows = ways("{id: 30}", "description: Decide").flatMap((group) =>
    ways("{id: 1}", "description: All of us").flatMap((folder) =>
      ["", "id: 101, "].map((id) => ({ group, folder, id })),
    ),
  );

  test.each(rows)("follows: group $group, folder $folder, channel {$id…}", async ({ group, folder, id }) => {
    const file = fileWith(`  managers: ${group}`, `  Company: ${folder}`, id);
    const snapshot = realmOf(base);
    const { files, left } = await adopted(one(file), snapshot);
    expect(left).toBe(0);
    const text = files.get("realm.yaml") ?? "";
    const now = LUNCH.replace("Company", "Firm").replace("managers", "leadership");
    expect(text).toContain(`  Lunch club: {${id}${now}} # at noon`);
    expect(text).toContain("  hall: {folder: Firm}");
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });

  test.each([
    { what: "follows if it was moved to a folder that the file mentions", description: "Who goes where" },
    { what: "is not guessed if its description differs, too", description: "Minutes of the board" },
  ])("$what", async ({ description }) => {
    const file = fileWith("  leadership: {}", "  Company: {}\n  Firm: {}", "").replace("managers", "leadership");
    const channels = base.channels.map((channel) => (channel.name === "hall" ? channel : { ...channel, description }));
    const { files } = await adopted(one(file), realmOf({ ...base, channels }));
    const now = LUNCH.replace("Company", "Firm").replace("managers", "leadership");
    const text = files.get("realm.yaml");
    if (description === "Who goes where") expect(text).toContain(`  Lunch club: {${now}} # at noon\n`);
    else expect(text).not.toContain("unch");
    expect(text).toContain("channel_folders:\n  Firm: {}\n");
    expect(text).toContain("  hall: {folder: Firm}\n");
  });
});

describe.each([
  { names: "new", now: ["employees", "leads", "entrance", "attic"] },
  { names: "exchanged", now: ["leads", "staff", "attic", "lobby"] },
])("$names names in fields that nothing compares", ({ now: [staff = "", leads = "", lobby = "", attic = ""] }) => {
  const NAMED = "channels: [lobby], groups: [staff]";
  test.each([
    { what: "a link that ended", section: "invite_links", item: `{expires_on: 2020-01-01, ${NAMED}}` },
    { what: "a link", section: "invite_links", item: `{expires_on: never, ${NAMED}}` },
    {
      what: "a link that is removed",
      section: "invite_links",
      item: `{expires_on: 2020-01-01, absent: true, ${NAMED}}`,
    },
    { what: "defaults of links", section: "invite_links", item: "{expires_on: never}", defaults: true },
    { what: "defaults of links that ended", section: "invite_links", item: "{expires_on: 2020-01-01}", defaults: true },
    {
      what: "defaults of invitations",
      section: "invites",
      item: "{emails: [grace@example.org], send_until: 2099-01-01}",
      defaults: true,
    },
    {
      what: "defaults of invitations that ended",
      section: "invites",
      item: "{emails: [lin@example.org], send_until: 2020-01-01}",
      defaults: true,
    },
  ])("follow: $what", async ({ section, item, defaults = false }) => {
    const file = `version: 1
${defaults ? `defaults: {${section}: {${NAMED}}} # for all\n` : ""}user_groups:
  staff: {id: 30}
  leads: {id: 31}
channels:
  lobby: {id: 101}
  attic: {id: 102}
${section}:
  - ${item}
`;
    const snapshot = realmOf({
      user_groups: [staff, leads].map((name) => ({ name })),
      channels: [lobby, attic].map((name) => ({ name })),
      invites: [{ email: "grace@example.org" }],
      links: [{ expires_in_days: null }],
    });
    const { files, left } = await adopted(one(file), snapshot);
    expect(left).toBe(0);
    expect(files.get("realm.yaml")).toBe(
      file
        .replace(NAMED, `channels: [${lobby}], groups: [${staff}]`)
        .replace("  staff: {id", `  ${staff}: {id`)
        .replace("  leads: {id: 31", `  ${leads}: {id: 31`)
        .replace("  lobby: {id", `  ${lobby}: {id`)
        .replace("  attic: {id: 102", `  ${attic}: {id: 102`),
    );
  });
});
