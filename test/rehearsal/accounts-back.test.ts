import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { isClean } from "../../src/model/rehearsal.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { redactionBy, redactResult } from "../../src/report/redact.ts";
import { renderResult } from "../../src/report/result.ts";
import { PLAIN } from "../../src/report/style.ts";
import { rehearsalParts } from "../../src/report/words/rehearsal.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must, planAgainst, World } from "../support/world.ts";

const ADA = 6;
const ELIF = 10;
const CI_BOT = 18;

/** Deactivated, and a member of everything that an account can be a member of; no reading shows any of it. */
const start = (users: Overlay["users"], id: number, name: string): Overlay => ({
  users: users ?? {},
  user_groups: [
    {
      name: "ops",
      members: ["ada@acme.example", name],
      can_mention_group: { direct_members: [ADA, id], direct_subgroups: [] },
    },
  ],
  channels: [
    { name: "general" },
    { name: "board", invite_only: true, can_send_message_group: { direct_members: [ADA, id], direct_subgroups: [] } },
  ],
  subscribers: { general: ["ada@acme.example"], board: ["ada@acme.example", name] },
});

const NAMES_EVERYTHING = `user_groups: {ops: {members: [ada@acme.example], permissions: {can_mention_group: {users: [ada@acme.example]}}}}
channels: {board: {permissions: {can_send_message_group: {users: [ada@acme.example]}}, subscribers: {users: [ada@acme.example], exact: true}}}
`;

test.each([
  {
    who: "a person",
    overlay: start({ "elif@acme.example": { is_active: false } }, ELIF, "elif@acme.example"),
    comes: "people: {elif@acme.example: {deactivated: false}}\n",
    says: "which were not visible before: person elif@acme.example. To remove",
  },
  {
    who: "a bot",
    overlay: start({ "ci-bot@localhost": { is_active: false } }, CI_BOT, "ci-bot@localhost"),
    comes: "bots: {ci-bot: {deactivated: false}}\n",
    says: "which were not visible before: bot ci-bot. To remove",
  },
])(
  "$who that is reactivated is in its previous places: the rehearsal says that it cannot know this, and the run reports it",
  async ({ overlay, comes, says }) => {
    const world = new World(realmOf(overlay));
    const yaml = `version: 1\n${comes}${NAMES_EVERYTHING}`;
    const snapshot = await world.read();
    const plan = must(await world.plan(yaml));
    expect(plan.calls.map(({ operation }) => operation)).toEqual(["reactivate-user"]);
    const reads = { invites: false, subscribers: true };
    const planAgain = (reading: typeof snapshot) => planAgainst(yaml, reading);
    const rehearsal = await rehearse({ plan, snapshot, reads, kinds, planAgain });
    expect(isClean(rehearsal)).toBe(true);
    expect(rehearsal.not_rehearsed).toContain("memberships");
    expect(rehearsalParts(rehearsal)).toContain(
      "not rehearsed: which groups, permissions and channels reactivated accounts get back",
    );

    const result = await world.apply(plan, yaml);
    expect(result.outcome).toBe("differs");
    expect(result.remaining?.map(({ address }) => address)).toEqual(["user_group:ops", "channel:board"]);
    const text = renderResult(result, { style: PLAIN }).replaceAll(/\s+/g, " ");
    expect(text).toContain(says);
    expect(text).toContain("To remove those that the file does not name: realmctl apply");
    const names = new Map([[plan.changes[0]?.kind ?? "", new Map([[plan.changes[0]?.name ?? "", "somebody"]])]]);
    const hidden = redactResult(result, redactionBy({ names, addresses: new Map(), people: [] }, kinds));
    expect(hidden.came_back?.map(({ name }) => name)).toEqual(["somebody"]);

    // The command that it names really shows the difference.
    const next = must(await world.plan(yaml));
    expect(next.changes).toEqual(result.remaining);
    const after = await world.apply(next, yaml);
    expect(after).toMatchObject({ outcome: "applied", remaining: [] });
    expect(after.came_back).toBeUndefined();
  },
);

test("nothing is reported for an account without memberships, or for changes that somebody else made in the meantime", async () => {
  const world = new World(
    realmOf({ ...start(undefined, CI_BOT, "ci-bot@localhost"), users: { "elif@acme.example": { is_active: false } } }),
  );
  const yaml = `version: 1
people: {elif@acme.example: {deactivated: false}}
user_groups: {ops: {description: Ours}}
`;
  const plan = must(await world.plan(yaml));
  const result = await world.apply(plan, yaml);
  expect(result).toMatchObject({ outcome: "applied", remaining: [] });
  expect(result.came_back).toBeUndefined();
  const again = must(await world.plan(`${yaml.replace("Ours", "Theirs")}`));
  const other = await world.apply(plan, yaml.replace("Ours", "Theirs"));
  expect(other.remaining).toEqual(again.changes);
  expect(other.came_back).toBeUndefined();
});

test("a saved plan is not compared with the file again, so the result names the command that shows the difference", async () => {
  const world = new World(realmOf(start({ "elif@acme.example": { is_active: false } }, ELIF, "elif@acme.example")));
  const yaml = `version: 1\npeople: {elif@acme.example: {deactivated: false}}\n${NAMES_EVERYTHING}`;
  const plan = must(await world.plan(yaml));
  const result = await world.apply(plan, yaml, undefined, undefined, {
    replan: async () => ({ ok: true, value: { ...plan, changes: [] }, warnings: [] }),
  });
  const textOf = (more: { readonly undoes?: string }) =>
    renderResult(result, { style: PLAIN, matches: "plan", ...more }).replaceAll(/\s+/g, " ");
  expect(textOf({})).toContain("previous memberships again: realmctl plan shows those that the file does not name.");
  expect(textOf({ undoes: "a.jsonl" })).not.toContain("memberships again");
});
