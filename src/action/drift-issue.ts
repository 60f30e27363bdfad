import { createHash } from "node:crypto";
import * as z from "zod";
import type { Change, Plan } from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import { counted, momentText, objectName, pluralOf, realmName } from "../report/layout.ts";
import { fillBlocks } from "../report/markdown-budget.ts";
import { codeText, proseText } from "../report/markdown-text.ts";
import { clean, count, PLAIN, shorten } from "../report/style.ts";
import { changeLines } from "../report/values.ts";

export type DriftClass = "widens" | "narrows" | "cosmetic" | "missing" | "unmanaged";

/** One thing that is not as the file says. */
export interface DriftItem {
  /** The same from run to run, whatever the object is called by then. */
  readonly identity: string;
  readonly class: DriftClass;
  readonly title: string;
  readonly lines: readonly string[];
  /** ISO 8601: the first run that saw it. */
  readonly since: string;
}

const State = z.strictObject({
  v: z.literal(1),
  since: z.record(z.string().regex(/^[0-9a-f]{16}$/), z.iso.datetime()),
});
type State = z.infer<typeof State>;
/** So that the text stays far below what GitHub takes; the worst come first. */
const MOST_REMEMBERED = 400;
const STATE = /<!-- realmctl:state:([A-Za-z0-9+/=]*) -->/;

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** What the issue's text remembers of earlier runs; nothing when somebody made something else of it. */
export function readState(body: string): State {
  const found = STATE.exec(body)?.[1];
  try {
    const parsed = State.safeParse(JSON.parse(Buffer.from(found ?? "", "base64").toString("utf8")));
    if (parsed.success) return parsed.data;
  } catch {
    // No state: everything is new.
  }
  return { v: 1, since: {} };
}

/** Everything that differs, the worst first. A risk of putting it back is the opposite of what the drift did. */
export function driftItems(drift: Drift, state: State): readonly DriftItem[] {
  const now = drift.plan.snapshot_taken_at;
  const sinceOf = (identity: string): string => state.since[identity] ?? now;
  const differences = drift.differences.map((change): DriftItem => {
    const identity = short(
      `${change.kind}:${change.action === "reorder" || change.id === undefined ? change.address : change.id}`,
    );
    return {
      identity,
      class: classOf(change),
      title: change.action === "reorder" ? `order of ${pluralOf(change.kind)}` : objectName(change.kind, change.name),
      lines: linesOf(change),
      since: sinceOf(identity),
    };
  });
  const unmanaged = drift.unmanaged
    .filter(({ policy }) => policy === "additive")
    .flatMap(({ section, names }) =>
      names.map((name): DriftItem => {
        const identity = short(`unmanaged:${section}:${name}`);
        return {
          identity,
          class: "unmanaged",
          title: `${clean(section)}: ${clean(name)}`,
          lines: [],
          since: sinceOf(identity),
        };
      }),
    );
  return [...differences, ...unmanaged].sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class));
}

function classOf(change: Change): DriftClass {
  if (change.risks.some(({ kind }) => kind === "narrows")) return "widens";
  if (change.risks.some(({ kind }) => kind === "widens")) return "narrows";
  return change.action === "update" || change.action === "reorder" ? "cosmetic" : "missing";
}

function linesOf(change: Change): readonly string[] {
  if (change.action === "create") return ["in the file, not on the realm"];
  if (change.action === "remove") return ["on the realm, the file says it is gone"];
  if (change.action === "reorder") return ["another one than the file's"];
  return change.fields.map(({ field, before, after }) => {
    const values = changeLines(PLAIN, { field, before: after, after: before }, 80, false);
    return shorten(PLAIN, `${field}: ${values.join(" ⏎ ")}`, 600);
  });
}

const ORDER: readonly DriftClass[] = ["widens", "narrows", "missing", "cosmetic", "unmanaged"];
const CLASS_WORD = {
  widens: "⚠️ widens access",
  narrows: "takes access away",
  missing: "made or removed",
  cosmetic: "cosmetic",
  unmanaged: "not in the file",
} as const satisfies Record<DriftClass, string>;

/** The issue's text: equal drifts have equal texts, so that nothing is edited for nothing. */
export function issueText(
  marker: string,
  plan: Pick<Plan, "realm">,
  items: readonly DriftItem[],
  budget: number,
): { readonly title: string; readonly body: string } {
  const differing = items.filter((item) => item.class !== "unmanaged");
  const since: { [identity: string]: string } = {};
  for (const item of items.slice(0, MOST_REMEMBERED)) since[item.identity] = item.since;
  const state = Buffer.from(JSON.stringify({ v: 1, since } satisfies State)).toString("base64");
  const top = `${marker}\n<!-- realmctl:state:${state} -->\n`;
  const block = (title: string, list: readonly DriftItem[]) => ({
    share: 0.8,
    before: `### ${title}\n\n`,
    after: "\n",
    items: list.map((item) =>
      [
        `- ${item.class === "unmanaged" ? "" : `${CLASS_WORD[item.class]}: `}${codeText(item.title)} · since ${momentText(item.since)}`,
        ...item.lines.map((line) => `  - ${codeText(line)}`),
      ].join("\n"),
    ),
    left: (number: number) => `- … and ${number} more, left out here: \`realmctl drift --all\` names each`,
  });
  const body = fillBlocks(
    [
      {
        fixed: `${codeText(realmName(plan.realm.url))} is not as the file says: ${count(differing.length, "object differs", "objects differ")}.\n`,
      },
      block("Different", differing),
      block(
        "Not in the file (left alone)",
        items.filter((item) => item.class === "unmanaged"),
      ),
      {
        fixed:
          "To put it back run the apply workflow; to keep it, write it into the file. This issue closes by itself.",
      },
    ],
    budget - top.length,
  );
  return { title: `Drift in ${proseTitle(realmName(plan.realm.url))}`, body: top + body };
}

/** Titles are no Markdown; they only must not ping anybody. */
const proseTitle = (text: string): string => clean(text).replaceAll("@", "(at)");

/** The drift for the job summary. */
export function driftSummary(plan: Plan, items: readonly DriftItem[], budget: number): string {
  const counts = ORDER.flatMap((name) => {
    const number = items.filter((item) => item.class === name).length;
    return number === 0 ? [] : [`| ${CLASS_WORD[name]} | ${number} |`];
  });
  const matches = Object.entries(plan.matches).map(([section, number]) => counted(section, number));
  return fillBlocks(
    [
      { fixed: `### Drift of ${codeText(realmName(plan.realm.url))}\n` },
      {
        fixed:
          counts.length === 0
            ? `No drift. ${proseText(matches.join(", "))} match.`
            : ["| | |", "| --- | --- |", ...counts, ""].join("\n"),
      },
      {
        share: 1,
        items: items.map(
          (item) =>
            `- ${CLASS_WORD[item.class]}: ${codeText(item.title)} ${item.lines.map(codeText).join(" · ")} since ${momentText(item.since)}`,
        ),
        left: (number) => `- … and ${number} more`,
      },
    ],
    budget,
  );
}
