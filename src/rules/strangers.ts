import type { Stranger } from "../access/of-file.ts";
import type { People } from "../access/people.ts";
import type { MeasuredGround } from "./bind.ts";
import { personaKey } from "./bind.ts";
import type { Claim } from "./claims.ts";
import { leftOutIn } from "./left-out.ts";

/*
 * What a rule says about people whom only the server knows: who is in a group whose members the file does not have, and who owns a bot that it declares
 * without an owner.
 *
 * Terms. A *stranger* is an invented person in their place (src/access/of-file.ts). It holds what somebody holds in the group, or through the bot. It *shows*
 * something only if it holds more than the persona of its role: that comes from the group or the bot. Anybody of the file *may be* the stranger, if the role
 * allows it.
 *
 * The idea. With S for a stranger that shows something, of one claim:
 *     S can come to the right, and the claim forbids it to somebody who may be S                       perhaps broken
 *     the claim forbids it to the group of S, and a real person who may be S holds it                  perhaps broken
 *     the claim demands it of the group of S, and S lacks it                                           perhaps broken
 *     a real person lacks what is demanded, and may be an S that has it                                perhaps not broken
 *     a real person holds what is for the named only, and may be an S who is named                     perhaps not broken
 * What is perhaps broken, or perhaps not, is unknown.
 */

/** Who holds a right, and these with those who can come to it by themselves. */
export interface HoldersAndComers {
  readonly people: People;
  readonly coming: People;
}

type Said = Pick<Claim, "must" | "mustNot" | "isRest">;

/** The strangers of one rule. */
export class Strangers {
  /** All of them. */
  readonly people: People;
  /** Those on whom something depends. */
  readonly met = new Set<Stranger>();
  readonly ground: MeasuredGround;
  /** Personas, strangers and accounts that the rule does not count. */
  readonly unreal: People;

  constructor(ground: MeasuredGround, ignored: People) {
    this.ground = ground;
    this.people = ground.state.population.of(ground.strangers.map(({ id }) => id));
    this.unreal = leftOutIn(ground).made.or(ignored);
  }

  /** The claims of the rule about one right on one object. */
  about(holders: HoldersAndComers, claims: readonly Said[]): Doubt {
    return new Doubt(this, holders, claims);
  }

  /** Notes the strangers among people whose number is unknown. */
  meetIn(people: People): void {
    for (const stranger of this.ground.strangers) if (this.shows(stranger, people)) this.met.add(stranger);
  }

  /** Claims for comparison with those of other rules. */
  without<T extends Said>(claims: readonly T[]): readonly T[] {
    if (this.people.size === 0) return claims;
    const real = (people: People): People => people.minus(this.people);
    return claims.map((claim) => ({ ...claim, must: real(claim.must), mustNot: real(claim.mustNot) }));
  }

  /** Whether a stranger is in a set, and not only by its role. */
  shows(stranger: Stranger, people: People): boolean {
    return people.has(stranger.id) && !people.has(this.persona(stranger));
  }

  /** Whether the group of a stranger is among those whom a rule names, if these people are the rest. */
  isNamed(stranger: Stranger, rest: People): boolean {
    return "group" in stranger.because && !rest.has(stranger.id) && rest.has(this.persona(stranger));
  }

  private persona({ mayBe }: Stranger): number {
    const role = mayBe === "member" ? "member" : "guest";
    return this.ground.personas.get(personaKey({ role, groups: [] })) ?? -1;
  }

  /** Everybody who may be the stranger. */
  like({ mayBe }: Stranger): People {
    const { accounts, population } = this.ground.state;
    if (mayBe === "anybody") return accounts.everybody;
    const unsure = population.of(this.ground.unsure?.withoutRole ?? []);
    return (mayBe === "guest" ? accounts.guests : accounts.members).or(unsure);
  }
}

/** What strangers leave open about the claims on one right on one object. */
export class Doubt {
  /** Whether something is unknown. */
  isFound = false;
  private readonly of: Strangers;
  private readonly holders: HoldersAndComers;
  private readonly claims: readonly Said[];

  constructor(of: Strangers, holders: HoldersAndComers, claims: readonly Said[]) {
    this.of = of;
    this.holders = holders;
    this.claims = claims;
  }

  private meet(isOne: (stranger: Stranger) => boolean): boolean {
    const { strangers } = this.of.ground;
    const found = strangers.filter(isOne);
    for (const stranger of found) this.of.met.add(stranger);
    this.isFound ||= found.length > 0;
    return found.length > 0;
  }

  /** Looks for somebody unknown who perhaps breaks a claim. @param isDemanded whether what is demanded counts */
  search(isDemanded: boolean): void {
    this.meet((stranger) => this.claims.some((claim) => this.breaks(stranger, claim, isDemanded)));
  }

  private breaks(stranger: Stranger, { must, mustNot, isRest = false }: Said, isDemanded: boolean): boolean {
    const { people, coming } = this.holders;
    const { of } = this;
    const { id } = stranger;
    const like = of.like(stranger);
    of.ground.work.people(like.length);
    const forbids = mustNot.has(id) || (!isRest && mustNot.and(like).size > 0);
    if (forbids && of.shows(stranger, coming)) return true;
    if (!isRest && of.shows(stranger, mustNot) && coming.and(like).minus(mustNot).minus(of.unreal).size > 0)
      return true;
    return isDemanded && of.shows(stranger, must) && !people.has(id);
  }

  /** Whether a real person who seems to break a claim perhaps does not. @param may whether they have the right */
  excuses(id: number, may: boolean): boolean {
    const { of, holders, claims } = this;
    if (of.people.size === 0 || of.unreal.has(id)) return false;
    return this.meet((stranger) => {
      if (!of.like(stranger).has(id)) return false;
      if (!may) return of.shows(stranger, holders.people);
      return claims.some(({ mustNot, isRest }) => isRest === true && of.isNamed(stranger, mustNot));
    });
  }
}
