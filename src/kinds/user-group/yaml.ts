import { defined } from "../../model/defined.ts";
import { isList, type Json, mapOf, sameJson } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { listToYaml } from "../list-to-yaml.ts";
import { permissionsToYaml } from "../permissions.ts";
import { writtenPerson } from "../references.ts";
import { standingDefaults } from "./live.ts";

/** The members in the form of the file: a list of people stays one. */
export function membersToYaml(live: Json, raw: Json | undefined, realm: Realm): Json {
  const before = mapOf(raw);
  if (before === undefined) return live;
  return { ...defined({ ...listToYaml(live, before, { isExact: true, isWhole: () => true }, realm) }) };
}

/** A group as a person would write it: the values of new groups are left out, and so are the rights of its creator. */
export function groupToYaml(live: LiveObject, realm: Realm): Json {
  if (live.inactive) return { deactivated: true };
  const { description, members, subgroups } = live.fields;
  const item: { [field: string]: Json } = {};
  if (description !== "" && description !== undefined) item.description = description;
  if (isList(members) && members.length > 0) item.members = members.map((name) => writtenPerson(String(name)));
  if (isList(subgroups) && subgroups.length > 0) item.subgroups = subgroups;
  const usual = standingDefaults(realm, live);
  const isUsual = (setting: string, value: Json): boolean => sameJson(value, usual[setting] ?? null);
  Object.assign(item, permissionsToYaml("group", live.fields, isUsual));
  return item;
}
