import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isObject } from "../src/model/json.ts";
import type { Call, Plan } from "../src/model/plan.ts";
import { ROLE } from "../src/model/roles.ts";
import { encodeCall } from "../src/zulip/encode.ts";
import { type PlannedCase, plannedCases } from "./support/cases.ts";

/**
 * The traps of the server that its contract lists (docs/internals/zulip-api.md §15.3): each one has a test here. Some hold for every call of every case folder,
 * some are one case with what its plan must say, and the rest are tests of other files, by their titles.
 */
const root = join(import.meta.dirname, "..");

interface Evidence {
  /** A case folder whose plan is made. */
  readonly case?: string;
  /** The code of an error or a warning that its plan must have; without it, the plan has no error. */
  readonly code?: string;
  /** The kind of a risk that its plan must show. */
  readonly risk?: string;
  /** A test of another file: its file, and a part of its title. */
  readonly file?: string;
  readonly title?: string;
}

const TRAPS: { readonly [trap: number]: readonly Evidence[] } = {
  2: [
    { case: "channel/create-for-nobody-old-server" },
    {
      file: "test/e2e/saved-plan.test.ts",
      title: "an object that somebody else created under the planned name does not change",
    },
    { file: "src/sandbox/channels/creation.test.ts", title: "ignores all settings in the call" },
  ],
  4: [
    { case: "user-group/members-deactivated" },
    { case: "channel/subscribers-deactivated" },
    { case: "channel/unchanged" },
  ],
  5: [
    { case: "channel/create-alike" },
    { file: "src/plan/compare.test.ts", title: "the rights that the server gives to the creator of an object" },
  ],
  7: [{ case: "linkifier/outer-spaces" }, { case: "channel/names" }, { case: "domain/create" }],
  8: [
    { case: "domain/last-refused", code: "domains/last-domain" },
    { case: "domain/last-allowed", risk: "restriction-lifted" },
    { case: "playground/remove-default-language", risk: "code-language-reset" },
    { case: "settings/cleared-by-archive" },
    { case: "profile-field/remove", risk: "profile-field-removed" },
  ],
  10: [
    { case: "channel-folder/rename-case" },
    { case: "domain/declared-twice", code: "config/declared-twice" },
    { case: "navigation-view/name-case" },
  ],
  11: [{ file: "src/access/grants.test.ts", title: "what a right applies to, and what else it needs" }],
  12: [{ file: "src/zulip/connection.test.ts", title: "accept-language" }],
  13: [
    { file: "test/invites.test.ts", title: "is reported by address, and the others are invited once" },
    { file: "src/apply/sending-refusals.test.ts", title: "sent_invitations: true" },
  ],
  14: [
    { file: "src/sandbox/invites/invites.test.ts", title: "the two id spaces" },
    { case: "invite-link/absent-alike" },
  ],
  15: [{ file: "src/apply/continuation.test.ts", title: "EXPECTATION_MISMATCH" }],
  16: [{ case: "channel-folder/rename-case" }, { case: "navigation-view/name-unchanged" }],
  17: [{ file: "src/zulip/snapshot.test.ts", title: "level 384: missing fields are null" }, { case: "emoji/create" }],
  18: [
    { case: "channel/nobody-left", code: "channels/nobody-left" },
    { case: "channel/create-for-nobody-unreachable", code: "channels/nobody-left" },
    { case: "channel/subscribers-last-reader", code: "channels/nobody-left" },
  ],
  19: [{ case: "user-group/own-right-leaves-last" }, { case: "channel/own-right-goes" }],
  20: [{ case: "channel/not-allowed-owner", code: "channels/not-allowed" }],
  21: [{ file: "test/e2e/secrets.test.ts", title: "keys of bots and invitation links are in no output and no file" }],
  24: [
    { case: "person/deactivate", risk: "account-deactivated" },
    { case: "person/bot-in-use", code: "people/bot-in-use" },
  ],
  25: [{ case: "profile-field/options", risk: "profile-options-removed" }],
};

