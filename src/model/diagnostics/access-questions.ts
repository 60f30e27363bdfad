import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { HiddenAccounts, Quoted, Word } from "./values.ts";
import { bare, didYouMean, hiddenAdvice, listOf, q } from "./words.ts";

/** Errors in questions to `realmctl access`: rights, roles, groups, and names that several objects have. */
export const accessQuestions = {
  /** @property ways one unambiguous question for each possible meaning */
  "access/ambiguous": diagnostic<{ question: Quoted; ways: readonly Quoted[] }>({
    says: ({ question, ways }) => `${q(question)} has ${ways.length} possible meanings`,
    help: ({ ways }) => `write ${listNames(ways.map(bare), 8).replace(/ and (?!.* and )/, " or ")}`,
    means: "The name in the question stands for more than one object: a channel, a group or people.",
    out: "Write `#name` for the channel, `user_group:name` for the group, the address for a person.",
  }),
  "access/groups-of-nobody": diagnostic({
    says: "--groups says which groups somebody is in, but --as, which says their role, is missing",
    help: "add --as member (or guest, moderator, administrator, owner)",
    means: "`--groups` says which groups somebody is in, but nothing says which role they have.",
    out: "Add `--as member`, or another role.",
  }),
  "access/nothing-asked": diagnostic({
    says: "no question is given",
    help: "name '#a-channel', user_group:NAME, organization or somebody's address; or --as guest, or --plan",
    means: "The command has no question.",
    out: "Name a channel (`'#name'`), a group (`user_group:name`), `organization` or somebody's address, or use `--as` or `--plan`.",
  }),
  "access/plan-of-person": diagnostic({
    says: "--plan answers questions about objects, not about a person",
    help: "name a channel or a group, or leave it out for all of them",
    means: "`--plan` shows what a plan changes for one object or for all of them, not for a person.",
    out: "Name a channel or a group, or nothing; `--format csv` has a line for each person.",
  }),
  /** @property others the rights that exist on the object */
  "access/right-of-other": diagnostic<{ rights: readonly Word[]; object: Quoted; others: readonly Word[] }>({
    says: ({ rights, object }) => `nobody can ${listNames(rights)} on ${bare(object)}: there is no such right on it`,
    help: ({ others }) => `its rights are ${listNames(others, 14)}`,
    means: "Objects of this type do not have this right: nobody can post in a group.",
    out: "Ask for one of the rights that the message lists.",
  }),
  "access/two-questions": diagnostic({
    says: "the command asks two questions: one about a role (--as), and another one",
    help: "leave one of them out; to ask who may do what on an object, leave --as out",
    means: "`--as` asks what somebody with a role may do, but the command also names a channel, a group or a person.",
    out: "Ask one question at a time.",
  }),
  /** @property is_address the question looks like the address of a person */
  "access/unknown": diagnostic<{
    question: Quoted;
    is_address: boolean;
    is_file_alone: boolean;
    meant?: Quoted;
    among?: HiddenAccounts;
  }>({
    says: ({ question, is_address }) =>
      `${is_address ? "nobody here has the address" : "there is no channel, group or person called"} ${q(question)}`,
    help: ({ is_file_alone, meant, among }) =>
      didYouMean(
        meant,
        among !== undefined
          ? hiddenAdvice(among)
          : `write channels as '#name', groups as user_group:name, people by address or full name, and the whole organization as organization${is_file_alone ? "; without a server, only the names in the file are known" : ""}`,
      ),
    means: "No channel, group or person has this name or address.",
    out: "Take what the message suggests. Write channels as `'#name'`, in quotes; otherwise the shell takes them for a comment.",
  }),
  "access/unknown-group": diagnostic<{ group: Quoted; meant?: Quoted; groups: readonly Quoted[] }>({
    says: ({ group }) => `there is no group ${q(group)}`,
    help: ({ meant, groups }) => didYouMean(meant, `groups are ${listOf(groups, 12)}`),
    means: "No group has the name that `--groups` gives.",
    out: "Correct the name; separate several names with commas.",
  }),
  "access/unknown-right": diagnostic<{ right: Quoted; meant?: Word; rights: readonly Word[] }>({
    says: ({ right }) => `there is no right ${q(right)}`,
    help: ({ meant, rights }) =>
      meant === undefined
        ? `some are ${listNames(rights.slice(0, 8), 8)}; the API's names of settings are rights too`
        : `did you mean ${JSON.stringify(meant)}?`,
    means: "The word is not the name of a right, neither in plain words nor in the API.",
    out: "Take what the message suggests; `realmctl access organization` and `realmctl access '#channel'` list them.",
  }),
  "access/unknown-role": diagnostic<{ role: Quoted; meant?: Word }>({
    says: ({ role }) => `${q(role)} is not a role`,
    help: ({ meant }) =>
      meant === undefined
        ? "roles are owner, administrator, moderator, member and guest"
        : `did you mean ${JSON.stringify(meant)}?`,
    means: "There is no such role.",
    out: "Write `owner`, `administrator`, `moderator`, `member` or `guest`.",
  }),
};
