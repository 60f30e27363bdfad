import { hasNamesake, type People } from "../access/people.ts";
import { GROUP } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import type { Report } from "../config/report.ts";
import { defined } from "../model/defined.ts";
import { finding, type Span } from "../model/diagnostic.ts";
import type { RuleSubject, RuleTarget } from "../model/diagnostics/broken-rules.ts";
import { named, quote, quoteAll } from "../model/diagnostics/values.ts";
import { type Ground, leftOutIn, type MeasuredGround } from "./bind.ts";
import type { ReadRule } from "./read.ts";

/** The statement of one part of a rule about each of its objects: who must have the right, who must not, and how many people have it. */
export interface Claim {
  readonly read: ReadRule;
  readonly at: Span;
  readonly must: People;
  readonly mustNot: People;
  readonly least?: number;
  readonly most?: number;
  /** Whether `mustNot` is everybody whom the rule does not name. */
  readonly isRest?: boolean;
}

/** The combination of several claims on the same right of the same object. Objects with the same claims share it. */
interface Said {
  readonly claim?: Claim;
  readonly before?: Said;
  readonly must: People;
  readonly mustNot: People;
  readonly next: Map<Claim, Said>;
  /** The claim with the largest minimum, and the claim with the smallest maximum. */
  readonly least?: Claim;
  readonly most?: Claim;
  /** Present if the claim cannot hold together with an earlier one: the person or the numbers that show it. */
  readonly opposite?: Opposite;
}

type Opposite = { readonly claim: Claim } & (
  | { readonly person: number }
  | { readonly least: number; readonly most: number }
);

/**
 * Finds rules that cannot both hold: one says that somebody has a right on an object, another that they do not. Patterns, exceptions, privacy and
 * groups were resolved before, so the spelling of the rules does not matter. The finding says why no setting makes both rules hold.
 */
export class Contradictions {
  private readonly claims = new Map<Target, Map<string, Said>>();
  private readonly reported = new Set<Claim>();
  private root: Said | undefined;

  /** Adds a claim about a right on an object, and reports a contradiction to earlier claims. @throws TooMuchWork */
  add(claim: Claim, target: Target, right: string, ground: MeasuredGround, report: Report): void {
    const { nobody } = ground.state.population;
    this.root ??= { must: nobody, mustNot: nobody, next: new Map() };
    const rights = this.claims.get(target) ?? new Map<string, Said>();
    this.claims.set(target, rights);
    const before = rights.get(right) ?? this.root;
    const said = before.next.get(claim) ?? saidWith(claim, before, ground);
    before.next.set(claim, said);
    rights.set(right, said);
    if (said.opposite === undefined || this.reported.has(claim)) return;
    this.reported.add(claim);
    // The contradiction was reported already: the file alone shows it.
    if (report.isToldAt(claim.at) || report.isToldAt(said.opposite.claim.at)) return;
    report.addFound(contradiction(claim, said.opposite, target, ground), claim.at);
  }
}

function saidWith(claim: Claim, before: Said, ground: MeasuredGround): Said {
  const { work } = ground;
  work.people(claim.must.length + claim.mustNot.length + before.must.length + before.mustNot.length);
  const said: Said = {
    claim,
    before,
    must: before.must.or(claim.must),
    mustNot: before.mustNot.or(claim.mustNot),
    next: new Map<Claim, Said>(),
    ...defined({
      least: (claim.least ?? 0) > (before.least?.least ?? 0) ? claim : before.least,
      most: (claim.most ?? Infinity) < (before.most?.most ?? Infinity) ? claim : before.most,
    }),
  };
  if (claim.must.and(before.mustNot).size + claim.mustNot.and(before.must).size === 0)
    return { ...said, ...defined({ opposite: oppositeNumbers(claim, said, ground) }) };
  const { made } = leftOutIn(ground);
  for (let one: Said | undefined = before; one?.claim !== undefined; one = one.before) {
    work.target();
    work.people(claim.must.length + claim.mustNot.length);
    const both = claim.must.and(one.claim.mustNot).or(claim.mustNot.and(one.claim.must));
    // A persona stands for everybody like them.
    const [person] = both.and(made).size > 0 ? both.and(made) : both;
    if (person !== undefined) return { ...said, opposite: { claim: one.claim, person } };
  }
  return said;
}

