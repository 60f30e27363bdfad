import { type AccessPath, guestsCanHold, type Holders, holdersOf, pathsOf, scopeOf } from "../access/grants.ts";
import { groupsToEnter } from "../access/joining.ts";
import type { People } from "../access/people.ts";
import { ENTRY_FIELDS, READ } from "../access/rules.ts";
import { isChannel } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import type { AccessState } from "../access/state.ts";
import { rightsCalled } from "../access/words.ts";
import { defined } from "../model/defined.ts";
import type { Path, Span } from "../model/diagnostic.ts";
import type { RuleUnknown } from "../model/diagnostics/broken-rules.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isList, isObject } from "../model/json.ts";
import { isRightName } from "../model/permission-settings.ts";
import {
  fitsPattern,
  type Ground,
  groupsNaming,
  idsOfWho,
  isInUse,
  leftOutIn,
  type MeasuredGround,
  objectsOf,
  pathOf,
  peopleNamed,
  tellNothing,
} from "./bind.ts";
import { type CheckedField, checkedField } from "./check-fields.ts";
import { type Claim, Contradictions } from "./claims.ts";
import { isGlob } from "./fields.ts";
import { namesAfter, namesBefore } from "./naming.ts";
import { type ReadRule, type ReadRules, unknownRight } from "./read.ts";
import { type Expectation, type FieldExpectation, listOf, type Who } from "./schema.ts";
import {
  type Doubt,
  type HoldersAndComers,
  holdersAndComers,
  type RightOn,
  Strangers,
  sameIn,
  withComers,
} from "./strangers.ts";
import { tellBounds, tellNobody, tellOfGuests, tellOutOfReach } from "./vacuous.ts";
import { RuleWork, TooMuchWork } from "./work.ts";

/*
 * Checks rules about access against one ground.
 *
 * Terms. A *ground* is the state that rules are checked against: a file alone, a reading, or a reading with the changes of a plan. An *expectation*
 * says who must have a right and who must not; a *claim* is the same as sets of people, or as a number. A *violation* is one person and one right,
 * one count, or one field. *Unsure* are people whom a file names without a role, and guests of whom it does not say whether they are subscribed to a public channel. A right is *unknown* if the ground does not show who has it.
 *
 * Premise. A rule that cannot be checked must not look as if it held. So there are three verdicts: `broken` with a violation, otherwise `undecided` with
 * something unknown, otherwise `holds`.
 *
 * The idea.
 *     for each rule, for each object that its patterns match:
 *         holders = holdersOf(object, right)                     unknown: count it
 *         coming  = of a private channel's readers: who can let themselves in, or join a group that it admits. What forbids reading, forbids this
 *         claims  = must and mustNot, from `who` or from `exactly`, `only`, `allow`, `deny`; without bots, unless the rule counts them
 *         violations: each person of must who is not in holders, each person of mustNot who is; then counts, then fields
 *     an unsure person is checked in each way that is possible: a violation in all of them is one, a violation in some is unknown
 *     earlier claims about the same right: if both cannot hold, report a contradiction (claims.ts)
 *     after a plan: all of it once more, with the names and the privacy of before, bound to the objects (naming.ts)
 *     an archived channel can be read: what a rule forbids is forbidden there, too; what a rule demands is not demanded
 *
 * What it does not do. It does not compute rights (src/access/) or match names (bind.ts), and it words nothing. It shows at most MOST_VIOLATIONS of a
 * rule, and it stops with an error at the limit of work (work.ts).
 */

/** Why somebody comes to a right; `joining`: they can put themselves into one of these groups, which then gives it to them. */
export type ComingPath = AccessPath | { readonly via: "joining"; readonly groups: readonly string[] };

/** Why a rule does not hold: one person and one right on one object, or one field. */
export type Violation =
  | {
      readonly kind: "can" | "cannot";
      readonly target: Target;
      readonly right: string;
      readonly id: number;
      readonly paths: readonly ComingPath[];
      /** The place in the file that decides about the right. */
      readonly granted?: Span;
    }
  | {
      readonly kind: "too-few" | "too-many";
      readonly target: Target;
      readonly right: string;
      readonly found: number;
      readonly wanted: number;
      /** Everybody on the web has the right, too. */
      readonly onWeb?: true;
    }
  /** Everybody on the web has the right, and the rule gives it only to people. */
  | { readonly kind: "on-web"; readonly target: Target; readonly right: string }
  | {
      readonly kind: "field";
      readonly target: Target;
      readonly field: string;
      readonly found: unknown;
      readonly granted?: Span;
    };

/** {@link RuleUnknown} with plain names. */
export type Unknown = RuleUnknown<string>;

