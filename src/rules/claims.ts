import type { People } from "../access/people.ts";
import type { Target } from "../access/sources.ts";
import type { Report } from "../config/report.ts";
import { defined } from "../model/defined.ts";
import { finding, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { MeasuredGround } from "./bind.ts";
import { leftOutIn } from "./left-out.ts";
import type { ReadRule } from "./read.ts";
import { subjectFact } from "./subject.ts";

/** What one part of a rule says of people, on each of its objects: who must have the right, who must not, and how many have it. */
export interface Claim {
  readonly read: ReadRule;
  readonly at: Span;
  readonly must: People;
  readonly mustNot: People;
  readonly least?: number;
  readonly most?: number;
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
  /** The claim cannot hold together with an earlier one, because of this person or of these numbers. */
  readonly opposite?: Opposite;
}

type Opposite = { readonly claim: Claim } & (
  | { readonly person: number }
  | { readonly least: number; readonly most: number }
);

/**
 * Finds rules that cannot both hold: one says that somebody has a right on an object, another that they do not. Patterns, exceptions, privacy and
 * groups were resolved before, so it does not matter how either of them is written. One of the two does not hold, whatever the settings are: the
 * finding says why no setting helps.
 */
export class Contradictions {
  private readonly claims = new Map<Target, Map<string, Said>>();
  private readonly reported = new Set<Claim>();
  private root: Said | undefined;

  /** What the claim says about a right on an object. @throws TooMuchWork */
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
    // The file alone shows it, and it was reported.
    if (report.isToldAt(claim.at) || report.isToldAt(said.opposite.claim.at)) return;
    report.add(contradiction(claim, said.opposite, target, ground), claim.at);
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
 * Numbers that the claim and earlier ones give for one right: at least so many where no more than so many may, because of what the rules say or of
 * whom they name. Somebody made up is not counted, as in the rules themselves.
 */
function oppositeNumbers(claim: Claim, said: Said, ground: MeasuredGround): Opposite | undefined {
  const { least, most, must, mustNot, before } = said;
  if (least === undefined && most === undefined) return undefined;
  const { accounts } = ground.state;
  ground.work.people(accounts.everybody.length);
  const { made } = leftOutIn(ground);
  const counted = (people: People, by: Claim): number =>
    people.minus(by.read.rule.bots === true ? made : made.or(accounts.bots)).size;
  /** The earliest claim that names people of this sort: one of those that make the number what it is. */
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
  // How many people there are only a reading knows.
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
