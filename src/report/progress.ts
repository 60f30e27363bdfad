import type { Plan } from "../model/plan.ts";
import type { Progress } from "../model/result.ts";
import { count } from "../model/words.ts";
import { durationText } from "./layout.ts";
import { secondsLeft } from "./plan-cost.ts";
import { describeCall, stateMark } from "./result-calls.ts";
import { type Style, shorten, sign } from "./style.ts";

/** `[4/7] ▸ #incidents: can_subscribe_group`, no wider than the terminal; after half a minute, also the remaining time. */
export function progressLine(progress: Progress, plan: Plan, style: Style): string {
  const { settled, total, state, call } = progress;
  const mark = state === "sending" ? sign(style, "running") : stateMark(state, style);
  const left = secondsLeft(plan, settled);
  const rest = left < WORTH_SAYING_S ? "" : ` (${durationText(left)} left)`;
  const text = `[${settled}/${total}]${rest} ${mark} ${describeCall(plan, call, style)}`;
  return shorten({ ...style, colour: false }, text, style.width - 1);
}

/** For shorter waits, no remaining time is shown. */
const WORTH_SAYING_S = 30;

/** The progress as a line of a log: "120 of 700 calls, about 2 min left". */
export function progressLogLine({ settled, total }: Progress, plan: Plan): string {
  return `${settled} of ${count(total, "call")}, ${durationText(secondsLeft(plan, settled))} left`;
}
