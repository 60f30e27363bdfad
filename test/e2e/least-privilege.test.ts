import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { flat, worldOfTests } from "./world.ts";

/**
 * What each role does not see (src/kinds/readings.ts) is neither missing nor created, is named in one line, and is in the JSON. The organization is in the state
 * of its file, so whatever is found is wrong.
 */
const ACCOUNTS = {
  "a moderator": { as: "chiara@acme.example", who: "Chiara Moretti (moderator)", team: true },
  "a member": { as: "dmitri@acme.example", who: "Dmitri Volkov (member)", team: true },
  "a bot": { as: "deploy-bot@localhost", who: "Deploy Bot (bot, member)", team: false },
} as const;
const ROLES = Object.entries(ACCOUNTS);
const [ADA, CHIARA, DMITRI] = [6, 8, 9] as const;
const ALL =
  "settings,people,bots,user_groups,channel_folders,channels,default_channels,linkifiers,domains,profile_fields";
const world = worldOfTests();
beforeEach(async () => {
  const channel = (name: string, principals: readonly number[]) =>
    world.subscribe(name, { principals, invite_only: true });
  await channel("board", [ADA]);
  await channel("team", [ADA, CHIARA, DMITRI]);
  await channel("old", [ADA]);
  await world.edit("owner", "DELETE", `/streams/${world.channel("old").stream_id}`, {});
  await world.edit("owner", "PATCH", "/realm", { moderation_request_channel_id: world.channel("board").stream_id });
  await world.createGroup("keepers", { members: [ADA, DMITRI] });
  const file = await world.realmctl(`export --kinds ${ALL} --inactive --subscribers`);
  expect(file.out, file.err).toContain("board:");
  world.file("realm.yaml", file.out);
});

