import type { PolicyFacts } from "../../../model/diagnostics/policies.ts";
import { valueText as asInFile } from "../../values.ts";
import { listNames } from "../list-names.ts";
import { writtenText } from "./found-value.ts";
import { bare, q, say, type WordsOf } from "./words.ts";

const WRITE_POLICY = "write version: 1 and policy: {limits: …, protect: …} into it";

/** Names without a kind are taken for those of channels. */
function protectedList(patterns: readonly string[]): string {
  const isAssumed = !patterns.every((pattern) => pattern.includes(":"));
  const list = patterns.map((pattern) => (pattern.includes(":") ? pattern : `channel:${pattern.replace(/^#/, "")}`));
  return `${asInFile(list)}${isAssumed ? ", or another kind in the place of channel" : ""}`;
}

export const policyWords: WordsOf<PolicyFacts> = {
  "policy/limit": ({ limit, is_percent, found }) => {
    const percent = found.is === "text" ? /^(\d+)\s*%$/.exec(bare(found.text))?.[1] : undefined;
    return say(
      `${limit} must be a whole number${is_percent ? " from 0 to 100" : ", 0 or more"}`,
      is_percent
        ? `write ${percent ?? 10} for ${percent ?? 10} %`
        : percent === undefined
          ? "write the largest number that a plan may have"
          : `write ${limit}_percent: ${percent}`,
    );
  },
  "policy/lockout": ({ found }) =>
    say(`lockout must be refuse or allow, not ${writtenText(found)}`, "without this line, refuse applies"),
  "policy/missing": ({ file, section, names }) =>
    names !== undefined
      ? say(`${file} has no guard rails, but names ${names}`, "name that file with --policy")
      : section === undefined
        ? say(`${file} has no policy`, WRITE_POLICY)
        : say(
            `${file} is the file of an organization, not one of guard rails alone: it has ${section}`,
            "name a file that has only version: 1 and policy: {…}; the policy of the organization's own file counts without --policy",
          ),
  "policy/not-a-list": ({ patterns }) =>
    say(
      "protect is a list of names, each with its kind",
      `write protect: ${patterns === undefined ? '[channel:general, "channel:security-*"]' : protectedList(patterns.map(bare))}`,
    ),
  "policy/not-a-map": ({ what }) =>
    what === "limits"
      ? say("limits is a map from what is counted to a number", "write limits: {removals: 5}")
      : say(
          "policy is a map of guard rails, or the name of a file that has them",
          "write policy: {limits: {removals: 5}, protect: [channel:general]}, or policy: realm.policy.yaml",
        ),
  "policy/nothing-to-sync": ({ file, parts }) =>
    say(
      `no policy says what realmctl sync is to keep as ${file} has it`,
      `write into the file what it may change by itself: policy: {sync: [${parts.at(-1) ?? ""}]}; it can keep ${listNames(parts)}`,
    ),
  "policy/protect": (fact) => {
    if ("patterns" in fact)
      return say(
        `protect has ${fact.patterns.toLocaleString("en")} patterns with wildcards, and at most ${fact.most.toLocaleString("en")} are read`,
        "write fewer and wider patterns, or names without * and ?",
      );
    const { found, kinds } = fact;
    return say(
      `${writtenText(found)} does not say what is protected`,
      `write a kind, a colon and a name, * for any text: channel:general, "channel:security-*"; kinds: ${listNames(kinds, 20)}`,
    );
  },
  "policy/sync": (fact) => {
    if ("pattern" in fact)
      return say(
        `${q(fact.pattern)} names no list that ${fact.file} has, so realmctl sync keeps nothing for it`,
        "correct the name, write the list into the file, or remove the pattern from sync",
      );
    const { found, meant, parts } = fact;
    return say(
      `${writtenText(found)} is nothing that realmctl sync can keep`,
      meant === undefined
        ? `write a list of these, with a name or * and ? for other characters in the place of *: sync: ${asInFile([...parts])}`
        : `did you mean ${q(meant)}?`,
    );
  },
  "policy/unknown": (fact) =>
    fact.where === "file"
      ? say(
          `a policy file has no ${q(fact.key)}`,
          fact.belongs === true
            ? `indent it below policy: policy: {${bare(fact.key)}: …}`
            : "a policy file has only version and policy: delete it",
        )
      : say(`a policy has no ${q(fact.key)}`, suggestion(fact)),
  "policy/unknown-limit": (fact) =>
    say(
      `there is no limit ${q(fact.name)}${fact.section === undefined ? "" : ` for ${fact.section}`}`,
      suggestion(fact),
    ),
};

function suggestion({ meant, known }: { readonly meant?: string; readonly known: readonly string[] }): string {
  return meant === undefined ? `write one of ${listNames(known, 30)}` : `did you mean ${JSON.stringify(meant)}?`;
}
