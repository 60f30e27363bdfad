import { clean } from "../model/clean.ts";
import { shellWord } from "../model/command-line.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { askingGuards, type Guard, type Plan, type Risk, refusedIn, type Unmanaged } from "../model/plan.ts";
import { NOWHERE } from "../model/span.ts";
import { causesFirst, gathered, shortLines } from "./alike.ts";
import { filesOf, renderDiagnostics } from "./diagnostics.ts";
import {
  counted,
  fileNames,
  type Line,
  leftAloneText,
  matchText,
  momentText,
  printText,
  ROOM_FOR_MARGIN,
  realmName,
  sandboxText,
  shownMessage,
  shownName,
} from "./layout.ts";
import { leftAsideText } from "./object-names.ts";
import { callLines, callsText, costText } from "./plan-cost.ts";
import { planLines } from "./plan-entries.ts";
import { guardLines, riskLines } from "./plan-risks-and-guards.ts";
import { dotted, paint, type Style } from "./style.ts";
import { totalsText } from "./tally.ts";
import { nameList } from "./values.ts";
import { roleName } from "./words/names.ts";
import { newerText } from "./words/newer.ts";
import { comparedWith, partialParts, rehearsalParts } from "./words/rehearsal.ts";
import { unseenText } from "./words/unseen.ts";

export interface PlanTextOptions {
  readonly style: Style;
  /** Whether to show every change, risk and name instead of groups of similar ones. */
  readonly all?: boolean;
  /** The command that carries out this plan; default `realmctl apply`, empty if it is being carried out. */
  readonly applyWith?: string;
  /** Every call as it is sent, for the review of a saved plan. */
  readonly calls?: boolean;
  /** The people that a risk is about, if it is about people; shown below the risk. */
  readonly who?: (risk: Risk) => string;
  /** Whether the plan undoes a run, so that no file could contain more. */
  readonly undoes?: boolean;
  /** Guard rails that an error below the plan names. */
  readonly refusing?: readonly Guard[];
  /** Calls of this plan that an interrupted run carried out. */
  readonly done?: number;
  /** The text of a file whose lines may be shown: errors then have theirs below them. */
  readonly textOf?: (file: string) => string | undefined;
  /** The cost of reading, for the last line: requests sent and seconds taken. */
  readonly cost?: { readonly requests: number; readonly seconds: number };
}

/** The number of names of objects that the file does not mention. */
const MOST_UNMANAGED = 5;

const NOTHING_TO_UNDO = "That run has nothing left to undo.";

/** The plan as a person reads it: risks, summary, objects with the place that asked for them, cost, guards, how to apply. */
export function renderPlan(given: Plan, asked: PlanTextOptions): string {
  const [file, other] = fileNames(given.changes);
  const options = { ...asked, style: { ...asked.style, ...defined({ file: other === undefined ? file : undefined }) } };
  const { style, refusing = [] } = options;
  const plan = options.undoes === true ? withoutPlaces(given) : given;
  const all = options.all ?? false;
  if (plan.changes.length === 0) return renderEmpty(plan, options);
  const warnings = warningBlocks(plan, options).filter((lines) => lines.length > 0);
  const footer = [
    { label: "Sends", text: callsText(plan, style, all) },
    ...rehearsalLines(plan, options),
    ...guardLines(
      plan.guards.filter((_, index) => !refusing.some((guard) => guard === given.guards[index])),
      style,
      all,
    ),
    { label: "Not managed", text: all ? unmanagedText(plan.unmanaged, options) : "" },
    { label: "Not known", text: newerText(plan.extra?.newer ?? [], plan.server.feature_level) },
    ...(options.calls === true ? [] : closing(plan, options)),
  ];
  const text = printText(style, [
    [
      { text: `Plan: ${paint(style, "bold", totalsText(plan.changes, style, all))}`, indent: 2 },
      headLine(plan, options),
      ...partialLines(plan, style),
    ],
    riskLines(plan, options),
    ...(warnings.length === 0
      ? [[...planLines(plan, style, all), ...footer]]
      : [planLines(plan, style, all), ...warnings, footer]),
    ...(options.calls === true ? [callBlock(plan, style, all), closing(plan, options)] : []),
  ]);
  // An empty line, so that the result is separate.
  return options.applyWith === "" ? `${text}\n` : text;
}

