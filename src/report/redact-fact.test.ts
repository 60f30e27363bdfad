import { expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { kinds } from "../kinds/registry.ts";
import { type Diagnostic, error, warning } from "../model/diagnostic.ts";
import { named, type Person, quote } from "../model/diagnostics/values.ts";
import type { CallFact, UndoFact } from "../model/run-facts.ts";
import { diagnosticsGithub, diagnosticsJson, renderDiagnostics } from "./diagnostics.ts";
import { redactDiagnostic } from "./redact.ts";
import { redactFact } from "./redact-fact.ts";
import { redactionBy } from "./redaction.ts";
import { diagnosticsSarif } from "./sarif.ts";
import { PLAIN } from "./style.ts";
import { callText } from "./words/calls.ts";
import { undoText } from "./words/undo.ts";

const at = { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 2 };
const ADA: Person = { user_id: 7, full_name: "Ada Okafor", email: "ada@example.org" };

/** A diagnostic of each area about a channel of that name. */
function diagnosticsAbout(name: string, account: Person): readonly Diagnostic[] {
  const channel = quote(name, "channel");
  const object = named("channel", name);
  return [
    error("channels/name-taken", { name: channel, held_by: channel, is_inactive: true, is_left_over: false }, at),
    error("channels/not-allowed", { account, right: { to: "administer", channel } }, at),
    warning("channels/unseen-names", { account, names: [channel, quote("news", "channel")] }, at),
    error("channel_folders/in-use", { name: quote("Team"), channels: [{ name: channel, is_archived: true }] }, at),
    error("default_channels/unknown-channel", { name: quote("nwes", "channel"), meant: channel }, at),
    error("invites/unknown-channel", { name: channel }, at),
    error("user_groups/in-use", { name: quote("staff", "user_group"), uses: [{ field: "subscribers", object }] }, at),
    error("config/declared-twice", { noun: "channel", name: channel, other: channel }, at),
    error("include/declared-twice", { key: quote(name), is_section: false }, at),
    warning("plan/looks-renamed", { noun: "channel", object, live: { name: channel, id: 4 }, more: 0 }, at),
    error("plan/cycle", { objects: [object] }, at, [{ at, note: { one_of: object } }]),
    error(
      "reference/removed",
      { noun: "channel", name: channel, removal: "archives", section: "channels", is_declared: true },
      at,
    ),
    error(
      "guard/refused",
      {
        guard: { pattern: "removals" },
        fact: { about: { kind: "limit", counted: "removals", amount: 2, limit: 0, over: object } },
      },
      at,
    ),
    error(
      "guard/refused",
      {
        guard: { pattern: `protect:channel:${name}` },
        fact: {
          about: { kind: "protected", pattern: `channel:${name}`, object, action: "remove", fields: [] },
        },
      },
      at,
    ),
  ];
}

const callsAbout = (name: string): readonly CallFact[] => [
  { kind: "changed", changed: [{ object: named("channel", name), field: "description" }] },
  { kind: "refused", message: quote(name), parts: [] },
];

const undosAbout = (name: string): readonly UndoFact[] => [
  { why: "made-inactive", field: "archived", as: quote(name, "channel") },
  { why: "name-missing", field: "subscribers", name: quote(name, "channel") },
  {
    why: "needed",
    by: {
      code: "user_groups/in-use",
      fact: { name: quote("staff", "user_group"), uses: [{ field: "subscribers", object: named("channel", name) }] },
    },
  },
];

const HIDDEN = "private channel 4";

function outputs(diagnostics: readonly Diagnostic[], calls: readonly CallFact[], undos: readonly UndoFact[]): string {
  return [
    renderDiagnostics({ diagnostics, sources: new Map(), style: PLAIN }),
    JSON.stringify(diagnosticsJson(diagnostics)),
    diagnosticsGithub(diagnostics),
    JSON.stringify(diagnosticsSarif({ diagnostics, version: "0", ruleOf: () => undefined })),
    ...calls.map(callText),
    ...undos.map(undoText),
  ].join("\n");
}

/** Short names, words of our sentences, parts of names and of words, characters that every format escapes. */
const NAMES = ["b", "it", "hr", "of", "is", "here", "role", "news-desk", "removals", "channel", "private", 'say "hi"'];
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  fc
    .string({ minLength: 1, maxLength: 3, unit: fc.constantFrom(..."abehiorst -.") })
    .filter((text) => text.trim() !== ""),
);

test("facts about a hidden channel read as those about a channel that is called like its replacement", () => {
  fc.assert(
    fc.property(name, (hidden) => {
      const names = new Map([["channel", new Map([[hidden, HIDDEN]])]]);
      const redaction = redactionBy(
        { names, addresses: new Map([["ada@example.org", "person 7"]]), people: ["Ada Okafor"] },
        kinds,
      );
      const shown = outputs(
        diagnosticsAbout(hidden, ADA).map((diagnostic) => redactDiagnostic(diagnostic, redaction)),
        callsAbout(hidden).map((fact) => redactFact(fact, redaction)),
        undosAbout(hidden).map((fact) => redactFact(fact, redaction)),
      );
      const expected = outputs(diagnosticsAbout(HIDDEN, { user_id: 7 }), callsAbout(HIDDEN), undosAbout(HIDDEN));
      expect(shown).toBe(expected);
    }),
    { numRuns: 60 },
  );
});
