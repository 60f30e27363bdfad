import { expect, test } from "vitest";
import { call, change, field } from "../../test/support/apply/toy.ts";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import type { Json } from "../model/json.ts";
import type { Call, Change } from "../model/plan.ts";
import { accountsBack, withoutThem } from "./accounts-back.ts";

const [BEN, ELIF] = ["ben@acme.example", "elif@acme.example"];
const named = (name: string): Change => ({ ...change(name, 1), address: `person:${name}` });
const comes = (n: number, user_id: number | string, name: string, operation = "reactivate-user"): Call =>
  call({ n, operation, path: { user_id }, for: [{ address: `person:${name}`, fields: ["deactivated"] }] });
const back = (calls: readonly Call[], before: Json, after: Json) => {
  const remaining = before === after ? [] : [change("crew", 30, field("members", before, after))];
  return accountsBack({ calls, changes: [named("ben"), named("elif")] }, remaining, realmOf({})).map(
    ({ name }) => name,
  );
};
const [ben, elif] = [comes(1, 7, "ben"), comes(2, 10, "elif")];

test.each<{ fact: string; calls: readonly Call[]; before: Json; after: Json; names: readonly string[] }>([
  {
    fact: "somebody who would be removed from a permission",
    calls: [ben],
    before: { groups: [], users: [BEN] },
    after: "role:nobody",
    names: ["ben"],
  },
  { fact: "nobody who stays", calls: [ben, elif], before: [BEN], after: [BEN, ELIF], names: [] },
  { fact: "nobody if no change remains", calls: [ben], before: [], after: [], names: [] },
  {
    fact: "nobody whom the plan did not reactivate",
    calls: [comes(1, 7, "ben", "update-user")],
    before: [BEN],
    after: [],
    names: [],
  },
  {
    fact: "nobody who is not in the reading",
    calls: [comes(1, 999, "ben")],
    before: [BEN, "user:999", ""],
    after: [],
    names: [],
  },
])("reactivated accounts to report: $fact", ({ calls, before, after, names }) =>
  expect(back(calls, before, after)).toEqual(names),
);

test("what a bot leaves is given without its address, which is not its name", () => {
  const bot: Change = { ...change("ci-bot", 18), kind: "bot", address: "bot:ci-bot" };
  const snapshot = realmOf({ user_groups: [{ name: "crew", members: ["ada@acme.example", "ci-bot@localhost"] }] });
  const crew = snapshot.user_groups.find(({ name }) => name === "crew");
  if (crew === undefined) throw new RangeError("no group");
  const remaining: Change = {
    ...change("crew", crew.id, field("members", ["ada@acme.example", "ci-bot@localhost"], ["ada@acme.example"])),
    kind: "user_group",
    address: "user_group:crew",
  };
  const calls = [
    call({ n: 1, operation: "reactivate-user", path: { user_id: 18 }, for: [{ address: "bot:ci-bot", fields: [] }] }),
  ];
  const desired = withoutThem({ calls, changes: [bot] }, [remaining], snapshot, kinds);
  expect(desired?.sections.get("user_groups")).toMatchObject([
    { name: "crew", fields: { members: ["ada@acme.example"] } },
  ]);
});
