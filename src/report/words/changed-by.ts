import type { ChangedBy } from "../../model/plan.ts";
import { momentText } from "../layout.ts";

const DAY_MS = 86_400_000;
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/**
 * "privacy changed by Iago on Tuesday 14:02 UTC"; a change that is a week old has its date.
 * @param readAt when the organization was read
 */
export function changedByText({ field, full_name, at }: ChangedBy, readAt: string): string {
  const [moment, read] = [new Date(at), Date.parse(readAt)];
  const isRecent = read - moment.getTime() < 6 * DAY_MS;
  const when = isRecent ? `${DAYS[moment.getUTCDay()]} ${at.slice(11, 16)} UTC` : momentText(at);
  return `${field} changed by ${full_name} on ${when} (from the channel's events)`;
}
