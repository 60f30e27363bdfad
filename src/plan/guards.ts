import type { People } from "../access/people.ts";
import { COUNTED, COUNTING, type Counted } from "../model/counted.ts";
import { defined, own } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { type GuardAbout, type Named, namedOf, type RiskFact } from "../model/facts.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Guard, Plan } from "../model/plan.ts";
import { DEFAULT_LIMITS, type GuardPolicy, LEAST_OWNERS, type Limit } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { inactivityIn, isRemoval } from "../model/tally.ts";
import { type Access, accessOf, gainsOf, type Item, type MadeBefore } from "./guard-gains.ts";
import { protectGuards, takenAlong } from "./guard-protect.ts";

/*
 * Checks a plan against guard rails.
 *
 * Terms. An *item* is something that counts against a limit: a change, a removal, a person who loses access. A limit is *violated* if its items are
 * more than it allows. A guard rail *asks* if somebody has to confirm it, and it is *excused* if `--allow` or a policy permits it. The *tipping* item
 * is the first one above the limit: errors name it.
 *
 * Premise. A guard rail must not depend on how a file is written, so it counts the changes of the plan, and the access before and after it. It can
 * only refuse: it never changes a plan. Every guard rail that was checked is part of the plan, so that reviewers see satisfied ones, too.
 *
 * The idea.
 *     items  = changes, removals, irreversible steps, demotions, deleted messages, mails; people who gain or lose access
 *     limits = for each name, the lowest value of all policies; the defaults for names that a policy does not set
 *     for each limit: count its items (people once) and compare; a percentage of the active objects or people is rounded down, but at least one
 *     protections, lock-outs, and the number of owners have rules of their own
 *     a name in `--allow` turns a violation or a question into an excuse, except for the last owner
 *
 * What it does not do. It does not decide who may do what (src/access/), nor what is irreversible (the kinds' risks). A limit does not choose between
 * changes: if one is too many, the whole plan is refused.
 */

export interface GuardInput {
  readonly plan: Plan;
  /** The reading that the plan was made from. */
  readonly snapshot: Snapshot;
  readonly kinds: readonly ResourceKind[];
  /** All policies apply: the lowest value of each limit counts. Without a policy, the default limits apply. */
  readonly policies: readonly GuardPolicy[];
  /**
   * The plan undoes a run: no line of a file asks for its changes, so it also asks before anybody administers a channel or a group. Pictures that it removes
   * are those that the run uploaded, if the run was this account's own; the journal of a foreign run may say so of any picture.
   */
  readonly undoes?: "own-run" | "foreign-run";
  readonly made?: MadeBefore;
  /** Names of guards that the person who runs the plan allows once. */
  readonly allow: readonly string[];
}

/** The plan with every guard rail that was checked, violated or not. */
export function guarded(input: GuardInput): Plan {
  return { ...input.plan, guards: guardsOf(input) };
}

export function guardsOf(input: GuardInput): readonly Guard[] {
  const realm = new Realm(input.snapshot);
  const { access, items } = countedIn(input, realm);
  const policies = input.policies.length === 0 ? [{ limits: {}, protect: [] }] : input.policies;
  const guards = [
    ...limitGuards(items, limitsOf(policies), askedBy(policies, items, input.undoes !== undefined), realm, input.kinds),
    ...protectGuards(
      input.plan,
      policies.flatMap(({ protect }) => protect),
      realm,
      input.kinds,
    ),
    ...lockoutGuards(input.plan, access.unreachable, policies),
    ...ownerGuards(input.plan, access.owners, policies),
  ];
  return guards.map((guard) => {
    const by = excuseOf(guard, input.allow);
    if (by === undefined) return guard;
    const { asks: _, ...fact } = guard.fact;
    const excused_by = by === guard.name ? undefined : by;
    return { ...guard, fact: { ...fact, excused: "allow", ...defined({ excused_by }) }, violated: false };
  });
}

/** Everything in a plan that counts against a limit. */
export function countedIn(
  input: Pick<GuardInput, "plan" | "kinds" | "undoes" | "made">,
  realm: Realm,
): { readonly access: Access; readonly items: readonly Item[] } {
  const access = accessOf(input.plan, realm);
  const run = { undoesOwnRun: input.undoes === "own-run", made: input.made };
  const items = [...itemsOf(input), ...access.losses, ...gainsOf(input.plan, access.difference, realm, run)];
  return { access, items };
}

