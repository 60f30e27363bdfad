import { beforeEach, describe, expect, test } from "vitest";
import { sectionPage } from "../scripts/reference-docs.ts";
import { hiddenSnapshot } from "../src/action/snapshot-source.ts";
import { adopt } from "../src/adopt/adopt.ts";
import { applyPlan } from "../src/apply/apply.ts";
import { undoOf } from "../src/apply/undo.ts";
import { realmSchema } from "../src/config/json-schema.ts";
import { exportRealm } from "../src/export/export.ts";
import { kinds as realKinds } from "../src/kinds/registry.ts";
import { defined } from "../src/model/defined.ts";
import type { Answer, JournalEntry, WireCall } from "../src/model/journal.ts";
import type { Json } from "../src/model/json.ts";
import type { Plan } from "../src/model/plan.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { planChanges } from "../src/plan/plan.ts";
import { accessInPlan } from "../src/report/access.ts";
import { renderDrift } from "../src/report/drift.ts";
import { renderPlanHtml } from "../src/report/html.ts";
import { renderDriftHtml } from "../src/report/html-drift.ts";
import { renderPlanMarkdown } from "../src/report/markdown.ts";
import { redactionOf, redactPlan } from "../src/report/redact.ts";
import { PLAIN } from "../src/report/style.ts";
import { renderPlan } from "../src/report/text.ts";
import { planText } from "./support/cases.ts";
import { realmOf } from "./support/realm.ts";
import { must } from "./support/world.ts";
import { gadget, gadgetsIn, type StoredGadget } from "./toy-kinds/gadget.ts";
import { theme } from "./toy-kinds/theme.ts";

/** Added to the real kinds as anybody would add one: one line of a registry. */
const kinds = [...realKinds, gadget, theme];

class ToyServer {
  gadgets: readonly StoredGadget[] = [
    { id: 1, name: "Wheel", description: "It turns", access: "open" },
    { id: 2, name: "Kilimanjaro", description: "Nobody may know", access: "secret" },
  ];
  theme: { readonly [field: string]: Json } = { colour: "black", font: "serif", motto: "" };
  groups: { name: string }[] = [];
  readonly sent: WireCall[] = [];

  read(): Snapshot {
    return realmOf({
      feature_level: 478,
      user_groups: this.groups,
      settings: JSON.parse(JSON.stringify({ toy_gadgets: this.gadgets, toy_theme: this.theme })),
    });
  }

  send(call: WireCall): Answer {
    this.sent.push(call);
    const { operation, path, params } = call;
    const id = Number(path.id);
    if (operation === "update-toy-theme") this.theme = { ...this.theme, ...params };
    if (operation === "create-toy-gadget") {
      const made = { description: "", access: "open", ...params, id: 10 + this.gadgets.length };
      this.gadgets = [...this.gadgets, ...gadgetsIn([made])];
    }
    if (operation === "update-toy-gadget")
      this.gadgets = this.gadgets.flatMap((one) => (one.id === id ? gadgetsIn([{ ...one, ...params }]) : one));
    if (operation === "remove-toy-gadget") this.gadgets = this.gadgets.filter((one) => one.id !== id);
    return { outcome: "applied", body: {} };
  }
}

let server = new ToyServer();
beforeEach(() => {
  server = new ToyServer();
});

const FILE = `version: 1
toy_gadgets:
  Lever: {description: It lifts}
  Disc: {was: Wheel, description: It turns}
  Kilimanjaro: {description: Nobody may know this}
toy_theme:
  colour: teal # as the door
  font: serif
`;
const planned = (yaml: string): Promise<Plan> => planText(yaml, server.read(), kinds).then(must);
const asText = (plan: Plan) => renderPlan(plan, { style: PLAIN });
const changesOf = ({ changes }: Plan) =>
  changes.map(({ action, address, fields }) => `${action} ${address} ${fields.map(({ field }) => field).join(",")}`);

async function applied(plan: Plan): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const result = await applyPlan(plan, {
    send: async (call) => server.send(call),
    read: async () => server.read(),
    kinds,
    openJournal: () => ({ path: "x.jsonl", write: (entry) => entries.push(entry), close: () => {} }),
    now: () => 0,
    mayRepeat: () => true,
  });
  expect(result.outcome).toBe("applied");
  return entries;
}

test("plan, apply, no drift, undo: everything is as before", async () => {
  const before = { gadgets: server.gadgets, theme: server.theme };
  const plan = await planned(FILE);
  expect(changesOf(plan)).toEqual([
    "create toy_gadget:Lever description",
    "update toy_gadget:Disc name",
    "update toy_gadget:Kilimanjaro description",
    "update toy_theme:organization colour",
  ]);
  expect(plan.matches).toMatchObject({ toy_theme: 1 });
  const journal = await applied(plan);
  expect(server.theme).toEqual({ colour: "teal", font: "serif", motto: "" });
  expect(await planned(FILE).then(changesOf)).toEqual([]);

  const undo = undoOf({ name: "x.jsonl", entries: journal, torn: false }, server.read(), kinds);
  const snapshot = server.read();
  await applied(must(planChanges({ desired: undo.desired, snapshot, kinds, toolVersion: "0" })));
  expect({ gadgets: server.gadgets, theme: server.theme }).toEqual(before);
});

