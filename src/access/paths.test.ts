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