/** The names given to `--allow` that allow a guard rail. */
function excuseOf({ name, violated, fact: { asks } }: Guard, allow: readonly string[]): string | undefined {
  if ((!violated && asks !== true) || name === "last_owner") return undefined;
  const wider = asks === true ? own(COUNTING, name)?.within : undefined;
  return [name, wider].find((each) => each !== undefined && allow.includes(each));
}

/** Limits for which the command asks: those that at least one policy leaves open, if there is something to ask about. */
function askedBy(policies: readonly GuardPolicy[], items: readonly Item[], isUndo: boolean): ReadonlySet<string> {
  const open = new Set(items.flatMap(({ counted, isUnasked }) => (isUndo || isUnasked !== true ? [counted] : [])));
  return new Set(
    [...open].filter((name) => COUNTING[name].asks && policies.some(({ limits }) => limits[name] === undefined)),
  );
}

/** Each policy with the default limits where it has none; of several policies the lowest value of each limit. */
function limitsOf(policies: readonly GuardPolicy[]): ReadonlyMap<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const policy of policies)
    for (const [name, limit] of Object.entries({ ...DEFAULT_LIMITS, ...policy.limits })) {
      const known = limits.get(name);
      if (known === undefined || limit.most < known.most) limits.set(name, limit);
    }
  return limits;
}

function itemsOf({ plan, kinds }: Pick<GuardInput, "plan" | "kinds">): readonly Item[] {
  const items: Item[] = [];
  for (const change of plan.changes) {
    const kind = kinds.find(({ name }) => name === change.kind);
    if (kind === undefined) continue;
    const base = { object: namedOf(change), ...defined({ at: change.at }) };
    items.push({ ...base, counted: "changes" });
    const at = inactivityIn(change)?.at ?? change.at;
    if (isRemoval(change)) items.push({ ...base, counted: "removals", ...defined({ at }) });
    for (const { kind: of, at: place } of change.risks)
      if (of === "irreversible") items.push({ ...base, ...defined({ at: place }), counted: "irreversible" });
    for (const along of takenAlong(change).filter(isRemoval))
      items.push({ ...base, object: namedOf(along), ...defined({ at: along.at }), counted: "removals" });
    if (plan.side_effects.emails > 0 && kind.calls.mails === true && change.action !== "remove")
      items.push({ ...base, counted: "emails" });
  }
  const changed = new Set(plan.changes.map(({ address }) => address));
  // Of an object that is left as it is, nothing is asked.
  for (const warning of plan.warnings)
    if (
      warning.code === "plan/looks-renamed" &&
      warning.fact.is_bare !== true &&
      changed.has(warning.fact.object.address)
    ) {
      const { object, more } = warning.fact;
      items.push({ counted: "renames", amount: 1 + more, object, ...defined({ at: warning.at }) });
    }
  return items;
}

/** The items that a limit counts: those of the whole plan, or of one section. */
export function itemsUnder(
  { counted, section }: { readonly counted: Counted; readonly section?: string | undefined },
  items: readonly Item[],
  kinds: readonly ResourceKind[],
): readonly Item[] {
  const own = kinds.find((kind) => kind.section === section);
  return items.filter(
    (item) => item.counted === counted && (section === undefined || item.object.address.startsWith(`${own?.name}:`)),
  );
}

function limitGuards(
  items: readonly Item[],
  limits: ReadonlyMap<string, Limit>,
  asked: ReadonlySet<string>,
  realm: Realm,
  kinds: readonly ResourceKind[],
): readonly Guard[] {
  const set = setLimitGuards(items, limits, realm, kinds);
  const refused = new Set(set.filter(({ violated }) => violated).map(({ name }) => name));
  return [...set, ...unsetLimitGuards(items, limits, asked, refused), ...unsetIrreversibleGuard(items, limits)];
}

