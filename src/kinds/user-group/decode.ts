import type { Path } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import type { DecodeContext, Decoded } from "../../model/kind.ts";
import { byText } from "../../model/realm.ts";
import { codePoints, strip } from "../names.ts";
import { resolveGroup, resolveGroupValue, resolvePerson } from "../references.ts";
import { GROUP_PERMISSION_SETTINGS, type UserGroup } from "./schema.ts";

const MAX_NAME_LENGTH = 100;
/** Compared with case (zulip-api.md §10.4). */
const PREFIXES = ["@", "user:", "stream:", "channel:"] as const;

/** Resolves names and brings every value into the form in which the server would give it back (zulip-api.md §10). */
export function decodeGroup(item: UserGroup, name: string, context: DecodeContext): Decoded {
  checkName(name, context);
  const fields: { [field: string]: Json } = {};
  const paths: { [field: string]: Path } = {};
  if (item.description !== undefined) fields.description = item.description ?? "";
  if (item.members !== undefined) {
    const people = item.members.map((person, index) => resolvePerson(person, ["members", index], context));
    if (!people.includes(undefined)) fields.members = sorted(people);
  }
  if (item.subgroups !== undefined) {
    const groups = item.subgroups.map((group, index) => {
      if (group !== name) return resolveGroup(group, ["subgroups", index], context);
      context.problem(["subgroups", index], {
        code: "user_groups/cycle",
        message: `the group "${name}" cannot be its own subgroup`,
        hint: "take it out of the list",
      });
      return undefined;
    });
    if (!groups.includes(undefined)) fields.subgroups = sorted(groups);
  }
  for (const setting of GROUP_PERMISSION_SETTINGS) {
    const value = item.permissions?.[setting];
    if (value === undefined) continue;
    const path = ["permissions", setting];
    const resolved = value === null ? "role:nobody" : resolveGroupValue(value, path, context);
    if (resolved === undefined) continue;
    fields[setting] = resolved;
    paths[setting] = path;
  }
  const absent = item.absent === true || item.deactivated === true;
  // A group that is declared is in use: one that sleeps under the name is brought back instead of made a second time.
  if (item.deactivated === true) fields.deactivated = true;
  else if (!absent) fields.deactivated = false;
  return {
    ...(item.was === undefined ? {} : { was: item.was }),
    ...(item.id === undefined ? {} : { id: item.id }),
    absent,
    fields,
    paths,
  };
}

function sorted(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== undefined))].sort(byText);
}

function checkName(name: string, context: DecodeContext): void {
  const problem = (message: string, hint: string, code: `${string}/${string}` = "user_groups/name") =>
    context.problem([], { code, message, hint });
  if (strip(name) === "") {
    problem("a group needs a name that is not empty", "write a name before the colon");
  } else if (name.startsWith("role:")) {
    problem(
      `"${name}" is one of the server's own groups, which nobody can change`,
      "use it wherever a group is named, without declaring it; groups of your own have other names",
      "user_groups/system-group",
    );
  } else if (codePoints(name) > MAX_NAME_LENGTH) {
    problem(
      `the name of a group has at most ${MAX_NAME_LENGTH} characters; this one has ${codePoints(name)}`,
      "shorten it",
    );
  } else {
    const prefix = PREFIXES.find((candidate) => name.startsWith(candidate));
    if (prefix !== undefined)
      problem(`the name of a group cannot start with ${prefix}`, `write ${JSON.stringify(name.slice(prefix.length))}`);
  }
}
