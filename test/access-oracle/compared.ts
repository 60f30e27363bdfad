import { AccessDifference, type Newcomer, type Pair, webShiftsBetween } from "../../src/access/difference.ts";
import { statesOf, statesWithBots } from "../../src/access/of-plan.ts";
import { READ, READ_PAST, SEE } from "../../src/access/rules.ts";
import { isChannel, type Scope } from "../../src/access/scope.ts";
import type { Change } from "../../src/model/plan.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { BY_LINK, NEWCOMERS, type Powers, THE_WEB } from "./attempts.ts";

/** Who gains and who loses which power: `+ read|101: 9,11`. */
export type Shifts = ReadonlyMap<string, ReadonlySet<number>>;

/** What really changed; who used a link that the plan makes is no part of it. */
export function shiftsBetween(before: Powers, after: Powers): Shifts {
  const shifts = new Map<string, ReadonlySet<number>>();
  for (const power of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before, after].map(
      (powers) => new Set([...(powers.get(power) ?? [])].filter((id) => id < BY_LINK)),
    ) as [Set<number>, Set<number>];
    note(shifts, `+ ${power}`, new Set([...is].filter((id) => !was.has(id))));
    note(shifts, `- ${power}`, new Set([...was].filter((id) => !is.has(id))));
  }
  return shifts;
}
function note(shifts: Map<string, ReadonlySet<number>>, key: string, people: ReadonlySet<number>): void {
  if (people.size > 0) shifts.set(key, people);
}

/** Newcomers who need an invitation. */
export const ROLE_OF_NEWCOMER: ReadonlyMap<number, number> = new Map([
  [NEWCOMERS.moderator, 300],
  [NEWCOMERS.administrator, 200],
  [NEWCOMERS.owner, 100],
]);

/** What is about objects that were read, and about people of whom the account can know. */
export function seenShifts(
  shifts: Shifts,
  isRead: (id: number) => boolean,
  isInvited: (newcomer: number) => boolean,
): Shifts {
  const seen = new Map<string, ReadonlySet<number>>();
  for (const [key, people] of shifts)
    if (key.endsWith("|organization") || isRead(Number(key.slice(key.indexOf("|") + 1))))
      note(seen, key, new Set([...people].filter(isInvited)));
  return seen;
}

const RIGHTS: { readonly [scope in Scope]: readonly string[] } = {
  channel: [
    READ,
    READ_PAST,
    SEE,
    "can_subscribe_group",
    "can_add_subscribers_group",
    "can_administer_channel_group",
    "can_remove_subscribers_group",
    "can_send_message_group",
  ],
  user_group: ["can_manage_group", "can_add_members_group"],
  organization: [
    "can_access_all_users_group",
    "can_create_bots_group",
    "can_create_groups",
    "can_create_private_channel_group",
    "can_create_public_channel_group",
    "can_invite_users_group",
    "create_multiuse_invite_group",
  ],
};

/** What the model says. A plan's parts can be left out, to see that the comparison notices it. */
export interface Model {
  readonly snapshot: Snapshot;
  readonly changes: readonly Change[];
  readonly sees?: (pair: Pair) => boolean;
  readonly newcomers?: false;
  readonly returning?: false;
  readonly newBots?: false;
  readonly web?: false;
}

/** What the difference says, and of whom it says that they may gain anything. */
interface Said {
  readonly shifts: Shifts;
  readonly returning: ReadonlySet<number>;
}

