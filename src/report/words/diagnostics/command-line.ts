import type { CommandLineFacts, ParserFact } from "../../../model/diagnostics/command-line.ts";
import { commandLine, shellWord } from "../../command-line.ts";
import { count } from "../../style.ts";
import { CALLED_HERE } from "../called-here.ts";
import { listNames } from "../list-names.ts";
import { releaseWords } from "../releases.ts";
import { bare, didYouMean, listOf, q, say, type Words, type WordsOf } from "./words.ts";

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

function wayText(way: NonNullable<ParserFact["way"]>): string {
  switch (way.is) {
    case "meant":
      return `did you mean ${way.meant}?`;
    case "command-first":
      return `the command comes first: \`${commandLine(way.words)}\`.`;
    case "file-argument":
      return `the file is written without an option: \`realmctl ${way.command} FILE\`.`;
    case "option":
      return `did you mean ${way.option}?`;
    case "without-value":
      return `an option without a value of its own is written ${way.option}.`;
    case "takes-none":
      return `${way.option} takes no value.`;
    case "of-others":
      return `${way.option} is an option of ${listNames(way.commands)}.`;
    case "elsewhere":
      return `${CALLED_HERE[way.word] ?? ""}.`;
  }
}

/** `--timeout 1 minute` */
const isTime = (value: string, unit: string): boolean =>
  /^\d+$/.test(value) && /^(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)$/.test(unit);

export const commandLineWords: WordsOf<CommandLineFacts> = {
  "use/unknown-option": parser,
  "use/unknown-command": parser,
  "use/too-many-arguments": parser,
  "use/missing-argument": parser,
  "use/missing-option": parser,
  "use/bad-value": parser,
  "use/conflicting-options": parser,
  "use/no-value": (fact) =>
    "reason" in fact
      ? parser(fact)
      : say(
          `${fact.flag} has no value: ${q(fact.value)} is an option itself`,
          `write the value after ${fact.flag}; one that begins with -- is written ${fact.flag}=${bare(fact.value)}`,
        ),
  "use/not-a-file": (fact) => {
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
  "use/bad-variable": ({ variable }) =>
    say(
      `the environment's ${variable} is not a time limit`,
      `write a time such as 90s, 10m or 2h, at most 24h: ${variable}=10m`,
    ),
  "use/empty-value": ({ of }) =>
    say(`the value of ${of} is empty`, "was a variable not set? To use the default, leave it out"),
  "use/given-twice": ({ flag }) => say(`${flag} is given twice, but can count only once`, "remove one"),
  "use/standard-input": (fact) =>
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
  "adopt/nobody-to-ask": () =>
    say("there is no terminal for the confirmation", "look at the result with --dry-run, then run adopt with --yes"),
  "adopt/shared-file": ({ file, by }) =>
    say(
      by.length === 0
        ? `${file} is outside of the directory of this organization: what is written there changes every organization that includes it`
        : `${file} is a part of ${listNames(by)}, too: what is written there changes ${by.length === 1 ? "that organization" : "those organizations"} as well`,
      "run adopt without --yes: it asks; or write by hand what --dry-run shows, into values: or the file of the organization alone",
    ),
  "adopt/unknown-address": ({ written, meant, known }) =>
    say(
      `nothing called ${q(written)} differs from the file`,
      didYouMean(
        meant,
        known.length === 0 ? "the file and the server do not differ" : `these differ: ${listOf(known)}`,
      ),
    ),
  "adopt/unknown-field": ({ field, meant }) =>
    say(`no object has a field ${q(field)}`, meantOr(meant, "realmctl drift shows what differs, field by field")),
  "adopt/what": (fact) =>
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
  "apply/checksum-without-plan": () => say("--checksum belongs to a saved plan, and none is given", SAVE_FIRST),
  "apply/nobody-to-ask": () =>
    say("there is no terminal for the confirmation", "look at the plan first, then run apply with --yes"),
  "apply/replan-saved": () =>
    say(
      "a saved plan is applied without changes or not at all: --on-conflict replan is for a file",
      "leave --on-conflict out, or name the configuration instead of the plan",
    ),
  "apply/replan-unseen": () =>
    say(
      "--on-conflict replan asks again, because the new plan includes changes of others, and --yes prevents questions",
      "leave one of them out; without both, apply asks once, and a conflict stops it",
    ),
  "apply/two-sources": ({ sources }) =>
    say(`${sources.join(" and ")} cannot be combined: each of them says what to apply`, "name only one"),
  "apply/foreign-without-undo": () =>
    say(
      "--foreign-journal is for --undo, and no run is to be undone",
      "name the journal with --undo, or leave the option out",
    ),
  "apply/verify-without-plan": () => say("--verify-with is for a saved plan, and none is given", SAVE_FIRST),
  "drift/watch-format": () =>
    say(
      "a page cannot show changes while they happen",
      "use --watch with --format text or json, or --format html without --watch",
    ),
  "explain/unknown": ({ code, meant }) =>
    say(
      `there is no code ${q(code)}`,
      meant.length === 0
        ? "realmctl explain --list shows all of them"
        : `did you mean ${meant.map((one) => JSON.stringify(one)).join(" or ")}?`,
    ),
  "export/exists": ({ files }) =>
    say(
      `${listNames(files)} ${files.length === 1 ? "exists" : "exist"} already`,
      "choose another place, replace the files with --force, or take the differences into the file: realmctl adopt",
    ),
  "export/not-read": ({ section, needs_level, is_on_request }) =>
    say(
      needs_level === undefined
        ? `the snapshot does not hold ${section}`
        : `this server has no ${section}: they need ${releaseWords(needs_level)}`,
      is_on_request ? "take it with realmctl snapshot --invites" : "remove the section from --kinds",
    ),
  "export/unknown-section": ({ section, meant, sections }) =>
    say(`there is no section ${q(section)}`, meantOr(meant, `sections: ${listNames(sections, 20)}`)),
  "export/where": (fact) =>
    fact.cause === "both"
      ? say("--out writes one file and --out-dir several: they cannot be combined", "remove one")
      : say(`--split ${fact.split} writes several files`, "name their directory with --out-dir"),
  "init/exists": ({ file }) =>
    say(
      `${file} already exists`,
      "choose another name with --file, replace it with --force, or take the differences into it: realmctl adopt",
    ),
  "init/no-action": ({ written }) =>
    say(
      written === undefined
        ? "the workflows must name realmctl's repository on GitHub, and this copy of realmctl was not cloned from there"
        : `${q(written)} is not the name of an action, which has the form owner/repository@commit`,
      "name the repository and the commit that you trust: --action owner/repository@commit",
    ),
  "init/nobody-to-ask": () =>
    say(
      "there is no terminal for questions",
      "answer with flags: `realmctl init --yes` takes the default for each question (init --help)",
    ),
  "plan/sign-without-out": () => say("--sign-with signs what --out saves, and --out is missing", "add --out FILE"),
};
