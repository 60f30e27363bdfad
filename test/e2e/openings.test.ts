import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { OPENINGS, settings, vault } from "./openings.ts";
import { World } from "./world.ts";

/** Each way to open something is counted by a guard: by the command line, and again when a saved plan is applied. */
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());
beforeEach(() => world.restart());

const env = { PLAN_KEY: "0123456789abcdef0123456789abcdef" };

describe.each(OPENINGS)("$what", ({ before, yaml, guards, says }) => {
  test("--yes alone is refused, and so is a saved plan, signed or not", async () => {
    await before(world);
    world.file("realm.yaml", yaml);
    const plan = await world.realmctl("plan --who --out one.plan");
    const signed = await world.realmctl("plan --out signed.plan --sign-with env:PLAN_KEY", { env });
    expect(signed.code, signed.out + signed.err).toBe(EXIT.done);
    expect(plan.code, plan.out + plan.err).toBe(EXIT.done);
    for (const text of says) expect(plan.out.replaceAll(/\s+/g, " ")).toContain(text);
    for (const command of [
      "apply --yes",
      "apply --plan one.plan --yes",
      "apply --plan signed.plan --yes --verify-with env:PLAN_KEY",
    ]) {
      const sent = world.writes().length;
      const refused = await world.realmctl(command, { env });
      expect(refused.code, refused.out + refused.err).toBe(EXIT.refusedByGuard);
      for (const guard of guards) expect(refused.err.replaceAll(/\s+/g, " ")).toContain(`--allow ${guard}`);
      expect(world.writes()).toHaveLength(sent);
    }
    const allowed = await world.realmctl(`apply --yes ${guards.map((guard) => `--allow ${guard}`).join(" ")}`);
    expect(allowed.code, allowed.out + allowed.err).toBe(EXIT.done);
  });
});

test("the weekly summary is counted as e-mails", async () => {
  world.file("realm.yaml", settings("digest_emails_enabled: true").concat("policy: {limits: {emails: 0}}\n"));
  const plan = await world.realmctl("plan");
  expect(plan.code, plan.out + plan.err).toBe(EXIT.refusedByGuard);
  expect(plan.out).not.toContain("no e-mails");
});

test("a rule that nobody reads a channel is broken by a group that members may join, and the rule says which line lets them in", async () => {
  await world.edit("owner", "POST", "/user_groups/create", { name: "keepers", description: "", members: [6] });
  await vault(world, { can_subscribe_group: world.group("keepers") });
  world.file(
    "realm.yaml",
    "version: 1\nchannels: {vault: {}}\nuser_groups:\n  keepers:\n    permissions: {can_join_group: role:members}\n",
  );
  world.file(
    "realm.test.yaml",
    "version: 1\ntests:\n  - name: Dmitri never reads the vault\n    who: dmitri@acme.example\n    cannot: {read: vault}\n",
  );
  const rules = await world.realmctl("test --live realm.yaml");
  expect(rules.code, rules.out + rules.err).toBe(EXIT.ruleBroken);
  expect((rules.out + rules.err).replaceAll(/\s+/g, " ")).toContain(
    "Dmitri Volkov can read #vault realm.yaml:4 may join keepers",
  );
});

test("an owner through a bot: access names the bot, and rules count the owner", async () => {
  await vault(world, { principals: [6, 18] });
  const access = await world.realmctl("access #vault --right read");
  expect(access.out).toContain("Dmitri Volkov");
  expect(access.out.replaceAll(/\s+/g, " ")).toContain("through CI Bot");
  const dmitri = await world.realmctl("access dmitri@acme.example --right read");
  expect(dmitri.out.replaceAll(/\s+/g, " ")).toContain("through CI Bot – #vault");
  world.file("realm.yaml", "version: 1\nchannels: {vault: {}}\n");
  world.file(
    "realm.test.yaml",
    "version: 1\ntests:\n  - name: Dmitri never reads the vault\n    who: dmitri@acme.example\n    cannot: {read: '#vault'}\n",
  );
  const rules = await world.realmctl("test --live realm.yaml");
  expect(rules.out + rules.err).toContain("through CI Bot");
  expect(rules.code).not.toBe(EXIT.done);
});