export interface RuleOutcome {
  readonly name: string;
  readonly at: Span;
  /** The first violations; the others are only counted. */
  readonly violations: readonly Violation[];
  readonly more: number;
  /** How many rights on objects, fields and people are unknown. */
  readonly undecided: number;
  /** Why something is unknown, as far as there is more to say than that. */
  readonly reasons: readonly Unknown[];
  /** If something is unknown and nothing breaks the rule, the rule does not count as holding. */
  readonly verdict: "holds" | "broken" | "undecided";
  /** How many rights on objects, and fields, were checked. */
  readonly checked: number;
}

type NamedPart = "exactly" | "only" | "allow" | "deny";

/** An expectation of a right, with the people whom it names. */
interface Expected {
  readonly claims: readonly Claim[];
  readonly only?: People;
}

/** The maximum number of shown violations of one rule. Otherwise a rule that everything violates would fill many screens. */
const MOST_VIOLATIONS = 20;

/** Checks each rule against the ground. Errors that only the ground shows (unknown names, patterns without a match) go to the report. */
export function checkRules(
  { rules, report }: ReadRules,
  ground: Ground,
  work = new RuleWork(),
): readonly RuleOutcome[] {
  const outcomes: RuleOutcome[] = [];
  let done = 0;
  const unheard = report.copy();
  const [pass, ...passes] = passesOf(ground, work, report, unheard);
  const namings = [pass, ...passes].map(({ ground: { naming } }) => naming);
  const othersOf = ({ rule }: ReadRule): readonly Pass[] => {
    if (ground.unsure === undefined) return [];
    const named = namings.map((naming) => groupsNaming(rule, naming));
    const others = new Set(named.flatMap((groups) => ground.unsure?.othersFor(groups) ?? []));
    return [...others].flatMap((other) => passesOf(other, work, unheard, unheard));
  };
  for (const read of rules)
    try {
      const known = othersOf(read).map((other) => new Checker(read, other, [], []));
      const before = report.errors;
      const outcome = new Checker(read, pass, passes, known).outcome();
      // A rule that names what is not there says nothing; the others are checked.
      if (report.errors === before) outcomes.push(outcome);
      done += 1;
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      report.add("rules/too-much", { test: quote(read.rule.name), done }, read.spanOf(["name"]));
      break;
    }
  return outcomes;
}

/** One way to read the names in all rules, with what is found on it. */
interface Pass {
  readonly ground: Omit<MeasuredGround, "unknown" | "unseen" | "perhapsMeant">;
  readonly report: ReadRules["report"];
  readonly contradictions: Contradictions;
}

/** With the names after a plan; and, if they differ, with those before it, of which nothing is reported but violations. */
function passesOf(
  ground: Ground,
  work: RuleWork,
  report: ReadRules["report"],
  unheard: ReadRules["report"],
): readonly [Pass, ...Pass[]] {
  const { state, realm, former, realmBefore } = ground;
  const after = namesAfter(state, realm);
  const before =
    former === undefined ? undefined : namesBefore(state, former, realmBefore ?? realm, realmBefore !== undefined);
  const pass: Pass = {
    ground: { ...ground, work, naming: after, otherNaming: before },
    report,
    contradictions: new Contradictions(),
  };
  if (before === undefined) return [pass];
  const bound = { ...pass.ground, naming: before, otherNaming: after, isBound: true as const };
  return [pass, { ground: bound, report: unheard, contradictions: new Contradictions() }];
}

class Checker {
  readonly read: ReadRule;
  ground: MeasuredGround;
  report: ReadRules["report"];
  private readonly violations: Violation[] = [];
  private more = 0;
  private undecided = 0;
  private checked = 0;
  private readonly made: People;
  private readonly strangers: Strangers;
  /** People who do not count: bots, unless the rule counts them. */
  private readonly ignored: People;
  private contradictions: Contradictions;
  private readonly passes: readonly Pass[];
  /** What was checked, and what was found, in all passes. */
  private readonly found = new Set<string>();
  /** Checkers of the same rule, one for each other role that people without a role in the file could have. */
  private readonly others: readonly Checker[];
  private readonly unsure: People;
  /** Channels of which something is unknown, and of which the file does not say how open they are. */
  private readonly met = new Set<string>();
  /** Whether something depends on where somebody is back who is reactivated. */
  private meetsReturning = false;
  /** Whether something depends on invitations of which the ground does not say enough. */
  private meetsInvited = false;
  /** Those who can join by invitations and links of the file. What a rule demands is not demanded of them. */
  private readonly invited: People;
  /** Personas with a violation, which stands for everybody like them. */
  private readonly violating = new Set<string>();

