import { describe, expect, test } from "vitest";
import type { Desired } from "../model/desired.ts";
import type { Json } from "../model/json.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { ROLE } from "../model/roles.ts";
import { Snapshot } from "../model/snapshot.ts";
import { spansIn } from "../model/span.ts";
import { channelHolders, groupHolders, organizationHolders, readersOf } from "./grants.ts";
import { fileAccess } from "./of-file.ts";
import type { Persona } from "./personas.ts";
import {
  declaredFolders,
  declaredGroups,
  declaredOrganization,
  groupAddress,
  isAccountKind,
  isBotAddress,
  isChannelAddress,
  isGroupAddress,
  isInvitation,
  isInvitationLink,
} from "./scope.ts";

const SPAN = { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 };
type Fields = { readonly [field: string]: Json };
const declared = (name: string, fields: Fields = {}, is: Partial<DeclaredObject> = {}): DeclaredObject => ({
  key: name.toUpperCase(),
  name,
  absent: false,
  fields,
  spans: spansIn({}),
  at: SPAN,
  ...is,
});
const file = (
  sections: { readonly [section: string]: readonly DeclaredObject[] },
  unset: NonNullable<Desired["unset"]> = {},
): Desired => ({
  manage: {},
  unset,
  sections: new Map(Object.entries(sections)),
  warnings: [],
});
const naming = (groups: readonly string[], users: readonly string[]): Json => ({ groups, users });

/** The state that a file describes, and people by their names in it. */
function access(
  sections: Parameters<typeof file>[0],
  personas: readonly Persona[] = [],
  assumed?: 600,
  unset?: Parameters<typeof file>[1],
) {
  const found = fileAccess(file(sections, unset), personas, assumed === undefined ? {} : { assumed });
  const names = (people: Iterable<number> | undefined) =>
    people && [...people].map((id) => found.realm.userName(id)).sort();
  const channel = (name: string) => {
    const made = found.state.channel(name);
    if (made === undefined) throw new RangeError(`no channel ${name}`);
    return made;
  };
  const group = (name: string) => {
    const made = found.state.group(name);
    if (made === undefined) throw new RangeError(`no group ${name}`);
    return made;
  };
  return { ...found, names, channel, group };
}
const [ANN, BOB, CAT] = ["ann@example.org", "bob@example.org", "cat@example.org"];

