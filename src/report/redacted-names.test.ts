import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { HIDE, publishedOf } from "../../test/support/published.ts";
import fc from "../../test/support/random.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import type { UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { accessMatrix } from "./access.ts";
import { diagnosticsJson, renderDiagnostics } from "./diagnostics.ts";
import { redactAccess, redactDiagnostic, redactionOf, redactPlan } from "./redact.ts";
import { PLAIN } from "./style.ts";
import { renderUndoNotes } from "./undo-notes.ts";

// In one plan, a name can pass from one object to another. Its replacement identifies the object, and never reveals the name.

const ADA = "ada@acme.example";

interface Channel {
  /** On the server; undefined for a new one. */
  readonly was?: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly becomesPrivate: boolean;
}

function realm(channels: readonly Channel[]): Snapshot {
  const live = channels.flatMap(({ was, isPrivate }) =>
    was === undefined ? [] : [{ name: was, invite_only: isPrivate }],
  );
  return realmOf({
    channels: live.map((channel) => ({ ...channel, description: `about #${channel.name}` })),
    subscribers: Object.fromEntries(live.map(({ name }) => [name, [ADA]])),
    default_channels: channels.flatMap(({ was, isPrivate, becomesPrivate }) =>
      was === undefined || isPrivate || becomesPrivate ? [] : [was],
    ),
    navigation_views: live.map(({ name }, index) => ({
      fragment: `narrow/channel/${101 + index}-${name}`,
      is_pinned: true,
      name: `In ${name}`,
    })),
    linkifiers: live.map(({ name }) => ({
      pattern: `${name}-(?P<id>[0-9]+)`,
      url_template: `https://example.org/{id}`,
    })),
  });
}

function file(channels: readonly Channel[]): string {
  // Names that go round in a cycle are clear only with ids.
  const items = channels.map(({ was, name, becomesPrivate }, index) => {
    const old = was === undefined ? "" : `id: ${101 + index}, `;
    return `  ${name}: {${old}privacy: ${becomesPrivate ? "private_shared_history" : "public"}, description: new}\n`;
  });
  return `version: 1
manage: {navigation_views: exact, linkifiers: exact}
navigation_views: {}
linkifiers: []
policy: {protect: [${channels.flatMap(({ was }) => (was === undefined ? [] : [`"channel:${was}"`])).join(", ")}]}
channels:
${items.join("")}`;
}

async function planOf(channels: readonly Channel[]) {
  const snapshot = realm(channels);
  const plan = must(await planText(file(channels), snapshot));
  const redaction = redactionOf([plan], snapshot, HIDE, kinds);
  return { plan, snapshot, redaction, shown: redactPlan(plan, redaction) };
}

/** Notes about every object of a plan under each of its names, and notes about others that mention it. */
function notesOn(plan: Plan): readonly UndoNote[] {
  return plan.changes.flatMap(({ kind, name, was = name }) =>
    [name, was].flatMap((called): readonly UndoNote[] => {
      const quoted = quote(called, kind);
      const by = { code: "channels/nobody-left", fact: { name: quoted, cause: "update" } } as const;
      return [
        { kind, name: called, fact: { why: "deleted" } },
        { kind, name: called, fact: { why: "created-and-changed", field: "name" } },
        { kind, name: called, fact: { why: "made-inactive", field: "archived", as: quoted } },
        { kind, name: called, fact: { why: "refused", by } },
        { kind: "user_group", name: "staff", fact: { why: "name-missing", field: "folder", name: quoted } },
        { kind: "user_group", name: "staff", fact: { why: "needed", by } },
        {
          kind: "user_group",
          name: "staff",
          fact: { why: "account-inactive", field: "members", people: [quote(ADA)], kept: true },
        },
      ];
    }),
  );
}

/** Every object of a plan, under the name that is shown in place of each of its names. */
function shownAs(plan: Plan, shown: Plan): readonly { readonly object: string; readonly shown: string }[] {
  return plan.changes.flatMap((change, index) => {
    const other = shown.changes[index];
    if (other === undefined) throw new RangeError("a change is missing");
    const object = change.id === undefined ? change.address : `${change.kind} ${change.id}`;
    const pairs = [
      [change.name, other.name],
      [change.was, other.was],
      [change.address, other.address],
    ];
    return pairs.flatMap(([own, to]) =>
      own === undefined || to === undefined || own === to
        ? []
        : [{ object, shown: `${change.kind} as ${to.replace(`${change.kind}:`, "")}` }],
    );
  });
}

function ambiguous(plan: Plan, shown: Plan): readonly string[] {
  const objects = new Map<string, string>();
  return shownAs(plan, shown).flatMap(({ object, shown: text }) => {
    const known = objects.get(text) ?? object;
    objects.set(text, known);
    return known === object ? [] : [`${text}: ${known} and ${object}`];
  });
}

