import { describe, expect, test } from "vitest";
import { crew, hall, naming, type Settings, strict, strictState } from "../../test/support/strict-organization.ts";
import type { GroupValue } from "../model/realm.ts";
import { AccessDifference } from "./difference.ts";
import { groupsInto, Joining } from "./joining.ts";
import { peopleOfRisk } from "./opened-channels.ts";
import type { AccessChannel, AccessState } from "./state.ts";

const [ADA, DMITRI, ELIF, FARAH, HANA, IVO, DEPLOY_BOT] = [6, 9, 10, 11, 13, 14, 17];
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
const group = (name: string, settings: Settings = { can_join_group: [] }, is: Parameters<typeof crew>[1] = {}) =>
  crew(settings, { name, ...is });

describe("the groups through which people can let themselves into a private channel", () => {
  test.each<{ fact: string; value: GroupValue | undefined; groups: readonly string[] }>([
    { fact: "none, if no setting opens the channel", value: undefined, groups: [] },
    { fact: "a group that a setting names", value: "crew", groups: ["crew"] },
    {
      fact: "several groups and people",
      value: { groups: ["crew", "outer"], users: [] },
      groups: ["crew", "outer", "inner"],
    },
    { fact: "a subgroup of another group", value: "outer", groups: ["outer", "inner"] },
    { fact: "a subgroup of a deactivated group", value: "old", groups: ["crew"] },
    { fact: "no role group, but its subgroups", value: "role:test", groups: ["crew"] },
    { fact: "no group that does not exist", value: "unknown", groups: [] },
    { fact: "no group, if only people are named", value: naming(["dmitri"]), groups: [] },
  ])("$fact", ({ value, groups }) => {
    const state = stateWith([
      group("crew"),
      group("inner"),
      group("outer", undefined, { subgroups: ["inner", "unknown"] }),
      group("old", undefined, { subgroups: ["crew"], deactivated: true }),
      group("role:test", undefined, { subgroups: ["crew"] }),
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

describe("people who gain the right to let themselves into a private channel", () => {
  const open = { can_join_group: ["dmitri", "elif", "hana"] };
  const { population } = strictState;
  const all = (...ids: readonly number[]) => ({ subscribers: population.of(ids) });
  const shut = ["crew", "other", "leads"].map((name) => group(name, { can_join_group: [] }));

  test.each<{
    fact: string;
    before?: Parameters<typeof stateWith>[0];
    after: Parameters<typeof stateWith>[0];
    by?: string;
    people: readonly number[];
  }>([
    {
      fact: "people who may join the group that the channel is open to",
      after: [group("crew", open)],
      people: [DMITRI, ELIF],
    },
    {
      fact: "people who may join a group that the channel is opened to",
      before: [room(undefined), group("crew", open)],
      after: [room("crew")],
      people: [DMITRI, ELIF, HANA],
    },
    {
      fact: "nobody who could join another such group before",
      before: [room({ groups: ["crew", "other"], users: [] }), group("other", { can_join_group: ["elif"] })],
      after: [group("crew", open)],
      people: [DMITRI],
    },
    {
      fact: "nobody who can already read it",
      before: [room("crew", all(DMITRI))],
      after: [group("crew", open)],
      people: [ELIF],
    },
    {
      fact: "nobody who can read it afterwards",
      after: [room("crew", all(ELIF)), group("crew", open)],
      people: [DMITRI],
    },
    {
      fact: "nobody who manages all groups, if the channel was open to a group before",
      after: [group("crew", { can_join_group: ["hana"] })],
      people: [],
    },
    {
      fact: "people who manage all groups, if the channel was open to no group before",
      before: [room(undefined)],
      after: [room("crew")],
      people: [HANA],
    },
    {
      fact: "people who may join a group whose members may join the group that the channel is open to",
      before: [group("crew", { can_join_group: { groups: ["other"], users: [] } })],
      after: [group("other", { can_join_group: { groups: ["leads"], users: [] } }), group("leads", open)],
      people: [DMITRI, ELIF],
    },
    {
      fact: "people who come into a group that lets in groups which let in each other",
      before: [
        group("crew", { can_join_group: { groups: ["other"], users: [] } }),
        group("other", { can_add_members_group: { groups: ["leads"], users: [] } }),
      ],
      after: [group("leads", { can_join_group: { groups: ["other"], users: [`user:${DMITRI}`] } })],
      people: [DMITRI],
    },
    {
      fact: "new members of a group whose members may join the group that the channel is open to",
      before: [group("crew", { can_join_group: { groups: ["other"], users: [] } })],
      after: [group("other", undefined, { members: population.of([FARAH, IVO]) })],
      people: [FARAH],
    },
    {
      fact: "the owner of a bot that may join such a group",
      before: [group("crew", { can_join_group: { groups: ["other"], users: [] } })],
      after: [group("other", { can_join_group: { groups: [], users: [`user:${DEPLOY_BOT}`] } })],
      people: [ADA],
    },
    {
      fact: "people who manage all groups as members of a group that they may join",
      before: [
        group("crew"),
        { kind: "organization", name: "organization", settings: new Map([["can_manage_all_groups", "leads"]]) },
      ],
      after: [group("leads", open)],
      people: [DMITRI, ELIF, HANA],
    },
    {
      fact: "no bots, but their owners",
      after: [
        { ...group("crew"), settings: new Map([["can_join_group", { groups: [], users: ["user:17", "user:9"] }]]) },
      ],
      people: [ADA, DMITRI],
    },
    {
      fact: "nobody, if the channel becomes public",
      after: [hall({ can_subscribe_group: [] }), group("crew", open)],
      people: [],
    },
    {
      fact: "nobody, if the channel was public before",
      before: [{ ...room("crew"), privacy: "public" }],
      after: [room("crew"), group("crew", open)],
      people: [],
    },
    {
      fact: "people who can then subscribe to an archived channel",
      after: [room("crew", { archived: true }), group("crew", open)],
      people: [DMITRI, ELIF],
    },
    {
      fact: "nobody who could join only groups that the question does not name",
      after: [group("crew", open)],
      by: "other",
      people: [],
    },
    {
      fact: "people who may join a group that the question names",
      after: [group("crew", open)],
      by: "crew",
      people: [DMITRI, ELIF],
    },
  ])("$fact", ({ before: changed = [], after: more, by, people }) => {
    const before = stateWith([room("crew"), ...shut, ...changed]);
    before.facts = { ...before.facts, botsChangeGroups: true };
    const after = before.copy();
    for (const part of more) after.put(part);
    const joining = new Joining({ before, after });
    const gained = joining.gained("hall", by);
    expect([...gained].sort((a, b) => a - b)).toEqual(people);
    expect([...joining.gained("hall", by)]).toEqual([...gained]);
    const address = "channel:hall";
    const object = { address, name: "hall" } as const;
    const fact = { kind: "may-join-into", object, channels: [object], people: people.length } as const;
    if (by !== undefined) return;
    const groups = ["crew", "other"].map((name) => ({ address: `user_group:${name}`, name }) as const);
    expect(
      [...(peopleOfRisk({ ...fact, groups }, new AccessDifference(before, after)) ?? [])].sort((a, b) => a - b),
    ).toEqual(people);
  });

  test("nobody gains it on a channel that exists only before or only after", () => {
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

test("the people of these tests are those of the organization", () =>
  expect([ADA, DMITRI, ELIF, FARAH, HANA, IVO].map((id) => strict.userName(id).replace(/@.*/, ""))).toEqual([
    "ada",
    "dmitri",
    "elif",
    "farah",
    "hana",
    "ivo",
  ]));