/** Traps that no call of any case falls into. */
const CALLS: { readonly [trap: number]: (call: Call, item: PlannedCase) => void } = {
  1: ({ operation, params }) => {
    if (operation !== "update-stream" || !("is_private" in params)) return;
    expect(Object.keys(params)).toEqual(expect.arrayContaining(["history_public_to_subscribers", "is_web_public"]));
  },
  // Without principals, the account that sends it is subscribed, which the plan must show.
  6: ({ operation, creates, params }, { plan }) => {
    if (operation !== "subscribe" || !plan.ok) return;
    const made = plan.value.changes.filter(({ address, kind }) => kind === "channel" && creates.includes(address));
    const people = made.map(({ fields }) => fields.find(({ field }) => field === "subscribers")?.after);
    for (const subscribers of people) if (params.principals === undefined) expect(subscribers).not.toBeUndefined();
  },
  22: ({ operation, params }, { live }) => {
    const { authentication_methods: sent } = params;
    if (operation !== "update-realm" || !isObject(sent)) return;
    expect(Object.keys(sent).sort()).toEqual(Object.keys(live.settings.authentication_methods ?? {}).sort());
    expect(Object.values(sent)).toContain(true);
  },
  23: (call, { live, plan }) => {
    const { operation, path, params } = call;
    const earlier = plan.ok ? plan.value.calls.slice(0, plan.value.calls.indexOf(call)) : [];
    const promoted = earlier.filter((one) => one.operation === "update-user" && one.params.role === ROLE.owner);
    const user = live.users.find(({ user_id }) => user_id === path.user_id);
    if (operation === "reactivate-user") expect(user?.is_active).toBe(false);
    const owners = live.users.filter(({ role, is_active, is_bot }) => role === ROLE.owner && is_active && !is_bot);
    const isDeactivatedOwner = user?.role === ROLE.owner && !user.is_active;
    if (operation === "update-user" && "role" in params && isDeactivatedOwner)
      expect(owners.length + promoted.length).toBeGreaterThan(1);
  },
  26: ({ params }) => {
    for (const value of Object.values(params)) if (typeof value === "number") expect(value).toBeLessThan(2 ** 31);
  },
};

const valuesOf = ({ changes }: Plan) =>
  changes.flatMap(({ fields }) => fields.filter(({ field }) => /^can_.*_group$/.test(field)).map(({ after }) => after));

/** Traps with a test of their own below. */
const OWN = [3, 9];

const contract = readFileSync(join(root, "docs/internals/zulip-api.md"), "utf8");

test("every trap of the contract has a test", () => {
  const section = /### 15\.3 [^\n]*\n([\s\S]*?)\n### /.exec(contract)?.[1] ?? "";
  const listed = [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  const tested = [...Object.keys(TRAPS), ...Object.keys(CALLS), ...OWN].map(Number);
  expect(listed.length).toBeGreaterThan(20);
  expect(tested.toSorted((a, b) => a - b)).toEqual(listed);
});

describe.each(Object.entries(TRAPS))("§15.3.%s", (_, evidence) => {
  test.each(evidence)("$case $code $risk $file $title", async ({ case: name, code, risk, file, title }) => {
    if (file !== undefined) expect(readFileSync(join(root, file), "utf8")).toContain(title);
    if (name === undefined) return;
    const plan = (await plannedCases()).find((item) => item.name === name)?.plan;
    const diagnostics = plan?.ok === true ? plan.warnings : plan?.diagnostics;
    if (code === undefined) expect(plan?.ok).toBe(true);
    else expect(diagnostics?.map((diagnostic) => diagnostic.code)).toContain(code);
    const risks =
      plan?.ok === true ? plan.value.changes.flatMap(({ risks: own }) => own.map(({ fact }) => fact.kind)) : [];
    if (risk !== undefined) expect(risks).toContain(risk);
  });
});

describe.each(Object.entries(CALLS))("§15.3.%s", (_, check) => {
  test("no call of a case falls into it", async () => {
    for (const item of await plannedCases())
      if (item.plan.ok) for (const call of item.plan.value.calls) check(call, item);
  });
});

test("§15.3.3: topics_policy is raw in a PATCH, and JSON in both creations", () => {
  const formOf = (call: Parameters<typeof encodeCall>[0]): string => encodeCall(call).form ?? "";
  const topics_policy = "inherit";
  expect(formOf({ operation: "update-stream", path: { stream_id: 3 }, params: { topics_policy } })).toBe(
    "topics_policy=inherit",
  );
  const creations = [
    { operation: "create-channel", path: {}, params: { name: "a", subscribers: [], topics_policy } },
    { operation: "subscribe", path: {}, params: { subscriptions: [{ name: "a" }], topics_policy } },
  ];
  for (const creation of creations) expect(formOf(creation)).toContain("topics_policy=%22inherit%22");
});

test("§15.3.9: a plan names groups, never their ids", async () => {
  const values = (await plannedCases()).flatMap(({ plan }) => (plan.ok ? valuesOf(plan.value) : []));
  expect(values.length).toBeGreaterThan(50);
  expect(values.filter((value) => typeof value === "number" || /\d/.test(JSON.stringify(value)))).toEqual([]);
});