/** The limits that a policy or the defaults set: each one is compared with the number of its items. */
function setLimitGuards(
  items: readonly Item[],
  limits: ReadonlyMap<string, Limit>,
  realm: Realm,
  kinds: readonly ResourceKind[],
): readonly Guard[] {
  const guards: Guard[] = [];
  for (const [name, limit] of [...limits].sort(([a], [b]) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1))) {
    const { section, counted, percent } = partsOf(name);
    if (counted === undefined) continue;
    const own = itemsUnder({ counted, section }, items, kinds);
    const whole = percent ? wholeOf(counted, section, realm, kinds) : 0;
    // A percentage of few objects: one change is always allowed, or the first object could never be removed.
    const most = percent ? Math.max(limit.most === 0 ? 0 : 1, Math.floor((whole * limit.most) / 100)) : limit.most;
    const { amount, tipping } = sumOf(own, most);
    // Most files have no people. A limit that no policy sets, and that nothing counts against, gets no line.
    if (amount === 0 && limit === DEFAULT_LIMITS.demotions) continue;
    const about: GuardAbout = {
      kind: "limit",
      ...defined({ section }),
      counted,
      amount,
      limit: most,
      ...defined({ percent: percent ? { share: limit.most, of: whole } : undefined, over: tipping?.object }),
      ...unknownIn(own),
    };
    const at = tipping?.at;
    const rule = tipping === undefined ? undefined : limit.at;
    guards.push({ name, fact: { about }, violated: tipping !== undefined, ...defined({ at, rule }) });
  }
  return guards;
}

/**
 * Items that no limit refuses: somebody has to confirm them, or, if they are administrators of one channel or group, reviewers see their number.
 * @param refused names of limits that are violated already: nobody is asked about what is refused
 */
function unsetLimitGuards(
  items: readonly Item[],
  limits: ReadonlyMap<string, Limit>,
  asked: ReadonlySet<string>,
  refused: ReadonlySet<string>,
): readonly Guard[] {
  const guards: Guard[] = [];
  for (const counted of COUNTED) {
    const own = items.filter((item) => item.counted === counted);
    const { amount, tipping } = sumOf(own, 0);
    // A limit that is not set, and that nothing counts against, gets no line.
    const isShown = counted === "administrators" && !limits.has(counted);
    if (refused.has(counted) || !(asked.has(counted) || isShown)) continue;
    const unknown = unknownIn(own);
    if (amount === 0 && unknown.unread === undefined) continue;
    const about: GuardAbout = {
      kind: "limit",
      counted,
      amount,
      limit: null,
      ...defined({ over: tipping?.object }),
      ...objectsOf(causesIn(own).filter(({ isUnread }) => isUnread !== true)),
      ...unknown,
    };
    const asks = asked.has(counted) && amount > 0 ? (true as const) : undefined;
    const fact = { about, ...defined({ asks }) };
    guards.push({ name: counted, fact, violated: false, ...defined({ at: tipping?.at }) });
  }
  return guards;
}

/** Without a limit, a plan has the number of its irreversible steps nevertheless, even if it is 0. */
function unsetIrreversibleGuard(items: readonly Item[], limits: ReadonlyMap<string, Limit>): readonly Guard[] {
  const counted = "irreversible";
  if (limits.has(counted)) return [];
  const { length: amount } = items.filter((item) => item.counted === counted);
  return [{ name: counted, fact: { about: { kind: "limit", counted, amount, limit: null } }, violated: false }];
}

/** What the account could not read, and would have to be counted. */
function unknownIn(items: readonly Item[]): Pick<Extract<GuardAbout, { kind: "limit" }>, "unseen" | "unread"> {
  const unread = items.flatMap(({ isUnread, object }) => (isUnread === true ? [object] : [])).slice(0, MOST_NAMED);
  return defined({
    unseen: items.some(({ isUnseen }) => isUnseen === true) ? (true as const) : undefined,
    unread: unread.length === 0 ? undefined : unread,
  });
}

/** At most this number of objects are named. */
const MOST_NAMED = 5;

/** Without what follows from something else that is counted: whoever becomes an administrator may administer every channel. */
function causesIn(items: readonly Item[]): readonly Item[] {
  const asked = items.flatMap(({ isUnasked, people }) => (isUnasked === true || people === undefined ? [] : [people]));
  const known = asked.reduce<People | undefined>((all, people) => all?.or(people) ?? people, undefined);
  return items.filter(
    ({ isUnasked, people }) =>
      isUnasked !== true || known === undefined || people === undefined || people.minus(known).size > 0,
  );
}

/** The counted objects, if there is more than one. */
function objectsOf(items: readonly Item[]): { readonly among?: readonly Named[]; readonly more?: number } {
  const objects = [...new Map(items.map(({ object }) => [object.address, object])).values()];
  const more = objects.length - MOST_NAMED;
  if (objects.length < 2) return {};
  return { among: objects.slice(0, MOST_NAMED), ...defined({ more: more > 0 ? more : undefined }) };
}