export function saidShifts(
  { snapshot, changes, sees = () => true, newcomers, returning, newBots, web }: Model,
  after: RealmState,
): Said {
  const { difference } = (newBots === false ? statesOf : statesWithBots)(changes, new Realm(snapshot));
  const back = reversed(difference);
  const { bots } = difference.after.accounts;
  const shifts = new Map<string, ReadonlySet<number>>();
  const people = (found: Iterable<number>, joined: readonly Newcomer[]): ReadonlySet<number> =>
    new Set([
      ...[...found].filter((id) => !bots.has(id)),
      ...(newcomers === false ? [] : joined.map((name) => NEWCOMERS[name])),
    ]);
  for (const pair of difference.pairs()) {
    if (!sees(pair)) continue;
    const { was, is } = pair;
    const id = idOf(is, after);
    for (const right of RIGHTS[is === "organization" ? is : is.kind]) {
      const { gained, lost } = difference.of(pair, right);
      note(shifts, `+ ${right}|${id}`, people(gained, difference.newcomers(pair, right)));
      note(
        shifts,
        `- ${right}|${id}`,
        people(lost, was === undefined ? [] : back.newcomers({ was: is, is: was }, right)),
      );
    }
    if (is === "organization" || !isChannel(is)) continue;
    const came = [READ, READ_PAST, "can_subscribe_group"].flatMap((right) => difference.newcomers(pair, right));
    note(shifts, `+ reading|${id}`, people(difference.reading(pair).gained, came));
    const joining = difference.joining(is.name);
    note(shifts, `+ join|${id}`, people(joining.gained, joining.newcomers));
  }
  for (const { target, opens } of web === false ? [] : webShiftsBetween(difference.before, difference.after))
    note(shifts, `${opens ? "+" : "-"} web|${idOf(target, after)}`, new Set([THE_WEB]));
  const { gained, lost } = difference.administrators();
  note(shifts, "+ administer|organization", people(gained, []));
  note(shifts, "- administer|organization", people(lost, []));
  return { shifts, returning: new Set(returning === false ? [] : difference.returning) };
}

/** Newcomers after a plan can do less than before it, if they gain by its reverse; they are the same ones. */
function reversed({ before, after }: AccessDifference): AccessDifference {
  const until = before.copy();
  until.facts = { ...until.facts, invitedRoles: after.facts.invitedRoles };
  return new AccessDifference(after, until);
}

function idOf(target: Pair["is"], state: RealmState): number | string {
  if (target === "organization") return target;
  const rows = isChannel(target) ? Object.values(state.channels) : Object.values(state.user_groups);
  const found = rows.find(({ name }) => name === target.name);
  if (found === undefined) throw new RangeError(`the plan made no ${target.name}`);
  return "stream_id" in found ? found.stream_id : found.id;
}

/** Powers that are compared as such; for the others see {@link widerThanSaid}. */
const isDirect = (key: string): boolean => !/ (enter|reach|join|reading|address)\|/.test(key);

/** Where the two differ: one line for each power, with those of whom nothing was said, and those to whom nothing happened. */
export function differencesBetween(real: Shifts, { shifts: said, returning }: Said): readonly string[] {
  return [...new Set([...real.keys(), ...said.keys()])]
    .filter(isDirect)
    .flatMap((key) => line(key, expected(key, of(real, key), of(said, key), returning), of(said, key)));
}
/** Who returns is back in what no reading shows: only that they may gain is said. */
const expected = (
  key: string,
  happened: ReadonlySet<number>,
  told: ReadonlySet<number>,
  returning: Said["returning"],
) => (key.startsWith("+") ? new Set([...happened].filter((id) => told.has(id) || !returning.has(id))) : happened);
const of = (shifts: Shifts, key: string): ReadonlySet<number> => shifts.get(key) ?? new Set();

/**
 * Reading in the widest sense: nobody comes to read a channel, now or by joining groups, who is not among the people of which the difference says so; and
 * whoever is said to gain by joining groups does.
 */
export function widerThanSaid(
  real: Shifts,
  { shifts: said, returning }: Said,
  existed: (channelId: number) => boolean,
): readonly string[] {
  const ids = [...real.keys(), ...said.keys()].flatMap((key) => /(?:reach|join)\|(\d+)$/.exec(key)?.[1] ?? []);
  return [...new Set(ids)]
    .filter((id) => existed(Number(id)))
    .flatMap((id) => {
      const key = `+ reach|${id}`;
      const happened = of(real, key);
      const byJoining = of(said, `+ join|${id}`);
      const told = new Set([...of(said, `+ reading|${id}`), ...byJoining]);
      const sure = new Set([...byJoining, ...[...told].filter((person) => happened.has(person))]);
      return line(key, expected(key, happened, sure, returning), sure);
    });
}

function line(key: string, happened: ReadonlySet<number>, told: ReadonlySet<number>): readonly string[] {
  const unseen = [...happened].filter((id) => !told.has(id));
  const invented = [...told].filter((id) => !happened.has(id));
  const parts = [["unseen", unseen] as const, ["invented", invented] as const].flatMap(([what, ids]) =>
    ids.length === 0 ? [] : [`${what} ${ids.join(",")}`],
  );
  return parts.length === 0 ? [] : [`${key}: ${parts.join("; ")}`];
}
