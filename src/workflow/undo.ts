import { botsTaken, type InsideBefore, keysSeen, stayingInside } from "../access/inside-before.ts";
import { hasInvitations } from "../access/personas.ts";
import {
  BOT,
  GROUP,
  INVITATION,
  INVITATION_LINK,
  inviteAddress,
  isInvitationLink,
  linkAddress,
  PERSON,
} from "../access/scope.ts";
import { type FoundJournal, isFinished, parseJournal, planIn, sentCalls, startOf } from "../apply/journal.ts";
import { noJournal, unreadable } from "../apply/journal-lines.ts";
import { type Undo, undoOf } from "../apply/undo.ts";
import type { UndoPart } from "../apply/undo-parts.ts";
import { wholeRun } from "../apply/whole-run.ts";
import { openConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Checked, type Diagnostic, EXIT, error, Failure, failure } from "../model/diagnostic.ts";
import { type Person, quote } from "../model/diagnostics/values.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { type Change, type Plan, type Risk, unresolvedIn } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { roleWord } from "../model/roles.ts";
import type { UndoFact, UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { planChanges } from "../plan/plan.ts";
import type { LoadOptions } from "../source/load.ts";
import { VERSION } from "../version.ts";
import { isSendable } from "../zulip/encode.ts";
import { isAbsent } from "./base.ts";
import { unknownProtections } from "./guards.ts";
import { undoneBy, withGuardsOfUndo } from "./later-guards.ts";
import { readerWith } from "./reading.ts";
import { readsOf, refuseOtherRealm } from "./realm.ts";

/** The plan that would undo a run, and the parts of the run that cannot be undone. */
export interface PlannedUndo {
  /**
   * The plan, with the guard rail against lock-outs. `guardUndo` checks it again with the guard rails of a file, and needs the allowed names, too.
   */
  readonly plan: Plan;
  /** Nothing shows that a run of this account wrote the journal, and somebody asked for the undo nevertheless: `guardUndo` needs to know it. */
  readonly isForeign: boolean;
  /** The reading that it was made from. */
  readonly snapshot: Snapshot;
  readonly notes: readonly UndoNote[];
  /**
   * How many of the notes are about parts that no plan may restore (the account has no right, or something else is in the way), or about people who stay in
   * what the run opened, or have the key of a bot that it gave to them.
   */
  readonly left: number;
  /** Name of the journal of a run that this one continued, and whose other calls this plan does not undo. */
  readonly leaves?: string;
  /** The journal has no end: how many of the run's requests it has. What is missing of it was perhaps sent, and is not undone. */
  readonly unended?: { readonly sent: number; readonly calls: number };
  planAgain(snapshot: Snapshot): Promise<Checked<Plan>>;
}

/**
 * Journal of a run and realm → plan that restores the previous value of every field, unless somebody changed it since. A run that continued one that
 * was interrupted, or did a part, is undone together with it if both carried out the same calls (a saved plan); and so is one that completed another.
 * @throws Failure if the file is not a journal, is one of another realm, or the realm cannot be read
 */
export async function planUndo(
  text: string,
  file: string,
  options: {
    readonly reader: ZulipReader;
    /** Recognises the journals of its account. */
    readonly writer?: ZulipWriter;
    /** Somebody asked, in so many words, for the undo of a journal that nothing shows to be this account's. */
    readonly isForeignAllowed?: boolean;
    readonly kinds?: readonly ResourceKind[];
    /** The file that describes the organization: whoever joins by its open invitations and links comes into what the undo opens. It may not exist. */
    readonly configuration?: LoadOptions;
    /** The names of allowed guards. Protections are allowed in `guardUndo`, which knows the files with them; here they are an error. */
    readonly allow?: readonly string[];
    /** The text of a journal beside this one; undefined if it no longer exists. */
    readonly readJournal?: (name: string) => Promise<string | undefined>;
  },
): Promise<Checked<PlannedUndo>> {
  const unknown = unknownProtections(options.allow ?? [], []);
  if (unknown.length > 0) return { ok: false, diagnostics: unknown };
  const source = { ...options, codeOf: options.writer?.codeOf };
  const named = forUndo(() => readRun(text, file, source.codeOf));
  const reads = readsOf(named.done);
  const { reader, beside } = await withInvitations(options, hasRisk(named.done, isOpening));
  const snapshot = await reader.snapshot(reads);
  // The journal of another organization has codes that this account never made: the organization is the cause.
  refuseOtherRealm(named.done, snapshot, "journal");
  if (options.isForeignAllowed !== true) refuseForeign(named.journal, named.start.account, file);
  const known = options.kinds ?? kinds;
  const { journal, plan: done, earlier, isForeign, leaves } = await wholeRun(named.journal, named.done, source);
  const staying = new Map<UndoPart["of"], UndoFact>();
  let undo = undoOf(journal, snapshot, known, earlier);
  const planAgain = (reading: Snapshot): Promise<Checked<Plan>> =>
    planJournalled(file, { desired: { ...undo.desired, ...beside(reading) }, snapshot: reading, kinds: known });
  let plan = await planAgain(snapshot);
  const refusal = errorsOf(plan);
  // A part that cannot be restored stays, and then everything that needs it, and so on: each round leaves more as it is, or is the last.
  for (let round = 1; errorsOf(plan).length > 0; round += 1) {
    const before = staying.size;
    for (const [of, fact] of stayingFor(plan, undo, round > MOST_ROUNDS ? done.changes : [])) staying.set(of, fact);
    if (staying.size === before) break;
    undo = undoOf(journal, snapshot, known, earlier, staying);
    plan = await planAgain(snapshot);
  }
  if (!plan.ok) return refused(plan.diagnostics);
  const refusedParts = undo.notes.filter(({ fact }) => fact.why === "refused").length;
  // Nothing of it can be undone: that is an error, not a partial undo.
  if (refusedParts > 0 && plan.value.changes.length === 0) return refused(refusal);
  const people = whoStays(done, plan.value.changes, snapshot, [journal, ...earlier], known);
  const notes = [...undo.notes, ...people];
  const left = refusedParts + people.length;
  const bare: Plan = {
    ...plan.value,
    warnings: plan.value.warnings.filter(isOfUndo),
    extra: { ...plan.value.extra, reads: { ...reads, invites: snapshot.invites !== null } },
  };
  const guards = { policies: [], allow: options.allow ?? [], undoes: undoneBy(isForeign) };
  const whole = withGuardsOfUndo({ plan: bare, snapshot, kinds: known, ...guards });
  const extent = { sent: sentCalls(named.journal).size, calls: named.done.calls.length };
  const unended = isFinished(named.journal) ? undefined : extent;
  return {
    ok: true,
    value: { plan: whole, isForeign, snapshot, notes, left, planAgain, ...defined({ leaves, unended }) },
    warnings: plan.warnings.filter(isOfUndo),
  };
}

/**
 * The organization's file beside a journal, if it invites and is this organization's, and a reader that reads which invitations are open, also if the run
 * opened something. Nothing is known of a file with errors: an undo must not depend on them.
 */
async function withInvitations(
  { reader, configuration }: Pick<Parameters<typeof planUndo>[2], "reader" | "configuration">,
  opens: boolean,
): Promise<{
  readonly reader: ZulipReader;
  beside(reading: Snapshot): Pick<Desired, "beside">;
}> {
  const none = { reader: opens ? readerWith(reader, { invites: true }) : reader, beside: () => ({}) };
  if (configuration === undefined || (await isAbsent(configuration))) return none;
  const { decode } = await openConfig({ ...configuration, kinds });
  const alone = decode();
  if (!(alone.ok && hasInvitations(alone.value))) return none;
  return {
    reader: readerWith(reader, { invites: true }),
    beside: (reading) => {
      if (otherRealm(alone.value, reading) !== undefined) return {};
      const here = decode(new Realm(reading));
      return { beside: here.ok ? here.value : alone.value };
    },
  };
}

/** Who keeps what they came into, or what they made, since the first of the runs began. @param done the run, @param changes what undoes it */
function whoStays(
  done: Plan,
  changes: readonly Change[],
  snapshot: Snapshot,
  journals: readonly FoundJournal[],
  known: readonly ResourceKind[],
): readonly UndoNote[] {
  const began = Math.min(...startsOf(journals).map(({ at }) => Date.parse(at))) / 1000 - CLOCKS_DIFFER_S;
  return [
    ...readersWhoStay(changes, snapshot, journals, known),
    ...(hasRisk(done, isOpening) ? invitedSince(changes, snapshot, began) : []),
    ...(hasRisk(done, letsJoin) ? joinedSince(snapshot, began) : []),
  ];
}

type StayingFact = Extract<UndoFact, { readonly why: "readers-stay" | "right-stays" }>;

/** Who came into private channels that the run opened, and stays, and who has the keys of bots. What the first of the runs noted counts. */
function readersWhoStay(
  changes: readonly Change[],
  snapshot: Snapshot,
  journals: readonly FoundJournal[],
  known: readonly ResourceKind[],
): readonly UndoNote[] {
  const starts = startsOf(journals);
  const noted: InsideBefore = {
    inside: Object.assign({}, ...starts.map(({ inside }) => inside)),
    readers: Object.assign({}, ...starts.map(({ readers }) => readers)),
    administrators: Object.assign({}, ...starts.map(({ administrators }) => administrators)),
    groups: Object.assign({}, ...starts.map(({ groups }) => groups)),
    ...defined({
      already: starts.findLast(({ already }) => already !== undefined)?.already,
      owners: starts.find(({ owners }) => owners !== undefined)?.owners,
    }),
  };
  const realm = new Realm(snapshot);
  const personOf = personIn(realm);
  const keys = keysSeen(changes, snapshot).map(
    ({ name, by }): UndoNote => ({ kind: BOT, name, fact: { why: "key-seen", account: personOf(by) } }),
  );
  const nameOf = namesById(known, BOT, realm);
  const taken = botsTaken(changes, snapshot, noted).map(
    ({ id, by }): UndoNote => ({ kind: BOT, name: nameOf(id), fact: { why: "bot-taken", account: personOf(by) } }),
  );
  const inside = stayingInside(changes, snapshot, noted).flatMap((one) => {
    const { kind, name, subscribed, admitted, administering, entering } = one;
    const stays = (right: "read" | "administer" | "enter", people: typeof admitted): StayingFact => ({
      why: "right-stays",
      right,
      accounts: people.map(({ id, groups }) => ({
        person: personOf(id),
        groups: groups.map((group) => quote(group, GROUP)),
      })),
    });
    const facts: readonly StayingFact[] = [
      { why: "readers-stay", accounts: subscribed.map(personOf) },
      stays("read", admitted),
      stays("administer", administering),
      stays("enter", entering),
    ];
    return facts.flatMap((fact): UndoNote[] => (fact.accounts.length === 0 ? [] : [{ kind, name, fact }]));
  });
  return [...inside, ...keys, ...taken];
}

const startsOf = (journals: readonly FoundJournal[]) => journals.flatMap((journal) => startOf(journal) ?? []);

const personIn =
  (realm: Realm) =>
  (id: number): Person => ({ user_id: id, ...defined({ full_name: realm.user(id)?.full_name }) });

/** How plans call the objects of a kind, by their ids. */
function namesById(known: readonly ResourceKind[], kind: string, realm: Realm): (id: number) => string {
  const found = known.find(({ name }) => name === kind);
  const names = new Map((found && liveObjects(found, realm))?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `#${id}`;
}

/** Clocks of this machine and of the server differ by less, as a rule. */
const CLOCKS_DIFFER_S = 60;

const hasRisk = ({ changes }: Plan, is: (risk: Risk) => boolean): boolean =>
  changes.some(({ risks }) => risks.some(is));
const isOpening = ({ kind }: Risk): boolean => kind === "widens";
/** Whether a change lets people join, or lets somebody invite them. */
const letsJoin = ({ kind, fact }: Risk): boolean =>
  kind === "widens" && (fact.kind === "organization-right" ? INVITING.has(fact.setting) : LETTING_JOIN.has(fact.kind));
const INVITING: ReadonlySet<string> = new Set(["can_invite_users_group", "create_multiuse_invite_group"]);
const LETTING_JOIN: ReadonlySet<string> = new Set([
  "joining",
  "may-join",
  "restriction-lifted",
  "link-made",
  "invited-as",
] satisfies readonly Risk["fact"]["kind"][]);

/** Accounts of people who joined since the first of the runs began: what they joined by is undone, and they stay. */
function joinedSince({ users }: Snapshot, began: number): readonly UndoNote[] {
  const since = users.filter(
    ({ is_active, is_bot, date_joined }) =>
      is_active && !is_bot && date_joined !== undefined && Date.parse(date_joined) / 1000 >= began,
  );
  return since.map(({ full_name, role }) => ({
    kind: PERSON,
    name: full_name,
    fact: { why: "joined-since", role: roleWord(role) },
  }));
}

/** Invitations and links that others made since the first of the runs began, and that stay open: no server shows where they lead. */
function invitedSince(changes: readonly Change[], snapshot: Snapshot, began: number): readonly UndoNote[] {
  const realm = new Realm(snapshot);
  const personOf = personIn(realm);
  const now = Date.parse(snapshot.taken_at) / 1000;
  const ended = new Set(changes.map(({ address, id }) => (isInvitationLink(address) ? linkAddress(`${id}`) : address)));
  return (snapshot.invites ?? [])
    .filter(({ invited, invited_by_user_id: by }) => invited >= began && by !== snapshot.account.user_id)
    .filter(({ expiry_date }) => expiry_date === null || expiry_date > now)
    .filter(({ id, email }) => !ended.has(email === null ? linkAddress(`${id}`) : inviteAddress(email)))
    .map(({ id, email, is_multiuse, invited_by_user_id: by, invited_as }): UndoNote => {
      const kind = is_multiuse ? INVITATION_LINK : INVITATION;
      const maker = by === null ? undefined : personOf(by);
      const fact = { why: "invited-since", role: roleWord(invited_as), ...defined({ by: maker }) } as const;
      return { kind, name: email ?? `(id ${id})`, fact };
    });
}

/** No file is read, so what a file should list is nobody's mistake. */
const OF_LISTS: ReadonlySet<string> = new Set([
  "channels/unlisted",
  "channels/no-list",
  "channels/unset-opening",
  "channels/unset-privacy",
]);
const isOfUndo = ({ code }: Diagnostic): boolean => !OF_LISTS.has(code);

/** @throws Failure if nothing shows that a run of this account wrote the journal */
function refuseForeign({ doubt }: ReturnType<typeof parseJournal>, account: string, file: string): void {
  if (doubt === undefined) return;
  throw failure("journal/foreign", { journal: file, account, doubt, for_undo: true }, EXIT.conflict);
}

/** @throws Failure if the file is not a journal */
function readRun(text: string, file: string, codeOf: Parameters<typeof parseJournal>[2]) {
  const journal = parseJournal(text, file, codeOf);
  const [start, done] = [startOf(journal), planIn(journal)];
  if (start === undefined || done === undefined) throw noJournal(file);
  return { journal, start, done };
}

/** What cannot be read was named by somebody: the advice for a journal that apply finds would be wrong. */
function forUndo<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const [one, ...others] = thrown.diagnostics.map(ofUndo);
    if (one === undefined) throw thrown;
    throw new Failure(thrown.exitCode, one, ...others);
  }
}

