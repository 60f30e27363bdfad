import { type Coming, comingIn, type Reach } from "../../access/answers.ts";
import { type AccessPath, type Grant, readersOf, type Standing } from "../../access/grants.ts";
import type { People } from "../../access/people.ts";
import { ADMINISTER, READ } from "../../access/rules.ts";
import { CHANNEL, GROUP, isChannel, isGroup } from "../../access/scope.ts";
import type { Target } from "../../access/sources.ts";
import { type AccessState, isPrivate } from "../../access/state.ts";
import { isKnown, type Right, wordOf } from "../../access/words.ts";
import { clean } from "../../model/clean.ts";
import { addTo } from "../../model/lazy.ts";
import type { Realm } from "../../model/realm.ts";
import { count, grouped, listNames } from "../../model/words.ts";
import { below, type Line, printText, ROOM_FOR_MARGIN } from "../layout.ts";
import { displayWidth, dotted, padTo, paint, type Style } from "../style.ts";
import {
  accessPathText,
  boundText,
  heldName,
  MOST_NAMED,
  peopleText,
  privacyText,
  sizeText,
  sourceText,
  targetAddress,
  targetName,
  wayInto,
} from "./names.ts";
import { stepWords } from "./way.ts";

/** The style and options of every answer. */
export interface AnswerContext {
  readonly realm: Realm;
  readonly state: AccessState;
  readonly style: Style;
  /** Whether to show every name. */
  readonly all: boolean;
  /** The source of the answer, after the heading: "chat.example.org", "read 2026-11-21 12:04 UTC"; "as realm.yaml alone says". */
  readonly basis: readonly string[];
  /** The subscribers of the private channel in question whom the file does not list. */
  readonly unlisted?: readonly number[];
  /** Rights that were asked for and that this server does not have. */
  readonly missing?: readonly Right[];
}

const NEEDS = {
  read: "among those who read it",
  reach: "among those who can reach it",
  see: "among those who know of it",
  nothing: "",
} as const;

/** Each right on one object, its holders, and why they hold it. */
export function objectText(target: Target, standings: readonly Standing[], context: AnswerContext): string {
  const { style } = context;
  const parts = [paint(style, "bold", targetName(target)), ...aboutTarget(target, context), ...context.basis];
  const shown: Shown[] = [];
  const known = standings.filter(isKnown);
  const width = labelWidth(
    style,
    known.map(({ scope, right }) => wordOf(scope, right)),
  );
  const rows = known.flatMap((standing) => standingLines(target, standing, shown, width, context));
  const others = standings.flatMap((each) => (isKnown(each) ? [] : standingLines(target, each, [], 0, context)));
  const notes = [
    ...missingNote(context),
    ...unlistedNote(context),
    ...boundNote(target, standings),
    ...comingNotes(target, standings, context),
    ...takeoverNote(target, context),
  ];
  const head = { text: dotted(style, parts), indent: 2 };
  return printText(style, [[head], rows, otherRightsBlock(others, style), ...notes.map((text) => [{ text }])]);
}

/** Rights that only the server knows: whoever their settings name. */
const otherRightsBlock = (lines: readonly Line[], style: Style): readonly Line[] =>
  lines.length === 0 ? [] : [paint(style, "bold", "rights that this version does not know"), ...lines];

function aboutTarget(target: Target, { state }: AnswerContext): readonly string[] {
  if (target === "organization") return [];
  if (isGroup(target)) {
    const members = state.membersOf(target.name);
    return [target.deactivated ? "deactivated" : "", sizeText(state, members)];
  }
  const { archived, subscribers, isPrivacyLeftOut } = target;
  const inside = subscribers?.and(state.accounts.everybody);
  return [
    isPrivacyLeftOut === true ? "privacy not in the file" : privacyText(state.opennessOf(target)),
    archived ? "archived" : "",
    inside === undefined ? "subscribers not read" : count(inside.size, "subscriber"),
  ];
}

interface Shown {
  readonly people: People;
  readonly word: string;
  readonly sources: readonly string[];
}

/** Rights with the same holders are listed once with names, then as "the same 3 people". */
function standingLines(
  target: Target,
  standing: Standing,
  shown: Shown[],
  width: number,
  context: AnswerContext,
): readonly Line[] {
  const { realm, state, style, all } = context;
  const word = wordOf(standing.scope, standing.right);
  const { people, bound } = standing.holders;
  const needs = NEEDS[standing.needs];
  const sources = standing.grants.map((grant) => grantText(target, standing, grant, needs, context));
  const before = shown.find((each) => each.people.equals(people));
  if (before === undefined && people.size > 0) shown.push({ people, word, sources });
  const upTo = boundText(bound);
  const size = sizeText(state, people);
  const who =
    people.size === 0
      ? bound === "least"
        ? isOpenEnded(target)
          ? "nobody whom the file names"
          : "nobody but subscribers, who were not read"
        : "nobody"
      : before !== undefined && people.size > 1
        ? `the same as ${before.word}: ${size}`
        : people.size <= MOST_NAMED || all
          ? `${upTo}${peopleText(realm, state, people, { all })}`
          : `${upTo}${size}`;
  const reasons =
    people.size === 0
      ? emptyReason(target, standing, state)
      : before !== undefined && sources.join() === before.sources.join()
        ? []
        : sources;
  return row(style, width, word, who, reasons);
}

