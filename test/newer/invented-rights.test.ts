import { describe, expect, test } from "vitest";
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
  expect((await run("validate --live")).out).toContain("valid: settings · 1 group · 1 channel.");
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

test("more people who get such a right through a group are named, and asked about", async () => {
  const { world, run } = await newer(600);
  world.file("realm.yaml", FILE);
  await run("apply --yes");
  world.file("more.yaml", "version: 1\nuser_groups: {riggers: {members: [ada@acme.example, chiara@acme.example]}}\n");
  const refused = await world.realmctl("apply more.yaml --yes");
  expect(refused.code).toBe(EXIT.refusedByGuard);
  const told = (refused.out + refused.err).replaceAll(/\s+/g, " ");
  expect(told).toContain(`1 more person may use ${OF_CHANNELS} (a right that this version does not know) in #general`);
  expect(told).toContain("channels opened 1 (riggers)");
  await run("apply more.yaml --yes --allow opened");
  expect((await run("plan more.yaml --detailed-exit-code")).out).toContain("No changes.");
  await world.end();
}, 180_000);

const RULES = `version: 1
tests:
  - {name: Who pins, objects: organization, rights: {${OF_REALM}: {at_least: 1}}}
  - {name: Who reacts, objects: general, rights: {${OF_CHANNELS}: {exactly: [riggers, ben@acme.example]}}}
  - {name: Who sees, objects: "user_group:riggers", rights: {${OF_GROUPS}: {only: ada@acme.example}}}
  - {name: Guests do not react, who: {role: guest}, cannot: {${OF_CHANNELS}: general}}
`;

/** 512 is a known level: a changed server can have such rights at any level. */
describe.each([512, 600])("at level %i, rights that only the server describes", (level) => {
  test("can be named in rules about the organization, which say who has them", async () => {
    const { world, run } = await newer(level, true, true);
    world.file("realm.yaml", FILE);
    await run("apply --yes");
    world.file("realm.test.yaml", RULES);
    expect((await run("test --live")).out).toContain("4 rules hold");
    expect((await run("test --live --as-is")).out).toContain("4 rules hold");
    expect((await run("drift")).out).toContain("No drift.");
    world.file("realm.test.yaml", RULES.replace("exactly: [riggers, ben@acme.example]", "only: riggers"));
    const broken = await world.realmctl("test --live");
    expect(broken, broken.err).toMatchObject({
      code: EXIT.ruleBroken,
      out: expect.stringContaining(String(OF_CHANNELS)),
    });
    world.file("realm.test.yaml", RULES.replaceAll(String(OF_CHANNELS), "can_fly_group"));
    const unknown = await world.realmctl("test --live");
    expect(unknown.err).toContain('error[rules/unknown-right]: there is no right "can_fly_group"');
    expect(unknown.code).toBe(EXIT.errors);
    await world.end();
  }, 180_000);

  test("are in pages, and adopted with the objects that have them", async () => {
    const { world, run } = await newer(level, true, true);
    world.file("realm.yaml", FILE);
    const plan = (await run("plan --format html")).out;
    for (const right of [OF_REALM, OF_CHANNELS, OF_GROUPS]) expect(plan).toContain(String(right));
    await run("apply --yes");
    expect((await run("access #general --format html")).out).toContain(String(OF_CHANNELS));
    world.file("realm.yaml", "version: 1\nsettings: {permissions: {}}\nuser_groups: {}\nchannels: {general: {}}\n");
    await run("adopt --all --yes");
    expect((await run("plan --detailed-exit-code")).out).toContain("No changes.");
    world.file("realm.yaml", FILE.replaceAll("role:moderators", "role:owners"));
    await run(`adopt settings --field ${OF_REALM} --yes`);
    expect(world.read("realm.yaml")).toContain(`${OF_REALM}: role:moderators`);
    await world.end();
  }, 180_000);

  test("can be sent by api, which takes a slip in a known name for a mistake", async () => {
    const { world, run } = await newer(level, true, true);
    world.file("realm.yaml", `version: 1\nsettings: {permissions: {${OF_REALM}: role:owners}}\n`);
    await run(`api update-realm --${OF_REALM} {"new":${world.group("role:owners")}}`);
    expect((await run("plan --detailed-exit-code")).out).toContain("No changes.");
    const slip = await world.realmctl('api update-realm --can_create_group {"new":1}');
    expect(slip).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("can_create_groups") });
    const none = await world.realmctl('api update-realm --can_fly_group {"new":1}');
    expect(none.err).toContain("error[api/ignored]");
    await world.end();
  }, 180_000);
});
