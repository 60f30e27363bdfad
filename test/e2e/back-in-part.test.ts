import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

const ELIF = 10;
const FIRST = `version: 1
user_groups: {keepers: {members: [ada@acme.example, elif@acme.example]}}
channels: {vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, elif@acme.example]}}}
`;
const file = (vault: string) => `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {keepers: {members: [ada@acme.example]}}
channels: {vault: {${vault}}}
`;
const LISTED = file("subscribers: {users: [ada@acme.example], exact: true}");

/** Elif was in a group and in a private channel when her account was deactivated. */
async function started(yaml: string): Promise<World> {
  const world = await World.start();
  world.file("realm.yaml", FIRST);
  expect((await world.realmctl("apply --yes --allow people_gaining_access")).code).toBe(EXIT.done);
  await world.edit("owner", "DELETE", `/users/${ELIF}`, {});
  world.file("realm.yaml", yaml);
  return world;
}
const groupMembers = (world: World) =>
  Object.values(world.sandbox.state().user_groups).find(({ name }) => name === "keepers")?.members;

test("a part of the file that brings somebody back promises nothing about the rest, and the end says where they are", async () => {
  const world = await started(LISTED);
  const { code, out } = await world.realmctl("apply --yes --allow people_gaining_access --only people");
  const text = out.replace(/\s+/g, " ");
  expect(code).toBe(EXIT.appliedInPart);
  expect(text).not.toContain("apply then removes it");
  expect(text).toContain("keep it until the whole file is applied");
  expect(text).toContain("2 changes are still to be made: user group keepers, #vault.");
  expect(text).not.toContain("the realm matches");
  const [, hint = ""] = /does not name: realmctl (apply[^.]*?) Undo:/.exec(text) ?? [];
  expect(hint).not.toContain("--only");
  expect(groupMembers(world)).toContain(ELIF);
  const whole = await world.realmctl(`${hint.replace(/ --zuliprc \S+/, "")} --yes`);
  expect(whole.code).toBe(EXIT.done);
  expect(groupMembers(world)).not.toContain(ELIF);
  await world.end();
});

test("a run of the whole file names a private channel without a list that somebody who comes back reads again", async () => {
  const world = await started(file("privacy: private_shared_history"));
  const { code, out } = await world.realmctl("apply --yes --allow people_gaining_access");
  expect(code).toBe(EXIT.done);
  const after = out.slice(out.indexOf("reactivated elif@acme.example")).replace(/\s+/g, " ");
  expect(after).toContain("2 people read #vault whom the file does not list: Ada Okafor and Elif");
  expect(groupMembers(world)).not.toContain(ELIF);
  await world.end();
});
