import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { PNG } from "../support/pictures.ts";
import { worldOfTests } from "./world.ts";

/*
 * Values that an undo cannot bring back are told before it asks, whatever they are: the only people of a permission are deactivated by now, a picture
 * is not known, a removed field comes back without what people entered.
 */

const HANA = "hana@acme.example";

const world = worldOfTests();

const before = `version: 1
settings: {icon: one.png, permissions: {can_create_groups: {users: [${HANA}]}}}
emoji: {anvil: one.png}
profile_fields: [{name: Shift, type: short_text}]
user_groups: {crew: {permissions: {can_mention_group: {users: [${HANA}]}}}}
channels: {yard: {permissions: {can_send_message_group: {users: [${HANA}]}}}}
`;
const after = `version: 1
settings: {icon: null, permissions: {can_create_groups: role:members}}
emoji: {anvil: {absent: true}}
profile_fields: [{name: Shift, absent: true}]
user_groups: {crew: {permissions: {can_mention_group: role:members}}}
channels: {yard: {permissions: {can_send_message_group: role:members}}}
`;

test("what an undo cannot bring back is said before it asks", async () => {
  world.file("one.png", PNG);
  await world.bringInLine(
    before.replace("can_create_groups: {users", "can_create_groups: {groups: [role:owners], users"),
  );
  await world.edit("owner", "PATCH", "/realm", {
    can_create_groups: { new: { direct_members: [13], direct_subgroups: [] } },
  });
  world.file("realm.yaml", after);
  const turned = await world.realmctl("apply --yes --allow data_deleted,irreversible,removals");
  expect(turned.code, turned.out + turned.err).toBe(EXIT.done);
  await world.edit("owner", "DELETE", "/users/13", {});
  const writes = world.writes().length;
  // Two runs in one second: the name of the second journal sorts before the first.
  const [, journal] = /--undo \.realmctl\/(\S+)/.exec(turned.out + turned.err) ?? [];
  let asked = "";
  const undo = await world.realmctl(`apply --undo .realmctl/${journal}`, {
    answer: (question) => {
      asked += question;
      return "no";
    },
  });
  expect(asked, undo.out + undo.err).not.toBe("");
  expect(world.writes()).toHaveLength(writes);
  const [said = ""] = undo.err.replaceAll(/\s+/g, " ").split(asked.replaceAll(/\s+/g, " "));
  for (const text of [
    `can_create_groups stays: it was ${HANA}, deactivated by now`,
    `can_mention_group stays: it was ${HANA}, deactivated by now`,
    `can_send_message_group stays: it was ${HANA}, deactivated by now`,
    "anvil is not restored: its picture is not known",
    "icon",
    "Shift is created again, with another id",
  ])
    expect(said).toContain(text);
});
