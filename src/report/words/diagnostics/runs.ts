import type { ChangedSince, JournalDoubt, NotOwn, PlanDifference, RunFacts } from "../../../model/diagnostics/runs.ts";
import { count } from "../../style.ts";
import { listNames } from "../list-names.ts";
import { called } from "../names.ts";
import { notJsonText } from "../not-json.ts";
import { whyUnreadable, whyUnwritable } from "./unreadable.ts";
import { bare, listOf, q, say, type WordsOf } from "./words.ts";

const SAVE_ONE = "save one with: realmctl plan --out FILE";
const PLAN_AGAIN = "plan again, and review that plan";
const MOVE_AWAY = "apply uses nothing of it, and starts from the organization as it is; move it away";

export const runWords: WordsOf<RunFacts> = {
  "adopt/by-hand": ({ file }) =>
    say(
      `${file} cannot be changed in place without losing something: an anchor, a merge or a comment is in the way`,
      "take the objects one by one (realmctl adopt channel:general), and write the rest by hand",
    ),
  "adopt/would-break": () =>
    say(
      "the file would have errors if it took all of this",
      "take the objects one by one (realmctl adopt channel:general), or edit by hand the places that still name a missing object",
    ),
  "apply/locked": ({ process, host, url, since, lock }) =>
    say(
      `another realmctl (process ${process}${host === undefined ? "" : ` on ${host}`}) has been applying to ${url} since ${since}`,
      `wait until it is done; if no such process runs, remove ${lock}`,
    ),
  "apply/sync-unfinished": ({ left, calls }) =>
    say(
      left === 0
        ? "every request was carried out, and the organization is still not as the file has it"
        : `${left} of ${count(calls, "request")} ${left === 1 ? "was" : "were"} not carried out`,
      "realmctl plan shows what is left",
    ),
  "apply/lock-not-own": ({ directory, why }) =>
    say(
      `the directory for locks, ${directory}, ${notOwn(why)}: another account could block runs, or make them overwrite files`,
      "check who created it: if you did, chmod 700 it; otherwise remove it, or set TMPDIR to a directory of your own",
    ),
  "apply/no-lock": ({ lock, why }) =>
    say(
      `the lock ${lock} cannot be created: ${whyUnwritable(why)}`,
      "set XDG_RUNTIME_DIR, or TMPDIR, to a directory where you can write",
    ),
  "journal/foreign": ({ journal, account, doubt, for_undo }) =>
    say(
      `${journal} is not known to be the journal of a run of this account: ${doubtText(doubt, account)}`,
      for_undo === true
        ? "nothing is undone; to undo that run nevertheless, look at the journal first, then add --foreign-journal"
        : "apply uses nothing of it, and starts from the organization as it is; to undo that run nevertheless, look at the journal first, then add --foreign-journal to --undo",
    ),
  "journal/in-checkout": () =>
    say(
      "the checkout brought files into .realmctl: Git tracks them, or they are no journals of runs of this account",
      "find out who committed them, remove .realmctl from the repository (git rm -r .realmctl), and run the job again",
    ),
  "journal/no-run": () =>
    say(
      "no journal in .realmctl is one of a run of this account that sent something, those of sync aside",
      "realmctl history shows which runs there are; run the undo in the directory of the run, or name its journal behind --undo",
    ),
  "journal/link": ({ path }) =>
    say(
      `${path} is a symbolic link, and journals are not written through one: a checkout could have brought it`,
      `find out where it came from (ls -l ${path}); then remove it, and the next apply creates the directory itself`,
    ),
  "journal/no-journal": ({ journal, for_undo }) =>
    say(
      `${journal} is not the journal of a run`,
      for_undo === true
        ? "nothing is undone; name a file of .realmctl/, where apply writes the journals of its runs: ls .realmctl"
        : "apply writes journals into .realmctl/; move other files away from there",
    ),
  "journal/not-written": ({ journal, why }) =>
    say(
      `the journal ${journal} cannot be written: ${whyUnwritable(why)}`,
      "nothing is sent that is not written down first; make room or choose another working directory, then apply again",
    ),
  "journal/other-version": ({ journal, found, reads, for_undo }) =>
    say(
      `the journal ${journal} has version ${found} of the format; this realmctl reads version ${reads} and older`,
      `${for_undo === true ? "nothing is undone" : "apply uses nothing of it, and starts from the organization as it is"}; to continue or undo its run, use the realmctl that wrote it`,
    ),
  "journal/unreadable": (fact) => {
    const about =
      fact.line === undefined ? `the journal ${fact.journal}` : `line ${fact.line} of the journal ${fact.journal}`;
    return say(
      `${about} ${journalCause(fact)}`,
      fact.for_undo === true ? "nothing is undone; take the journal as the run wrote it" : MOVE_AWAY,
    );
  },
  "plan-file/edited": ({ file }) =>
    say(
      `${file} was changed after it was saved: its checksum does not match`,
      "a plan is reviewed as a whole; change realm.yaml and plan again",
    ),
  "plan-file/no-plan": ({ file }) => say(`${file} is not a saved plan`, SAVE_ONE),
  "plan-file/not-its-own": ({ file, difference }) =>
    say(
      `${file} is not the plan that its configuration and its snapshot give: ${differenceText(difference)}`,
      PLAN_AGAIN,
    ),
  "plan-file/not-json": ({ file, reason }) => say(`${file} is not a saved plan: ${notJsonText(reason)}`, SAVE_ONE),
  "plan-file/other-tool": ({ file, saved_by, this_version, because }) => {
    const saved = `${file} was saved by realmctl ${bare(saved_by)}: this one (${this_version})`;
    switch (because.of) {
      case "form":
        return say(`${saved} does not know its form (${because.part})`, "plan again with this realmctl");
      case "names": {
        const names = [
          ...because.kinds.map((kind) => `the kind ${q(kind)}`),
          ...because.operations.map((operation) => `the operation ${q(operation)}`),
        ];
        return say(`${saved} does not know ${names.join(", ")}`, PLAN_AGAIN);
      }
      case "difference":
        return say(`${saved} makes another plan (${differenceText(because.difference)})`, PLAN_AGAIN);
    }
  },
  "plan-file/other-version": ({ file, found, reads }) =>
    say(
      `${file} has version ${bare(found)} of the plan format; this realmctl reads version ${reads}`,
      "plan again with this realmctl",
    ),
  "plan-file/too-large": ({ file, most_bytes }) =>
    say(`${file} has more than ${most_bytes} bytes, so it is not a saved plan`, SAVE_ONE),
  "plan/other-account": ({ planned, found }) =>
    say(
      `the plan was made as ${bare(planned)}, but the credentials are those of ${bare(found)}`,
      `use the credentials of ${bare(planned)}, or plan again with these`,
    ),
  "plan/redacted": () =>
    say(
      "names in this plan were replaced for other readers, so it cannot be carried out",
      "apply the plan that it was made from",
    ),
  "plan/changed-since": ({ changed: [first, ...more] }) =>
    say(
      `others changed the organization since the plan was made${first === undefined ? "" : `: ${changedText(first)}`}`,
      PLAN_AGAIN,
      ...more.slice(0, MOST_CHANGED).map(changedText),
      ...(more.length > MOST_CHANGED ? [`and ${more.length - MOST_CHANGED} more`] : []),
    ),
  "plan/other-names": ({ objects }) =>
    say(
      `${objects.length === 1 ? "an object of the plan has another name now" : `${objects.length} objects of the plan have other names now`}: ${listNames(
        objects.map(({ noun, id, planned, now }) =>
          planned.quoted === now.quoted
            ? `${noun} ${id} (both names are hidden)`
            : `${noun} ${id} was ${q(planned)} and is ${q(now)}`,
        ),
        5,
      )}`,
      "the changes may not be those that were reviewed: plan again",
    ),
  "plan/other-server": ({ planned_level, level }) =>
    say(`the server was changed since the plan was made: feature level ${planned_level}, now ${level}`, "plan again"),
};

