import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import type { ResourceKind } from "../../src/model/kind.ts";
import type { Reorder } from "../../src/model/plan.ts";
import type { PlanContext } from "../../src/model/plan-context.ts";
import { planText } from "../support/cases.ts";
import { realmOf } from "../support/realm.ts";

async function anyContext(): Promise<PlanContext> {
  let seen: PlanContext | undefined;
  const watched = kinds.map(
    (kind): ResourceKind => ({
      ...kind,
      calls: {
        ...kind.calls,
        draft(changes, context) {
          seen = context;
          return kind.calls.draft(changes, context);
        },
      },
    }),
  );
  await planText("version: 1\nchannels: {}\n", realmOf({}), watched);
  if (seen === undefined) throw new RangeError("nothing was planned");
  return seen;
}

test.each(kinds.filter(({ diff }) => diff?.ordered === undefined).map((kind) => [kind.name, kind] as const))(
  "%s has no order: a reorder of it is refused, and never sent as something else",
  async (name, kind) => {
    const order = { field: "order", before: ["a", "b"], after: ["b", "a"] };
    const reorder: Reorder = {
      action: "reorder",
      kind: name,
      address: `${name}:*`,
      name: kind.section,
      fields: [order],
      risks: [],
    };
    const context = await anyContext();
    expect(() => kind.calls.draft([reorder], context)).toThrow(`${name} has no order`);
  },
);
