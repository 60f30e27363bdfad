import type { Target } from "../access/grants.ts";
import type { People } from "../access/people.ts";
import type { Report } from "../config/report.ts";
import { defined } from "../model/defined.ts";
import { finding, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { MeasuredGround } from "./bind.ts";
import type { ReadRule } from "./read.ts";
import { subjectFact } from "./subject.ts";

/** What one part of a rule says of people, on each of its objects: who must have the right, and who must not. */
export interface Claim {
  readonly read: ReadRule;
  readonly at: Span;
  readonly must: People;
  readonly mustNot: People;
}

/** What several claims on the same right of the same object say together. Objects with the same claims share it. */
interface Said {
  readonly claim?: Claim;
  readonly before?: Said;
  readonly must: People;
  readonly mustNot: People;
  readonly next: Map<Claim, Said>;
  /** Two of these claims cannot both hold, because of this person. */
  readonly opposite?: { readonly claim: Claim; readonly person: number };
}

/**
 * Finds rules that cannot both hold: one says that somebody has a right on an object, another that they do not. Patterns, exceptions, privacy and
 * groups were looked up before, so that it does not matter how either of them is written. One of the two does not hold, whatever
 * settings say: the finding says why no setting helps.
 */
export class Contradictions {
  private readonly claims = new Map<Target, Map<string, Said>>();
  private readonly reported = new Set<Claim>();
  private root: Said | undefined;

  /** What the claim says of a right on an object. @throws TooMuchWork */
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
    // The file shows it by itself, and it was said.
    if (report.isToldAt(claim.at)) return;
    report.add(contradiction(claim, said.opposite, target, ground), claim.at);
  }
}

function saidWith(claim: Claim, before: Said, { state, personaById, work }: MeasuredGround): Said {
  work.people(claim.must.length + claim.mustNot.length + before.must.length + before.mustNot.length);
  const must = before.must.or(claim.must);
  const mustNot = before.mustNot.or(claim.mustNot);
  const said = { claim, before, must, mustNot, next: new Map<Claim, Said>() };
  if (claim.must.and(before.mustNot).size + claim.mustNot.and(before.must).size === 0) return said;
  const made = state.population.of(personaById.keys());
  for (let one: Said | undefined = before; one?.claim !== undefined; one = one.before) {
    work.target();
    work.people(claim.must.length + claim.mustNot.length);
    const both = claim.must.and(one.claim.mustNot).or(claim.mustNot.and(one.claim.must));
    // Somebody made up stands for everybody like them.
    const [person] = both.and(made).size > 0 ? both.and(made) : both;
    if (person !== undefined) return { ...said, opposite: { claim: one.claim, person } };
  }
  return said;
}

function contradiction(
  { read }: Claim,
  { claim: other, person }: { readonly claim: Claim; readonly person: number },
  target: Target,
  ground: MeasuredGround,
) {
  const on = target === "organization" ? quote(target) : quote(target.name, target.kind);
  return finding(
    "rules/contradiction",
    {
      between: "rules-here",
      on,
      who: subjectFact(person, ground),
      ...defined({ rule: other.read === read ? undefined : quote(other.read.rule.name) }),
    },
    { severity: "warning", notes: [{ at: other.at, note: "opposite-here" }] },
  );
}