/** More errors than this are shown in short. */
const MOST_FRAMED = 10;

function warningBlocks(plan: Plan, { style, all = false, textOf }: PlanTextOptions): readonly (readonly Line[])[] {
  const found = gathered(plan.warnings, all);
  const errors = found.filter(({ severity }) => severity === "error");
  if (textOf === undefined || errors.length === 0 || errors.length > MOST_FRAMED)
    return [shortLines(found, style, all)];
  const sources = new Map(filesOf(errors).flatMap((file) => whenDefined(textOf(file), (text) => [[file, text]]) ?? []));
  const framed = renderDiagnostics({ diagnostics: causesFirst(errors), sources, style, ending: null });
  return [
    shortLines(
      found.filter(({ severity }) => severity !== "error"),
      style,
      all,
    ),
    framed.trimEnd().split("\n"),
  ];
}

/** Removes the places of changes of an undo, since no line of a file asks for them. */
function withoutPlaces(plan: Plan): Plan {
  const bare = <T extends { readonly at?: Span }>(item: T): T => ({ ...item, at: NOWHERE });
  return {
    ...plan,
    changes: plan.changes.map((change) => ({ ...bare(change), risks: change.risks.map(bare) })),
    guards: plan.guards.map(bare),
    warnings: plan.warnings.map(bare),
  };
}

function renderEmpty(plan: Plan, options: PlanTextOptions): string {
  const { style, cost, undoes } = options;
  const matching = Object.values(plan.matches);
  const unmanaged = options.all === true ? unmanagedText(plan.unmanaged, options) : "";
  const newer = newerText(plan.extra?.newer ?? [], plan.server.feature_level);
  const left = leftAloneText(plan);
  const sentences = [
    left === "" ? paint(style, "good", "No changes.") : `${paint(style, "risk", left)} No other changes.`,
    left !== "" && matching.every((number) => number === 0)
      ? ""
      : matching.length > 0
        ? matchText(plan.matches)
        : nothingText(plan, undoes === true),
    unmanaged === "" ? "" : `Not managed: ${unmanaged}.`,
    newer === "" ? "" : `${newer}.`,
    asideText(style, [cost === undefined ? "" : costText(cost)]),
  ];
  const text = sentences.filter((sentence) => sentence !== "").join(" ");
  return printText(style, [
    ...warningBlocks(plan, options),
    [...partialLines(plan, style), { text }, ...guardLines(plan.guards, style)],
  ]);
}

function nothingText({ extra }: Plan, undoes: boolean): string {
  if (undoes) return NOTHING_TO_UNDO;
  return extra?.partial === undefined ? "The file manages nothing yet." : "No part of the file is left to plan.";
}

function headLine(plan: Plan, { style, all = false }: PlanTextOptions): Line {
  const { account } = plan;
  const who = `as ${clean(account.full_name)} (${account.is_bot ? "bot, " : ""}${roleName(account)})`;
  const parts = [
    paint(style, "bold", realmName(plan.realm.url)),
    sandboxText(plan.realm),
    who,
    all ? `level ${plan.server.feature_level}` : "",
    `read ${momentText(plan.snapshot_taken_at)}`,
    style.width < ROOM_FOR_MARGIN ? (style.file ?? "") : "",
  ];
  return { text: dotted(style, parts), indent: 2 };
}

function rehearsalLines(plan: Plan, { style, all = false, undoes = false, done }: PlanTextOptions): readonly Line[] {
  const { extra } = plan;
  if (extra?.rehearsal === undefined) return [];
  const parts = rehearsalParts(extra.rehearsal, {
    all,
    against: undoes ? "plan" : comparedWith(plan),
    ...defined({ done }),
  });
  const shown = parts.map((part) => clean(shownMessage(part)));
  return [{ label: "Rehearsed", text: dotted(style, shown) }];
}

