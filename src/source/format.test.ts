import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import fc from "../../test/support/random.ts";
import { formatYaml } from "./format.ts";
import { keepsComments } from "./nodes.ts";
import { documentValue } from "./yaml.ts";

test("one layout", () => {
  const text = `# head


version:   1
channels:
    announce: { description: 'News' ,privacy: public }   # loud
    # below
    random:
        permissions:
            can_send_message_group:    "staff"
linkifiers:
- pattern: '#(?P<id>[0-9]+)'
  url_template: https://bugs.example.org/{id}


# the end`;
  expect(formatYaml(text)).toBe(`# head

version: 1
channels:
  announce: {description: 'News', privacy: public} # loud
  # below
  random:
    permissions:
      can_send_message_group: "staff"
linkifiers:
  - pattern: '#(?P<id>[0-9]+)'
    url_template: https://bugs.example.org/{id}

# the end
`);
});

test("a comment after a key stays there, and so does an anchor", () => {
  const text = `profiles:
  loud:   &loud   # few write
     x:  1
  # above
  quiet: # nobody
    # inside
    y: 2
linkifiers:    # tried in this order

    - pattern: a # first
    - # odd
      pattern: b
two: &two # anchored
  - 1
empty: # nothing
`;
  const formatted = formatYaml(text) ?? "";
  expect(formatted).toContain(`profiles:
  loud: &loud # few write
    x: 1
  # above
  quiet: # nobody
    # inside
    y: 2
linkifiers: # tried in this order

  - pattern: a # first
`);
  expect(formatted).toContain("two: &two # anchored\n  - 1\nempty: # nothing\n");
  expect(formatYaml(formatted)).toBe(formatted);
  expect(keepsComments(text, formatted)).toBe(true);
});

test.each([
  { what: "a syntax error", text: "a: [1" },
  { what: "an empty file", text: "" },
])("$what has no layout", ({ text }) => expect(formatYaml(text)).toBeUndefined());

test("anchors, merges and long texts stay", () => {
  const text = `base: &base\n  x: "${"long ".repeat(60)}"\nb: *base\nc:\n  <<: *base\n  y: |\n    two\n    lines\n`;
  expect(formatYaml(text)).toBe(text);
});

const scalar = fc.oneof(
  fc.constantFrom<unknown>("News", "two words", "no", "#1", "it's", "x: y", "", "a\nb\n", "  padded ", null, true, 7),
  fc.string({ maxLength: 6 }),
);
const key = fc.constantFrom("one", "two", "three four", "#5");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

describe("random documents", () => {
  test("keep their meaning and their comments, and do not change when they are formatted again", () => {
    const styles = fc.record({
      indent: fc.constantFrom(1, 2, 4),
      flowCollectionPadding: fc.boolean(),
      collectionStyle: fc.constantFrom<"any" | "block" | "flow">("any", "block", "flow"),
      indentSeq: fc.boolean(),
      singleQuote: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
        styles,
        fc.nat(),
        (document, style, seed) => {
          const plain = stringify(document, style);
          // A comment can stand before every line that starts an entry of the document itself.
          const text = plain
            .split("\n")
            .flatMap((line, index) =>
              /^[a-z"#]/.test(line) && (seed + index) % 2 === 0
                ? [`# note ${index}`, line]
                : /^[a-z ]+:$/.test(line) && (seed + index) % 3 === 0
                  ? [`${line} # behind ${index}`]
                  : [line],
            )
            .join("\n");
          fc.pre(documentValue(text) !== undefined);
          const formatted = formatYaml(text);
          expect(formatted, text).toBeDefined();
          expect(documentValue(formatted ?? "")).toEqual(documentValue(text));
          expect(keepsComments(text, formatted ?? "")).toBe(true);
          expect(formatYaml(formatted ?? "")).toBe(formatted);
        },
      ),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 30) },
    );
  });
});
