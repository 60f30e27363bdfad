import { expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import { diagnosticsJson } from "../report/diagnostics.ts";
import { redactionOf, redactPlan } from "../report/redact.ts";
import { driftOf } from "../workflow/workflow.ts";
import { driftItems, issueText, readState } from "./drift-issue.ts";
import { notReviewed, reviewedOf } from "./reviewed.ts";
import { hiddenSnapshot } from "./snapshot-source.ts";

// A plain hash of a hidden name lets everybody test guesses. So no hash that others can read depends on a hidden name, unless it has a key.

const HIDE = { privateNames: true, invitations: true, people: true };
const FILE = `version: 1
manage: {navigation_views: exact, invites: exact, linkifiers: exact, channels: additive}
navigation_views: {}
invites: []
linkifiers: []
channels: {open: {description: new}}
settings: {new_stream_announcements_channel: open}
`;

const BOUND = { base: "main", commit: "0".repeat(40), configuration: "c" };

/** An organization with a private channel of this name, and with everything that can mention it. */
async function planOf(name: string) {
  const snapshot = realmOf({
    channels: [
      { name: "open", description: `as in #${name}` },
      { name, invite_only: true },
    ],
    settings: { new_stream_announcements_stream_id: 102 },
    subscribers: { open: ["ada@acme.example"], [name]: ["ada@acme.example"] },
    navigation_views: [
      { fragment: `narrow/channel/102-${name}`, is_pinned: true, name: null },
      { fragment: `narrow/channel/102-${name}/topic/plans`, is_pinned: true, name: `In ${name}` },
      { fragment: "narrow/is/starred", is_pinned: true, name: null },
    ],
    linkifiers: [{ pattern: `${name}-(?P<id>[0-9]+)`, url_template: `https://example.org/${name}/{id}` }],
    invites: [{ email: `${name}@example.org` }],
  });
  const plan = must(await planText(FILE, snapshot));
  const redaction = redactionOf([plan], snapshot, HIDE, kinds);
  return { plan, snapshot, redaction, shown: redactPlan(plan, redaction) };
}

async function identities(name: string, secret: string): Promise<readonly string[]> {
  const { plan, shown } = await planOf(name);
  return driftItems(driftOf(shown), driftOf(plan), undefined, secret).map(({ identity }) => identity);
}

test("the identity of a difference depends on a hidden name only through the key", async () => {
  const [own, other] = [await identities("merger-acme", "key 1"), await identities("merger-zeta", "key 1")];
  const keyed = await identities("merger-acme", "key 2");
  expect(own.length).toBeGreaterThan(5);
  const depends = own.filter((identity, index) => identity !== other[index]);
  expect(depends.length).toBeGreaterThan(2);
  for (const identity of depends) expect(keyed).not.toContain(identity);
  expect(new Set(own).size).toBe(own.length);
});

test("a job without a key writes only what depends on no hidden name", async () =>
  expect(await identities("merger-acme", "")).toEqual(await identities("merger-zeta", "")));

test("the state in the issue's text remembers the same difference by the same key", async () => {
  const { plan, shown } = await planOf("merger-acme");
  const items = driftItems(driftOf(shown), driftOf(plan), undefined, "key");
  const { body } = issueText("<!-- m -->", shown, items, 60_000);
  expect(body).not.toContain("merger");
  const memory = readState(body);
  const later = { ...plan, snapshot_taken_at: "2099-01-01T00:00:00Z" };
  const again = driftItems(
    driftOf({ ...shown, snapshot_taken_at: later.snapshot_taken_at }),
    driftOf(later),
    memory,
    "key",
  );
  expect(again.map(({ since }) => since)).toEqual(items.map(({ since }) => since));
});

test("what a review leaves for apply depends on no hidden name, and covers the same plan", async () => {
  const own = await planOf("merger-acme");
  const other = await planOf("merger-zeta");
  const reviewed = reviewedOf(own.plan, own.snapshot, own.redaction, BOUND);
  expect(reviewed).toEqual(reviewedOf(other.plan, other.snapshot, other.redaction, BOUND));
  expect(notReviewed(reviewed, own.plan, own.snapshot, own.redaction, BOUND)).toEqual([]);
  // Every removal has its own entry.
  const { changes } = own.plan;
  const count = changes.reduce((sum, { fields }) => sum + 1 + fields.length, 0);
  expect(Object.keys(reviewed.fields)).toHaveLength(count);
});

test("a review from a snapshot without names covers no removal that it could not show, and the error says what to do", async () => {
  const { plan, snapshot, redaction } = await planOf("merger-acme");
  const hidden = hiddenSnapshot(snapshot, undefined, kinds);
  const seen = must(await planText(FILE, hidden));
  const reviewed = reviewedOf(seen, hidden, redactionOf([seen], hidden, HIDE, kinds), BOUND);
  const found = notReviewed(reviewed, plan, snapshot, redaction, BOUND);
  // Linkifiers have ids, so the review knows them; the others are not in the snapshot.
  const unlisted = found.flatMap((one) =>
    one.code === "reviewed/moved" && one.fact?.is_unlisted === true ? [one.fact.object.address] : [],
  );
  expect(unlisted).toEqual(plan.changes.flatMap(({ kind, address }) => (/view|invite/.test(kind) ? [address] : [])));
  const advice = diagnosticsJson(found).diagnostics;
  expect(JSON.stringify(advice)).toContain("made from a snapshot without names: plan with credentials");
  expect(JSON.stringify(diagnosticsJson(notReviewed(reviewed, seen, hidden, redaction, BOUND)))).not.toContain(
    "credentials",
  );
});

test("a review from a snapshot without names covers members whom only the organization names: their order depends on no address", async () => {
  const file = `version: 1
user_groups: {staff: {members: [], permissions: {can_manage_group: role:owners}}}
`;
  const can_manage_group = { direct_members: [13, 10, 7], direct_subgroups: [] };
  const members = ["ada", "hana", "elif", "ben", "jana"].map((name) => `${name}@acme.example`);
  const snapshot = realmOf({ user_groups: [{ name: "staff", members, can_manage_group }] });
  const hidden = hiddenSnapshot(snapshot, undefined, kinds);
  const [plan, seen] = [must(await planText(file, snapshot)), must(await planText(file, hidden))];
  const [redaction, ofSeen] = [plan, seen].map((one, index) =>
    redactionOf([one], index === 0 ? snapshot : hidden, HIDE, kinds),
  );
  if (redaction === undefined || ofSeen === undefined) throw new RangeError("no redaction");
  expect(notReviewed(reviewedOf(seen, hidden, ofSeen, BOUND), plan, snapshot, redaction, BOUND)).toEqual([]);
});
