import { EXIT, Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { realmName } from "../report/layout.ts";
import { count } from "../report/style.ts";
import { risksOf } from "../report/text.ts";
import type { Io } from "./io.ts";

/**
 * Asks the person at the terminal. A plan with risks wants the realm's name typed, so that nobody confirms the wrong realm by habit.
 * @returns false when they say anything else, or cancel
 * @throws Failure when nobody is there to be asked
 */
export async function confirmed(io: Io, plan: Plan): Promise<boolean> {
  if (!io.inputIsTTY) {
    throw new Failure(EXIT.mistakes, {
      code: "apply/nobody-to-ask",
      severity: "error",
      message: "there is no terminal to ask for confirmation on",
      hint: "look at the plan first, then run apply with --yes",
    });
  }
  const name = realmName(plan.realm.url);
  const risks = risksOf(plan).length;
  const what = `Apply ${plan.changes.length === 1 ? "this change" : `these ${plan.changes.length} changes`} to ${name}?`;
  if (risks === 0) return /^(yes|y)$/i.test((await answer(io, `${what} (yes)`)) ?? "");
  const marked = `${count(risks, "thing is", "things are")} marked !`;
  const given = await answer(io, `${what} ${marked}: type the realm's name (${name})`);
  return given === name || given === plan.realm.name;
}

async function answer(io: Io, question: string): Promise<string | undefined> {
  return (await io.ask(question))?.trim();
}
