import type { AccessQuestionFacts } from "../../../model/diagnostics/access-questions.ts";
import { listNames } from "../list-names.ts";
import { bare, didYouMean, listOf, q, say, type WordsOf } from "./words.ts";

export const accessQuestionWords: WordsOf<AccessQuestionFacts> = {
  "access/ambiguous": ({ question, ways }) =>
    say(
      `${q(question)} has ${ways.length} possible meanings`,
      `write ${listNames(ways.map(bare), 8).replace(/ and (?!.* and )/, " or ")}`,
    ),
  "access/groups-of-nobody": () =>
    say(
      "--groups says which groups somebody is in, but --as, which says their role, is missing",
      "add --as member (or guest, moderator, administrator, owner)",
    ),
  "access/nothing-asked": () =>
    say(
      "no question is given",
      "name '#a-channel', user_group:NAME, organization or somebody's address; or --as guest, or --plan",
    ),
  "access/plan-of-person": () =>
    say(
      "--plan answers questions about objects, not about a person",
      "name a channel or a group, or leave it out for all of them",
    ),
  "access/right-of-other": ({ rights, object, others }) =>
    say(
      `nobody can ${listNames(rights)} on ${bare(object)}: there is no such right on it`,
      `its rights are ${listNames(others, 14)}`,
    ),
  "access/two-questions": () =>
    say(
      "the command asks two questions: one about a role (--as), and another one",
      "leave one of them out; to ask who may do what on an object, leave --as out",
    ),
  "access/unknown": ({ question, is_address, is_file_alone, meant }) =>
    say(
      `${is_address ? "nobody here has the address" : "there is no channel, group or person called"} ${q(question)}`,
      didYouMean(
        meant,
        `write channels as '#name', groups as user_group:name, people by address or full name, and the whole organization as organization${is_file_alone ? "; without a server, only the names in the file are known" : ""}`,
      ),
    ),
  "access/unknown-group": ({ group, meant, groups }) =>
    say(`there is no group ${q(group)}`, didYouMean(meant, `groups are ${listOf(groups, 12)}`)),
  "access/unknown-right": ({ right, meant, rights }) =>
    say(
      `there is no right ${q(right)}`,
      meant === undefined
        ? `some are ${listNames(rights.slice(0, 8), 8)}; the API's names of settings are rights too`
        : `did you mean ${JSON.stringify(meant)}?`,
    ),
  "access/unknown-role": ({ role, meant }) =>
    say(
      `${q(role)} is not a role`,
      meant === undefined
        ? "roles are owner, administrator, moderator, member and guest"
        : `did you mean ${JSON.stringify(meant)}?`,
    ),
};