describe("the state that a file alone describes", () => {
  test("a channel has the file's values, and the server's defaults for the rest", () => {
    const { channel, state, names } = access({
      channels: [
        declared("hall", { can_send_message_group: naming(["crew"], [ANN]), privacy: "private_shared_history" }),
        declared("open", { privacy: "public" }),
        declared("gone", {}, { absent: true }),
      ],
      user_groups: [declared("crew", { members: [BOB] })],
    });
    expect([channel("hall").privacy, channel("open").privacy]).toEqual(["private_shared_history", "public"]);
    expect([channel("hall").archived, channel("gone").archived]).toEqual([false, true]);
    expect(names(channelHolders(state, channel("open"), "can_send_message_group")?.people)).toEqual([ANN, BOB]);
    expect(names(state.peopleIn(channel("hall").settings.get("can_send_message_group")))).toEqual([ANN, BOB]);
    expect(channel("open").settings.get("can_remove_subscribers_group")).toBe("role:administrators");
    expect(channel("open").settings.get("can_administer_channel_group")).toBe("role:nobody");
  });

  test.each([
    { written: "nothing", settings: {}, isOnWeb: true },
    { written: "that it has spectators", settings: { enable_spectator_access: true }, isOnWeb: true },
    { written: "that it has none", settings: { enable_spectator_access: false }, isOnWeb: false },
  ])("the web reads a web-public channel if the file says of the organization: $written", ({ settings, isOnWeb }) => {
    const { channel, state } = access({
      channels: [declared("hall", { privacy: "web_public" })],
      settings: [declared("organization", settings)],
    });
    expect(state.isOnWeb(channel("hall"))).toBe(isOnWeb);
  });

  test.each<{ written: string; subscribers: Json; who: readonly string[] }>([
    { written: "a list of people", subscribers: [ANN], who: [ANN] },
    { written: "groups and people", subscribers: naming(["crew"], [ANN]), who: [ANN, BOB] },
  ])("subscribers are those that the file names at the start: $written", ({ subscribers, who }) => {
    const sections = {
      channels: [declared("hall", { privacy: "private_shared_history" }, { creation: { subscribers } })],
      user_groups: [declared("crew", { members: [BOB] })],
    };
    const { channel, state, names } = access(sections);
    expect(names(channel("hall").subscribers)).toEqual(who);
    expect(names(readersOf(state, channel("hall")).people)).toEqual(who);
  });

  const closed = { can_subscribe_group: "role:nobody", can_add_subscribers_group: "role:nobody" };
  const list = { subscribers: { who: [ANN] } };
  test.each<{
    written: string;
    creation?: { readonly [field: string]: Json };
    fields?: { readonly [field: string]: Json };
    known?: readonly string[];
  }>([
    {
      written: "`exact: false`",
      creation: { subscribers: { who: [ANN], exact: false } },
      fields: closed,
      known: [ANN],
    },
    { written: "no list", fields: closed },
    { written: "a list without the settings that let people in", creation: list, known: [ANN] },
    {
      written: "a list with one of these settings",
      creation: list,
      fields: { can_subscribe_group: "role:nobody" },
      known: [ANN],
    },
  ])("who else reads a private channel is unknown: $written", ({ creation = {}, fields = {}, known }) => {
    const { channel, state, names } = access({
      channels: [
        declared("hall", { privacy: "private_shared_history", ...fields }, { creation }),
        declared("open", { privacy: "public" }, { creation }),
      ],
    });
    const { subscribers } = channel("hall");
    expect(subscribers === undefined ? undefined : names(subscribers)).toEqual(known);
    expect(readersOf(state, channel("hall")).bound).toBe("least");
    expect(readersOf(state, channel("open")).bound).toBeUndefined();
  });

  test("how open a channel is that the file leaves out, is unknown: the least and the most are of a private and of a public one", () => {
    const fields = { can_send_message_group: naming(["crew"], []), can_remove_subscribers_group: naming(["crew"], []) };
    const sections = {
      channels: [declared("hall", fields, { creation: list })],
      user_groups: [declared("crew", { members: [BOB] })],
    };
    const { channel, state, names } = access(sections);
    const holders = (right: string) => {
      const { people, bound, others } =
        channelHolders(state, channel("hall"), right) ?? readersOf(state, channel("hall"));
      return [names(people), bound, others && names(others)];
    };
    expect(holders("can_send_message_group")).toEqual([[BOB], "most", undefined]);
    expect(holders("can_remove_subscribers_group")).toEqual([[], "least", [BOB]]);
    expect(holders("read")).toEqual([[ANN], "least", undefined]);
    // A file that says what the rest is says that, too.
    const whole = access(sections, [], undefined, { channels: SPAN });
    expect(whole.channel("hall").privacy).toBe("public");
    expect(readersOf(whole.state, whole.channel("hall")).bound).toBeUndefined();
  });

  test.each<{ written: string; fields?: Fields; unset?: Parameters<typeof file>[1] }>([
    { written: "a list and the settings", fields: closed },
    { written: "a list with `unset: default`", unset: { channels: SPAN } },
  ])("who reads a private channel is known: $written", ({ fields = {}, unset }) => {
    const { channel, state } = access(
      { channels: [declared("hall", { privacy: "private_shared_history", ...fields }, { creation: list })] },
      [],
      undefined,
      unset,
    );
    expect(readersOf(state, channel("hall")).bound).toBeUndefined();
  });

  test("a group has its members, subgroups and settings", () => {
    const { group, state, names } = access({
      user_groups: [
        declared("crew", { members: [BOB], subgroups: ["inner"], can_join_group: naming([], [CAT]) }),
        declared("inner", { members: [ANN] }),
        declared("gone", { members: [CAT] }, { absent: true }),
      ],
    });
    expect([names(group("crew").members), names(state.membersOf("crew"))]).toEqual([[BOB], [ANN, BOB]]);
    expect(names(groupHolders(state, group("crew"), "can_join_group")?.people)).toEqual([CAT]);
    expect([group("crew").deactivated, state.group("gone")]).toEqual([false, undefined]);
    expect([...state.groups()].map(({ name }) => name)).toEqual([
      "role:nobody",
      "role:owners",
      "role:administrators",
      "role:moderators",
      "role:fullmembers",
      "role:members",
      "role:everyone",
      "role:internet",
      "crew",
      "inner",
    ]);
    expect(group("crew").settings.get("can_mention_group")).toBe("role:everyone");
  });

  test("role groups contain each other as on a server", () => {
    const { state } = access({});
    const chain = ["internet", "everyone", "members", "fullmembers", "moderators", "administrators", "owners"];
    expect(chain.map((name) => state.group(`role:${name}`)?.subgroups)).toEqual([
      ...chain.slice(1).map((name) => [`role:${name}`]),
      [],
    ]);
    expect(state.group("role:nobody")?.subgroups).toEqual([]);
  });

  test("the organization has its settings", () => {
    const { state, names } = access({
      settings: [declared("organization", { can_create_groups: naming([], [ANN]) })],
      people: [declared(BOB, { role: "owner" })],
    });
    expect(names(organizationHolders(state, "can_create_groups"))).toEqual([ANN]);
    expect(names(organizationHolders(state, "can_manage_all_groups"))).toEqual([BOB]);
  });
});

