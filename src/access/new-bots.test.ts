import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import type { Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { withNewBots } from "./of-plan.ts";

const fields = [{ field: "role", before: null, after: "member" }];
const bot = (name: string): Change => ({
  action: "create",
  kind: "bot",
  address: `bot:${name}`,
  name,
  fields,
  risks: [],
});
const channel: Change = {
  action: "create",
  kind: "channel",
  address: "channel:hall",
  name: "hall",
  fields: [],
  risks: [],
};
const update: Change = { action: "update", kind: "bot", address: "bot:ci", name: "ci", id: 18, fields: [], risks: [] };

test("new bots are treated as inactive accounts that the plan reactivates", () => {
  const realm = new Realm(realmOf({}));
  const found = withNewBots([channel, bot("one"), update, bot("two")], realm);
  expect([...found.bots]).toEqual([
    ["bot:one", -1],
    ["bot:two", -2],
  ]);
  const [one, two] = [-1, -2].map((id) => found.realm.user(id));
  for (const [user, name] of [
    [one, "one"],
    [two, "two"],
  ] as const)
    expect(user).toMatchObject({
      email: `bot:${name}`,
      full_name: name,
      role: ROLE.member,
      is_active: false,
      is_bot: true,
    });
  expect(found.realm.snapshot.users).toHaveLength(realm.snapshot.users.length + 2);
  const owned = { field: "owner", before: null, after: "ada@acme.example" };
  const comes = { field: "deactivated", before: true, after: false };
  expect(found.changes).toEqual([
    channel,
    { ...bot("one"), action: "update", id: -1, fields: [...fields, owned, comes] },
    update,
    { ...bot("two"), action: "update", id: -2, fields: [...fields, owned, comes] },
  ]);
});

test("a plan that creates no bot does not change", () => {
  const [realm, changes] = [new Realm(realmOf({})), [channel, update]];
  const found = withNewBots(changes, realm);
  expect([found.changes === changes, found.realm === realm, found.bots.size]).toEqual([true, true, 0]);
});
