import type { Later, Shift } from "../../access/answers.ts";
import type { WebShift } from "../../access/difference.ts";
import type { Grant, Standing } from "../../access/grants.ts";
import type { Invited } from "../../access/invitations.ts";
import type { People } from "../../access/people.ts";
import { READ } from "../../access/rules.ts";
import { isChannel } from "../../access/scope.ts";
import type { Target } from "../../access/sources.ts";
import { clean } from "../../model/clean.ts";
import type { RiskFact } from "../../model/facts.ts";
import { groupedBy } from "../../model/lazy.ts";
import { listNames } from "../../model/words.ts";
import { type Line, printText } from "../layout.ts";
import { dotted, paint } from "../style.ts";
import { gainers } from "../words/names.ts";
import { riskText } from "../words/risks.ts";
import { MOST_NAMED, peopleText, sizeText, sourceText, targetName, wayInto } from "./names.ts";
import { type AnswerContext, hiddenNote, labelWidth, row, stepText, unlistedNote } from "./text.ts";

/** How a plan changes access. */
export interface Shifts {
  readonly people: readonly Shift[];
  readonly web: readonly WebShift[];
  readonly invited: readonly Invited[];
  /** Private channels that people with invitations of higher roles may come to read: these were not read. */
  readonly perhaps: readonly Target[];
  /** Who can come to read channels later. */
  readonly later: readonly Later[];
  /** What people come to read without a right to a channel: its past, and reports with the words of messages. */
  readonly besides: readonly RiskFact[];
}

/** Whether more people come to read reports; the past of a channel has the people who read it ({@link Later}). */
export const isReports = (fact: RiskFact): boolean => fact.kind === "opened" && fact.what === "reports";

/** The text of an invitation: "grace@example.org is invited as guest, into #announce and the group staff; can then read what is private: #plans" */
export function invitedText({ name, isLink, state, role, channels, groups, reads }: Invited): string {
  const into = [...channels.map((channel) => `#${channel}`), ...groups.map((group) => `the group ${group}`)];
  const places = into.length === 0 ? "" : `, into ${listNames(into, 8)}`;
  const closed = listNames(
    reads.map((channel) => `#${channel}`),
    8,
  );
  const subject = isLink ? `everybody with the link ${name}` : name;
  const verb = {
    new: isLink ? `may join as ${role}` : `is invited as ${role}`,
    revoked: isLink ? `can no longer join as ${role}` : `is no longer invited as ${role}`,
    open: isLink ? `may join as ${role} already` : `is invited as ${role} already`,
  }[state];
  return `${subject} ${verb}${places}${reads.length === 0 ? "" : `; can then read what is private: ${closed}`}`;
}

export function webText({ target, opens }: WebShift): string {
  return opens
    ? `everybody on the web can read ${targetName(target)}`
    : `${targetName(target)} can no longer be read on the web`;
}

/** "Dmitri Ivanov can join crew, and then read #board"; "everybody who joins later can come to read #board" */
export const laterTexts = (later: readonly Later[], { realm, state, all }: AnswerContext): readonly string[] =>
  later.flatMap(({ channel, people, groups, newcomers }) => [
    ...(people.size === 0
      ? []
      : [
          `${peopleText(realm, state, people, { all })} can ${stepText({ groups })}, and then read ${targetName(channel)}`,
        ]),
    ...(newcomers.length === 0 ? [] : [`${gainers(0, newcomers)} can come to read ${targetName(channel)}`]),
  ]);

/** What nobody knows of people who join later. */
export function perhapsNote(perhaps: readonly Target[], all = false): readonly string[] {
  const names = listNames(perhaps.map(targetName), all ? Number.POSITIVE_INFINITY : MOST_NAMED);
  return perhaps.length === 0
    ? []
    : [`Open invitations and links with higher roles were not read: who accepts one may come to read ${names}.`];
}

