import type { Catalogue } from "../page.ts";

/** Codes about plans of a part of the file: `--only`, `--except`. */
export const TARGET_CODES = {
  "targets/section": [
    "`--only` or `--except` names a section that the file does not have.",
    "Write a section of the file (`channels`), or a kind and a name (`channel:team-*`).",
  ],
  "targets/no-match": [
    "No object in the file has the name that `--only` or `--except` gives.",
    "Correct the name: `*` stands for any text, `?` for one character.",
  ],
  "targets/nothing-left": [
    "`--except` excludes every object that `--only` names, or every object of the file. Nothing is left to plan.",
    "Exclude fewer objects with `--except`, or name more with `--only`.",
  ],
  "targets/needs": [
    "An object that `--only` names can be changed only after one that is left out: a channel names a group that does not exist yet, or takes a name that another object gives up.",
    "Name the other one too, or add `--with-needs`, which also plans everything that is needed.",
  ],
  "targets/whole-file": [
    "`--only` or `--except` names a part of the file, and the file has errors, perhaps elsewhere.",
    "Correct the errors that are shown with it. Only the plan of the whole file shows what a part needs.",
  ],
  "targets/not-alone": [
    "The whole file can be planned, but the part that `--only` and `--except` leave cannot. The errors that follow say why.",
    "Name what is missing with `--only` too, or plan the whole file.",
  ],
  "targets/nothing-named": [
    "`--with-needs` is given without `--only` or `--except`.",
    "Add one of them, or leave `--with-needs` out: a whole plan has everything that it needs.",
  ],
  "targets/of-plan": [
    "A saved plan is applied whole and a run is undone whole: `--only` and `--except` are for planning.",
    "Save a plan of the part with `realmctl plan --only … --out FILE`, or leave the option out.",
  ],
} as const satisfies Catalogue;
