import { type Coming, comingIn, type Reach } from "../../access/answers.ts";
import type { Standing } from "../../access/grants.ts";
import { ADMINISTER, READ } from "../../access/rules.ts";
import type { Target } from "../../access/sources.ts";
import type { AccessState } from "../../access/state.ts";
import { wordOf } from "../../access/words.ts";
import type { ObjectAnswer, PersonAnswer, PlanAnswer } from "../../model/access-form.ts";
import { defined, whenDefined } from "../../model/defined.ts";
import type { EXIT } from "../../model/diagnostic.ts";
import type { Realm } from "../../model/realm.ts";
import { renderJson } from "../json.ts";
import { roleName } from "../words/names.ts";
import { targetAddress } from "./names.ts";
import { isReports, type Shifts } from "./shifts-text.ts";

/** The source of an answer. */
export interface AnswerBasis {
  readonly realm: Realm;
  readonly state: AccessState;
  readonly from: "server" | "snapshot" | "file" | "plan";
  /** The subscribers of the private channel in question whom the file does not list. */
  readonly unlisted?: readonly number[];
  /** Of the command, if a part of the file was left out. */
  readonly exitCode?: typeof EXIT.errors;
}

function head<Question extends string>({ realm, from }: AnswerBasis, question: Question) {
  const { snapshot } = realm;
  const isRead = from !== "file";
  return {
    format: "realmctl.access" as const,
    version: 1 as const,
    from,
    ...defined({
      realm: isRead ? snapshot.realm.url : undefined,
      snapshot_taken_at: isRead ? snapshot.taken_at : undefined,
    }),
    question,
  };
}

/** The people in the answer, each once: the lists of rights have only their numbers. */
function peopleIn({ realm }: AnswerBasis, ids: Iterable<number>) {
  return [...new Set(ids)]
    .sort((a, b) => a - b)
    .map((id) => ({
      user_id: id,
      full_name: realm.user(id)?.full_name ?? "",
      email: realm.userName(id),
      role: whenDefined(realm.user(id), roleName) ?? null,
      is_bot: realm.user(id)?.is_bot === true,
    }));
}

function standingJson({ scope, right, holders, grants, needs }: Standing) {
  return {
    right,
    word: wordOf(scope, right),
    bound: holders.bound ?? null,
    needs,
    people: [...holders.people],
    by: grants.map(({ source, people }) => ({ ...source, people: [...people] })),
  };
}

export function objectJson(target: Target, standings: readonly Standing[], basis: AnswerBasis): string {
  const [coming, administering] = ([READ, ADMINISTER] as const).map((right) =>
    comingIn(standings, right, basis.state, target),
  );
  const comingJson = (found: Coming | undefined) => found && { people: [...found.people], groups: found.groups };
  const answer: ObjectAnswer = {
    ...head(basis, targetAddress(target)),
    people: peopleIn(basis, [
      ...idsOf(standings),
      ...(basis.unlisted ?? []),
      ...(coming?.people ?? []),
      ...(administering?.people ?? []),
    ]),
    ...defined({ unlisted: basis.unlisted, coming: comingJson(coming), may_administer: comingJson(administering) }),
    rights: standings.map(standingJson),
    exit_code: basis.exitCode ?? 0,
  };
  return renderJson(answer);
}

function idsOf(standings: readonly Standing[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { holders } of standings) for (const id of holders.people) found.add(id);
  return found;
}

export function personJson(
  id: number,
  name: string,
  reaches: readonly Reach[],
  comings: readonly Coming[],
  basis: AnswerBasis,
): string {
  const answer: PersonAnswer = {
    ...head(basis, name),
    people: peopleIn(basis, [id]),
    ...hiddenJson(basis),
    coming: comings.map(({ channel, groups }) => ({ on: targetAddress(channel), groups })),
    rights: reaches.map(({ right, may, mayNot }) => ({
      scope: right.scope,
      right: right.right,
      word: right.word,
      may: may.map(({ target, paths, bound }) => ({ on: targetAddress(target), bound: bound ?? null, paths })),
      may_not: mayNot.map(targetAddress),
    })),
    exit_code: basis.exitCode ?? 0,
  };
  return renderJson(answer);
}

const hiddenJson = ({ realm }: AnswerBasis) => defined({ hides_channels: realm.isAdmin ? undefined : (true as const) });

export function shiftsJson(
  { people: shifts, web, invited, perhaps, later, besides }: Shifts,
  basis: AnswerBasis,
): string {
  const standings = shifts.flatMap(({ gained, lost }) => [gained, lost].filter((side) => side !== undefined));
  const others = later.flatMap(({ people, past }) => [...people, ...past]);
  const coming = later.filter(({ people, newcomers }) => people.size + newcomers.length > 0);
  const history = later.filter(({ past }) => past.size > 0);
  const answer: PlanAnswer = {
    ...head(basis, "plan"),
    people: peopleIn(basis, [...idsOf(standings), ...(basis.unlisted ?? []), ...others]),
    ...defined({ unlisted: basis.unlisted }),
    ...hiddenJson(basis),
    ...defined({ unread_invitations: perhaps.length === 0 ? undefined : perhaps.map(targetAddress) }),
    coming: coming.map(({ channel, people, groups, newcomers }) => ({
      on: targetAddress(channel),
      people: [...people],
      groups,
      newcomers,
    })),
    history: history.map(({ channel, past }) => ({ on: targetAddress(channel), people: [...past] })),
    ...defined({ reports: besides.some(isReports) ? (true as const) : undefined }),
    web: web.map(({ target, opens }) => ({ on: targetAddress(target), opens })),
    invitations: invited.map(({ name, isLink, state, role, channels, groups, reads }) => ({
      name,
      by: isLink ? "link" : "mail",
      revoked: state === "revoked",
      ...defined({ was_open: state === "open" ? (true as const) : undefined }),
      invite_as: role,
      channels,
      groups,
      reads,
    })),
    shifts: shifts.map(({ target, right, gained, lost, isNew, bound }) => ({
      on: targetAddress(target),
      right: right.right,
      word: right.word,
      is_new: isNew,
      at_most: bound,
      gained: gained === undefined ? null : sideJson(gained),
      lost: lost === undefined ? null : sideJson(lost),
    })),
    exit_code: basis.exitCode ?? 0,
  };
  return renderJson(answer);
}

function sideJson(standing: Standing) {
  const { people, by } = standingJson(standing);
  return { people, by };
}
