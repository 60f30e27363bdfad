import { cases, type FactIn } from "../cases.ts";
import { commandLine, shellWord } from "../command-line.ts";
import { releaseWords } from "../releases.ts";
import { count, listNames } from "../words.ts";
import { CALLED_HERE } from "./called-here.ts";
import { diagnostic } from "./definition.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, didYouMean, listOf, q, say, type Words } from "./words.ts";

/** Words behind the last argument that the command takes. */
interface Surplus {
  readonly surplus: readonly Quoted[];
  readonly most: number;
}

/** An error that the parser of command lines found. Its texts name options and arguments. */
export interface ParserFact {
  readonly reason: Word | Surplus | { readonly long_dash: Quoted };
  /** The command on the command line, if there is one. */
  readonly command?: Word;
  readonly way?: ParserWay;
}

/** A word that would be read as the name of a file, but no such file exists. @property flag the option before it */
export type StrayWord =
  | { readonly cause: "takes-none"; readonly flag: Word; readonly word: Quoted }
  | { readonly cause: "behind-dashes"; readonly word: Quoted }
  | { readonly cause: "is-command"; readonly word: Quoted }
  /** @property flag the option that takes it, if the command has one */
  | { readonly cause: "is-object"; readonly flag?: Word; readonly word: Quoted }
  | {
      readonly cause: "takes-one";
      readonly flag: Word;
      readonly value: Quoted;
      readonly is_repeatable: boolean;
      readonly word: Quoted;
    };

/** The replacement for a wrong part of the command line. */
const wayText = cases("is", {
  meant: ({ meant }: { meant: Word }) => `did you mean ${meant}?`,
  option: ({ option }: { option: Word }) => `did you mean ${option}?`,
  "without-value": ({ option }: { option: Word }) => `an option without a value of its own is written ${option}.`,
  "takes-none": ({ option }: { option: Word }) => `${option} takes no value.`,
  /** The command is written after its arguments. */
  "command-first": ({ words }: { words: readonly Word[] }) => `the command comes first: \`${commandLine(words)}\`.`,
  /** The command takes its file as an argument. */
  "file-argument": ({ command }: { command: Word }) =>
    `the file is written without an option: \`realmctl ${command} FILE\`.`,
  /** Other commands have the option. */
  "of-others": ({ option, commands }: { option: Word; commands: readonly Word[] }) =>
    `${option} is an option of ${listNames(commands)}.`,
  /** Another program's word for it. */
  elsewhere: ({ word }: { word: Word }) => `${CALLED_HERE[word] ?? ""}.`,
});
export type ParserWay = FactIn<typeof wayText>;

const meantOr = (meant: string | undefined, otherwise: string): string =>
  meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;

const SAVE_FIRST = "save one with realmctl plan --out FILE and name it, or leave the option out";

function parser({ reason, command, way }: ParserFact): Words {
  const help = `realmctl ${command === undefined ? "" : `${command} `}--help shows what is possible`;
  return say(reasonText(reason, command), way === undefined ? help : `${wayText(way)} ${help}`);
}

function reasonText(reason: ParserFact["reason"], command = "realmctl"): string {
  if (typeof reason === "string") return reason;
  if ("long_dash" in reason) return `${q(reason.long_dash)} begins with a long dash, as word processors make it`;
  const taken = reason.most === 0 ? "no arguments" : count(reason.most, "argument");
  return `${command} takes ${taken}, and ${reason.surplus.map(q).join(" and ")} ${reason.surplus.length === 1 ? "is" : "are"} left over`;
}

/** `--timeout 1 minute` */
const isTime = (value: string, unit: string): boolean =>
  /^\d+$/.test(value) && /^(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)$/.test(unit);

