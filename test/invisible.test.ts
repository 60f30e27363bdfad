import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { diffText } from "../src/cli/diff-text.ts";
import { hasInvisible, invisibleIn } from "../src/model/clean.ts";
import type { Plan } from "../src/model/plan.ts";
import type { ApplyResult } from "../src/model/result.ts";
import { accessInPlan } from "../src/report/access.ts";
import { diagnosticsGithub, renderDiagnostics } from "../src/report/diagnostics.ts";
import { renderDrift, renderDriftMoment } from "../src/report/drift.ts";
import { renderPlanHtml } from "../src/report/html.ts";
import { renderDriftHtml } from "../src/report/html-drift.ts";
import { renderDriftJson, renderPlanJson, renderResultJson } from "../src/report/json.ts";
import { codeText, proseText } from "../src/report/markdown-text.ts";
import { renderResult } from "../src/report/result.ts";
import { PLAIN } from "../src/report/style.ts";
import { renderPlan } from "../src/report/text.ts";
import { waitingText } from "../src/report/waiting.ts";
import type { SaidDiagnostic } from "../src/report/words/diagnostics.ts";
import type { RealmSource } from "../src/sandbox/index.ts";
import { World } from "./e2e/world.ts";
import { runCommandLine } from "./support/cli/command-line.ts";
import { change, EMPTY_PLAN, field, protection, quoting, risk } from "./support/example-plans.ts";

/** One of each range of the table, and those that issues named. */
const CODES = [
  ...[0x00, 0x07, 0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d],
  ...[0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2064, 0x2066, 0x2069, 0x206f, 0x2800, 0x3164, 0xfe00],
  ...[0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0x1bca0, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef],
];
const shown = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
const TABLE = CODES.map((code) => ({ name: shown(code), code, character: String.fromCodePoint(code) }));

/** Every text of a plan that comes from a server or a file. */
function planOf(text: string): Plan {
  const one = change({ action: "update", name: text, fields: [field("description", text, `${text} more`)] });
  return {
    ...EMPTY_PLAN,
    realm: { url: "https://chat.example.org", name: text },
    account: { ...EMPTY_PLAN.account, full_name: text },
    changes: [{ ...one, risks: [risk("widens", text, `#${text} opens`)] }],
    unmanaged: [{ section: "channels", policy: "additive", names: [text] }],
    guards: [protection(text)],
    warnings: [quoting(text)],
    side_effects: { emails: 0, notices_in: [text] },
  };
}

const diagnostic = (text: string): SaidDiagnostic => ({
  code: "channels/was",
  severity: "error",
  message: text,
  hint: text,
  at: { file: "realm.yaml", line: 1, column: 1, endLine: 1, endColumn: 2 },
});

const result = (plan: Plan, text: string): ApplyResult => ({
  plan,
  outcome: "in-part",
  exitCode: 5,
  calls: plan.calls.map(({ n }) => ({ n, state: "failed", message: text, code: "X" })),
  conflicts: [],
  remaining: plan.changes,
  journal: ".realmctl/x.jsonl",
  elapsedMs: 5,
  diagnostics: plan.warnings,
});

/** Everything that anybody sees, in every format. */
const FORMATS: { readonly [format: string]: (plan: Plan, text: string) => string } = {
  "a plan as text": (plan) => renderPlan(plan, { style: PLAIN, all: true }),
  "a plan as JSON": (plan) => renderPlanJson(plan, 0),
  "a plan as a page": (plan) => renderPlanHtml(plan, accessInPlan(plan), { applyWith: "realmctl apply", all: true }),
  "drift as text": (plan) => renderDrift(driftOf(plan), { style: PLAIN, all: true }),
  "drift as JSON": (plan) => renderDriftJson(driftOf(plan)),
  "drift as a page": (plan) => renderDriftHtml(driftOf(plan), accessInPlan(plan), { all: true }),
  "drift as it happens": (plan) => renderDriftMoment(momentOf(plan), PLAIN, true),
  "a result as text": (plan, text) => renderResult(result(plan, text), { style: PLAIN, all: true }),
  "a result as JSON": (plan, text) => renderResultJson(result(plan, text)),
  "a name in Markdown": (_, text) => codeText(text),
  "a sentence in Markdown": (_, text) => proseText(`#${text} opens`),
  "an error as text": (_, text) =>
    renderDiagnostics({ diagnostics: [diagnostic(text)], sources: new Map([["realm.yaml", text]]), style: PLAIN }),
  "an error as an annotation": (_, text) => diagnosticsGithub([diagnostic(text)]),
  "what a command would write": (_, text) => diffText("realm.yaml", `a: 1 ${text}\n`, `a: 2 ${text}\n`, PLAIN),
  "what is waited for": (_, text) => waitingText({ for: "pace", host: text, ms: 6_000 }, undefined),
};

