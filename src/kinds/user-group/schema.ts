import * as z from "zod";
import { SYSTEM_GROUPS } from "../../access/account.ts";
import { inOrderOfLists, peopleOfList } from "../../access/lists.ts";
import { accessIn } from "../../access/of-plan.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import type { GroupUse } from "../../model/diagnostics/user-groups.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Dependency } from "../../model/draft-call.ts";
import { ACCOUNT, type FieldSpec } from "../../model/facets.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { asPeopleList, type PeopleList } from "../../model/people-list.ts";
import type { Change } from "../../model/plan.ts";
import type { Naming, PlanContext, PlannedChanges } from "../../model/plan-context.ts";
import { byText } from "../../model/realm.ts";
import { codePoints, strip } from "../names.ts";
import { flag, optional, orNull, string } from "../optional.ts";
import { permissionFields, permissionsForm } from "../permissions.ts";
import {
  GroupNames,
  listFields,
  PersonValue,
  resolveGroup,
  resolveList,
  resolvePeople,
  resolvePermissions,
} from "../references.ts";

/** One user group as the file writes it. */
export const userGroupForm = once(() =>
  z.strictObject({
    was: string("The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the group by its id instead of its name."),
    absent: flag("`true` deactivates the group, if it exists, under any policy."),
    deactivated: flag(
      "`true` deactivates the group, which keeps its name. A deactivated group without this field is reactivated.",
    ),
    description: orNull(z.string(), "What the group is for. `null` empties it."),
    members: optional(
      z.union([
        z.array(PersonValue),
        z.strictObject(listFields(GroupNames.describe("Groups whose members become direct members."))),
      ]),
      "Exactly these people are direct members. Without this field, members stay as they are. `[]` is nobody. `{users: […], groups: […], except: {…}}` takes the members of groups at the time of the plan.",
    ),
    subgroups: optional(
      z.array(z.string()),
      "Exactly these groups are direct subgroups; their members are members of this group, too. `[]` means no subgroups.",
    ),
    permissions: permissionsForm("group").optional(),
  }),
);
export type UserGroup = z.infer<ReturnType<typeof userGroupForm>>;

const MEMBERSHIP = ["update-user-group-members"];
export const GROUP_FIELDS: { [field: string]: FieldSpec } = {
  description: { about: "What the group is for." },
  members: { about: "The people who are members directly.", names: ACCOUNT, syncedBy: MEMBERSHIP },
  subgroups: { about: "The groups whose members are members too.", names: "user_group", syncedBy: MEMBERSHIP },
  deactivated: { about: "Whether the group is deactivated." },
  ...permissionFields("group"),
};

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
  const { fields: rights, ...more } = resolvePermissions("group", item.permissions, context);
  Object.assign(fields, rights);
  const absent = item.absent === true || item.deactivated === true;
  // A declared group is in use: a deactivated one with the name is reactivated, and no second one is created.
  if (item.deactivated === true) fields.deactivated = true;
  else if (!absent) fields.deactivated = false;
  return defined({
    was: item.was,
    id: item.id,
    absent,
    fields,
    creation: list && { members: { ...list } },
    ...more,
  });
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

/** The list by which the file gives a group its members, if that names groups. */
export const listOfMembers = ({ creation }: Pick<DeclaredObject, "creation">): PeopleList | undefined =>
  asPeopleList(creation?.members);

type Paired = readonly [declared: DeclaredObject, live: LiveObject | undefined];

/**
 * Groups with the members that their lists give them after the plan. A list can name a group that has a list, so they are worked out one after the other.
 * A group that depends on itself keeps its list: the check reports it.
 */
export function resolveMembers(all: readonly Paired[], planned: PlannedChanges): readonly Paired[] {
  const lists = new Map(
    all.flatMap(([object]) => {
      const list = listOfMembers(object);
      return list === undefined ? [] : [[object.name, list] as const];
    }),
  );
  if (lists.size === 0) return all;
  const state = accessIn(planned).after.copy();
  const found = new Map<string, readonly string[]>();
  for (const name of inOrderOfLists(lists, state)) {
    const members = peopleOfList(lists.get(name), state);
    const names = members.ids().map((id) => planned.realm.userName(id));
    found.set(name, names.sort(byText));
    const group = state.group(name);
    if (group !== undefined) state.put({ ...group, members });
  }
  return all.map(([object, live]): Paired => {
    const members = found.get(object.name);
    if (members === undefined) return [object, live];
    const { creation: _, ...rest } = object;
    return [{ ...rest, fields: { ...object.fields, members } }, live];
  });
}

/** A place that names a group. */
interface Use {
  readonly place: GroupUse;
  /** The change that removes the use, if the plan has one, and what to wait for until it has. */
  readonly endedBy?: Change;
  readonly end: readonly Dependency[];
  /** It ends because the object that names the group is archived or deactivated, not because it names another group. */
  readonly isMadeInactive?: boolean;
}

/**
 * Where a group is used, as the server counts it (zulip-api.md §10.4): not by inactive objects. Uses that this plan creates are included.
 * @returns uses by other kinds, then by groups, then by settings
 */
export function usesOf(group: Change, context: PlanContext): readonly Use[] {
  const pair = context.pair(group.address);
  if (pair?.live === undefined) return [];
  const rank = ({ by }: Naming): number => (by === undefined ? 2 : by.address.startsWith(`${group.kind}:`) ? 1 : 0);
  return [...context.namings(pair)].sort((one, other) => rank(one) - rank(other)).flatMap(useIn);
}

function useIn({ field, by, isNow, isNext, change, wasInactive, isInactive, end }: Naming): readonly Use[] {
  const place = { field, ...defined({ object: by }) };
  if (isNext && !isInactive) return [{ place, end: [] }];
  // An inactive object that stays inactive uses nothing; one that this plan reactivates may do so for a moment.
  if (!isNow || change === undefined || (wasInactive && isInactive)) return [];
  return [{ place, endedBy: change, end, isMadeInactive: isNext }];
}
