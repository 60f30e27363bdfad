import { CHANNEL, INVITATION, INVITATION_LINK, isAccountKind } from "../access/scope.ts";
import { cases } from "../model/cases.ts";
import { clean } from "../model/clean.ts";
import { both, FINAL, LOST, type Said, sideEffectText } from "../model/diagnostics/undo.ts";
import { bare } from "../model/diagnostics/words.ts";
import { groupedBy } from "../model/lazy.ts";
import { releaseWords } from "../model/releases.ts";
import type { UndoFact, UndoNote } from "../model/run-facts.ts";
import { listNames, who } from "../model/words.ts";
import { below, type Line, nounOf, objectName, printText, shownMessage, shownName } from "./layout.ts";
import type { Style } from "./style.ts";
import { nameList } from "./values.ts";
import { wordsOf } from "./words/sentences.ts";

/** Kinds by the word that people use. */
const SAID_AS: { readonly [kind: string]: string } = {
  [INVITATION]: "invitation",
  [INVITATION_LINK]: "invitation_link",
};

/** Names of one group that are shown without `all`. */
const MOST_NAMES = 12;

/** The parts that an undo cannot restore. Objects of one kind with the same reason share a line. */
export function renderUndoNotes(notes: readonly UndoNote[], style: Style, all: boolean): string {
  if (notes.length === 0) return "";
  const groups = groupedBy(notes, ({ kind, fact }) => `${kind}\n${undoText(fact)}`);
  const lines = [...groups.values()].flatMap((group): readonly Line[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { name, fact } = first;
    const kind = SAID_AS[first.kind] ?? first.kind;
    const reason = clean(shownMessage(undoText(fact, group.length === 1 ? "one" : "many")));
    if (group.length === 1) return [{ text: `Not undone: ${objectName(kind, name)} ${reason}.`, indent: 2 }];
    const names = group.map((note) => (kind === CHANNEL ? `#${shownName(note.name)}` : shownName(note.name)));
    const most = all ? Number.POSITIVE_INFINITY : MOST_NAMES;
    return [
      { text: `Not undone: ${nounOf(kind, group.length)} ${reason}.`, indent: 2 },
      below(nameList(style, names, most)),
    ];
  });
  return printText(style, [lines]);
}

/** A field whose previous value is not restored. */
const stays = (field: string, why: string): Said => [`${field} stays: ${why}`, `keep their ${field}: ${why}`];

const OF_RIGHT = {
  read: ["open to", "read"],
  administer: ["administered by", "administer"],
  enter: ["open to", "come into"],
} as const;

/** Why an undo leaves an object as it is: a sentence that follows the object's name, or the number of objects. */
export function undoText(fact: UndoFact, number: "one" | "many" = "one"): string {
  const [one, many] = said(fact);
  return number === "one" ? one : many;
}

const said = cases<UndoFact, "why", Said>("why", {
  "not-found": [
    "was not found under this name: somebody renamed or deleted it since",
    "were not found under these names: somebody renamed or deleted them since",
  ],
  deleted: ["was deleted since: it cannot be restored", "were deleted since: they cannot be restored"],
  alike: ["is not created again: another one like it exists", "are not created again: others like them exist"],
  "order-changed": both("the order stays: it was changed again since"),
  "made-inactive": ({ as, field }) =>
    as === undefined
      ? [
          `cannot be deleted. It is ${field} instead and keeps its name`,
          `cannot be deleted. They are ${field} instead and keep their names`,
        ]
      : both(`cannot be deleted. It is ${field} instead, as ${as.quoted}, because another object gets its name back`),
  "created-again": ({ lost }) =>
    lost === undefined ? ["is created again, with another id", "are created again, with other ids"] : LOST[lost],
  "side-effect-stays": ({ effect }) => sideEffectText(effect),
  "not-reversible": ({ reason }) => FINAL[reason],
  "server-too-old": (fact) => {
    const needs = `needs ${releaseWords(fact.needs)}, and this server has level ${fact.level}`;
    return [`stays ${fact.field}: reactivating it ${needs}`, `stay ${fact.field}: reactivating them ${needs}`];
  },
  needed: (fact) => {
    const by = (wordsOf(fact.by).footnotes ?? []).join("; ");
    return [`stays: something that stays needs it (${by})`, `stay: something that stays needs them (${by})`];
  },
  refused: ({ by, field }) => {
    const { message } = wordsOf(by);
    return field === undefined ? [`stays as it is: ${message}`, `stay as they are: ${message}`] : stays(field, message);
  },
  // People keep what the run gave them.
  "readers-stay": ({ accounts }) => {
    const since = `who came in since the run and would still read it: ${listNames(accounts.map(who), 5)}. Unsubscribe by hand whoever must not`;
    return [`keeps subscribers ${since}`, `keep subscribers ${since}`];
  },
  "right-stays": ({ accounts, right }) => {
    const people = accounts.map(({ person, groups }) =>
      groups.length === 0 ? who(person) : `${who(person)} (by ${groups.map(bare).join(", ")})`,
    );
    const [done, verb] = OF_RIGHT[right];
    const since = `people who could not ${verb} it before the run: ${listNames(people, 5)}. Take out of the group or the permission, by hand, whoever must not`;
    return [`is still ${done} ${since}`, `are still ${done} ${since}`];
  },
  "key-seen": ({ account }) => {
    const seen = (its: string, it: string): string =>
      `${who(account)} has seen ${its}, and can use ${it} until there is a new one (Settings > Bots)`;
    return [
      `gets its owner back, but ${seen("its key", "it")}`,
      `get their owners back, but ${seen("their keys", "each")}`,
    ];
  },
  "bot-taken": ({ account }) => {
    const taken = (its: string): string =>
      `${who(account)}, who has had it only since the run. With ${its} it reads something private, or administers something: give it another owner and a new key by hand`;
    return [`stays with ${taken("its key")}`, `stay with ${taken("the key of each")}`];
  },
  "invited-since": ({ by, role }) => {
    const since = `made since the run began${by === undefined ? "" : `, by ${who(by)}`}`;
    const joins = `whoever accepts joins as ${role}, and may come into what the run opened. Revoke by hand what must not stay`;
    return [`is open, and was ${since}: ${joins}`, `are open, and were ${since}: ${joins}`];
  },
  "joined-since": ({ role }) => [
    `joined since the run began, and stays as ${role}. Deactivate by hand whoever must not`,
    `joined since the run began, and stay as ${role}. Deactivate by hand whoever must not`,
  ],
  "created-and-changed": ({ field }) => [
    `stays: somebody changed its ${field} since it was created`,
    `stay: somebody changed their ${field} since they were created`,
  ],
  changed: ({ field }) => stays(field, "it was changed again since"),
  "cannot-be-set": ({ field }) =>
    stays(field, "the API cannot set the previous value, or this version does not know it"),
  "account-inactive": ({ people, kept, field }) => {
    const who = `${people.map(({ quoted }) => quoted).join(", ")}, deactivated by now`;
    return kept
      ? [`${field} comes back without ${who}`, `get their ${field} back without ${who}`]
      : stays(field, `it was ${who}`);
  },
  "name-missing": ({ name, field }) =>
    isAccountKind(name.of ?? "")
      ? stays(field, `this account sees nobody with the address ${JSON.stringify(name.quoted)}`)
      : stays(field, `it was ${JSON.stringify(name.quoted)}, and nothing has this name now`),
});
