import { shellWord } from "../command-line.ts";
import { count, listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { Named, Pattern, Quoted, Word } from "./values.ts";
import { q, say } from "./words.ts";

export type TargetOption = "--only" | "--except";

/** A chosen object can only be changed together with an object that is left out. */
type NeedsFact = {
  readonly object: Named;
  readonly needs: Named;
  readonly is_to: "create" | "rename" | "remove" | "change";
  /** Whether `--except` names the needed object, so that `--with-needs` does not include it. */
  readonly excepted: boolean;
};

const IS_TO: { readonly [what in NeedsFact["is_to"]]: string } = {
  create: "does not exist yet",
  rename: "must be renamed first",
  remove: "must be removed first",
  change: "must be changed first",
};

/** Errors in `--only` and `--except`, and in what the remaining objects need. */
export const targets = {
  /** @property found `unknown`: no kind has this name; `absent`: the file does not have the section */
  "targets/section": diagnostic<{
    option: TargetOption;
    name: Quoted;
    found: "unknown" | "absent";
    meant?: Word;
    /** An object of the file with this name: `general` for `channel:general`. */
    meant_object?: Pattern;
    /** The sections of the file. */
    sections: readonly Word[];
  }>({
    says: ({ option, name, found }) =>
      found === "unknown"
        ? `${option}: there are no objects of the kind ${q(name)}`
        : `${option}: the file has no section ${q(name)}`,
    help: ({ meant, meant_object, sections }) =>
      meant_object !== undefined
        ? `did you mean ${shellWord(meant_object.pattern)}?`
        : meant === undefined
          ? `write a section of the file (${listNames(sections)}), or a kind and a name, such as channel:team-*`
          : `did you mean ${shellWord(meant)}?`,
    means: "`--only` or `--except` names a section that the file does not have.",
    out: "Write a section of the file (`channels`), or a kind and a name (`channel:team-*`).",
  }),
  "targets/no-match": diagnostic<{ option: TargetOption; pattern: Pattern; section: Word; meant?: Pattern }>({
    says: ({ option, pattern, section, meant }) =>
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
    means: "No object in the file has the name that `--only` or `--except` gives.",
    out: "Correct the name: `*` stands for any text, `?` for one character.",
  }),
  /** `--except` excludes everything that `--only` names, or (without `--only`) everything in the file. */
  "targets/nothing-left": diagnostic<{ of: "named" | "file" }>({
    says: ({ of }) =>
      of === "named"
        ? say(
            "--except excludes everything that --only names: nothing is left to plan",
            "name more with --only, or exclude less with --except",
          )
        : say("--except excludes everything in the file: nothing is left to plan", "exclude less with --except"),
    means:
      "`--except` excludes every object that `--only` names, or every object of the file. Nothing is left to plan.",
    out: "Exclude fewer objects with `--except`, or name more with `--only`.",
  }),
  "targets/needs": diagnostic<NeedsFact>({
    says: ({ object, needs, is_to }) => `${object.address} needs ${needs.address}, which ${IS_TO[is_to]}`,
    help: ({ object, needs, excepted }) =>
      excepted
        ? `remove it from --except, or add --except ${shellWord(object.address)}`
        : `add --only ${shellWord(needs.address)}, or --with-needs to plan everything that it needs`,
    means:
      "An object that `--only` names can be changed only after one that is left out: a channel names a group that does not exist yet, or takes a name that another object gives up.",
    out: "Name the other one too, or add `--with-needs`, which also plans everything that is needed.",
  }),
  /** `--with-needs` was given without `--only` or `--except`. */
  "targets/nothing-named": diagnostic<{ option: "--with-needs" }>({
    says: ({ option }) => `${option} is about the objects of --only or --except, and neither is given`,
    help: "add --only, or leave it out",
    means: "`--with-needs` is given without `--only` or `--except`.",
    out: "Add one of them, or leave `--with-needs` out: a whole plan has everything that it needs.",
  }),
  /** A saved plan or a journal can only be carried out as a whole. */
  "targets/of-plan": diagnostic<{ option: Word; source: "--plan" | "--undo" }>({
    says: ({ option, source }) =>
      source === "--plan"
        ? say(
            `${option} is for planning, and a saved plan is always applied as a whole`,
            `save a plan of the part: realmctl plan ${option} … --out FILE`,
          )
        : say(`${option} is for planning, and a run is always undone as a whole`, `leave ${option} out`),
    means: "A saved plan is applied whole and a run is undone whole: `--only` and `--except` are for planning.",
    out: "Save a plan of the part with `realmctl plan --only … --out FILE`, or leave the option out.",
  }),
  /** Accompanies the errors of a file if only a part of it was asked for. */
  "targets/whole-file": diagnostic({
    says: "the whole file must be without errors, even if --only or --except plan only a part of it",
    help: "correct the errors above; only the plan of the whole file shows what a part needs",
    means: "`--only` or `--except` names a part of the file, and the file has errors, perhaps elsewhere.",
    out: "Correct the errors that are shown with it. Only the plan of the whole file shows what a part needs.",
  }),
  "targets/not-alone": diagnostic<{ left_out: number }>({
    says: ({ left_out }) =>
      `without the ${count(left_out, "change")} left out, the plan has these errors; the plan of the whole file has none of them`,
    help: "name what is missing with --only too, or plan the whole file",
    means:
      "The whole file can be planned, but the part that `--only` and `--except` leave cannot. The errors that follow say why.",
    out: "Name what is missing with `--only` too, or plan the whole file.",
  }),
};
