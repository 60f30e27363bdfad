import { guestsCanHold, scopeOf } from "../access/grants.ts";
import type { People } from "../access/people.ts";
import { READ } from "../access/rules.ts";
import type { Report } from "../config/report.ts";
import type { Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { quote } from "../model/diagnostics/values.ts";
import { leftOutIn, type MeasuredGround, pathOf, userMeant } from "./bind.ts";
import type { ReadRule } from "./read.ts";
import { type Expectation, isAddress, listOf, type OneOrMore } from "./schema.ts";
import type { RightOn } from "./strangers.ts";

/** A part of a rule that may have no effect in this organization, although it has one in others. */
export interface Part {
  readonly read: ReadRule;
  readonly ground: MeasuredGround;
  readonly report: Report;
}

type Why = DiagnosticFacts["rules/never-fails"];

/** Warns about a part that has no effect here. It is only a warning, because organizations change. */
function warn({ report }: Part, fact: Why, at: Span): void {
  // Errors that the file alone shows were reported already.
  if (!report.isToldAt(at)) report.add("rules/never-fails", fact, at, { severity: "warning" });
}

/** Warns about bots that a rule names although it does not count bots, and about deactivated people, who never have rights. */
export function tellOutOfReach(
  part: Part,
  names: OneOrMore | undefined,
  path: readonly string[],
  mustHave: boolean,
): void {
  const { read, ground, report } = part;
  for (const [index, name] of listOf(names).entries()) {
    if (!isAddress(name)) continue;
    const user = userMeant(name, ground);
    const at = read.spanOf(pathOf(path, names, index));
    if (user?.is_bot === true && read.rule.bots !== true)
      report.add("rules/never-fails", { why: "bot-ignored", name: quote(name) }, at);
    else if (user?.is_active === false && ground.state.account(user.user_id)?.active !== true)
      warn(part, { why: mustHave ? "deactivated-must" : "deactivated", name: quote(name) }, at);
  }
}

/** Warns about groups that must have a right and are empty. Without a reading this is unknown. */
export function tellNobody(part: Part, names: OneOrMore | undefined, people: People, at: Span): void {
  const [first] = listOf(names);
  if (first === undefined || part.ground.isFileAlone || people.size > 0 || listOf(names).some(isAddress)) return;
  warn(part, { why: "nobody-yet", name: quote(listOf(names).join(", ")) }, at);
}

/** Warns about a right that no guest can hold, in an expectation about guests only. */
export function tellOfGuests(
  part: Part,
  people: People,
  { target, right }: RightOn,
  { at, mustHave }: { readonly at: Span; readonly mustHave: boolean },
): void {
  const { state } = part.ground;
  if (guestsCanHold(scopeOf(target), right) || !people.isWithin(state.accounts.guests)) return;
  // Somebody who is named by address may not be a guest tomorrow.
  if (people.and(leftOutIn(part.ground).made).size === 0) return;
  warn(part, { why: mustHave ? "guests-must" : "guests-never" }, at);
}

/**
 * Warns about expectations that cannot fail, or cannot hold, because of the number of people who can ever have the right: guests have few rights.
 * @param named the people whom `only` names
 * @param possible everybody whom the rule counts, including personas
 */
export function tellBounds(
  part: Part,
  { at_least, at_most }: Expectation,
  named: People | undefined,
  possible: People,
  { spanOf, right }: { readonly spanOf: (path: readonly string[]) => Span; readonly right: string },
): void {
  const { ground } = part;
  const { state, invitees } = ground;
  const isOnWeb = right === READ && [...state.channels()].some((one) => state.isOnWeb(one));
  if (named !== undefined && !isOnWeb && possible.isWithin(named)) warn(part, { why: "all-who-can" }, spanOf(["only"]));
  // Only a reading shows how many people there are.
  if (ground.isFileAlone) return;
  const there = possible.minus(leftOutIn(ground).made).size;
  // A link lets in any number of people, and on the web anybody reads.
  const isBound = invitees.size === 0 && !isOnWeb;
  if (at_most !== undefined && isBound && at_most >= there)
    warn(part, { why: "fewer-people", there }, spanOf(["at_most"]));
  if (at_least !== undefined && at_least > there) warn(part, { why: "too-few-people", there }, spanOf(["at_least"]));
}
