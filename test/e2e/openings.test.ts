import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

/** Each way to open something is counted by a guard: by the command line, and again when a saved plan is applied. */
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());
beforeEach(() => world.restart());

const vault = async (more: object = {}) =>
  world.edit("owner", "POST", "/users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals: [6],
    invite_only: true,
    history_public_to_subscribers: true,
    ...more,
  });
const archive = () => world.edit("owner", "DELETE", `/streams/${world.channel("vault").stream_id}`, {});
const channels = (fields: string): string => `version: 1\nchannels: {vault: {${fields}}}\n`;
const settings = (fields: string): string => `version: 1\nsettings: {${fields}}\n`;
const nothing = async (): Promise<void> => {};

interface Opening {
  readonly what: string;
  readonly before: () => Promise<unknown>;
  readonly yaml: string;
  readonly guards: readonly string[];
  readonly says: readonly string[];
}

const OPENINGS: readonly Opening[] = [
  {
    what: "a bot of a member is subscribed to a private channel",
    before: vault,
    yaml: channels("subscribers: {users: [ada@acme.example, ci-bot@localhost]}"),
    guards: ["people_gaining_access"],
    says: ["#vault becomes readable by 1 more person", "Dmitri Volkov"],
  },
  {
    what: "a bot is put into a group that opens a private channel",
    before: async () => {
      await world.edit("owner", "POST", "/user_groups/create", { name: "keepers", description: "", members: [6] });
      await vault({ can_add_subscribers_group: world.group("keepers") });
    },
    yaml: "version: 1\nuser_groups: {keepers: {members: [ada@acme.example, ci-bot@localhost]}}\n",
    guards: ["people_gaining_access"],
    says: [],
  },
  {
    what: "a member gets an administrator bot, which is subscribed to a private channel",
    before: async () => {
      await vault({ principals: [6, 17] });
      await world.edit("owner", "PATCH", "/bots/17", { role: 200 });
    },
    yaml: "version: 1\nbots: {deploy-bot: {owner: elif@acme.example}}\n",
    guards: ["people_gaining_access"],
    says: ["administrators", "which opens #vault"],
  },
  {
    what: "an archived private channel becomes public",
    before: async () => {
      await vault();
      await archive();
    },
    yaml: channels("archived: true, privacy: public"),
    guards: ["people_gaining_access", "opened"],
    says: ["everybody who joins later"],
  },
  {
    what: "an archived channel lets members subscribe",
    before: async () => {
      await vault();
      await archive();
    },
    yaml: channels("archived: true, permissions: {can_subscribe_group: role:members}"),
    guards: ["people_gaining_access"],
    says: [],
  },
  {
    what: "a channel comes back that members were allowed to subscribe to while it was archived",
    before: async () => {
      await vault();
      await archive();
      await world.edit("owner", "PATCH", `/streams/${world.channel("vault").stream_id}`, {
        can_subscribe_group: { new: 14 },
      });
    },
    yaml: channels("archived: false"),
    guards: ["people_gaining_access", "opened"],
    says: [],
  },
  {
    what: "protected history becomes shared",
    before: () => vault({ history_public_to_subscribers: false, principals: [6, 10] }),
    yaml: channels("privacy: private_shared_history"),
    guards: ["people_gaining_access"],
    says: ["can read what was written before they subscribed"],
  },
  {
    what: "every member is subscribed, and members may subscribe: it opens to those who join later",
    before: () => vault({ principals: [6, 7, 8, 9, 10, 11, 12, 13, 16] }),
    yaml: channels("permissions: {can_subscribe_group: role:members}"),
    guards: ["opened"],
    says: ["#vault becomes readable by everybody who joins later"],
  },
  {
    what: "a person comes back",
    before: vault,
    yaml: "version: 1\npeople: {jana@acme.example: {deactivated: false}}\n",
    guards: ["people_gaining_access"],
    says: [],
  },
  {
    what: "nobody needs an invitation",
    before: () => world.edit("owner", "PATCH", "/realm", { invite_required: true }),
    yaml: settings("invite_required: false"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the waiting period is lowered",
    before: () => world.edit("owner", "PATCH", "/realm", { waiting_period_threshold: 30 }),
    yaml: settings("waiting_period_threshold: 3d"),
    guards: ["opened"],
    says: ["new members are full members sooner"],
  },
  {
    what: "guests see everybody",
    before: () => world.edit("owner", "PATCH", "/realm", { can_access_all_users_group: { new: 14 } }),
    yaml: settings("permissions: {can_access_all_users_group: role:everyone}"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "members may create public channels",
    before: () => world.edit("owner", "PATCH", "/realm", { can_create_public_channel_group: { new: 11 } }),
    yaml: settings("permissions: {can_create_public_channel_group: role:members}"),
    guards: ["opened"],
    says: [],
  },
  {
    what: "the addresses of new people become visible",
    before: () => world.edit("owner", "PATCH", "/realm/user_settings_defaults", { email_address_visibility: 3 }),
    yaml: "version: 1\nuser_defaults: {email_address_visibility: everyone}\n",
    guards: ["opened"],
    says: [],
  },
];

describe.each(OPENINGS)("$what", ({ before, yaml, guards, says }) => {
  test("--yes alone is refused, and so is a saved plan", async () => {
    await before();
    world.file("realm.yaml", yaml);
    const plan = await world.realmctl("plan --who --out one.plan");
    expect(plan.code, plan.out + plan.err).toBe(EXIT.done);
    for (const text of says) expect(plan.out.replaceAll(/\s+/g, " ")).toContain(text);
    for (const command of ["apply --yes", "apply --plan one.plan --yes"]) {
      const sent = world.writes().length;
      const refused = await world.realmctl(command);
      expect(refused.code, refused.out + refused.err).toBe(EXIT.refusedByGuard);
      for (const guard of guards) expect(refused.err.replaceAll(/\s+/g, " ")).toContain(`--allow ${guard}`);
      expect(world.writes()).toHaveLength(sent);
    }
    const allowed = await world.realmctl(`apply --yes ${guards.map((guard) => `--allow ${guard}`).join(" ")}`);
    expect(allowed.code, allowed.out + allowed.err).toBe(EXIT.done);
  });
});

test("the weekly summary is counted as e-mails", async () => {
  await nothing();
  world.file("realm.yaml", settings("digest_emails_enabled: true").concat("policy: {limits: {emails: 0}}\n"));
  const plan = await world.realmctl("plan");
  expect(plan.code, plan.out + plan.err).toBe(EXIT.refusedByGuard);
  expect(plan.out).not.toContain("no e-mails");
});

test("an owner through a bot: access names the bot, and rules count the owner", async () => {
  await vault({ principals: [6, 18] });
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