/** The number of items, with each person counted once, and the object that exceeds the limit. */
export function sumOf(
  items: readonly Item[],
  most: number,
): { readonly amount: number; readonly tipping: Item | undefined } {
  let people: People | undefined;
  let others = 0;
  let amount = 0;
  let tipping: Item | undefined;
  for (const item of items) {
    if (item.people === undefined) others += item.amount ?? 1;
    else people = people?.or(item.people) ?? item.people;
    amount = others + (people?.size ?? 0);
    if (amount > most) tipping ??= item;
  }
  return { amount, tipping };
}

/** The base of a percentage: objects of the section, or people. */
function wholeOf(counted: Counted, section: string | undefined, realm: Realm, kinds: readonly ResourceKind[]): number {
  if (COUNTING[counted].ofPeople)
    return realm.snapshot.users.filter(({ is_active, is_bot }) => is_active && !is_bot).length;
  return kinds
    .filter((kind) => section === undefined || kind.section === section)
    .reduce((sum, kind) => sum + (liveObjects(kind, realm) ?? []).filter(({ inactive }) => !inactive).length, 0);
}

function lockoutGuards(
  plan: Plan,
  unreachable: Access["unreachable"],
  policies: readonly GuardPolicy[],
): readonly Guard[] {
  const isAllowed = policies.every(({ lockout }) => lockout === "allow");
  const rule = policies.find(({ lockout }) => lockout === "refuse")?.lockoutAt;
  const found: readonly { readonly about: GuardAbout; readonly at?: Span }[] = [
    ...unreachable.map(({ object, at }) => ({
      about: { kind: "unreachable" as const, object },
      ...defined({ at }),
    })),
    ...plan.changes
      .flatMap(({ risks }) => risks)
      .filter(({ kind }) => kind === "lockout")
      .map(({ fact, at }) => ({
        about: { kind: "lockout" as const, risk: fact },
        ...defined({ at }),
      })),
  ];
  if (found.length === 0) return [{ name: "lockout", fact: { about: { kind: "nobody-locked-out" } }, violated: false }];
  const excused = isAllowed ? ("policy" as const) : undefined;
  return found.map(({ about, at }) => ({
    name: "lockout",
    fact: { about, ...defined({ excused }) },
    violated: !isAllowed,
    ...defined({ at, rule }),
  }));
}

/** A plan that reduces the number of owners must leave enough of them; other plans are not checked. */
function ownerGuards(
  { changes }: Plan,
  { before, after }: Access["owners"],
  policies: readonly GuardPolicy[],
): readonly Guard[] {
  if (after >= before) return [];
  const { least, at: rule } = policies
    .flatMap(({ minOwners }) => minOwners ?? [])
    .reduce((most, next) => (next.least > most.least ? next : most), { least: LEAST_OWNERS });
  const going = changes.flatMap((change) => {
    const risk = change.risks.find(({ fact }) => takesOwner(fact));
    return risk === undefined ? [] : [{ object: namedOf(change), at: risk.at ?? change.at }];
  });
  const violated = after < least;
  const over = violated ? going[Math.max(0, before - least)] : undefined;
  return [
    {
      // The server refuses a plan without owners, whatever is allowed here.
      name: after === 0 ? "last_owner" : "min_owners",
      fact: { about: { kind: "owners", before, after, least, ...defined({ over: over?.object }) } },
      violated,
      ...defined({ at: over?.at, rule: violated ? rule : undefined }),
    },
  ];
}

function takesOwner(fact: RiskFact): boolean {
  return (fact.kind === "role" || fact.kind === "account-deactivated") && fact.from === "owner";
}

/** The parts of a name such as `channels.removals_percent`. */
function partsOf(name: string): {
  readonly section: string | undefined;
  readonly counted: Counted | undefined;
  readonly percent: boolean;
} {
  const dot = name.indexOf(".");
  const rest = name.slice(dot + 1);
  const percent = rest.endsWith("_percent");
  const bare = percent ? rest.slice(0, -"_percent".length) : rest;
  return {
    section: dot === -1 ? undefined : name.slice(0, dot),
    counted: COUNTED.find((known) => known === bare),
    percent,
  };
}

/** The position of a limit: in the order of {@link COUNTED}, with limits of a section after limits of the whole plan. */
function orderOf(name: string): number {
  const { section, counted, percent } = partsOf(name);
  const place = counted === undefined ? COUNTED.length : COUNTED.indexOf(counted);
  return place * 4 + (section === undefined ? 0 : 2) + (percent ? 1 : 0);
}