/** Who gains and who loses which right, object by object. */
export function shiftsText(
  { people: shifts, web, invited, perhaps, besides, later }: Shifts,
  before: AnswerContext,
  after: AnswerContext,
  head: readonly string[],
): string {
  const { style, basis } = after;
  const lead = [{ text: dotted(style, [...head, ...basis]), indent: 2 }];
  const asked = invitedLines(invited, after);
  const notes = [...unlistedNote(after), ...perhapsNote(perhaps, after.all), ...hiddenNote(after)];
  const unlisted = notes.map((text) => ({ text }));
  const mark = `${paint(style, "risk", "!")} `;
  const open = [...web.map(webText), ...besides.map((fact) => riskText({ fact })), ...laterTexts(later, after)].map(
    (text) => ({
      lead: mark,
      text,
    }),
  );
  if (shifts.length + open.length === 0)
    return printText(style, [lead, ["Nobody gains or loses access."], asked, unlisted]);
  const width = labelWidth(
    style,
    shifts.map(({ right }) => right.word),
  );
  const sameShape = new Map<
    string,
    { readonly names: string[]; readonly title: string; readonly lines: readonly Line[] }
  >();
  for (const [name, own] of groupedBy(shifts, ({ target }) => targetName(target))) {
    const { title, shown } = worthSaying(own, after);
    const lines = shown.flatMap((shift) => shiftLines(shift, width, before, after));
    const key = JSON.stringify([title, lines]);
    const known = sameShape.get(key);
    if (known === undefined) sameShape.set(key, { names: [name], title, lines });
    else known.names.push(name);
  }
  const blocks = [...sameShape.values()].map(({ names, title, lines }) => {
    const shown = listNames(names, after.all ? Number.POSITIVE_INFINITY : 8);
    return [{ text: `${paint(style, "bold", shown)}${title}`, indent: 2 }, ...lines];
  });
  const bounds = shifts.some(({ bound }) => bound)
    ? "Not all subscribers of private channels were read: for these channels, everybody who may be affected is named."
    : "";
  return printText(style, [lead, open, ...blocks, asked, unlisted, [{ text: bounds }]]);
}

/** The number of invitations shown without `--all`. */
const MOST_INVITED = 20;

function invitedLines(invited: readonly Invited[], { style, all }: AnswerContext): readonly Line[] {
  const shown = all ? invited : invited.slice(0, MOST_INVITED);
  const left = invited.length - shown.length;
  return [
    ...shown.map((each) => {
      const sign = each.state === "revoked" ? paint(style, "remove", "-") : paint(style, "add", "+");
      return { lead: `${sign} `, text: clean(invitedText(each)) };
    }),
    ...(left === 0 ? [] : [`  and ${left} more invitations (--all shows every one)`]),
  ];
}

/** The rights in a new channel, without those that follow from others; for one that becomes inactive, only that fact. */
function worthSaying(
  own: readonly Shift[],
  { all }: AnswerContext,
): { readonly title: string; readonly shown: readonly Shift[] } {
  if (all || own.length <= 3) return { title: own.every(({ isNew }) => isNew) ? "  new" : "", shown: own };
  if (own.every(({ isNew }) => isNew))
    return { title: "  new", shown: own.filter(({ right }) => MAIN_RIGHTS.has(right.right)) };
  const [first] = own;
  const target = first?.target;
  const isClosed = target !== undefined && isChannel(target) && target.archived;
  if (!isClosed) return { title: "", shown: own };
  return {
    title: "  archived: read as before, nobody can do anything else in it",
    shown: own.filter(({ right, gained }) => gained !== undefined || right.right === READ),
  };
}

const MAIN_RIGHTS: ReadonlySet<string> = new Set([
  READ,
  "can_send_message_group",
  "can_administer_channel_group",
  "can_manage_group",
  "can_join_group",
]);

function shiftLines(shift: Shift, width: number, before: AnswerContext, after: AnswerContext): readonly Line[] {
  const { style } = after;
  const side = (standing: Standing | undefined, mark: "+" | "-", context: AnswerContext): readonly Line[] => {
    if (standing === undefined) return [];
    const { people } = standing.holders;
    const isNamed = context.all || people.size <= MOST_NAMED || !shift.isNew;
    const text = isNamed
      ? peopleText(context.realm, context.state, people, { all: context.all })
      : sizeText(context.state, people);
    const sources = telling(standing, people).map((grant) => grantOf(shift.target, grant, people, context));
    const sign = paint(style, mark === "+" ? "add" : "remove", mark);
    return row(style, width, shift.right.word, `${sign} ${text}`, sources);
  };
  return [...side(shift.gained, "+", after), ...side(shift.lost, "-", before)];
}

/** The sources that give the right to somebody who does not have it from an earlier source. */
function telling({ grants }: Standing, people: People): readonly Grant[] {
  const found: Grant[] = [];
  let left = people;
  for (const grant of grants) {
    if (left.and(grant.people).size === 0) continue;
    left = left.minus(grant.people);
    found.push(grant);
  }
  return found;
}

function grantOf(target: Target, { source, people }: Grant, all: People, context: AnswerContext): string {
  const text = sourceText(source, target);
  const also = wayInto(context.state, source);
  const ways = people.size <= MOST_NAMED ? [...people].map(also) : [];
  if (people.size === all.size && ways.every((way) => way === "")) return text;
  const isNamed = people.size <= MOST_NAMED || context.all;
  const who = isNamed
    ? peopleText(context.realm, context.state, people, { all: context.all, also })
    : sizeText(context.state, people);
  return `${text} – ${who}`;
}
