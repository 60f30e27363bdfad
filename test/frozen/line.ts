import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { planPage } from "../../src/cli/plan-output.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { ApplyResult } from "../../src/model/result.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { renderPlanJson, renderResultJson } from "../../src/report/json.ts";
import { renderPlanMarkdown } from "../../src/report/markdown.ts";
import { NO_REDACTION, redactionOf, redactPlan } from "../../src/report/redact.ts";
import { renderResult } from "../../src/report/result.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";

/**
 * Issue 36 changes the house and not what people see: these are digests of everything that is made from the plan of a case folder and from the result of applying
 * it, for every reader and program. A step that changes one changes its line (`npx vitest run test/cases.test.ts -u`), and `docs/internals/frozen.md` says why.
 * `REALMCTL_FROZEN_TO=directory` writes the texts themselves, so that `diff -r` can compare two versions.
 */
export async function frozenLine(name: string, { plan, live, result }: Applied): Promise<string> {
  const texts = {
    ...(await shownAsPlan(plan, live)),
    result: renderResultJson(result),
    told: renderResult(result, { style: PLAIN }),
  };
  return [name, ...Object.entries(texts).map(([form, text]) => `${form}:${digest(`${name}/${form}`, text)}`)].join(" ");
}

interface Applied {
  readonly plan: Plan;
  readonly live: Snapshot;
  readonly result: ApplyResult;
}

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

function digest(name: string, text: string): string {
  const directory = process.env.REALMCTL_FROZEN_TO;
  if (directory !== undefined) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