  /** @param passes further ones */
  constructor(read: ReadRule, pass: Pass, passes: readonly Pass[], others: readonly Checker[]) {
    const { ground } = pass;
    this.read = read;
    this.others = others;
    this.ground = { ...ground, unknown: new Set(), unseen: new Set(), perhapsMeant: new Set() };
    this.report = pass.report;
    this.contradictions = pass.contradictions;
    this.passes = passes;
    const { bots, made } = leftOutIn(ground);
    this.made = made;
    const { population } = ground.state;
    this.ignored = read.rule.bots === true ? population.nobody : bots;
    this.invited = population.of(ground.invitees.keys());
    this.unsure = population.of(others.length === 0 ? [] : (ground.unsure?.people ?? [])).minus(this.ignored);
    this.strangers = new Strangers(this.ground, this.ignored);
  }

  outcome(): RuleOutcome {
    const { rule, at } = this.read;
    this.check();
    for (const { ground, report, contradictions } of this.passes) {
      const { unknown, unseen, perhapsMeant } = this.ground;
      this.ground = { ...ground, unknown, unseen, perhapsMeant };
      this.report = report;
      this.contradictions = contradictions;
      this.check();
    }
    const { violations, more, checked } = this;
    const { unknown, unseen, perhapsMeant } = this.ground;
    const undecided = this.undecided + unknown.size + unseen.size + perhapsMeant.size;
    const verdict = violations.length > 0 ? "broken" : undecided > 0 ? "undecided" : "holds";
    const reasons: readonly Unknown[] = [
      ...[...unseen].map((pattern) => ({ is: "unseen", pattern }) as const),
      ...[...this.strangers.met].map(({ because }) =>
        "group" in because
          ? ({ is: "members", ...because } as const)
          : "list" in because
            ? ({ is: "excepted", ...because } as const)
            : ({ is: "owner", bot: because.account } as const),
      ),
      ...[...new Set([...perhapsMeant, ...this.met])].map((channel) => ({ is: "privacy", channel }) as const),
      ...(this.meetsReturning ? [{ is: "returning" } as const] : []),
      ...(this.meetsInvited ? [{ is: "invited" } as const] : []),
    ];
    return { name: rule.name, at, violations, more, undecided, reasons, verdict, checked };
  }

  private check(): void {
    if (this.read.rule.who !== undefined) this.ofPeople();
    else if (this.read.rule.objects !== undefined) this.ofObjects();
  }

  /** Whether it is the first time in all passes. */
  private isNew(target: Target, ...what: readonly (string | number)[]): boolean {
    if (this.passes.length === 0) return true;
    const before = this.found.size;
    return this.found.add(keyOf(target, ...what)).size > before;
  }

  /** @param violation expensive to find: not computed for violations that are only counted */
  private add(violation: () => Violation): void {
    if (this.violations.length < MOST_VIOLATIONS) this.violations.push(violation());
    else this.more += 1;
  }

  /** Checks a rule with `who`, `can` and `cannot`. */
  private ofPeople(): void {
    const { rule } = this.read;
    if (rule.who === undefined) return;
    const ids = idsOfWho(rule.who, this.read, this.ground, this.report);
    const { who } = rule;
    const inOthers = this.others.map(({ read, ground, report }) => idsOfWho(who, read, ground, report));
    const names = typeof rule.who === "string" || Array.isArray(rule.who) ? rule.who : undefined;
    tellOutOfReach(this, names, ["who"], rule.can !== undefined);
    const { nobody } = this.ground.state.population;
    const counted = this.ground.state.population.of(ids).minus(this.ignored);
    const perhaps = this.perhapsMeant(who).minus(counted);
    const groupsOfWho = typeof who === "object" && !isList(who) ? who : {};
    for (const part of ["can", "cannot"] as const)
      for (const [word, objects] of Object.entries(rule[part] ?? {})) {
        const at = (index: number): Span => this.read.spanOf(pathOf([part, word], objects, index));
        const whole = this.read.spanOf([part, word]);
        const [must, mustNot] = part === "can" ? [counted.minus(this.invited), nobody] : [nobody, counted];
        const claims = [
          { read: this.read, at: whole, must: this.certain(must, inOthers), mustNot: this.certain(mustNot, inOthers) },
        ];
        for (const [on, holders] of this.standing(word, listOf(objects), at, claims, part === "cannot")) {
          tellOfGuests(this, counted, on, { at: whole, mustHave: part === "can" });
          this.ground.work.people(ids.size);
          const doubt = this.strangers.about(on, holders, [{ must, mustNot }]);
          for (const id of ids) {
            const may = (part === "can" ? holders.people : holders.coming).has(id);
            if (this.ignored.has(id) || may === (part === "can") || this.unsure.has(id)) continue;
            if (!may && this.invited.has(id)) continue;
            if (!this.strangers.people.has(id) && !doubt.excuses(id, may)) this.addOf(on, id, may);
          }
          this.expectOfUnsure(doubt, (id, may, at) => {
            const meant = at === 0 ? ids : inOthers[at - 1];
            return meant?.has(id) === true && !this.ignored.has(id) && may !== (part === "can");
          });
          const breaking = part === "can" ? perhaps.minus(holders.people) : perhaps.and(doubt.full().coming);
          if (breaking.size > 0) doubt.meetMembers(groupsOfWho);
          this.expectOfStrangers(doubt);
        }
      }
  }