describe("people in a file", () => {
  const people = [
    declared(ANN.toUpperCase(), { role: "guest" }),
    declared(BOB, { role: "owner", deactivated: true }),
    declared(CAT, { deactivated: true }),
    declared("dan@example.org", { role: "moderator" }, { absent: true }),
  ];
  const sections = {
    people,
    user_groups: [declared("crew", { members: [ANN, BOB, "user:2", "eve@example.org", "user:12", "my.user:7"] })],
  };

  test("have the role in the file, or are members", () => {
    const { realm, names, withoutRole, state } = access(sections);
    const said = realm.snapshot.users.map(({ user_id, email, role, is_active }) => [user_id, email, role, is_active]);
    expect(said).toEqual([
      [3, ANN, ROLE.guest, true],
      [4, BOB, ROLE.owner, false],
      [2, "user:2", ROLE.member, true],
      [5, "eve@example.org", ROLE.member, true],
      [12, "user:12", ROLE.member, true],
      [6, "my.user:7", ROLE.member, true],
      [7, CAT, ROLE.member, false],
    ]);
    const others = ["eve@example.org", "my.user:7", "user:12", "user:2"];
    expect(names(withoutRole)).toEqual([CAT, ...others]);
    expect(names(state.membersOf("role:fullmembers"))).toEqual(others);
    expect(names(state.membersOf("role:everyone"))).toEqual([ANN, ...others]);
    expect([...state.accounts.bots]).toEqual([]);
  });

  test("count as bots if the file declares a bot of that name, or the address ends like that of one, and there is no such person", () => {
    const bots = [
      declared("deploy-bot"),
      declared("ci-bot", { role: "moderator" }),
      declared("gone-bot", { deactivated: true }),
      declared("old-bot", {}, { absent: true }),
      declared("whole@bots.example.org"),
      declared("ann"),
    ];
    const members = ["Deploy-Bot@example.org", "ci-bot@a", "gone-bot@a", "old-bot@a", "whole@bots.example.org"];
    const [person, unknown] = ["walter-bot@a", "My-Deploy-Bot@a"];
    const others = [ANN, "whole@example.org", unknown, person, "bot@a", "my-robot@a", "user:2"];
    const { realm } = access({
      people: [...people, declared(person)],
      bots,
      user_groups: [declared("crew", { members: [...members, ...others] })],
    });
    const called = realm.snapshot.users.flatMap(({ is_bot, email }) => (is_bot ? [email] : []));
    expect(called).toEqual([...members, unknown, "ann"]);
    const said = realm.snapshot.users.slice(1, 4).map(({ role, is_active }) => [role, is_active]);
    expect(said).toEqual([
      [ROLE.moderator, true],
      [ROLE.member, false],
      [ROLE.member, false],
    ]);
  });

  test("act through the bots that the file gives them, except those that can only post", () => {
    const bots = [
      declared("deploy-bot", { owner: ANN.toUpperCase(), type: "generic" }),
      declared("news-bot", { owner: ANN, type: "incoming_webhook" }),
      declared("lone-bot", { owner: "new@example.org" }),
    ];
    const members = ["deploy-bot@a", "news-bot@a", "lone-bot@a", ANN];
    const { realm } = access({ people, bots, user_groups: [declared("crew", { members })] });
    const owned = realm.snapshot.users.flatMap(({ is_bot, email, bot_type, bot_owner_id }) =>
      is_bot ? [[email, bot_type, bot_owner_id === null ? null : realm.user(bot_owner_id)?.email]] : [],
    );
    expect(owned).toEqual([
      ["deploy-bot@a", null, ANN],
      ["news-bot@a", 2, ANN],
      ["lone-bot@a", null, "new@example.org"],
    ]);
  });

  test("are all people whom any object names", () => {
    const named = (field: string, value: Json) =>
      access({ channels: [declared("hall", { [field]: value })] }).realm.snapshot.users.map(({ email }) => email);
    expect(named("can_send_message_group", naming([], [ANN]))).toEqual([ANN]);
    expect(named("subscribers", [ANN, BOB])).toEqual([ANN, BOB]);
    expect(named("topics", naming([], [ANN]))).toEqual([]);
    expect(named("can_send_message_group", 7)).toEqual([]);
  });
});

