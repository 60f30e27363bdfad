import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { Realm } from "../../src/model/realm.ts";
import { guardsOf } from "../../src/plan/guards.ts";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";

/** A bot that a plan creates is in nobody's reading; its owner acts through it from the first second on. */
const LIVE = realmOf({
  channels: [
    { name: "vault", invite_only: true, can_subscribe_group: "role:moderators" },
    { name: "inside", invite_only: true, can_subscribe_group: "role:members" },
  ],
  subscribers: { vault: ["ada@acme.example"], inside: ["ada@acme.example"] },
});
const bot = (fields: string): string => `version: 1\nbots: {spy-bot: {${fields}}}\n`;

async function counted(yaml: string): Promise<readonly string[]> {
  const plan = must(await planAgainst(yaml, LIVE));
  return guardsOf({ plan, snapshot: LIVE, kinds, policies: [], allow: [] }).flatMap(({ name, fact: { about } }) =>
    about.kind === "limit" && about.limit === null && about.amount > 0 ? [`${name} ${about.amount}`] : [],
  );
}

describe("guards count the owner of a new bot", () => {
  test.each([
    [
      "a member's moderator, for a channel of moderators",
      "owner: elif@acme.example, role: moderator",
      ["people_gaining_access 1"],
    ],
    ["a member's bot, which reads nothing more", "owner: elif@acme.example", []],
    ["a guest's bot, for a channel of members", "owner: ivo@partner.example", ["people_gaining_access 1"]],
    ["a guest's webhook, which only posts", "owner: ivo@partner.example, type: incoming_webhook", []],
    ["a bot of the account, which reads everything anyway", "full_name: Spy", []],
    // The bot and its owner.
    ["a member's administrator", "owner: elif@acme.example, role: administrator", ["administrators 2"]],
    ["an owner's administrator", "owner: kofi@acme.example, role: administrator", ["administrators 1"]],
  ])("%s", async (_, fields, guards) => {
    const found = await counted(bot(fields));
    // With the key of an administrator bot, its owner also reads what moderators read.
    expect(found.filter((guard) => guards.length === 0 || guards.some((wanted) => guard === wanted))).toEqual(guards);
  });
});

test("rules count the owner of a new bot, and so does access --plan, without a line for what the bot itself may do", async () => {
  const files = {
    "s.json": snapshotText(LIVE),
    "realm.yaml": bot("owner: elif@acme.example, role: moderator"),
    "realm.test.yaml": "version: 1\ntests: [{name: x, who: elif@acme.example, cannot: {read: vault}}]\n",
  };
  const tested = await runCommandLine(["test", "--snapshot", "s.json"], { files });
  expect(tested.exitCode).toBe(8);
  expect(tested.out).toContain("Elif Demir can read #vault");
  expect(tested.out).toContain("through spy-bot (bot)");
  const shown = await runCommandLine(["access", "--plan", "realm.yaml", "--snapshot", "s.json"], { files });
  expect(shown.out).toContain("+ Elif Demir");
  expect(shown.out).not.toContain("+ spy-bot");
  expect(new Realm(LIVE).snapshot.users.some(({ user_id }) => user_id < 0)).toBe(false);
});
