import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { crew, hall, type Settings, strictState, wordsOf } from "../../test/support/strict-organization.ts";
import { Realm } from "../model/realm.ts";
import { type Grant, pathsOf, type Standing, scopeOf, standingOf, type Target } from "./grants.ts";
import { READ, SEE } from "./rules.ts";
import { stateOf } from "./state.ts";

/** Ivo is a guest, Dmitri has a bot, and the organization's settings name Hana. */
const IVO = 14;
const DMITRI = 9;

/** A grant in words: the source, the people, and whether it names others, too. */
function words({ source, people, wider }: Grant): readonly unknown[] {
  const by = source.via === "setting" ? `${source.on} ${source.setting}` : source.via;
  const implied = (source.via === "setting" || source.via === "subscriber") && source.implied === true;
  return [by, wordsOf(people), ...(wider ? ["wider"] : []), ...(implied ? ["implied"] : [])];
}
const standing = (target: Target, right: string): Standing | undefined => standingOf(strictState, target, right);
const grants = (target: Target, right: string) => standing(target, right)?.grants.map(words);

const [CHANNEL, GROUP, WHOLE] = ["channel:hall", "user_group:crew", "organization"];
const NAMED = ["dmitri", "ivo"];
const private_shared = "private_shared_history";
const subscribed = (...ids: readonly number[]) => ({ subscribers: strictState.population.of(ids) });

describe("the sources of people's rights on a channel", () => {
  test.each<{ fact: string; right: string; settings?: Settings; is?: Parameters<typeof hall>[1]; by: unknown }>([
    {
      fact: "reading a web-public channel",
      right: READ,
      is: { privacy: "web_public" },
      by: [["privacy", ["members", "ivo"]]],
    },
    {
      fact: "reading a private channel",
      right: READ,
      settings: { can_subscribe_group: NAMED, can_administer_channel_group: ["elif"] },
      is: { privacy: private_shared, ...subscribed(IVO) },
      by: [
        ["subscriber", ["ivo"]],
        [`${CHANNEL} can_subscribe_group`, ["dmitri"]],
      ],
    },
    {
      fact: "subscribing to a private channel",
      right: "can_subscribe_group",
      settings: { can_subscribe_group: NAMED },
      is: { privacy: private_shared, ...subscribed(IVO) },
      by: [[`${CHANNEL} can_subscribe_group`, ["dmitri"]]],
    },
    {
      fact: "knowing that a private channel exists",
      right: SEE,
      settings: { can_subscribe_group: ["farah"], can_administer_channel_group: NAMED },
      is: { privacy: private_shared },
      by: [
        [`${CHANNEL} can_subscribe_group`, ["farah"]],
        ["administrators", ["administrators"]],
        [`${CHANNEL} can_administer_channel_group`, ["dmitri"]],
      ],
    },
    {
      fact: "writing: people and their bots",
      right: "can_send_message_group",
      settings: { can_send_message_group: ["dmitri", "elif"] },
      is: { privacy: private_shared, ...subscribed(DMITRI) },
      by: [
        [`${CHANNEL} can_send_message_group`, ["dmitri"], "wider"],
        ["owner", ["ci-bot"]],
      ],
    },
    {
      fact: "removing subscribers",
      right: "can_remove_subscribers_group",
      settings: { can_remove_subscribers_group: NAMED, can_administer_channel_group: ["elif", "ivo"] },
      by: [
        [`${CHANNEL} can_remove_subscribers_group`, ["dmitri"]],
        ["administrators", ["administrators"]],
        [`${CHANNEL} can_administer_channel_group`, ["elif"]],
      ],
    },
  ])("$fact", ({ right, settings = {}, is = {}, by }) => expect(grants(hall(settings, is), right)).toEqual(by));
});

test.each<{ right: string; by: unknown }>([
  {
    right: "can_manage_group",
    by: [
      [`${GROUP} can_manage_group`, ["elif"], "implied"],
      [`${WHOLE} can_manage_all_groups`, ["hana"]],
    ],
  },
  { right: "can_mention_group", by: [[`${GROUP} can_mention_group`, ["dmitri", "ivo"]]] },
])("the sources of $right on a group", ({ right, by }) => {
  const settings = { can_join_group: NAMED, can_manage_group: ["elif", "ivo"], can_mention_group: NAMED };
  expect(grants(crew(settings, { implied: new Set(["can_manage_group"]) }), right)).toEqual(by);
});

test.each<{ right: string; by: unknown }>([
  { right: "can_create_groups", by: [[`${WHOLE} can_create_groups`, ["hana"]]] },
  {
    right: "can_set_topics_policy_group",
    by: [
      [`${WHOLE} can_set_topics_policy_group`, ["hana", "ivo"]],
      ["administrators", ["administrators"]],
    ],
  },
  { right: "can_fly_group", by: undefined },
])("the sources of $right in the organization", ({ right, by }) => expect(grants("organization", right)).toEqual(by));

test("what a right applies to, and what else it needs", () => {
  const settings = { can_send_message_group: NAMED, can_subscribe_group: NAMED, can_remove_subscribers_group: NAMED };
  const channel = hall(settings, subscribed(IVO));
  const group = crew({ can_join_group: NAMED });
  const about = (target: Target, right: string) => {
    const { scope, needs } = standing(target, right) ?? {};
    return [scope, needs];
  };
  expect(about(channel, "can_send_message_group")).toEqual(["channel", "reach"]);
  expect(about(channel, "can_remove_subscribers_group")).toEqual(["channel", "see"]);
  expect(about(channel, "can_subscribe_group")).toEqual(["channel", "nothing"]);
  expect(about(channel, READ)).toEqual(["channel", "nothing"]);
  expect(about(group, "can_join_group")).toEqual(["user_group", "nothing"]);
  expect(about("organization", "can_create_groups")).toEqual(["organization", "nothing"]);
  expect([channel, group, "organization" as const].map(scopeOf)).toEqual(["channel", "user_group", "organization"]);
});

// Ada is an owner, Chiara a moderator, Dmitri a member, Ivo a guest.
const realm = new Realm(realmOf({ settings: { can_set_topics_policy_group: 12, can_create_groups: 12 } }));
const state = stateOf(realm);

test.each([
  {
    person: "ada@acme.example",
    right: "can_set_topics_policy_group",
    ways: ["administrators", "can_set_topics_policy_group"],
  },
  { person: "chiara@acme.example", right: "can_set_topics_policy_group", ways: ["can_set_topics_policy_group"] },
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
