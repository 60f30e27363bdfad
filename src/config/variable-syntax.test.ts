import { expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { escapeReferences, parseTemplate } from "./variable-syntax.ts";

const shown = (text: string): string[] =>
  parseTemplate(text).map((part) => (part.kind === "text" ? part.text : `<${part.name}>`));

test("a reference that is not closed is marked", () =>
  expect(parseTemplate("x ${a")).toContainEqual({ kind: "reference", name: "a", written: "${a", closed: false }));

test("an escaped text is taken literally, whatever it contains", () => {
  const text = fc.array(fc.constantFrom("$", "{", "}", "${", "$${", "a", " ")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (each) => {
      expect(shown(escapeReferences(each))).toEqual([each]);
    }),
  );
});
