// No place that counts people counts a bot, also if the bot is deactivated now and the plan reactivates it, and also if nobody owns it.
import { describe, expect, test } from "vitest";
import { statesOf } from "../../src/access/of-plan.ts";
import { peopleOfRisk } from "../../src/access/opened-channels.ts";
import { Realm } from "../../src/model/realm.ts";
import { ROLE } from "../../src/model/roles.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { accessOf, gainsOf } from "../../src/plan/guard-gains.ts";
import { sizeText } from "../../src/report/access/names.ts";
import { accessMatrix } from "../../src/report/access.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";

const HOOK_BOT = 19;
const ADA = 6;

/** What the plan changes for everybody with a role, and so also for the bot that comes back. */
const FILE = `version: 1
channels:
  vault: {privacy: private_shared_history, permissions: {can_subscribe_group: "role:members"}}
  hall: {permissions: {can_send_message_group: "role:members"}}
user_groups:
  crew: {subgroups: ["role:members"], permissions: {can_join_group: "role:members"}}
settings: {permissions: {can_create_groups: "role:members"}}
`;
const WITH_BOT = `${FILE}bots: {hook-bot: {deactivated: false}}\n`;

function realmWith(bot: Partial<Snapshot["users"][number]>): Snapshot {
  const made = realmOf({
    channels: [
      { name: "vault", invite_only: true },
      { name: "hall", can_send_message_group: 11 },
    ],
    subscribers: { vault: ["ada@acme.example"], hall: ["ada@acme.example"] },
    user_groups: [{ name: "crew", members: [], subgroups: [] }],
    settings: { can_create_groups: 11 },
  });
  const users = made.users.map((user) => (user.user_id === HOOK_BOT ? { ...user, is_active: false, ...bot } : user));
  const isRole = (name: string): boolean => name.startsWith("role:");
  return {
    ...made,
    users,
    // A server shows no deactivated account in the groups of roles.
    user_groups: made.user_groups.map((group) =>
      isRole(group.name) ? { ...group, members: group.members.filter((id) => id !== HOOK_BOT) } : group,
    ),
  };
}

/** Everything that counts people, for a plan of this file. */
async function countedIn(file: string, snapshot: Snapshot) {
  const plan = must(await planAgainst(file, snapshot));
  const realm = new Realm(snapshot);
  const { after, difference } = statesOf(plan.changes, realm);
  const { losses, owners } = accessOf(plan, realm);
  const facts = plan.changes.filter(({ kind }) => kind !== "bot").flatMap(({ risks }) => risks.map(({ fact }) => fact));
  return {
    after,
    counts: {
      facts,
      people: facts.map((fact) => peopleOfRisk(fact, difference)?.size),
      // A bot can be a new administrator as much as a person, and its owner gains what it had.
      gains: gainsOf(plan, difference, realm)
        .filter(({ counted, object }) => counted !== "administrators" && object.name !== "hook-bot")
        .map(({ counted, object, people }) => [counted, object.name, people?.size]),
      losses: losses.map(({ object, people }) => [object.name, people?.size]),
      owners,
      matrix: accessMatrix(plan, snapshot).rows.map(({ name, cells }) => [
        name,
        cells.map(({ before: was, after: is }) => [was?.people, is?.people]),
      ]),
      text: sizeText(after, after.accounts.everybody).replace(/ and .*/, ""),
    },
  };
}

describe.each([
  { whose: "of somebody", bot: { bot_owner_id: ADA } },
  { whose: "of nobody", bot: { bot_owner_id: null } },
  { whose: "of nobody, an owner of the organization", bot: { bot_owner_id: null, role: ROLE.owner } },
])("a bot $whose that comes back", ({ bot }) => {
  const snapshot = realmWith(bot);

  test("holds the rights, and is not counted as a person anywhere", async () => {
    const [without, together] = [await countedIn(FILE, snapshot), await countedIn(WITH_BOT, snapshot)];
    expect(together.after.accounts.everybody.has(HOOK_BOT)).toBe(true);
    expect(together.after.membersOf("role:members").has(HOOK_BOT)).toBe(true);
    expect(without.after.membersOf("role:members").has(HOOK_BOT)).toBe(false);
    expect(together.counts).toEqual(without.counts);
  });
});
