import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { AccessForm } from "../model/access-form.ts";
import { snapshotText } from "../zulip/snapshot.ts";

const FILE = `version: 1
user_groups:
  staff: {members: [hana@acme.example], subgroups: [oncall]}
  oncall: {members: [elif@acme.example]}
channels:
  lobby: {privacy: web_public}
  vault:
    privacy: private_shared_history
    permissions: {can_subscribe_group: staff}
`;
const snapshot = snapshotText(
  realmOf({
    settings: { enable_spectator_access: true },
    user_groups: [
      { name: "staff", members: ["hana@acme.example"], subgroups: ["oncall"] },
      { name: "oncall", members: ["elif@acme.example"] },
    ],
    channels: [
      { name: "lobby" },
      { name: "vault", invite_only: true, can_subscribe_group: "staff", can_send_message_group: "role:moderators" },
    ],
    subscribers: { lobby: ["ivo@partner.example"], vault: ["ada@acme.example"] },
  }),
);
const files = { "realm.yaml": FILE, "s.json": snapshot };
const access = (...words: string[]) => runCommandLine(["access", ...words], { files });

describe("an answer has the people and the reasons", () => {
  test.each([
    {
      words: ["#vault", "--snapshot", "s.json", "--right", "read"],
      says: [
        "#vault · private, shared history · 1 subscriber · acme.example.org · read 2026-11-21 09:00 UTC",
        "Ada Okafor, Elif Demir and Hana Sato",
        "subscribed – Ada Okafor",
        "can_subscribe_group: staff – Elif Demir (in oncall) and Hana Sato",
      ],
    },
    {
      words: ["VAULT", "--snapshot", "s.json", "--right", "post"],
      says: ["Ada Okafor", "can_send_message_group: role:moderators, among those who can reach it"],
    },
    {
      words: ["elif@acme.example", "--snapshot", "s.json", "--right", "read"],
      says: ["Elif Demir · elif@acme.example · member · in oncall", "can_subscribe_group: staff ← oncall – #vault"],
    },
    {
      words: ["Hana Sato", "--snapshot", "s.json", "--right", "join"],
      says: ["all 2", "can_subscribe_group: staff – #vault"],
    },
    {
      words: ["--as", "guest", "--file", "realm.yaml", "--right", "read"],
      says: ["1 of 2, not #vault", "on the web: everybody reads it – #lobby", "as realm.yaml alone says"],
    },
    {
      words: ["--as", "role:members", "--groups", "oncall", "--file", "realm.yaml", "--right", "read"],
      says: ["all 2", "can_subscribe_group: staff ← oncall – #vault"],
    },
    {
      words: ["--plan", "--snapshot", "s.json"],
      says: ["Access by the plan of realm.yaml", "! everybody on the web can read #lobby"],
    },
    {
      words: ["user_group:staff", "--snapshot", "s.json", "--right", "manage"],
      says: ["user group staff · 2 people", "organization: can_manage_all_groups: role:owners"],
    },
    { words: ["organization", "--snapshot", "s.json", "--right", "invite"], says: ["can_invite_users_group: "] },
  ])("$words", async ({ words, says }) => {
    const { out, err, exitCode } = await access(...words);
    expect({ err, exitCode }).toEqual({ err: "", exitCode: 0 });
    for (const text of says) expect(out).toContain(text);
  });
});

describe("without a server, a file says who people are, and which rights the organization gives them", () => {
  const alone = {
    "realm.yaml": `version: 1
settings: {permissions: {can_invite_users_group: crew, can_create_groups: role:moderators}}
people: {Elif@acme.example: {role: moderator}, ivo@partner.example: {role: guest}}
user_groups: {crew: {members: [hana@acme.example, ivo@partner.example]}}
channels: {hall: {privacy: public}}
`,
  };
  test.each([
    { words: ["organization", "--right", "invite"], says: ["can_invite_users_group: crew"], not: "role:members" },
    { words: ["organization", "--right", "create groups"], says: ["elif@acme.example"], not: "hana@" },
    { words: ["elif@acme.example", "--right", "create groups"], says: ["moderator", "can_create_groups"], not: "none" },
    { words: ["#hall", "--right", "read"], says: ["hana@acme.example"], not: "ivo@" },
  ])("$words", async ({ words, says, not }) => {
    const { out, err } = await runCommandLine(["access", ...words, "--file", "realm.yaml", "--all"], { files: alone });
    expect(err).toBe("");
    for (const text of says) expect(out.toLowerCase()).toContain(text);
    expect(out).not.toContain(not);
  });
});

