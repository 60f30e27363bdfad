import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { PNG } from "../../test/support/pictures.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { EXIT } from "../model/diagnostic.ts";
import { DriftForm } from "../model/output-schemas.ts";
import { ROLE } from "../model/roles.ts";
import { snapshotText } from "../zulip/snapshot.ts";

/** A reading by an administrator who is not an owner. */
const live = (channels: number): string =>
  snapshotText(
    realmOf({
      account: "ben@acme.example",
      channels: Array.from({ length: channels }, (_, n) => ({ name: `c${n}` })),
      subscribers: {},
    }),
  );
const FILE = `version: 1
settings:
  permissions: {can_create_groups: role:moderators}
channels:
`;
const channels = (count: number): string =>
  Array.from({ length: count }, (_, n) => `  c${n}: {message_retention_days: 30}\n`).join("");

async function drift(count: number, ...flags: readonly string[]) {
  const files = { "realm.yaml": `${FILE}${channels(count)}`, "s.json": live(count) };
  const { out, err, exitCode } = await runCommandLine(["drift", "--snapshot", "s.json", ...flags], { files });
  expect({ err, exitCode }).toEqual({ err: "", exitCode: 2 });
  return out;
}

test("differences that the account could not correct are warnings, also for settings of owners", async () => {
  const out = await drift(1);
  expect(out).toContain("can_create_groups");
  expect(out).toContain("message_retention_days");
  expect(out).toContain("warning[settings/owner-only]");
  expect(out).toContain("warning[channels/not-allowed]");
  expect(await drift(1, "--policy", "realm.yaml", "--zuliprc", "rc")).toMatch(
    /Put it back with an account that may:\s+realmctl\s+apply\s+--policy\s+realm.yaml\.\s/,
  );
  const { warnings } = DriftForm.parse(JSON.parse(await drift(1, "--format", "json")));
  expect(warnings.map(({ code }) => code)).toEqual(["settings/owner-only", "channels/not-allowed"]);
});

