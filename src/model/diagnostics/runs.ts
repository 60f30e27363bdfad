import { cases, type FactIn } from "../cases.ts";
import { type NotJson, notJsonText } from "../not-json.ts";
import { count, listNames } from "../words.ts";
import { diagnostic, type ReportWords } from "./definition.ts";
import { type Unreadable, whyUnreadable, whyUnwritable } from "./unreadable.ts";
import type { Named, Quoted, Word } from "./values.ts";
import { bare, listOf, q, say } from "./words.ts";

/** Somebody named the journal to undo its run: apply does not go on without it. */
interface ForUndo {
  readonly for_undo?: true;
}

/** Why nothing shows that a run of this account wrote a journal. `other-name`: it is a copy of such a journal. */
const doubtText = cases("is", {
  "no-code": "it has no codes, as those of older versions",
  "other-code": (_: object, account: string) =>
    `its codes were made with another API key than this one (it says that it is of ${account}): it is another account's, the key was changed since, or somebody made it up`,
  "other-name": "it is a copy under another name",
  edited: ({ line }: { line: number }) => `line ${line} was changed, or lines before it are missing`,
});
export type JournalDoubt = FactIn<typeof doubtText>;

/** Why other accounts may be able to change a directory. */
const notOwn = cases("is", {
  "no-directory": "is not a directory",
  "of-another-account": "belongs to another account",
  open: "can be entered by other accounts",
  unreadable: ({ why }: { why: Unreadable }) => `cannot be examined (${whyUnreadable(why)})`,
});
export type NotOwn = FactIn<typeof notOwn>;

/** Where a saved plan differs from the plan that its own configuration and snapshot give. */
const differenceText = cases("is", {
  errors: "its configuration has errors",
  "extra-call": ({ call, operation }: { call: number; operation: Word }) =>
    `none of its changes needs call ${call} (${operation}) in this form`,
  "missing-call": ({ call, operation }: { call: number; operation: Word }) => `call ${call} (${operation}) is missing`,
  "other-call": ({ call, operation }: { call: number; operation: Word }) =>
    `call ${call} (${operation}) is not the call that its changes need`,
  parts: ({ parts }: { parts: readonly Word[] }) =>
    `its ${parts.join(", ")} ${parts.length === 1 ? "differs" : "differ"}`,
});
export type PlanDifference = FactIn<typeof differenceText>;

const journalCause = cases("cause", {
  line: "is not a line that a run wrote",
  "not-a-start": "is not the start of a run",
  text: "contains a string that is not Unicode, or a NUL character",
  value: ({ reason }: { reason: Word }) => `contains a value that no run has written: ${reason}`,
  "too-large": ({ bytes, most_bytes }: { bytes: number; most_bytes: number }) =>
    `has ${bytes} bytes; no run writes more than ${most_bytes}`,
  file: ({ why }: { why: Unreadable }) => `cannot be read: ${whyUnreadable(why)}`,
});

const SAVE_ONE = "save one with: realmctl plan --out FILE";
const PLAN_AGAIN = "plan again, and review that plan";
const MOVE_AWAY = "apply uses nothing of it, and starts from the organization as it is; move it away";

interface OfNames {
  readonly object: Named;
  readonly field: Word;
  readonly names: readonly Quoted[];
}

/** What a plan would leave otherwise than the file has it today, or otherwise than it showed, because others changed the organization. */
const changedText = cases("is", {
  /** A list would have these, whom the file does not put there today. */
  in: ({ object, field, names }: OfNames, { called }: ReportWords) =>
    `the ${field} of ${called(object)} would include ${listOf(names, 5)}, whom the file does not list today`,
  /** It would lose these, whom the file keeps there. */
  out: ({ object, field, names }: OfNames, { called }: ReportWords) =>
    `the ${field} of ${called(object)} would lose ${listOf(names, 5)}, whom the file lists today`,
  /** These can still read a channel, although the plan showed that they no longer can. */
  reads: ({ object, names }: { object: Named; names: readonly Quoted[] }, { called }: ReportWords) =>
    `${listOf(names, 5)} could still read ${called(object)}, although the plan says that they no longer can`,
  /** These gain a right that the plan showed only others to gain. Without names, more people do. */
  gains: (
    { object, right, names }: { object?: Named; right: Word; names: readonly Quoted[] },
    { called }: ReportWords,
  ) =>
    `${names.length === 0 ? "more people" : listOf(names, 5)} would get ${right}${object === undefined ? "" : ` of ${called(object)}`}, which the plan does not show`,
  /** Somebody made it, it lets people in, and its section is exact. */
  opened: ({ object }: { object: Named }, { called }: ReportWords) =>
    `${called(object)} lets people in, is not in the file, which is exact there, and would stay`,
  /** Somebody replaced it by one that looks the same. */
  replaced: ({ object }: { object: Named }, { called }: ReportWords) =>
    `${called(object)}, which the file has, was replaced by hand by one that looks the same, and the server does not show where that one leads`,
});
export type ChangedSince = FactIn<typeof changedText>;
const MOST_CHANGED = 10;

