import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config/read-config.ts";
import { kinds as allKinds } from "../../src/kinds/registry.ts";
import type { Checked } from "../../src/model/diagnostic.ts";
import type { ResourceKind } from "../../src/model/kind.ts";
import { once } from "../../src/model/lazy.ts";
import type { Call, Plan } from "../../src/model/plan.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { planChanges } from "../../src/plan/plan.ts";
import { renderDiagnostics } from "../../src/report/diagnostics.ts";
import { PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { lookAt } from "./pictures.ts";
import { realmOf } from "./realm.ts";

export interface Case {
  /** `channel/privacy` */
  readonly name: string;
  /** Below the project: `src/kinds/channel/cases/privacy` */
  readonly directory: string;
  readonly yaml: string;
  readonly live: Snapshot;
  /** The case is about its plan's footer. */
  readonly hasFooter: boolean;
}

const KINDS = "src/kinds";

/** Every folder `src/kinds/<kind>/cases/<case>/`, read once for all tests of a worker. */
export const casesOf = once((): readonly Case[] =>
  readdirSync(KINDS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(KINDS, entry.name, "cases")))
    .flatMap(({ name: kind }) =>
      readdirSync(join(KINDS, kind, "cases")).map((name) => {
        const directory = join(KINDS, kind, "cases", name);
        const read = (file: string): string => readFileSync(join(directory, file), "utf8");
        return {
          name: `${kind}/${name}`,
          directory,
          yaml: read("realm.yaml"),
          live: liveOf(`${directory}/live.json`, read("live.json")),
          hasFooter: existsSync(join(directory, "footer.txt")),
        };
      }),
    ),
);

function liveOf(path: string, text: string): Snapshot {
  try {
    return realmOf(JSON.parse(text));
  } catch (error) {
    throw new RangeError(`${path} is not as Overlay in test/support/realm.ts says`, { cause: error });
  }
}

export type PlannedCase = Case & { readonly plan: Checked<Plan> };

/** Each of them with its plan, which is made once for all tests of a worker. */
export const plannedCases = once(
  (): Promise<readonly PlannedCase[]> =>
    Promise.all(casesOf().map(async (item) => ({ ...item, plan: await planText(item.yaml, item.live) }))),
);

/** From text to plan, as the command makes it, without a server. */
export async function planText(
  yaml: string,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[] = allKinds,
): Promise<Checked<Plan>> {
  const desired = await readConfig({
    file: "realm.yaml",
    readFile: () => Promise.resolve(yaml),
    lookAt,
    kinds,
    realm: new Realm(snapshot),
  });
  if (!desired.ok) return desired;
  return planChanges({ desired: desired.value, snapshot, kinds, toolVersion: "0.0.0" });
}

/**
 * The plan as a person sees it, without the footer; then what people notice, and what the server would receive. The footer (cost, guards, what is not
 * managed) is the same in most cases: only cases with a `footer.txt` check it.
 */
export function shown(planned: Checked<Plan>, yaml: string): string {
  if (!planned.ok) {
    return renderDiagnostics({
      diagnostics: planned.diagnostics,
      sources: new Map([["realm.yaml", yaml]]),
      style: PLAIN,
    });
  }
  const plan = planned.value;
  const below = [...noticedLines(plan), ...plan.calls.map(callLine)];
  return [parts(plan, yaml).body, ...(below.length > 0 ? ["", ...below] : []), ""].join("\n");
}

/** The footer of the plan, as a person sees it. */
export function footerOf(plan: Plan): string {
  return `${parts(plan).footer}\n`;
}

function parts(plan: Plan, yaml?: string): { readonly body: string; readonly footer: string } {
  const text = renderPlan(plan, { style: PLAIN, all: true, textOf: () => yaml }).trimEnd();
  const at = text.search(plan.changes.length > 0 ? /^Sends {2}/m : /\sNot\s+managed:/);
  return at === -1 ? { body: text, footer: "" } : { body: text.slice(0, at).trimEnd(), footer: text.slice(at).trim() };
}

function noticedLines({ side_effects: { emails, notices_in, direct_messages } }: Plan): readonly string[] {
  return [
    ...(notices_in.length > 0 ? [`notices in ${notices_in.join(", ")}`] : []),
    ...(direct_messages !== undefined ? [`direct messages: ${direct_messages}`] : []),
    ...(emails > 0 ? [`e-mails: ${emails}`] : []),
  ];
}

function callLine(call: Call): string {
  const after = call.after.length > 0 ? ` after ${call.after.join(", ")}` : "";
  const target = Object.values(call.path).map((value) => JSON.stringify(value));
  return `${call.n}. ${[call.operation, ...target].join(" ")} ${JSON.stringify(call.params)}${after}`;
}