/** Why the setting gives the right to nobody. */
function emptyReason(target: Target, { right }: Standing, state: AccessState): readonly string[] {
  const settings = target === "organization" ? state.organization : target.settings;
  const value = settings.get(right);
  if (value === undefined) return [];
  return [sourceText({ via: "setting", on: targetAddress(target), setting: right, value }, target)];
}

function grantText(
  target: Target,
  { holders }: Standing,
  { source, people, wider }: Grant,
  needs: string,
  { realm, state, all }: AnswerContext,
): string {
  const text = sourceText(source, target);
  const narrowed = wider === true && needs !== "" ? `, ${needs}` : "";
  if (people.size === holders.people.size) {
    if (people.size > MOST_NAMED) return `${text}${narrowed}`;
    const ways = [...people].map(wayInto(state, source));
    return ways.every((way) => way === "")
      ? `${text}${narrowed}`
      : `${text}: ${peopleText(realm, state, people, { also: wayInto(state, source) })}`;
  }
  const who =
    people.size <= MOST_NAMED || all
      ? peopleText(realm, state, people, { all, also: wayInto(state, source) })
      : sizeText(state, people);
  return `${text}${narrowed} – ${who}`;
}

/** Subscribers who stay although the file does not name them. */
export function unlistedNote({ unlisted = [], realm, state, all }: AnswerContext): readonly string[] {
  const people = state.population.of(unlisted);
  return people.size === 0
    ? []
    : [`Subscribed, and not listed in the file: ${peopleText(realm, state, people, { all })}`];
}

const missingNote = ({ missing = [] }: AnswerContext): readonly string[] =>
  missing.length === 0
    ? []
    : [`This server does not have ${listNames(missing.map(({ right, word }) => `${word} (${right})`))}.`];

const isOpenEnded = (target: Target): boolean =>
  target !== "organization" && isChannel(target) && target.openTo !== undefined;

function boundNote(target: Target, standings: readonly Standing[]): readonly string[] {
  if (!standings.some(({ holders }) => holders.bound !== undefined)) return [];
  return isOpenEnded(target)
    ? [
        "The numbers are bounds, since the file does not say everybody who reads this channel: that takes its privacy, a whole list of subscribers, and can_subscribe_group and can_add_subscribers_group under permissions (or `unset: default` for channels).",
      ]
    : [
        "The subscribers of this channel were not read, so the numbers are bounds: the account that reads is not among them, or the snapshot was taken without them (--no-subscribers).",
      ];
}

/** Who does not read or administer it now, and can come to without anybody's help. */
export function comingNotes(
  target: Target,
  standings: readonly Standing[],
  { state, realm, all }: Pick<AnswerContext, "state" | "realm" | "all">,
): readonly string[] {
  return ([READ, ADMINISTER] as const).flatMap((right) => {
    const coming = comingIn(standings, right, state, target);
    if (coming === undefined) return [];
    const deed = right === READ ? "read" : "administer";
    return [`${peopleText(realm, state, coming.people, { all })} can ${stepText(coming)}, and then ${deed} it.`];
  });
}

/** What people do to come to read a channel: "join staff" */
export const stepText = ({ groups }: Pick<Coming, "groups">): string =>
  groups.length === 0 ? "subscribe" : stepWords(groups, MOST_NAMED, "one of ");

/** "can join staff, and then read #board and #vault" */
export function comingTexts(comings: readonly Coming[], all: boolean): readonly string[] {
  const bySteps = new Map<string, string[]>();
  for (const coming of comings) addTo(bySteps, stepText(coming), targetName(coming.channel));
  const most = all ? Number.POSITIVE_INFINITY : MOST_NAMED + 1;
  return [...bySteps].map(([step, names]) => `can ${step}, and then read ${listNames(names, most)}`);
}

/** Other private channels are in no answer. */
export const hiddenNote = ({ realm }: Pick<AnswerContext, "realm">): readonly string[] =>
  realm.isAdmin
    ? []
    : ["The account that reads is no administrator: private channels that it does not see are not in this answer."];

/** Administrators can make themselves the owner of any bot (zulip-api.md §18.2). No answer counts them for that. */
function takeoverNote(target: Target, { state, realm, all }: AnswerContext): readonly string[] {
  if (!isChannel(target) || !isPrivate(target)) return [];
  const { bots, webhooks, administrators, everybody } = state.accounts;
  const { people } = readersOf(state, target);
  const reading = people.and(bots).and(everybody).minus(webhooks);
  if (reading.size === 0 || administrators.minus(bots).minus(people).size === 0) return [];
  const names = peopleText(realm, state, reading, { all });
  return [`Administrators can take over a bot that reads it, and then read it, too: ${names}. They are not counted.`];
}