function ofUndo(diagnostic: Diagnostic): Diagnostic {
  switch (diagnostic.code) {
    case "journal/no-journal":
      return error(diagnostic.code, { ...diagnostic.fact, for_undo: true });
    case "journal/other-version":
      return error(diagnostic.code, { ...diagnostic.fact, for_undo: true });
    case "journal/unreadable":
      return error(diagnostic.code, { ...diagnostic.fact, for_undo: true });
    default:
      return diagnostic;
  }
}

/** @throws Failure if a value in the journal has a form that its kind never made */
async function planJournalled(
  file: string,
  input: Omit<Parameters<typeof planChanges>[0], "toolVersion">,
): Promise<Checked<Plan>> {
  try {
    const planned = planChanges({ ...input, toolVersion: VERSION });
    if (planned.ok && planned.value.calls.some(({ params }) => !isSendable(params)))
      throw unreadable({ journal: file, line: 1, cause: "text" });
    return planned.ok
      ? { ...planned, value: { ...planned.value, changes: planned.value.changes.map(ofUndoAlone) } }
      : planned;
  } catch (thrown) {
    // The schema of a journal does not check its values: among all inputs of planning, only these were never checked by a kind.
    if (!(thrown instanceof RangeError || thrown instanceof TypeError)) throw thrown;
    throw unreadable({ journal: file, line: 1, cause: "value", reason: thrown.message });
  }
}

