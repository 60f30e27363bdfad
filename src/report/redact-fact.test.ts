import { expect, test } from "vitest";
import * as z from "zod";
import fc from "../../test/support/random.ts";
import { kinds } from "../kinds/registry.ts";
import { type Diagnostic, error, warning } from "../model/diagnostic.ts";
import { callText } from "../model/diagnostics/calls.ts";
import { named, type Person, quote } from "../model/diagnostics/values.ts";
import { GuardFact, RiskFact } from "../model/fact-forms.ts";
import { isList, isObject } from "../model/json.ts";
import type { Guard } from "../model/plan.ts";
import type { CallFact, UndoFact } from "../model/run-facts.ts";
import { diagnosticsGithub, diagnosticsJson, renderDiagnostics } from "./diagnostics.ts";
import { redactDiagnostic } from "./redact.ts";
import { redactFact, redactPattern } from "./redact-fact.ts";
import { redactionBy } from "./redaction.ts";
import { diagnosticsSarif } from "./sarif.ts";
import { PLAIN } from "./style.ts";
import { undoText } from "./undo-notes.ts";
import { guardText } from "./words/guards.ts";
import { riskText } from "./words/risks.ts";

const at = { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 2 };
const ADA: Person = { user_id: 7, full_name: "Ada Okafor", email: "ada@example.org" };

