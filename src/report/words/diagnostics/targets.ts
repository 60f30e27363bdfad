import type { TargetFacts } from "../../../model/diagnostics/targets.ts";
import { shellWord } from "../../command-line.ts";
import { count } from "../../style.ts";
import { listNames } from "../list-names.ts";
import { q, say, type WordsOf } from "./words.ts";

const IS_TO: { readonly [what in TargetFacts["targets/needs"]["is_to"]]: string } = {
  create: "does not exist yet",
  rename: "must be renamed first",
  remove: "must be removed first",
  change: "must be changed first",
};

export const targetWords: WordsOf<TargetFacts> = {
  "targets/section": ({ option, name, found, meant, meant_object, sections }) =>
    say(
      found === "unknown"
        ? `${option}: there are no objects of the kind ${q(name)}`
        : `${option}: the file has no section ${q(name)}`,
      meant_object !== undefined
        ? `did you mean ${shellWord(meant_object.pattern)}?`
        : meant === undefined
          ? `write a section of the file (${listNames(sections)}), or a kind and a name, such as channel:team-*`
          : `did you mean ${shellWord(meant)}?`,
    ),
  "targets/no-match": ({ option, pattern, section, meant }) =>
    pattern.pattern.endsWith(":")
      ? say(
          `${option} ${pattern.pattern} has no name behind the colon`,
          `write the name of an object there, or ${section} for all of them`,
        )
      : say(
          `${option} ${pattern.pattern}: nothing in ${section} of the file has such a name`,
          meant === undefined
            ? `* stands for any text and ? for one character; ${section} alone means all of them`
            : `did you mean ${shellWord(meant.pattern)}?`,
        ),
  "targets/nothing-left": ({ of }) =>
    of === "named"
      ? say(
          "--except excludes everything that --only names: nothing is left to plan",
          "name more with --only, or exclude less with --except",
        )
      : say("--except excludes everything in the file: nothing is left to plan", "exclude less with --except"),
  "targets/needs": ({ object, needs, is_to, excepted }) =>
    say(
      `${object.address} needs ${needs.address}, which ${IS_TO[is_to]}`,
      excepted
        ? `remove it from --except, or add --except ${shellWord(object.address)}`
        : `add --only ${shellWord(needs.address)}, or --with-needs to plan everything that it needs`,
    ),
  "targets/nothing-named": ({ option }) =>
    say(`${option} is about the objects of --only or --except, and neither is given`, "add --only, or leave it out"),
  "targets/of-plan": ({ option, source }) =>
    source === "--plan"
      ? say(
          `${option} is for planning, and a saved plan is always applied as a whole`,
          `save a plan of the part: realmctl plan ${option} … --out FILE`,
        )
      : say(`${option} is for planning, and a run is always undone as a whole`, `leave ${option} out`),
  "targets/whole-file": () =>
    say(
      "the whole file must be without errors, even if --only or --except plan only a part of it",
      "correct the errors above; only the plan of the whole file shows what a part needs",
    ),
  "targets/not-alone": ({ left_out }) =>
    say(
      `without the ${count(left_out, "change")} left out, the plan has these errors; the plan of the whole file has none of them`,
      "name what is missing with --only too, or plan the whole file",
    ),
};