test.each([
  ["access", "#vault", "--file", "links.yaml", "--snapshot", "s.json"],
  ["access", "--plan", "links.yaml", "--snapshot", "s.json"],
  ["test", "links.yaml", "--rules", "rules.yaml", "--snapshot", "s.json"],
  ["plan", "links.yaml", "--rehearse", "--snapshot", "s.json"],
])(
  "a snapshot without invitations answers all questions except those about invitations, and says so: %s %s",
  async (...words) => {
    const made = {
      ...files,
      "links.yaml": `${FILE}invite_links: [{expires_on: 2027-12-31}]\n`,
      "rules.yaml": "version: 1\ntests: [{name: A, who: {role: member}, can: {read: lobby}}]\n",
    };
    const { out, err, exitCode } = await runCommandLine(words, { files: made });
    expect(exitCode).toBe(0);
    expect(`${out}${err}`).toContain("warning[plan/not-read]");
    expect(`${out}${err}`).toContain("invite links");
    expect(out).toMatch(words[0] === "plan" ? /Rehearsed +the call succeeds/ : /vault|lobby|1 rule/);
    // The plan need not be applicable here.
    const saved = await runCommandLine(["plan", "links.yaml", "--snapshot", "s.json"], { files: made });
    expect({ ...saved, exitCode: saved.exitCode }).toMatchObject({ exitCode: 1 });
  },
);

test.each([
  ["once the file is applied", ["--file", "open.yaml"]],
  ["what its plan changes", ["--plan", "open.yaml"]],
])("subscribers of a private channel whom the file does not list: %s", async (_, from) => {
  const made = { ...files, "open.yaml": "version: 1\nchannels: {vault: {}, lobby: {}}\n" };
  const ask = async (question: string, ...words: readonly string[]) =>
    (await runCommandLine(["access", question, ...from, "--snapshot", "s.json", ...words], { files: made })).out;
  expect(await ask("#vault")).toContain("Subscribed, and not listed in the file: Ada");
  expect(await ask("#lobby")).not.toContain("not listed");
  const json = AccessForm.parse(JSON.parse(await ask("#vault", "--format", "json", "--right", "post")));
  expect(json).toMatchObject({ unlisted: [6] });
  expect(json.people).toContainEqual(expect.objectContaining({ user_id: 6 }));
});

test("the changes of a plan name those whom the file does not list, in whatever channel", async () => {
  const made = { ...files, "open.yaml": "version: 1\nchannels: {vault: {}, lobby: {}}\n" };
  const words = ["access", "--plan", "open.yaml", "--snapshot", "s.json"];
  const { out } = await runCommandLine(words, { files: made });
  expect(out).toContain("Subscribed, and not listed in the file: Ada");
  const json = await runCommandLine([...words, "--format", "json"], { files: made });
  expect(AccessForm.parse(JSON.parse(json.out))).toMatchObject({ unlisted: [6] });
});

test.each([
  ["what its plan changes", ["--plan", "open.yaml"]],
  ["once the file is applied", ["#vault", "--file", "open.yaml"]],
])("a name that does not resolve is no success, and hides nobody: %s", async (_, words) => {
  const list = "subscribers: {users: [hana@acme.example], groups: [nogroup], exact: true}";
  const made = { ...files, "open.yaml": `version: 1\nchannels: {vault: {${list}}}\n` };
  const ask = (...more: string[]) =>
    runCommandLine(["access", ...words, "--snapshot", "s.json", ...more], { files: made });
  const { out, err, exitCode } = await ask();
  expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('no group "nogroup"') });
  expect(out).toContain("Subscribed, and not listed in the file: Ada");
  const json = AccessForm.parse(JSON.parse((await ask("--format", "json")).out));
  expect(json).toMatchObject({ unlisted: [6], exit_code: 1 });
});