/** A diagnostic of each area about a channel with that name. */
function diagnosticsAbout(name: string, account: Person): readonly Diagnostic[] {
  const channel = quote(name, "channel");
  const object = named("channel", name);
  return [
    error("zulip/refused", { site: "https://chat.example.org", email: quote("x@example.org"), answer: quote(name) }),
    error("github/refused", { work: "open-issue", answer: quote(name), cause: "other" }),
    error("reviewed/moved", { subject: "object", object, fields: ["privacy"] }, at),
    error("plan/other-names", { objects: [{ noun: "channel", id: 4, planned: channel, now: channel }] }),
    error("plan-file/other-tool", {
      file: "plan.json",
      saved_by: quote(name),
      this_version: "0",
      because: { of: "names", kinds: [quote(name)], operations: [quote(name)] },
    }),
    error("channels/name-taken", { name: channel, held_by: channel, is_inactive: true, is_left_over: false }, at),
    error("channels/not-allowed", { account, right: { to: "administer", channel } }, at),
    warning("channels/unseen-names", { account, names: [quote("news", "channel"), channel] }, at),
    error("channel_folders/in-use", { name: quote("Team"), channels: [{ name: channel, is_archived: true }] }, at),
    error("invites/unknown-channel", { name: channel, known: [channel], more: 0 }, at),
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
      "rules/broken",
      {
        rule: quote("Guests read nothing"),
        violation: {
          kind: "can",
          who: account,
          right: "can_send_message_group",
          on: object,
          paths: [{ via: "setting", isOfOrganization: false, setting: "can_send_message_group", groups: [] }],
        },
      },
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
  { kind: "refused", message: quote(name), parts: [{ address: quote(name), reason: quote(name) }] },
  { kind: "not-sent", reason: quote(name) },
  { kind: "no-answer", reason: { is: "no-answer", why: quote(name) } },
  { kind: "answer-lost", reason: { is: "server-failed", answer: quote(name) } },
];

/** Sample values for a schema: objects, texts and patterns have that name, and numbers and words are the same for all. */
function sample(schema: unknown, name: string, key = ""): unknown {
  if (!isObject(schema)) return null;
  const { anyOf, oneOf, const: constant, enum: choices, properties, items, type: types } = schema;
  const type = isList(types) ? types[0] : types;
  if (constant !== undefined) return constant;
  if (isList(choices)) return choices[0];
  const variants = isList(anyOf) ? anyOf : oneOf;
  if (isList(variants)) return sample(variants[0], name, key);
  if (isObject(properties)) {
    if ("address" in properties && "name" in properties) return { ...named("channel", name), was: name };
    return Object.fromEntries(Object.entries(properties).map(([inner, part]) => [inner, sample(part, name, inner)]));
  }
  if (type === "array") return [sample(items, name, key)];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return key === "user_id" ? ADA.user_id : 2;
  return key === "pattern" ? `channel:${name}` : key === "quoted" ? name : key === "full_name" ? ADA.full_name : "word";
}

/** One fact of every kind in the schema, as risks and guard rails have them. */
function samplesOf(schema: z.ZodType, name: string): readonly unknown[] {
  const { oneOf, anyOf } = z.toJSONSchema(schema);
  return (oneOf ?? anyOf ?? []).map((variant) => sample(JSON.parse(JSON.stringify(variant)), name));
}

const risksAbout = (name: string): readonly RiskFact[] => samplesOf(RiskFact, name).map((fact) => RiskFact.parse(fact));

function guardsAbout(name: string): readonly Pick<Guard, "name" | "fact">[] {
  return samplesOf(GuardFact.shape.about, name).map((about) => {
    const fact = GuardFact.parse({ about });
    return { name: `protect:channel:${name}`, fact };
  });
}

/** Every reason of an undo with a name or a text of a person. */
const undosAbout = (name: string): readonly UndoFact[] => [
  { why: "made-inactive", field: "archived", as: quote(name, "channel") },
  { why: "account-inactive", field: "subscribers", people: [quote(name, "channel")], kept: true },
  { why: "readers-stay", accounts: [ADA] },
  { why: "right-stays", right: "read", accounts: [{ person: ADA, groups: [quote("staff", "user_group")] }] },
  { why: "key-seen", account: ADA },
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

interface Facts {
  readonly diagnostics: readonly Diagnostic[];
  readonly calls: readonly CallFact[];
  readonly undos: readonly UndoFact[];
  readonly risks: readonly RiskFact[];
  readonly guards: readonly Pick<Guard, "name" | "fact">[];
}

const factsAbout = (name: string, account: Person): Facts => ({
  diagnostics: diagnosticsAbout(name, account),
  calls: callsAbout(name),
  undos: undosAbout(name),
  risks: risksAbout(name),
  guards: guardsAbout(name),
});

function outputs({ diagnostics, calls, undos, risks, guards }: Facts): string {
  return [
    ...risks.map((fact) => riskText({ fact })),
    ...guards.map(guardText),
    renderDiagnostics({ diagnostics, sources: new Map(), style: PLAIN }),
    JSON.stringify(diagnosticsJson(diagnostics)),
    diagnosticsGithub(diagnostics),
    JSON.stringify(diagnosticsSarif({ diagnostics, version: "0", ruleOf: () => undefined })),
    ...calls.map(callText),
    ...undos.flatMap((fact) => [undoText(fact), undoText(fact, "many")]),
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

test("facts about a hidden channel are equal to those about a channel with the name of its replacement", () => {
  fc.assert(
    fc.property(name, (hidden) => {
      const names = new Map([["channel", new Map([[hidden, HIDDEN]])]]);
      const redaction = redactionBy(
        { names, addresses: new Map([["ada@example.org", "person 7"]]), people: ["Ada Okafor"] },
        kinds,
      );
      const facts = factsAbout(hidden, ADA);
      const shown = outputs({
        diagnostics: facts.diagnostics.map((diagnostic) => redactDiagnostic(diagnostic, redaction)),
        calls: facts.calls.map((fact) => redactFact(fact, redaction)),
        undos: facts.undos.map((fact) => redactFact(fact, redaction)),
        risks: facts.risks.map((fact) => redactFact(fact, redaction)),
        guards: facts.guards.map(({ name: rail, fact }) => ({
          name: redactPattern(rail, redaction),
          fact: redactFact(fact, redaction),
        })),
      });
      const expected = outputs(factsAbout(HIDDEN, { user_id: 7 })).replaceAll("Ada Okafor", "account 7");
      expect(shown).toBe(expected);
    }),
    { numRuns: 40 },
  );
});

test("every kind of risk and of guard rail has an example", () => {
  expect(risksAbout("of").length).toBeGreaterThan(35);
  expect(new Set(guardsAbout("of").map(({ fact }) => fact.about.kind)).size).toBe(GuardFact.shape.about.options.length);
});

test.each([
  { hidden: "t\u043ep", shown: "(left out: it mentions somebody or something private)" },
  { hidden: "hall", shown: "top" },
])("a name that looks like a hidden one is hidden with it: $hidden", ({ hidden, shown }) => {
  const redaction = redactionBy(
    { names: new Map([["channel", new Map([[hidden, "private channel 4"]])]]), addresses: new Map() },
    kinds,
  );
  const fact = {
    noun: "channel",
    name: quote("top", "channel"),
    other: quote("t\u043ep", "channel"),
    where: "file",
  } as const;
  const redacted = redactDiagnostic(warning("config/same-letters", fact, at), redaction);
  expect(JSON.stringify(redacted)).toContain(JSON.stringify(shown));
});

test("which hidden channel a name of the file looks like is not told", () => {
  const redaction = redactionBy(
    { names: new Map([["channel", new Map([["board", HIDDEN]])]]), addresses: new Map() },
    kinds,
  );
  const name = quote("bord", "channel");
  const redacted = (meant: string) =>
    redactDiagnostic(
      error("default_channels/unknown-channel", { name, meant: quote(meant, "channel"), known: [], more: 0 }, at),
      redaction,
    );
  expect(redacted("board").fact).toEqual({ name, known: [], more: 0 });
  expect(redacted("birds").fact).toEqual({ name, meant: quote("birds", "channel"), known: [], more: 0 });
});
