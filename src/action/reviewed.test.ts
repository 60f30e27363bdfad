import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import { Failure } from "../model/diagnostic.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { GuardParts } from "../plan/guard-parts.ts";
import { guarded } from "../plan/guards.ts";
import { redactionOf } from "../report/redact.ts";
import { refuseBeyond } from "../workflow/refusals.ts";
import { confirmedBy, notReviewed, parseReviewed, reviewedOf } from "./reviewed.ts";

/** A private channel opens to more people than a review has hashes for: one hash is for all of them. */

const BOUND = { base: "main", commit: "0".repeat(40), configuration: "c" };
const FILE = "version: 1\nchannels: {vault: {permissions: {can_subscribe_group: keepers}}}\n";
const FIRST = 1000;

/** @param ids of the people in the group that the file lets in */
function organization(ids: readonly number[]): Snapshot {
  const live = realmOf({
    user_groups: [{ name: "keepers", members: [] }],
    channels: [{ name: "vault", invite_only: true }],
    subscribers: { vault: ["ada@acme.example"] },
  });
  const [someone] = live.users.filter(({ is_bot, is_active, role }) => !is_bot && is_active && role === 400);
  if (someone === undefined) throw new Error("no member");
  const everybody = Array.from({ length: 2200 }, (_, index) => FIRST + index);
  return {
    ...live,
    users: [
      ...live.users,
      ...everybody.map((user_id) => ({
        ...someone,
        user_id,
        email: `user${user_id}@acme.example`,
        delivery_email: `user${user_id}@acme.example`,
        full_name: `User ${user_id}`,
      })),
    ],
    user_groups: live.user_groups.map((group) => (group.name === "keepers" ? { ...group, members: [...ids] } : group)),
  };
}

async function planned(snapshot: Snapshot) {
  const bare = must(await planText(FILE, snapshot));
  return guarded({ plan: bare, snapshot, kinds, policies: [], allow: [] });
}

const range = (from: number, length: number) => Array.from({ length }, (_, index) => FIRST + from + index);
const SHOWN = range(0, 2100);

/** The codes with which the merge is refused. */
async function mergedWith(ids: readonly number[]): Promise<readonly string[]> {
  const before = organization(SHOWN);
  const plan = await planned(before);
  const reviewed = reviewedOf(plan, before, redactionOf([plan], before, NOTHING_HIDDEN, kinds), BOUND);
  expect(typeof reviewed.who.people_gaining_access).toBe("string");
  const read = parseReviewed(JSON.stringify(reviewed));
  expect(read).toEqual(reviewed);
  const snapshot = organization(ids);
  const today = await planned(snapshot);
  try {
    const parts = () => new GuardParts({ plan: today, snapshot, kinds });
    refuseBeyond(today, parts, confirmedBy(reviewed, today, snapshot));
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.diagnostics.map(({ code }) => code);
  }
}
const NOTHING_HIDDEN = { privateNames: false, invitations: false, people: false };

test.each([
  { what: "the same people", ids: SHOWN, codes: [] },
  { what: "the same people in another order", ids: [...SHOWN].reverse(), codes: [] },
  { what: "one more", ids: range(0, 2101), codes: ["guard/refused"] },
  { what: "one for another", ids: [...range(1, 2100)], codes: ["guard/others"] },
  // One hash for all cannot tell who is missing: it is planned again.
  { what: "one less", ids: range(0, 2099), codes: ["guard/others"] },
])("a review of 2,100 people, and at the merge $what", async ({ ids, codes }) => {
  expect(await mergedWith(ids)).toEqual(codes);
});

test.each([
  { what: "the same people", members: [FIRST, FIRST + 1], named: undefined },
  { what: "one less", members: [FIRST], named: undefined },
  { what: "one for another", members: [FIRST, FIRST + 2], named: [`user${FIRST + 2}@acme.example`] },
])("a review of who gets a right that no guard rail counts, and at the merge $what", async ({ members, named }) => {
  const file = "version: 1\nsettings: {permissions: {create_multiuse_invite_group: keepers}}\n";
  const planOn = async (snapshot: Snapshot) =>
    guarded({ plan: must(await planText(file, snapshot)), snapshot, kinds, policies: [], allow: [] });
  const before = organization([FIRST, FIRST + 1]);
  const plan = await planOn(before);
  const reviewed = reviewedOf(plan, before, redactionOf([plan], before, NOTHING_HIDDEN, kinds), BOUND);
  const snapshot = organization(members);
  const today = await planOn(snapshot);
  const found = notReviewed(reviewed, today, snapshot, redactionOf([today], snapshot, NOTHING_HIDDEN, kinds), BOUND);
  const names = found.flatMap(({ code, fact }) => (code === "plan/changed-since" ? fact.changed : []));
  expect(names.flatMap((one) => ("names" in one ? one.names.map(({ quoted }) => quoted) : []))).toEqual(named ?? []);
  expect(found).toHaveLength(named === undefined ? 0 : 1);
});

