import type { OrganizationFacts } from "../../../model/diagnostics/organizations.ts";
import { count, grouped } from "../../style.ts";
import { listNames } from "../list-names.ts";
import { say, type WordsOf } from "./words.ts";

const NOT_ASKED = {
  "no-terminal": "there is no terminal for questions",
  format: "the output of --format leaves no room for questions",
  jobs: "with --jobs it would ask about several at once",
} as const;

export const organizationWords: WordsOf<OrganizationFacts> = {
  "organizations/same-realm": ({ files, realm, is_one_file }) =>
    is_one_file === true
      ? say(`${files[0]} is named ${files.length === 2 ? "twice" : `${files.length} times`}`, "name it once")
      : say(
          `${listNames(files)} are ${files.length === 2 ? "both" : "all"} for ${realm}`,
          "name one file for each organization; include what they share",
        ),
  "organizations/no-realm": ({ file }) =>
    say(
      `${file} does not say which organization it is for`,
      "write realm: with its address at the top; leave out a file that others include",
    ),
  "organizations/same-name": ({ files, name }) =>
    say(
      `${listNames(files)} share the name ${name} for the variables with their credentials`,
      "give the files names that differ in more than case and punctuation",
    ),
  "organizations/none": ({ directory, passed_over }) =>
    passed_over.length === 0
      ? say(
          `no file in ${directory} ends in .yaml or .yml; directories in it are not searched`,
          "name the files, or another directory",
        )
      : say(
          `no file in ${directory} says with realm: which organization it is for`,
          "write realm: with its address at the top of the file of each organization; if the files are parts of one, one file lists the others under include:",
        ),
  "organizations/for-one": ({ option }) =>
    say(
      `${option} is for one organization, and several files are given`,
      "leave it out, or name one file; credentials of several organizations: docs/writing.md",
    ),
  "organizations/unasked": ({ organizations, why }) =>
    say(
      `apply asks about each of ${count(organizations, "organization")}, and ${NOT_ASKED[why]}`,
      "look at realmctl plan with the same files, then add --yes",
    ),
  "organizations/shard-of-one": ({ shard }) =>
    say(`--shard ${shard} distributes several files, but only one is given`, "name a directory or several files"),
  "organizations/too-many": ({ files, most }) =>
    say(
      `${grouped(files)} files are given, but one command takes at most ${grouped(most)}`,
      "distribute them: name fewer in each command",
    ),
};
