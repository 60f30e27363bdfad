import { describe, expect, test } from "vitest";
import { crew, hall, naming, type Settings, strict, strictState } from "../../test/support/strict-organization.ts";
import type { GroupValue } from "../model/realm.ts";
import { groupsInto, Joining, joinersOf } from "./joining.ts";
import { peopleOfRisk } from "./risk-people.ts";
import type { AccessChannel, AccessState } from "./state.ts";

const [DMITRI, ELIF, FARAH, HANA, IVO, DEPLOY_BOT] = [9, 10, 11, 13, 14, 17];
const PRIVATE = { privacy: "private_shared_history" } as const;

/** A private channel that admits these groups. */
const room = (value: GroupValue | undefined, is: Partial<AccessChannel> = {}): AccessChannel => ({
  ...hall({}, { ...PRIVATE, ...is }),
  settings: new Map(value === undefined ? [] : [["can_subscribe_group", value]]),
});
/** A copy of the strict organization with this channel and these groups. */
const stateWith = (parts: readonly Parameters<AccessState["put"]>[0][]): AccessState => {
  const state = strictState.copy();
  for (const part of parts) state.put(part);
  return state;
};
const group = (name: string, settings: Settings = {}, is: Parameters<typeof crew>[1] = {}) =>
  crew(settings, { name, ...is });

describe("the groups through which people can let themselves into a private channel", () => {
  test.each<{ fact: string; value: GroupValue | undefined; groups: readonly string[] }>([
    { fact: "none if nothing opens it", value: undefined, groups: [] },
    { fact: "one that is named", value: "crew", groups: ["crew"] },
    {
      fact: "several, and people",
      value: { groups: ["crew", "outer"], users: [] },
      groups: ["crew", "outer", "inner"],
    },
    { fact: "one inside of another", value: "outer", groups: ["outer", "inner"] },
    { fact: "one inside of a deactivated one", value: "old", groups: ["crew"] },
    { fact: "none of a role, but those inside of it", value: "role:test", groups: ["crew"] },
    { fact: "none that does not exist", value: "unknown", groups: [] },
    { fact: "none for people alone", value: naming(["dmitri"]), groups: [] },
  ])("$fact", ({ value, groups }) => {
    const state = stateWith([
      group("crew"),
      group("inner"),
      group("outer", {}, { subgroups: ["inner", "unknown"] }),
      group("old", {}, { subgroups: ["crew"], deactivated: true }),
      group("role:test", {}, { subgroups: ["crew"] }),
    ]);
    expect([...groupsInto(state, room(value))]).toEqual(groups);
  });

  test("people who may add subscribers can let themselves in, too", () => {
    const settings = new Map<string, GroupValue>([
      ["can_add_subscribers_group", "crew"],
      ["can_send_message_group", "outer"],
    ]);
    expect([...groupsInto(stateWith([group("crew"), group("outer")]), { ...room(undefined), settings })]).toEqual([
      "crew",
    ]);
  });
});

describe("who can put themselves into a group", () => {
  test.each<{ fact: string; name: string; people: readonly number[] }>([
    { fact: "who may join", name: "open", people: [DMITRI, HANA] },
    { fact: "who may add members", name: "adding", people: [ELIF, HANA] },
    { fact: "who manages it", name: "managed", people: [FARAH, HANA] },
    { fact: "nobody, on a server without such settings", name: "bare", people: [] },
    { fact: "nobody, if it is deactivated", name: "old", people: [] },
    { fact: "nobody, if it does not exist", name: "unknown", people: [] },
    { fact: "no guest", name: "guests", people: [HANA] },
  ])("$fact", ({ name, people }) => {
    const state = stateWith([
      group("open", { can_join_group: ["dmitri"] }),
      group("adding", { can_add_members_group: ["elif"] }),
      group("managed", { can_manage_group: ["farah"], can_join_group: [] }),
      group("bare", { can_manage_group: ["farah"] }),
      group("old", { can_join_group: ["dmitri"] }, { deactivated: true }),
      group("guests", { can_join_group: ["ivo"] }),
    ]);
    expect([...joinersOf(state, name)].sort((a, b) => a - b)).toEqual(people);
  });
});

