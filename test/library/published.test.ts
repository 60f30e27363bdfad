import {
  accessMatrix,
  CODES,
  hmacOf,
  isSignedWith,
  kinds,
  type LoadOptions,
  openSavedPlan,
  pageOf,
  pageText,
  parsePlanFile,
  planFileText,
  planRealm,
  redactAccess,
  redactDiagnostic,
  redactionOf,
  redactPlan,
  renderPlanHtml,
  renderPlanMarkdown,
} from "realmctl";
import { expect, test } from "vitest";
import { realmOf } from "../support/realm.ts";

// A program publishes what the Action publishes: a plan without private names, signed, with the pages of its codes.

const snapshot = realmOf({
  channels: [{ name: "qzcanary", invite_only: true }, { name: "lobby" }],
  subscribers: { qzcanary: ["ada@acme.example"] },
});
const files: LoadOptions = {
  file: "realm.yaml",
  readFile: async () =>
    "version: 1\nchannels:\n  qzcanary: {permissions: {can_subscribe_group: role:members}}\n  lobby: {description: qzcanary}\n",
};
async function planned() {
  const made = await planRealm({ ...files, reader: { snapshot: async () => snapshot } });
  if (!made.ok) throw new Error("the file has errors");
  return made.value;
}

test("the HTML page of a redacted plan, with its matrix, has no private name", async () => {
  const { plan, snapshot: live } = await planned();
  const redaction = redactionOf([plan], live, { privateNames: true, invitations: true, people: true }, kinds);
  const matrix = accessMatrix(plan, live);
  expect(renderPlanHtml(plan, matrix, { applyWith: "" })).toContain("qzcanary");
  const shown = redactPlan(plan, redaction);
  const page = renderPlanHtml(shown, redactAccess(matrix, redaction), { applyWith: "" });
  expect(page).toContain("private channel");
  expect(page).not.toContain("qzcanary");
  const origin = { mine: shown.changes, earlier: [], adopted: [] };
  expect(renderPlanMarkdown({ plan: shown, origin, budget: 60_000, elsewhere: "" })).not.toContain("qzcanary");
  expect(JSON.stringify(plan.warnings.map((warning) => redactDiagnostic(warning, redaction)))).not.toContain(
    "qzcanary",
  );
});

test("a saved plan is signed with a secret, and checked", async () => {
  const made = await planned();
  const text = await planFileText(made.plan, made, async (signed) => hmacOf(signed, "horse"));
  const file = parsePlanFile(text, "realm.plan");
  expect([isSignedWith(file, "horse"), isSignedWith(file, "house")]).toEqual([true, false]);
  const opened = await openSavedPlan(text, "realm.plan");
  expect(opened.planned.plan.calls).toEqual(made.plan.calls);
  expect(await openSavedPlan(await planFileText(await made.rehearse(), made), "realm.plan")).toMatchObject({
    plan: { extra: { rehearsal: { succeeded: made.plan.calls.length } } },
  });
});

test("every code has a page", () => {
  expect(CODES.length).toBeGreaterThan(400);
  const pages = CODES.map((code) => pageOf(code)).map((page) => (page === undefined ? "" : pageText(page)));
  expect(pages.map((text) => text.split("\n")[0])).toEqual(CODES.map((code) => `# ${code}`));
});
