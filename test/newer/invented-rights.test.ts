import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { INVENTED } from "../support/newer-server.ts";
import { newer } from "./begin.ts";

const [OF_REALM] = Object.keys(INVENTED.realm);
const [OF_CHANNELS] = Object.keys(INVENTED.stream);
const [OF_GROUPS] = Object.keys(INVENTED.group);

const FILE = `version: 1
settings:
  permissions: {${OF_REALM}: role:moderators}
user_groups:
  riggers: {members: [ada@acme.example], permissions: {${OF_GROUPS}: {users: [ada@acme.example]}}}
channels:
  general: {permissions: {${OF_CHANNELS}: {groups: [riggers], users: [ben@acme.example]}}}
`;

test("rights that only this server describes are planned, set, watched, adopted, shown and undone", async () => {
  const { world, run } = await newer(600);
  world.file("realm.yaml", FILE);
  await run("apply --yes");
  expect((await run("plan --detailed-exit-code")).out).toContain("No changes.");
  expect((await run("drift")).out).toContain("No drift.");
  await world.edit("owner", "PATCH", "/realm", { [`${OF_REALM}`]: { new: world.group("role:owners") } });
  expect((await run("drift", EXIT.changesPending)).out).toContain(OF_REALM);
  await run("adopt --all --yes");
  expect(world.read("realm.yaml")).toContain(`${OF_REALM}: role:owners`);
  expect((await run("access organization")).out).toContain(OF_REALM);
  expect((await run("access #general")).out).toContain(OF_CHANNELS);
  const [journal] = world.journals();
  await run(`apply --yes --undo .realmctl/${journal} --allow opened`);
  world.file("before.yaml", `version: 1\nchannels: {general: {permissions: {${OF_CHANNELS}: role:everyone}}}\n`);
  expect((await run("plan before.yaml --detailed-exit-code")).out).toContain("No changes.");
  await world.end();
}, 180_000);
