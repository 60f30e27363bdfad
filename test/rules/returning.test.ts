import { describe, expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

/** An account that the file reactivates is back where no reading shows it: what a rule says of it is unknown, unless the file has the whole list. */
const NOBODY = { direct_members: [], direct_subgroups: [] };
const LIVE = realmOf({
  user_groups: [
    { name: "staff", members: ["ada@acme.example"] },
    { name: "crew", members: ["ada@acme.example"] },
    { name: "leads", members: [] },
  ],
  channels: [
    { name: "vault", invite_only: true, can_send_message_group: NOBODY },
    { name: "board", invite_only: true, can_subscribe_group: "staff" },
    { name: "lobby" },
  ],
  users: { "ci-bot@localhost": { is_active: false } },
  subscribers: { vault: ["ada@acme.example"], board: ["ada@acme.example"], lobby: [] },
});
const EXACT = "subscribers: {users: [ada@acme.example], exact: true}";
const NAMED = "subscribers: {users: [ada@acme.example, jana@acme.example], exact: true}";
const CREW = "user_groups: {crew: {members: [ada@acme.example]}}\n";

const JANA = "people: {jana@acme.example: {deactivated: false}}\n";

async function verdict(
  file: string,
  rule: string,
): Promise<readonly [holds: boolean | null | undefined, text: string]> {
  const files = {
    "realm.yaml": `version: 1\n${file}`,
    "realm.test.yaml": `version: 1\ntests:\n  - {name: x, ${rule}}\n`,
    "s.json": snapshotText(LIVE),
  };
  const { out, err } = await runCommandLine(["test", "--snapshot", "s.json", "--format", "json"], { files });
  const json: { readonly rules?: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
  return [json.rules?.[0]?.holds, out + err];
}

const vault = (fields: string): string => `${JANA}channels: {vault: {${fields}}}\n`;
const only = (group: string): string => `rights: {read: {only: [ada@acme.example, ${group}]}}`;
const NOT_JANA = "who: jana@acme.example, cannot: {read: vault}";

/** The channel admits a group. */
const admitting = (groups: string): string =>
  vault(`${EXACT}, permissions: {can_subscribe_group: crew}`).concat(groups);

describe("a rule about a private channel, and somebody who comes back", () => {
  test.each<[what: string, file: string, rule: string, holds: boolean | null]>([
    ["she may be subscribed", JANA, NOT_JANA, null],
    ["her list is whole", vault(EXACT), NOT_JANA, true],
    ["her list is additive", vault("subscribers: {users: [ada@acme.example], exact: false}"), NOT_JANA, null],
    ["the whole list names her", vault(NAMED), NOT_JANA, false],
    ["an additive list names her", vault(NAMED.replace("true", "false")), NOT_JANA, false],
    ["a setting names her", vault("permissions: {can_subscribe_group: {users: [jana@acme.example]}}"), NOT_JANA, false],
    [
      "a setting names her, and she may be in the group that may read",
      vault("permissions: {can_subscribe_group: {users: [jana@acme.example]}}"),
      `objects: vault, ${only("crew")}`,
      null,
    ],
    [
      "a group names her",
      `${JANA}user_groups: {staff: {members: [ada@acme.example, jana@acme.example]}}\n`,
      NOT_JANA.replace("vault", "board"),
      false,
    ],
    ["the whole list names her, so she reads it", vault(NAMED), "who: jana@acme.example, can: {read: vault}", true],
    [
      "a new channel names her",
      JANA.concat(`channels: {new: {privacy: private_shared_history, ${NAMED}}}\n`),
      NOT_JANA.replace("vault", "new"),
      false,
    ],
    [
      "the whole list names her, and she is in no group that may read",
      vault(NAMED).concat(CREW),
      `objects: vault, ${only("crew")}`,
      false,
    ],
    ["she may be subscribed without the group that may read", JANA, `objects: vault, ${only("crew")}`, null],
    [
      "she may be subscribed, and is not in the group that may read",
      JANA.concat(CREW),
      `objects: vault, ${only("crew")}`,
      null,
    ],
    ["she may read only by the group that may", admitting(""), `objects: vault, ${only("crew")}`, true],
    [
      "she may read only by a group in the group that may",
      admitting("user_groups: {crew: {members: [ada@acme.example], subgroups: [staff]}}\n"),
      `objects: vault, ${only("crew")}`,
      true,
    ],
    [
      "she may read only by a group in the list of the group that may",
      admitting("user_groups: {crew: {members: {groups: [staff]}}}\n"),
      `objects: vault, ${only("crew")}`,
      true,
    ],
    [
      "the group that may read has no list",
      admitting("user_groups: {crew: {members: {groups: [staff]}}}\n"),
      NOT_JANA,
      null,
    ],
    [
      "the group that may read has a list in another form",
      admitting("user_groups: {crew: {members: {users: [ada@acme.example]}}}\n"),
      NOT_JANA,
      true,
    ],
    [
      "the list takes out who is in a group",
      admitting("user_groups: {crew: {members: {groups: [staff], except: {groups: [leads]}}}}\n"),
      NOT_JANA,
      null,
    ],
    [
      "the list has the group that may read",
      vault("subscribers: {groups: [crew], exact: true}"),
      `objects: vault, ${only("crew")}`,
      true,
    ],
    ["the list has a group that she may be in", vault("subscribers: {groups: [crew], exact: true}"), NOT_JANA, null],
    [
      "the list has another group than the one that may read",
      vault("subscribers: {groups: [crew], exact: true}"),
      `objects: vault, ${only("staff")}`,
      null,
    ],
    [
      "she may be in a group that must read, and not be subscribed",
      JANA,
      "objects: vault, rights: {read: {allow: crew}}",
      null,
    ],
    ["the same exactly", vault(EXACT), "objects: vault, rights: {read: {exactly: crew}}", null],
    ["who is in the group reads by it", admitting(""), "who: crew, can: {read: vault}", true],
    [
      "who is in both groups reads by one",
      admitting(""),
      "who: {role: member, groups: [staff, crew]}, can: {read: vault}",
      true,
    ],
    ["who is in another group need not read", admitting(""), "objects: vault, rights: {read: {allow: staff}}", null],
    ["the archived channel keeps its readers", vault(`archived: true, ${EXACT}`), NOT_JANA, null],
    ["she is not among those who may read", JANA, "objects: vault, rights: {read: {only: ada@acme.example}}", null],
    ["she may be one more", JANA, "objects: vault, rights: {read: {at_most: 1}}", null],
    ["she would not be too many", JANA, "objects: vault, rights: {read: {at_most: 2}}", true],
    ["there are too many without her", JANA, "objects: vault, rights: {read: {at_most: 0}}", false],
    ["she may be the second", JANA, "objects: vault, rights: {read: {at_least: 2}}", null],
    ["she must read it", JANA, "who: jana@acme.example, can: {read: vault}", null],
    ["nobody speaks of her", JANA, "who: elif@acme.example, cannot: {read: vault}", true],
    ["she is a member", JANA, "who: {role: member}, cannot: {read: vault}", null],
    ["a setting may name her", JANA, "objects: vault, rights: {post: {deny: jana@acme.example}}", null],
    [
      "she is in a group that the channel admits",
      JANA.concat(`channels: {board: {${EXACT}}}\n`),
      "who: jana@acme.example, cannot: {read: board}",
      null,
    ],
    [
      "the members of the group that the channel admits are in the file",
      JANA.concat(`channels: {board: {${EXACT}}}\nuser_groups: {staff: {members: [ada@acme.example]}}\n`),
      "who: jana@acme.example, cannot: {read: board}",
      true,
    ],
    ["she may be in a group that may not read", JANA, "who: crew, cannot: {read: lobby}", false],
    [
      "the new channel has nobody else",
      JANA.concat("channels: {new: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}}\n"),
      "who: jana@acme.example, cannot: {read: new}",
      true,
    ],
    [
      "the owner of a bot that comes back",
      "bots: {ci-bot: {deactivated: false}}\n",
      "who: dmitri@acme.example, cannot: {read: vault}",
      null,
    ],
    [
      "a bot that comes back, where bots count",
      "bots: {ci-bot: {deactivated: false}}\n",
      "who: ci-bot@localhost, bots: true, cannot: {read: vault}",
      null,
    ],
    ["nobody comes back", "", NOT_JANA, true],
  ])("%s", async (_, file, rule, holds) => {
    const [found, text] = await verdict(file, rule);
    expect([found, text]).toEqual([holds, text]);
  });
});

test("the report says why, and that the rule cannot fail only of an account that stays deactivated", async () => {
  const [, returns] = await verdict(JANA, NOT_JANA);
  expect(returns).not.toContain("rules/never-fails");
  const [, stays] = await verdict("", NOT_JANA);
  expect(stays).toContain("rules/never-fails");
  const files = {
    "realm.yaml": `version: 1\n${JANA}`,
    "realm.test.yaml": `version: 1\ntests:\n  - {name: x, ${NOT_JANA}}\n`,
    "s.json": snapshotText(LIVE),
  };
  const { out } = await runCommandLine(["test", "--snapshot", "s.json"], { files });
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "x: cannot be checked realm.test.yaml:3 accounts that the file reactivates are back in groups and channels that no reading shows",
  );
});

test("a rule about a role is about those who have it after the plan", async () => {
  const file =
    "people: {dmitri@acme.example: {role: guest}}\nchannels: {vault: {subscribers: {users: [ada@acme.example, dmitri@acme.example], exact: true}}}\n";
  expect((await verdict(file, "who: {role: guest}, cannot: {read: vault}"))[0]).toBe(false);
  expect((await verdict(file, "who: {role: member}, cannot: {read: vault}"))[0]).toBe(true);
});