/** The width of the column for names of rights: as wide as the longest; 0 puts them on separate lines. */
export function labelWidth(style: Style, words: readonly string[]): number {
  if (style.width < ROOM_FOR_MARGIN) return 0;
  const longest = Math.max(8, ...words.map((word) => displayWidth(word)));
  return longest + 2 > style.width / 3 ? 0 : longest + 2;
}

/** A right's name, its answer beside or below it, and the reasons below that, dim. */
export function row(
  style: Style,
  width: number,
  label: string,
  text: string,
  reasons: readonly string[],
): readonly Line[] {
  const name = paint(style, "bold", clean(label));
  const indent = width === 0 ? 4 : 2 + width;
  return [
    ...(width === 0 ? [below(name, 2), below(text)] : [{ lead: `  ${padTo(name, width)}`, text, indent }]),
    ...reasons.map((reason) => ({
      lead: " ".repeat(indent + 2),
      text: paint(style, "dim", reason),
      indent: indent + 4,
    })),
  ];
}

/** What one person may do: for each right the number of objects, and why; each object with `all`, or if one right is asked for. */
export function personText(
  about: { readonly name: string; readonly notes: readonly string[] },
  reaches: readonly Reach[],
  comings: readonly Coming[],
  context: AnswerContext,
): string {
  const { style } = context;
  const parts = [paint(style, "bold", clean(about.name)), ...about.notes.map(clean), ...context.basis];
  const known = reaches.filter(({ right }) => isKnown(right));
  const others = reaches.filter((reach) => !isKnown(reach.right) && reach.may.length > 0);
  const inside = known.filter(({ right }) => right.scope !== "organization");
  const whole = known.filter(({ right }) => right.scope === "organization");
  const width = labelWidth(
    style,
    inside.map(({ right, may, mayNot }) => (may.length > 0 ? right.word : noneOf(mayNot.length))),
  );
  const blocks = ([CHANNEL, GROUP] as const).map((scope) => {
    const own = inside.filter(({ right }) => right.scope === scope);
    const none = own.filter((reach) => reach.may.length === 0);
    const total = none[0]?.mayNot.length ?? 0;
    return own.length === 0
      ? []
      : [
          paint(style, "bold", scope === CHANNEL ? "in channels" : "on groups"),
          ...own.flatMap((reach) => (reach.may.length === 0 ? [] : reachLines(reach, width, context))),
          ...(none.length === 0 ? [] : row(style, width, noneOf(total), wordList(none), [])),
        ];
  });
  const organization = organizationBlock(whole, width, context);
  const unknown = others.flatMap((reach) => reachLines(reach, 0, context));
  const notes = [
    ...comingTexts(comings, context.all).map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`),
    ...hiddenNote(context),
  ];
  return printText(style, [
    [{ text: dotted(style, parts), indent: 2 }],
    ...blocks,
    organization,
    otherRightsBlock(unknown, style),
    ...notes.map((text) => [{ text }]),
  ]);
}

function organizationBlock(whole: readonly Reach[], width: number, context: AnswerContext): readonly Line[] {
  const { style } = context;
  const may = whole.filter((reach) => reach.may.length > 0);
  const mayNot = whole.filter((reach) => reach.may.length === 0);
  const reasons = may.flatMap((reach) =>
    reach.may.map(({ paths, target }) => `${reach.right.word}: ${pathsText(paths, target)}`),
  );
  return whole.length === 0
    ? []
    : [
        paint(style, "bold", "in the organization"),
        ...(may.length === 0
          ? []
          : row(style, width, "may", wordList(may), may.length > 3 && !context.all ? [] : reasons)),
        ...(mayNot.length === 0 ? [] : row(style, width, "may not", wordList(mayNot), [])),
      ];
}

const noneOf = (total: number): string => `none of ${grouped(total)}`;

const wordList = (list: readonly Reach[]): string => list.map(({ right }) => right.word).join(", ");

function reachLines({ right, may, mayNot }: Reach, width: number, { style, all }: AnswerContext): readonly Line[] {
  const total = may.length + mayNot.length;
  const byPath = new Map<string, string[]>();
  for (const { target, paths, bound } of may) {
    const [first] = paths;
    const reason = `${first === undefined ? "" : accessPathText(first, target)}${bound === "most" ? " (if subscribed: not read)" : ""}`;
    addTo(byPath, reason, heldName(target));
  }
  const most = all ? Number.POSITIVE_INFINITY : MOST_NAMED + 1;
  const reasons = [...byPath].map(
    ([reason, names]) => `${reason === "" ? "" : `${reason} – `}${listNames(names, most)}`,
  );
  const not =
    mayNot.length === 0 ? "" : `, not ${listNames(mayNot.map(targetName), all ? Number.POSITIVE_INFINITY : 4)}`;
  return row(
    style,
    width,
    right.word,
    `${total === may.length ? `all ${grouped(total)}` : `${grouped(may.length)} of ${grouped(total)}`}${not}`,
    reasons,
  );
}

/** The paths of one right on one object, for one person. */
function pathsText(paths: readonly AccessPath[], target: Target): string {
  return paths.map((path) => accessPathText(path, target)).join("; ");
}