test("a file alone does not say who reads a private channel whose opening settings it leaves out", async () => {
  const entry = "privacy: private_shared_history, subscribers: {users: [ada@acme.example]}";
  const made = (more: string) => ({ files: { "f.yaml": `version: 1\nchannels: {vault: {${entry}${more}}}\n` } });
  const words = ["access", "#vault", "--file", "f.yaml", "--right", "read"];
  expect((await runCommandLine(words, made(""))).out).toMatch(/read +at least ada@[\s\S]*The numbers are bounds/);
  const closed = ", permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}";
  expect((await runCommandLine(words, made(closed))).out).not.toMatch(/at least|bounds/);
});

test("JSON has each person once, and numbers in the rights", async () => {
  const { out } = await access("#vault", "--snapshot", "s.json", "--format", "json", "--right", "read");
  expect(JSON.parse(out)).toMatchObject({
    format: "realmctl.access",
    from: "snapshot",
    question: "channel:vault",
    people: [{ email: "ada@acme.example" }, { email: "elif@acme.example" }, { email: "hana@acme.example" }],
    rights: [
      {
        right: "read",
        people: [6, 10, 13],
        by: [
          { via: "subscriber", people: [6] },
          { via: "setting", setting: "can_subscribe_group", value: "staff", people: [10, 13] },
        ],
      },
    ],
  });
});

test.each([
  ["#vault", "--snapshot", "s.json"],
  ["user_group:staff", "--snapshot", "s.json"],
  ["organization", "--file", "realm.yaml"],
  ["elif@acme.example", "--snapshot", "s.json"],
  ["--as", "guest", "--groups", "staff", "--file", "realm.yaml"],
  ["--plan", "--snapshot", "s.json"],
  ["#yard", "--file", "new.yaml", "--snapshot", "s.json"],
  ["--plan", "new.yaml", "--snapshot", "s.json"],
])("JSON matches its schema: %s %s %s", async (...words) => {
  const made = { ...files, "new.yaml": "version: 1\nchannels: {yard: {}}\n" };
  const { out } = await runCommandLine(["access", ...words, "--format", "json"], { files: made });
  expect(AccessForm.parse(JSON.parse(out))).toEqual(JSON.parse(out));
});

test("CSV has a line for each person, and no cell that a spreadsheet would evaluate", async () => {
  const realm = realmOf({ channels: [{ name: "a,b" }], subscribers: { "a,b": [] } });
  const users = realm.users.map((user) => (user.user_id === 6 ? { ...user, full_name: "=1+1" } : user));
  const { out } = await runCommandLine(
    ["access", "#a,b", "--snapshot", "s.json", "--format", "csv", "--right", "administer"],
    { files: { "s.json": snapshotText({ ...realm, users }) } },
  );
  expect(out.split("\r\n").slice(0, 2)).toEqual([
    "on,right,setting,person,name,role,bot,change,bound,by",
    `"#a,b",administer,can_administer_channel_group,ada@acme.example,'=1+1,owner,no,,,"can_administer_channel_group: {users: [ada@acme.example]}; administrators of the organization"`,
  ]);
});

test("HTML escapes text from the server", async () => {
  const realm = realmOf({ channels: [{ name: "<script>x" }], subscribers: { "<script>x": [] } });
  const { out } = await runCommandLine(["access", "#<script>x", "--snapshot", "s.json", "--format", "html"], {
    files: { "s.json": snapshotText(realm) },
  });
  expect(out).toContain("&lt;script&gt;x");
  expect(out).not.toContain("<script>x");
});

