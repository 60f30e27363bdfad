import { describe, expect, test } from "vitest";
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
import { LEFT_OUT, redactFact, redactionBy, redactPattern } from "./redaction.ts";
import { diagnosticsSarif } from "./sarif.ts";
import { PLAIN } from "./style.ts";
import { undoText } from "./undo-notes.ts";
import { guardText } from "./words/guards.ts";
import { riskText } from "./words/risks.ts";

const CHANNELS = new Map([
  ["security", "private channel 4"],
  ["it", "private channel 5"],
  ["hr", "private channel 6"],
  ["here", "private channel 7"],
  ["Kilimanjaro Merger", "private channel 8"],
  ['say "hi"', "private channel 9"],
  ["back\\slash", "private channel 10"],
  ["über-uns", "private channel 11"],
]);
const redaction = redactionBy(
  {
    names: new Map([["channel", CHANNELS]]),
    ids: new Map([[8, "private channel 8"]]),
    addresses: new Map([["ada@example.org", "person 1"]]),
    people: ["Grace Hopper", "Will"],
    visible: ["hr-public", "general", "it crowd"],
    known: new Set(["ask grace hopper"]),
  },
  kinds,
);

describe("texts that people write are left out completely", () => {
  test.each([
    ["security", "private channel 4"],
    ["Ada@example.org", "person 1"],
    ["See #**Kilimanjaro Merger>plans**", LEFT_OUT],
    ["See [there](#narrow/channel/8-Kilimanjaro-Merger/topic/plans)", LEFT_OUT],
    ["https://chat.example.org/#narrow/channel/8", LEFT_OUT],
    ["https://chat.example.org/#narrow/stream/Kilimanjaro.20Merger", LEFT_OUT],
    ["https://chat.example.org/#narrow/stream/Kilimanjaro%20Merger", LEFT_OUT],
    [
      "https://chat.example.org/#narrow/stream/Kilimanjaro%252520Merger",
      "https://chat.example.org/#narrow/stream/Kilimanjaro%252520Merger",
    ],
    ["#channels/8/anything/general", LEFT_OUT],
    ["say &quot;hi&quot; to them", LEFT_OUT],
    ['answered: {"msg": "no say \\"hi\\" there"}', LEFT_OUT],
    ["back%5Cslash", LEFT_OUT],
    ["%C3%BCber-uns", LEFT_OUT],
    ["Be here at nine", LEFT_OUT],
    ["Ask Grace Hopper", "Ask Grace Hopper"],
    ["Ask Grace Hopper first", LEFT_OUT],
    ["Write to ada@example.org", LEFT_OUT],
    ["For hr-public and the it crowd", "For hr-public and the it crowd"],
    ["It is for hr", "It is for hr"],
    ["It is for #hr", LEFT_OUT],
    ["general", "general"],
    ["channel/80-Other", "channel/80-Other"],
  ])("%s → %s", (from, to) => expect(redaction.value(from)).toBe(to));
});

describe("names as data", () => {
  test.each([
    ["channel", "hr", "private channel 6"],
    ["channel", "HR", "private channel 6"],
    ["default_channel", "hr", "private channel 6"],
    ["user_group", "hr", "hr"],
    ["channel_folder", "here", "here"],
    ["channel", "general", "general"],
    ["invite", "ada@example.org", "person 1"],
    ["navigation_view", "narrow/channel/8-Kilimanjaro-Merger", "narrow/channel/8"],
    ["navigation_view", "inbox", "inbox"],
    ["linkifier", "#(?P<id>[0-9]+)", "#(?P<id>[0-9]+)"],
    ["linkifier", "Kilimanjaro Merger (?P<id>[0-9]+)", LEFT_OUT],
    ["emoji", "kilimanjaro_merger", LEFT_OUT],
    ["emoji", "old_kilimanjaro_merger_2", LEFT_OUT],
    ["emoji", "say_hi_there", LEFT_OUT],
    ["bot", "kilimanjaro-merger-bot", LEFT_OUT],
    ["bot", "grace.hopper-bot", LEFT_OUT],
    ["bot", "deploy-bot", "deploy-bot"],
  ])("%s %s → %s", (kind, from, to) => expect(redaction.name(kind, from)).toBe(to));
});

test.each([
  ["hr", "private channel 6"],
  ["Kili*", "(private)"],
  ["*", "*"],
  ["hr-*", "hr-*"],
])("a pattern %s → %s", (from, to) => expect(redaction.pattern("channels", from)).toBe(to));

test("a long text with many partial matches of names is searched once", () => {
  const names = new Map(Array.from({ length: 60 }, (_, at) => [`${"a".repeat(at + 1)}-b`, "hidden"] as const));
  const text = "a".repeat(200_000);
  expect(redactionBy({ names: new Map([["channel", names]]), addresses: new Map() }, kinds).value(text)).toBe(text);
});

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
