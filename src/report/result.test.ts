import { describe, expect, test } from "vitest";
import {
  call,
  change,
  EMPTY_PLAN,
  field,
  HOSTILE_PLAN,
  LARGE_PLAN,
  line,
  MIXED_PLAN,
  quoting,
  risk,
} from "../../test/support/example-plans.ts";
import { error, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { ApplyResult, CallResult, Conflict, Drift } from "../model/result.ts";
import { renderDrift } from "./drift.ts";
import { saidChange } from "./drift-view.ts";
import { renderDriftJson, renderResultJson, saidCalls } from "./json.ts";
import { renderResult } from "./result.ts";
import { describeCall, progressLine } from "./result-calls.ts";
import { displayWidth, PLAIN, type Style } from "./style.ts";

const at = (width: number): Style => ({ ...PLAIN, width });

const plan = {
  ...MIXED_PLAN,
  calls: [
    call(1, { for: [{ address: "channel:incidents", fields: ["name"] }] }),
    call(2, { for: [{ address: "channel:incidents", fields: ["privacy", "description"] }], after: [1] }),
    call(3, { for: [{ address: "channel:incidents", fields: ["can_subscribe_group"] }], after: [2] }),
    call(4, { creates: ["channel:release-notes"] }),
    call(5, { for: [{ address: "channel:old-wiki", fields: ["archived"] }] }),
  ],
};

const result = (partial: Partial<ApplyResult>, ...states: readonly CallResult["state"][]): ApplyResult => ({
  plan,
  outcome: "applied",
  exitCode: 0,
  calls: states.map((state, index) => ({ n: index + 1, state })),
  conflicts: [],
  remaining: [],
  journal: ".realmctl/2026-11-21T12-05-02.jsonl",
  elapsedMs: 2140,
  diagnostics: [],
  ...partial,
});

const REFUSED = { kind: "refused", message: quote("No."), parts: [] } as const;

const moved: Conflict = {
  address: "channel:incidents",
  kind: "channel",
  name: "incidents",
  field: "can_subscribe_group",
  planned: "role:nobody",
  found: { groups: ["contractors"], users: ["eve@example.org"] },
  wanted: "engineering",
  calls: [3],
};

const RESULTS = [
  { name: "applied", result: result({}, "done", "done", "done", "already-so", "done") },
  { name: "nothing-to-do", result: result({ outcome: "nothing-to-do", journal: null }) },
  {
    name: "conflict",
    result: result(
      { outcome: "conflict", exitCode: 4, conflicts: [moved], remaining: null, journal: null },
      "not-attempted",
      "not-attempted",
      "conflict",
      "not-attempted",
      "not-attempted",
    ),
  },
  {
    name: "in-part",
    result: result({
      outcome: "in-part",
      exitCode: 5,
      conflicts: [moved],
      remaining: MIXED_PLAN.changes.slice(0, 2),
      calls: [
        { n: 1, state: "done" },
        {
          n: 2,
          state: "failed",
          code: "BAD_REQUEST",
          fact: { kind: "refused", message: { quoted: "Invalid parameters" }, parts: [] },
          applied_parts: [{ address: "channel:incidents", fields: ["privacy"] }],
        },
        { n: 3, state: "skipped", because: 2 },
        { n: 4, state: "conflict" },
        { n: 5, state: "not-attempted", fact: { kind: "not-sent", reason: { quoted: "the run stopped before it" } } },
      ],
    }),
  },
  {
    name: "stopped",
    result: result(
      { outcome: "stopped", exitCode: 5, remaining: null },
      "done",
      "not-attempted",
      "not-attempted",
      "not-attempted",
      "not-attempted",
    ),
  },
  {
    name: "not-allowed",
    result: result(
      {
        outcome: "not-allowed",
        exitCode: 6,
        remaining: null,
        diagnostics: [
          error("zulip/not-allowed", {
            site: "https://chat.example.org",
            email: quote("ada@example.org"),
            answer: quote("Must be an organization administrator"),
          }),
        ],
      },
      "failed",
    ),
  },
] as const;

describe("the whole text", () => {
  test.each(RESULTS)("$name", async ({ name, result }) => {
    await expect(renderResult(result, { style: at(100) })).toMatchFileSnapshot(`snapshots/result-${name}.txt`);
  });
  test.each(RESULTS)("$name is never wider than the terminal", ({ result }) => {
    for (const width of [40, 60, 80])
      for (const text of renderResult(result, { style: at(width), all: true }).split("\n"))
        expect(displayWidth(text), text).toBeLessThanOrEqual(width);
  });
});

test.each([
  { found: true, planned: false, said: "#incidents exists already: somebody created it since the plan was made" },
  { found: false, planned: true, said: "#incidents no longer exists: somebody removed it since the plan was made" },
])("$said", ({ found, planned, said }) => {
  const conflicts = [{ ...moved, field: "exists", found, planned }];
  expect(renderResult(result({ outcome: "conflict", conflicts, remaining: null }), { style: PLAIN })).toContain(said);
});

test("changes that remain after the run are named, and the result is not called a match", () => {
  const text = renderResult(result({ remaining: MIXED_PLAN.changes.slice(0, 1) }, "done"), { style: PLAIN });
  expect(text).toContain("Read again: 1 change is still to be made: #incidents.");
  expect(text).not.toContain("matches the file");
});

test("hidden values of a conflict are not shown, and the text says that they are hidden", () => {
  const conflicts = [{ ...moved, hidden: true as const }];
  const text = renderResult(result({ outcome: "conflict", conflicts, remaining: null }), { style: PLAIN });
  expect(text).toContain("changed since the plan was made; the values are hidden");
  expect(text).not.toMatch(/planned from|contractors|engineering/);
  expect(renderResult(RESULTS[2].result, { style: PLAIN })).not.toContain("hidden");
});

test("a value that a conflict does not have gets no line", () => {
  const { wanted: _, ...conflict } = moved;
  const text = renderResult(result({ outcome: "conflict", conflicts: [conflict], remaining: null }), { style: PLAIN });
  expect(text).toContain("found");
  expect(text).not.toContain("wanted");
});

test("a result on a copy says that the organization itself did not change", () => {
  const copy = { ...plan, realm: { ...plan.realm, sandbox_of: "https://chat.example.org" } };
  const says = "nothing was sent to the organization itself";
  expect(renderResult(result({ plan: copy }, "done"), { style: PLAIN })).toContain(says);
  expect(renderResult(result({}, "done"), { style: PLAIN })).not.toContain(says);
});

test("changes that were already made are counted separately", () => {
  const text = (states: readonly CallResult["state"][], partial: Partial<ApplyResult> = {}): string =>
    renderResult(result(partial, ...states), { style: { ...PLAIN, width: 200 } });
  expect(text(["already-so", "already-so"])).toContain("Nothing was sent: 2 of 2 writes were already in place.");
  expect(text(["done", "already-so"])).toContain("2 of 2 writes (1 already in place) in");
  expect(text(["done", "done"])).not.toContain("already in place");
  const inPart = { outcome: "in-part", exitCode: 5 } as const;
  expect(text(["done", "already-so", "failed"], inPart)).toContain("done 1 · already in place 1 · failed 1");
  expect(text(["done", "failed"], inPart)).not.toContain("already in place");
  expect(text(["already-so", "conflict"], { outcome: "conflict", exitCode: 4 })).toContain("already in place 1");
});

describe("reactivated accounts whose memberships were not read", () => {
  const reactivating = { ...plan, calls: [call(1, { operation: "reactivate-user" }), call(2)] };
  const says = "Reactivated accounts have their previous memberships again: realmctl plan shows";
  const text = (
    partial: Partial<ApplyResult>,
    options: { readonly matches?: "plan"; readonly undoes?: string },
  ): string =>
    renderResult(result({ plan: reactivating, ...partial }, "done", "done"), {
      style: { ...PLAIN, width: 200 },
      ...options,
    });
  test("are mentioned after a saved plan that reactivated one", () =>
    expect(text({}, { matches: "plan" })).toContain(says));
  test.each<{ fact: string; partial?: Partial<ApplyResult>; options?: { matches?: "plan"; undoes?: string } }>([
    { fact: "after the plan of a file", options: {} },
    { fact: "after an undo", options: { matches: "plan", undoes: "x.jsonl" } },
    { fact: "if the organization was not read again", partial: { remaining: null } },
    { fact: "if changes remain", partial: { remaining: MIXED_PLAN.changes.slice(0, 1) } },
    {
      fact: "if the call was not carried out",
      partial: {
        calls: [
          { n: 1, state: "failed" },
          { n: 2, state: "done" },
        ],
      },
    },
    { fact: "if no call reactivates an account", partial: { plan: { ...plan, calls: [call(1), call(2)] } } },
  ])("are not mentioned $fact", ({ partial = {}, options = { matches: "plan" } }) =>
    expect(text(partial, options)).not.toContain("memberships"),
  );
  test("are named if changes remain that remove them again", () => {
    const came_back = [{ address: "person:elif@example.org", name: "elif@example.org" }] as const;
    const remaining = MIXED_PLAN.changes.slice(0, 1);
    expect(text({ came_back, remaining }, {})).toContain(
      "which were not visible before: person elif@example.org. To remove those",
    );
    expect(text({ remaining }, {})).not.toContain("memberships");
  });
});

describe("the suggested command continues what was started", () => {
  const conflicts = [{ ...moved, field: "description" }];
  test.each([
    {
      what: "a file",
      options: {},
      stopped: "realmctl apply",
      matched: "the organization matches the file.",
      look: "realmctl plan.",
    },
    {
      what: "a saved plan",
      options: { goOnWith: " x.plan", matches: "plan" },
      stopped: "realmctl apply x.plan",
      matched: "the organization matches the plan.",
      look: "realmctl plan.",
    },
    // Applying the file would repeat the changes that the undo reverts.
    {
      what: "an undo",
      options: { matches: "plan", undoes: ".realmctl/x.jsonl" },
      stopped: "realmctl apply --undo .realmctl/x.jsonl",
      matched: "the organization matches the plan.",
      look: "realmctl apply --undo .realmctl/x.jsonl",
    },
  ] as const)("$what", ({ options, stopped, matched, look }) => {
    const text = (given: Parameters<typeof result>[0]) =>
      renderResult(result(given), { style: { ...PLAIN, width: 200 }, ...options }).split("\n");
    expect(text({ outcome: "stopped", remaining: null })).toContain(`Continue with the rest: ${stopped}`);
    expect(text({ outcome: "applied", remaining: [] })).toContain(`Read again: ${matched}`);
    const again = text({ outcome: "conflict", conflicts, remaining: null }).find((line) =>
      line.startsWith("Plan again"),
    );
    expect(again?.startsWith(`Plan again: ${look}`)).toBe(true);
    expect(again?.includes("adopt")).toBe(look === "realmctl plan.");
  });
});

test("with --all, successful calls are listed too", () => {
  const text = renderResult(RESULTS[0].result, { style: PLAIN, all: true });
  expect(text).toContain("✓ #1   done: #incidents: name");
  expect(text).toContain("✓ #4   already in place: create #release-notes");
});

test.each([
  { n: 0, said: "#incidents: name" },
  { n: 1, said: "#incidents: privacy, description" },
  { n: 3, said: "create #release-notes" },
  { n: 4, said: "archive #old-wiki" },
])("call $n is described as $said", ({ n, said }) => {
  const one = plan.calls[n];
  expect(one && describeCall(plan, one, PLAIN)).toBe(said);
});

test("a call that creates many objects says how many", () => {
  const creates = Array.from({ length: 200 }, (_, index) => `channel:c${index}` as const);
  expect(describeCall(EMPTY_PLAN, call(1, { creates }), PLAIN)).toBe("create #c0, #c1, #c2, #c3 … and 196 more");
});

test("progress is one line, no wider than the terminal, safe", () => {
  const [first] = plan.calls;
  if (first === undefined) throw new RangeError("no call");
  expect(progressLine({ total: 5, settled: 0, call: first, state: "sending" }, plan, PLAIN)).toBe(
    "[0/5] ▸ #incidents: name",
  );
  expect(progressLine({ total: 5, settled: 1, call: first, state: "done" }, plan, at(24))).toBe(
    "[1/5] ✓ #incidents: na…",
  );
  const evil = call(1, { for: [{ address: "channel:\u001b[2J\n", fields: ["\u202e"] }] });
  expect(progressLine({ total: 1, settled: 0, call: evil, state: "sending" }, HOSTILE_PLAN, PLAIN)).not.toMatch(
    /[\p{Cc}\u202e]/u,
  );
});

test("results as JSON have everything except the plan", () => {
  const { plan, elapsedMs, exitCode, ...rest } = RESULTS[3].result;
  expect(JSON.parse(renderResultJson(RESULTS[3].result))).toEqual({
    format: "realmctl.result",
    version: 3,
    realm: "https://chat.example.org",
    ...rest,
    calls: rest.calls.map(saidCalls(plan)),
    remaining: rest.remaining === null ? null : rest.remaining.map(saidChange),
    totals: { calls: 5, done: 1, already_so: 0, conflict: 1, failed: 1, skipped: 1, not_attempted: 1 },
    summary: {
      planned: { changes: 5, create: 2, update: 1, rename: 1, remove: 1, update_and_remove: 0, reorder: 1 },
      done: { changes: 0, create: 0, update: 0, rename: 0, remove: 0, update_and_remove: 0, reorder: 0 },
    },
    elapsed_ms: elapsedMs,
    exit_code: exitCode,
  });
});

const DRIFT: Drift = {
  plan: EMPTY_PLAN,
  differences: [
    change({
      action: "update",
      name: "security",
      at: line(40),
      fields: [field("can_subscribe_group", "role:members", "role:nobody")],
      risks: [risk("narrows", "security", "14 people can no longer join")],
      drifted: "widens",
    }),
    change({
      action: "update",
      name: "random",
      at: line(48),
      fields: [field("description", "Anything goes", "Anything")],
    }),
    change({ action: "create", name: "releases", at: line(52) }),
    change({ action: "remove", name: "party" }),
  ],
  unmanaged: [{ section: "user_groups", policy: "additive", names: ["picnic"] }],
  uncompared: [],
  exitCode: 2,
};

describe("drift", () => {
  test.each([100, 40])("%i columns", async (width) => {
    const text = renderDrift(DRIFT, { style: at(width) });
    await expect(text).toMatchFileSnapshot(`snapshots/drift-${width}.txt`);
    for (const one of text.split("\n")) expect(displayWidth(one), one).toBeLessThanOrEqual(width);
  });

  test("the suggested commands name the file that was read", () => {
    const commands = "Put it back: realmctl apply teams.yaml. Keep theirs: realmctl adopt --file teams.yaml.";
    expect(renderDrift(DRIFT, { style: PLAIN, argument: " teams.yaml", adoptWith: " --file teams.yaml" })).toContain(
      commands,
    );
    const stopped = result({ outcome: "stopped", exitCode: 5, remaining: null });
    expect(renderResult(stopped, { style: PLAIN, argument: " teams.yaml" })).toContain(
      "rest: realmctl apply teams.yaml\n",
    );
  });

  test("no drift is one line, with the unmanaged objects", () => {
    const text = renderDrift({ ...DRIFT, differences: [], exitCode: 0 }, { style: PLAIN });
    expect(text).toMatch(/^No drift\. 41 channels, .* match\.\n/);
    expect(text).toContain("? 1 user group not in the file (additive: left alone): picnic");
  });

  test("many objects are counted, and named on request", () => {
    const drift: Drift = { ...DRIFT, differences: LARGE_PLAN.changes };
    expect(renderDrift(drift, { style: PLAIN })).toContain("… and 940 more (--all shows every one)");
    expect(renderDrift(drift, { style: PLAIN, all: true })).toContain("#project-196");
  });

  test("objects that look renamed are shown, other warnings of the plan are not", () => {
    const warnings = [quoting("news"), warning("channels/was", { name: quote("empty") })];
    const text = renderDrift({ ...DRIFT, plan: { ...DRIFT.plan, warnings } }, { style: PLAIN });
    expect(text).toContain('warning[plan/looks-renamed]: the channel "news" is new');
    expect(text).toContain('add was: "news"');
    expect(text).not.toContain("channels/was");
  });

  test("a different order of a section is one line", () => {
    const reorder = change({
      action: "reorder",
      kind: "linkifier",
      name: "linkifiers",
      fields: [field("order", ["a", "b"], ["b", "a"])],
    });
    const text = renderDrift({ ...DRIFT, differences: [reorder] }, { style: PLAIN });
    expect(text).toContain("order of linkifiers  order differs from the file\n");
    const left = renderResult(result({ remaining: [reorder] }, "done"), { style: PLAIN });
    expect(left).toContain("1 change is still to be made: order of linkifiers.");
  });

  test("JSON", () => {
    expect(JSON.parse(renderDriftJson(DRIFT))).toMatchObject({
      format: "realmctl.drift",
      version: 2,
      differences: [
        { name: "security", access: "widens", put_back: { action: "update" } },
        { name: "random", state: "different", fields: [{ file: "Anything", realm: "Anything goes" }] },
        { name: "releases", state: "missing", put_back: { action: "create" } },
        { name: "party", state: "extra" },
      ],
      unmanaged: DRIFT.unmanaged,
      exit_code: 2,
    });
  });
});

test("with credentials of another organization, the same command is not suggested", () => {
  const diagnostics = [
    error("realm/other-realm", { what: "plan", url: "https://chat.example.org", found: "https://other.example.org" }),
  ];
  const text = renderResult(result({ outcome: "stopped", exitCode: 1, diagnostics, remaining: null }), {
    style: PLAIN,
  });
  expect(text).toContain("error[realm/other-realm]");
  expect(text).not.toContain("Continue");
});

test.each([
  error("guard/refused", {
    guard: { pattern: "protect:channel:room" },
    fact: {
      about: {
        kind: "protected",
        pattern: "channel:room",
        object: { address: "channel:room", name: "room" },
        action: "update",
        fields: ["description"],
      },
    },
  }),
  error("guard/others", {
    guard: { pattern: "people_gaining_access" },
    fact: { about: { kind: "limit", counted: "people_gaining_access", amount: 1, limit: 5 } },
    others: 1,
  }),
  error("plan/other-server", { planned_level: 421, level: 442 }),
])("$code would refuse a saved plan again, so the same command is not suggested", (refusal) => {
  const given = { outcome: "stopped", exitCode: 3, diagnostics: [refusal], remaining: null } as const;
  const text = renderResult(result(given), { style: PLAIN, goOnWith: " monday.json" });
  expect(text).toContain(`error[${refusal.code}]`);
  expect(text).not.toContain("Continue");
});

test("the rest of a saved plan is continued with that plan", () => {
  const text = (remaining: typeof plan.changes) =>
    renderResult(result({ outcome: "in-part", exitCode: 5, remaining }), { style: PLAIN, goOnWith: " monday.json" });
  expect(text(plan.changes)).toContain("Continue with the rest: realmctl apply monday.json\n");
  // Undone as far as it goes, and people stay: the same command would send nothing.
  expect(text([])).not.toContain("Continue");
});

test.each([
  { what: "all calls were refused", call: {}, says: "Nothing was applied: done 0" },
  { what: "an answer was lost", call: { code: "unknown" }, says: "Applied in part: done 0" },
  {
    what: "a part took effect",
    call: { applied_parts: [{ address: "channel:a", fields: ["privacy"] }] },
    says: "Applied in part: done 0",
  },
  {
    what: "an answer was lost, and the reading shows that nothing took effect",
    call: { code: "unknown" },
    remaining: plan.changes,
    says: "Nothing was applied: done 0",
  },
  {
    what: "an answer was lost, and the reading shows one change less",
    call: { code: "unknown" },
    remaining: plan.changes.slice(1),
    says: "Applied in part: done 0",
  },
  {
    what: "an answer was lost, and the reading shows one field less",
    call: { code: "unknown" },
    remaining: plan.changes.map((each) => ({ ...each, fields: each.fields.slice(1) })),
    says: "Applied in part: done 0",
  },
] as const)("the head of a run in which $what", ({ call: fact, says, ...given }) => {
  const failed = { n: 1, state: "failed", code: "BAD_REQUEST", ...fact } as const;
  const run = result({ outcome: "in-part", exitCode: 5, calls: [failed], ...given });
  expect(renderResult(run, { style: PLAIN })).toContain(says);
});

test.each<{ what: string; calls: readonly CallResult[]; goesOn: boolean }>([
  { what: "was refused", calls: [{ n: 1, state: "failed", fact: REFUSED }], goesOn: false },
  {
    what: "was refused, or needs what was refused",
    calls: [
      { n: 1, state: "failed", fact: REFUSED },
      { n: 2, state: "skipped", because: 1 },
      { n: 3, state: "done" },
    ],
    goesOn: false,
  },
  {
    what: "was refused, or got no answer",
    calls: [
      { n: 1, state: "failed", fact: REFUSED },
      { n: 2, state: "failed", code: "unknown" },
    ],
    goesOn: true,
  },
  {
    what: "was refused, or was not sent",
    calls: [
      { n: 1, state: "failed", fact: REFUSED },
      { n: 2, state: "not-attempted" },
    ],
    goesOn: true,
  },
])("whether the same command is proposed if every open call $what", ({ calls, goesOn }) => {
  const text = renderResult(result({ outcome: "in-part", exitCode: 5, calls, remaining: plan.changes }), {
    style: PLAIN,
  });
  expect(text.includes("Continue with the rest: realmctl apply\n")).toBe(goesOn);
  expect(text.includes("When the cause is mended: realmctl apply\n")).toBe(!goesOn);
});
