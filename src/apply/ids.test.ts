import { expect, test } from "vitest";
import { call } from "../../test/support/apply/toy.ts";
import { Ids } from "./ids.ts";

const make = call({ n: 1, operation: "make", for: [{ address: "thing:a", fields: [] }], creates: ["thing:a"] });

test.each([
  { id: 0, known: {} },
  { id: 2 ** 53, known: {} },
])("an answer with the id $id", ({ id, known }) => {
  const ids = new Ids();
  expect(ids.learnFromAnswer(make, { id })).toEqual(known);
  expect(ids.all()).toEqual(known);
});