  /** People of a role and of groups, if everybody is in the groups of which the file does not say who is. */
  private perhapsMeant(who: Who): People {
    const { nobody } = this.ground.state.population;
    if (typeof who !== "object" || isList(who)) return nobody;
    let people = nobody;
    for (const { read, ground, report } of [this, ...this.others]) {
      const state = ground.filledExcept?.(new Set());
      if (state === undefined) continue;
      people = people.or(this.ground.state.population.of(idsOfWho(who, read, { ...ground, state }, report.copy())));
    }
    return people.minus(this.made).minus(this.ignored);
  }

  /**
   * Objects with the right on each and its holders; objects for which these are unknown are counted.
   * @param forbids whether the claims forbid something, to whomever: archived objects matter only for that
   */
  private *standing(
    word: string,
    patterns: readonly string[],
    at: (index: number) => Span,
    claims: readonly Claim[],
    forbids: boolean,
  ): Generator<readonly [RightOn, HoldersAndComers]> {
    const targets = objectsOf(this.read, patterns, this.ground, at, this.report);
    const rights = rightsCalled(word, this.ground.state.facts.otherRights);
    // Other words that mean nothing were reported when the rules were read.
    if (rights.length === 0 && isRightName(word))
      this.report.addFound(unknownRight(word, this.report), this.placeOf(word));
    const fitting = targets.flatMap((target) => {
      const right = rights.find(({ scope }) => scope === scopeOf(target))?.right;
      return right === undefined ? [] : [[target, right] as const];
    });
    if (rights.length > 0 && targets.length > 0 && fitting.length === 0)
      this.report.add(
        "rules/right-of-other",
        {
          right: quote(word),
          pattern: quote(patterns.join(", ")),
          of: [...new Set(rights.map(({ scope }) => scope))],
        },
        at(0),
      );
    const real = this.strangers.without(claims);
    if (!forbids && fitting.length > 0 && !fitting.some(([target]) => isInUse(target)))
      tellNothing("all-archived", at(0), this.report);
    for (const [target, right] of fitting) {
      if (isInUse(target))
        for (const claim of real) this.contradictions.add(claim, target, right, this.ground, this.report);
      else if (!forbids) continue;
      const holders = holdersOf(this.ground.state, target, right);
      const isNew = this.isNew(target, right);
      if (isNew) this.checked += 1;
      this.ground.work.target();
      const isKnown = holders !== undefined && (holders.bound === undefined || !mayMatter(holders, claims));
      const isLeast = !isKnown && holders?.bound === "least" ? (true as const) : undefined;
      if (isKnown || (isLeast && holders !== undefined && forbids)) {
        const found = withComers(this.ground.state, target, right, holders.people);
        yield [
          { target, right },
          { ...found, ...defined({ isLeast }) },
        ];
      }
      if (!isNew || isKnown) continue;
      this.undecided += 1;
      if (target !== "organization" && isChannel(target) && target.isPrivacyLeftOut) this.met.add(target.name);
    }
  }

  private placeOf(right: string): Span {
    const { rule, keyOf } = this.read;
    const part = (["can", "cannot", "rights"] as const).find((each) => Object.hasOwn(rule[each] ?? {}, right));
    return keyOf(part === undefined ? [] : [part, right]);
  }

  private addOf(on: RightOn, id: number, may: boolean): void {
    if (!this.isNew(on.target, on.right, id) || this.isTold(on, id)) return;
    if (may && this.ground.invitees.get(id)?.isSure === false) {
      this.undecided += 1;
      this.meetsInvited = true;
    } else this.add(() => (may ? this.grantedTo(on, id) : this.keptFrom(on, id)));
  }

