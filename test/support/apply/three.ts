import type { Answer } from "../../../src/model/journal.ts";
import type { Call } from "../../../src/model/plan.ts";
import type { ApplyResult, CallState } from "../../../src/model/result.ts";
import { change, channel, field, planOf, set, ToyServer } from "./toy.ts";

export const states = (result: ApplyResult): readonly CallState[] => result.calls.map(({ state }) => state);
export const refused = (code: string, status = 400): Answer => ({
  outcome: "refused",
  status,
  code,
  message: `refused: ${code}`,
  details: {},
});
export const unknown: Answer = {
  outcome: "unknown",
  reason: { is: "no-answer", why: { quoted: "no answer within 30 s" } },
};

/** Three independent changes of three things. */
export function three(): { readonly server: ToyServer; readonly plan: ReturnType<typeof planOf> } {
  const server = new ToyServer(channel(1, "a", "old"), channel(2, "b", "old"), channel(3, "c", "old"));
  const names = ["a", "b", "c"];
  return {
    server,
    plan: planOf(
      names.map((name, index) => change(name, index + 1, field("description", "old", "new"))),
      names.map((name, index) => set(index + 1, index + 1, name, "description", "old", "new")),
    ),
  };
}
export const needing = (plan: ReturnType<typeof planOf>, n: number, ...needs: number[]) => ({
  ...plan,
  calls: plan.calls.map((item): Call => (item.n === n ? { ...item, after: needs } : item)),
});
