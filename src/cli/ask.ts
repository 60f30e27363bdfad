import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { applyQuestion, notApplied } from "../report/commands/ask.ts";
import { realmName } from "../report/layout.ts";
import { risksOf } from "../report/plan-risks.ts";
import type { Io } from "./io.ts";

/**
 * Asks the person at the terminal. A plan with risks needs the realm's name typed, so that nobody confirms the wrong realm by habit. For any other
 * answer, a message says why nothing happens.
 * @returns false if they answer anything else, or cancel
 * @throws Failure if nobody can be asked
 */
export async function confirmed(io: Io, plan: Plan): Promise<boolean> {
  if (!io.inputIsTTY) {
    throw new Failure(EXIT.errors, error("apply/nobody-to-ask", {}));
  }
  const name = realmName(plan.realm.url);
  const risks = risksOf(plan).length;
  const question = applyQuestion(name, plan.changes.length, risks);
  const given = await answer(io, question);
  const isYes = given !== undefined && /^(yes|y)$/i.test(given);
  if (risks === 0 ? isYes : given === name || given === plan.realm.name) return true;
  const why = given === undefined ? "nobody-answered" : given === "" ? "empty" : "not-yes";
  const isOtherName = risks > 0 && why === "not-yes";
  io.err.write(notApplied(isOtherName ? { why: "other-name", given: given ?? "", name, isYes, risks } : { why }));
  return false;
}

async function answer(io: Io, question: string): Promise<string | undefined> {
  return (await io.ask(question))?.trim();
}