  /** Whether a persona of the same role, in some of the same groups, breaks the rule like somebody who is invited. */
  private isTold({ target, right }: RightOn, id: number): boolean {
    const { personaById, invitees } = this.ground;
    const key = keyOf(target, right);
    const invitee = invitees.get(id);
    if (invitee === undefined) {
      if (personaById.has(id)) this.violating.add(`${key}\n${id}`);
      return false;
    }
    return [...personaById].some(
      ([other, { role, groups }]) =>
        this.violating.has(`${key}\n${other}`) &&
        role === invitee.role &&
        groups.every((group) => invitee.groups.includes(group)),
    );
  }

  /** The violation for somebody without a required right, with the line of the setting that does not name them. */
  private keptFrom({ target, right }: RightOn, id: number): Violation {
    const granted = this.ground.spanOf(target, right);
    return { kind: "cannot", target, right, id, paths: [], ...defined({ granted }) };
  }

  private grantedTo({ target, right }: RightOn, id: number): Violation {
    const paths = this.pathsTo(target, right, id);
    const granted =
      this.ground.invitees.get(id)?.at ??
      paths.map((path) => this.spanOfPath(target, path)).find((span) => span !== undefined);
    return { kind: "can", target, right, id, paths, ...defined({ granted }) };
  }

  private pathsTo(target: Target, right: string, id: number): readonly ComingPath[] {
    const { state } = this.ground;
    const paths = pathsOf(state, target, right, id);
    if (paths.length > 0 || right !== READ || !isChannel(target)) return paths;
    const entering = pathsOf(state, target, "can_subscribe_group", id);
    return entering.length > 0
      ? entering
      : [{ via: "joining", groups: groupsToEnter(state, target, state.population.of([id])) }];
  }

  private spanOfPath(target: Target, path: ComingPath): Span | undefined {
    const { ground } = this;
    if (path.via === "joining") return this.spanOfJoining(path.groups);
    if (path.via === "subscriber") return ground.spanOf(target, "subscribers");
    if (path.via === "privacy") return ground.spanOf(target, "privacy");
    if (path.via !== "setting") return undefined;
    return ground.spanOf(path.on === "organization" ? "organization" : target, path.setting);
  }

  /** The line that lets people into one of the groups. */
  private spanOfJoining(groups: readonly string[]): Span | undefined {
    const { state, spanOf } = this.ground;
    return groups
      .flatMap((name) => state.group(name) ?? [])
      .flatMap((group) => ENTRY_FIELDS.map((field) => spanOf(group, field)))
      .find((span) => span !== undefined);
  }

  /** Checks a rule with `on`, `rights` and `fields`. */
  private ofObjects(): void {
    const { rule, spanOf } = this.read;
    const at = (index: number): Span => spanOf(pathOf(["objects"], rule.objects, index));
    for (const [word, expectation] of Object.entries(rule.rights ?? {})) this.ofRight(word, expectation, at);
    const fields = Object.entries(rule.fields ?? {});
    if (fields.length === 0) return;
    for (const [index, pattern] of listOf(rule.objects).entries())
      if (pattern === "organization" && rule.rights === undefined)
        this.report.add("rules/no-fields-here", {}, at(index));
    const targets = objectsOf(this.read, listOf(rule.objects), this.ground, at, this.report);
    for (const [field, expectation] of fields) this.expectField(field, expectation, targets);
  }

  /** Checks one right of a rule about objects. */
  private ofRight(word: string, expectation: Expectation, at: (index: number) => Span): void {
    const { rule } = this.read;
    const expected = this.expected(word, expectation);
    const all = [expected, ...this.others.map((other) => other.expected(word, expectation))];
    const checked = new Set<string>();
    const sure = expected.claims.map((claim, index) => {
      const same = all.flatMap(({ claims }) => claims[index] ?? []);
      const must = this.certain(
        claim.must,
        same.map((other) => other.must),
      );
      const mustNot = this.certain(
        claim.mustNot,
        same.map((other) => other.mustNot),
      );
      return { ...claim, must, mustNot };
    });
    const numbers = this.numbers(word, expectation);
    const { exactly, only, deny, at_least, at_most } = expectation;
    const forbids = [exactly, only, deny, at_most].some((part) => part !== undefined);
    const objects = listOf(rule.objects);
    for (const [on, holders] of this.standing(word, objects, at, [...sure, ...numbers], forbids)) {
      const scope = scopeOf(on.target);
      if (!checked.has(scope)) this.tellEmpty(word, expectation, expected, on);
      checked.add(scope);
      const doubt = this.strangers.about(on, holders, expected.claims);
      this.expect(doubt, sure);
      const isDemanded = holders.isLeast !== true;
      this.expectOfUnsure(doubt, (id, may, at) => {
        const claims = all[at]?.claims ?? [];
        return claims.some(({ must, mustNot }) => (may ? mustNot.has(id) : must.has(id) && isDemanded));
      });
      if ((exactly ?? only) !== undefined) this.expectOffWeb(on);
      if (at_least !== undefined && isDemanded) this.count(doubt, "people", { at_least });
      if (at_most !== undefined) this.count(doubt, "coming", { at_most });
      this.expectOfStrangers(doubt);
    }
  }

