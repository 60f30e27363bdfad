import { expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { GuardPolicy, Limit } from "../model/policy.ts";
import { guardText } from "../report/words/guards.ts";
import { guardsOf } from "./guards.ts";

const ADA = "ada@acme.example";
const overlay: Overlay = {
  channels: [
    { name: "general" },
    { name: "board", invite_only: true },
    { name: "old", invite_only: true, is_archived: true },
  ],
  subscribers: { general: [ADA], board: [ADA], old: [ADA] },
};

interface Asked {
  readonly policies?: readonly (readonly [name: string, most: number])[][];
  readonly allow?: readonly string[];
  readonly isUndo?: boolean;
}

/** Those guards that are about gaining and deleting: asked, refused, or only told. */
async function gains(yaml: string, { policies = [[]], allow = [], isUndo = false }: Asked = {}) {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const policy = (limits: readonly (readonly [string, number])[]): GuardPolicy => ({
    limits: Object.fromEntries(limits.map(([name, most]): [string, Limit] => [name, { most }])),
    protect: [],
  });
  const found = guardsOf({ plan, snapshot, kinds, policies: policies.map(policy), allow, withoutDefaults: isUndo });
  return found
    .filter(({ name }) => /gaining|opened|administrators|messages/.test(name))
    .map(
      (guard) =>
        `${guard.violated ? "refused" : guard.fact.asks === true ? "asks" : "told"}: ${guard.name} ${amountOf(guardText(guard))}`,
    );
}
/** What is said of deleted messages. */
async function lineOf(yaml: string, allow: readonly string[]): Promise<string> {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  const found = guardsOf({ plan, snapshot, kinds, policies: [], allow });
  return found
    .filter(({ name }) => name === "messages_deleted")
    .map(guardText)
    .join("\n");
}
const amountOf = (text: string): string => /\d+/.exec(text)?.[0] ?? "";

const letIn = "channels: {board: {subscribers: {users: [ada@acme.example, ben@acme.example, chiara@acme.example]}}}\n";

test.each<{ what: string; yaml: string; found: readonly string[] }>([
  { what: "nothing of it", yaml: "channels: {general: {description: x}}\n", found: [] },
  { what: "two people are subscribed to what is private", yaml: letIn, found: ["asks: people_gaining_access 2"] },
  {
    what: "a group is let in by a setting",
    yaml: "channels: {board: {permissions: {can_subscribe_group: leads}}}\n",
    found: ["asks: people_gaining_access 2"],
  },
  {
    what: "the first guest",
    yaml: "channels: {board: {subscribers: {users: [ada@acme.example, ivo@partner.example]}}}\n",
    found: ["asks: people_gaining_access 1", "asks: opened 1"],
  },
  {
    what: "what is new is nobody's secret",
    yaml: "channels: {new: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, ben@acme.example]}}}\n",
    found: [],
  },
  {
    what: "an administrator of a channel",
    yaml: "channels: {general: {permissions: {can_administer_channel_group: {users: [hana@acme.example]}}}}\n",
    found: ["told: administrators 1"],
  },
  {
    what: "a shorter retention",
    yaml: "channels: {general: {message_retention_days: 30}}\n",
    found: ["asks: messages_deleted 1"],
  },
])("$what", async ({ yaml, found }) => {
  expect(await gains(yaml)).toEqual(found);
});

test("a private channel that becomes public opens to everybody who could not read it", async () => {
  const found = await gains("channels: {board: {privacy: public}}\n");
  expect(found).toHaveLength(2);
  expect(found[0]).toMatch(/^asks: people_gaining_access [1-9]/);
  expect(found[1]).toBe("asks: opened 1");
});

test("a number in the policy answers up to itself and refuses above; a policy that says none still asks; --allow answers once", async () => {
  expect(await gains(letIn, { policies: [[["people_gaining_access", 2]]] })).toEqual(["told: people_gaining_access 2"]);
  expect(await gains(letIn, { policies: [[["people_gaining_access", 1]]] })).toEqual([
    "refused: people_gaining_access 2",
  ]);
  // The command's policy cannot be loosened by the file's.
  expect(await gains(letIn, { policies: [[["people_gaining_access", 2]], []] })).toContain(
    "asks: people_gaining_access 2",
  );
  expect(await gains(letIn, { policies: [[["people_gaining_access", 1]], []] })).toEqual([
    "refused: people_gaining_access 2",
  ]);
  expect(await gains(letIn, { allow: ["people_gaining_access"] })).toEqual(["told: people_gaining_access 2"]);
});

test("whoever lets irreversible steps through lets messages be deleted, but not over a number of the policy, and nothing else", async () => {
  const shorter = "channels: {general: {message_retention_days: 30}}\n";
  expect(await gains(shorter, { allow: ["irreversible"] })).toEqual(["told: messages_deleted 1"]);
  expect(await lineOf(shorter, ["irreversible"])).toMatch(/\(let through with --allow irreversible\)$/);
  expect(await lineOf(shorter, ["irreversible", "messages_deleted"])).toMatch(/--allow messages_deleted\)$/);
  expect(await gains(shorter, { allow: ["irreversible"], policies: [[["messages_deleted", 0]]] })).toEqual([
    "refused: messages_deleted 1",
  ]);
  expect(await gains(letIn, { allow: ["irreversible"] })).toEqual(["asks: people_gaining_access 2"]);
});

test("an undo asks about messages alone", async () => {
  expect(await gains(letIn, { isUndo: true })).toEqual([]);
  expect(await gains("channels: {general: {message_retention_days: 30}}\n", { isUndo: true })).toEqual([
    "asks: messages_deleted 1",
  ]);
});
