import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type World, worldOfTest } from "./world.ts";

const LEVEL = 500;
/** deploy-bot is on another domain than new bots are. */
const FILE = `version: 1
bots:
  ci-bot: {full_name: CI Bot, owner: dmitri@acme.example}
  deploy-bot: {full_name: Deploy Bot}
user_groups:
  crew: {description: Who builds, members: [ada@acme.example, ci-bot@localhost]}
channels:
  yard:
    privacy: private_shared_history
    subscribers: {users: [ada@acme.example, ci-bot@localhost]}
    permissions: {can_send_message_group: {users: [ci-bot@localhost]}}
`;
const NEW = "builds-bot@zulipdev.com";
const RENAMED = FILE.replace("ci-bot: {", "builds-bot: {was: ci-bot, ").replaceAll("ci-bot@localhost", NEW);

async function started(level = LEVEL): Promise<World> {
  const world = await worldOfTest({ level });
  await world.bringInLine(FILE);
  return world;
}
const botNamed = (world: World, full_name: string) => {
  const found = Object.values(world.sandbox.state().users).find((user) => user.full_name === full_name);
  if (found === undefined) throw new RangeError(`no bot ${full_name}`);
  return found;
};
const group = (world: World) => Object.values(world.sandbox.state().user_groups).find(({ name }) => name === "crew");

test("a renamed bot stays who it is, wherever the file names it by its new address", async () => {
  const world = await started();
  const before = botNamed(world, "CI Bot");
  const memberships = group(world)?.members;
  world.file("realm.yaml", RENAMED);
  const sent = world.writes().length;
  const applied = await world.realmctl("apply --yes");
  expect(applied, applied.err).toMatchObject({ code: EXIT.done });
  expect(world.writes().slice(sent)).toHaveLength(1);
  expect(botNamed(world, "CI Bot")).toMatchObject({ user_id: before.user_id, delivery_email: NEW, is_active: true });
  expect(group(world)?.members).toEqual(memberships);
  // `was` may stay.
  expect((await world.realmctl("plan")).out).toContain("No changes");
  expect((await world.realmctl("drift")).code).toBe(EXIT.done);
  const exported = await world.realmctl("export --kinds bots,user_groups");
  expect(exported.out).toContain("builds-bot:");
  expect(exported.out).toContain(NEW);
}, 60_000);

test("its undo gives it the name back that it had, and the lists that changed too", async () => {
  const world = await started();
  const known = new Set(world.journals());
  await world.bringInLine(RENAMED.replace(`members: [ada@acme.example, ${NEW}]`, `members: [${NEW}]`));
  const [journal = ""] = world.journals().filter((name) => !known.has(name));
  const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
  expect(undone, undone.err).toMatchObject({ code: EXIT.done });
  const bot = botNamed(world, "CI Bot");
  expect(bot.delivery_email).toMatch(/^ci-bot@/);
  expect(group(world)?.members).toHaveLength(2);
  expect(group(world)?.members).toContain(bot.user_id);
}, 60_000);

test("a part of the file names it by the address that it still has", async () => {
  const world = await started();
  world.file("realm.yaml", RENAMED.replace("Who builds", "Builders"));
  const sent = world.writes().length;
  const applied = await world.realmctl("apply --yes --only user_group:crew");
  expect(applied, applied.err).toMatchObject({ code: EXIT.done });
  expect(world.writes().slice(sent)).toHaveLength(1);
  expect(botNamed(world, "CI Bot").delivery_email).toBe("ci-bot@localhost");
  expect(group(world)?.description).toBe("Builders");
}, 60_000);

test("adopt takes the new name of a bot that somebody renamed, and its address wherever the file has it", async () => {
  const world = await started();
  const { user_id } = botNamed(world, "CI Bot");
  await world.edit("owner", "PATCH", `/bots/${user_id}`, { short_name: "builds" });
  const plan = await world.realmctl("plan");
  expect(plan.err + plan.out).toContain("plan/looks-renamed");
  expect((plan.err + plan.out).replaceAll(/\s+/g, " ")).toContain('add was: "builds-bot", or id:');
  const adopted = await world.realmctl("adopt --yes --all");
  expect(adopted, adopted.err).toMatchObject({ code: EXIT.done });
  expect(world.read("realm.yaml")).toBe(FILE.replace("ci-bot: {", "builds-bot: {").replaceAll("ci-bot@localhost", NEW));
  expect((await world.realmctl("plan")).out).toContain("No changes");
}, 60_000);

test("below level 447 the bot of another name is a new one, and the plan says so", async () => {
  const world = await started(446);
  world.file("realm.yaml", FILE.replace(/ci-bot: .*/, "builds-bot: {was: ci-bot, full_name: Builds}"));
  const plan = await world.realmctl("plan");
  expect(plan, plan.err).toMatchObject({ code: EXIT.done });
  expect((plan.err + plan.out).replaceAll(/\s+/g, " ")).toContain(
    "cannot change the address of a bot (feature level 447;",
  );
  expect(plan.out).toContain("+ bot builds-bot");
}, 60_000);

test("a bot whose address and full name somebody changed together looks renamed; another bot of its owner does not", async () => {
  const world = await started();
  const { user_id } = botNamed(world, "Deploy Bot");
  await world.edit("owner", "PATCH", `/bots/${user_id}`, { short_name: "deploy-acme", full_name: "Deploy Bot Acme" });
  world.file("realm.yaml", FILE.replace("deploy-bot: {", "release-bot: {full_name: Release Bot}\n  deploy-bot: {"));
  const { out } = await world.realmctl("plan");
  expect(out).toContain('the bot "deploy-bot" is new, and "deploy-acme-bot"');
  expect(out).not.toContain('the bot "release-bot" is new');
  expect((await world.realmctl("apply --yes")).code).toBe(EXIT.refusedByGuard);
}, 60_000);
