import { clean } from "../../model/clean.ts";
import { NEWEST_KNOWN_LEVEL } from "../../model/newest-level.ts";
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
