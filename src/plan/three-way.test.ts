import { expect, test } from "vitest";
import { change, EMPTY_PLAN, field } from "../../test/support/example-plans.ts";
import type { Change, Plan } from "../model/plan.ts";
import { compareThreeWays } from "./three-way.ts";

const planOf = (...changes: readonly Change[]): Plan => ({ ...EMPTY_PLAN, changes });
const update = (name: string, ...fields: Change["fields"]): Change => change({ action: "update", name, id: 7, fields });
const brief = (changes: readonly Change[]): readonly string[] =>
  changes.map(({ action, name, fields }) => `${action} ${name} ${fields.map((one) => one.field).join()}`.trim());

const topics = field("topics_policy", "inherit", "disable_empty_topic");
const text = field("description", "a", "b");
const otherText = field("description", "a", "c");
const make = change({ action: "create", name: "news", fields: [field("description", null, "b")] });
const makeOther = change({ action: "create", name: "news", fields: [field("description", null, "c")] });
const gone = change({ action: "remove", name: "old", id: 8 });

test.each<
  [string, readonly Change[], readonly Change[], Partial<Record<"mine" | "earlier" | "adopted", readonly string[]>>]
>([
  ["only the head changes it", [], [update("a", text)], { mine: ["update a description"] }],
  ["both set different values", [update("a", text)], [update("a", otherText)], { mine: ["update a description"] }],
  ["the head no longer changes it", [update("a", text)], [], { adopted: ["update a description"] }],
  [
    "the head no longer changes one of its fields",
    [update("a", text, topics)],
    [update("a", topics)],
    { earlier: ["update a topics_policy"], adopted: ["update a description"] },
  ],
  [
    "the head renames it too",
    [update("a", text)],
    [update("b", text, field("name", "a", "b"))],
    { mine: ["update b name"], earlier: ["update b description"] },
  ],
  ["a new object, created with other values", [make], [makeOther], { mine: ["create news description"] }],
  [
    "changed by the base, removed by the head",
    [update("old", text)],
    [change({ action: "remove", name: "old", id: 7 })],
    { mine: ["remove old"] },
  ],
  ["removed by both", [gone], [gone], { earlier: ["remove old"] }],
])("%s", (_, base, head, expected) => {
  const { mine, earlier, adopted } = compareThreeWays(planOf(...base), planOf(...head));
  expect({ mine: brief(mine), earlier: brief(earlier), adopted: brief(adopted) }).toEqual({
    mine: [],
    earlier: [],
    adopted: [],
    ...expected,
  });
});
