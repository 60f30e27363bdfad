import { expect, test } from "vitest";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { planText } from "../support/cases.ts";
import { realmOf } from "../support/realm.ts";
import { oneIn } from "../support/sample.ts";
import { must, World } from "../support/world.ts";

/*
 * Each right of the organization, and each use of it, where one plan gives the right to the account or takes it away: the server checks it when it
 * receives the request. No plan is rehearsed first; each is applied as it is.
 */

const STAFF_NAMED = "{groups: [staff]}";
/** The one right that only roles can have. */
const ROLES_ONLY = "can_create_web_public_channel_group";
const NOBODY = 9;
const ADMINISTRATORS = 11;
/** Of the one group that is no role. */
const STAFF = 30;

interface Use {
  readonly right: string;
  readonly what: string;
  /** What the organization has before. */
  readonly live?: Parameters<typeof realmOf>[0];
  /** Sections of the file. */
  readonly file: string;
  /** Other settings that the use needs, in the section `settings`. */
  readonly also?: string;
}

const uses: readonly Use[] = [
  { right: "can_create_public_channel_group", what: "a public channel", file: "channels: {yard: {}}" },
  {
    right: "can_create_public_channel_group",
    what: "a channel that becomes public",
    live: { channels: [{ name: "yard", invite_only: true }], subscribers: { yard: ["ada@acme.example"] } },
    file: "channels: {yard: {privacy: public}}",
  },
  {
    right: "can_create_private_channel_group",
    what: "a private channel",
    file: "channels: {yard: {privacy: private_shared_history}}",
  },
  {
    right: "can_create_private_channel_group",
    what: "a channel that becomes private",
    live: { channels: [{ name: "yard" }], subscribers: { yard: ["ada@acme.example"] } },
    file: "channels: {yard: {privacy: private_protected_history}}",
  },
  {
    right: "can_create_web_public_channel_group",
    what: "a web-public channel",
    file: "channels: {yard: {privacy: web_public}}",
    also: "enable_spectator_access: true",
  },
  {
    right: "can_create_public_channel_group",
    what: "a web-public channel",
    file: "channels: {yard: {privacy: web_public}}",
    also: "enable_spectator_access: true",
  },
  { right: "can_create_groups", what: "a group", file: "user_groups: {crew: {}}" },
  { right: "can_create_bots_group", what: "a bot", file: "bots: {hammer-bot: {}}" },
  {
    right: "can_create_write_only_bots_group",
    what: "a bot that only posts",
    live: { settings: { can_create_bots_group: NOBODY } },
    file: "bots: {hammer-bot: {type: incoming_webhook}}",
  },
  {
    right: "can_create_bots_group",
    what: "a bot that comes back",
    live: { users: { "ci-bot@localhost": { is_active: false } } },
    file: "bots: {ci-bot: {deactivated: false}}",
  },
  {
    right: "can_create_write_only_bots_group",
    what: "a bot that only posts and comes back",
    live: { users: { "hook-bot@localhost": { is_active: false } }, settings: { can_create_bots_group: NOBODY } },
    file: "bots: {hook-bot: {deactivated: false}}",
  },
  { right: "can_add_custom_emoji_group", what: "an emoji", file: "emoji: {anvil: emoji/forge.png}" },
  {
    right: "can_invite_users_group",
    what: "an invitation",
    live: { invites: [] },
    file: "invites: [{emails: [new@acme.example], send_until: 2030-01-01}]",
  },
  {
    right: "create_multiuse_invite_group",
    what: "a link",
    live: { invites: [] },
    file: "invite_links: [{expires_on: never}]",
  },
];

const group = (members: readonly string[]) => ({ name: "staff", members: [...members] });

interface Way {
  readonly way: string;
  readonly setting: number;
  readonly members: readonly string[];
  readonly permission?: string;
  readonly group?: string;
}

