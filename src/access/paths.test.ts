import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "../model/realm.ts";
import { pathsOf } from "./paths.ts";
import { stateOf } from "./state.ts";

// Ada is an owner, Chiara a moderator, Dmitri a member, Ivo a guest.
const realm = new Realm(realmOf({ settings: { can_set_topics_policy_group: 12, can_create_groups: 12 } }));
const state = stateOf(realm);

test.each([
  {
    person: "ada@acme.example",
    right: "can_set_topics_policy_group",
    ways: ["administrators", "can_set_topics_policy_group"],
  },
  { person: "ada@acme.example", right: "can_create_groups", ways: ["can_create_groups"] },
  { person: "chiara@acme.example", right: "can_set_topics_policy_group", ways: ["can_set_topics_policy_group"] },
  { person: "dmitri@acme.example", right: "can_set_topics_policy_group", ways: [] },
  { person: "ivo@partner.example", right: "can_create_groups", ways: [] },
])("$person holds $right in the organization by $ways", ({ person, right, ways }) => {
  const paths = pathsOf(state, "organization", right, realm.userId(person));
  expect(paths.map((path) => (path.via === "setting" ? path.setting : path.via))).toEqual(ways);
});

test("a path names each group on the shortest way from the one that the setting names to one with the person in it", () => {
  const nested = new Realm(
    realmOf({
      user_groups: [
        { name: "all", subgroups: ["long", "staff"] },
        { name: "long", subgroups: ["longer"] },
        { name: "longer", subgroups: ["team"] },
        { name: "staff", subgroups: ["team"] },
        { name: "team", members: ["dmitri@acme.example"], can_mention_group: "staff" },
      ],
      channels: [
        {
          name: "hall",
          // Dmitri and Elif.
          can_send_message_group: {
            direct_members: [9, 10],
            direct_subgroups: ["longer", "all", "team", "role:moderators"],
          },
        },
      ],
      subscribers: { hall: [] },
    }),
  );
  const access = stateOf(nested);
  const dmitri = nested.userId("dmitri@acme.example");
  const [hall, team] = [access.channel("hall"), access.group("team")];
  if (hall === undefined || team === undefined) throw new RangeError("the organization has no #hall, or no team");
  const setting = "can_send_message_group";
  expect(pathsOf(access, hall, setting, dmitri)).toEqual([
    { via: "setting", on: "channel:hall", setting, groups: [] },
    { via: "setting", on: "channel:hall", setting, groups: ["all", "staff", "team"] },
    { via: "setting", on: "channel:hall", setting, groups: ["longer", "team"] },
    { via: "setting", on: "channel:hall", setting, groups: ["team"] },
  ]);
  expect(pathsOf(access, team, "can_mention_group", dmitri)).toEqual([
    { via: "setting", on: "user_group:team", setting: "can_mention_group", groups: ["staff", "team"] },
  ]);
  // Nobody else gets the right from these groups. A bot has it from its owner, and readers of the channel have theirs from its privacy.
  const [elif, farah, ciBot] = [10, 11, 18];
  expect(pathsOf(access, hall, setting, elif)).toEqual([{ via: "setting", on: "channel:hall", setting, groups: [] }]);
  expect(pathsOf(access, hall, setting, farah)).toEqual([]);
  const chiara = nested.userId("chiara@acme.example");
  expect(pathsOf(access, hall, setting, chiara)).toEqual([
    { via: "setting", on: "channel:hall", setting, groups: ["role:moderators"] },
  ]);
  expect(pathsOf(access, hall, setting, ciBot)).toEqual([{ via: "owner", owner: dmitri }]);
  expect(pathsOf(access, hall, "read", farah)).toEqual([{ via: "privacy", privacy: "public" }]);
  expect(pathsOf(access, hall, "can_fly_group", dmitri)).toEqual([]);
});
