import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import { byText } from "../model/realm.ts";

type Counts = { readonly [fieldId: string]: { readonly [value: string]: number } };

const SELECT = 3;

/** How many people have which value of a profile field. Texts that people wrote are not compared: only keys of options are counted separately. */
export function profileValuesOf(body: JsonObject): Counts | undefined {
  const { custom_profile_fields: fields } = body;
  if (fields === undefined || !isList(fields)) return undefined;
  const selects = new Set(
    fields.flatMap((field) => (isObject(field) && field.type === SELECT ? [String(field.id)] : [])),
  );
  const counts = new Map<string, Map<string, number>>();
  for (const user of [...listOf(body.realm_users), ...listOf(body.realm_non_active_users)]) {
    if (!isObject(user) || !isObject(user.profile_data)) continue;
    for (const [id, said] of Object.entries(user.profile_data)) {
      const value = selects.has(id) && isObject(said) ? String(said.value) : "";
      const known = counts.get(id) ?? new Map<string, number>();
      known.set(value, (known.get(value) ?? 0) + 1);
      counts.set(id, known);
    }
  }
  return Object.fromEntries(
    [...counts]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([id, values]) => [id, Object.fromEntries([...values].toSorted(([a], [b]) => byText(a, b)))]),
  );
}

const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);