const [ADA, BEN] = ["ada@acme.example", "ben@acme.example"];
const ways: readonly Way[] = [
  { way: "the setting gives it", setting: NOBODY, members: [BEN], permission: "role:owners" },
  { way: "the setting takes it", setting: ADMINISTRATORS, members: [BEN], permission: "role:nobody" },
  { way: "the setting gives it to a group", setting: NOBODY, members: [ADA], permission: STAFF_NAMED },
  { way: "the account joins its group", setting: STAFF, members: [BEN], group: `[${BEN}, ${ADA}]` },
  { way: "the account leaves its group", setting: STAFF, members: [BEN, ADA], group: `[${BEN}]` },
  {
    way: "the setting gives it to a group that the account joins",
    setting: NOBODY,
    members: [BEN],
    permission: STAFF_NAMED,
    group: `[${BEN}, ${ADA}]`,
  },
  {
    way: "the setting takes it from a group that the account leaves",
    setting: STAFF,
    members: [BEN, ADA],
    permission: "role:nobody",
    group: `[${BEN}]`,
  },
];

function planned({ right, live = {}, file, also }: Use, { setting, members, permission, group: wanted }: Way) {
  const groups = wanted === undefined ? [] : [`staff: {members: ${wanted}}`];
  const made = /^user_groups: \{(.*)\}$/.exec(file)?.[1];
  const settings = [
    ...(also === undefined ? [] : [also]),
    ...(permission === undefined ? [] : [`permissions: {${right}: '${permission}'}`.replace(/'(\{.*\})'/, "$1")]),
  ];
  const yaml = [
    "version: 1",
    ...(settings.length === 0 ? [] : [`settings: {${settings.join(", ")}}`]),
    ...(groups.length === 0 && made === undefined
      ? []
      : [`user_groups: {${[...groups, ...(made === undefined ? [] : [made])].join(", ")}}`]),
    ...(made === undefined ? [file] : []),
  ].join("\n");
  const start = realmOf({
    subscribers: {},
    ...live,
    user_groups: [group(members)],
    settings: { ...live.settings, [right]: setting },
  });
  return { yaml, start };
}

const rows = ways.flatMap((way) =>
  uses
    .filter(({ right }) => way.permission !== STAFF_NAMED || right !== ROLES_ONLY)
    .map((use) => ({ ...use, way: way.way, planned: planned(use, way) })),
);
test.each(oneIn(3, rows))("$way; $right: $what", async ({ planned: { yaml, start } }) => {
  const world = new World(start);
  const plan = must(await world.plan(yaml));
  const result = await world.apply(plan, yaml);
  expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
  expect(result.outcome).toBe("applied");
  expect(world.writes).toBe(plan.least_calls);
  expect(must(await world.plan(yaml)).changes).toEqual([]);
});

test.each(uses)("$right: $what is refused if the plan does not give the right", async (use) => {
  const { yaml, start } = planned(use, { way: "never", setting: NOBODY, members: [BEN] });
  const plan = await planText(yaml, start);
  expect(plan.ok ? [] : plan.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: expect.stringMatching(/\/not-allowed$/) },
  ]);
});

test("a right of the group that is made with it is refused before anything is sent, with what to apply first", async () => {
  const yaml = [
    "version: 1",
    "settings: {description: New, permissions: {can_create_groups: {groups: [crew]}}}",
    `user_groups: {crew: {members: [${ADA}]}}`,
  ].join("\n");
  const plan = must(await planText(yaml, realmOf({ settings: { can_create_groups: NOBODY } })));
  // The other setting does not wait for the group.
  expect(plan.calls).toMatchObject([{ operation: "update-realm", params: { description: "New" } }]);
  expect(plan.calls[0]?.params).toEqual({ description: "New" });
  const errors = plan.warnings.filter(({ severity }) => severity === "error").map(wordedDiagnostic);
  const ofCycle = errors.filter(({ code }) => code === "plan/cycle");
  expect(ofCycle).toMatchObject([
    { at: { line: 2 }, notes: [{ at: { line: 3 } }], hint: expect.stringContaining("--only settings") },
  ]);
});
