import { expect, test } from "vitest";
import { quoting } from "../../test/support/example-plans.ts";
import { codeIn, effectsOf, pageOf } from "../../test/support/forge-page.mjs";
import fc from "../../test/support/random.ts";
import { clean } from "../model/clean.ts";
import { warning } from "../model/diagnostic.ts";
import { named, quote } from "../model/diagnostics/values.ts";
import type { RiskFact } from "../model/facts.ts";
import { wayThrough } from "./guards.ts";
import { proseText, sentenceText } from "./markdown-text.ts";
import { withNames } from "./named-text.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { guardWords } from "./words/guards.ts";
import { riskText } from "./words/risks.ts";

const archived = (name: string, was?: string): { readonly fact: RiskFact } => ({
  fact: { kind: "archived", object: { ...named("channel", name), ...(was === undefined ? {} : { was }) }, cleared: [] },
});

test.each([
  [archived("general"), "`#general` is archived"],
  [archived("R&D (Berlin): 2026/27"), "`#R&D (Berlin): 2026/27` is archived"],
  [archived("Team  A becomes readable by 3 people"), "`#Team  A becomes readable by 3 people` is archived"],
  [archived("It's `Q&A` @all"), "``#It's `Q&A` @all`` is archived"],
  [archived("#help me", "Helpers of all"), "`##help me` (now `#Helpers of all`) is archived"],
  [archived(""), "`#` is archived"],
] as const)("a name is one span: %j", (risk, text) => {
  expect(sentenceText(withNames(risk, riskText))).toBe(text);
});

test.each<readonly [fact: RiskFact, text: string]>([
  [
    { kind: "removed", object: named("linkifier", "T(?P<id>[0-9]+)"), noun: "linkifier" },
    "the linkifier `T(?P<id>[0-9]+)` is removed",
  ],
  [
    { kind: "emoji-removed", object: named("emoji", "party cat"), author: { user_id: 7, full_name: "Ada (Berlin)" } },
    "the emoji `:party cat:` by `Ada (Berlin)` is removed: its picture cannot be restored",
  ],
])("an object with a sign, or with brackets: $kind", (fact, text) => {
  expect(sentenceText(withNames({ fact }, riskText))).toBe(text);
});

test("quotes, punctuation and an advised command stay with the name that they are about", () => {
  const diagnostic = quoting("Night shift (Berlin)");
  expect(sentenceText(withNames(diagnostic, (one) => wordedDiagnostic(one).message))).toBe(
    'the channel `"Night shift (Berlin)"` is new, and `"Night shift (Berlin)"`, which the file does not mention, matches it: did you rename it?',
  );
  expect(sentenceText(withNames(diagnostic, (one) => wordedDiagnostic(one).hint ?? ""))).toContain(
    '`realmctl adopt "channel:Night shift (Berlin)"`',
  );
  const list = warning("channels/unseen-names", {
    account: { user_id: 7, full_name: "Ada O. (x)", email: "ada@example.org" },
    names: [quote("a b", "channel"), quote("c, d", "channel")],
  });
  expect(sentenceText(withNames(list, (one) => wordedDiagnostic(one).message))).toMatch(
    /^`Ada O\. \(x\)` \(`ada@example\.org`\), the account.* `#a b` and `#c, d` /,
  );
});

test("a command is one span, with the name in it", () => {
  const guard = {
    name: "protect:channel:R&D (Berlin)*",
    fact: {
      about: {
        kind: "protected",
        pattern: "channel:R&D (Berlin)*",
        object: named("channel", "R&D (Berlin): 1"),
        action: "remove",
        fields: [],
      },
      asks: true,
    },
  } as const;
  expect(sentenceText(withNames(guard, guardWords))).toBe(
    "`channel:R&D (Berlin)*` is protected, and this plan removes `R&D (Berlin): 1`: apply asks you to confirm this; with `--yes`, add `--allow 'protect:channel:R&D (Berlin)*'`",
  );
  const way = (one: { readonly name: string }) =>
    sentenceText(withNames(one, (given, show) => wayThrough(given, "comment", show)));
  expect(way(guard)).toBe(
    "apply it by hand once with `--allow 'protect:channel:R&D (Berlin)*'`, or remove it from protect",
  );
  expect(way({ name: "lockout" })).toBe(
    "apply it by hand once with `--allow lockout`, or write `lockout: allow` into the policy",
  );
});

test("a name that a long sentence is cut in ends with what is shown of it", () => {
  const text = sentenceText(withNames(archived("long name ".repeat(200)), riskText));
  expect(text).toMatch(/^`#long name .{500,600}`… \(2,013 characters\)$/);
});

const odd = fc
  .array(
    fc.constantFrom(
      ..."ab `\"'#@*_<>()[]{}:.,!\\\n\ufdd0\ufdd1\u202e".split(""),
      "realmctl x --y ",
      "private channel 3",
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

test("whatever a name is, a page shows it whole as one piece of code, and nothing else as code", () => {
  fc.assert(
    fc.property(odd, odd, (name, other) => {
      const text = sentenceText(withNames(archived(name, `b${other}`), riskText));
      const page = pageOf(text);
      expect(effectsOf(page)).toEqual([]);
      // Marks in a name are written out.
      const shown = (one: string): string =>
        clean(`#${one}`).replace(/[\ufdd0\ufdd1]/g, (mark) => (mark === "\ufdd0" ? "\\ufdd0" : "\\ufdd1"));
      expect(codeIn(page)).toEqual(name === `b${other}` ? [shown(name)] : [shown(name), shown(`b${other}`)]);
    }),
  );
});

test("a text that is no fact has no marks", () => {
  fc.assert(
    fc.property(odd, (text) => {
      expect(proseText(`${text}\ufdd0a b\ufdd1${text}`)).not.toMatch(/[\ufdd0\ufdd1]|`a b`/);
    }),
  );
});
