import { expect, test } from "vitest";
import { change as changeOf } from "../../test/support/example-plans.ts";
import { realmOf } from "../../test/support/realm.ts";
import { crew, hall, strictState, wordsOf } from "../../test/support/strict-organization.ts";
import type { RiskFact } from "../model/facts.ts";
import { Realm } from "../model/realm.ts";
import { AccessDifference } from "./difference.ts";
import { peopleOfRisk } from "./opened-channels.ts";
import { namedAfter } from "./renamed.ts";
import type { AccessState } from "./state.ts";

type Parts = readonly Parameters<AccessState["put"]>[0][];
const stateWith = (parts: Parts): AccessState => {
  const state = strictState.copy();
  for (const part of parts) state.put(part);
  return state;
};
const [HALL, CREW] = [
  { address: "channel:hall", name: "hall" },
  { address: "user_group:crew", name: "crew" },
] as const;
const [NEW, POST, JOIN] = [HALL, "can_send_message_group", "can_join_group"];
const { population } = strictState;
const organization = (setting: string, value: string) =>
  ({
    kind: "organization",
    name: "organization",
    settings: new Map([...strictState.organization, [setting, value]]),
  }) as const;
const inCrew = (...ids: readonly number[]) => crew({ can_join_group: [] }, { members: population.of(ids) });
const [DMITRI, ELIF, CI_BOT] = [9, 10, 18];
const posting = (...names: readonly string[]) => hall({ [POST]: names });

test.each<{ fact: string; risk: RiskFact; before: Parts; after: Parts; people: readonly string[] | undefined }>([
  {
    fact: "a right on a new channel is gained",
    risk: { kind: "right", object: NEW, setting: POST, shift: "gained", people: 1, at_most: false },
    before: [],
    after: [posting("elif")],
    people: ["elif"],
  },
  {
    fact: "a right on a group is gained",
    risk: { kind: "right", object: CREW, setting: JOIN, shift: "gained", people: 1, at_most: false },
    before: [crew({ [JOIN]: [] })],
    after: [crew({ [JOIN]: ["elif"] })],
    people: ["elif"],
  },
  {
    fact: "a right on a new group is gained",
    risk: { kind: "right", object: CREW, setting: JOIN, shift: "gained", people: 2, at_most: false },
    before: [],
    after: [crew({ [JOIN]: ["elif"] })],
    people: ["elif", "hana"],
  },
  {
    fact: "readers are gained",
    risk: { kind: "readers", object: HALL, shift: "gained", people: 1, at_most: false },
    before: [hall({ [POST]: ["farah"] })],
    after: [hall({ [POST]: ["elif"] }, { subscribers: population.of([14]) })],
    people: ["ivo"],
  },
  {
    fact: "members are lost",
    risk: { kind: "members", object: CREW, shift: "lost", people: 1, channels: [] },
    before: [inCrew(DMITRI, CI_BOT)],
    after: [inCrew(ELIF)],
    people: ["dmitri"],
  },
  {
    fact: "a right that the organization does not have",
    risk: { kind: "organization-right", setting: "can_fly", shift: "gained", people: 0 },
    before: [],
    after: [],
    people: [],
  },
  {
    fact: "a right that the organization newly gets",
    risk: { kind: "organization-right", setting: "can_fly", shift: "gained", people: 0 },
    before: [inCrew(DMITRI)],
    after: [inCrew(DMITRI), organization("can_fly", "crew")],
    people: ["dmitri"],
  },
])("the people whom a risk concerns: $fact", ({ risk, before, after, people }) => {
  const found = peopleOfRisk(risk, new AccessDifference(stateWith(before), stateWith(after)));
  expect(found && wordsOf(found)).toEqual(people);
});

test("channels and groups have their names from the plan; other addresses have no name", () => {
  const realm = new Realm(realmOf({ channels: [{ name: "hall" }, { name: "den" }] }));
  const renaming = (kind: string, id: number, was: string, name: string) =>
    changeOf({ action: "update", kind, name, was, id, fields: [{ field: "name", before: was, after: name }] });
  const { snapshot } = namedAfter(realm, [
    renaming("channel", 101, "hall", "lobby"),
    renaming("user_group", 30, "staff", "crew"),
    renaming("channel_folder", 1, "Company", "Firm"),
  ]);
  expect(snapshot.channels.map(({ name }) => name)).toEqual(["lobby", "den"]);
  expect(snapshot.user_groups.slice(8).map(({ name }) => name)).toEqual(["crew", "engineering", "leads", "retired"]);
  expect(snapshot.channel_folders?.map(({ name }) => name)).toEqual(["Company", "Projects", "Attic"]);
});