test("like warnings are shown once", async () => {
  expect((await drift(20)).match(/warning\[/g)).toHaveLength(2);
  expect(await drift(20)).toContain("the same for 19 more: ");
  expect((await drift(20, "--all")).match(/warning\[/g)).toHaveLength(21);
});

test("an error is counted as one, and not as a change on the server", async () => {
  const files = {
    "realm.yaml": "version: 1\nbots: {ci-bot: {full_name: Deploy Bot}}\n",
    "s.json": snapshotText(realmOf({})),
  };
  const { out } = await runCommandLine(["drift", "--snapshot", "s.json"], { files });
  expect(out).toContain("error[bots/full-name]");
  expect(out).toMatch(/^1 object differs from realm\.yaml · 1 error · /);
});

describe("changes to objects that are not compared", () => {
  const run = (line: string, yaml: string, overlay: Overlay) =>
    runCommandLine(line.split(" "), {
      files: { "realm.yaml": yaml, "icon.png": PNG.toString("latin1"), "s.json": snapshotText(realmOf(overlay)) },
    });
  const changed = `version: 1
settings: {icon: {image: icon.png, replaces: 1}}
people: {ben@acme.example: {role: administrator}}
bots: {deploy-bot: {owner: ada@acme.example}}
channels: {hall: {}}
`;
  const live: Overlay = {
    channels: [{ name: "hall" }],
    users: { "ben@acme.example": { is_active: false }, "deploy-bot@localhost": { is_active: false } },
    settings: { icon_source: "U", icon_url: "/icon.png?version=4" },
  };
  const codes = ["settings/picture-version", "people/is-deactivated", "bots/is-deactivated"];
  const drift = (line: string) => run(`drift --snapshot s.json ${line}`.trim(), changed, live);

  test("are drift, with the exit code of drift", async () => {
    const { out, exitCode } = await drift("");
    expect(exitCode).toBe(EXIT.changesPending);
    expect(out).not.toContain("No drift.");
    expect(out).toContain("3 changes on the server that apply does not revert");
    expect(out).not.toContain("object");
    // No command can revert or keep it.
    expect(out).not.toContain("realmctl apply");
    expect(out.match(/(?<=warning\[)[^\]]+/g)).toEqual(codes);
  });

  test("are in JSON and on the page", async () => {
    const { uncompared, warnings, differences, exit_code } = DriftForm.parse(
      JSON.parse((await drift("--format json")).out),
    );
    expect(uncompared.map(({ code }) => code)).toEqual(codes);
    expect([warnings, differences, exit_code]).toEqual([[], [], 2]);
    const page = (await drift("--format html")).out;
    expect(page).toMatch(/not reverted by apply: 3<[\s\S]*ben@acme\.example is deactivated/);
    expect(page).not.toContain("No drift");
  });

  test("are only a warning in the drift of a part of the file", async () => {
    const { out, exitCode } = await drift("--only channels");
    expect([exitCode, out.match(/(?<=warning\[)[^\]]+/g)]).toEqual([EXIT.done, codes]);
    expect(out).toContain("No drift.");
    const { uncompared, warnings } = DriftForm.parse(JSON.parse((await drift("--only channels --format json")).out));
    expect([uncompared, warnings.map(({ code }) => code)]).toEqual([[], codes]);
  });

  test.each<{ as: string; yaml: string; differs: readonly string[] }>([
    {
      as: "as the owner of a bot",
      yaml: "bots: {deploy-bot: {owner: elif@acme.example, deactivated: false}}",
      // The bot keeps its owner: there is nobody else to name.
      differs: [],
    },
    {
      as: "as a member of a group",
      yaml: "user_groups: {staff: {members: [elif@acme.example]}}",
      differs: ["user_group:staff"],
    },
    {
      as: "in a permission",
      yaml: "channels: {hall: {permissions: {can_send_message_group: {users: [elif@acme.example]}}}}",
      differs: ["channel:hall"],
    },
    {
      // The server keeps subscriptions of deactivated people, and shows only those of active people.
      as: "as a subscriber",
      yaml: "channels: {hall: {subscribers: {users: [elif@acme.example]}}}",
      differs: [],
    },
    {
      as: "in a permission of the organization",
      // The server's value names the same account, which it does not show either.
      yaml: "settings: {permissions: {can_create_groups: {users: [elif@acme.example]}}}",
      differs: [],
    },
  ])("a deactivated person whom the file names $as is drift, and an error in a plan", async ({ yaml, differs }) => {
    const overlay: Overlay = {
      users: { "elif@acme.example": { is_active: false } },
      channels: [{ name: "hall" }],
      subscribers: { hall: [] },
      user_groups: [{ name: "staff", members: ["ada@acme.example"] }],
      settings: { can_create_groups: { direct_members: [10], direct_subgroups: [] } },
    };
    const file = `version: 1\n${yaml}\n`;
    const found = await run("drift --snapshot s.json --format json", file, overlay);
    expect(found).toMatchObject({ err: "", exitCode: EXIT.changesPending });
    const { uncompared, differences } = DriftForm.parse(JSON.parse(found.out));
    expect(uncompared.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning reference/deactivated-person",
    ]);
    expect(differences.map(({ address }) => address)).toEqual(differs);
    const plan = await run("plan --snapshot s.json", file, overlay);
    expect(plan.exitCode).toBe(EXIT.errors);
    expect(plan.out).toContain("error[reference/deactivated-person]");
  });

  test("somebody deactivated whom the file names twice is one change", async () => {
    const overlay: Overlay = { users: { "elif@acme.example": { is_active: false } }, channels: [{ name: "hall" }] };
    const people = "{users: [elif@acme.example]}";
    const file = `version: 1\nchannels:\n  hall: {permissions: {can_send_message_group: ${people}, can_resolve_topics_group: ${people}}}\n`;
    const { out, exitCode } = await run("drift --snapshot s.json", file, overlay);
    expect(exitCode).toBe(EXIT.changesPending);
    expect(out).toContain("· 1 change on the server that apply does not revert");
    expect(out).toContain("Keep theirs: realmctl adopt --snapshot s.json.\n");
    const page = (await run("drift --snapshot s.json --format html", file, overlay)).out;
    expect(page).toContain("not reverted by apply: 1<");
  });
});

describe("who reads a private channel, or can come to, beside its list", () => {
  const files = {
    "realm.yaml": `version: 1
channels:
  vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example], exact: false}}
  safe: {subscribers: {users: [ada@acme.example]}}
  lobby: {}
domains: {}
`,
    "s.json": snapshotText(
      realmOf({
        channels: [
          { name: "vault", invite_only: true },
          { name: "safe", invite_only: true, can_subscribe_group: "role:members" },
          { name: "lobby" },
        ],
        subscribers: { vault: ["ada@acme.example", "elif@acme.example"], safe: ["ada@acme.example"], lobby: [] },
      }),
    ),
  };
  const both = ["channels/unlisted", "channels/unset-opening"];

  test.each<{ part: string; codes: readonly string[] }>([
    { part: "", codes: both },
    { part: "--only channels", codes: both },
    { part: "--except channel:lobby", codes: both },
    { part: "--except domains", codes: both },
    { part: "--only channel:vault", codes: ["channels/unlisted"] },
    { part: "--except channel:vault", codes: ["channels/unset-opening"] },
    { part: "--only channel:lobby", codes: [] },
    { part: "--only domains", codes: [] },
  ])("is drift of the part that has the channel: $part", async ({ part, codes }) => {
    const line = `drift --snapshot s.json --format json ${part}`.trim().split(" ");
    const { out, err, exitCode } = await runCommandLine(line, { files });
    expect({ err, exitCode }).toEqual({ err: "", exitCode: codes.length === 0 ? EXIT.done : EXIT.changesPending });
    const { uncompared, warnings } = DriftForm.parse(JSON.parse(out));
    const told = [uncompared, warnings].map((found) => found.map(({ code }) => code));
    // If somebody opens #safe, nothing shows that it was private: that is said as long as it is.
    expect(told).toEqual([codes, codes.includes("channels/unset-opening") ? ["channels/unset-privacy"] : []]);
  });

  test.each([
    { privacy: true, codes: ["channels/unlisted"] },
    // The very change that opens it must not end the alarm.
    { privacy: false, codes: ["channels/unset-opening"] },
  ])("of a channel without a list and privacy, whom nobody may join: private $privacy", async ({ privacy, codes }) => {
    const closed = { can_subscribe_group: "role:nobody", can_add_subscribers_group: "role:nobody" };
    const live = {
      channels: [{ name: "board", invite_only: privacy, ...closed }],
      subscribers: { board: ["ada@acme.example"] },
    };
    const { out, exitCode } = await runCommandLine("drift --snapshot s.json --format json".split(" "), {
      files: {
        "realm.yaml": `version: 1\nchannels: {board: {permissions: ${JSON.stringify(closed)}}}\n`,
        "s.json": snapshotText(realmOf(live)),
      },
    });
    expect(exitCode).toBe(EXIT.changesPending);
    expect(DriftForm.parse(JSON.parse(out)).uncompared.map(({ code }) => code)).toEqual(codes);
  });

  test("is named by a plan, of a part only for its own channels", async () => {
    const plan = async (line: string) => (await runCommandLine(line.split(" "), { files })).out;
    const all = await plan("plan --snapshot s.json");
    expect(all).toContain("1 person reads #vault whom the file does not list: Elif Demir");
    expect(all.replace(/\s+/g, " ")).toContain(
      "can let themselves into #safe by can_subscribe_group, which the file does not set: ",
    );
    expect(await plan("plan --snapshot s.json --only channel:lobby")).not.toMatch(/channels\/(unlisted|unset-opening)/);
  });

  test.each([
    {
      what: "whoever may join a group that a setting names, although nobody is in it",
      vault: { can_subscribe_group: "crew" },
      crew: { can_join_group: "role:moderators" },
      says: "1 person can let themselves into #vault by can_subscribe_group, which the file does not set: Chiara Moretti",
    },
    {
      what: "whoever may add to such a group, through the owner of a bot",
      vault: { can_add_subscribers_group: "crew" },
      crew: { members: ["ci-bot@localhost"] },
      says: "1 person and 1 bot can let themselves into #vault by can_add_subscribers_group, which the file does not set: Dmitri Volkov; the bot CI Bot",
    },
    {
      what: "the owner of a bot that the list does not name",
      more: ["ci-bot@localhost"],
      says: "1 person and 1 bot read #vault whom the file does not list: Dmitri Volkov; the bot CI Bot",
    },
    {
      what: "nobody, if the list has the owner, too",
      list: ["dmitri@acme.example", "ci-bot@localhost"],
      says: "No drift",
    },
  ])("$what", async ({ vault = {}, crew = {}, more = [], list = [], says }) => {
    const listed = ["ada@acme.example", ...list];
    const subscribers = `{users: [${listed.join(", ")}], exact: ${more.length === 0}}`;
    const reading = realmOf({
      user_groups: [{ name: "crew", members: [], ...crew }],
      channels: [{ name: "vault", invite_only: true, ...vault }],
      subscribers: { vault: [...listed, ...more] },
    });
    const { out, exitCode } = await runCommandLine(["drift", "--snapshot", "s.json"], {
      files: {
        "realm.yaml": `version: 1\nchannels: {vault: {privacy: private_shared_history, subscribers: ${subscribers}}}\n`,
        "s.json": snapshotText(reading),
      },
    });
    expect(out.replace(/\s+/g, " ")).toContain(says);
    expect(exitCode).toBe(says === "No drift" ? EXIT.done : EXIT.changesPending);
  });

  describe.each([
    { what: "no entry", groups: "" },
    { what: "an entry without members", groups: "user_groups: {crew: {description: ''}}\n" },
    { what: "its members", groups: "user_groups: {crew: {members: [farah@acme.example], subgroups: [leads]}}\n" },
  ])("of a group that a private channel admits, of which the file has $what", ({ groups }) => {
    const members = (who: string, of: string) =>
      `2 people can let themselves into #vault by ${who} of the user group ${of}, which the file does not set: `;
    test.each([
      { what: "can_join_group", crew: { can_join_group: "some" }, says: members("can_join_group", "crew") },
      {
        what: "can_add_members_group",
        crew: { can_add_members_group: "some" },
        says: members("can_add_members_group", "crew"),
      },
      { what: "can_manage_group", crew: { can_manage_group: "some" }, says: members("can_manage_group", "crew") },
      { what: "a group in it", leads: { can_join_group: "some" }, says: members("can_join_group", "leads") },
      {
        what: "a group that may join it",
        crew: { can_join_group: "outer" },
        outer: { can_manage_group: "some" },
        says: "by can_join_group of the user group crew and can_manage_group of the user group outer, which the file does not set: ",
      },
      {
        what: "the right to manage all groups",
        settings: { can_manage_all_groups: "some" },
        says: "can let themselves into #vault by can_manage_all_groups, which the file does not set: ",
      },
      { what: "nothing, since its joining is as it was", says: "No drift" },
      {
        what: "nothing, since the file says who may join",
        crew: { can_join_group: "some" },
        yaml: true,
        says: "No drift",
      },
    ])("$what lets somebody in", async ({ crew = {}, leads = {}, outer = {}, settings = {}, yaml = false, says }) => {
      const some = { direct_members: [12, 13], direct_subgroups: [] };
      const named = (group: { readonly [field: string]: string }) =>
        Object.fromEntries(Object.entries(group).map(([field, name]) => [field, name === "some" ? some : name]));
      const reading = realmOf({
        user_groups: [
          { name: "leads", members: [], ...named(leads) },
          { name: "outer", members: [], ...named(outer) },
          { name: "crew", members: ["farah@acme.example"], subgroups: ["leads"], ...named(crew) },
          { name: "apart", members: [], can_join_group: "role:members" },
        ],
        channels: [{ name: "vault", invite_only: true, can_subscribe_group: "crew" }],
        subscribers: { vault: ["ada@acme.example"] },
        settings: named(settings),
      });
      const permissions = "permissions: {can_subscribe_group: crew, can_add_subscribers_group: role:nobody}";
      const declared = groups === "" ? "user_groups: {crew: {}}\n" : groups;
      const said = declared.replace(
        "crew: {",
        "crew: {permissions: {can_join_group: {users: ['user:12', 'user:13']}}, ",
      );
      const files = {
        "realm.yaml": `version: 1\n${yaml ? said : groups}channels: {vault: {privacy: private_shared_history, ${permissions}, subscribers: {users: [ada@acme.example]}}}\n`,
        "s.json": snapshotText(reading),
      };
      for (const part of ["", "--only channels"]) {
        const { out } = await runCommandLine(`drift --snapshot s.json ${part}`.trim().split(" "), { files });
        expect(out.replace(/\s+/g, " ")).toContain(says);
      }
    });
  });

  test.each([
    { what: "as the server made it", setting: "can_manage_group", says: "No drift" },
    { what: "by hand", setting: "can_join_group", says: "by can_join_group of the user group crew" },
  ])("who created a group that the file does not have comes in by it $what", async ({ setting, says }) => {
    const reading = realmOf({
      user_groups: [{ name: "crew", members: [], [setting]: { direct_members: [12], direct_subgroups: [] } }],
      channels: [{ name: "vault", invite_only: true, can_subscribe_group: "crew" }],
      subscribers: { vault: ["ada@acme.example"] },
    });
    const user_groups = reading.user_groups.map((group) =>
      group.name === "crew" ? { ...group, creator_id: 12 } : group,
    );
    const permissions = "permissions: {can_subscribe_group: crew, can_add_subscribers_group: role:nobody}";
    const files = {
      "realm.yaml": `version: 1\nchannels: {vault: {privacy: private_shared_history, ${permissions}, subscribers: {users: [ada@acme.example]}}}\n`,
      "s.json": snapshotText({ ...reading, user_groups }),
    };
    const { out } = await runCommandLine("drift --snapshot s.json".split(" "), { files });
    expect(out.replace(/\s+/g, " ")).toContain(says);
  });

  describe("what the file leaves out beside the channel", () => {
    const NOBODY = "permissions: {can_subscribe_group: role:nobody, can_add_subscribers_group: role:nobody}";
    const MODERATORS = "permissions: {can_subscribe_group: role:moderators, can_add_subscribers_group: role:nobody}";
    const vault = (permissions: string, users = "ada@acme.example"): string =>
      `channels: {vault: {privacy: private_shared_history, ${permissions}, subscribers: {users: [${users}]}}}\n`;

    test.each([
      {
        what: "the role of a person in the file",
        yaml: `people: {elif@acme.example: {}}\n${vault(MODERATORS)}`,
        says: "by role of the person Elif Demir, which the file does not set: Elif Demir",
      },
      {
        what: "the role of a bot in the file, through its owner",
        yaml: `people: {elif@acme.example: {role: moderator}}\nbots: {ci-bot: {owner: farah@acme.example}}\n${vault(MODERATORS)}`,
        says: "by role of the bot CI Bot, which the file does not set: Farah Haddad; the bot CI Bot",
      },
      {
        what: "no role that the file sets",
        yaml: `people: {elif@acme.example: {role: moderator}}\n${vault(MODERATORS)}`,
        says: "",
      },
      {
        what: "administrators whom a setting of the channel names",
        yaml: vault("permissions: {can_add_subscribers_group: role:nobody}"),
        says: "by can_subscribe_group, which the file does not set: Ben Lindqvist, Chiara Moretti",
      },
      {
        what: "no owner that the file sets, in the whole file and in a part of it",
        yaml: `bots: {ci-bot: {owner: farah@acme.example, role: moderator}}\n${vault(NOBODY, "ada@acme.example, ci-bot@localhost")}`,
        says: "",
      },
    ])("$what", async ({ yaml, says }) => {
      const reading = realmOf({
        channels: [
          {
            name: "vault",
            invite_only: true,
            can_subscribe_group: yaml.includes(NOBODY) ? "role:nobody" : "role:moderators",
          },
        ],
        subscribers: {
          vault: ["ada@acme.example", ...(yaml.includes("ci-bot@localhost") ? ["ci-bot@localhost"] : [])],
        },
        users: { "ci-bot@localhost": { bot_owner_id: 11 } },
      });
      const files = {
        "realm.yaml": `version: 1\n${yaml}`,
        "s.json": snapshotText(withModerators(reading, yaml.includes("ci-bot") ? /^(elif|ci-bot)@/ : /^elif@/)),
      };
      for (const part of ["", "--only channels"]) {
        const { out } = await runCommandLine(`drift --snapshot s.json ${part}`.trim().split(" "), { files });
        const text = out.replace(/\s+/g, " ");
        if (says === "") expect(text).not.toContain("channels/unset-opening");
        else expect(text).toContain(says);
      }
    });
  });
});

/** Some are moderators by hand. */
function withModerators(reading: ReturnType<typeof realmOf>, who: RegExp): ReturnType<typeof realmOf> {
  const ids = reading.users
    .filter(({ email, delivery_email }) => who.test(delivery_email ?? email))
    .map(({ user_id }) => user_id);
  const users = reading.users.map((user) => (ids.includes(user.user_id) ? { ...user, role: ROLE.moderator } : user));
  const user_groups = reading.user_groups.map((group) => {
    const others = group.members.filter((id) => !ids.includes(id));
    if (group.name === "role:moderators") return { ...group, members: [...others, ...ids] };
    return group.is_system_group ? { ...group, members: others } : group;
  });
  return { ...reading, users, user_groups };
}
