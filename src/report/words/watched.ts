import type { Watch, Watched } from "../../model/plan.ts";

/** How much of the organization a drift watches, in one line; empty if it was not counted. */
export function watchText(watch: Watch | undefined): string {
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