  /** The minimum and maximum number of holders in an expectation, to compare them with other rules about the same right. */
  private numbers(word: string, { at_least: least, at_most: most }: Expectation): readonly Claim[] {
    const { nobody } = this.ground.state.population;
    const claim = (part: string, number: Pick<Claim, "least" | "most">): Claim => ({
      read: this.read,
      at: this.read.spanOf(["rights", word, part]),
      must: nobody,
      mustNot: nobody,
      ...number,
    });
    return [
      ...(least === undefined ? [] : [claim("at_least", { least })]),
      ...(most === undefined ? [] : [claim("at_most", { most })]),
    ];
  }

  /** The people whom an expectation names, and what it says about each of them. */
  private expected(word: string, expectation: Expectation): Expected {
    const { state } = this.ground;
    const { nobody } = state.population;
    const spanOf = (path: Path): Span => this.read.spanOf(["rights", word, ...path]);
    const named = (part: NamedPart): People | undefined => {
      const value = expectation[part];
      if (value === undefined) return undefined;
      // If one more person may have the right, nothing is broken.
      const ground = part === "only" ? { ...this.ground, unknown: new Set<string>() } : this.ground;
      const people = peopleNamed(listOf(value), ground, (index) => spanOf(pathOf([part], value, index)), this.report);
      if (part !== "only") tellOutOfReach(this, value, ["rights", word, part], part !== "deny");
      return people;
    };
    const [exactly, only, allow, deny] = [named("exactly"), named("only"), named("allow"), named("deny")];
    const { everybody } = state.accounts;
    this.ground.work.people(everybody.size);
    const speaking = (people: People = nobody) => people.minus(this.ignored);
    // Personas are subscribed to nothing, so they need not have the rights that real people must have.
    const counting = (people?: People) => speaking(people).minus(this.ground.isFileAlone ? this.invited : this.made);
    const claim = (part: NamedPart, must: People, mustNot: People): Claim => ({
      read: this.read,
      at: spanOf([part]),
      must,
      mustNot,
      isRest: part === "exactly" || part === "only",
    });
    const claims = [
      ...(exactly === undefined
        ? []
        : [claim("exactly", counting(exactly), counting(everybody).or(speaking(this.invited)).minus(exactly))]),
      ...(only === undefined ? [] : [claim("only", nobody, speaking(everybody).minus(only))]),
      ...(allow === undefined ? [] : [claim("allow", counting(allow), nobody)]),
      ...(deny === undefined ? [] : [claim("deny", nobody, speaking(deny))]),
    ];
    if (allow !== undefined) tellNobody(this, expectation.allow, counting(allow), spanOf(["allow"]));
    return { claims, ...defined({ only }) };
  }

  /** Parts of an expectation that say nothing about this organization. */
  private tellEmpty(word: string, expectation: Expectation, { only, claims }: Expected, on: RightOn): void {
    const spanOf = (path: Path): Span => this.read.spanOf(["rights", word, ...path]);
    const { accounts } = this.ground.state;
    const able = guestsCanHold(scopeOf(on.target), on.right) ? accounts.everybody : accounts.members;
    tellBounds(this, expectation, only, able.minus(this.ignored), { spanOf, right: on.right });
    for (const { at, must, mustNot } of claims) {
      if (expectation.exactly !== undefined || expectation.only !== undefined) continue;
      tellOfGuests(this, must, on, { at, mustHave: true });
      tellOfGuests(this, mustNot, on, { at, mustHave: false });
    }
  }

  /** Removes the people who are included only in some roles. */
  private certain(people: People, inOthers: readonly { has(id: number): boolean }[]): People {
    if (this.unsure.size === 0) return people;
    const doubtful = [...this.unsure].filter((id) => inOthers.some((other) => !other.has(id)));
    return people.minus(this.ground.state.population.of(doubtful));
  }

