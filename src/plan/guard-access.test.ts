import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import type { People } from "../access/people.ts";
import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import type { FieldChange } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { accessOf, placeOf } from "./guard-gains.ts";

const [ADA, BEN, CHIARA] = ["ada@acme.example", "ben@acme.example", "chiara@acme.example"] as const;
/** A guest, to whom no setting gives access. */
const IVO = "ivo@partner.example";
const LEADS = 32;

/** The access that a plan takes away: "object: people, at line" for each loss, and for each channel that nobody can reach. */
async function taken(yaml: string, overlay: Overlay) {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const { losses, unreachable, owners } = accessOf(plan, new Realm(snapshot));
  const names = (people: People): string =>
    snapshot.users
      .flatMap(({ user_id, delivery_email }) => (people.has(user_id) ? [delivery_email?.split("@")[0]] : []))
      .join(" ");
  return {
    losses: losses.map(({ object, people, at }) => `${object.address}: ${people && names(people)}, ${at?.line}`),
    unreachable: unreachable.map(({ object, at }) => `${object.address}, ${at?.line}`),
    owners,
  };
}

describe("lost access, and channels that nobody can access", () => {
  const leads = { name: "leads", members: [BEN, CHIARA] };
  test.each<{
    what: string;
    yaml: string;
    live: Overlay;
    losses?: readonly string[];
    unreachable?: readonly string[];
  }>([
    {
      what: "nobody loses access to an archived channel",
      live: { channels: [{ name: "board", invite_only: true, can_subscribe_group: LEADS, is_archived: true }] },
      yaml: "user_groups:\n  leads:\n    members: [ben@acme.example]\n",
      losses: ["user_group:leads: chiara, 4"],
    },
    {
      what: "nobody loses access through an unchanged group, or through a channel with the same name",
      live: { channels: [{ name: "leads" }], subscribers: { leads: [] } },
      yaml: "channels:\n  leads:\n    description: x\nuser_groups:\n  leads:\n    members: [ben@acme.example]\n",
      losses: ["user_group:leads: chiara, 7"],
    },
    {
      what: "a removed subgroup, at its line",
      live: { user_groups: [leads, { name: "crew", members: [ADA], subgroups: ["leads"] }] },
      yaml: "user_groups:\n  crew:\n    description: x\n    subgroups: []\n",
      losses: ["user_group:crew: ben chiara, 5"],
    },
    {
      what: "a removed member, at the line of the members",
      live: { user_groups: [leads] },
      yaml: "user_groups:\n  leads:\n    description: x\n    members: [chiara@acme.example]\n",
      losses: ["user_group:leads: ben, 5"],
    },
    {
      what: "nobody loses access through a group that only gains members",
      live: { user_groups: [leads] },
      yaml: "user_groups:\n  leads:\n    members: [ada@acme.example, ben@acme.example, chiara@acme.example]\n",
    },
    {
      what: "a setting that gave somebody access, at its line",
      live: {
        channels: [{ name: "board", invite_only: true, can_subscribe_group: LEADS }],
        subscribers: { board: [ADA] },
      },
      yaml: "channels:\n  board:\n    description: x\n    permissions:\n      can_subscribe_group: role:nobody\n",
      losses: ["channel:board: ben chiara, 6"],
    },
    {
      what: "bots do not lose access",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [ADA, "hook-bot@localhost"] } },
      yaml: `channels:\n  board:\n    subscribers: {users: [${ADA}], exact: true}\n`,
    },
    {
      what: "an emptied group that was the only way into a channel",
      live: {
        channels: [{ name: "board", invite_only: true, can_subscribe_group: LEADS }],
        subscribers: { board: [] },
      },
      yaml: "user_groups:\n  leads:\n    members: []\n",
      losses: ["channel:board: ben chiara, undefined", "user_group:leads: ben chiara, 4"],
      unreachable: ["channel:board, undefined"],
    },
    {
      what: "a new private channel that a setting opens only to a guest, at the line that closes it",
      live: {},
      yaml: `channels:\n  board:\n    description: x\n    privacy: private_shared_history\n    subscribers: {users: [], exact: true}\n    permissions: {can_subscribe_group: {users: [${IVO}]}}\n`,
      unreachable: ["channel:board, 5"],
    },
    {
      what: "not a new private channel with its creator, nor a new public channel without subscribers",
      live: {},
      yaml: "channels:\n  board: {privacy: private_shared_history}\n  hall: {subscribers: {users: [], exact: true}}\n",
    },
    {
      what: "not a channel that nobody could access before, nor a new group with its name",
      live: { channels: [{ name: "board", invite_only: true }], subscribers: { board: [] } },
      yaml: "channels:\n  board: {description: x}\nuser_groups:\n  board: {}\n",
    },
    {
      what: "a channel whose subscribers were not read may have some",
      live: { channels: [{ name: "board", invite_only: true, can_subscribe_group: LEADS }], subscribers: null },
      yaml: "channels:\n  board:\n    permissions:\n      can_subscribe_group: role:nobody\n",
      losses: ["channel:board: ben chiara, 5"],
    },
  ])("$what", async ({ yaml, live, losses = [], unreachable = [] }) => {
    expect(await taken(yaml, live)).toMatchObject({ losses, unreachable });
  });

  test("owners are counted before and after", async () => {
    const { owners } = await taken("people:\n  kofi@acme.example: {role: member}\n", {});
    expect(owners).toEqual({ before: 2, after: 1 });
  });
});

describe("the place of a loss", () => {
  const span = (line: number): Span => ({
    file: "realm.yaml",
    line,
    column: 1,
    endLine: line,
    endColumn: 2,
  });
  const field = (name: string, at?: Span) => ({ field: name, before: null, after: null, ...defined({ at }) });
  test.each<{ what: string; fields: readonly FieldChange[]; at?: Span; line: number | undefined }>([
    { what: "that of the field", fields: [field("privacy", span(2)), field("topic", span(3))], at: span(1), line: 2 },
    { what: "that of the first such field", fields: [field("members", span(4)), field("privacy", span(5))], line: 4 },
    { what: "that of a field that has a place", fields: [field("members"), field("privacy", span(6))], line: 6 },
    { what: "not that of another field", fields: [field("topic", span(3))], at: span(1), line: 1 },
    { what: "that of the change, if its field has no place", fields: [field("privacy")], at: span(1), line: 1 },
    { what: "absent if neither has a place", fields: [field("privacy"), field("topic", span(3))], line: undefined },
  ])("is $what", ({ fields, at, line }) => {
    expect(placeOf({ fields, ...defined({ at }) }, ["privacy", "members"])).toEqual(
      line === undefined ? {} : { at: span(line) },
    );
  });

  test("is absent without a change", () => expect(placeOf(undefined, ["privacy"])).toEqual({}));
});