/** The lines that say that the plan is only of a part, or of what the account sees. They are above everything else. */
export function partialLines(plan: Pick<Plan, "account" | "extra">, style: Style): readonly Line[] {
  const { partial, unseen } = plan.extra ?? {};
  const shown = partial === undefined ? [] : partialParts(partial).map((part) => clean(shownMessage(part)));
  return [
    { label: "Partial", text: dotted(style, shown) },
    ...(unseen === undefined ? [] : [{ label: "Not seen", text: clean(shownMessage(unseenText(plan))) }]),
  ];
}

function callBlock(plan: Plan, style: Style, all: boolean): readonly string[] {
  return [paint(style, "bold", "Every call, in order:"), ...callLines(plan, all).map((line) => `  ${line}`)];
}

/** "12 channels, 4 user groups (additive: left alone)"; with `all`, their names. */
function unmanagedText(unmanaged: readonly Unmanaged[], { style, all = false, undoes }: PlanTextOptions): string {
  const reasons = {
    additive: "additive: left alone",
    ignore: "ignored",
    absent: undoes ? "not of that run" : "no such section in the file",
    exact: "exact",
    except: "",
  } as const satisfies Record<Unmanaged["policy"], string>;
  const texts = (Object.keys(reasons) as readonly Unmanaged["policy"][]).flatMap((policy) => {
    const own = unmanaged.filter((item) => item.policy === policy && item.names.length > 0);
    if (own.length === 0) return [];
    if (policy === "except") {
      const most = all ? Number.POSITIVE_INFINITY : MOST_UNMANAGED;
      return own.map((item) => leftAsideText(item, nameList(style, item.names.map(shownName), most)));
    }
    const items = own.map((item) => {
      // Sections that the file does not have are only counted, since nobody took anything out of them.
      const most = all ? item.names.length : policy === "additive" ? MOST_UNMANAGED : 0;
      const names = most === 0 ? "" : `: ${nameList(style, item.names.map(shownName), most)}`;
      return `${counted(item.section, item.names.length)}${names}`;
    });
    return [`${items.join(items.some((item) => item.includes(": ")) ? "; " : ", ")} (${reasons[policy]})`];
  });
  return dotted(style, texts);
}

/** What matters least, in brackets. */
function asideText(style: Style, parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join("; ");
  return text === "" ? "" : paint(style, "dim", ` (${text})`);
}

const SHOWS_MORE = "more: --verbose";

function closing(plan: Plan, { style, applyWith, cost, all = false }: PlanTextOptions): readonly Line[] {
  const isNarrow = style.width < ROOM_FOR_MARGIN;
  const read = asideText(style, [cost === undefined || isNarrow ? "" : costText(cost), all ? "" : SHOWS_MORE]);
  if (applyWith !== "" && plan.guards.some((guard) => guard.violated)) {
    return [
      { text: `${paint(style, "risk", "Nothing can be applied")} until the guard is satisfied or changed.${read}` },
    ];
  }
  if (applyWith !== "" && refusedIn(plan).length > 0) {
    const end = "with this account, only with one that may make all of these changes";
    return [{ text: `${paint(style, "risk", "Nothing can be applied")} ${end}.${read}` }];
  }
  const left = { text: paint(style, "risk", leftAloneText(plan)) };
  if (applyWith === "") return [left, read === "" ? "" : { text: read.trimStart() }];
  const asked = [...new Set(askingGuards(plan).map(({ name }) => name))];
  const unattended = asked.length === 0 ? "" : ` (with --yes: --allow ${asked.map(shellWord).join(" --allow ")})`;
  const apply = `Apply with: ${paint(style, "bold", applyWith ?? "realmctl apply")}${unattended}${read}`;
  return [left, { text: apply }];
}
