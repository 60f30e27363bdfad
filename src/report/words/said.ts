import { defined } from "../../model/defined.ts";
import { callText } from "../../model/diagnostics/calls.ts";
import type { Address, Call, Change, Guard, Purpose, Risk } from "../../model/plan.ts";
import type { CallResult } from "../../model/result.ts";
import { guardText } from "./guards.ts";
import { riskText } from "./risks.ts";

/** A risk with its sentence, for readers of JSON who do not want to make sentences of facts. */
export const saidRisk = (risk: Risk) => ({ ...risk, message: riskText(risk) });
export const saidChange = (change: Change) => ({ ...change, risks: change.risks.map(saidRisk) });
export const saidGuard = <G extends Pick<Guard, "name" | "fact">>(guard: G) => ({
  ...guard,
  message: guardText(guard),
});

/** A call's result with its sentence instead of the fact, its purpose, and the server's message if it refused. */
export const saidCall = ({ fact, ...result }: CallResult, call: Call | undefined, changes: ChangesByAddress) => ({
  ...result,
  operation: call?.operation ?? "",
  objects: (call?.for ?? []).map((purpose) => objectOf(purpose, changes.get(purpose.address))),
  ...defined({
    message: fact === undefined ? undefined : callText(fact),
    server_said: fact?.kind === "refused" ? callText(fact) : undefined,
  }),
});

type ChangesByAddress = ReadonlyMap<Address, Change>;

/** An object that a call changes, and which of its values. */
function objectOf({ address, fields }: Purpose, change: Change | undefined) {
  const own = change?.fields.filter(({ field }) => fields.includes(field)) ?? [];
  return {
    address,
    ...defined({ action: change?.action }),
    fields: own.map(({ field, before, after, hidden }) => ({ field, before, after, ...defined({ hidden }) })),
  };
}