/** What another realmctl knows of a saved plan, and this one does not. @param saved the beginning of the sentence: which one saved it */
const otherTool = cases("of", {
  form: ({ part }: { part: Word }, saved: string) =>
    say(`${saved} does not know its form (${part})`, "plan again with this realmctl"),
  names: ({ kinds, operations }: { kinds: readonly Quoted[]; operations: readonly Quoted[] }, saved: string) => {
    const names = [
      ...kinds.map((kind) => `the kind ${q(kind)}`),
      ...operations.map((one) => `the operation ${q(one)}`),
    ];
    return say(`${saved} does not know ${names.join(", ")}`, PLAN_AGAIN);
  },
  difference: ({ difference }: { difference: PlanDifference }, saved: string) =>
    say(`${saved} makes another plan (${differenceText(difference)})`, PLAN_AGAIN),
});

/** Errors of runs, locks, journals, saved plans, and of adopt. */
export const runs = {
  "adopt/by-hand": diagnostic<{ file: Word }>({
    says: ({ file }) =>
      `${file} cannot be changed in place without losing something: an anchor, a merge or a comment is in the way`,
    help: "take the objects one by one (realmctl adopt channel:general), and write the rest by hand",
    means:
      "The file cannot be changed in place without losing something: an anchor, a merge or a comment is in the way.",
    out: "Make the change that the message names by hand.",
  }),
  /** The errors that the files would have follow this one, without places, since the text is not written anywhere. */
  "adopt/would-break": diagnostic({
    says: "the file would have errors if it took all of this",
    help: "take the objects one by one (realmctl adopt channel:general), or edit by hand the places that still name a missing object",
    means:
      "With everything that was chosen, the file would have errors. For example, it would still name an object that no longer exists.",
    out: "Take objects one by one (`realmctl adopt channel:general`), or change the places by hand that still name a missing object.",
  }),
  "apply/locked": diagnostic<{
    process: number;
    /** Absent if it is this machine. */
    host?: Word;
    url: Word;
    since: Word;
    lock: Word;
  }>({
    says: ({ process, host, url, since }) =>
      `another realmctl (process ${process}${host === undefined ? "" : ` on ${host}`}) has been applying to ${url} since ${since}`,
    help: ({ lock }) => `wait until it is done; if no such process runs, remove ${lock}`,
    means: "Another run is active on this organization, or ended without removing its lock.",
    out: "Wait for it. If the other run no longer exists, remove the lock that the message names.",
  }),
  /** Requests of a run of `sync` that were not carried out. */
  "apply/sync-unfinished": diagnostic<{ left: number; calls: number }>({
    says: ({ left, calls }) =>
      left === 0
        ? "every request was carried out, and the organization is still not as the file has it"
        : `${left} of ${count(calls, "request")} ${left === 1 ? "was" : "were"} not carried out`,
    help: "realmctl plan shows what is left",
    means:
      "`realmctl sync` could not carry out all of its requests: the server refused some, or others kept changing the same lists.",
    out: "Read the reasons below the message. It tries again at the next event, at its interval, and when the file changes.",
  }),
  "apply/lock-not-own": diagnostic<{ directory: Word; why: NotOwn }>({
    says: ({ directory, why }) =>
      `the directory for locks, ${directory}, ${notOwn(why)}: another account could block runs, or make them overwrite files`,
    help: "check who created it: if you did, chmod 700 it; otherwise remove it, or set TMPDIR to a directory of your own",
    means: "Another account on this machine can change the directory for locks, and could use it to block runs.",
    out: "Check who created it. If it is yours, `chmod 700` it; otherwise remove it, or set `TMPDIR` to a directory of your own.",
  }),
  /** Changes that waited for accounts which the run reactivated, and if others gain something by them. */
  "apply/not-shown": diagnostic<{ changes: readonly Named[] }>({
    says: ({ changes }, report) =>
      `not sent: ${listNames(changes.map(report.called), 5)} waited for an account that came back, and others gain something by it that the plan did not show`,
    help: "the account is back now: plan again, and review that plan",
    means:
      "Something in the file names an account that the same file reactivates, so it had to wait for that account. By it, others than this account would gain access, and the plan could not show them yet. Nobody approved that, so the run did not send it.",
    out: "Plan again: the account is back, so the new plan shows who gains what.",
  }),
  "apply/no-lock": diagnostic<{ lock: Word; why: Unreadable }>({
    says: ({ lock, why }) => `the lock ${lock} cannot be created: ${whyUnwritable(why)}`,
    help: "set XDG_RUNTIME_DIR, or TMPDIR, to a directory where you can write",
    means: "The lock that keeps two runs apart cannot be written.",
    out: "Make the directory writable.",
  }),
  /** Nothing shows that a run of this account wrote the journal. `account`: the one that it names itself. */
  "journal/foreign": diagnostic<
    {
      journal: Word;
      account: Word;
      doubt: JournalDoubt;
    } & ForUndo
  >({
    says: ({ journal, account, doubt }) =>
      `${journal} is not known to be the journal of a run of this account: ${doubtText(doubt, account)}`,
    help: ({ for_undo }) =>
      for_undo === true
        ? "nothing is undone; to undo that run nevertheless, look at the journal first, then add --foreign-journal"
        : "apply uses nothing of it, and starts from the organization as it is; to undo that run nevertheless, look at the journal first, then add --foreign-journal to --undo",
    means:
      "Nothing shows that a run of this account wrote the journal: it has no code, or one that was not made with this account's API key. It may be of another account, of a realmctl from before journals had codes, or from before the API key was changed; or somebody made or edited it.",
    out: "`apply` leaves it aside. To undo its run, read it, and add `--foreign-journal` to `--undo`: the undo is planned and checked like any change. To hear no more of it, move it away.",
  }),
  /** In a job: files among the journals that Git tracks, or that no run of this account wrote. */
  "journal/in-checkout": diagnostic({
    says: "the checkout brought files into .realmctl: Git tracks them, or they are no journals of runs of this account",
    help: "find out who committed them, remove .realmctl from the repository (git rm -r .realmctl), and run the job again",
    means:
      "The checkout of a job brought files into `.realmctl`: Git tracks them, or no run of this account wrote them. They could say that something was done that was not.",
    out: "Find out who committed them, and remove `.realmctl` from the repository.",
  }),
  /** No journal here is one of a run of this account that sent something. */
  "journal/no-run": diagnostic({
    says: "no journal in .realmctl is one of a run of this account that sent something, those of sync aside",
    help: "realmctl history shows which runs there are; run the undo in the directory of the run, or name its journal behind --undo",
    means:
      "`apply --undo` without a journal takes the last run of this account here that sent something; the runs of `sync` do not count. No journal in `.realmctl` is one: it is another directory, another account, or nothing was sent.",
    out: "Look at `realmctl history`. Run the undo in the directory of the run, or name its journal: `apply --undo JOURNAL`.",
  }),
  /** The directory of the journals, or one of them, is a symbolic link. */
  "journal/link": diagnostic<{ path: Word }>({
    says: ({ path }) =>
      `${path} is a symbolic link, and journals are not written through one: a checkout could have brought it`,
    help: ({ path }) =>
      `find out where it came from (ls -l ${path}); then remove it, and the next apply creates the directory itself`,
    means:
      "`.realmctl`, or a journal in it, is a symbolic link. The link could come from the checkout, and `apply` would write and read its journal at the target of the link. If it is `.realmctl` itself, nothing was sent; a link in it is left aside.",
    out: "Remove the link. If journals are to be kept elsewhere, copy them there after the run, or mount that place as `.realmctl`.",
  }),
  "journal/no-journal": diagnostic<{ journal: Word } & ForUndo>({
    says: ({ journal }) => `${journal} is not the journal of a run`,
    help: ({ for_undo }) =>
      for_undo === true
        ? "nothing is undone; name a file of .realmctl/, where apply writes the journals of its runs: ls .realmctl"
        : "apply writes journals into .realmctl/; move other files away from there",
    means: "The file is not the journal of a run.",
    out: "Name one of those in `.realmctl/`.",
  }),
  "journal/not-written": diagnostic<{ journal: Word; why: Unreadable }>({
    says: ({ journal, why }) => `the journal ${journal} cannot be written: ${whyUnwritable(why)}`,
    help: "nothing is sent that is not written down first; make room, or make the directory writable, or choose another working directory, then apply again",
    means: "The journal cannot be written. The run stops, because otherwise nobody could see afterwards what it did.",
    out: "Free space on the disk, or make the directory writable.",
  }),
  "journal/other-version": diagnostic<
    {
      journal: Word;
      found: number;
      reads: number;
    } & ForUndo
  >({
    says: ({ journal, found, reads }) =>
      `the journal ${journal} has version ${found} of the format; this realmctl reads version ${reads} and older`,
    help: ({ for_undo }) =>
      `${for_undo === true ? "nothing is undone" : "apply uses nothing of it, and starts from the organization as it is"}; to continue or undo its run, use the realmctl that wrote it`,
    means: "A newer realmctl wrote the journal of an unfinished run, in a form that this realmctl does not know.",
    out: "`apply` leaves it aside, and plans from the organization as it is. To undo its run, use the realmctl that wrote it.",
  }),
  "journal/unreadable": diagnostic<{ journal: Word; line?: number } & ForUndo & FactIn<typeof journalCause>>({
    says: (fact) => {
      const about =
        fact.line === undefined ? `the journal ${fact.journal}` : `line ${fact.line} of the journal ${fact.journal}`;
      return say(
        `${about} ${journalCause(fact)}`,
        fact.for_undo === true ? "nothing is undone; take the journal as the run wrote it" : MOVE_AWAY,
      );
    },
    means: "A line of the journal is not an entry: somebody edited it, or the disk damaged it.",
    out: "`apply` leaves it aside, and plans from the organization as it is. Move it away to hear no more of it.",
  }),
  "plan-file/edited": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} was changed after it was saved: its checksum does not match`,
    help: "a plan is reviewed as a whole; change realm.yaml and plan again",
    means: "The saved plan was changed after it was saved. `apply` applies only what was approved.",
    out: "Save it again with `realmctl plan --out`.",
  }),
  "plan-file/no-plan": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} is not a saved plan`,
    help: SAVE_ONE,
    means: "The file is JSON, but not a saved plan.",
    out: "Name a file that `realmctl plan --out` wrote.",
  }),
  "plan-file/not-its-own": diagnostic<{ file: Word; difference: PlanDifference }>({
    says: ({ file, difference }) =>
      `${file} is not the plan that its configuration and its snapshot give: ${differenceText(difference)}`,
    help: PLAN_AGAIN,
    means:
      "The changes, calls or guards in the saved plan do not follow from the configuration and the snapshot that are saved with them. Somebody edited the plan and computed its checksum again.",
    out: "Plan again, review that plan, and find out who edited this one. Sign plans (`--sign-with`) if they pass through many hands.",
  }),
  "plan-file/not-json": diagnostic<{ file: Word; reason: NotJson }>({
    says: ({ file, reason }) => `${file} is not a saved plan: ${notJsonText(reason)}`,
    help: SAVE_ONE,
    means: "The saved plan cannot be read: it is damaged.",
    out: "Save it again with `realmctl plan --out`.",
  }),
  "plan-file/other-tool": diagnostic<{
    file: Word;
    saved_by: Quoted;
    this_version: Word;
    because: FactIn<typeof otherTool>;
  }>({
    says: ({ file, saved_by, this_version, because }) =>
      otherTool(because, `${file} was saved by realmctl ${bare(saved_by)}: this one (${this_version})`),
    means: "The saved plan has kinds of objects or requests that this realmctl does not know: a newer one saved it.",
    out: "Apply it with the version that saved it, or plan again with this one.",
  }),
  "plan-file/other-version": diagnostic<{ file: Word; found: Quoted; reads: number }>({
    says: ({ file, found, reads }) =>
      `${file} has version ${bare(found)} of the plan format; this realmctl reads version ${reads}`,
    help: "plan again with this realmctl",
    means: "The plan was saved by another version of realmctl.",
    out: "Save it again with this one.",
  }),
  "plan-file/too-large": diagnostic<{ file: Word; most_bytes: number }>({
    says: ({ file, most_bytes }) => `${file} has more than ${most_bytes} bytes, so it is not a saved plan`,
    help: SAVE_ONE,
    means: "The file is larger than the plan of any organization (256 MiB).",
    out: "Check which file it is, and save the plan again with `realmctl plan --out`.",
  }),
  "plan/other-account": diagnostic<{ planned: Quoted; found: Quoted }>({
    says: ({ planned, found }) =>
      `the plan was made as ${bare(planned)}, but the credentials are those of ${bare(found)}`,
    help: ({ planned }) => `use the credentials of ${bare(planned)}, or plan again with these`,
    means:
      "The plan was made with another account. The account's rights, the subscriber of new channels and the changed navigation views would differ from what was reviewed.",
    out: "Use the credentials of the account that made the plan, or plan again with these.",
  }),
  "plan/redacted": diagnostic({
    says: "names in this plan were replaced for other readers, so it cannot be carried out",
    help: "apply the plan that it was made from",
    means:
      "Names in the plan were replaced for other readers (`redactPlan` of the library), so its requests are no longer those of the plan.",
    out: "Apply the plan that it was made from.",
  }),
  "plan/changed-since": diagnostic<{ changed: readonly ChangedSince[] }>({
    says: ({ changed: [first, ...more] }, report) =>
      say(
        `others changed the organization since the plan was made${first === undefined ? "" : `: ${changedText(first, report)}`}`,
        PLAN_AGAIN,
        ...more.slice(0, MOST_CHANGED).map((changed) => changedText(changed, report)),
        ...(more.length > MOST_CHANGED ? [`and ${more.length - MOST_CHANGED} more`] : []),
      ),
    means:
      "A plan has the people that groups of a list, `exact` and `except` meant when it was made, and it says who can no longer read a channel. Somebody came into such a list or left such a group since then, or can still read the channel in another way. It also says who gets a right, and somebody came into a group that it gives the right to. Or somebody made something that lets people in, such as an invitation link, in a section that is `exact`, or replaced an invitation or a link of the file by one that looks the same. The requests of the plan would put or leave somebody where the file does not want them, take out somebody whom it wants there, or leave open what it does not have, so nothing was sent. What became less since then does not matter: somebody who left a list by now, or whom the plan adds and who is there already.",
    out: "Plan again and review that plan. At a terminal, `--on-conflict replan` does so.",
  }),
  "plan/other-names": diagnostic<{
    objects: readonly {
      readonly noun: Word;
      readonly id: number;
      readonly planned: Quoted;
      readonly now: Quoted;
    }[];
  }>({
    says: ({ objects }) =>
      `${objects.length === 1 ? "an object of the plan has another name now" : `${objects.length} objects of the plan have other names now`}: ${listNames(
        objects.map(({ noun, id, planned, now }) =>
          planned.quoted === now.quoted
            ? `${noun} ${id} (both names are hidden)`
            : `${noun} ${id} was ${q(planned)} and is ${q(now)}`,
        ),
        5,
      )}`,
    help: "the changes may not be those that were reviewed: plan again",
    means:
      "An object that the saved plan changes or names has another name in the organization than in the snapshot that the plan was made from. The plan shows names, but its calls use ids: what was reviewed may not be what would change.",
    out: "Plan again and review that plan.",
  }),
  "plan/other-server": diagnostic<{ planned_level: number; level: number }>({
    says: ({ planned_level, level }) =>
      `the server was changed since the plan was made: feature level ${planned_level}, now ${level}`,
    help: "plan again",
    means: "The server was upgraded since the plan was made.",
    out: "Plan again.",
  }),
};