describe("--plan says who is invited into what, in every format", () => {
  const inviting = `${FILE}invites:
  - {emails: [grace@acme.example], send_until: 2026-12-01, invite_as: guest, channels: [vault], groups: [staff]}
  - {emails: [lin@acme.example], send_until: 2026-12-01}
invite_links: [{expires_on: 2027-12-31, groups: [staff]}]
`;
  const live = snapshotText(
    realmOf({
      user_groups: [
        { name: "staff", members: ["hana@acme.example"], subgroups: ["oncall"] },
        { name: "oncall", members: ["elif@acme.example"] },
      ],
      settings: { enable_spectator_access: true },
      channels: [
        { name: "lobby", is_web_public: true },
        { name: "vault", invite_only: true, can_subscribe_group: "staff" },
      ],
      subscribers: { lobby: [], vault: ["ada@acme.example"] },
      invites: [],
      links: [],
    }),
  );
  const ask = async (...words: readonly string[]) => {
    const made = { "realm.yaml": inviting, "s.json": live };
    const { out, err, exitCode } = await runCommandLine(["access", ...words, "--plan", "--snapshot", "s.json"], {
      files: made,
    });
    expect({ err, exitCode }).toEqual({ err: "", exitCode: 0 });
    return out;
  };

  test("text", async () => {
    const out = (await ask()).replaceAll(/\s+/g, " ");
    expect(out).toContain("Nobody gains or loses access.");
    expect(out).toContain(
      "+ grace@acme.example is invited as guest, into #vault and the group staff; can then read what is private: #vault",
    );
    expect(out).toContain("+ lin@acme.example is invited as member +");
    expect(out).toContain(
      "+ everybody with the link member until 2027-12-31 may join as member, into the group staff; can then read what is private: #vault",
    );
  });

  test("a link of the file that is open already, for which the plan opens something", async () => {
    const opens = `${FILE.replace("permissions: {can_sub", "subscribers: {users: [ada@acme.example]}\n    permissions: {can_sub")}invite_links: [{expires_on: never, groups: [staff]}]\n`;
    const closed = realmOf({
      user_groups: [{ name: "staff" }, { name: "oncall" }],
      settings: { enable_spectator_access: true },
      channels: [
        { name: "lobby", is_web_public: true },
        { name: "vault", invite_only: true },
      ],
      subscribers: { lobby: [], vault: ["ada@acme.example"] },
      invites: [],
      links: [{ expires_in_days: null }],
    });
    const made = { "realm.yaml": opens, "s.json": snapshotText(closed) };
    const askFor = async (format: string) =>
      (await runCommandLine(["access", "--plan", "--snapshot", "s.json", "--format", format], { files: made })).out;
    expect((await askFor("text")).replaceAll(/\s+/g, " ")).toContain(
      "+ everybody with the link member for ever may join as member already; can then read what is private: #vault",
    );
    expect(AccessForm.parse(JSON.parse(await askFor("json")))).toMatchObject({
      invitations: [
        { name: "member for ever", by: "link", revoked: false, was_open: true, invite_as: "member", reads: ["vault"] },
      ],
    });
    expect(await askFor("csv")).toMatch(/#vault,read,read,,everybody with the link member for ever,member,no,gained/);
  });

  test("about one channel and one right", async () => {
    expect(await ask("#vault")).toContain("grace@acme.example is invited");
    expect(await ask("#vault")).not.toContain("lin@acme.example");
    expect(await ask("#lobby")).not.toContain("invited");
    expect(await ask("--right", "read")).toContain("grace@acme.example is invited");
    expect(await ask("--right", "post")).not.toContain("invited");
  });

  test("json, csv, html", async () => {
    const json = AccessForm.parse(JSON.parse(await ask("--format", "json")));
    expect(json).toMatchObject({
      invitations: [
        {
          name: "grace@acme.example",
          by: "mail",
          revoked: false,
          invite_as: "guest",
          channels: ["vault"],
          groups: ["staff"],
          reads: ["vault"],
        },
        { name: "lin@acme.example", by: "mail", invite_as: "member", channels: [], groups: [], reads: [] },
        { by: "link", invite_as: "member", groups: ["staff"], reads: ["vault"] },
      ],
    });
    const csv = await ask("--format", "csv");
    expect(csv).toContain("#vault,read,read,grace@acme.example,,guest,no,gained,,invitation");
    expect(csv).toContain("staff,be a member,members,grace@acme.example,,guest,no,gained,,invitation");
    expect(csv).toContain("the organization,join,,lin@acme.example,,member,no,gained,,invitation");
    expect(csv).toContain(
      "#vault,read,read,,everybody with the link member until 2027-12-31,member,no,gained,,invitation link",
    );
    expect(await ask("--format", "html")).toContain('<ul id="invited"><li><bdi>grace@acme.example is invited as guest');
  });
});

describe("questions without an answer", () => {
  test.each([
    { words: ["#valt", "--snapshot", "s.json"], code: "access/unknown", hint: 'did you mean "#vault"?' },
    { words: ["elif@acme.exmple", "--snapshot", "s.json"], code: "access/unknown", hint: "elif@acme.example" },
    {
      words: ["#vault", "--snapshot", "s.json", "--right", "invite"],
      code: "access/right-of-other",
      hint: "read, post",
    },
    { words: ["--as", "boss", "--snapshot", "s.json"], code: "access/unknown-role", hint: "owner, administrator" },
    { words: ["--as", "gest", "--snapshot", "s.json"], code: "access/unknown-role", hint: 'did you mean "guest"?' },
    { words: ["--as", "Moderatrs", "--file", "realm.yaml"], code: "access/unknown-role", hint: '"moderator"?' },
    // People are named by address, and found by a part of their name.
    { words: ["elif", "--snapshot", "s.json"], code: "access/unknown", hint: 'did you mean "elif@acme.example"?' },
    { words: ["DEMIR", "--snapshot", "s.json"], code: "access/unknown", hint: 'did you mean "elif@acme.example"?' },
    { words: ["hanna", "--snapshot", "s.json"], code: "access/unknown", hint: 'did you mean "hana@acme.example"?' },
    {
      words: ["--as", "guest", "--groups", "staf", "--snapshot", "s.json"],
      code: "access/unknown-group",
      hint: '"staff"',
    },
    { words: ["#vault", "--groups", "staff", "--snapshot", "s.json"], code: "access/groups-of-nobody", hint: "--as" },
    {
      words: ["#vault", "--as", "guest", "--snapshot", "s.json"],
      code: "access/two-questions",
      hint: "leave one of them out",
    },
    {
      words: ["--as", "guest", "--plan", "--snapshot", "s.json"],
      code: "access/plan-of-person",
      hint: "name a channel",
    },
    {
      words: ["#vault", "--plan", "--right", "add_members", "--snapshot", "s.json"],
      code: "access/right-of-other",
      hint: "#vault",
    },
  ])("$code: $words", async ({ words, code, hint }) => {
    const { out, err, exitCode } = await access(...words);
    expect({ out, exitCode }).toEqual({ out: "", exitCode: 1 });
    expect(err).toContain(`error[${code}]`);
    expect(err.replaceAll(/\s+/g, " ")).toContain(hint);
  });
});

describe("the file without a name is realm.yaml", () => {
  test.each([
    { words: ["--file", "#vault", "--right", "read"], says: "#vault · private, shared history" },
    { words: ["#vault", "--file", "--right", "read"], says: "as realm.yaml alone says" },
    { words: ["organization", "--file", "--right", "invite"], says: "as realm.yaml alone says" },
    { words: ["--file", "organization", "--right", "invite"], says: "as realm.yaml alone says" },
    { words: ["--plan", "#vault", "--snapshot", "s.json"], says: "Access by the plan of realm.yaml" },
  ])("$words", async ({ words, says }) => expect((await access(...words)).out).toContain(says));
});

describe("a picture", () => {
  const plan = {
    ...files,
    "realm.yaml": FILE.replace("can_subscribe_group: staff", "can_subscribe_group: role:moderators"),
  };
  const draw = (...words: string[]) => runCommandLine(["access", ...words, "--snapshot", "s.json"], { files: plan });

  test.each([
    { words: [], draws: ["#35;vault", "staff", "oncall", "1 person<br/>Ada Okafor"] },
    { words: ["#vault"], draws: ["#35;vault", "staff", "oncall"] },
    { words: ["user_group:oncall"], draws: ["#35;vault", "staff", "oncall"], not: ["Ada Okafor"] },
    { words: ["elif@acme.example"], draws: ["#35;vault", "oncall", "read: 3 people"], not: ["Ada Okafor"] },
    { words: ["--as", "guest"], draws: ["No private channel"], not: ["vault"] },
    { words: ["--plan"], draws: [":::removed", "-.->", "read: 3 people → 4 people", "public → on the web"] },
    { words: ["--plan", "#lobby"], draws: ["public → on the web"], not: ["vault"] },
    { words: ["--plan", "user_group:oncall"], draws: ["Nobody gains or loses it"], not: ["vault"] },
    { words: ["#vault", "--right", "administer"], draws: ["administer: "], not: ["read: "] },
  ])("access $words --format mermaid", async ({ words, draws, not = [] }) => {
    const { out, exitCode: code } = await draw(...words, "--format", "mermaid");
    expect(code).toBe(0);
    for (const text of draws) expect(out).toContain(text);
    for (const text of not) expect(out).not.toContain(text);
  });

  test.each([
    { words: [], section: "Channels, by which path", also: "Public: everybody but guests" },
    { words: ["#vault"], section: "By which path", also: "Elif Demir" },
    { words: ["user_group:staff"], section: "Private channels that it opens", also: "#vault" },
    { words: ["elif@acme.example"], section: "Private channels, by which path", also: "#vault" },
    { words: ["--plan"], section: "Channels, by which path: before and after", also: "no longer" },
  ])("access $words --format html has it above the names", async ({ words, section, also }) => {
    const { out, exitCode: code } = await draw(...words, "--format", "html");
    expect(code).toBe(0);
    expect(out).toContain(`<section id="picture" data-group><h2>${section}</h2>`);
    expect(out).toContain(also);
  });

  test("the page of a plan has it, too; text, JSON and CSV still need a question", async () => {
    const page = await runCommandLine(["plan", "--snapshot", "s.json", "--format", "html"], { files: plan });
    expect(page.out).toContain("Channels, by which path: before and after");
    for (const format of ["text", "json", "csv"])
      expect((await draw("--format", format)).err).toContain("access/nothing-asked");
  });
});

describe("who can come to administer a channel by joining a group", () => {
  const file = {
    "s.json": snapshotText(
      realmOf({
        user_groups: [
          { name: "crew", members: [], can_join_group: { direct_members: [12, 13], direct_subgroups: [] } },
        ],
        channels: [{ name: "board", can_administer_channel_group: "crew" }],
      }),
    ),
  };
  const ask = async (...words: string[]) =>
    (await runCommandLine(["access", "#board", "--snapshot", "s.json", ...words], { files: file })).out;

  test("is in each format of an answer about the channel", async () => {
    const says = "Gustavo Lima and Hana Sato can join crew, and then administer it.";
    expect((await ask("--right", "administer")).replace(/\s+/g, " ")).toContain(says);
    expect(await ask("--right", "administer", "--format", "html")).toContain(says);
    expect(JSON.parse(await ask("--format", "json"))).toMatchObject({
      may_administer: { people: [12, 13], groups: ["crew"] },
    });
    expect(await ask("--format", "csv")).toMatch(/#board,come to administer,,hana@acme.example,.*,may join crew/);
  });

  test("is not in an answer about another right", async () => {
    expect(await ask("--right", "read")).not.toContain("administer");
    expect(JSON.parse(await ask("--right", "read", "--format", "json"))).not.toHaveProperty("may_administer");
  });
});
