import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { desiredOf, must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { SyncPart } from "../model/policy.ts";
import { planChanges } from "./plan.ts";
import { allowedOperations, beyondLists, syncedPart, syncOf } from "./synced.ts";

const LIVE = realmOf({
  user_groups: [
    { name: "engineering", members: ["elif@acme.example"] },
    { name: "Old name", members: ["ben@acme.example"] },
    { name: "asleep", deactivated: true },
  ],
  channels: [
    { name: "design", stream_id: 71 },
    { name: "attic", stream_id: 72, is_archived: true },
    { name: "Before", stream_id: 73 },
  ],
  subscribers: { design: ["ada@acme.example"], attic: [], Before: [] },
});

/** `channels.*.subscribers` as a policy has it. */
function part(pattern: string): SyncPart {
  const [section = "", name = "", field = ""] = pattern.split(".");
  return { pattern, section, name, field };
}

async function found(yaml: string, policies: readonly (readonly string[])[]) {
  const desired = must(await desiredOf(`version: 1\n${yaml}`, LIVE));
  const synced = syncedPart(
    desired,
    LIVE,
    kinds,
    policies.map((patterns) => patterns.map(part)),
  );
  const plan = must(planChanges({ desired: synced.desired, snapshot: LIVE, kinds, toolVersion: "0.0.0" }));
  return { ...synced, plan, beyond: beyondLists(plan, synced.lists, kinds) };
}

const ALL = ["channels.*.subscribers", "user_groups.*.members", "user_groups.*.subgroups"];

describe("the part of a file that sync keeps", () => {
  test.each<{
    name: string;
    yaml: string;
    policies?: readonly (readonly string[])[];
    lists: readonly string[];
    waiting?: readonly string[];
    calls: readonly string[];
  }>([
    {
      name: "one list, and nothing else of its object",
      yaml: "channels: {design: {description: Another, privacy: private_shared_history, subscribers: {groups: [engineering], exact: true}}}",
      lists: ["channel:design subscribers"],
      calls: ["subscribe", "unsubscribe"],
    },
    {
      name: "no object is created, archived, or removed under exact",
      yaml: "manage: {channels: exact}\nchannels:\n  new: {subscribers: {users: [elif@acme.example]}}\n  design: {archived: true, subscribers: {users: []}}",
      lists: [],
      waiting: ["channel:new subscribers"],
      calls: [],
    },
    {
      name: "an archived channel is left alone",
      yaml: "channels: {attic: {subscribers: {users: [elif@acme.example]}}}",
      lists: [],
      waiting: ["channel:attic subscribers"],
      calls: [],
    },
    {
      name: "before a rename the list waits: what has the old name may be another object; by its id it is the same",
      yaml: [
        "channels:",
        "  after: {was: Before, subscribers: {users: [elif@acme.example]}}",
        "  plan: {id: 71, was: design, subscribers: {users: [elif@acme.example]}}",
      ].join("\n"),
      lists: ["channel:design subscribers"],
      waiting: ["channel:after subscribers"],
      calls: ["subscribe"],
    },
    {
      name: "a list waits that names a group of which nobody knows which one is meant",
      yaml: [
        "user_groups: {engineering: {was: Old name}, Old name: {was: engineering}}",
        "channels: {design: {subscribers: {groups: [engineering]}}}",
      ].join("\n"),
      lists: [],
      waiting: ["channel:design subscribers: user_group:engineering"],
      calls: [],
    },
    {
      name: "a list that names a group which apply has to create, rename or reactivate waits",
      yaml: [
        "user_groups: {crew: {}, new name: {was: Old name}, asleep: {deactivated: false}}",
        "channels:",
        "  design: {subscribers: {groups: [crew]}}",
        "  Before: {subscribers: {groups: [new name, asleep]}}",
      ].join("\n"),
      lists: [],
      waiting: ["channel:design subscribers: user_group:crew", "channel:Before subscribers: user_group:asleep"],
      calls: [],
    },
    {
      name: "members and the channels that follow them are one plan",
      yaml: "user_groups: {engineering: {description: Another, members: [ben@acme.example]}}\nchannels: {design: {subscribers: {groups: [engineering], exact: true}}}",
      lists: ["user_group:engineering members", "channel:design subscribers"],
      calls: ["update-user-group-members", "subscribe", "unsubscribe"],
    },
    {
      name: "what the file asks of a group does not count if the group is not kept",
      yaml: "user_groups: {engineering: {members: [ben@acme.example]}}\nchannels: {design: {subscribers: {groups: [engineering]}}}",
      policies: [["channels.*.subscribers"]],
      lists: ["channel:design subscribers"],
      calls: ["subscribe"],
    },
    {
      name: "names as the server compares them, with wildcards",
      yaml: "channels: {design: {subscribers: {users: [elif@acme.example]}}, Before: {subscribers: {users: [elif@acme.example]}}}",
      policies: [["channels.DES?gn.subscribers"]],
      lists: ["channel:design subscribers"],
      calls: ["subscribe"],
    },
    {
      name: "of two policies, both must name the list",
      yaml: "channels: {design: {subscribers: {users: [elif@acme.example]}}, Before: {subscribers: {users: [elif@acme.example]}}}",
      policies: [["channels.*.subscribers"], ["channels.B*.subscribers"]],
      lists: ["channel:Before subscribers"],
      calls: ["subscribe"],
    },
    {
      name: "nobody is taken out of a list with a name that means nothing",
      yaml: "channels: {design: {subscribers: {users: [elif@acme.example, nobody@acme.example], exact: true}}}",
      lists: ["channel:design subscribers"],
      calls: ["subscribe"],
    },
    {
      name: "an error elsewhere in the file is not about the lists",
      yaml: "channels: {design: {subscribers: {users: [elif@acme.example]}}, Before: {permissions: {can_send_message_group: nobody-knows-it}}}",
      lists: ["channel:design subscribers"],
      calls: ["subscribe"],
    },
  ])("$name", async ({ yaml, policies = [ALL], lists, waiting = [], calls }) => {
    const { lists: kept, waiting: left, plan, beyond } = await found(yaml, policies);
    expect(kept.map(({ object, field }) => `${object.address} ${field}`).sort()).toEqual([...lists].sort());
    const said = left.map(
      ({ object, field, for: other }) => `${object.address} ${field}${other === undefined ? "" : `: ${other.address}`}`,
    );
    expect(said.sort()).toEqual([...waiting].sort());
    expect(plan.calls.map(({ operation }) => operation)).toEqual(calls);
    expect(beyond).toEqual([]);
    expect(plan.least_calls).toBe(calls.length);
  });

  test("no policy, or an empty list, keeps nothing", () => {
    const policy = { limits: {}, protect: [] };
    expect(syncOf([policy, { ...policy, sync: [] }])).toBeUndefined();
    expect(syncOf([policy, { ...policy, sync: [part("channels.*.subscribers")] }])).toHaveLength(1);
  });
});

describe("what would not be a change of a list", () => {
  test("is found in a plan, whatever made it", async () => {
    const yaml = "channels: {design: {description: Another, subscribers: {users: [elif@acme.example]}}, new: {}}";
    const { lists } = await found(yaml, [ALL]);
    const desired = must(await desiredOf(`version: 1\n${yaml}`, LIVE));
    const whole = must(planChanges({ desired, snapshot: LIVE, kinds, toolVersion: "0.0.0" }));
    expect(beyondLists(whole, lists, kinds).toSorted()).toEqual(
      ["channel:design", "channel:new", "subscribe", "update-stream"].toSorted(),
    );
  });

  test("no operation that changes a list can create, archive, remove or mail", () => {
    const every = kinds.flatMap(({ file }) => Object.keys(file.fields).map((field) => ({ field })));
    expect([...allowedOperations(every, kinds)].toSorted()).toEqual([
      "subscribe",
      "unsubscribe",
      "update-user-group-members",
    ]);
  });
});
