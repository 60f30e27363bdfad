import { expect, test } from "vitest";
import { planFileText } from "../../src/apply/plan-file.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Failure } from "../../src/model/diagnostic.ts";
import { isObject, type Json } from "../../src/model/json.ts";
import { Realm } from "../../src/model/realm.ts";
import { isClean } from "../../src/model/rehearsal.ts";
import { NEWEST_KNOWN_LEVEL } from "../../src/model/releases.ts";
import { ROLE } from "../../src/model/roles.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { temporaryGains } from "../../src/plan/exposure.ts";
import { accessInPlan } from "../../src/report/access.ts";
import { renderPlanHtml } from "../../src/report/html.ts";
import { renderPlanMarkdown } from "../../src/report/markdown.ts";
import { redactionBy, redactPlan } from "../../src/report/redact.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { rehearsalParts } from "../../src/report/words/rehearsal.ts";
import { rehearsed } from "../../src/workflow/rehearsal.ts";
import { readSavedPlan } from "../../src/workflow/saved.ts";
import { type Planned, planRealm } from "../../src/workflow/workflow.ts";
import { realmOf } from "../support/realm.ts";
import { jsonOf, withChecksum } from "../support/saved.ts";
import { must } from "../support/world.ts";

const live = realmOf({
  channels: [{ name: "general" }, { name: "board", invite_only: true }],
  subscribers: { general: ["ada@acme.example", "ben@acme.example"], board: ["ada@acme.example"] },
});
const { member: MEMBER } = ROLE;
const YAML = `version: 1
channels:
  general: {description: Talk}
  board: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, ben@acme.example]}}
  news: {privacy: public, description: What is new, subscribers: {users: [ada@acme.example, ben@acme.example]}}
`;

const plannedOf = async (yaml: string, snapshot: Snapshot): Promise<Planned> =>
  must(
    await planRealm({
      file: "realm.yaml",
      readFile: () => Promise.resolve(yaml),
      reader: { snapshot: () => Promise.resolve(snapshot) },
    }),
  );

test("every format says that the plan would succeed, and who is notified", async () => {
  const planned = await plannedOf(YAML, live);
  const plan = await planned.rehearse();
  const rehearsal = plan.extra?.rehearsal;
  expect(rehearsal).toMatchObject({ calls: plan.calls.length, succeeded: plan.calls.length, opened: [], mails: [] });
  expect(rehearsal !== undefined && isClean(rehearsal)).toBe(true);
  expect(plan.guards).toEqual(planned.plan.guards);
  const said = "the result matches the file";
  expect(renderPlan(plan, { style: PLAIN })).toMatch(new RegExp(`^Rehearsed\\s+all ${plan.calls.length} calls`, "m"));
  expect(renderPlan(planned.plan, { style: PLAIN })).not.toContain("Rehearsed");
  expect(renderPlanHtml(plan, accessInPlan(plan), { applyWith: "" })).toContain(said);
  const origin = { mine: plan.changes, earlier: [], adopted: [] };
  expect(renderPlanMarkdown({ plan, origin, budget: 60_000, elsewhere: "there" })).toContain(said);
  // The same plan has the same rehearsal, and a rehearsal leaves its inputs unchanged.
  expect((await planned.rehearse()).extra?.rehearsal).toEqual(rehearsal);
  expect(planned.snapshot).toEqual(live);
});

test.each([
  [1, "the call succeeds"],
  [2, "both calls succeed"],
  [3, "all 3 calls succeed"],
])("the sentence about %i calls that succeed", async (calls, words) => {
  const { extra } = await (await plannedOf(YAML, live)).rehearse();
  if (extra?.rehearsal === undefined) throw new Error("no rehearsal");
  expect(rehearsalParts({ ...extra.rehearsal, calls, succeeded: calls })[0]).toBe(words);
});