describe("people who gain the right to let themselves into a private channel", () => {
  const open = { can_join_group: ["dmitri", "elif", "hana"] };
  const { population } = strictState;
  const all = (...ids: readonly number[]) => ({ subscribers: population.of(ids) });
  const shut = [group("crew"), group("other"), group("leads")];

  test.each<{
    fact: string;
    before?: Parameters<typeof stateWith>[0];
    after: Parameters<typeof stateWith>[0];
    among?: ReadonlySet<string>;
    people: readonly number[];
  }>([
    { fact: "who may join the group it is open to", after: [group("crew", open)], people: [DMITRI, ELIF] },
    {
      fact: "who may join a group that it comes to be open to",
      before: [room(undefined), group("crew", open)],
      after: [room("crew")],
      people: [DMITRI, ELIF],
    },
    {
      fact: "nobody who could join another group before",
      before: [room({ groups: ["crew", "other"], users: [] }), group("other", { can_join_group: ["elif"] })],
      after: [group("crew", open)],
      people: [DMITRI],
    },
    {
      fact: "nobody who reads it already",
      before: [room("crew", all(DMITRI))],
      after: [group("crew", open)],
      people: [ELIF],
    },
    { fact: "nobody who reads it afterwards", after: [room("crew", all(ELIF)), group("crew", open)], people: [DMITRI] },
    {
      fact: "nobody who manages all groups, of whom that is known already",
      after: [group("crew", { can_join_group: ["hana"] })],
      people: [],
    },
    {
      fact: "no bot",
      after: [
        { ...group("crew"), settings: new Map([["can_join_group", { groups: [], users: ["user:17", "user:9"] }]]) },
      ],
      people: [DMITRI],
    },
    {
      fact: "nobody where the channel is public afterwards",
      after: [hall({ can_subscribe_group: [] }), group("crew", open)],
      people: [],
    },
    {
      fact: "nobody where the channel was public",
      before: [{ ...room("crew"), privacy: "public" }],
      after: [room("crew"), group("crew", open)],
      people: [],
    },
    { fact: "nobody where it is archived", after: [room("crew", { archived: true }), group("crew", open)], people: [] },
    {
      fact: "nobody by other groups than those asked for",
      after: [group("crew", open)],
      among: new Set(["other"]),
      people: [],
    },
    {
      fact: "who may join a group asked for",
      after: [group("crew", open)],
      among: new Set(["crew"]),
      people: [DMITRI, ELIF],
    },
  ])("$fact", ({ before: changed = [], after: more, among, people }) => {
    const before = stateWith([room("crew"), ...shut, ...changed]);
    const after = before.copy();
    for (const part of more) after.put(part);
    const joining = new Joining({ before, after });
    const gained = joining.gained("hall", among);
    expect([...gained].sort((a, b) => a - b)).toEqual(people);
    expect([...joining.gained("hall", among)]).toEqual([...gained]);
    const address = "channel:hall";
    const object = { address, name: "hall" } as const;
    const fact = { kind: "may-join-into", object, channels: [object], people: people.length } as const;
    if (among !== undefined) return;
    const groups = ["crew", "other"].map((name) => ({ address: `user_group:${name}`, name }) as const);
    expect([...(peopleOfRisk({ ...fact, groups }, { before, after }) ?? [])].sort((a, b) => a - b)).toEqual(people);
  });

  test("there are none for a channel that does not exist both before and after", () => {
    const without = stateWith([group("crew", open)]);
    const withRoom = stateWith([group("crew", open), room("crew")]);
    expect(new Joining({ before: without, after: withRoom }).gained("hall").size).toBe(0);
    expect(new Joining({ before: withRoom, after: without }).gained("hall").size).toBe(0);
  });

  test("the groups that they would join", () => {
    const after = stateWith([
      room({ groups: ["crew", "other", "leads"], users: [] }),
      group("crew", { can_join_group: ["dmitri"] }),
      group("other", { can_join_group: ["elif"] }),
      group("leads", { can_join_group: ["dmitri", "ivo"] }),
    ]);
    const joining = new Joining({ before: strictState, after });
    expect(joining.groupsOf("hall", population.of([DMITRI, IVO, DEPLOY_BOT]))).toEqual(["crew", "leads"]);
    expect(joining.groupsOf("hall", population.of([IVO]))).toEqual([]);
    expect(joining.groupsOf("unknown", population.of([DMITRI]))).toEqual([]);
  });
});

test("the people of these tests are as the organization has them", () =>
  expect([DMITRI, ELIF, FARAH, HANA, IVO].map((id) => strict.userName(id).replace(/@.*/, ""))).toEqual([
    "dmitri",
    "elif",
    "farah",
    "hana",
    "ivo",
  ]));
