import { expect, test } from "vitest";
import type { Journal } from "../src/apply/journal.ts";
import type { Checked } from "../src/model/diagnostic.ts";
import type { JournalEntry } from "../src/model/journal.ts";
import type { Address, Plan } from "../src/model/plan.ts";
import { undoText } from "../src/report/undo-notes.ts";
import { type PlannedUndo, planUndo } from "../src/workflow/undo.ts";
import { planRealm } from "../src/workflow/workflow.ts";
import { options, TIMEOUT_MS } from "./properties/begin.ts";
import { together } from "./properties/together.ts";
import { journalText } from "./support/apply/journals.ts";
import { lookAt } from "./support/pictures.ts";
import fc from "./support/random.ts";
import { type Overlay, realmOf } from "./support/realm.ts";
import { must, World } from "./support/world.ts";

/*
 * What an undo may not restore stays, with the reason, and so does everything that needs it; the rest is undone. The undo is refused only if nothing
 * of the run can be undone.
 */

const ADA = "ada@acme.example";

/** The journal of a run. */
async function ran(world: World, yaml: string): Promise<{ entries: readonly JournalEntry[]; plan: Plan } | undefined> {
  const { reader } = world.as(ADA);
  const found = await planRealm({ file: "realm.yaml", readFile: async () => yaml, lookAt, reader, allow: ["lockout"] });
  if (!found.ok) return undefined;
  const { plan } = found.value;
  const entries: JournalEntry[] = [];
  const journal: Journal = { path: "x.jsonl", write: (entry) => entries.push(entry), close: () => {} };
  await world.apply(plan, yaml, undefined, undefined, { openJournal: () => journal });
  return { entries, plan };
}

const undoing = (world: World, entries: readonly JournalEntry[], as: string): Promise<Checked<PlannedUndo>> =>
  planUndo(journalText(entries), "x.jsonl", { ...world.as(as), isForeignAllowed: true });

const GENERAL = { name: "general", description: "First" };
const GENERAL_NEXT = "channels: {general: {description: Next}}";

test.each<{
  readonly about: string;
  readonly live: Overlay;
  readonly yaml: string;
  readonly since?: string;
  readonly as?: string;
  readonly says: readonly string[];
  readonly next?: string;
}>([
  {
    about: "a bot, if nobody may create bots any more",
    live: {},
    yaml: "bots: {deploy-bot: {deactivated: true}}",
    since: "settings: {permissions: {can_create_bots_group: role:nobody}}",
    says: [
      'bot deploy-bot stays as it is: Ada Okafor (ada@acme.example), the account that runs this, may not do this to the bot "deploy-bot"',
    ],
  },
  {
    about: "an invitation to an address that the organization no longer allows",
    live: { invites: [{ email: "lin@b.example" }], domains: [{ domain: "acme.example", allow_subdomains: false }] },
    yaml: "manage: {invites: exact}\ninvites: []",
    since: "settings: {emails_restricted_to_domains: true}",
    says: ["invite lin@b.example stays as it is: "],
  },
  {
    about: "an owner's setting, for an administrator",
    live: {},
    yaml: "settings: {description: Next, permissions: {can_create_groups: role:moderators}}",
    as: "ben@acme.example",
    says: [
      "settings organization can_create_groups stays: Ben Lindqvist (ben@acme.example), the account that runs this, may not change can_create_groups",
    ],
  },
  {
    about: "all objects of a kind, for an account that may not change any of them",
    live: {
      linkifiers: Array.from({ length: 14 }, (_, n) => ({
        pattern: `N${n}-(?P<id>[0-9]+)`,
        url_template: "https://x/{id}",
      })),
      channels: [{ ...GENERAL, can_administer_channel_group: { direct_members: [8], direct_subgroups: [] } }],
    },
    yaml: "manage: {linkifiers: exact}\nlinkifiers: []",
    as: "chiara@acme.example",
    says: Array.from({ length: 14 }, (_, n) => `linkifier N${n}-(?P<id>[0-9]+) stays as it is: Chiara`),
  },
  {
    about: "a right of a group that was deactivated while it was in use, as servers no longer allow",
    live: {
      user_groups: [{ name: "retired", deactivated: true }],
      channels: [{ ...GENERAL, can_send_message_group: "retired" }],
    },
    yaml: "user_groups: {retired: {deactivated: false}}",
    next: "channels: {general: {description: Next, permissions: {can_send_message_group: role:members}}}",
    says: [
      'channel general can_send_message_group stays: this plan deactivates the group "retired", but can_send_message_group of the channel "general" names it',
    ],
  },
])("values that may not be restored stay, and the rest is undone: $about", async (row) => {
  const { live, yaml, since, as = ADA, says, next = GENERAL_NEXT } = row;
  const world = new World(realmOf({ subscribers: {}, channels: [GENERAL], ...live }));
  const { entries = [] } = (await ran(world, `version: 1\n${next}\n${yaml}`)) ?? {};
  if (since !== undefined) expect(await ran(world, `version: 1\n${since}`)).toBeDefined();
  const { notes, left, plan, planAgain } = must(await undoing(world, entries, as));
  const received = notes.filter(({ fact }) => fact.why === "refused");
  const texts = received.map(({ kind, name, fact }) => `${kind} ${name} ${undoText(fact)}`);
  expect(texts).toEqual(says.map((text) => expect.stringContaining(text)));
  expect(left).toBe(says.length);
  const result = await world.apply(plan, "", undefined, undefined, { replan: planAgain });
  expect([result.outcome, result.remaining]).toEqual(["applied", []]);
  expect((await world.read()).channels.map(({ description }) => description)).toEqual(["First"]);
});