function driftOf(plan: Plan) {
  return {
    plan,
    differences: plan.changes,
    unmanaged: plan.unmanaged,
    uncompared: plan.warnings,
    exitCode: 2,
  } as const;
}

function momentOf(plan: Plan) {
  const { unmanaged, changes } = plan;
  return {
    drift: driftOf(plan),
    appeared: changes,
    ended: changes,
    unmanagedNew: unmanaged,
    unmanagedGone: unmanaged,
    renamed: [],
    uncomparedNew: plan.warnings,
    uncomparedGone: plan.warnings,
  };
}

describe.each(Object.entries(FORMATS))("%s", (_, render) => {
  test.each(TABLE)("$name is written out everywhere", ({ character }) => {
    const text = `ge${character}neral`;
    const output = render(planOf(text), text);
    const left = [...invisibleIn(output)].filter((found) => found.character !== "\n");
    expect(left).toEqual([]);
    expect(output).not.toContain(text);
  });
});

describe("validate warns about it, with its place", () => {
  // A character that YAML never allows is an error of its own (yaml/control-character).
  const allowed = TABLE.filter(({ code }) => code > 0x9f && code !== 0x2028 && code !== 0x2029);
  test.each(allowed)("$name", async ({ name, character }) => {
    const file = `version: 1\nchannels:\n  ge${character}neral: {}\n`;
    const ran = await runCommandLine(["validate", "--format", "json"], { files: { "realm.yaml": file } });
    expect(JSON.parse(ran.out)).toMatchObject({
      diagnostics: [
        {
          code: "yaml/invisible-character",
          severity: "warning",
          message: expect.stringContaining(name),
          at: { file: "realm.yaml", line: 3, column: 5 },
        },
      ],
    });
    expect(hasInvisible(ran.out.replaceAll("\n", ""))).toBe(false);
  });

  test("ordinary use of joiners and selectors is not an error", async () => {
    const file = "version: 1\nchannels:\n  ⚠\ufe0f می\u200cخواهم 👩\u200d🚀: {}\n";
    const ran = await runCommandLine(["validate"], { files: { "realm.yaml": file } });
    expect({ ...ran, files: undefined }).toMatchObject({ exitCode: 0, err: "" });
  });
});

describe("the organization's name", () => {
  let world: World | undefined;
  afterEach(() => world?.end());
  const fixture: { readonly register: { readonly [key: string]: unknown } } = JSON.parse(
    readFileSync(new URL("../fixtures/acme-realm.json", import.meta.url), "utf8"),
  );

  test("with every character of the table in it, and an unpaired surrogate: export and init write a file that plans no change", async () => {
    const name = `Ac${TABLE.map(({ character }) => `${character}m`).join("")}e\n# \ud800 {version: 2}`;
    const from: RealmSource = JSON.parse(
      JSON.stringify({ ...fixture, register: { ...fixture.register, realm_name: name } }),
    );
    world = await World.start({ from });
    const exported = await world.realmctl("export --out exported.yaml");
    expect(exported.code).toBe(0);
    expect(world.read("exported.yaml")).toContain("\\u0007");
    expect([...invisibleIn(world.read("exported.yaml"))].filter(({ character }) => character !== "\n")).toEqual([]);
    expect((await world.realmctl("plan exported.yaml --detailed-exit-code")).code).toBe(0);
    const begun = await world.realmctl("init --yes --no-workflows");
    expect(begun.code).toBe(0);
    expect(begun.out).toContain("Checked: planning realm.yaml against the organization changes nothing.");
    expect([...invisibleIn(begun.out)].filter(({ character }) => character !== "\n")).toEqual([]);
  });
});