/**
 * A contradiction of numbers: the minimum of one claim on a right exceeds the maximum of another. The numbers come from the rules, or from the number
 * of people whom the rules name. Personas are not counted, as in the rules themselves.
 */
function oppositeNumbers(claim: Claim, said: Said, ground: MeasuredGround): Opposite | undefined {
  const { least, most, must, mustNot, before } = said;
  if (least === undefined && most === undefined) return undefined;
  const { accounts } = ground.state;
  ground.work.people(accounts.everybody.length);
  const { made } = leftOutIn(ground);
  const counted = (people: People, by: Claim): number =>
    people.minus(by.read.rule.bots === true ? made : made.or(accounts.bots)).size;
  /** The earliest claim that names people of this sort, and so contributes to the number. */
  const naming = (part: "must" | "mustNot"): Claim | undefined => {
    for (let one: Said | undefined = before; one?.claim !== undefined; one = one.before)
      if (one.claim[part].size > 0) return one.claim;
    return undefined;
  };
  if (least?.least !== undefined && most?.most !== undefined && least.least > most.most) {
    // Bots that only the first of them counts may make up the difference.
    const isSure = least.read.rule.bots !== true || most.read.rule.bots === true;
    if (isSure && (claim === least || claim === most))
      return { claim: claim === least ? most : least, least: least.least, most: most.most };
  }
  if (most?.most !== undefined) {
    const other = claim === most ? naming("must") : claim.must.size > 0 ? most : undefined;
    const needed = counted(must, most);
    if (other !== undefined && needed > most.most) return { claim: other, least: needed, most: most.most };
  }
  // Only a reading shows how many people there are.
  if (least?.least !== undefined && !ground.isFileAlone) {
    const other = claim === least ? naming("mustNot") : claim.mustNot.size > 0 ? least : undefined;
    const left = counted(accounts.everybody.minus(mustNot), least);
    if (other !== undefined && left < least.least) return { claim: other, least: least.least, most: left };
  }
  return undefined;
}

function contradiction({ read }: Claim, { claim: other, ...why }: Opposite, target: Target, ground: MeasuredGround) {
  const on = target === "organization" ? quote(target) : quote(target.name, target.kind);
  const rule = other.read === read ? undefined : quote(other.read.rule.name);
  return finding(
    "rules/contradiction",
    "least" in why
      ? { between: "numbers-here", on, least: why.least, most: why.most, ...defined({ rule }) }
      : { between: "rules-here", on, who: subjectFact(why.person, ground), ...defined({ rule }) },
    { severity: "warning", notes: [{ at: other.at, note: "opposite-here" }] },
  );
}

/** Somebody whom a rule is about, a real person or a persona, as a fact. */
export function subjectFact(id: number, { realm, personaById, invitees }: Ground): RuleSubject {
  const persona = personaById.get(id);
  if (persona !== undefined)
    return {
      role: persona.role,
      groups: quoteAll(persona.groups, GROUP),
      ...defined({ joinsBy: invitees.get(id)?.by }),
    };
  const user = realm.user(id);
  if (user === undefined) return { user_id: id };
  return {
    user_id: id,
    full_name: user.full_name,
    email: realm.userName(id),
    ...defined({
      isBot: user.is_bot ? (true as const) : undefined,
      hasNamesake: hasNamesake(realm, user.full_name) ? (true as const) : undefined,
    }),
  };
}

/** The object of a rule, as a fact, with the name that it had before the plan. */
export function targetFact(target: Target, { former }: Pick<Ground, "former">): RuleTarget {
  if (target === "organization") return target;
  const on = named(target.kind, target.name);
  const was = former?.get(on.address)?.name;
  return { ...on, ...defined({ was: was === target.name ? undefined : was }) };
}
