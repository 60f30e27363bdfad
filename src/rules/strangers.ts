import { holdersOf } from "../access/grants.ts";
import { comersTo } from "../access/joining.ts";
import { isGuestly, type Stranger } from "../access/of-file.ts";
import type { People } from "../access/people.ts";
import { READ } from "../access/rules.ts";
import { isChannel } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import { type AccessState, objectAt } from "../access/state.ts";
import { once, oncePer } from "../model/lazy.ts";
import { bareGroup, groupMeant, leftOutIn, type MeasuredGround, personaKey } from "./bind.ts";
import type { Claim } from "./claims.ts";

/*
 * What a rule says about people whom only the server knows: who is in a group whose members the file does not have (an *open* group), who owns a bot that
 * it declares without an owner, and who is excepted from a list and owns a bot in it.
 *
 * Terms. A *stranger* is an invented person in their place (src/access/of-file.ts). It *shows* in a set of people if it is there and the persona of its role is
 * not, or somebody whom the list excepts is not: that comes from the group or the bot. A *full* state has everybody in the open groups, except in those that a claim names.
 *
 * Premise. More members never have fewer rights, so whoever lacks a right in the full state lacks it whoever is in the groups.
 *
 * The idea. Of one claim:
 *     it forbids the right to somebody who can come to it only in the full state                   perhaps broken
 *     it forbids the right to somebody who may be the owner of a bot that can come to it           perhaps broken
 *     it forbids it to an open group, and a real person who may be in the group has it             perhaps broken
 *     it demands it of an open group, and the stranger in the group lacks it                       perhaps broken
 *     a real person lacks what is demanded, and has it in the full state, or may own the bot       perhaps not broken
 *     a real person holds what is for the named only, and may be in an open group that is named    perhaps not broken
 * What is perhaps broken, or perhaps not, is unknown.
 */

export interface RightOn {
  readonly target: Target;
  readonly right: string;
}

/** Who holds a right, and these with those who can come to it by themselves. */
export interface HoldersAndComers {
  readonly people: People;
  readonly coming: People;
  /** There may be more of them: only what is forbidden to one of these is known to be broken. */
  readonly isLeast?: true;
}

/** Of one right on an object of this state; undefined if the server does not have the right. */
export function holdersAndComers(state: AccessState, target: Target, right: string): HoldersAndComers | undefined {
  const people = holdersOf(state, target, right)?.people;
  return people && withComers(state, target, right, people);
}

export function withComers(state: AccessState, target: Target, right: string, people: People): HoldersAndComers {
  const comers = right === READ && isChannel(target) ? comersTo(state, target) : undefined;
  return { people, coming: comers === undefined ? people : people.or(comers) };
}

/** The same object in another state. */
export const sameIn = (state: AccessState, target: Target): Target | undefined =>
  target === "organization" ? target : objectAt(state, `${target.kind}:${target.name}`);

type Said = Pick<Claim, "must" | "mustNot" | "isRest">;

/** The strangers of a state by their ids, as people, and those of them who own a bot. Each rule asks. */
const strangersIn = oncePer(({ population }: AccessState) =>
  oncePer((all: readonly Stranger[]) => ({
    byId: new Map(all.map((stranger) => [stranger.id, stranger])),
    people: population.of(all.map(({ id }) => id)),
    owners: population.of(all.flatMap(({ id, because }) => ("group" in because ? [] : [id]))),
  })),
);

/** The strangers of one rule. */
export class Strangers {
  /** All of them. */
  readonly people: People;
  /** Those on whom something depends. */
  readonly met = new Set<Stranger>();
  /** Those who own a bot. */
  readonly owners: People;
  readonly ground: MeasuredGround;
  /** Personas, strangers and accounts that the rule does not count. */
  readonly unreal: People;
  private readonly byId: ReadonlyMap<number, Stranger>;
  private readonly possible: () => { readonly guest: People; readonly member: People };

  constructor(ground: MeasuredGround, ignored: People) {
    this.ground = ground;
    const { byId, people, owners } = strangersIn(ground.state)(ground.strangers);
    this.byId = byId;
    this.people = people;
    this.owners = owners;
    this.unreal = leftOutIn(ground).made.or(ignored);
    this.possible = once(() => {
      const { accounts, population } = ground.state;
      const unsure = population.of(ground.unsure?.withoutRole ?? []);
      return { guest: accounts.guests.or(unsure), member: accounts.members.or(unsure) };
    });
  }

  /** The claims of the rule about one right on one object. */
  about(on: RightOn, holders: HoldersAndComers, claims: readonly Said[]): Doubt {
    return new Doubt(this, on, holders, claims);
  }

  /** Claims for comparison with those of other rules. */
  without<T extends Said>(claims: readonly T[]): readonly T[] {
    if (this.people.size === 0) return claims;
    const real = (people: People): People => people.minus(this.people);
    return claims.map((claim) => ({ ...claim, must: real(claim.must), mustNot: real(claim.mustNot) }));
  }

  /** Whether a stranger is in a set, and not only by its role. */
  shows(stranger: Stranger, people: People): boolean {
    if (!people.has(stranger.id)) return false;
    // Whom a list excepts may have the role that the list admits.
    if (typeof stranger.mayBe === "object") return this.like(stranger).minus(people).size > 0;
    return !people.has(this.persona(stranger));
  }

  /** The strangers in some people. */
  in(people: People): readonly Stranger[] {
    return [...this.people.and(people)].flatMap((id) => this.byId.get(id) ?? []);
  }

  /** The strangers of open groups among those whom a claim names, if it is about the others. */
  readonly namedBy = oncePer(({ mustNot, isRest }: Said): readonly Stranger[] => {
    if (isRest !== true) return [];
    return this.in(this.people.minus(mustNot)).filter(
      (stranger) => "group" in stranger.because && !mustNot.has(stranger.id) && mustNot.has(this.persona(stranger)),
    );
  });

