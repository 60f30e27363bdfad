import { expect, test } from "vitest";
import * as z from "zod";
import { plannedCases, planText } from "../../test/support/cases.ts";
import { commentOf, unsent } from "../../test/support/published.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { planFiles } from "../export/check.ts";
import { kinds } from "../kinds/registry.ts";
import { error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isObject } from "../model/json.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import { driftOf } from "../workflow/workflow.ts";
import { accessMatrix } from "./access.ts";
import { renderDrift } from "./drift.ts";
import { renderPlanHtml } from "./html.ts";
import { renderDriftHtml } from "./html-drift.ts";
import { renderDriftJson, renderPlanJson, renderResultJson } from "./json.ts";
import { type Redaction, redactAccess, redactDiagnostic, redactionOf, redactPlan, redactResult } from "./redact.ts";
import { LEFT_OUT } from "./redaction.ts";
import { renderResult } from "./result.ts";
import { PLAIN } from "./style.ts";
import { renderPlan } from "./text.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

// If both names of a rename are hidden, a reader sees a rename, and not the same text twice.

const HIDDEN = "private object 8";
const BOTH = /renamed; both names are hidden/;

/** Hides every name and text, whatever kinds keep secret. */
const ALL: Redaction = {
  name: () => HIDDEN,
  value: () => LEFT_OUT,
  pattern: () => "(private)",
  fieldSecrecy: () => "text",
  isPublic: () => false,
  people: true,
  size: 1,
};

/** The same text twice, as two sides of a change: around an arrow, below each other, or beside the name as the previous one. */
const TWICE = /(\S[^\n→]*\S) → \1|- (\S.*\S)\s*(?:<[^>]+>|\s)*\+ \2|\((?:was:?|now) #?(?:[a-z ]*private object|\(left)/;

/** Members of JSON with two values that look the same, although nothing says so. */
function pairsIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(pairsIn);
  if (!isObject(value) || value.hidden === true) return inner;
  const { before, after, file, realm, planned, found } = value;
  const pairs = [
    [before, after],
    [file, realm],
    [planned, found],
  ] as const;
  const alike = pairs.some(([one, other]) => one !== undefined && JSON.stringify(one) === JSON.stringify(other));
  return alike ? [value, ...inner] : inner;
}

function resultOf(plan: Plan): ApplyResult {
  const calls = plan.calls.map(({ n }) => ({ n, state: "done" as const }));
  return unsent(plan, { outcome: "applied", exitCode: 0, calls, conflicts: [] });
}

const PLANS: { readonly [format: string]: (plan: Plan) => string } = {
  text: (plan) => renderPlan(plan, { style: PLAIN, all: true }),
  "text of similar changes": (plan) => renderPlan(plan, { style: PLAIN }),
  html: (plan) => renderPlanHtml(plan, { rights: [], rows: [], countedAt: undefined }, { applyWith: "" }),
  markdown: (plan) => commentOf(plan),
  "result as text": (plan) => renderResult({ ...resultOf(plan), remaining: [] }, { style: PLAIN }),
  "drift as text": (plan) => renderDrift(driftOf(plan), { style: PLAIN }),
  "drift as html": (plan) => renderDriftHtml(driftOf(plan), { rights: [], rows: [], countedAt: undefined }),
};

const JSONS: { readonly [format: string]: (plan: Plan) => string } = {
  plan: (plan) => renderPlanJson(plan, 0),
  drift: (plan) => renderDriftJson(driftOf(plan)),
  result: (plan) => renderResultJson(resultOf(plan)),
};

const renames = (await plannedCases()).flatMap(({ name, plan }) => {
  if (!plan.ok) return [];
  const changes = plan.value.changes.filter(({ action, was }) => action === "update" && was !== undefined);
  return changes.length === 0 ? [] : [{ name, plan: { ...plan.value, changes } }];
});

test("there is a rename of every kind that can be renamed", () => {
  const can = kinds.filter((kind) =>
    JSON.stringify(z.toJSONSchema(kind.file.schema(), { io: "input", unrepresentable: "any" })).includes('"was"'),
  );
  const has = new Set(renames.flatMap(({ plan }) => plan.changes.map(({ kind }) => kind)));
  expect([...has].sort()).toEqual(can.map(({ name }) => name).sort());
});

