import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import { error, type Span, warning } from "../model/diagnostic.ts";
import { type DraftCall, exists } from "../model/draft-call.ts";
import type { FoundRisk } from "../model/facets.ts";
import type { MapKind, ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Plan, SideEffects } from "../model/plan.ts";
import { type PlanInput, planChanges } from "./plan.ts";

// What a plan says besides its changes: about itself, about a part of the file, and about the places of errors.

const snapshot = realmOf({ feature_level: 399 });
type Declared = { readonly [section: string]: readonly DeclaredObject[] };

function planned(declared: Declared, kinds: readonly ResourceKind[], more: Partial<PlanInput> = {}) {
  const sections = new Map(Object.entries(declared));
  const manage = Object.fromEntries(Object.keys(declared).map((section) => [section, "additive"] as const));
  return planChanges({ desired: { manage, sections, warnings: [] }, snapshot, kinds, toolVersion: "0", ...more });
}

function planOf(...input: Parameters<typeof planned>): Plan {
  const found = planned(...input);
  if (!found.ok) throw new RangeError(found.diagnostics[0]?.code);
  return found.value;
}

const diagnosticsOf = (...input: Parameters<typeof planned>) => {
  const found = planned(...input);
  return found.ok ? [] : found.diagnostics;
};

const kindOf = (name: string, live: readonly LiveObject[] | undefined, more: Partial<MapKind> = {}): MapKind =>
  toyKind({ name, section: `${name}s`, ...more, live: { read: () => live } });

const draft = (name: string, more: Partial<DraftCall> = {}) =>
  draftOf("update-thing", `thing:${name}`, ["colour"], more);

const at = (number: number, column = 1, file = "realm.yaml"): Span => ({ ...line(number), column, file });

describe("a plan", () => {
  test("says for which account it is, and which parts of the organization the file manages", () => {
    const { account, extra } = planOf({ things: [declaredThing("a")] }, [kindOf("thing", [liveThing(1, "a")])]);
    const { email, full_name, role, is_bot } = snapshot.account;
    expect(account).toEqual({ email, full_name, role, is_bot });
    expect(Object.keys(extra?.watch ?? {})).not.toEqual([]);
  });

  test.each<{ fact: string; effects: readonly Partial<SideEffects>[]; expected: SideEffects }>([
    { fact: "none", effects: [{}, {}], expected: { emails: 0, notices_in: [] } },
    {
      fact: "to the people of all kinds together, each channel once",
      effects: [
        { emails: 2, notices_in: ["general", "hall"], direct_messages: 1 },
        { emails: 3, notices_in: ["hall"], direct_messages: 4 },
      ],
      expected: { emails: 5, notices_in: ["general", "hall"], direct_messages: 5 },
    },
    {
      fact: "but not messages to nobody",
      effects: [{ emails: 1 }, { direct_messages: 0 }],
      expected: { emails: 1, notices_in: [] },
    },
  ])("counts the messages that its requests cause: $fact", ({ effects, expected }) => {
    const [first = {}, second = {}] = effects;
    const kinds = [
      kindOf("thing", [], { calls: { draft: () => [], sideEffects: () => first } }),
      kindOf("tool", [], { calls: { draft: () => [], sideEffects: () => second } }),
    ];
    expect(planOf({ things: [], tools: [] }, kinds).side_effects).toEqual(expected);
  });

  test("says what the server gives to the creator of an object", () => {
    const diff = { implied: () => ({ owner: "me" }) };
    const [change] = planOf({ things: [declaredThing("a")] }, [kindOf("thing", [], { diff })]).changes;
    expect(change?.fields).toEqual([{ field: "owner", before: null, after: "me", implied: true }]);
  });
});

