import { SYSTEM_GROUPS } from "../../access/account.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { byText } from "../../model/realm.ts";
import { codePoints, strip } from "../names.ts";
import { resolveGroup, resolveList, resolvePeople, resolvePermissions } from "../references.ts";
import type { UserGroup } from "./schema.ts";

const MAX_NAME_LENGTH = 100;
/** Compared with case (zulip-api.md §10.4). */
const PREFIXES = ["@", "role:", "user:", "stream:", "channel:"] as const;

/** Resolves names and converts every value to the form in which the server would return it (zulip-api.md §10). */
export function decodeGroup(item: UserGroup, name: string, context: DecodeContext): Decoded {
  checkName(name, context);
  const fields: { [field: string]: Json } = {};
  if (item.description !== undefined) fields.description = item.description ?? "";
  const { members } = item;
  const list = members === undefined || Array.isArray(members) ? undefined : resolveList(members, ["members"], context);
  if (Array.isArray(members)) fields.members = sorted(resolvePeople(members, ["members"], context));
  if (item.subgroups !== undefined) {
    const groups = item.subgroups.map((group, index) => {
      if (group !== name) return resolveGroup(group, ["subgroups", index], context);
      context.report(["subgroups", index], finding("user_groups/cycle", { groups: [quote(name, "user_group")] }));
      return undefined;
    });
    fields.subgroups = sorted(groups);
  }
  const permissions = resolvePermissions("group", item.permissions, context);
  Object.assign(fields, permissions.fields);
  const absent = item.absent === true || item.deactivated === true;
  // A declared group is in use: a deactivated one with the name is reactivated, and no second one is created.
  if (item.deactivated === true) fields.deactivated = true;
  else if (!absent) fields.deactivated = false;
  return {
    ...defined({ was: item.was, id: item.id }),
    absent,
    fields,
    ...defined({ creation: list && { members: { ...list } } }),
    paths: permissions.paths,
    ...defined({ partial: permissions.partial }),
  };
}

function sorted(names: readonly (string | undefined)[]): readonly string[] {
  const known = names.filter((name) => name !== undefined);
  // As an export writes them.
  const isSorted = known.every((name, index) => index === 0 || byText(known[index - 1] ?? "", name) < 0);
  return isSorted ? known : [...new Set(known)].sort(byText);
}

function checkName(name: string, context: DecodeContext): void {
  const length = codePoints(name);
  const prefix = PREFIXES.find((candidate) => name.startsWith(candidate));
  if (strip(name) === "") context.report([], finding("user_groups/name", { cause: "empty" }));
  else if (SYSTEM_GROUPS.some((known) => known === name))
    context.report([], finding("user_groups/system-group", { name: quote(name, "user_group") }));
  else if (length > MAX_NAME_LENGTH)
    context.report([], finding("user_groups/name", { cause: "too-long", length, limit: MAX_NAME_LENGTH }));
  else if (prefix !== undefined)
    context.report(
      [],
      finding("user_groups/name", { cause: "prefix", prefix, rest: quote(name.slice(prefix.length), "user_group") }),
    );
}