describe.each(ROLES)("%s", (_, { as, who, team }) => {
  const unseen = team ? ["board", "old"] : ["board", "old", "team"];

  test.each(["plan", "drift"])("%s finds nothing, and says what it cannot see", async (command) => {
    const { out, err, code } = await world.realmctl(command, { as });
    expect(code, out + err).toBe(EXIT.done);
    expect(flat(out)).toContain(command === "plan" ? "No changes." : "No drift.");
    expect(flat(out)).toContain(`${who} does not see private channels that it is not in (perhaps #board`);
    expect(flat(out)).toContain("addresses of people (");
    expect(flat(out)).toContain("nor is what names it: moderation_request_channel.");
    expect(out + err).not.toContain("error[");
    const json = JSON.parse((await world.realmctl(`${command} --format json`, { as })).out);
    const said: readonly { what?: string; names: readonly { quoted: string }[] }[] = (json.extra ?? json).unseen;
    const names = (what?: string) =>
      said.flatMap((one) => (one.what === what ? one.names.map(({ quoted }) => quoted) : []));
    expect(names("private-channels")).toEqual(unseen);
    expect(names()).toEqual(["moderation_request_channel"]);
    expect(names("addresses").length).toBeGreaterThan(0);
    expect((await world.realmctl(`${command} --format html`, { as })).out).toContain(`${who} does not see`);
  });

  test("a list that excepts a hidden address is left alone, and is no error", async () => {
    world.file(
      "realm.yaml",
      "version: 1\nuser_groups: {keepers: {}}\nchannels: {general: {subscribers: {groups: [keepers], except: {users: [elif@acme.example]}}}}\n",
    );
    await world.realmctl("apply --yes");
    const { out, err, code } = await world.realmctl("plan", { as });
    expect([code, err], out).toEqual([EXIT.done, ""]);
    expect(flat(out)).toContain("No changes.");
    expect(flat(out)).toContain("addresses of people (1 of the file)");
  });

  test("drift still finds what it sees, and what looks renamed", async () => {
    await world.editChannel("general", { description: "Changed" });
    await world.editChannel("sandbox", { new_name: "sandpit" });
    if (team) await world.editChannel("team", { new_name: "squad" });
    const { out, code } = await world.realmctl("drift", { as });
    expect(code).toBe(EXIT.changesPending);
    expect(out).toContain("#general");
    expect(out).toContain("sandpit");
    expect(out.includes("squad")).toBe(team);
    expect(out).not.toMatch(/#(board|old)\b.*missing/);
  });

  test("somebody else in the group is found behind hidden addresses", async () => {
    const id = world.group("keepers");
    await world.edit("owner", "POST", `/user_groups/${id}/members`, { add: [CHIARA] });
    const { out, code } = await world.realmctl("drift", { as });
    expect(code, out).toBe(EXIT.changesPending);
    expect(out).toContain("keepers");
  });

  test("an administrator's plan of its export removes nothing", async () => {
    const exported = await world.realmctl(`export --kinds ${ALL} --policy exact --unset default --subscribers`, { as });
    expect(exported.code, exported.err).toBe(EXIT.done);
    expect(flat(exported.err)).toContain(`${who} does not see private channels that it is not in`);
    expect(exported.out).toContain("does not see them: private channels");
    world.file("realm.yaml", exported.out);
    const { out, err, code } = await world.realmctl("plan");
    expect(code, err).toBe(EXIT.done);
    expect(out, out).toContain("No changes.");
  });

  test("adopt leaves in the file what it does not see", async () => {
    const before = world.read("realm.yaml");
    const { stream_id } = world.channel("general");
    await world.edit("owner", "PATCH", `/streams/${stream_id}`, { description: "Changed" });
    const { out, err, code } = await world.realmctl("adopt --all --yes", { as });
    expect(code, out + err).toBe(EXIT.done);
    expect(world.read("realm.yaml")).toBe(before.replace("For team-wide conversations", "Changed"));
    expect(flat(err)).toContain(`${who} does not see private channels that it is not in (perhaps #board`);
    expect(err).not.toContain("Not taken");
  });
});

test("an administrator is told nothing of it, and finds a missing channel", async () => {
  const drift = await world.realmctl("drift", { as: "ben@acme.example" });
  expect(drift.code, drift.out).toBe(EXIT.done);
  expect(drift.out).not.toContain("does not see");
  world.file(
    "realm.yaml",
    "version: 1\nchannels: {secret: {privacy: private_shared_history, subscribers: {users: [user:6]}}}\n",
  );
  expect((await world.realmctl("drift", { as: "ben@acme.example" })).code).toBe(EXIT.changesPending);
});

describe("a new private channel of somebody who does not see all", () => {
  const file = "version: 1\nchannels: {secret: {privacy: private_shared_history, subscribers: {users: [user:9]}}}\n";
  const dmitri = { as: "dmitri@acme.example" };

  test("is not created by the whole file, since nobody can tell", async () => {
    world.file("realm.yaml", file);
    const { out, code } = await world.realmctl("apply --yes", dmitri);
    expect(code, out).toBe(EXIT.done);
    expect(flat(out)).toContain("(perhaps #secret)");
    expect(() => world.channel("secret")).toThrow();
  });

  test("is created if it is named", async () => {
    world.file("realm.yaml", file);
    const { out, err, code } = await world.realmctl("apply --yes --only channel:secret", dmitri);
    expect(code, out + err).toBe(EXIT.done);
    expect(world.channel("secret").invite_only).toBe(true);
  });
});

test.each([
  ["a bot", "deploy-bot@localhost", "invitations"],
  ["a member", "dmitri@acme.example", "invitations that others sent"],
])("invitations: a drift by %s does not miss those that it does not see", async (_, as, words) => {
  await world.edit("owner", "POST", "/invites", {
    invitee_emails: "zoe@acme.example",
    stream_ids: [],
    invite_expires_in_minutes: 14_400,
  });
  world.file("realm.yaml", "version: 1\ninvites: [{emails: [zoe@acme.example], send_until: 2099-12-31}]\n");
  const { out, code } = await world.realmctl("drift", { as });
  expect(code, out).toBe(EXIT.done);
  expect(flat(out)).toContain(`does not see ${words}. None of that is compared.`);
});

test("a channel whose entry does not say that it is private may be there, too", async () => {
  world.file("realm.yaml", "version: 1\nchannels: {board: {description: ''}}\n");
  const { out, code } = await world.realmctl("drift", { as: "dmitri@acme.example" });
  expect(code).toBe(EXIT.changesPending);
  expect(flat(out)).toContain("#board in the file; missing on the server, or this account does not see it");
  const json = JSON.parse((await world.realmctl("drift --format json", { as: "dmitri@acme.example" })).out);
  expect(json.differences[0]).toMatchObject({ state: "missing", may_be_unseen: true });
});

test("a setting that names another channel than the file differs, although the account does not see that channel", async () => {
  world.file("realm.yaml", "version: 1\nchannels: {team: {}}\nsettings: {moderation_request_channel: team}\n");
  const { out, code } = await world.realmctl("drift", { as: "dmitri@acme.example" });
  expect(code).toBe(EXIT.changesPending);
  expect(out).toContain("moderation_request_channel");
});

test("the role that is needed to see private channels: moderators are no administrators", async () => {
  await world.edit("owner", "PATCH", `/users/${CHIARA}`, { role: 200 });
  expect((await world.realmctl("drift", { as: "chiara@acme.example" })).out).not.toContain("private channels that it");
});