/** Errors in options and arguments, and in commands that need somebody at the terminal. */
export const commandLineUse = {
  "use/unknown-option": diagnostic<ParserFact>({
    says: parser,
    means: "The command has no option with this name: it is misspelt, or belongs to another command.",
    out: "Correct it as the message suggests; `realmctl help COMMAND` lists all of a command.",
  }),
  "use/unknown-command": diagnostic<ParserFact>({
    says: parser,
    means: "There is no command with this name.",
    out: "Correct it as the message suggests; `realmctl --help` lists all.",
  }),
  "use/too-many-arguments": diagnostic<ParserFact>({
    says: parser,
    means:
      "The command line has more arguments than the command takes: a name with a space is not in quotes, or the shell replaced a pattern with several names.",
    out: "Put quotes around names with spaces. Run the command once for each file.",
  }),
  "use/missing-argument": diagnostic<ParserFact>({
    says: parser,
    means: "A required argument is missing, such as the file.",
    out: "`realmctl help COMMAND` shows, in `<…>`, what the command needs.",
  }),
  "use/missing-option": diagnostic<ParserFact>({
    says: parser,
    means: "A required option is missing.",
    out: "Write it; `realmctl help COMMAND` shows all.",
  }),
  "use/bad-value": diagnostic<ParserFact>({
    says: parser,
    means: "An option has an invalid value.",
    out: "The message lists the valid values; `realmctl help COMMAND` explains each option.",
  }),
  "use/conflicting-options": diagnostic<ParserFact>({
    says: parser,
    means: "Two options exclude each other.",
    out: "Leave one of the two out.",
  }),
  "use/no-value": diagnostic<ParserFact | { flag: Word; value: Quoted }>({
    says: (fact) =>
      "reason" in fact
        ? parser(fact)
        : say(
            `${fact.flag} has no value: ${q(fact.value)} is an option itself`,
            `write the value after ${fact.flag}; one that begins with -- is written ${fact.flag}=${bare(fact.value)}`,
          ),
    means: "An option is followed by another option instead of a value.",
    out: "Write the value; one that begins with `--` is written `--option=--value`.",
  }),
  "use/not-a-file": diagnostic<StrayWord>({
    says: (fact) => {
      if (fact.cause === "behind-dashes")
        return say(
          `there is no file ${q(fact.word)}: everything behind -- is the name of a file`,
          "write options in front of --, or leave -- out",
        );
      if (fact.cause === "is-command")
        return say(
          `there is no file ${q(fact.word)}: it is the name of a command, and a command line has one command`,
          "run one command after the other; the file of an organization has another name",
        );
      if (fact.cause === "is-object")
        return say(
          `there is no file ${q(fact.word)}: it is the name of an object or a section, and arguments of this command are files`,
          fact.flag === undefined
            ? "delete it: the command is about whole files"
            : `to choose it, write ${[fact.flag, bare(fact.word)].map(shellWord).join(" ")}`,
        );
      return fact.cause === "takes-none"
        ? say(
            `there is no file ${q(fact.word)}, and ${fact.flag} takes no value`,
            `delete ${q(fact.word)}, or correct it if it is the name of a file`,
          )
        : say(
            `there is no file ${q(fact.word)}, and ${fact.flag} takes one value: ${q(fact.value)}`,
            fact.is_repeatable
              ? `give the option again: ${[fact.flag, bare(fact.value), fact.flag, bare(fact.word)].map(shellWord).join(" ")}`
              : isTime(bare(fact.value), bare(fact.word))
                ? `write the time as one word: ${fact.flag} ${bare(fact.value)}${bare(fact.word).charAt(0)}`
                : "put quotes around a value that contains spaces, or correct the name of the file",
          );
    },
    means:
      "A word of the command line was read as the name of a file that does not exist: the option before it takes no value, or only one.",
    out: "Delete the word, or give the option again before it: `--only channels --only user_groups`.",
  }),
  "use/bad-variable": diagnostic<{ variable: Word }>({
    says: ({ variable }) => `the environment's ${variable} is not a time limit`,
    help: ({ variable }) => `write a time such as 90s, 10m or 2h, at most 24h: ${variable}=10m`,
    means: "An environment variable of realmctl's own has an invalid value.",
    out: "Correct it or unset it; `docs/reference/environment.md` lists all of them.",
  }),
  "use/empty-value": diagnostic<{ of: Word }>({
    says: ({ of }) => `the value of ${of} is empty`,
    help: "was a variable not set? To use the default, leave it out",
    means: "The value of an option or an argument is empty, often because a variable of a script is not set.",
    out: "Give a value, or leave the option out to use the default.",
  }),
  "use/given-twice": diagnostic<{ flag: Word }>({
    says: ({ flag }) => `${flag} is given twice, but can count only once`,
    help: "remove one",
    means: "An option that can only count once is given twice.",
    out: "Keep one of the two.",
  }),
  "use/standard-input": diagnostic<{ cause: "read-twice"; inputs: readonly Word[] } | { cause: "written"; flag: Word }>(
    {
      says: (fact) =>
        fact.cause === "read-twice"
          ? say(
              new Set(fact.inputs).size === 1
                ? "- is given twice, and the standard input can be read only once"
                : `the standard input can be read only once, and ${fact.inputs.join(" and ")} are both -`,
              "name a file for one of them",
            )
          : say(
              `${fact.flag} names a file to write, and - is not a file`,
              "name a file; what is printed without it goes to the standard output",
            ),
      means: "`-` (standard input) is given for two files, or for a file to write.",
      out: "Name a file for one of the two.",
    },
  ),
  "adopt/nobody-to-ask": diagnostic({
    says: "there is no terminal for the confirmation",
    help: "look at the result with --dry-run, then run adopt with --yes",
    means: "Nobody is at the terminal to choose what is adopted, or to approve the change of the file.",
    out: "Name the objects, and write `--yes`.",
  }),
  "adopt/shared-file": diagnostic<{ file: Word; by: readonly Word[] }>({
    says: ({ file, by }) =>
      by.length === 0
        ? `${file} is outside of the directory of this organization: what is written there changes every organization that includes it`
        : `${file} is a part of ${listNames(by)}, too: what is written there changes ${by.length === 1 ? "that organization" : "those organizations"} as well`,
    help: "run adopt without --yes: it asks; or write by hand what --dry-run shows, into values: or the file of the organization alone",
    means:
      "The server's values would be written into a file that other organizations include, or that is outside of the directory of this one (others of the repository may include it), and `--yes` prevents the question whether that is meant.",
    out: "Run `adopt` without `--yes` and answer; or write the values into the file of the organization alone.",
  }),
  /** @property ways the addresses of all that have the name */
  "adopt/unknown-address": diagnostic<{
    written: Quoted;
    meant?: Quoted;
    known: readonly Quoted[];
    ways?: readonly Quoted[];
  }>({
    says: ({ written, meant, known, ways }) =>
      ways === undefined
        ? say(
            `nothing called ${q(written)} differs from the file`,
            didYouMean(
              meant,
              known.length === 0 ? "the file and the server do not differ" : `these differ: ${listOf(known)}`,
            ),
          )
        : say(`${q(written)} has ${ways.length} possible meanings`, `write one of these: ${listOf(ways)}`),
    means: "No difference has this address, or several objects have this name.",
    out: "Correct it; `realmctl drift` shows what differs.",
  }),
  "adopt/unknown-field": diagnostic<{ field: Quoted; meant?: Word }>({
    says: ({ field }) => `no object has a field ${q(field)}`,
    help: ({ meant }) => meantOr(meant, "realmctl drift shows what differs, field by field"),
    means: "`--field` names a field that no object has.",
    out: "Correct it; `realmctl drift` shows the fields that differ.",
  }),
  "adopt/what": diagnostic<
    | { cause: "file"; file: Word }
    | { cause: "all-and-named"; named: readonly Quoted[] }
    | { cause: "nobody-to-ask"; differ: number; file: Word; example: Quoted }
  >({
    says: (fact) =>
      fact.cause === "file"
        ? say(`${fact.file} is a file, and arguments of adopt are objects`, `write --file ${fact.file}`)
        : fact.cause === "all-and-named"
          ? say(
              `--all takes everything that differs, and ${listOf(fact.named)} ${fact.named.length === 1 ? "is" : "are"} named too`,
              "leave --all out to take only what is named",
            )
          : say(
              `there is no terminal to ask what to take: ${fact.differ} ${fact.differ === 1 ? "object differs" : "objects differ"} from ${fact.file}`,
              `take everything with --all, or name what to take: ${commandLine(["adopt", bare(fact.example)])}`,
            ),
    means: "No argument says what to adopt.",
    out: "Name objects (`channel:general`), or write `--all`.",
  }),
  "apply/checksum-without-plan": diagnostic({
    says: "--checksum belongs to a saved plan, and none is given",
    help: SAVE_FIRST,
    means: "`--checksum` is about a saved plan, and none was named.",
    out: "Add `--plan`.",
  }),
  "apply/nobody-to-ask": diagnostic({
    says: "there is no terminal for the confirmation",
    help: "look at the plan first, then run apply with --yes",
    means: "Nobody is at the terminal to approve the plan.",
    out: "Write `--yes`, or save and approve the plan first.",
  }),
  "apply/replan-saved": diagnostic({
    says: "a saved plan is applied without changes or not at all: --on-conflict replan is for a file",
    help: "leave --on-conflict out, or name the configuration instead of the plan",
    means: "A saved plan is applied as it was approved; `apply` cannot plan it again.",
    out: "Leave out `--on-conflict replan` or `--plan`.",
  }),
  "apply/replan-unseen": diagnostic({
    says: "--on-conflict replan asks again, because the new plan includes changes of others, and --yes prevents questions",
    help: "leave one of them out; without both, apply asks once, and a conflict stops it",
    means: "If `apply` planned again without asking, it would make changes that nobody saw.",
    out: "Leave out `--yes` and answer at the terminal, or leave out `--on-conflict replan` and run again.",
  }),
  "apply/two-sources": diagnostic<{ sources: readonly Word[] }>({
    says: ({ sources }) => `${sources.join(" and ")} cannot be combined: each of them says what to apply`,
    help: "name only one",
    means: "Both a file and a saved plan, or a saved plan and a journal, were named.",
    out: "Name one of them.",
  }),
  "apply/foreign-without-undo": diagnostic({
    says: "--foreign-journal is for --undo, and no run is to be undone",
    help: "name the journal with --undo, or leave the option out",
    means:
      "`--foreign-journal` lets `--undo` use a journal that nothing shows to be of this account. `apply` of a file uses nothing of such journals.",
    out: "Name the journal with `--undo`, or leave `--foreign-journal` out.",
  }),
  "apply/verify-without-plan": diagnostic({
    says: "--verify-with is for a saved plan, and none is given",
    help: SAVE_FIRST,
    means: "`--verify-with` checks the signature of a saved plan; a configuration has none.",
    out: "Name the saved plan, or leave `--verify-with` out.",
  }),
  "drift/watch-format": diagnostic({
    says: "a page cannot show changes while they happen",
    help: "use --watch with --format text or json, or --format html without --watch",
    means: "A page cannot show changes while they happen.",
    out: "Watch with `--format text` or `json`, or ask for the page without `--watch`.",
  }),
  "explain/unknown": diagnostic<{ code: Quoted; meant: readonly Word[] }>({
    says: ({ code }) => `there is no code ${q(code)}`,
    help: ({ meant }) =>
      meant.length === 0
        ? "realmctl explain --list shows all of them"
        : `did you mean ${meant.map((one) => JSON.stringify(one)).join(" or ")}?`,
    means: "There is no code with this name.",
    out: "Correct it; `realmctl explain --list` shows all.",
  }),
  "export/exists": diagnostic<{ files: readonly Word[] }>({
    says: ({ files }) => `${listNames(files)} ${files.length === 1 ? "exists" : "exist"} already`,
    help: "choose another place, replace the files with --force, or take the differences into the file: realmctl adopt",
    means: "A file that would be written already exists.",
    out: "Name another place, or replace it with `--force`.",
  }),
  "export/not-read": diagnostic<{ section: Word; needs_level?: number; is_on_request: boolean }>({
    says: ({ section, needs_level }) =>
      needs_level === undefined
        ? `the snapshot does not hold ${section}`
        : `this server has no ${section}: they need ${releaseWords(needs_level)}`,
    help: ({ is_on_request }) =>
      is_on_request ? "take it with realmctl snapshot --invites" : "remove the section from --kinds",
    means: "The snapshot does not hold a section that was named, or this server does not have it.",
    out: "Take a snapshot that holds it (`realmctl snapshot --invites`), or leave the section out.",
  }),
  "export/unknown-section": diagnostic<{ section: Quoted; meant?: Word; sections: readonly Word[] }>({
    says: ({ section }) => `there is no section ${q(section)}`,
    help: ({ meant, sections }) => meantOr(meant, `sections: ${listNames(sections, 20)}`),
    means: "No section with this name can be exported.",
    out: "Correct the name.",
  }),
  "export/where": diagnostic<{ cause: "both" } | { cause: "split"; split: Word }>({
    says: (fact) =>
      fact.cause === "both"
        ? say("--out writes one file and --out-dir several: they cannot be combined", "remove one")
        : say(`--split ${fact.split} writes several files`, "name their directory with --out-dir"),
    means: "No option says where to write the files.",
    out: "Name a file or a directory.",
  }),
  "init/exists": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} already exists`,
    help: "choose another name with --file, replace it with --force, or take the differences into it: realmctl adopt",
    means: "A file that would be written already exists, and `--force` is missing.",
    out: "Name another file, or write `--force`.",
  }),
  "init/no-action": diagnostic<{ written?: Quoted }>({
    says: ({ written }) =>
      written === undefined
        ? "the workflows must name realmctl's repository on GitHub, and this copy of realmctl was not cloned from there"
        : `${q(written)} is not the name of an action, which has the form owner/repository@commit`,
    help: "name the repository and the commit that you trust: --action owner/repository@commit",
    means:
      "A workflow names the repository and the commit of the Action that it runs. realmctl knows its own only if it was cloned from GitHub, and no other was given.",
    out: "Write `--action owner/repository@commit`.",
  }),
  "init/nobody-to-ask": diagnostic({
    says: "there is no terminal for questions",
    help: "answer with flags: `realmctl init --yes` takes the default for each question (init --help)",
    means: "Nobody is at the terminal to answer.",
    out: "Write `--yes`, and the answers as flags.",
  }),
  "plan/sign-without-out": diagnostic({
    says: "--sign-with signs what --out saves, and --out is missing",
    help: "add --out FILE",
    means: "`--sign-with` signs the file that `--out` saves.",
    out: "Add `--out FILE`.",
  }),
};
