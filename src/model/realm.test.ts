import { expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "./realm.ts";
import { byText } from "./texts.ts";

const base = realmOf({});
const [person] = base.users;

const people = fc.uniqueArray(
  fc.record({
    user_id: fc.oneof(fc.integer({ min: -3, max: 40 }), fc.constantFrom(5_000, 2_000_000)),
    email: fc.constantFrom("Ada@a.example", "bo@a.example", "cy@a.example", "DI@a.example", "\u00e9@a.example"),
    is_active: fc.boolean(),
  }),
  { selector: ({ user_id }) => user_id, maxLength: 30 },
);
const lists = fc.array(fc.array(fc.oneof(fc.integer({ min: -5, max: 45 }), fc.constant(5_000)), { maxLength: 20 }), {
  maxLength: 8,
});

test("names of active people are the same, however many lists were requested before", () => {
  fc.assert(
    fc.property(people, lists, (drawn, asked) => {
      if (person === undefined) throw new RangeError("the realm has nobody");
      const users = drawn.map((user) => ({ ...person, ...user, delivery_email: null }));
      const realm = new Realm({ ...base, users });
      for (const ids of asked) {
        const active = ids.filter((id) => users.find(({ user_id }) => user_id === id)?.is_active !== false);
        expect(realm.namesOfActive(ids)).toEqual(active.map((id) => realm.userName(id)).sort(byText));
      }
    }),
  );
});
