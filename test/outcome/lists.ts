import type { RealmState } from "../../src/sandbox/state.ts";
import { type File, isFields, texts } from "./file.ts";
import type { After } from "./objects.ts";
import { everybodyIn, peopleIn } from "./people.ts";
import { ascending } from "./seen.ts";

/** People, and the later members of groups, without those whom `except` names in the same way. */
export function listed(list: { readonly [key: string]: unknown }, state: RealmState, groups: After): readonly number[] {
  const named = ({ users, groups: names }: { readonly [key: string]: unknown }): readonly number[] => [
    ...peopleIn(state, users),
    ...everybodyIn(groups.rows, texts(names).map(groups.called)),
  ];
  const except = isFields(list.except) ? named(list.except) : [];
  return ascending(named(list).filter((id) => !except.includes(id)));
}

/** Groups whose members are such a list. One can name another, so this goes on until nothing changes. */
export function withListedMembers(file: File, state: RealmState, groups: After): After {
  let after = groups;
  const lists = (file.items("user_groups") ?? []).flatMap(({ name, fields, goes }) =>
    isFields(fields.members) && !goes ? [{ ref: groups.called(name), list: fields.members }] : [],
  );
  for (const _ of lists)
    for (const { ref, list } of lists) {
      const row = { ...after.rows[ref], members: listed(list, state, after) };
      after = { ...after, rows: { ...after.rows, [ref]: row } };
    }
  return after;
}
