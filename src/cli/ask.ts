import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { realmName } from "../report/layout.ts";
import { risksOf } from "../report/plan-risks.ts";
import { clean, count } from "../report/style.ts";
import type { Io } from "./io.ts";

/**
 * Asks the person at the terminal. A plan with risks wants the realm's name typed, so that nobody confirms the wrong realm by habit. Whoever
 * answers otherwise is told why nothing happens.
 * @returns false when they say anything else, or cancel
 * @throws Failure when nobody is there to be asked
 */
export async function confirmed(io: Io, plan: Plan): Promise<boolean> {
  if (!io.inputIsTTY) {
    throw new Failure(EXIT.errors, error("apply/nobody-to-ask", {}));
  }
  const name = realmName(plan.realm.url);
  const risks = risksOf(plan).length;
  const what = `Apply ${plan.changes.length === 1 ? "this change" : `these ${plan.changes.length} changes`} to ${name}?`;
  if (risks === 0) {
    const given = await answer(io, `${what} Type yes to do it, anything else to leave it`);
    if (given !== undefined && /^(yes|y)$/i.test(given)) return true;
    return declined(io, given, "the answer was not yes");
  }
  const marked = `${count(risks, "thing is", "things are")} marked !`;
  const given = await answer(io, `${what} ${marked}: type the realm's name (${name})`);
  if (given === name || given === plan.realm.name) return true;
  const hint = given !== undefined && /^(yes|y)$/i.test(given) ? `, since ${marked}` : "";
  return declined(io, given, `the answer was ${JSON.stringify(clean(given ?? ""))}, not ${name}${hint}`);
}

/** What follows says that nothing was sent; why stands before it. */
function declined(io: Io, given: string | undefined, reason: string): false {
  const why = given === undefined ? "nobody answered" : given === "" ? "the answer was empty" : reason;
  io.err.write(`Not applied: ${why}.\n`);
  return false;
}

async function answer(io: Io, question: string): Promise<string | undefined> {
  return (await io.ask(question))?.trim();
}
