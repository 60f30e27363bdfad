import { shellWord } from "../command-line.ts";
import type { GuardFact } from "../facts.ts";
import type { Span } from "../span.ts";
import { count, listNames } from "../words.ts";
import { diagnostic, type ReportWords } from "./definition.ts";
import type { Named, Pattern, Quoted, Word } from "./values.ts";
import { bare, didYouMean, q, say, type Words } from "./words.ts";

/** Objects that have each other's names in the file and on the server. */
interface Swap {
  readonly objects: readonly {
    readonly name: Quoted;
    /** The id of the object with the previous name; absent if it has no id. */
    readonly id?: number;
  }[];
}

/**
 * What a change takes out of the file and the server keeps: objects in use or not, fields of a singleton, fields of objects, or that the section has all of
 * them.
 */
type TakenOut = { readonly section: Word } & (
  | { readonly is: "objects" | "inactive" | "fields"; readonly names: readonly Quoted[] }
  | {
      readonly is: "parts";
      readonly parts: readonly {
        readonly name: Quoted;
        readonly fields: readonly Word[];
        /** Lists that only gain from now on. */
        readonly adds: readonly Word[];
      }[];
    }
  | { readonly is: "policy" }
  /** Patterns of names that an exact section leaves out from now on. */
  | { readonly is: "except"; readonly names: readonly Quoted[] }
  /** What the file had as removed, and is not there. */
  | { readonly is: "absent"; readonly names: readonly Quoted[] }
  /** The file says no longer of which organization it is. */
  | { readonly is: "realm" }
);

/** The number of names that a sentence has: five, and how many more. */
const MOST_NAMED = 6;

type Swapped = Swap["objects"];

