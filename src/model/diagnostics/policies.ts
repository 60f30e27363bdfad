import { valueText as asInFile } from "../value-text.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { FoundValue, Quoted, Word } from "./values.ts";
import { bare, q, say, writtenText } from "./words.ts";

const WRITE_POLICY = "write version: 1 and policy: {limits: …, protect: …} into it";

/** Names without a kind are taken for those of channels. */
function protectedList(patterns: readonly string[]): string {
  const isAssumed = !patterns.every((pattern) => pattern.includes(":"));
  const list = patterns.map((pattern) => (pattern.includes(":") ? pattern : `channel:${pattern.replace(/^#/, "")}`));
  return `${asInFile(list)}${isAssumed ? ", or another kind in the place of channel" : ""}`;
}

export const policies = {
  "policy/limit": diagnostic<{ limit: Word; is_percent: boolean; found: FoundValue }>({
    says: ({ limit, is_percent, found }) => {
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
    means: "A limit of the policy is neither a whole number nor a percentage from 0 to 100.",
    out: "Write a number.",
  }),
  "policy/lockout": diagnostic<{ found: FoundValue }>({
    says: ({ found }) => `lockout must be refuse or allow, not ${writtenText(found)}`,
    help: "without this line, refuse applies",
    means: "`lockout` of the policy is neither `refuse` nor `allow`.",
    out: "Write `refuse`, unless you have a reason for `allow`.",
  }),
  /** @property section the file is a configuration: it has a section @property names another file, which it names as its policy */
  "policy/missing": diagnostic<{ file: Word; section?: Word; names?: Word }>({
    says: ({ file, section, names }) =>
      names !== undefined
        ? say(`${file} has no guard rails, but names ${names}`, "name that file with --policy")
        : section === undefined
          ? say(`${file} has no policy`, WRITE_POLICY)
          : say(
              `${file} is the file of an organization, not one of guard rails alone: it has ${section}`,
              "name a file that has only version: 1 and policy: {…}; the policy of the organization's own file counts without --policy",
            ),
    means: "The file that was named as a policy has no policy in it.",
    out: "Write `policy:` at its top, with the guard rails below.",
  }),
  /** @property patterns what a text names: objects with their kinds, or names alone */
  "policy/not-a-list": diagnostic<{ patterns?: readonly Quoted[] }>({
    says: "protect is a list of names, each with its kind",
    help: ({ patterns }) =>
      `write protect: ${patterns === undefined ? '[channel:general, "channel:security-*"]' : protectedList(patterns.map(bare))}`,
    means: "`protect` is a list of names with their kind.",
    out: 'Write `protect: ["channel:general"]`.',
  }),
  "policy/not-a-map": diagnostic<{ what: "policy" | "limits" }>({
    says: ({ what }) =>
      what === "limits"
        ? say("limits is a map from what is counted to a number", "write limits: {removals: 5}")
        : say(
            "policy is a map of guard rails, or the name of a file that has them",
            "write policy: {limits: {removals: 5}, protect: [channel:general]}, or policy: realm.policy.yaml",
          ),
    means: "A policy is a map of guard rails, or the name of a file that has them.",
    out: "Write `policy: {limits: {removals: 5}}`.",
  }),
  /** @property parts every list that `sync` can keep */
  "policy/nothing-to-sync": diagnostic<{ file: Word; parts: readonly Word[] }>({
    says: ({ file }) => `no policy says what realmctl sync is to keep as ${file} has it`,
    help: ({ parts }) =>
      `write into the file what it may change by itself: policy: {sync: [${parts.at(-1) ?? ""}]}; it can keep ${listNames(parts)}`,
    means: "`realmctl sync` changes only what a policy names, and none names anything.",
    out: "Write `policy: {sync: [channels.*.subscribers]}` into the file, or name a policy that has it with `--policy`.",
  }),
  "policy/protect": diagnostic<{ found: FoundValue; kinds: readonly Word[] } | { patterns: number; most: number }>({
    says: (fact) => {
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
    means: "An entry of `protect` does not say what is protected.",
    out: "Write the kind and the name: `channel:general`; `*` matches any characters.",
  }),
  /** @property meant the pattern with the kind and the field that were meant @property parts every list that can be kept */
  "policy/sync": diagnostic<
    | { found: FoundValue; meant?: Quoted; parts: readonly Word[] }
    /** The file has no list that this pattern names. */
    | { pattern: Quoted; file: Word }
  >({
    says: (fact) => {
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
    means:
      "An entry of `sync` names nothing that `realmctl sync` can keep: only lists of subscribers and members; or it names a list that the file does not have.",
    out: "Write the section, the name and the field: `channels.*.subscribers`; `*` matches any characters.",
  }),
  "policy/unknown": diagnostic<
    | { where: "policy"; key: Quoted; meant?: Word; known: readonly Word[] }
    /** @property belongs it is a guard rail, and belongs below `policy` */
    | { where: "file"; key: Quoted; belongs?: true }
  >({
    says: (fact) =>
      fact.where === "file"
        ? say(
            `a policy file has no ${q(fact.key)}`,
            fact.belongs === true
              ? `indent it below policy: policy: {${bare(fact.key)}: …}`
              : "a policy file has only version and policy: delete it",
          )
        : say(`a policy has no ${q(fact.key)}`, suggestion(fact)),
    means: "A policy has no guard rail with this name.",
    out: "Correct the name; docs/policy.md has all of them.",
  }),
  "policy/unknown-limit": diagnostic<{ name: Quoted; section?: Word; meant?: Word; known: readonly Word[] }>({
    says: (fact) => `there is no limit ${q(fact.name)}${fact.section === undefined ? "" : ` for ${fact.section}`}`,
    help: (fact) => suggestion(fact),
    means: "There is no limit with this name.",
    out: "Correct the name; docs/policy.md has all of them.",
  }),
};

function suggestion({ meant, known }: { readonly meant?: string; readonly known: readonly string[] }): string {
  return meant === undefined ? `write one of ${listNames(known, 30)}` : `did you mean ${JSON.stringify(meant)}?`;
}