describe("a plan has, besides changes and calls", () => {
  const address = "thing:a";
  const risk: FoundRisk = { kind: "removes", fact: { kind: "removed", object: { address, name: "a" } } };
  const red = (name: string) => declaredThing(name, { colour: "red" });
  const two = { things: [red("a"), red("b")] };
  const live = [liveThing(1, "a"), liveThing(2, "b")];

  test("the risks that the kind sees in each change, and no results of guards yet", () => {
    const risks: NonNullable<MapKind["review"]>["risks"] = ({ name }) => (name === "a" ? [risk] : []);
    const plan = planOf(two, [kindOf("thing", live, { review: { risks } })]);
    expect(plan.changes.map((change) => [change.name, change.risks])).toEqual([
      ["a", [{ ...risk, address, at: line(1) }]],
      ["b", []],
    ]);
    expect(plan.guards).toEqual([]);
  });

  test("no risks, if the kind sees none", () =>
    expect(planOf(two, [kindOf("thing", live)]).changes.map(({ risks }) => risks)).toEqual([[], []]));

  test.each<{ fact: string; least: MapKind["calls"]["least"]; expected: number }>([
    { fact: "one for each change", least: undefined, expected: 2 },
    { fact: "or as many as the kind says", least: () => 7, expected: 7 },
  ])("the least number of requests: $fact", ({ least, expected }) => {
    const calls = { draft: () => [draft("a"), draft("b")], ...(least && { least }) };
    expect(planOf(two, [kindOf("thing", live, { calls })]).least_calls).toBe(expected);
  });

  test("one more request is counted for each cycle of names", () => {
    const moves: MapKind["calls"]["moves"] = (changes) =>
      changes.flatMap((change) =>
        change.action === "update" ? [{ change, from: change.name === "a" ? "b" : "a", to: change.name }] : [],
      );
    const calls = { draft: () => [draft("a"), draft("b")], moves };
    expect(planOf(two, [kindOf("thing", live, { calls })]).least_calls).toBe(3);
  });

  test("one more request is counted for each that is split to break a cycle", () => {
    const halves = [
      draft("a", { provides: [exists("thing:a")] }),
      draft("a", { for: [{ address: "thing:a", fields: ["size"] }], needs: [exists("thing:b")] }),
    ] as const;
    const whole = { ...draft("a"), needs: [exists("thing:b")], provides: [exists("thing:a")], alternatives: [halves] };
    const other = { ...draft("b"), needs: [exists("thing:a")], provides: [exists("thing:b")] };
    const plan = planOf(two, [kindOf("thing", live, { calls: { draft: () => [whole, other] } })]);
    expect([plan.calls.length, plan.least_calls]).toEqual([3, 3]);
  });
});

describe("an error for apply is only a warning for a question", () => {
  const refused = error("channel_folders/not-allowed", { account: { user_id: 6 } });
  const unread = kindOf("tool", undefined);
  const barred = kindOf("thing", [], { review: { check: () => [refused, error("channels/limited-plan", {})] } });
  const codes = (kinds: readonly ResourceKind[], more: Partial<PlanInput>) => {
    const found = planned({ things: [declaredThing("a")], tools: [declaredThing("b")] }, kinds, more);
    const all = found.ok ? found.value.warnings : found.diagnostics;
    return all.map(({ code, severity }) => `${severity} ${code}`).sort();
  };
  const other = "error channels/limited-plan";
  test.each([
    { more: {}, expected: ["error channel_folders/not-allowed", other, "error plan/not-read"] },
    { more: { leavesUnread: true }, expected: ["error channel_folders/not-allowed", other, "warning plan/not-read"] },
    { more: { comparesOnly: true }, expected: [other, "error plan/not-read", "warning channel_folders/not-allowed"] },
    {
      more: { comparesOnly: true, leavesUnread: true },
      expected: [other, "warning channel_folders/not-allowed", "warning plan/not-read"],
    },
  ])("$more", ({ more, expected }) => expect(codes([barred, unread], more)).toEqual([...expected].sort()));

  test("the plan is made nevertheless", () =>
    expect(codes([unread], { leavesUnread: true })).toEqual(["warning plan/not-read"]));
});

