import { defined } from "../../model/defined.ts";
import type { Change, Guard, Risk } from "../../model/plan.ts";
import type { CallResult } from "../../model/result.ts";
import { callText } from "./calls.ts";
import { guardText } from "./guards.ts";
import { riskText } from "./risks.ts";

/** Facts with their sentences beside them, for readers of JSON who show a sentence and do not make one. */
export const saidRisk = (risk: Risk) => ({ ...risk, message: riskText(risk) });
export const saidChange = (change: Change) => ({ ...change, risks: change.risks.map(saidRisk) });
export const saidGuard = <G extends Pick<Guard, "name" | "fact">>(guard: G) => ({
  ...guard,
  message: guardText(guard),
});

/** A call's result with its sentence in place of the fact, as the output has it since its first version. */
export const saidCall = ({ fact, ...call }: CallResult) => ({
  ...call,
  ...defined({ message: fact === undefined ? undefined : callText(fact) }),
});
