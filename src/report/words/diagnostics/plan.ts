import { ORGANIZATION } from "../../../access/scope.ts";
import type { PlanFacts } from "../../../model/diagnostics/plan.ts";
import type { Quoted } from "../../../model/diagnostics/values.ts";
import { shellWord } from "../../command-line.ts";
import { counted } from "../../object-names.ts";
import { count } from "../../style.ts";
import { listNames } from "../list-names.ts";
import { bare, didYouMean, q, say, type Words, type WordsOf } from "./words.ts";

/** The number of names that a sentence has: five, and how many more. */
const MOST_NAMED = 6;

type Swapped = PlanFacts["plan/ambiguous-swap"]["objects"];

/** An address as an argument that a shell does not change. */
const inShell = (address: string): string => (/[$`\\!]/.test(address) ? shellWord(address) : JSON.stringify(address));

export const planWords: WordsOf<PlanFacts> = {
  "plan/already-different": ({ base, of, objects, in_part }) => {
    const names = [...objects.map(addressOf), ...in_part.map((one) => `${addressOf(one)} (in part)`)];
    return say(
      `${names.length} of ${count(of, "change")} ${names.length === 1 ? "was" : "were"} pending before this version of the file: the server differs from the file of ${base}, too: ${listNames(names, MOST_NAMED)}`,
      "the plan reverts what was changed on the server; realmctl adopt takes it into the file",
    );
  },
  "plan/ambiguous-swap": ({ objects }) =>
    say(
      `it is not clear whether ${swapped(objects)} have swapped names already`,
      `pin them: to swap them now, ${pins(objects)}; if they have swapped, delete was`,
    ),
  "plan/swap-taken-as-done": ({ objects }) =>
    say(
      `${swapped(objects)} seem to have swapped names already: that way less differs from the file`,
      `to swap them now, ${pins(objects)}; if they have swapped, delete was`,
    ),
  "plan/both-names": ({ noun, name, was, state }) =>
    state !== undefined
      ? say(
          `${q(was)} cannot get the name ${q(name)}: a ${noun} that is ${state} has it`,
          `choose another name, or free this one first: another item with was: ${q(name)} and ${state}: true`,
        )
      : say(
          `${q(name)} was ${q(was)}, but there is a ${noun} with each of these names`,
          "delete was if it was renamed before, or rename one of the two by hand",
        ),
  "plan/cycle": ({ objects }) =>
    say(
      `these changes cannot be put in an order, because each waits for another: ${objects.map(({ address }) => address).join(", ")}`,
      objects.some(({ address }) => address === ORGANIZATION)
        ? "write a role or a group that exists in the setting, apply it first (realmctl apply --only settings), write it as it should be and apply again"
        : "apply them in two steps: delete a reference from one of them to another, apply, write it again and apply once more",
    ),
  "plan/looks-renamed": ({ noun, object, live, is_slip, is_bare, is_held, others, more }) => {
    const two = is_held === true ? "mend the error about it" : "--allow renames";
    if (is_slip === true)
      return say(
        `the ${noun} ${JSON.stringify(object.name)} is new, and differs from ${q(live.name)} only in a sign or a character that looks like another, or like nothing`,
        `if ${q(live.name)} is meant, write it so; two objects: ${two}`,
        ...(more > 0 ? [`and ${more} more that look renamed`] : []),
      );
    if (others !== undefined)
      return say(
        `the ${noun} ${JSON.stringify(object.name)} is new, and ${listNames([live.name, ...others].map(q), MOST_NAMED)}, which the file does not mention, match it: did you rename one of them?`,
        `renamed in the file: add was: with its name; renamed on the server: write its new name in the file; different objects: ${two}`,
        ...(more > 0 ? [`and ${more} more that look renamed`] : []),
      );
    const was = `add was: ${q(live.name)}${live.id === null ? "" : `, or id: ${live.id}`}`;
    if (is_bare === true)
      return say(
        `the ${noun} ${JSON.stringify(object.name)} is new, and only ${q(live.name)} is on the server and not in the file: did you rename it?`,
        `renamed in the file: ${was}; renamed on the server: realmctl adopt ${inShell(object.address)}; if not, nothing needs to be done`,
        ...(more > 0 ? [`and ${more} more that look renamed`] : []),
      );
    // With an id, `was` could say that it is the same object.
    const known = live.id === null ? "" : ", which the file does not mention,";
    return say(
      `the ${noun} ${JSON.stringify(object.name)} is new, and ${q(live.name)}${known} matches it: ${live.id === null ? "is it the same under another name, which this server cannot give it?" : "did you rename it?"}`,
      `${live.id === null ? "" : `renamed in the file: ${was}; `}renamed on the server: realmctl adopt ${inShell(object.address)}; two objects: ${two}`,
      ...(more > 0 ? [`and ${more} more that look renamed`] : []),
    );
  },
  "plan/new-swap": ({ objects, created }) =>
    say(
      `${all(objects)} swap names, but this plan creates ${all(created)}: afterwards it would not be clear whether they have swapped`,
      `delete was from ${all(created)}`,
    ),
  "plan/not-read": ({ section }) =>
    say(
      `this snapshot does not contain the ${section.replaceAll("_", " ")}`,
      "plan against the server, or take a snapshot with --invites",
    ),
  "plan/nothing-to-remove": ({ noun, name, removal, meant, is_described = false }) =>
    say(
      is_described
        ? `there is no ${noun} ${q(name)}, which the file has as ${removal}, so nothing of it is compared`
        : `there is no ${noun} ${q(name)}, so nothing is ${removal}`,
      meant === undefined
        ? is_described
          ? "if it was renamed, write its new name; otherwise delete the entry"
          : "correct the name, or delete the entry"
        : `${didYouMean(meant, "")} If it no longer exists, delete the entry`,
    ),
  "realm/other-realm": ({ what, url, found }) => {
    switch (what) {
      case "file":
        return say(
          `this file is for ${url}, but this is ${found}`,
          "use credentials, or a snapshot, of that organization, or delete `realm:` from the file",
        );
      case "plan-page":
        return say(`this plan is for ${url}, but the snapshot is of ${found}`, "use a snapshot of that organization");
      case "undo-file":
        return say(
          `this file is for ${url}, but the run was on ${found}`,
          "name the file of that organization, or none",
        );
      default:
        return say(
          `this ${what} is for ${url}, but the credentials are for ${found}`,
          "use credentials of that organization",
        );
    }
  },
  "plan/same-object": ({ noun, id }) => say(`two items name the ${noun} with the id ${id}`, "delete one of them"),
  "plan/unknown-id": ({ noun, id, name, named }) =>
    say(
      `there is no ${noun} with the id ${id} here`,
      named === undefined
        ? `correct the id; without id:, ${q(name)} would be a new ${noun}`
        : `${q(name)} has the id ${named}: write that, or delete id`,
    ),
  "plan/same-was": ({ was, other }) =>
    say(`two items have was: ${q(was)}: this one and ${q(other)}`, "delete was from one of them"),
  "plan/taken-out": (fact) => takenOut(fact),
  "plan/no-base": ({ base, cause }) => {
    switch (cause) {
      case "no-commit":
        return say(
          `--base: Git knows no commit ${q(base)} in this directory`,
          `name a commit, branch or tag that is here (git branch --all lists the branches). To compare with a branch of the host: git fetch origin ${hostBranch(base)}, then --base FETCH_HEAD`,
        );
      case "no-git":
        return say("--base needs Git, and there is no program called git here", "install Git, or leave --base out");
      case "no-repository":
        return say(
          `--base: this directory is in no Git repository, so it has no ${q(base)}`,
          "run the command in the directory that was checked out, or leave --base out",
        );
      case "no-file":
        return say("--base compares a file with its earlier version, and standard input has none", "name the file");
      case "errors":
        return say(
          `the file of ${base} cannot be planned, so what this change takes out of it is not known`,
          "realmctl validate in that commit shows its errors",
        );
    }
  },
  "plan/was-not-found": ({ noun, was, name, meant }) =>
    say(
      `there is no ${noun} ${q(was)} to rename, so ${q(name)} is created`,
      didYouMean(meant, "delete was, or correct it"),
    ),
};

const addressOf = ({ address }: { readonly address: string }): string => address;

const all = (names: readonly Quoted[]): string => listNames(names.map(q), names.length);

const swapped = (objects: Swapped): string => all(objects.map(({ name }) => name));

const pins = (objects: Swapped): string =>
  `write ${listNames(
    objects.map(({ name, id }) => `id: ${id} under ${q(name)}`),
    objects.length,
  )}`;

/** The branch that `origin/NAME` is on the host; otherwise the usual one. */
const hostBranch = (base: string): string => /^origin\/([\w./-]+)$/.exec(base)?.[1] ?? "main";

function takenOut(fact: PlanFacts["plan/taken-out"]): Words {
  const { section } = fact;
  if (fact.is === "policy")
    return say(
      `this change no longer asks that the organization has only what ${section} lists: what somebody adds by hand is no difference any more`,
      `to keep it, write manage: {${section}: exact}`,
    );
  if (fact.is === "parts") {
    const parts = fact.parts.map(({ name, fields, adds }) => {
      const words = [...fields, ...adds.map((field) => `${field}: all but those listed`)];
      return `${q(name)} (${listNames(words, MOST_NAMED)})`;
    });
    return say(
      `this change takes lines of ${counted(section, parts.length)} out of the file: ${listNames(parts, MOST_NAMED)}; on the server this stays as it is, and nothing watches it`,
      "to have it watched, write it as it should be",
    );
  }
  const { is, names } = fact;
  const [it, stays, them] = names.length === 1 ? ["it", "it stays", "it"] : ["they", "they stay", "them"];
  switch (is) {
    case "fields":
      return say(
        `this change takes ${listNames(names.map(bare), MOST_NAMED)} out of ${section}: on the server ${stays} as ${it} ${it === "it" ? "is" : "are"}, and nothing watches ${them}`,
        `to change ${names.length === 1 ? "it" : "one"}, write the value that it should have`,
      );
    case "inactive":
      return say(
        `this change takes ${counted(section, names.length)} out of the file: ${listNames(names.map(q), MOST_NAMED)}; on the server ${stays} as ${it} ${it === "it" ? "is" : "are"}, archived or deactivated, and nothing watches ${them}`,
        `to have ${them} watched, keep ${names.length === 1 ? "the entry" : "the entries"}`,
      );
    case "objects":
      return say(
        `this change takes ${counted(section, names.length)} out of the file, but not off the server: ${listNames(names.map(q), MOST_NAMED)}`,
        `to remove ${names.length === 1 ? "it, write its entry with" : "them, write their entries with"} absent: true, or write manage: {${section}: exact}`,
      );
  }
}