test("diagnostics come in the order of the file: without a place first, then by file, line and column", () => {
  const places = [
    at(2, 9),
    at(2, 3),
    at(1, 5),
    undefined,
    at(1, 1, "b.yaml"),
    at(9, 1, "a.yaml"),
    undefined,
    at(1, 1, "z.yaml"),
  ];
  const warnings = places.map((place) => warning("channels/moderation-channel", {}, place));
  const desired = { manage: {}, sections: new Map(), warnings };
  const sorted = planOf({}, [], { desired }).warnings.map(({ at: found }) =>
    found === undefined ? "nowhere" : `${found.file} ${found.line}:${found.column}`,
  );
  expect(sorted).toEqual([
    "nowhere",
    "nowhere",
    "a.yaml 9:1",
    "b.yaml 1:1",
    "realm.yaml 1:5",
    "realm.yaml 2:3",
    "realm.yaml 2:9",
    "z.yaml 1:1",
  ]);
});

test("diagnostics without a place keep the order in which they were found", () => {
  const warnings = [warning("channels/moderation-channel", {}), warning("plan/not-read", { section: "things" })];
  const desired = { manage: {}, sections: new Map(), warnings };
  expect(planOf({}, [], { desired }).warnings.map(({ code }) => code)).toEqual([
    "channels/moderation-channel",
    "plan/not-read",
  ]);
});

describe("requests that wait for each other", () => {
  const waiting = (name: string, needs: string) =>
    draft(name, { needs: [exists(`thing:${needs}`)], provides: [exists(`thing:${name}`)] });
  const cycle = (declared: readonly DeclaredObject[], warnings: readonly Span[] = []) =>
    diagnosticsOf({ things: declared }, [
      kindOf("thing", [liveThing(1, "a"), liveThing(2, "b"), liveThing(3, "c")], {
        calls: { draft: () => [waiting("a", "b"), waiting("b", "a")] },
        review: { check: () => warnings.map((each) => warning("channels/moderation-channel", {}, each)) },
      }),
    ]);
  const red = (name: string, place: number) => declaredThing(name, { colour: "red" }, { at: line(place) });

  test("are named, each at its place, and nothing else is", () =>
    expect(cycle([red("c", 2), red("a", 3), red("b", 4)])).toEqual([
      error(
        "plan/cycle",
        {
          objects: [
            { address: "thing:a", name: "a" },
            { address: "thing:b", name: "b" },
          ],
        },
        line(3),
        [{ at: line(4), note: { one_of: { address: "thing:b", name: "b" } } }],
      ),
    ]));

  test("have no place if no change of the plan is about them", () =>
    expect(cycle([red("c", 2)]).map(({ code, at: found, notes }) => [code, found, notes])).toEqual([
      ["plan/cycle", undefined, undefined],
    ]));

  test("are reported in the order of the file with the other errors", () =>
    expect(cycle([red("a", 3)], [line(2), line(7)]).map(({ code }) => code)).toEqual([
      "channels/moderation-channel",
      "plan/cycle",
      "channels/moderation-channel",
    ]));
});

