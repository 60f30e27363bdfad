import { GROUP_SETTINGS } from "../../src/sandbox/rows/groups.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { asFields, type File, texts } from "./file.ts";
import { withListedMembers } from "./lists.ts";
import { type After, objectsAfter } from "./objects.ts";
import { peopleIn, whoIs } from "./people.ts";
import { ascending, type Seen } from "./seen.ts";

/** Groups (docs/reference/user_groups.md). Role groups belong to the server. */
export function groupsAfter(file: File, state: RealmState, now: Seen, account: number): After {
  const creator = { people: [account], groups: [] };
  const role = (name: string): number =>
    Object.values(state.user_groups).find((group) => group.name === name)?.id ?? Number.NaN;
  const groups = objectsAfter(
    {
      section: "user_groups",
      key: (name) => name,
      spelled: (name) => name,
      isFixed: ({ name }) => String(name).startsWith("role:"),
      fresh: {
        description: "",
        members: [],
        subgroups: [],
        can_add_members_group: creator,
        can_join_group: role("role:nobody"),
        can_leave_group: role("role:everyone"),
        can_manage_group: creator,
        can_mention_group: role("role:everyone"),
        can_remove_members_group: role("role:nobody"),
      },
      says: ({ fields }, called) => {
        const permissions = asFields(fields.permissions);
        return {
          ...(fields.description === undefined ? {} : { description: fields.description ?? "" }),
          ...(Array.isArray(fields.members) ? { members: ascending(peopleIn(state, fields.members)) } : {}),
          ...(fields.subgroups === undefined ? {} : { subgroups: ascending(texts(fields.subgroups).map(called)) }),
          ...Object.fromEntries(
            GROUP_SETTINGS.filter((setting) => permissions[setting] !== undefined).map((setting) => [
              setting,
              whoIs(state, permissions[setting], called),
            ]),
          ),
        };
      },
    },
    file,
    now.groups,
  );
  return withListedMembers(file, state, groups);
}
