import { accessIn, maySometime, organizationNamesAccount } from "../../access/of-plan.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

/** The setting that lets the account create the bot, or reactivate it: those that only receive can also be made by whoever may make them alone. */
export function makingRight(
  change: Change,
  context: PlanContext,
): "can_create_bots_group" | "can_create_write_only_bots_group" {
  const [any, own] = ["can_create_bots_group", "can_create_write_only_bots_group"] as const;
  const type =
    change.fields.find(({ field }) => field === "type")?.after ?? context.pair(change.address)?.live?.fields.type;
  if (type !== "incoming_webhook" || context.realm.setting(any) === undefined) return any;
  const { before, after } = accessIn(context);
  const keeps = (setting: string): boolean =>
    [before, after].every((state) => organizationNamesAccount(setting, state, context));
  const rights = [any, own] as const;
  return rights.find(keeps) ?? rights.find((setting) => maySometime(setting, context)) ?? own;
}