describe("a plan of a part of the file", () => {
  const things = [declaredThing("a", { colour: "red" }), declaredThing("b", { colour: "red" })];
  const tools = [declaredThing("saw", { colour: "red" })];
  const thing = kindOf("thing", [liveThing(1, "a"), liveThing(2, "b", { colour: "red" }), liveThing(3, "other")]);
  const tool = kindOf("tool", [liveThing(1, "saw", { colour: "red" })]);
  const elsewhere = kindOf("lamp", [liveThing(1, "desk")]);
  const part = (only: readonly string[], kinds: readonly ResourceKind[] = [thing, tool, elsewhere], isAgain = false) =>
    [
      { things, tools },
      kinds,
      { targets: { only, except: [], needs: "refuse" } as const, ...(isAgain && { isAgain }) },
    ] as const;

  test("counts only its own objects", () => {
    const plan = planOf(...part(["things"]));
    expect(plan.changes.map(({ address }) => address)).toEqual(["thing:a"]);
    expect(plan.matches).toEqual({ things: 1 });
    expect(plan.unmanaged).toEqual([{ section: "things", policy: "additive", names: ["other"] }]);
    expect(plan.extra?.partial?.only).toEqual([{ pattern: "things" }]);
    expect(plan.extra?.watch).toBeDefined();
    // The plan of the whole file also lists sections that the file does not have.
    const whole = planOf({ things, tools }, [thing, tool, elsewhere]);
    expect(whole.unmanaged.map(({ section }) => section)).toEqual(["things", "tools", "lamps"]);
    expect(whole.extra?.partial).toBeUndefined();
  });

  test("warns about every doubtful entry of the file", () => {
    const doubt = warning("channels/moderation-channel", {}, line(9));
    const doubtful = kindOf("tool", [], {
      review: { check: (changes) => (changes.length === 0 ? [] : [doubt]) },
    });
    const found = planned(...part(["things"], [thing, doubtful]));
    expect(found.ok && [found.value.warnings, found.warnings]).toEqual([[doubt], [doubt]]);
  });

  test("targets that match nothing are errors, but not in a later reading", () => {
    expect(diagnosticsOf(...part(["things", "thing:zzzzzz"])).map(({ code }) => code)).toEqual(["targets/no-match"]);
    expect(planOf(...part(["thing:zzzzzz"], [thing, tool], true)).changes).toEqual([]);
  });

  test("errors of the part come after the notes about what it leaves out, and without its warnings", () => {
    const strict = kindOf("thing", [], {
      review: {
        // The check passes while both objects exist.
        check: (changes) =>
          changes.length === 1
            ? [error("channels/limited-plan", {}, line(4)), warning("channels/moderation-channel", {})]
            : [],
      },
    });
    expect(diagnosticsOf(...part(["thing:a"], [strict, tool])).map(({ code, fact }) => [code, fact])).toEqual([
      ["targets/not-alone", { left_out: 1 }],
      ["channels/limited-plan", {}],
    ]);
  });

  test("missing needs are reported in the order of the file", () => {
    const needing = kindOf("thing", [], {
      calls: {
        draft: () => [
          draft("a", { needs: [exists("thing:c")] }),
          draft("b", { needs: [exists("thing:c")] }),
          draft("c", { provides: [exists("thing:c")] }),
        ],
      },
    });
    const three = ["a", "b", "c"].map((name, index) => declaredThing(name, {}, { at: line(5 - index) }));
    const targets = { only: [], except: ["thing:c"], needs: "refuse" } as const;
    const places = diagnosticsOf({ things: three }, [needing], { targets }).map(({ code, at: found }) => [
      code,
      found?.line,
    ]);
    expect(places).toEqual([["targets/needs", 5]]);
    // The target names the file's second object first.
    const both = [
      declaredThing("a", {}, { at: line(9) }),
      declaredThing("b", {}, { at: line(2) }),
      declaredThing("c", {}, { at: line(3) }),
    ];
    const needsOfBoth = kindOf("thing", [], {
      calls: {
        draft: () => [
          draft("a", { needs: [exists("thing:c")] }),
          draft("b", { needs: [exists("thing:d")] }),
          draft("c", { provides: [exists("thing:c")] }),
          draft("d", { provides: [exists("thing:d")] }),
        ],
      },
    });
    const fourth = declaredThing("d", {}, { at: line(4) });
    const of = { only: ["thing:a", "thing:b"], except: [], needs: "refuse" } as const;
    expect(
      diagnosticsOf({ things: [...both, fourth] }, [needsOfBoth], { targets: of }).map(({ at: found }) => found?.line),
    ).toEqual([2, 9]);
    const again = { only: ["thing:a", "thing:zzzzzz", "thing:b"], except: ["thing:c"], needs: "refuse" } as const;
    expect(diagnosticsOf({ things: three }, [needing], { targets: again })).toHaveLength(1);
  });
});
