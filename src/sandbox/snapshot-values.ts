import type { Snapshot } from "../model/snapshot.ts";
import { FIELD_TYPE } from "./profile/field-data.ts";
import type { ProfileField, ProfileValue, User } from "./rows/accounts.ts";

/** Gives people as many values of profile fields as the snapshot counted. The snapshot contains neither the values nor their owners. */
export function withProfileValues(
  users: readonly User[],
  counts: NonNullable<Snapshot["profile_values"]>,
  fields: readonly ProfileField[],
): readonly User[] {
  const given = new Map<User, { [fieldId: number]: ProfileValue }>();
  const people = users.filter(({ is_bot }) => !is_bot);
  for (const { id, type } of fields) {
    const values = Object.entries(counts[id] ?? {}).flatMap(([value, count]) =>
      // A person has at most one value of a field, whatever the file states.
      Array.from({ length: Math.min(count, people.length) }, () => value),
    );
    for (const [index, value] of values.slice(0, people.length).entries()) {
      const user = people[index];
      if (user === undefined) break;
      const own = given.get(user) ?? {};
      own[id] = type === FIELD_TYPE.choice ? { value } : madeUp(type, user);
      given.set(user, own);
    }
  }
  return users.map((user) => {
    const profile_data = given.get(user);
    return profile_data === undefined ? user : { ...user, profile_data };
  });
}

function madeUp(type: number, { user_id }: User): ProfileValue {
  switch (type) {
    case FIELD_TYPE.date:
      return { value: "2000-01-01" };
    case FIELD_TYPE.link:
      return { value: "https://example.org/" };
    case FIELD_TYPE.people:
      return { value: `[${user_id}]` };
    case FIELD_TYPE.shortText:
    case FIELD_TYPE.longText:
      return { value: "something", rendered_value: "<p>something</p>" };
    default:
      return { value: "something" };
  }
}
