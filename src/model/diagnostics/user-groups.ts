import { cases, type FactIn } from "../cases.ts";
import { listNames } from "../words.ts";
import { diagnostic, type ReportWords } from "./definition.ts";
import {
  type GroupRefused,
  groupRefused,
  type NameCause,
  type NameTaken,
  nameCause,
  nameTaken,
  type Unseen,
  unseen,
} from "./names.ts";
import type { Named, Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, bare, q, say, type Words } from "./words.ts";

/** A field or setting that names a group; without an object it is a setting of the organization. */
export interface GroupUse {
  readonly field: Word;
  readonly object?: Named;
}

const ofMembers =
  (deed: string) =>
  ({ group, setting }: { group: Quoted; setting: Word }, who: string): Words =>
    say(
      `${who} may not ${deed} ${bare(group)}`,
      `it must be in ${setting} or can_manage_group of the group, or in the organization's can_manage_all_groups; no role is enough`,
    );

/** A right that the account does not have. */
const notAllowed = cases("to", {
  "change-as-guest": (_: object, who: string) =>
    say(`${who} is a guest, and guests cannot change groups`, "use the API key of a member"),
  "change-as-bot": ({ needs, level }: { needs: number; level: number }, who: string) =>
    say(
      `${who} is a bot, and below feature level ${needs} bots cannot change groups; this server has ${level}`,
      "use the API key of a person who may manage groups, or move user_groups to a file that a person applies",
    ),
  create: (_: object, who: string) =>
    say(`${who} may not create groups`, "it must be in the organization's can_create_groups, now or by this plan"),
  manage: ({ group }: { group: Quoted }, who: string) =>
    say(
      `${who} may not manage the group ${bare(group)}`,
      "it must be in can_manage_group of the group, or in the organization's can_manage_all_groups; no role is enough",
    ),
  "add-members": ofMembers("add members to the group"),
  "add-subgroups": ofMembers("add subgroups to"),
  "remove-members": ofMembers("remove members from the group"),
});
export type GroupRight = FactIn<typeof notAllowed>;

export const userGroups = {
  /** @property groups each contains the next one; a single group contains itself */
  "user_groups/cycle": diagnostic<{ groups: readonly Quoted[] }>({
    says: ({ groups }) => {
      const [first, ...others] = groups;
      if (first !== undefined && others.length === 0)
        return say(`the group ${q(first)} cannot be in itself`, "delete it from the list");
      const names = [...groups, ...(first === undefined ? [] : [first])].map(bare);
      return say(
        `these groups contain each other: ${names.join(" → ")}`,
        "remove one of them from the subgroups or members of another",
      );
    },
    means:
      "Groups are subgroups of each other in a cycle, or a group is in itself. Lists of members that name groups count: the members of each group must be known first.",
    out: "Remove one group of the cycle from the subgroups or members of another.",
  }),
  "user_groups/group-not-allowed": diagnostic<{ field: Word } & GroupRefused>({
    says: (fact) => groupRefused(fact, fact.field),
    means: "The server does not allow this group for this setting.",
    out: "Name another group.",
  }),
  "user_groups/unseen-uses": diagnostic<Unseen>({
    says: (fact) =>
      unseen(
        fact,
        "",
        "in use",
        "the server does not deactivate a group that is in use, and says where it is used; an administrator's account sees all channels",
      ),
    means:
      "The account that runs realmctl is not an administrator and does not see every private channel; one of them may use the group. The server then refuses to deactivate it.",
    out: "Plan with the account of an administrator, or continue: a group that is in use stays active, and the server's refusal says where it is used.",
  }),
  "user_groups/in-use": diagnostic<{ name: Quoted; uses: readonly GroupUse[] }>({
    says: ({ name, uses }, report) =>
      say(
        `the group ${bare(name)} is still in use and cannot be deactivated`,
        "name another group there first, in this file or by hand",
        `used as ${listNames(
          uses.map((use) => useText(use, report)),
          12,
        )}`,
      ),
    means: "A setting or another group still names the group, so the server does not deactivate it.",
    out: "Change the settings and groups that name it first; the notes show where.",
  }),
  "user_groups/limited-plan": diagnostic({
    says: "this organization's plan does not include groups",
    help: "delete the group from the file, or upgrade the plan of the organization",
    means: "The organization's plan at its provider does not include custom groups.",
    out: "Delete it, or upgrade the plan.",
  }),
  "user_groups/name": diagnostic<NameCause | { cause: "prefix"; prefix: Word; rest: Quoted }>({
    says: (fact) =>
      fact.cause === "prefix"
        ? say(`the name of a group cannot start with ${fact.prefix}`, `write ${q(fact.rest)}`)
        : nameCause(fact, "group"),
    means: "The name of a group is empty, too long, or starts with something that the server reserves.",
    out: "Choose another name.",
  }),
  "user_groups/name-taken": diagnostic<NameTaken>({
    says: (fact) => nameTaken(fact, { noun: "group", section: "user_groups", inactive: "deactivated" }),
    means: "Another group already has this name, perhaps a deactivated one: deactivated groups keep their names.",
    out: "Choose another name, or rename the other.",
  }),
  "user_groups/named-and-deactivated": diagnostic<{ name: Quoted; named_by: Quoted; field: Word }>({
    says: ({ name, named_by, field }) =>
      `${field} of ${bare(named_by)} names ${bare(name)}, which this file deactivates`,
    help: "name another group, or keep this one",
    means: "The file deactivates a group and names it elsewhere.",
    out: "Remove it from the place in the note, or keep the group.",
  }),
  "user_groups/not-allowed": diagnostic<{ account: Person; right: GroupRight }>({
    says: ({ account, right }) => notAllowed(right, accountThatRuns(account)),
    means: "The account that runs realmctl may not change this group.",
    out: "Use an account that can manage it.",
  }),
  "user_groups/system-group": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `${q(name)} is one of the server's own groups, which nobody can change`,
    help: "use it in every place that takes a group, without declaring it; for your own group choose another name",
    means: "The roles (`role:…`) are the server's own groups, and nobody can change them.",
    out: "Use them without declaring them.",
  }),
};

const useText = ({ field, object }: GroupUse, report: ReportWords): string =>
  `${field} of ${object === undefined ? "the organization" : report.called(object)}`;