test("the rehearsal says that it includes the calls of an earlier run", async () => {
  const { extra } = await (await plannedOf(YAML, live)).rehearse();
  const rehearsal = extra?.rehearsal;
  if (rehearsal === undefined) throw new Error("no rehearsal");
  const partsWith = (done: number) => rehearsalParts(rehearsal, { done });
  expect(partsWith(0)).toEqual(rehearsalParts(rehearsal));
  expect(partsWith(1)[0]).toBe("the whole plan, with the call that is done already");
  expect(partsWith(10)[0]).toBe("the whole plan, with the 10 calls that are done already");
});

test("a plan without calls stays the same", async () => {
  const planned = await plannedOf("version: 1\nchannels: {general: {}}\n", live);
  expect(await planned.rehearse()).toBe(planned.plan);
});

test("a refusal by the server is quoted with its call, and refuses the plan until --allow lets it pass", async () => {
  const planned = await plannedOf(YAML, live);
  // Somebody removed the account's role after the reading: only the server knows that.
  const { user_id } = live.account;
  const users = live.users.map((user) => (user.user_id === user_id ? { ...user, role: MEMBER } : user));
  const groups = live.user_groups.map((group) => ({ ...group, members: group.members.filter((id) => id !== user_id) }));
  const without = { ...live, users, user_groups: groups };
  const options = {
    snapshot: without,
    reads: { invites: false, subscribers: true },
    kinds,
    planAgain: planned.planAgain,
  };
  const plan = await rehearsed(planned.plan, { ...options, allow: [] });
  const rehearsal = plan.extra?.rehearsal;
  expect(rehearsal?.failed?.said.quoted).toMatch(/permission|administrator|Insufficient|Invalid channel/);
  expect(plan.guards.filter(({ violated }) => violated)).toMatchObject([{ name: "rehearsal" }]);
  const text = renderPlan(plan, { style: PLAIN });
  expect(text).toContain(`call ${rehearsal?.failed?.n} is the first that fails`);
  expect(text.replaceAll(/\s+/g, " ")).toContain(`"${rehearsal?.failed?.said.quoted}"`);
  expect(text).toContain("--allow rehearsal");
  const allowed = await rehearsed(planned.plan, { ...options, allow: ["rehearsal"] });
  expect(allowed.guards.filter(({ violated }) => violated)).toEqual([]);
  expect(renderPlan(allowed, { style: PLAIN })).toContain("allowed with --allow rehearsal");
});

test("a plan whose result differs from the file is refused", async () => {
  const planned = await plannedOf(YAML, live);
  const calls = planned.plan.calls.slice(0, -1);
  const plan = await rehearsed(
    { ...planned.plan, calls },
    {
      snapshot: live,
      reads: { invites: false, subscribers: true },
      kinds,
      planAgain: planned.planAgain,
      allow: [],
    },
  );
  expect(plan.extra?.rehearsal).toMatchObject({ succeeded: calls.length, remaining: { changes: 1 } });
  expect(plan.guards.filter(({ violated }) => violated)).toMatchObject([
    { name: "rehearsal", fact: { about: { kind: "rehearsal-differs", changes: 1 } } },
  ]);
});

test("hidden names are hidden in the rehearsal's notices, too", async () => {
  const plan = await (await plannedOf(YAML, live)).rehearse();
  const names = new Map([["channel", new Map([["news", "new private channel 1"]])]]);
  const shown = redactPlan(plan, redactionBy({ names, addresses: new Map(), people: [] }, kinds));
  expect(JSON.stringify(plan.extra?.rehearsal?.notices)).toContain("news");
  expect(JSON.stringify(shown.extra)).not.toContain("news");
});

test("calls in another order give access that the planned order does not give", async () => {
  const planned = await plannedOf(
    `version: 1
channels:
  board: {privacy: private_shared_history, permissions: {can_subscribe_group: leads}}
user_groups:
  leads: {members: [ada@acme.example]}
  engineering: {members: [ben@acme.example]}
`,
    realmOf({
      channels: [{ name: "board", invite_only: true }],
      subscribers: { board: ["ada@acme.example"] },
    }),
  );
  const { plan, snapshot } = planned;
  const exposure = { changes: plan.changes, realm: new Realm(snapshot) };
  expect(plan.calls.length).toBeGreaterThan(1);
  expect(temporaryGains(plan.calls, exposure)).toEqual([]);
  const turned = [...plan.calls].reverse();
  expect(temporaryGains(turned, exposure)).not.toEqual([]);
});

