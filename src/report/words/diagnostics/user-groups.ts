import type { GroupRight, GroupUse, UserGroupFacts } from "../../../model/diagnostics/user-groups.ts";
import type { Person } from "../../../model/diagnostics/values.ts";
import { listNames } from "../list-names.ts";
import { called } from "../names.ts";
import { groupRefused, nameCause, nameTaken, unseen } from "./names.ts";
import { accountThatRuns, bare, q, say, type Words, type WordsOf } from "./words.ts";

export const userGroupWords: WordsOf<UserGroupFacts> = {
  "user_groups/cycle": ({ groups }) => {
    const [first, ...others] = groups;
    if (first !== undefined && others.length === 0)
      return say(`the group ${q(first)} cannot be in itself`, "delete it from the list");
    const names = [...groups, ...(first === undefined ? [] : [first])].map(bare);
    return say(
      `these groups contain each other: ${names.join(" → ")}`,
      "remove one of them from the subgroups or members of another",
    );
  },
  "user_groups/group-not-allowed": groupRefused,
  "user_groups/unseen-uses": (fact) =>
    unseen(
      fact,
      "",
      "in use",
      "the server does not deactivate a group that is in use, and says where it is used; an administrator's account sees all channels",
    ),
  "user_groups/in-use": ({ name, uses }) =>
    say(
      `the group ${bare(name)} is still in use and cannot be deactivated`,
      "name another group there first, in this file or by hand",
      `used as ${listNames(uses.map(useText), 12)}`,
    ),
  "user_groups/limited-plan": () =>
    say(
      "this organization's plan does not include groups",
      "delete the group from the file, or upgrade the plan of the organization",
    ),
  "user_groups/name": (fact) =>
    fact.cause === "prefix"
      ? say(`the name of a group cannot start with ${fact.prefix}`, `write ${q(fact.rest)}`)
      : nameCause("group", fact),
  "user_groups/name-taken": (fact) =>
    nameTaken(fact, { noun: "group", section: "user_groups", inactive: "deactivated" }),
  "user_groups/named-and-deactivated": ({ name, named_by, field }) =>
    say(
      `${field} of ${bare(named_by)} names ${bare(name)}, which this file deactivates`,
      "name another group, or keep this one",
    ),
  "user_groups/not-allowed": ({ account, right }) => notAllowed(account, right),
  "user_groups/system-group": ({ name }) =>
    say(
      `${q(name)} is one of the server's own groups, which nobody can change`,
      "use it in every place that takes a group, without declaring it; for your own group choose another name",
    ),
};

const useText = ({ field, object }: GroupUse): string =>
  `${field} of ${object === undefined ? "the organization" : called(object)}`;

function notAllowed(account: Person, right: GroupRight): Words {
  const who = accountThatRuns(account);
  switch (right.to) {
    case "change-as-guest":
      return say(`${who} is a guest, and guests cannot change groups`, "use the API key of a member");
    case "change-as-bot":
      return say(
        `${who} is a bot, and below feature level ${right.needs} bots cannot change groups; this server has ${right.level}`,
        "use the API key of a person who may manage groups, or move user_groups to a file that a person applies",
      );
    case "create":
      return say(
        `${who} may not create groups`,
        "it must be in the organization's can_create_groups, now or by this plan",
      );
    case "manage":
      return say(
        `${who} may not manage the group ${bare(right.group)}`,
        "it must be in can_manage_group of the group, or in the organization's can_manage_all_groups; no role is enough",
      );
    default: {
      const deed = {
        "add-members": "add members to the group",
        "add-subgroups": "add subgroups to",
        "remove-members": "remove members from the group",
      }[right.to];
      return say(
        `${who} may not ${deed} ${bare(right.group)}`,
        `it must be in ${right.setting} or can_manage_group of the group, or in the organization's can_manage_all_groups; no role is enough`,
      );
    }
  }
}
