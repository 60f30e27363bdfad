import type { Plan, Watch, Watched } from "../../model/plan.ts";
import { newerText } from "./newer.ts";

/** How much of the organization a drift watches, and what it cannot, in one line; empty if it was not counted. */
export function watchText({ extra, server }: Pick<Plan, "extra" | "server">): string {
  const newer = newerText(extra?.newer ?? [], server.feature_level);
  return [watchedText(extra?.watch), newer === "" ? "" : `${newer}.`].filter((text) => text !== "").join(" ");
}

function watchedText(watch: Watch | undefined): string {
  if (watch === undefined || watch.permissions.all + watch.others.all === 0) return "";
  const { permissions, others } = watch;
  const parts = [part(permissions, "permission setting"), part(others, "other field")].filter((text) => text !== "");
  const left = permissions.watched < permissions.all || others.watched < others.all;
  return `Watches ${parts.join(" and ")}${left ? "; the rest is not compared" : ""}.`;
}

function part({ watched, all }: Watched, noun: string): string {
  if (all === 0) return "";
  const number = (count: number): string => count.toLocaleString("en");
  if (watched === all) return all === 1 ? `the 1 ${noun}` : `all ${number(all)} ${noun}s`;
  return `${number(watched)} of ${number(all)} ${noun}${all === 1 ? "" : "s"}`;
}