test("a saved plan contains the result of its rehearsal; a plan with a forged result is refused", async () => {
  const planned = await plannedOf(YAML, live);
  const text = await planFileText(await planned.rehearse(), planned);
  const opened = await readSavedPlan(text, "realm.plan");
  expect(opened.plan.extra?.rehearsal).toMatchObject({ calls: opened.plan.calls.length });
  // A plan saved without a rehearsal, as older versions save it, is read as before.
  const bare = await readSavedPlan(await planFileText(planned.plan, planned), "realm.plan");
  expect(bare.plan.extra?.rehearsal).toBeUndefined();

  const forge = (change: (rehearsal: { [key: string]: Json }) => Json): string => {
    const json = jsonOf(text);
    const { extra } = json;
    if (!isObject(extra) || !isObject(extra.rehearsal)) throw new Error("no rehearsal");
    return withChecksum({ ...json, extra: { ...extra, rehearsal: change({ ...extra.rehearsal }) } });
  };
  const forged = forge((rehearsal) => ({ ...rehearsal, notices: [], direct: [] }));
  const refused = await readSavedPlan(forged, "realm.plan").catch((error: unknown) => error);
  expect(refused instanceof Failure && refused.diagnostics[0]?.code).toBe("plan-file/not-its-own");
});

test.each([
  [NEWEST_KNOWN_LEVEL, undefined],
  [NEWEST_KNOWN_LEVEL + 18, { server: NEWEST_KNOWN_LEVEL + 18, known: NEWEST_KNOWN_LEVEL }],
])("a server of level %i: whose rules were followed is said if they are older: %j", async (feature_level, newer) => {
  const planned = await plannedOf(YAML, { ...live, server: { ...live.server, feature_level } });
  const plan = await planned.rehearse();
  const rehearsal = plan.extra?.rehearsal;
  expect(rehearsal?.newer).toEqual(newer);
  const said = `succeed by the rules of feature level ${NEWEST_KNOWN_LEVEL}, the newest that are known; this server has`;
  const parts = rehearsal === undefined ? [] : rehearsalParts(rehearsal);
  expect(parts.some((part) => part.includes(said))).toBe(newer !== undefined);
});

/** Level 477: what of the rule is known, the copy follows; of the rest, the plan warns. */
test.each([
  ["who manages all groups", "role:moderators", "role:nobody", false, "whose membership can only be managed"],
  ["which rights count", "role:administrators", "role:everyone", true, undefined],
])("workplace users, %s: a rehearsal does not say more than it knows", async (_, all, leave, succeeds, refused) => {
  const strict = "can_add_members_group: role:owners, can_manage_group: role:owners";
  const yaml = `version: 1
settings: {permissions: {workplace_users_group: staff, can_manage_all_groups: ${all}}}
user_groups: {staff: {members: [ada@acme.example], permissions: {${strict}, can_leave_group: ${leave}}}}
`;
  const newer = realmOf({ feature_level: 512, subscribers: {}, settings: { workplace_users_group: 15 } });
  const { warnings, extra } = await (await plannedOf(yaml, newer)).rehearse();
  expect(warnings.map(({ code }) => code)).toEqual(["settings/workplace-group"]);
  const rehearsal = extra?.rehearsal;
  expect(rehearsal).toMatchObject({ calls: 3, succeeded: succeeds ? 3 : 2, not_rehearsed: ["workplace-group"] });
  expect(rehearsal?.failed?.said.quoted).toEqual(refused === undefined ? undefined : expect.stringContaining(refused));
  expect(rehearsal === undefined ? [] : rehearsalParts(rehearsal)).toContain(
    "not rehearsed: which rights on the group of workplace users the server counts",
  );
});
