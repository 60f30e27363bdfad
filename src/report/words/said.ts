import type { Change, Guard, Risk } from "../../model/plan.ts";
import { guardText } from "./guards.ts";
import { riskText } from "./risks.ts";

/** Facts with their sentences beside them, for readers of JSON who show a sentence and do not make one. */
export const saidRisk = (risk: Risk) => ({ ...risk, message: riskText(risk) });
export const saidChange = (change: Change) => ({ ...change, risks: change.risks.map(saidRisk) });
export const saidGuard = <G extends Pick<Guard, "name" | "fact">>(guard: G) => ({
  ...guard,
  message: guardText(guard),
});