  private persona(stranger: Stranger): number {
    const role = isGuestly(stranger) ? "guest" : "member";
    return this.ground.personas.get(personaKey({ role, groups: [] })) ?? -1;
  }

  /** Everybody who may be the stranger. */
  like({ mayBe }: Stranger): People {
    const { state } = this.ground;
    if (typeof mayBe === "object") return state.peopleIn(mayBe.excepted).and(this.possible().member);
    return mayBe === "anybody" ? state.accounts.everybody : this.possible()[mayBe];
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The claims on one right on one object, with its holders, and what strangers leave open about them. */
export class Doubt {
  /** Whether something is unknown. */
  isFound = false;
  readonly on: RightOn;
  readonly holders: HoldersAndComers;
  private readonly of: Strangers;
  private readonly claims: readonly Said[];

  constructor(of: Strangers, on: RightOn, holders: HoldersAndComers, claims: readonly Said[]) {
    this.of = of;
    this.on = on;
    this.holders = holders;
    this.claims = claims;
  }

  /** Who holds the right if everybody is in the open groups. @param except open groups that nobody else is in */
  full(except: ReadonlySet<string> = NONE): HoldersAndComers {
    const { state, filledExcept, work } = this.of.ground;
    const filled = filledExcept?.(except) ?? state;
    if (filled === state) return this.holders;
    work.target();
    const same = sameIn(filled, this.on.target);
    return (same && holdersAndComers(filled, same, this.on.right)) ?? this.holders;
  }

  private meet(found: readonly Stranger[]): boolean {
    for (const stranger of found) this.of.met.add(stranger);
    this.isFound ||= found.length > 0;
    return found.length > 0;
  }

  /** Somebody of this role who breaks the rule is perhaps in its groups. */
  meetMembers(who: { readonly groups?: readonly string[] | undefined }): void {
    const { state } = this.of.ground;
    const groups = (who.groups ?? []).map((name) => groupMeant(bareGroup(name), this.of.ground) ?? name);
    this.meet(groups.flatMap((name) => this.of.in(state.membersOf(name)).filter(({ because }) => "group" in because)));
  }

  /** Looks for somebody unknown who perhaps breaks a claim. @param isDemanded whether what is demanded counts */
  search(isDemanded: boolean): void {
    if (this.of.people.size > 0) for (const claim of this.claims) this.searchIn(claim, isDemanded);
  }

  private searchIn(claim: Said, isDemanded: boolean): void {
    const { of, holders } = this;
    const { ground } = of;
    const { must, mustNot, isRest = false } = claim;
    ground.work.people(must.length + mustNot.length);
    const full = this.full(
      new Set(of.namedBy(claim).flatMap(({ because }) => ("group" in because ? because.group : []))),
    );
    if (mustNot.and(full.coming).minus(holders.coming).size > 0) this.meet(this.groupsIn(full.coming));
    const forbids = [
      ...of.in(holders.coming.and(mustNot)).filter((stranger) => of.shows(stranger, holders.coming)),
      ...this.ownersIn(holders.coming, full.coming).filter(({ id }) => !isRest || mustNot.has(id)),
    ].filter((stranger) => mustNot.and(of.like(stranger)).size > 0);
    const lacks = isDemanded
      ? of
          .in(must.minus(holders.people))
          .filter((stranger) => !("list" in stranger.because) && of.shows(stranger, must))
      : [];
    const holding = isRest ? full.coming : full.coming.minus(mustNot).minus(of.unreal);
    const isAmong = isRest
      ? []
      : of
          .in(mustNot)
          .filter(
            (stranger) =>
              "group" in stranger.because && of.shows(stranger, mustNot) && holding.and(of.like(stranger)).size > 0,
          );
    this.meet([...forbids, ...lacks, ...isAmong]);
  }

  /** Owners who have the right by their bots. */
  private ownersIn(...sets: readonly People[]): readonly Stranger[] {
    return sets.flatMap((people) =>
      this.of.in(people.and(this.of.owners)).filter((stranger) => this.of.shows(stranger, people)),
    );
  }

  /** The strangers whose groups give the right to somebody; all of open groups, if it takes several together. */
  private groupsIn(coming: People): readonly Stranger[] {
    const ofGroups = (people: People): readonly Stranger[] =>
      this.of.in(people).filter(({ because }) => "group" in because);
    const some = ofGroups(this.holders.coming).filter((stranger) => this.of.shows(stranger, this.holders.coming));
    return some.length > 0 || coming.size === 0 ? some : ofGroups(this.of.people);
  }

  /** Whether a real person who seems to break a claim perhaps does not. @param may whether they have the right */
  excuses(id: number, may: boolean): boolean {
    const { of, claims } = this;
    if (of.people.size === 0 || of.unreal.has(id)) return false;
    if (may) return this.meet(claims.flatMap((claim) => of.namedBy(claim)).filter((one) => of.like(one).has(id)));
    const full = this.full();
    if (full.people.has(id)) return this.meet(this.groupsIn(full.people));
    return this.meet(this.ownersIn(this.holders.people, full.people).filter((owner) => of.like(owner).has(id)));
  }

  /** Notes what makes a number of people unknown, and the most that it can be. */
  most(part: keyof Omit<HoldersAndComers, "isLeast">): People {
    const full = this.full()[part];
    const people = this.holders[part];
    for (const stranger of full.minus(people).size > 0 ? this.groupsIn(full) : []) this.of.met.add(stranger);
    for (const some of [people, full.and(this.of.owners)])
      for (const stranger of this.of.in(some)) if (this.of.shows(stranger, some)) this.of.met.add(stranger);
    return full;
  }
}