test.each([
  { what: "it is the same", id: 1, codes: [] },
  { what: "it was replaced by one that looks the same", id: 2, codes: ["plan/changed-since"] },
])("a review with a link of the file, and at the merge $what", async ({ id, codes }) => {
  const file = "version: 1\ninvite_links: [{expires_on: never}]\nchannels: {vault: {description: New}}\n";
  const withLink = (invite: number): Snapshot => ({
    ...organization([]),
    invites:
      realmOf({ invites: [], links: [{ invited_as: 400, expires_in_days: null }] }).invites?.map((one) => ({
        ...one,
        id: invite,
      })) ?? [],
  });
  const plan = must(await planText(file, withLink(1)));
  const reviewed = reviewedOf(plan, withLink(1), redactionOf([plan], withLink(1), NOTHING_HIDDEN, kinds), BOUND);
  const today = must(await planText(file, withLink(id)));
  const redaction = redactionOf([today], withLink(id), NOTHING_HIDDEN, kinds);
  expect(notReviewed(reviewed, today, withLink(id), redaction, BOUND).map(({ code }) => code)).toEqual(codes);
});

/** A public channel becomes private for more people than a review has hashes for: only how many read it afterwards is compared. */
describe("a review in which 2,200 people lose a channel", () => {
  const file = "version: 1\nchannels: {hall: {privacy: private_shared_history}}\n";
  const hall = (subscribed: readonly number[], joined: readonly number[] = []): Snapshot => {
    const live = organization([]);
    const [vault] = live.channels;
    const [last] = live.users.slice(-1);
    if (vault === undefined || last === undefined) throw new Error("no channel");
    const newer = joined.map((user_id) => ({
      ...last,
      user_id,
      email: `user${user_id}@acme.example`,
      delivery_email: `user${user_id}@acme.example`,
    }));
    return {
      ...live,
      users: [...live.users, ...newer],
      channels: [{ ...vault, name: "hall", invite_only: false }],
      subscribers: { [vault.stream_id]: [...subscribed] },
    };
  };
  test.each([
    { what: "nothing changed", subscribed: [6], joined: [], codes: [] },
    { what: "one of them subscribed", subscribed: [6, FIRST], joined: [], codes: ["reviewed/still-read"] },
    { what: "somebody joined the organization, and subscribed", subscribed: [6, 9001], joined: [9001], codes: [] },
  ])("at the merge, $what", async ({ subscribed, joined, codes }) => {
    const planOn = async (snapshot: Snapshot) =>
      guarded({ plan: must(await planText(file, snapshot)), snapshot, kinds, policies: [], allow: [] });
    const before = hall([6]);
    const plan = await planOn(before);
    const reviewed = reviewedOf(plan, before, redactionOf([plan], before, NOTHING_HIDDEN, kinds), BOUND);
    expect(Object.values(reviewed.losing)).toEqual([1, 0].map((readers) => ({ readers, newest: FIRST + 2199 })));
    const snapshot = hall(subscribed, joined);
    const today = await planOn(snapshot);
    const redaction = redactionOf([today], snapshot, NOTHING_HIDDEN, kinds);
    expect(notReviewed(reviewed, today, snapshot, redaction, BOUND).map(({ code }) => code)).toEqual(codes);
  });
});

test("what a new channel gives to the account that creates it is no difference if another account applies; what the file gives to somebody is", async () => {
  const live = organization([]);
  const owner = live.users.find(({ role }) => role === 100);
  if (owner === undefined) throw new Error("no owner");
  const by = { ...live, account: { ...live.account, user_id: owner.user_id } };
  const other = live.users.find(({ role, user_id }) => role <= 200 && user_id !== owner.user_id);
  if (other === undefined) throw new Error("no other administrator");
  const byOther = { ...live, account: { ...live.account, user_id: other.user_id, role: other.role } };
  const moved = async (reviewedFile: string, mergedFile: string) => {
    const plan = must(await planText(reviewedFile, by));
    const reviewed = reviewedOf(plan, by, redactionOf([plan], by, NOTHING_HIDDEN, kinds), BOUND);
    const today = must(await planText(mergedFile, byOther));
    return notReviewed(reviewed, today, byOther, redactionOf([today], byOther, NOTHING_HIDDEN, kinds), BOUND).map(
      ({ code }) => code,
    );
  };
  const file = "version: 1\nchannels: {news: {description: New}}\n";
  expect(await moved(file, file)).toEqual([]);
  const given = "version: 1\nchannels: {news: {description: New, subscribers: {users: [ada@acme.example]}}}\n";
  expect(await moved(file, given)).toEqual(["reviewed/moved"]);
});