  /**
   * People without a role in the file: something that breaks the rule in every role breaks it; if it breaks the rule in some, the result is unknown.
   * @param breaks called for each role; `at` is 0 for the role that they have here, then those of the others in their order
   */
  private expectOfUnsure(doubt: Doubt, breaks: (id: number, may: boolean, at: number) => boolean): void {
    if (this.unsure.size === 0) return;
    const { on, holders: here } = doubt;
    const all = [here, ...this.others.map((other) => other.holdersOfSame(on))];
    this.ground.work.people(this.unsure.size * all.length);
    let isUndecided = false;
    for (const id of this.unsure) {
      // Who can come to a right breaks what forbids it, and still lacks what is demanded.
      const ways = (found: HoldersAndComers | undefined) =>
        new Set([found?.people, found?.coming].map((some) => some?.has(id) === true));
      const broken = all.filter((found, at) => [...ways(found)].some((may) => breaks(id, may, at))).length;
      const may = here.coming.has(id);
      if (broken === all.length && !doubt.excuses(id, may)) this.addOf(on, id, may);
      else if (broken > 0 && broken < all.length) isUndecided = true;
    }
    if (isUndecided) this.leaveOpen();
  }

  /** Something depends on what is not known of unsure people. */
  private leaveOpen(): void {
    this.undecided += 1;
    this.meetsReturning ||= this.ground.unsure?.isReturning === true;
  }

  /** The holders of the right on the object with the same name in this ground. */
  private holdersOfSame({ target, right }: RightOn): HoldersAndComers | undefined {
    const { state, work } = this.ground;
    work.target();
    const same = sameIn(state, target);
    return same && holdersAndComers(state, same, right);
  }

  private expect(doubt: Doubt, claims: readonly Claim[]): void {
    const { on, holders } = doubt;
    const { people, coming, isLeast } = holders;
    const uncertain = this.unsure.or(this.strangers.people);
    for (const { must, mustNot } of claims) {
      const [beyond, missing] = [mustNot.and(coming).minus(uncertain), must.minus(people).minus(uncertain)];
      this.ground.work.people(must.size + mustNot.length + beyond.size);
      for (const id of beyond) if (!doubt.excuses(id, true)) this.addOf(on, id, true);
      if (!isInUse(on.target) || isLeast) continue;
      for (const id of missing) if (!doubt.excuses(id, false)) this.addOf(on, id, false);
    }
  }

  /** Whoever is on the web is none of the people whom a rule can name. */
  private expectOffWeb({ target, right }: RightOn): void {
    const { state, isFileAlone } = this.ground;
    if (!isReadOnWeb(state, target, right) || !this.isNew(target, right, "on-web")) return;
    if (isFileAlone) this.leaveOpen();
    else this.add(() => ({ kind: "on-web", target, right }));
  }

  private expectOfStrangers(doubt: Doubt): void {
    const { target, right } = doubt.on;
    doubt.search(isInUse(target));
    if (doubt.isFound && this.isNew(target, right, "doubt")) this.undecided += 1;
  }

  private count(doubt: Doubt, part: "people" | "coming", { at_least, at_most }: Expectation): void {
    const { target, right } = doubt.on;
    const people = doubt.holders[part];
    // Somebody who is missing in the count only makes it smaller.
    const isFew = at_most === undefined || people.size <= at_most;
    const coming = at_most === undefined ? [] : this.invited.and(people).ids();
    const { state, isFileAlone } = this.ground;
    // Whoever is on the web needs no account, and is more than any number.
    const isOnWeb = at_most !== undefined && isReadOnWeb(state, target, right);
    const isKnown = !(isFileAlone || isOnWeb) && this.unsure.size + coming.length === 0;
    if (isFew && at_least === undefined && isKnown) return;
    const invitees = coming.flatMap((id) => this.ground.invitees.get(id) ?? []);
    const invited = invitees.filter(({ isSure }) => isSure).length;
    const real = people.sizeWithout(this.ignored, this.made) + invited;
    // Only a reading knows how many people have a role, or are in a group.
    const all = people.minus(this.invited);
    const isOpen = this.ground.isFileAlone && real - invited < all.sizeWithout(this.ignored, this.ignored);
    // A link lets in any number of people.
    const isEndless = (isOnWeb && isFileAlone) || invitees.some(({ by }) => by === "link");
    const perhaps = isEndless ? Number.POSITIVE_INFINITY : invitees.length - invited;
    const [fewest, known] = this.rangeOf(doubt, part, real);
    const most = Math.max(known, doubt.most(part).sizeWithout(this.ignored, this.made) + invited) + perhaps;
    if (at_most !== undefined && most > at_most) this.meetsInvited ||= perhaps > 0 && invitees.length > 0;
    if (at_least !== undefined && fewest < at_least && isInUse(target)) {
      if (isOpen || most >= at_least) this.leaveOpen();
      else if (this.isNew(target, right, "at_least"))
        this.add(() => ({ kind: "too-few", target, right, found: real, wanted: at_least }));
    }
    const onWeb = isOnWeb && !isFileAlone ? (true as const) : undefined;
    if (at_most !== undefined && (onWeb || fewest > at_most)) {
      if (this.isNew(target, right, "at_most"))
        this.add(() => ({ kind: "too-many", target, right, found: real, wanted: at_most, ...defined({ onWeb }) }));
    } else if (at_most !== undefined && (isOpen || most > at_most)) this.leaveOpen();
  }