test("objects have their own ids, and the server's defaults", () => {
  const { realm, state } = access({
    channels: [declared("a"), declared("b"), declared("c")],
    user_groups: [declared("x"), declared("y")],
  });
  const { channels, user_groups, subscribers } = realm.snapshot;
  expect(channels.map(({ stream_id }) => stream_id)).toEqual([1, 2, 3]);
  expect(user_groups.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(subscribers).toEqual({ 1: [], 2: [], 3: [] });
  const [{ invite_only, is_web_public, history_public_to_subscribers, is_archived }] = channels as [
    (typeof channels)[0],
  ];
  expect([invite_only, is_web_public, history_public_to_subscribers, is_archived]).toEqual([false, false, true, false]);
  expect([...state.groups()].some(({ deactivated }) => deactivated)).toBe(false);
});

test("groups that the file names and does not declare exist, without members, and are reported as unknown", () => {
  const { state, unknownGroups } = access({
    channels: [
      declared("hall", {
        can_send_message_group: naming(["unknown", "role:moderators"], []),
        can_subscribe_group: "other",
        can_administer_channel_group: "role:nobody",
      }),
    ],
    user_groups: [declared("crew", { subgroups: ["unknown", "third"], can_join_group: "crew" })],
  });
  expect(unknownGroups).toEqual(["unknown", "other", "third"]);
  expect(unknownGroups.map((name) => state.group(name)?.members.size)).toEqual([0, 0, 0]);
});

test("a group that only a persona is in exists", () => {
  const { ids, group } = access({}, [{ role: "member", groups: ["crew"] }]);
  expect([...group("crew").members]).toEqual([...ids]);
});

test("no group is unknown if the file names only people, or a value that is no group", () => {
  const people = declared("hall", { subscribers: [ANN], can_send_message_group: naming([], [BOB]) });
  const { unknownGroups } = access({ channels: [people, declared("open", { can_subscribe_group: null })] });
  expect(unknownGroups).toEqual([]);
});

test("the state is that of a complete reading", () => {
  const { realm } = access({ channels: [declared("hall", { subscribers: [ANN] })], user_groups: [declared("crew")] });
  const { server, realm: organization, ...rest } = realm.snapshot;
  expect(Snapshot.safeParse({ ...rest, server, realm: organization }).error).toBeUndefined();
  expect(rest.account).toEqual({ user_id: 1, email: "", full_name: "", role: ROLE.owner, is_bot: false });
  expect(rest.user_groups.filter(({ is_system_group }) => is_system_group).map(({ name }) => name)).toEqual(
    rest.user_groups.map(({ name }) => name).filter((name) => name.startsWith("role:")),
  );
});

test("a person is named by their id only if the whole name is an id", () => {
  const { names, state } = access({ user_groups: [declared("crew", { members: ["user:7", "user:8@example.org"] })] });
  expect(names(state.group("crew")?.members)).toEqual(["user:7", "user:8@example.org"]);
  expect(state.account(8)).toBeUndefined();
});

test("a persona is in its groups, whatever the file says about their members", () => {
  const personas: readonly Persona[] = [
    { role: "guest", groups: [] },
    { role: "member", groups: ["crew", "own", "role:moderators"] },
  ];
  const { ids, realm, state, names, group, unknownGroups } = access(
    {
      user_groups: [declared("crew", { members: [ANN] }), declared("other", { members: [ANN] })],
      channels: [declared("hall", { can_send_message_group: "own" })],
    },
    personas,
  );
  const persona = ids[1] ?? 0;
  expect([...state.groups()].filter(({ members }) => members.has(persona)).map(({ name }) => name)).toEqual([
    "role:moderators",
    "role:fullmembers",
    "role:members",
    "crew",
    "own",
  ]);
  expect([group("crew").members.size, names(group("other").members)]).toEqual([2, [ANN]]);
  expect(unknownGroups).toEqual(["own"]);
  const all = realm.snapshot.user_groups.map(({ name }) => name);
  expect(all.filter((name) => /^own$|moderators/.test(name))).toEqual(["role:moderators", "own"]);
});

describe("the scope of rights in the addresses of plans and files", () => {
  test.each([
    { address: groupAddress("crew"), is: ["group"] },
    { address: "bot:ci@example.org", is: ["bot"] },
    { address: "emoji:channel:", is: [] },
  ] as const)("$address is in scope $is", ({ address, is }) => {
    const tests = {
      channel: isChannelAddress,
      group: isGroupAddress,
      bot: isBotAddress,
      invitation: isInvitation,
      link: isInvitationLink,
    };
    expect(Object.entries(tests).flatMap(([name, holds]) => (holds(address) ? [name] : []))).toEqual(is);
  });

  test.each([
    { kind: "person", is: true },
    { kind: "bot", is: true },
    { kind: "channel", is: false },
  ])("$kind is a kind of accounts: $is", ({ kind, is }) => expect(isAccountKind(kind)).toBe(is));

  test("sections that the file leaves out have no objects", () => {
    const empty = file({});
    expect([declaredGroups(empty), declaredFolders(empty), declaredOrganization(empty)]).toEqual([[], [], []]);
    const folders = file({ channel_folders: [declared("a"), declared("b", {}, { absent: true })] });
    expect(declaredFolders(folders).map(({ name }) => name)).toEqual(["a"]);
  });
});
