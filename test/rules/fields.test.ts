import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { fieldForms } from "../../src/rules/fields.ts";
import { type Against, testRules } from "../../src/workflow/rules.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";

/** A channel and a group with every field, and files that leave every field out. */
const snapshot = realmOf({
  user_groups: [{ name: "staff", members: ["hana@acme.example"] }],
  channels: [{ name: "lobby" }],
  subscribers: { lobby: [] },
});
const onReading: Against = { what: "reading", reader: { snapshot: async () => snapshot } };
const onFile: Against = {
  what: "file",
  config: {
    file: "realm.yaml",
    readFile: async () => "version: 1\nuser_groups: {staff: {members: [hana@acme.example]}}\nchannels: {lobby: {}}\n",
  },
};

const FORMS = fieldForms(kinds);
const OBJECTS: { readonly [kind: string]: string } = { channel: "lobby", user_group: "user_group:staff" };

/** Every field for which a rule can expect a value, and its valid words. */
const fields = [...FORMS.names].flatMap(([kind, names]) =>
  names.flatMap((field) => {
    const form = FORMS.of(kind, field);
    if (form === undefined || form.isList || form.isInactivity) return [];
    const words = form.isPermission ? ["role:members", "role:nobody", "staff"] : form.words;
    return words === undefined ? [] : [{ objects: OBJECTS[kind] ?? "", field, words }];
  }),
);

async function codesOf(rule: object, against: Against): Promise<readonly string[]> {
  const text = JSON.stringify({ version: 1, tests: [{ name: "x", ...rule }] });
  const result = await testRules({ file: "realm.test.yaml", readFile: async () => text }, against);
  return result.ok ? [] : result.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

test("there are fields of both types, with words and with groups", () => {
  expect(new Set(fields.map(({ objects }) => objects)).size).toBe(2);
  expect(fields.map(({ field }) => field)).toEqual(
    expect.arrayContaining(["privacy", "topics_policy", "message_retention_days", "can_join_group"]),
  );
});

test("a misspelt value of any field is an error at that field, and no correct value is", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...fields),
      fc.nat(),
      fc.nat(),
      fc.constantFrom("x", "Q", "_", "-", ""),
      fc.constantFrom("is", "not"),
      fc.constantFrom(onReading, onFile),
      async ({ objects, field, words }, which, where, letter, part, against) => {
        const word = words[which % words.length] ?? "";
        const at = where % word.length;
        const wrong = `${word.slice(0, at)}${letter}${word.slice(at + 1)}`;
        const expects = (value: string) => codesOf({ objects, fields: { [field]: { [part]: value } } }, against);
        expect({ field, word, codes: await expects(word) }).toEqual({ field, word, codes: [] });
        if (!words.includes(wrong))
          expect({ field, wrong, codes: (await expects(wrong)).length }).toMatchObject({ codes: 1 });
      },
    ),
    { numRuns: Number(process.env.REALMCTL_RUNS ?? 12) },
  );
});

test.each([true, 7, "true", 1.5])("a value of the wrong type is an error: %j", async (value) => {
  for (const { objects, field } of fields) {
    if (field === "message_retention_days" && value === 7) continue;
    expect({ field, codes: await codesOf({ objects, fields: { [field]: { not: value } } }, onReading) }).toMatchObject({
      field,
      codes: [expect.any(String)],
    });
  }
});

test("null means the same as in the file, and an address means the one person whom a setting names", async () => {
  const held = async (field: string, expectation: object) => {
    const text = JSON.stringify({
      version: 1,
      tests: [{ name: "x", objects: "lobby", fields: { [field]: expectation } }],
    });
    const reading = realmOf({
      channels: [{ name: "lobby", can_subscribe_group: { direct_members: [10], direct_subgroups: [] } }],
      subscribers: { lobby: [] },
    });
    const result = await testRules(
      { file: "realm.test.yaml", readFile: async () => text },
      { what: "reading", reader: { snapshot: async () => reading } },
    );
    return result.ok ? result.value.outcomes[0]?.verdict : result.diagnostics.map(({ code }) => code);
  };
  expect(await held("message_retention_days", { is: null })).toBe("holds");
  expect(await held("message_retention_days", { not: null })).toBe("broken");
  const [someone] = realmOf({}).users.filter(({ user_id }) => user_id === 10);
  const address = someone?.delivery_email ?? someone?.email ?? "";
  expect(await held("can_subscribe_group", { is: address })).toBe("holds");
  expect(await held("can_subscribe_group", { not: address })).toBe("broken");
});