test.each(renames)(
  "$name: every format says that it is a rename, and no format shows the hidden name twice",
  ({ plan }) => {
    const shown = redactPlan(plan, ALL);
    for (const [format, render] of Object.entries(PLANS)) {
      const text = render(shown);
      expect(text, format).not.toMatch(TWICE);
      // An object that is archived at the same time is only archived in a result.
      expect(text, format).toMatch(format.startsWith("result") ? /renamed|archived|deactivated/ : BOTH);
    }
    for (const [format, render] of Object.entries(JSONS)) {
      const json: unknown = JSON.parse(render(shown));
      expect(pairsIn(json), format).toEqual([]);
      expect(JSON.stringify(json), format).toContain('"hidden":true');
    }
    // Without redaction nothing is marked, and the names are there.
    const open = renderPlan(plan, { style: PLAIN });
    expect(open).not.toContain("hidden");
    expect(open).toContain("was: ");
  },
);

const ADA = "ada@acme.example";
const live = realmOf({
  channels: [{ name: "kilimanjaro", invite_only: true, description: "our merger" }],
  subscribers: { kilimanjaro: [ADA] },
});
const YAML = `version: 1
channels:
  everest: {was: kilimanjaro, description: our second merger, permissions: {can_send_message_group: {users: [${ADA}]}}}
`;

test("texts with changes only in hidden parts, the matrix, conflicts and errors say so too", async () => {
  const plan = must(await planText(YAML, live));
  const redaction = redactionOf([plan], live, { privateNames: true, invitations: true, people: true }, kinds);
  const text = renderPlan(redactPlan(plan, redaction), { style: PLAIN });
  expect(text).toMatch(/~ #private channel 101 +realm.yaml:3/);
  expect(text).toMatch(/name +renamed; both names are hidden/);
  expect(text).toMatch(/description +changed; what differs is hidden/);

  const matrix = redactAccess(accessMatrix(plan, live), redaction);
  const page = renderPlanHtml(redactPlan(plan, redaction), matrix, { applyWith: "" });
  expect(page).toContain('#private channel 101</bdi><br><small class="dim">renamed</small>');

  const conflict = {
    address: "channel:everest",
    kind: "channel",
    name: "kilimanjaro",
    field: "name",
    planned: "kilimanjaro",
    found: "everest",
    wanted: "everest",
    calls: [1],
  } as const;
  const result = redactResult(unsent(plan, { outcome: "conflict", conflicts: [conflict] }), redaction);
  const refused = renderResult(result, { style: PLAIN });
  expect(refused).toContain(
    "conflict in #private channel 101: name changed since the plan was made; the values are hidden",
  );
  expect(refused).not.toContain("planned from");
  expect(pairsIn(JSON.parse(renderResultJson(result)))).toEqual([]);

  const names = {
    noun: "channel",
    id: 101,
    planned: quote("kilimanjaro", "channel"),
    now: quote("everest", "channel"),
  };
  const said = wordedDiagnostic(redactDiagnostic(error("plan/other-names", { objects: [names] }), redaction));
  expect(said.message).toBe("an object of the plan has another name now: channel 101 (both names are hidden)");
});

test("the label of a view is a text: it is left out, and never shown as a link", async () => {
  const snapshot = realmOf({
    channels: [{ name: "zebra", invite_only: true }, { name: "hall" }],
    navigation_views: [
      { fragment: "narrow/channel/101-zebra", is_pinned: true, name: "Old label" },
      { fragment: "narrow/channel/102-hall", is_pinned: true, name: "Zebra old" },
      { fragment: "starred", is_pinned: true, name: "Mine" },
    ],
  });
  const file = `version: 1
navigation_views:
  narrow/channel/101-zebra: {name: New label}
  narrow/channel/102-hall: {name: Zebra new}
`;
  const plan = must(await planFiles(new Map([["realm.yaml", file]]), "realm.yaml", { snapshot, kinds }));
  const hide = { privateNames: true, invitations: true, people: false };
  const shown = redactPlan(plan, redactionOf([plan], snapshot, hide, kinds));
  const label = [{ field: "name", before: LEFT_OUT, after: LEFT_OUT, hidden: true }];
  expect(shown.changes).toMatchObject([
    { address: "navigation_view:narrow/channel/101", fields: label },
    { address: "navigation_view:narrow/channel/102-hall", fields: label },
  ]);
});
