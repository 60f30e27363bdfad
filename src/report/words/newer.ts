import { clean } from "../../model/clean.ts";
import type { Plan, Watch, Watched } from "../../model/plan.ts";
import { NEWEST_KNOWN_LEVEL } from "../../model/releases.ts";
import { count, listNames } from "../../model/words.ts";
import { VERSION } from "../../version.ts";

/** How a type of profile fields is named. */
const FIELD_TYPE = "custom_profile_fields.type=";

/** What a server has that this version does not know, in one sentence; empty if there is nothing. */
export function newerText(settings: readonly string[], level: number): string {
  if (settings.length === 0) return "";
  const names = listNames(settings.map(clean), 6);
  const verb = settings.length === 1 ? "is" : "are";
  const types = settings.filter((name) => name.startsWith(FIELD_TYPE)).length;
  const others = settings.length - types;
  const counts = [
    ...(others === 0 ? [] : [count(others, "setting")]),
    ...(types === 0 ? [] : [count(types, "type of profile field", "types of profile fields")]),
  ];
  const later = level > NEWEST_KNOWN_LEVEL ? ` (${levelText(level)})` : "";
  return `${counts.join(" and ")} of this server ${verb} newer than realmctl ${VERSION}: ${names}${later}`;
}

/** The same as a line of its own; none if there is nothing. */
export const newerLines = (settings: readonly string[], level: number): readonly string[] => {
  const text = newerText(settings, level);
  return text === "" ? [] : [`${text}.\n`];
};

/** That the server itself is newer; empty if it is not. */
export const newerLevelText = (level: number): string => (level > NEWEST_KNOWN_LEVEL ? levelText(level) : "");

const levelText = (level: number): string =>
  `its feature level ${level} is above ${NEWEST_KNOWN_LEVEL}, the newest that this version knows`;

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