test("a singleton is one object with its different fields, and has the name of its kind", async () => {
  const plan = await planned("version: 1\ntoy_theme: {colour: teal}\n");
  const text = asText(plan);
  expect(text).toContain("Plan: 1 to change");
  expect(text).toMatch(/\n {2}~ toy theme {2}colour: black → teal +realm.yaml:2\n/);
  expect(text).not.toMatch(/organization|toy themes/);
  const markdown = renderPlanMarkdown({
    plan,
    origin: { mine: plan.changes, earlier: [], adopted: [] },
    budget: 10_000,
    elsewhere: "there",
  });
  expect(markdown).toContain("toy theme");
  expect(markdown).not.toMatch(/toy theme organization|toy themes/);
});

describe("policies of a singleton", () => {
  test.each([
    { policy: "additive", changed: ["font"], left: ["colour", "motto"] },
    { policy: "ignore", changed: ["font"], left: ["colour", "motto"] },
    // Back to the value of a new organization; `motto` has it already.
    { policy: "exact", changed: ["colour", "font"], left: [] },
  ])("$policy", async ({ policy, changed, left }) => {
    const plan = await planned(`version: 1\nmanage: {toy_theme: ${policy}}\ntoy_theme: {font: mono}\n`);
    expect(plan.changes.flatMap(({ fields }) => fields.map(({ field }) => field))).toEqual(changed);
    expect(plan.unmanaged.find(({ section }) => section === "toy_theme")?.names).toEqual(left);
    for (const { fields } of plan.changes) for (const { at } of fields) expect(at).toBeDefined();
  });

  test("a section that is not in the file is not read", async () => {
    const plan = await planned("version: 1\n");
    expect(plan.unmanaged.map(({ section }) => section)).not.toContain("toy_theme");
  });
});

test.each([
  ["toy_theme: {size: 3}", /no field|unknown/],
  ["toy_theme: []", /toy_theme/],
  ["toy_theme:", /toy_theme/],
  ["toy_theme: {absent: true}", /absent/],
  ["defaults: {toy_theme: {colour: red}}\ntoy_theme: {}", /toy_theme|toy theme/],
])("%s is an error with a place", async (text) => {
  const plan = await planText(`version: 1\n${text}\n`, server.read(), kinds);
  expect(plan.ok).toBe(false);
  if (!plan.ok) for (const { at } of plan.diagnostics) expect(at).toBeDefined();
});

test("export writes what a person would write, and a plan of it has no changes", async () => {
  const { files } = await exportRealm({ snapshot: server.read(), kinds, sections: ["toy_gadgets", "toy_theme"] });
  const text = files.get("realm.yaml") ?? "";
  expect(text).toContain("\ntoy_theme:\n  colour: black\n");
  expect(text).toContain("\n  Wheel:\n    description: It turns\n");
  expect(await planned(text).then(changesOf)).toEqual([]);
});

test("adopt changes the file for both kinds, and keeps the comments", async () => {
  const { files } = await adopt({ file: "realm.yaml", readFile: async () => FILE, snapshot: server.read(), kinds });
  const [{ after } = { after: "" }] = files;
  expect(after).toContain("  colour: black # as the door\n  font: serif\n");
  expect(after).toContain("  Wheel: {");
  expect(after).not.toContain("Lever");
  expect(await planned(after).then(changesOf)).toEqual([]);
});

test("schema and reference page", () => {
  const schema = JSON.stringify(realmSchema(kinds));
  expect(schema).toContain("What the background is painted with.");
  expect(schema).toContain("How pages look.");
  expect(schema).toContain("Names of toy gadgets");
  expect(sectionPage(gadget)).toContain("A map from names to toy gadgets.");
  const page = sectionPage(theme);
  expect(page).toContain("The organization always has exactly one. How pages look.");
  expect(page).toContain("| `colour` | string |  | `white` | What the background is painted with. |");
  expect(page).not.toContain("absent");
});

test("secrets are in no report for other people, and in no redacted snapshot", async () => {
  const plan = await planned(FILE);
  const hide = { privateNames: true, invitations: true, people: true };
  const shown = redactPlan(plan, redactionOf([plan], server.read(), hide, kinds));
  const drift = {
    plan: shown,
    differences: shown.changes,
    unmanaged: shown.unmanaged,
    uncompared: [],
    exitCode: 2,
  } as const;
  const reports = [
    asText(shown),
    JSON.stringify(shown),
    renderPlanHtml(shown, accessInPlan(shown), { applyWith: "" }),
    renderDrift(drift, { style: PLAIN }),
    renderDriftHtml(drift, accessInPlan(shown)),
  ];
  for (const report of reports) {
    expect(report).toContain("private toy gadget 2");
    expect(report).toContain("teal");
    expect(report).not.toMatch(/Kilimanjaro|Nobody may know/);
  }
  const snapshot = JSON.stringify(hiddenSnapshot(server.read(), undefined, kinds));
  expect(snapshot).toContain("private-toy-gadget-2");
  expect(snapshot).toContain("black");
  expect(snapshot).not.toMatch(/Kilimanjaro|Nobody may know/);
});