const MOST_CHANGED = 10;

function changedText(changed: ChangedSince): string {
  const object = called(changed.object);
  const names = listOf(changed.names, 5);
  switch (changed.is) {
    case "in":
      return `the ${changed.field} of ${object} would include ${names}, whom the file does not list today`;
    case "out":
      return `the ${changed.field} of ${object} would lose ${names}, whom the file lists today`;
    case "reads":
      return `${names} could still read ${object}, although the plan says that they no longer can`;
  }
}

function doubtText(doubt: JournalDoubt, account: string): string {
  switch (doubt.is) {
    case "no-code":
      return "it has no codes, as those of older versions";
    case "other-code":
      return `its codes were made with another API key than this one (it says that it is of ${account}): it is another account's, the key was changed since, or somebody made it up`;
    case "edited":
      return `line ${doubt.line} was changed, or lines before it are missing`;
    case "other-name":
      return "it is a copy under another name";
  }
}

function notOwn(why: NotOwn): string {
  switch (why.is) {
    case "no-directory":
      return "is not a directory";
    case "of-another-account":
      return "belongs to another account";
    case "open":
      return "can be entered by other accounts";
    case "unreadable":
      return `cannot be examined (${whyUnreadable(why.why)})`;
  }
}

function journalCause(fact: RunFacts["journal/unreadable"]): string {
  switch (fact.cause) {
    case "line":
      return "is not a line that a run wrote";
    case "not-a-start":
      return "is not the start of a run";
    case "text":
      return "contains a string that is not Unicode, or a NUL character";
    case "value":
      return `contains a value that no run has written: ${fact.reason}`;
    case "too-large":
      return `has ${fact.bytes} bytes; no run writes more than ${fact.most_bytes}`;
    case "file":
      return `cannot be read: ${whyUnreadable(fact.why)}`;
  }
}

function differenceText(difference: PlanDifference): string {
  switch (difference.is) {
    case "errors":
      return "its configuration has errors";
    case "extra-call":
      return `none of its changes needs call ${difference.call} (${difference.operation}) in this form`;
    case "missing-call":
      return `call ${difference.call} (${difference.operation}) is missing`;
    case "other-call":
      return `call ${difference.call} (${difference.operation}) is not the call that its changes need`;
    case "parts":
      return `its ${difference.parts.join(", ")} ${difference.parts.length === 1 ? "differs" : "differ"}`;
  }
}
