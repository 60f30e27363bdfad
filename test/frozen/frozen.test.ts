import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { planPage } from "../../src/cli/plan-page.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { renderPlanJson, renderResultJson } from "../../src/report/json.ts";
import { renderPlanMarkdown } from "../../src/report/markdown.ts";
import { NO_REDACTION, redactionOf, redactPlan } from "../../src/report/redact.ts";
import { renderResult } from "../../src/report/result.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { plannedCases } from "../support/cases.ts";
import { World } from "../support/world.ts";

/**
 * Issue 36 changes the house and not what people see: these are digests of everything that is made from the plan of each case folder, for every reader and
 * program. A step that changes one changes its line (`npx vitest run test/frozen -u`), and `docs/internals/frozen.md` says why.
 * `REALMCTL_FROZEN_TO=directory` writes the texts themselves, so that `diff -r` can compare two versions.
 */
test("what is made from the plan of every case folder", async () => {
  const lines: string[] = [];
  for (const { name, plan, live, yaml } of (await plannedCases()).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!plan.ok) continue;
    const texts = { ...(await shownAsPlan(plan.value, live)), ...(await carriedOut(plan.value, live, yaml)) };
    lines.push(
      [name, ...Object.entries(texts).map(([form, text]) => `${form}:${digest(`${name}/${form}`, text)}`)].join(" "),
    );
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("cases.txt");
}, 240_000);

async function shownAsPlan(plan: Plan, live: Snapshot): Promise<Record<string, string>> {
  const hide = { privateNames: true, invitations: true, people: true };
  const redacted = redactPlan(plan, redactionOf([plan], live, hide, kinds));
  const comment = (shown: Plan, budget: number): string =>
    renderPlanMarkdown({
      plan: shown,
      origin: { mine: shown.changes.slice(0, 1), earlier: shown.changes.slice(1), adopted: [] },
      budget,
      elsewhere: "the job summary",
    });
  return {
    text: renderPlan(plan, { style: PLAIN }),
    phone: renderPlan(plan, { style: { ...PLAIN, width: 44, unicode: false }, calls: true }),
    json: renderPlanJson(plan, EXIT.done),
    html: await planPage(plan, live, { applyWith: "realmctl apply" }),
    comment: comment(redactPlan(plan, NO_REDACTION), 60_000),
    short: comment(plan, 900),
    redacted: comment(redacted, 60_000),
    hidden: renderPlanJson(redacted, EXIT.done),
  };
}

/** The result of applying it to a server that is as the case says; some cases leave out what a server always has. */
async function carriedOut(plan: Plan, live: Snapshot, yaml: string): Promise<Record<string, string>> {
  const result = await new World(live).apply(plan, yaml);
  return { result: renderResultJson(result), told: renderResult(result, { style: PLAIN }) };
}

function digest(name: string, text: string): string {
  const directory = process.env.REALMCTL_FROZEN_TO;
  if (directory !== undefined) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