test("a list with somebody whose address the account does not see stays, and the rest is undone", async () => {
  const chiara = { direct_members: [8], direct_subgroups: [] };
  const world = new World(
    realmOf({
      user_defaults: { email_address_visibility: 3 },
      channels: [{ ...GENERAL, can_administer_channel_group: chiara }],
      user_groups: [{ name: "crew", members: ["ben@acme.example"], can_manage_group: chiara }],
    }),
  );
  const { entries = [] } = (await ran(world, `version: 1\n${GENERAL_NEXT}\nuser_groups: {crew: {members: []}}`)) ?? {};
  const { notes, plan, planAgain } = must(await undoing(world, entries, "chiara@acme.example"));
  expect(notes.map(({ kind, name, fact }) => [kind, name, undoText(fact)])).toEqual([
    ["user_group", "crew", 'members stays: this account sees nobody with the address "ben@acme.example"'],
  ]);
  const result = await world.apply(plan, "", undefined, undefined, { replan: planAgain });
  expect([result.outcome, result.remaining]).toEqual(["applied", []]);
  expect((await world.read()).channels.map(({ description }) => description)).toEqual(["First"]);
});

test("a default channel that somebody archived since stays out, and the rest is undone", async () => {
  const world = new World(realmOf({ channels: [GENERAL, { name: "old" }], default_channels: ["old"] }));
  const yaml = `version: 1\nmanage: {default_channels: exact}\ndefault_channels: [general]\n${GENERAL_NEXT}`;
  const { entries = [] } = (await ran(world, yaml)) ?? {};
  expect(await ran(world, "version: 1\nchannels: {old: {archived: true}}")).toBeDefined();
  const { notes, plan } = must(await undoing(world, entries, ADA));
  expect(notes.map(({ kind, name, fact }) => `${kind} ${name} ${undoText(fact)}`)).toEqual([
    'default_channel old stays as it is: the channel "old" is archived',
  ]);
  expect(plan.changes.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
    "remove default_channel:general",
    "update channel:general",
  ]);
});

test("if nothing in a run can be undone, the undo is refused with the errors", async () => {
  const world = new World(realmOf({}));
  const file = "version: 1\nsettings: {permissions: {can_create_groups: role:moderators}}";
  const { entries = [] } = (await ran(world, file)) ?? {};
  const refused = await undoing(world, entries, "ben@acme.example");
  expect(refused.ok ? [] : refused.diagnostics.map(({ code, at }) => [code, at])).toEqual([
    ["settings/owner-only", undefined],
  ]);
});

/** A run with only the calls for one object. */
const only = (entries: readonly JournalEntry[], { calls }: Plan, address: Address): readonly JournalEntry[] => {
  const own = new Set(calls.filter((call) => call.for.some((one) => one.address === address)).map(({ n }) => n));
  return entries.filter((entry) => !("n" in entry) || own.has(entry.n));
};

test(
  "no random run is refused as a whole because of one part, whoever undoes it and whatever somebody else changed since",
  async () => {
    const accounts = [ADA, ADA, "kofi@acme.example", "ben@acme.example", "chiara@acme.example"];
    let [whole, inPart] = [0, 0];
    await fc.assert(
      fc.asyncProperty(together, together, fc.nat(), async ({ overlay, yaml }, other, number) => {
        const world = new World(realmOf(overlay));
        const first = await ran(world, yaml);
        fc.pre(first !== undefined && first.plan.calls.length > 0);
        if (first === undefined) return;
        const { entries, plan } = first;
        const as = accounts[number % accounts.length] ?? ADA;
        if (number % 2 === 0) await ran(world, other.yaml);
        const isThere = (await world.read()).users.some(
          ({ delivery_email, is_active }) => delivery_email === as && is_active,
        );
        fc.pre(isThere);
        const undo = await undoing(world, entries, as);
        if (undo.ok) {
          if (undo.value.left > 0) inPart += 1;
          else whole += 1;
          if (as !== ADA) return;
          const more = { replan: undo.value.planAgain };
          const { calls, remaining } = await world.apply(undo.value.plan, yaml, undefined, undefined, more);
          expect([calls.filter(({ state }) => state !== "done"), remaining]).toEqual([[], []]);
          return;
        }
        for (const { address } of plan.changes) {
          const part = await undoing(world, only(entries, plan, address), as);
          const open = part.ok ? part.value.plan.changes.map(({ address }) => address) : [];
          const of = undo.diagnostics.map(({ code }) => code).join(", ");
          expect(open, `${address} can be undone, and the whole is refused: ${of}`).toEqual([]);
        }
      }),
      // Fewer do not come to both ends.
      { numRuns: Math.max(10, Math.ceil(options.numRuns / 2)) },
    );
    expect(whole).toBeGreaterThan(0);
    expect(inPart).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