test("names that are members of objects, keywords of YAML, patterns and parts of addresses are names like all others", async () => {
  const names = [
    "__proto__",
    "constructor",
    "toString",
    "a:b",
    "toy_gadget:x",
    "organization",
    "*",
    "  pad",
    "1",
    "null",
  ];
  server.gadgets = names.map((name, index) => ({ id: index + 1, name, description: `about ${name}`, access: "open" }));
  const items = names.map((name) => `  ${JSON.stringify(name)}: {description: new}\n`).join("");
  const plan = await planned(`version: 1\ntoy_gadgets:\n${items}`);
  expect(plan.changes.map(({ action, name }) => `${action} ${name}`)).toEqual(names.map((name) => `update ${name}`));
  await applied(plan);
  expect(server.gadgets.map(({ description }) => description)).toEqual(names.map(() => "new"));
  const { files } = await exportRealm({ snapshot: server.read(), kinds, sections: ["toy_gadgets"] });
  const exported = await planned([...files.values()].join(""));
  expect(exported.changes).toEqual([]);
  expect(exported.matches).toMatchObject({ toy_gadgets: names.length });
});

describe("a group that only toy gadgets name", () => {
  const using = (id: number, name: string, group: StoredGadget["can_use_group"]): StoredGadget => ({
    ...{ id, name, description: "", access: "open" },
    ...defined({ can_use_group: group }),
  });
  const leads = { direct_members: [], direct_subgroups: [31] };
  const plannedOf = (yaml: string) => planText(`version: 1\n${yaml}`, server.read(), kinds);
  const gone = "user_groups:\n  board: {deactivated: true}\n";
  const callsOf = ({ calls }: Plan) => calls.map(({ operation, after }) => `${operation} ${after.join(",")}`.trim());
  beforeEach(() => {
    // Their ids are 30 and 31.
    server.groups = [{ name: "staff" }, { name: "board" }];
    server.gadgets = [using(1, "Wheel", 31), using(2, "Lever", leads)];
  });

  test.each([
    ["whose section is not in the file", ""],
    ["that the file does not declare", "toy_gadgets:\n  Disc: {}\n"],
    ["of which the file declares other fields", "toy_gadgets:\n  Wheel: {description: x}\n  Lever: {description: x}\n"],
  ])("cannot be deactivated: those %s", async (_, section) => {
    const plan = await plannedOf(section + gone);
    const { changes, warnings } = must(plan);
    expect(changes.filter(({ kind }) => kind === "user_group")).toEqual([]);
    const errors = warnings.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, fact }) => ({ code, fact }))).toEqual([
      {
        code: "user_groups/in-use",
        fact: {
          name: { quoted: "board", of: "user_group" },
          uses: ["Wheel", "Lever"].map((name) => ({
            field: "can_use_group",
            object: { address: `toy_gadget:${name}`, name },
          })),
        },
      },
    ]);
  });

  test("is deactivated after they name another one", async () => {
    const items = "  Wheel: {can_use_group: staff}\n  Lever: {can_use_group: {groups: [staff]}}\n";
    const plan = must(await plannedOf(`${gone}toy_gadgets:\n${items}`));
    expect(callsOf(plan)).toEqual(["update-toy-gadget", "update-toy-gadget", "deactivate-user-group 1,2"]);
  });

  test("is deactivated after they are removed", async () => {
    const plan = must(await plannedOf(`manage: {toy_gadgets: exact}\ntoy_gadgets: {}\n${gone}`));
    expect(callsOf(plan)).toEqual(["remove-toy-gadget", "remove-toy-gadget", "deactivate-user-group 1,2"]);
  });

  test("is created before them, and its new name is no change of theirs", async () => {
    const items = "  Wheel: {can_use_group: council}\n  Lever: {can_use_group: {groups: [council, fresh]}}\n";
    const plan = must(await plannedOf(`toy_gadgets:\n${items}user_groups:\n  fresh: {}\n  council: {was: board}\n`));
    expect(changesOf(plan)).toEqual([
      "create user_group:fresh can_add_members_group,can_manage_group",
      "update user_group:council name",
      "update toy_gadget:Lever can_use_group",
    ]);
    const making = plan.calls.find(({ creates }) => creates.includes("user_group:fresh"));
    expect(plan.calls.find(({ operation }) => operation === "update-toy-gadget")?.after).toContain(making?.n);
  });
});