  /** The minimum and the maximum number of holders: people without a role in the file may hold the right or not. */
  private rangeOf({ on, holders }: Doubt, part: "people" | "coming", real: number): readonly [number, number] {
    if (this.unsure.size === 0) return [real, real];
    const people = holders[part];
    const all = [people, ...this.others.map((other) => other.holdersOfSame(on)?.[part])];
    let [fewest, most] = [real, real];
    for (const id of this.unsure) {
      const holding = all.filter((holders) => holders?.has(id) === true).length;
      if (people.has(id) && holding < all.length) fewest -= 1;
      if (!people.has(id) && holding > 0) most += 1;
    }
    return [fewest, most];
  }

  private expectField(field: string, written: FieldExpectation, targets: readonly Target[]): void {
    const { ground, report, read } = this;
    const expectation = checkedField({ read, field, ground, report }, written);
    if (expectation === undefined) return;
    for (const target of targets) {
      const form = ground.forms.of(scopeOf(target), field);
      // Who reads an archived channel follows from its privacy and its subscribers alone.
      if (form === undefined || !(isInUse(target) || field === "privacy")) continue;
      const fields = ground.fieldsOf(target);
      const isNew = this.isNew(target, "field", field);
      if (isNew) this.checked += 1;
      ground.work.target();
      if (fields === undefined || !Object.hasOwn(fields, field)) {
        if (isNew) this.undecided += 1;
        continue;
      }
      const found = fields[field];
      if (fits(found, expectation, form.isPermission ? ground.naming.nameOfGroup : undefined, ground.work)) continue;
      if (!this.isNew(target, "field", field, "broken")) continue;
      const granted = ground.spanOf(target, field);
      this.add(() => ({ kind: "field", target, field, found, ...defined({ granted }) }));
    }
  }
}

const keyOf = (target: Target, ...what: readonly (string | number)[]): string =>
  [scopeOf(target), target === "organization" ? "" : target.name, ...what].join("\n");

const isReadOnWeb = (state: AccessState, target: Target, right: string): boolean =>
  right === READ && isChannel(target) && state.isOnWeb(target);

/** Whether somebody who may hold a right besides its known holders matters to what is said about it. */
function mayMatter({ people, bound, others }: Holders, claims: readonly Claim[]): boolean {
  // Nobody else can hold it: what forbids it to others holds.
  if (bound === "most")
    return claims.some(
      ({ must, mustNot, least, most = Number.POSITIVE_INFINITY }) =>
        must.size > 0 || least !== undefined || mustNot.and(people).size > 0 || people.size > most,
    );
  const isAmong = (some: People): boolean => others === undefined || some.and(others).minus(people).size > 0;
  return claims.some(
    ({ must, mustNot, least, most }) =>
      others === undefined || least !== undefined || most !== undefined || isAmong(must) || isAmong(mustNot),
  );
}

/** @param nameOf the name of a group for patterns: names without wildcards mean the groups themselves */
function fits(
  found: unknown,
  { is, not, has }: CheckedField,
  nameOf: ((group: string) => string) | undefined,
  work: RuleWork,
): boolean {
  const value = onePerson(found) ?? found;
  const matches = (wanted: unknown): boolean => {
    if (typeof wanted !== "string" || typeof value !== "string") return wanted === value;
    const name = nameOf !== undefined && typeof found === "string" && isGlob(wanted) ? nameOf(value) : value;
    return fitsPattern(wanted, name, work);
  };
  if (is !== undefined && !is.some(matches)) return false;
  if (not?.some(matches) === true) return false;
  if (has === undefined) return true;
  const named = (part: "groups" | "users"): boolean =>
    typeof found === "object" && found !== null && isObject(found) && isList(found[part]) && found[part].length > 0;
  if (has !== "group") return named("users");
  return typeof found === "string" ? found !== "role:nobody" : named("groups");
}

/** The address of the one person whom a setting names, if it names nobody else. */
function onePerson(found: unknown): string | undefined {
  if (typeof found !== "object" || found === null || !isObject(found)) return undefined;
  const { groups, users } = found;
  if (!isList(users) || users.length !== 1 || (isList(groups) && groups.length > 0)) return undefined;
  return String(users[0]);
}
