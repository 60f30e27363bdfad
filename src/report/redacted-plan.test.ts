import { expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { Rehearsal } from "../model/rehearsal.ts";
import type { ApplyResult } from "../model/result.ts";
import { accessMatrix } from "./access.ts";
import { redactAccess, redactionOf, redactPlan, redactResult } from "./redact.ts";

// A published plan replaces everything that is private before or after the plan, and shows the rest unchanged.

const ADA = "ada@acme.example";
const ELIF = "elif@acme.example";
const live = realmOf({
  channels: [
    { name: "kilimanjaro", invite_only: true, description: "our merger" },
    { name: "opens", invite_only: true, description: "was secret" },
    { name: "closes", description: "was open" },
    { name: "open", description: "see #kilimanjaro" },
  ],
  subscribers: { kilimanjaro: [ADA, ELIF], opens: [ADA, ELIF], closes: [ADA, ELIF], open: [] },
  invites: [],
});
const yaml = `version: 1
channels:
  everest: {was: kilimanjaro, description: our second merger}
  opens: {privacy: public}
  closes: {privacy: private_shared_history, description: will be secret}
  k2: {privacy: private_protected_history, description: a third, subscribers: {users: [${ELIF}]}}
  open: {description: "see #k2 and #open", permissions: {can_send_message_group: {users: [${ELIF}]}}}
  plain: {description: shown}
people: {${ELIF}: {role: moderator}}
invites: [{emails: [x@example.org]}]
`;

async function published(hide: Partial<Parameters<typeof redactionOf>[2]> = {}) {
  const found = await planText(yaml, live);
  if (!found.ok) throw new RangeError(JSON.stringify(found.diagnostics));
  const plan = must(found);
  const all = { privateNames: true, invitations: true, people: true, ...hide };
  return { plan, shown: redactPlan(plan, redactionOf([plan], live, all, kinds)) };
}

const LEFT_OUT = "(left out: it mentions somebody or something private)";
const hides = (text: unknown) => {
  const json = JSON.stringify(text);
  return [
    "kilimanjaro",
    "everest",
    "k2",
    "opens",
    "closes",
    "merger",
    "secret",
    "third",
    ELIF,
    "Elif",
    ADA,
    "Okafor",
  ].filter((word) => !json.includes(word));
};

test("names of channels that are private before or after, and of people, are replaced wherever the plan has them", async () => {
  const { shown } = await published();
  expect(shown.changes.map(({ address, name, was }) => [address, name, was])).toEqual([
    ["person:person 10", "person 10", undefined],
    ["channel:private channel 101", "private channel 101", "private channel 101"],
    ["channel:private channel 102", "private channel 102", undefined],
    ["channel:private channel 103", "private channel 103", undefined],
    ["channel:new private channel 1", "new private channel 1", undefined],
    ["channel:open", "open", undefined],
    ["channel:plain", "plain", undefined],
  ]);
  const fields = shown.changes.flatMap((change) =>
    change.fields.map(({ field, before, after }) => `${change.name} ${field} ${JSON.stringify([before, after])}`),
  );
  expect(fields).toEqual([
    'person 10 role ["member","moderator"]',
    'private channel 101 name ["private channel 101","private channel 101"]',
    `private channel 101 description ["${LEFT_OUT}","${LEFT_OUT}"]`,
    'private channel 102 privacy ["private_shared_history","public"]',
    `private channel 103 description ["${LEFT_OUT}","${LEFT_OUT}"]`,
    'private channel 103 privacy ["public","private_shared_history"]',
    `new private channel 1 description [null,"${LEFT_OUT}"]`,
    'new private channel 1 privacy [null,"private_protected_history"]',
    'new private channel 1 subscribers [null,["person 10"]]',
    'new private channel 1 can_administer_channel_group [null,{"groups":[],"users":["person 6"]}]',
    // An open channel tells of private ones.
    `open description ["${LEFT_OUT}","${LEFT_OUT}"]`,
    'open can_send_message_group ["role:everyone",{"groups":[],"users":["person 10"]}]',
    'plain description [null,"shown"]',
    'plain subscribers [null,["person 6"]]',
    'plain can_administer_channel_group [null,{"groups":[],"users":["person 6"]}]',
  ]);
  expect(shown.account).toEqual({ email: "", full_name: "the account that runs this", role: 100, is_bot: false });
  expect(shown.side_effects.notices_in).toEqual([
    "private channel 101",
    "private channel 102",
    "private channel 103",
    "new private channel 1",
    "open",
    "plain",
  ]);
  expect(shown.unmanaged.find(({ section }) => section === "user_groups")?.names).toEqual([
    "staff",
    "engineering",
    "leads",
  ]);
});

test("they are also replaced in requests, their dependencies, risks and guards, and nothing else is lost", async () => {
  const { plan, shown } = await published();
  const [, , , making, open, plain] = shown.calls;
  expect(making).toMatchObject({
    params: { subscriptions: [{ name: "new private channel 1", description: LEFT_OUT }] },
    for: [{ address: "channel:new private channel 1" }],
    expects: [{ address: "channel:new private channel 1" }],
    creates: ["channel:new private channel 1"],
  });
  expect(open).toMatchObject({ params: { description: LEFT_OUT }, for: [{ address: "channel:open" }] });
  expect(plain).toMatchObject({ params: { subscriptions: [{ name: "plain", description: "shown" }] } });
  expect(shown.calls.map(({ n, operation, path }) => [n, operation, path])).toEqual(
    plan.calls.map(({ n, operation, path }) => [n, operation, path]),
  );
  expect(shown.changes.map(({ risks }) => risks.map(({ kind, fact }) => [kind, fact.kind]))).toEqual(
    plan.changes.map(({ risks }) => risks.map(({ kind, fact }) => [kind, fact.kind])),
  );
  expect(hides(shown)).toHaveLength(12);
  // Otherwise the previous test would prove nothing. The warnings about private channels without lists have the full names.
  expect(hides(plan)).toEqual([]);
});

test.each<{ fact: string; hide: Parameters<typeof published>[0]; visible: readonly string[] }>([
  { fact: "people", hide: { people: false }, visible: [ELIF, ADA, "Okafor"] },
  { fact: "private channels", hide: { privateNames: false }, visible: ["kilimanjaro", "everest", "opens", "merger"] },
  { fact: "a person whom a file of the repository names", hide: { known: new Set([ELIF]) }, visible: [ELIF] },
  {
    fact: "the description of a private channel that a file has",
    hide: { known: new Set(["our second merger"]) },
    visible: ["our second merger"],
  },
])("shown on request: $fact", async ({ hide, visible }) => {
  const json = JSON.stringify((await published(hide)).shown);
  for (const text of visible) expect([text, json.includes(text)]).toEqual([text, true]);
});

test("texts with a link to a private channel are left out; a public name that contains a private one is shown", async () => {
  const overlay = realmOf({
    channels: [
      { name: "kilimanjaro", invite_only: true },
      { name: "kilimanjaro plans" },
      { name: "a" },
      { name: "b" },
      { name: "c" },
    ],
    subscribers: { kilimanjaro: [ADA] },
  });
  const texts = ["see #narrow/channel/101-x", "see #narrow/channel/103-x", "all about kilimanjaro plans"];
  const channels = ["a", "b", "c"].map((name, n) => `  ${name}: {description: ${JSON.stringify(texts[n])}}\n`).join("");
  const plan = must(await planText(`version: 1\nchannels:\n${channels}`, overlay));
  const all = { privateNames: true, invitations: true, people: true };
  const shown = redactPlan(plan, redactionOf([plan], overlay, all, kinds));
  expect(shown.changes.map(({ fields }) => fields[0]?.after)).toEqual([LEFT_OUT, texts[1], texts[2]]);
});

test("the result of an apply is redacted in the same way: remaining changes, conflicts, reactivated accounts; unknown values stay unknown", async () => {
  const { plan } = await published();
  const redaction = redactionOf([plan], live, { privateNames: true, invitations: true, people: true }, kinds);
  const [first] = plan.changes;
  const kilimanjaro = { address: "channel:kilimanjaro", name: "kilimanjaro" } as const;
  const result: ApplyResult = {
    plan,
    outcome: "conflict",
    exitCode: 4,
    calls: [{ n: 1, state: "conflict", fact: { kind: "changed", changed: [{ object: kilimanjaro, field: "name" }] } }],
    conflicts: [
      {
        ...kilimanjaro,
        kind: "channel",
        field: "description",
        planned: "our merger",
        found: "secret",
        wanted: "third",
        calls: [1],
      },
      {
        address: "channel:open",
        kind: "channel",
        name: "open",
        field: "exists",
        planned: true,
        found: false,
        calls: [2],
      },
    ],
    remaining: plan.changes,
    came_back: [{ address: `person:${ELIF}`, name: ELIF }],
    journal: "x.jsonl",
    elapsedMs: 5,
    diagnostics: [],
  };
  const shown = redactResult(result, redaction);
  expect(hides(shown)).toHaveLength(12);
  expect(shown.came_back).toEqual([{ address: "person:person 10", name: "person 10" }]);
  expect(shown.remaining?.map(({ name }) => name)).toEqual(
    plan.changes.map(({ name }) => redaction.name("channel", name)).with(0, "person 10"),
  );
  expect(shown.conflicts.map(({ name, field, found, wanted }) => [name, field, found, wanted])).toEqual([
    ["private channel 101", "description", LEFT_OUT, LEFT_OUT],
    ["open", "exists", false, undefined],
  ]);
  expect(first?.name).toBe(ELIF);
  const unknown = redactResult({ ...result, remaining: null, calls: [{ n: 1, state: "done" }] }, redaction);
  expect([unknown.remaining, unknown.calls]).toEqual([null, [{ n: 1, state: "done" }]]);
});

test("who may do what: only changed rights, under the names that are shown", async () => {
  const { plan } = await published();
  const redaction = redactionOf([plan], live, { privateNames: true, invitations: true, people: true }, kinds);
  const whole = accessMatrix(plan, live);
  const shown = redactAccess(whole, redaction);
  expect(hides(shown)).toHaveLength(12);
  expect(shown.rows.map(({ name }) => name).sort()).toEqual([
    "new private channel 1",
    "open",
    "plain",
    "private channel 102",
    "private channel 103",
  ]);
  expect(shown.leftOut).toBe(whole.rows.length - shown.rows.length);
  const cells = shown.rows.find(({ name }) => name === "open")?.cells ?? [];
  expect(JSON.stringify(cells)).toContain("person 10");
});

test("addresses of people who are or will be invited are numbers, unless they are shown on request", async () => {
  const overlay = realmOf({ invites: [{ email: "nora@example.org" }, { email: "omar@example.org" }] });
  const plan = must(await planText("version: 1\ninvites: [{emails: [omar@example.org]}]\n", overlay));
  const shown = (invitations: boolean) =>
    redactPlan(plan, redactionOf([plan], overlay, { privateNames: true, invitations, people: true }, kinds));
  expect(shown(true).unmanaged.find(({ section }) => section === "invites")?.names).toEqual(["invited address 1"]);
  expect(JSON.stringify(shown(true))).not.toMatch(/nora|omar/);
  expect(shown(false).unmanaged.find(({ section }) => section === "invites")?.names).toEqual(["nora@example.org"]);
});

test("orders and the chosen part of the file are redacted, too", async () => {
  const { plan } = await published();
  const partial = {
    only: [{ pattern: "channel:kilimanjaro" }],
    except: [],
    taken_along: [
      {
        object: { address: "channel:k2", name: "k2" },
        for: { address: "channel:everest", name: "everest" },
      },
    ],
    left_out: [],
  } as const;
  const extra = { ...plan.extra, order: { channel: ["open", "kilimanjaro"] }, partial };
  const redaction = redactionOf([plan], live, { privateNames: true, invitations: true, people: true }, kinds);
  const shown = redactPlan({ ...plan, extra }, redaction);
  expect(shown.extra?.order).toEqual({ channel: ["open", "private channel 101"] });
  expect(JSON.stringify(shown.extra)).not.toMatch(/kilimanjaro|everest|k2/);
  expect(shown.extra?.watch).toEqual(plan.extra?.watch);
});

test("what the account does not see is in the file only, and is hidden all the same", async () => {
  const { plan } = await published();
  const extra = {
    ...plan.extra,
    unseen: [{ what: "private-channels", section: "channels", names: [{ quoted: "fuji", of: "channel" }] }],
  } as const;
  const whole = { ...plan, extra };
  const redaction = redactionOf([whole], live, { privateNames: true, invitations: true, people: true }, kinds);
  expect(JSON.stringify(redactPlan(whole, redaction))).not.toContain("fuji");
});

test("what a rehearsal found names nobody and nothing hidden", async () => {
  const { plan } = await published();
  const named = (name: string) => ({ address: `channel:${name}`, name }) as const;
  const rehearsal = {
    calls: 6,
    succeeded: 2,
    failed: {
      n: 3,
      operation: "update-stream",
      object: named("kilimanjaro"),
      code: "BAD_REQUEST",
      said: { quoted: "Channel 'everest' is in use" },
    },
    remaining: { changes: 1, first: [named("k2"), named("open")], errors: ["channels/name-taken"] },
    opened: [{ n: 1, object: named("opens"), right: "read", people: 4 }],
    notices: [{ channel: { quoted: "closes", of: "channel" }, messages: 1, people: 2 }],
    direct: [{ user_id: 10, full_name: "Elif Demir" }],
    mails: [{ quoted: ELIF }],
    not_rehearsed: ["pictures"],
  } as const satisfies Rehearsal;
  const redaction = redactionOf([plan], live, { privateNames: true, invitations: true, people: true }, kinds);
  const shown = redactPlan({ ...plan, extra: { ...plan.extra, rehearsal } }, redaction);
  expect(hides(shown)).toHaveLength(12);
  expect(shown.extra?.rehearsal).toEqual({
    ...rehearsal,
    failed: {
      ...rehearsal.failed,
      object: named("private channel 101"),
      said: { quoted: LEFT_OUT },
    },
    remaining: { ...rehearsal.remaining, first: [named("new private channel 1"), named("open")] },
    opened: [{ ...rehearsal.opened[0], object: named("private channel 102") }],
    notices: [{ ...rehearsal.notices[0], channel: { quoted: "private channel 103", of: "channel" } }],
    direct: [{ user_id: 10 }],
    mails: [{ quoted: "person 10" }],
  });
});