describe("a new public channel takes the name of a private one", () => {
  const taken: readonly Channel[] = [
    { was: "canary-a", name: "canary-b", isPrivate: true, becomesPrivate: false },
    { name: "canary-a", isPrivate: false, becomesPrivate: false },
  ];
  test("it has its own replacement", async () => {
    const { plan, shown } = await planOf(taken);
    const channels = shown.changes.filter(({ kind }) => kind === "channel");
    expect(channels.map(({ action, id, name, was }) => [action, id, name, was])).toEqual([
      ["update", 101, "private channel 101", "private channel 101"],
      ["create", undefined, "new channel 1", undefined],
    ]);
    expect(ambiguous(plan, shown)).toEqual([]);
  });
  test("a guard rail, the access and the requests name the one that they mean", async () => {
    const { plan, snapshot, shown, redaction } = await planOf(taken);
    expect(shown.calls.flatMap(({ creates }) => creates)).toEqual(["channel:new channel 1"]);
    const rows = redactAccess(accessMatrix(plan, snapshot), redaction).rows.map(({ name, was }) => [name, was]);
    expect(rows).toContainEqual(["new channel 1", undefined]);
    expect(rows).toContainEqual(["private channel 101", "private channel 101"]);
    expect(redaction.pattern("channel", "canary-a", "before")).toBe("private channel 101");
    expect(redaction.pattern("channel", "canary-a")).toBe("(private)");
    expect(redaction.name("channel", "canary-a")).toBe("(hidden name)");
  });
});

test("a public channel that is called like a replacement does not share it", async () => {
  const { plan, shown } = await planOf([
    { was: "canary-a", name: "canary-a", isPrivate: true, becomesPrivate: true },
    { was: "Private channel 101", name: "Private channel 101", isPrivate: false, becomesPrivate: false },
  ]);
  expect(shown.changes.flatMap(({ kind, name }) => (kind === "channel" ? [name] : []))).toEqual([
    "private channel 101 (2)",
    "Private channel 101",
  ]);
  expect(ambiguous(plan, shown)).toEqual([]);
});

const POOL = ["canary-a", "canary-b", "canary-c", "canary-d", "canary-e"] as const;

/** Channels that keep their names, exchange them in cycles or take them over, and new ones with names that became free. */
const organization: fc.Arbitrary<readonly Channel[]> = fc
  .record({
    live: fc.integer({ min: 2, max: 4 }),
    names: fc.shuffledSubarray([...POOL], { minLength: 5 }),
    privacy: fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 5, maxLength: 5 }),
    more: fc.integer({ min: 0, max: 1 }),
  })
  .map(({ live, names, privacy, more }) =>
    names.slice(0, live + more).map((name, index) => ({
      name,
      isPrivate: privacy[index]?.[0] ?? false,
      becomesPrivate: privacy[index]?.[1] ?? false,
      ...(index < live ? { was: POOL[index] ?? name } : {}),
    })),
  );

/** Names that nothing private has before or after may be shown. */
function secretNames(channels: readonly Channel[]): readonly string[] {
  return channels.flatMap(({ was, name, isPrivate, becomesPrivate }) =>
    (was !== undefined && isPrivate) || becomesPrivate ? [name, was ?? name] : [],
  );
}

test("whatever takes over, exchanges or rotates names: no secret name is shown in any format, and no replacement means two objects", async () => {
  let takeovers = 0;
  await fc.assert(
    fc.asyncProperty(organization, async (channels) => {
      const all = await planOf(channels);
      expect(ambiguous(all.plan, all.shown)).toEqual([]);
      const text = Object.values(publishedOf({ ...all, notes: notesOn(all.plan) })).join("\n");
      for (const name of [...secretNames(channels), ADA]) expect(text).not.toContain(name);
      const unredacted = renderUndoNotes(notesOn(all.plan), PLAIN, true);
      for (const { name } of all.plan.changes.filter(({ kind }) => kind === "channel"))
        expect(unredacted).toContain(name);
      takeovers += channels.some(({ name, was }) => channels.some((one) => one.was === name && one.was !== was))
        ? 1
        : 0;
    }),
    { numRuns: 40 },
  );
  expect(takeovers).toBeGreaterThan(10);
});

/** The errors about this account, as text and JSON, for readers who may not know its full name. */
async function errorsFor(yaml: string, { snapshot, full_name }: { snapshot: Snapshot; full_name: string }) {
  const users = snapshot.users.map((user) =>
    /^ben@|^kofi@/.test(user.delivery_email ?? "") ? { ...user, full_name } : user,
  );
  const named = { ...snapshot, users };
  const found = await planText(yaml, named);
  const diagnostics = (found.ok ? found.value.warnings : found.diagnostics).map((diagnostic) =>
    redactDiagnostic(diagnostic, redactionOf([], named, HIDE, kinds)),
  );
  const text = renderDiagnostics({ diagnostics, sources: new Map(), style: PLAIN });
  return { text, json: JSON.stringify(diagnosticsJson(diagnostics)) };
}

test.each([
  ["bo", "deactivated-person"],
  ["of", "ambiguous-person"],
  ["Benjamin Osei", "deactivated-person"],
  ["Benjamin Osei", "ambiguous-person"],
])("no error shows the full name %s of an account, however short it is: %s", async (full_name, code) => {
  const base = realmOf({ users: { "ben@acme.example": { is_active: code !== "deactivated-person" } } });
  const twins = base.users.map((user) =>
    user.delivery_email === "kofi@acme.example" ? { ...user, delivery_email: "ben@acme.example" } : user,
  );
  const snapshot = code === "ambiguous-person" ? { ...base, users: twins } : base;
  const yaml = "version: 1\nuser_groups:\n  staff: {members: [ben@acme.example]}\n";
  const shown = await errorsFor(yaml, { snapshot, full_name });
  expect(shown.text).toContain(`reference/${code}`);
  expect(shown).toEqual(await errorsFor(yaml, { snapshot, full_name: "Somebody Else" }));
  expect(shown.text).not.toContain("left out");
});
