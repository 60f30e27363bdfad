import { type Coming, comingIn, type Later, type Reach } from "../../access/answers.ts";
import type { Standing } from "../../access/grants.ts";
import type { Invited } from "../../access/invitations.ts";
import { ADMINISTER, READ } from "../../access/rules.ts";
import type { Target } from "../../access/sources.ts";
import { wordOf } from "../../access/words.ts";
import { clean } from "../../model/clean.ts";
import type { Realm } from "../../model/realm.ts";
import { gainers, roleName } from "../words/names.ts";
import { accessPathText, sourceText, targetName } from "./names.ts";
import { isReports, type Shifts } from "./shifts-text.ts";
import { type AnswerContext, stepText } from "./text.ts";

type Line = readonly string[];

const HEAD: Line = ["on", "right", "setting", "person", "name", "role", "bot", "change", "bound", "by"];

/** A spreadsheet treats a value that starts with one of these as a formula, unless an apostrophe precedes it. */
const FORMULA = /^[=+\-@\t\r]/;

/** One value of a table: quoted where CSV needs it, and never a formula. */
export function csvCell(text: string): string {
  const safe = clean(text);
  const plain = FORMULA.test(safe) ? `'${safe}` : safe;
  return /[",;\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const table = (lines: readonly Line[]): string =>
  `${[HEAD, ...lines].map((line) => line.map(csvCell).join(",")).join("\r\n")}\r\n`;

function person(realm: Realm, id: number): readonly string[] {
  const user = realm.user(id);
  return [
    realm.userName(id),
    user?.full_name ?? "",
    user === undefined ? "" : roleName(user),
    user?.is_bot === true ? "yes" : "no",
  ];
}

/** One line for each right and person. */
export function objectCsv(
  target: Target,
  standings: readonly Standing[],
  { realm, state }: Pick<AnswerContext, "realm" | "state">,
): string {
  const lines = ([READ, ADMINISTER] as const).flatMap((right) => {
    const coming = comingIn(standings, right, state, target);
    if (coming === undefined) return [];
    return [...coming.people].map((id) => comingLine(id, coming, realm, right === READ ? "read" : "administer"));
  });
  return table([...standings.flatMap((standing) => standingLines(target, standing, realm, "")), ...lines]);
}

/** Somebody who does not read or administer the channel, and can come to. */
const comingLine = (id: number, coming: Pick<Coming, "channel" | "groups">, realm: Realm, deed = "read"): Line => [
  targetName(coming.channel),
  `come to ${deed}`,
  "",
  ...person(realm, id),
  "",
  "",
  `may ${stepText(coming)}`,
];

function standingLines(target: Target, standing: Standing, realm: Realm, change: string): readonly Line[] {
  const { scope, right, holders, grants } = standing;
  const named = grants.map(({ source, people }) => ({ people, text: sourceText(source, target) }));
  return [...holders.people].map((id) => [
    targetName(target),
    wordOf(scope, right),
    right,
    ...person(realm, id),
    change,
    holders.bound ?? "",
    named.flatMap(({ people, text }) => (people.has(id) ? [text] : [])).join("; "),
  ]);
}

/** One line for each right and object that the person holds it on. */
export function personCsv(id: number, reaches: readonly Reach[], comings: readonly Coming[], realm: Realm): string {
  return table([
    ...reaches.flatMap(({ right, may }) =>
      may.map(({ target, paths, bound }) => [
        targetName(target),
        right.word,
        right.right,
        ...person(realm, id),
        "",
        bound ?? "",
        paths.map((path) => accessPathText(path, target)).join("; "),
      ]),
    ),
    ...comings.map((coming) => comingLine(id, coming, realm)),
  ]);
}

/** One line for each channel and group that somebody is invited into, or one for the organization. */
function invitedRows({ name, isLink, state, role, channels, groups, reads }: Invited): readonly Line[] {
  const who = isLink ? ["", `everybody with the link ${name}`, role, "no"] : [name, "", role, "no"];
  const by = isLink ? "invitation link" : "invitation";
  const row = (on: string, right: string, setting: string): Line => [
    on,
    right,
    setting,
    ...who,
    state === "revoked" ? "lost" : "gained",
    "",
    by,
  ];
  const read = [...new Set([...channels, ...reads])].map((channel) => row(`#${channel}`, "read", "read"));
  const member = groups.map((group) => row(group, "be a member", "members"));
  return read.length + member.length === 0 ? [row("the organization", "join", "")] : [...read, ...member];
}

/** One line for each person, or role of people who join later, that can come to read a channel or gains its past. */
function laterLines({ channel, people, groups, newcomers, past }: Later, realm: Realm): readonly Line[] {
  const line = (right: string, who: readonly string[], by: string): Line => [
    targetName(channel),
    right,
    "",
    ...who,
    "gained",
    "",
    by,
  ];
  return [
    ...[...people].map((id) => line("come to read", person(realm, id), `may ${stepText({ groups })}`)),
    ...newcomers.map((newcomer) =>
      line("come to read", ["", gainers(0, [newcomer]), newcomer.replace("_", " "), "no"], "joins later"),
    ),
    ...[...past].map((id) => line("read the past", person(realm, id), "history")),
  ];
}

/** More people come to read reported messages; those who come into the channel have lines of their own. */
const REPORTS: Line = [
  "organization",
  "read reported messages",
  "moderation_request_channel",
  ...["", "whoever reads the channel of moderation requests", "", ""],
  ...["gained", "", ""],
];

/** One line for each right and person that is gained or lost. */
export function shiftsCsv({ people: shifts, web, invited, later, besides }: Shifts, realm: Realm): string {
  const everybody = ["", "everybody on the web", "", ""];
  return table([
    ...web.map(
      ({ target, opens }): Line => [
        targetName(target),
        "read",
        "read",
        ...everybody,
        opens ? "gained" : "lost",
        "",
        "privacy",
      ],
    ),
    ...besides.filter(isReports).map((): Line => REPORTS),
    ...invited.flatMap(invitedRows),
    ...later.flatMap((one) => laterLines(one, realm)),
    ...shifts.flatMap(({ target, gained, lost }) => [
      ...(gained === undefined ? [] : standingLines(target, gained, realm, "gained")),
      ...(lost === undefined ? [] : standingLines(target, lost, realm, "lost")),
    ]),
  ]);
}