/** An address as an argument that a shell does not change. */
const inShell = (address: string): string => (/[$`\\!]/.test(address) ? shellWord(address) : JSON.stringify(address));

/** Errors of planning that objects of any kind can have. */
export const plan = {
  /** Objects of which the file of an earlier commit would make the same change, or a part of it; `of` is the number of all changes. */
  "plan/already-different": diagnostic<{
    base: Word;
    of: number;
    objects: readonly Named[];
    in_part: readonly Named[];
  }>({
    says: ({ base, of, objects, in_part }) => {
      const names = [...objects.map(addressOf), ...in_part.map((one) => `${addressOf(one)} (in part)`)];
      return say(
        `${names.length} of ${count(of, "change")} ${names.length === 1 ? "was" : "were"} pending before this version of the file: the server differs from the file of ${base}, too: ${listNames(names, MOST_NAMED)}`,
        "the plan reverts what was changed on the server; realmctl adopt takes it into the file",
      );
    },
    means:
      "With `--base`, a plan is compared with the plan of the file of that commit. These changes are in both: somebody changed the objects on the server, and this version of the file did not ask for it.",
    out: "Nothing is to do if the plan should revert them. To keep what is on the server, run `realmctl adopt` for these objects.",
  }),
  "plan/ambiguous-swap": diagnostic<Swap>({
    says: ({ objects }) => `it is not clear whether ${swapped(objects)} have swapped names already`,
    help: ({ objects }) => `pin them: to swap them now, ${pins(objects)}; if they have swapped, delete was`,
    means: "Objects swap names, and the organization could be before or after the swap.",
    out: "Pin the objects with `id`.",
  }),
  "plan/swap-taken-as-done": diagnostic<Swap>({
    says: ({ objects }) =>
      `${swapped(objects)} seem to have swapped names already: that way less differs from the file`,
    help: ({ objects }) => `to swap them now, ${pins(objects)}; if they have swapped, delete was`,
    means: "Objects swap names. If they have swapped already, less differs from the file, so realmctl renames nothing.",
    out: "If they must still swap, pin the objects with `id`; otherwise delete `was`.",
  }),
  /** @property state `archived`, `deactivated`: the state of the object that has the new name, if it is not active */
  "plan/both-names": diagnostic<{ noun: Word; name: Quoted; was: Quoted; state?: Word }>({
    says: ({ noun, name, was, state }) =>
      state !== undefined
        ? say(
            `${q(was)} cannot get the name ${q(name)}: a ${noun} that is ${state} has it`,
            `choose another name, or free this one first: another item with was: ${q(name)} and ${state}: true`,
          )
        : say(
            `${q(name)} was ${q(was)}, but there is a ${noun} with each of these names`,
            "delete was if it was renamed before, or rename one of the two by hand",
          ),
    means: "The organization has both the old and the new name of an object, so it cannot be renamed.",
    out: "Delete `was` to keep both, or say in the file what happens to the other.",
  }),
  /** Changes that wait for each other. */
  "plan/cycle": diagnostic<{ objects: readonly Named[] }>({
    says: ({ objects }) =>
      `these changes cannot be put in an order, because each waits for another: ${objects.map(({ address }) => address).join(", ")}`,
    help: ({ objects }, report) =>
      objects.some(({ address }) => report.isOrganization(address))
        ? "write a role or a group that exists in the setting, apply it first (realmctl apply --only settings), write it as it should be and apply again"
        : "apply them in two steps: delete a reference from one of them to another, apply, write it again and apply once more",
    means: "Changes depend on each other in a cycle, so none of them can be first, not even in parts.",
    out: "Make them in two steps: apply without one of the references, add it again, and apply again.",
  }),
  "plan/looks-renamed": diagnostic<{
    noun: Word;
    /** The object with its name in the file. */
    object: Named;
    /** The object with its name on the server. */
    live: { readonly name: Quoted; readonly id: number | null };
    /** It is no new object: the server has one under the name in its `was`, which matches it less. */
    was?: Quoted;
    /** The two names differ only in what nobody means: a sign, or a character that looks the same or like nothing. */
    is_slip?: true;
    /** Nothing speaks for it but that there is no other object on either side: no guard asks. */
    is_bare?: true;
    /** An error about the object holds it, so there is nothing to allow. */
    is_held?: true;
    /** Other objects of the server that match it as well. */
    others?: readonly Quoted[];
    /** The number of other objects with the same finding. */
    more: number;
  }>({
    says: ({ noun, object, live, was: old, is_slip, is_bare, is_held, others, more }) => {
      const two = is_held === true ? "mend the error about it" : "--allow renames";
      if (old !== undefined)
        return say(
          `the ${noun} ${JSON.stringify(object.name)} is called ${q(old)} by its was, but ${q(live.name)}, which the file does not mention, matches it better: was it renamed on the server?`,
          `renamed on the server: realmctl adopt ${inShell(object.address)}; if ${q(old)} is meant: ${two}`,
          ...(more > 0 ? [`and ${more} more that look renamed`] : []),
        );
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
    means:
      "An object of the file is new, and an object that the file does not know is like it: it may have been renamed. Without an answer, `apply` would create a second one, and under `exact` remove the one that is there. The same if the server has the name in `was`, but another object is more like the entry: somebody may have given the old name to a new object.",
    out: "To rename it, write `was` (or pin the `id`). If it was renamed on the server, run `realmctl adopt`. If they are two objects, allow it once with `--allow renames`, or write the other one into the file, too.",
  }),
  /** A cycle of renames with objects that do not exist yet. */
  "plan/new-swap": diagnostic<{ objects: readonly Quoted[]; created: readonly Quoted[] }>({
    says: ({ objects, created }) =>
      `${all(objects)} swap names, but this plan creates ${all(created)}: afterwards it would not be clear whether they have swapped`,
    help: ({ created }) => `delete was from ${all(created)}`,
    means:
      "Objects swap names in the file, but at least one of them does not exist yet. If the plan created it, the next plan could not know whether the objects have swapped.",
    out: "Delete `was` from the objects that do not exist yet: a new object needs no rename.",
  }),
  "plan/not-read": diagnostic<{ section: Word }>({
    says: ({ section }) => `this snapshot does not contain the ${section.replaceAll("_", " ")}`,
    help: "plan against the server, or take a snapshot with --invites",
    means:
      "The snapshot does not hold a section that the file manages: it was taken from an older server, or without that section.",
    out: "Take a snapshot again, with the option that the hint names.",
  }),
  /**
   * @property is_described the entry also says what the object is like, so there was one
   * @property is_private it says that the object is private, so its name is hidden from other readers
   */
  "plan/nothing-to-remove": diagnostic<{
    noun: Word;
    name: Quoted;
    removal: "archived" | "deactivated" | "removed";
    meant?: Quoted;
    is_described?: true;
    is_private?: true;
  }>({
    says: ({ noun, name, removal, is_described = false }) =>
      is_described
        ? `there is no ${noun} ${q(name)}, which the file has as ${removal}, so nothing of it is compared`
        : `there is no ${noun} ${q(name)}, so nothing is ${removal}`,
    help: ({ meant, is_described = false }) =>
      meant === undefined
        ? is_described
          ? "if it was renamed, write its new name; otherwise delete the entry"
          : "correct the name, or delete the entry"
        : `${didYouMean(meant, "")} If it no longer exists, delete the entry`,
    means:
      "The file removes an object that the organization does not have: its name is misspelt, it was renamed, or it no longer exists. If the entry also says what an archived object is like, this is drift: nothing of it is compared.",
    out: "Correct the name, or delete the entry.",
  }),
  /** @property what the input that is for the organization at `url`; the command runs against the one at `found` */
  "realm/other-realm": diagnostic<{
    what: "file" | "plan" | "journal" | "plan-page" | "undo-file";
    url: Word;
    found: Word;
  }>({
    says: ({ what, url, found }) => {
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
    means: "The file or the plan is for one organization, and the credentials are for another.",
    out: "Use the credentials of that organization, or its file.",
  }),
  "plan/same-object": diagnostic<{ noun: Word; id: number }>({
    says: ({ noun, id }) => `two items name the ${noun} with the id ${id}`,
    help: "delete one of them",
    means: "Two declared objects are the same one on the server.",
    out: "Keep one, or pin them with `id`.",
  }),
  "plan/unknown-id": diagnostic<{
    noun: Word;
    id: number;
    name: Quoted;
    /** The id of the object that has this name. */
    named?: number;
  }>({
    says: ({ noun, id }) => `there is no ${noun} with the id ${id} here`,
    help: ({ noun, name, named }) =>
      named === undefined
        ? `correct the id; without id:, ${q(name)} would be a new ${noun}`
        : `${q(name)} has the id ${named}: write that, or delete id`,
    means: "The organization has no object with the id that the file pins.",
    out: "Correct the id, or delete it to identify the object by its name. If an object has this name, the message names its id.",
  }),
  "plan/same-was": diagnostic<{ was: Quoted; other: Quoted }>({
    says: ({ was, other }) => `two items have was: ${q(was)}: this one and ${q(other)}`,
    help: "delete was from one of them",
    means: "Two objects of the file have the same `was`.",
    out: "Keep `was` in one of them.",
  }),
  "plan/taken-out": diagnostic<TakenOut>({
    says: takenOut,
    means:
      "An entry was deleted from a section that does not remove what it does not list, or a line from an entry, or a list became `exact: false`, or a section is no longer `exact`, or leaves out more names (`except`), or an entry with `absent: true` is gone, or the line `realm:`. The server keeps it as it is, and drift does not compare it any more.",
    out: "If an object should go, write its entry again with `absent: true`, or let the section remove what is not listed (`manage: {linkifiers: exact}`). A line that should be watched has to be written. If everything should stay as it is, nothing is to do.",
  }),
  /** The file of the commit with which a plan is compared. */
  "plan/no-base": diagnostic<{ base: Word; cause: "no-commit" | "no-file" | "no-git" | "no-repository" | "errors" }>({
    says: ({ base, cause }) => {
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
    means: "`plan --base` compares the file with its version in a commit, and that version cannot be read or planned.",
    out: "Name a commit that the clone has: `git fetch` it first, for example with `fetch-depth: 0` in CI.",
  }),
  "plan/was-not-found": diagnostic<{ noun: Word; was: Quoted; name: Quoted; meant?: Quoted }>({
    says: ({ noun, was, name }) => `there is no ${noun} ${q(was)} to rename, so ${q(name)} is created`,
    help: ({ meant }) => didYouMean(meant, "delete was, or correct it"),
    means: "`was` names an object that the organization does not have. It may be renamed already.",
    out: "If it was renamed, delete `was`; otherwise correct it.",
  }),
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

function takenOut(fact: TakenOut, report: ReportWords): Words {
  const { section } = fact;
  if (fact.is === "policy")
    return say(
      `this change no longer asks that the organization has only what ${section} lists: what somebody adds by hand is no difference any more`,
      `to keep it, write manage: {${section}: exact}`,
    );
  if (fact.is === "except")
    return say(
      `this change leaves out of ${section} what ${listNames(fact.names.map(q), MOST_NAMED)} matches: what somebody adds by hand under such a name is no difference any more`,
      `to keep it watched, delete it from manage: {${section}: {except: …}}`,
    );
  if (fact.is === "absent")
    return say(
      `this change no longer asks that ${listNames(fact.names.map(q), MOST_NAMED)} is not there: if somebody makes it by hand, that is no difference any more`,
      "to have it watched, keep the entry",
    );
  if (fact.is === "realm")
    return say(
      "this change takes realm out of the file: whoever runs it against another organization changes that one",
      "keep the line realm:",
    );
  if (fact.is === "parts") {
    const parts = fact.parts.map(({ name, fields, adds }) => {
      const words = [...fields, ...adds.map((field) => `${field}: all but those listed`)];
      return `${q(name)} (${listNames(words, MOST_NAMED)})`;
    });
    return say(
      `this change takes lines of ${report.counted(section, parts.length)} out of the file: ${listNames(parts, MOST_NAMED)}; on the server this stays as it is, and nothing watches it`,
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
        `this change takes ${report.counted(section, names.length)} out of the file: ${listNames(names.map(q), MOST_NAMED)}; on the server ${stays} as ${it} ${it === "it" ? "is" : "are"}, archived or deactivated, and nothing watches ${them}`,
        `to have ${them} watched, keep ${names.length === 1 ? "the entry" : "the entries"}`,
      );
    case "objects":
      return say(
        `this change takes ${report.counted(section, names.length)} out of the file, but not off the server: ${listNames(names.map(q), MOST_NAMED)}`,
        `to remove ${names.length === 1 ? "it, write its entry with" : "them, write their entries with"} absent: true, or write manage: {${section}: exact}`,
      );
  }
}

const AS_IN_POLICY = "write a protection as the policy writes it: --allow protect:channel:general";
const GUARDS =
  "guards: removals, people_losing_access, emails, lockout, channels.removals, protect:channel:NAME, … (docs/policy.md)";

export const guards = {
  "guard/refused": diagnostic<{
    /** `removals`, `protect:channel:general` */
    guard: Pattern;
    fact: GuardFact;
    /** Where the limit, the protection or the rule on lock-outs is written. */
    rule?: Span;
  }>({
    says: ({ guard: { pattern: name }, fact, rule }, report) => {
      const hint = report.wayThrough({ name, rule, fact });
      return say(
        `${fact.asks === true ? "this has to be confirmed" : "refused by a guard rail"}: ${report.guardText({ name, fact })}`,
        hint === "" ? undefined : hint,
      );
    },
    means: "A guard rail refuses the plan: it removes too much, takes access from too many, or locks somebody out.",
    out: "Read which guard rail it is, and make the plan smaller. Or change the guard rail: the message names the line of the limit, of `protect` or of `lockout`; to change a limit that no file has, write `policy: {limits: {removals: 20}}`. Or let the plan pass once: `--allow removals`, `--allow lockout`, `--allow protect:channel:general`, as the message names it.",
  }),
  /** A guard rail counts as many as when somebody confirmed it or allowed it, but others. */
  "guard/others": diagnostic<{
    guard: Pattern;
    fact: GuardFact;
    /** How many of them were not confirmed: people and objects, or objects. */
    others: number;
  }>({
    says: ({ guard: { pattern: name }, fact, others }, report) =>
      `others than the plan showed, ${others} of them new: ${report.guardText({ name, fact: { about: fact.about } })}`,
    help: "plan again, and look at who it is now",
    means:
      "What was confirmed, or allowed with `--allow`, was about some people, and now it is about others: somebody took the place of somebody else, for example in a group. The number alone would not show that. Or the run had begun, and somebody came into a group that the rest of the plan lets into something: then nothing more was sent.",
    out: "Plan again, and look at who gains or loses access now (`plan --who`). For a pull request, run its plan again and approve it.",
  }),
  /** A name given to `--allow` that no guard rail has: a protection that the policy does not have, or an unknown name. */
  "guard/unknown": diagnostic<
    | { guard: Pattern; protected: readonly Pattern[]; meant?: Pattern }
    /** A name that no policy can have. */
    | { guard: Pattern; protected?: undefined; meant?: Pattern }
  >({
    says: ({ guard: { pattern }, protected: known, meant }) => {
      const guess = meant && `did you mean ${JSON.stringify(meant.pattern)}?`;
      if (known === undefined)
        return say(
          pattern === "" ? "--allow names no guard" : `--allow: there is no guard ${JSON.stringify(pattern)}`,
          guess ?? (pattern.startsWith("protect") ? AS_IN_POLICY : GUARDS),
        );
      return say(
        `--allow: the policy has no protection ${JSON.stringify(pattern.replace(/^protect:/, ""))}`,
        guess ??
          (known.length === 0
            ? "the policy protects nothing: leave --allow out"
            : `protected: ${listNames(known.map((one) => one.pattern))}`),
      );
    },
    means: "`--allow` names a guard rail that does not exist, so it would allow nothing.",
    out: "Correct the name. Name a protection as the policy writes it: `--allow protect:channel:general`.",
  }),
};
