import type { AccessQuestionFacts } from "../../../model/diagnostics/access-questions.ts";
import { listNames } from "../../../model/suggest.ts";
import { bare, didYouMean, listOf, q, say, type WordsOf } from "./words.ts";

export const accessQuestionWords: WordsOf<AccessQuestionFacts> = {
  "access/ambiguous": ({ question, ways }) =>
    say(
      `${q(question)} may mean ${ways.length} things`,
      `write ${listNames(ways.map(bare), 8).replace(/ and (?!.* and )/, " or ")}`,
    ),
  "access/groups-of-nobody": () =>
    say(
      "--groups says in which groups somebody is, and --as is missing, which says of what role",
      "add --as member (or guest, moderator, administrator, owner)",
    ),
  "access/nothing-asked": () =>
    say(
      "who may do what on what?",
      "name '#a-channel', user_group:NAME, organization or somebody's address; or --as guest, or --plan",
    ),
  "access/plan-of-person": () =>
    say("what a plan changes is asked object by object", "name a channel or a group, or nothing for all of them"),
  "access/right-of-other": ({ rights, object, others }) =>
    say(
      `nobody can ${listNames(rights)} on ${bare(object)}: there is no such right on it`,
      `its rights are ${listNames(others, 14)}`,
    ),
  "access/two-questions": () =>
    say(
      "--as asks what somebody of a role may do, and there is a question besides",
      "ask one of the two; who may do what on an object is asked without --as",
    ),
  "access/unknown": ({ question, is_address, is_file_alone, meant }) =>
    say(
      `${is_address ? "nobody here has the address" : "there is no channel, group or person called"} ${q(question)}`,
      didYouMean(
        meant,
        `channels are written '#name', groups user_group:name, people by address or full name; organization is the whole${is_file_alone ? "; the file alone knows only what it names" : ""}`,
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
  "access/unknown-role": ({ role }) =>
    say(`${q(role)} is no role`, "roles are owner, administrator, moderator, member and guest"),
};