/** No list of a file is applied with an undo: an account that is back stays where it was. */
const ofUndoAlone = (change: Change): Change => ({
  ...change,
  risks: change.risks.map((risk) =>
    risk.fact.kind === "account-reactivated" ? { ...risk, fact: { ...risk.fact, by_undo: true } } : risk,
  ),
});

/** The errors without places, since a line of the journal does not show where an error is. */
const refused = (diagnostics: readonly Diagnostic[]): Checked<never> => ({
  ok: false,
  diagnostics: diagnostics.filter(isOfUndo).map(({ at: _, notes: __, ...diagnostic }) => diagnostic),
});

/** What cannot be restored: as in a file, a name that leads nowhere by now does not stop the rest. */
const errorsOf = (plan: Checked<Plan>) => (plan.ok ? unresolvedIn(plan.value) : plan.diagnostics);

/** After this number of rounds a kind stays as a whole: its parts that may not be restored are reported one object after the other. */
const MOST_ROUNDS = 10;

/** The parts that the errors of a plan are about, and why they stay. */
function* stayingFor(
  plan: Checked<Plan>,
  undo: Undo,
  changes: readonly Change[],
): Iterable<readonly [UndoPart["of"], UndoFact]> {
  for (const { at, code, fact, severity } of errorsOf(plan)) {
    const part = severity === "error" ? undo.partAt(at) : undefined;
    if (part === undefined) continue;
    const by = { code, fact };
    yield [
      part.of,
      code.endsWith("/in-use") ? { why: "needed", by } : { why: "refused", ...defined({ field: part.field }), by },
    ];
    for (const change of changes) if (change.kind === part.kind) yield [change, { why: "refused", by }];
  }
}
