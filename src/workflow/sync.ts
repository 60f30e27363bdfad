import { forgetOldRuns } from "../apply/journal.ts";
import { lockRoot } from "../apply/lock.ts";
import type { Stop } from "../apply/options.ts";
import { syncable } from "../config/sync-parts.ts";
import { kinds as allKinds } from "../kinds/registry.ts";
import type { SnapshotRequest, ZulipReader, ZulipWriter } from "../model/api.ts";
import type { ListPart } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, Failure, failIfAny, failure, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type Address, isAboutTheAccount, type Plan, refusedIn } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { ApplyResult, CallResult } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import {
  type HeldChange,
  type HeldSince,
  heldKey,
  type KnownLists,
  type SyncEvent,
  type SyncedList,
} from "../model/sync.ts";
import { listShift } from "../model/texts.ts";
import { type ChangePart, type HeldPart, partsHeldBy, partsRefused } from "../plan/held-changes.ts";
import {
  isPersonName,
  type ListMeanings,
  meaningsOf,
  type OpenList,
  openListsSince,
  otherLists,
  personName,
} from "../plan/open-lists.ts";
import {
  allowedOperations,
  beyondLists,
  idleParts,
  keptLists,
  type SyncedPart,
  syncedPart,
  syncOf,
  type Waits,
} from "../plan/synced.ts";
import { type ApplyPlanOptions, applyRealm, findEarlierRuns } from "./apply.ts";
import { type FollowPorts, follow, isAway } from "./follow.ts";
import { guardDiagnostic, refusingGuards } from "./refusals.ts";
import { type Planned, type PlanOptions, planRealm } from "./workflow.ts";

/*
 * Keeps the lists that `policy: sync:` names as the file has them: at once on the server's events, and at an interval.
 *
 *     reading → plan of these lists alone (plan/synced.ts) → nothing to do, or apply with its guard rails, its lock and its journal
 *     a guard rail, a right that the account lacks:     the changes of lists that it is about wait (plan/held-changes.ts); all others are sent
 *     an error of the file, a refused request:          paused; the next event, interval or change of the file tries again
 *     no answer, another run is active:                 another attempt after a growing pause
 *
 * A reading is never remembered, so nothing has to be restored after a restart, but one thing: which lists people could enter by themselves, since no later
 * reading shows who did, and which objects the names of its lists meant (plan/open-lists.ts). The writer refuses every operation that does not belong to the fields that
 * are kept, whatever the plan says.
 */

/** The functions that `syncRealm` needs from its caller. */
interface SyncPorts extends Pick<FollowPorts, "open" | "wakeBy" | "sleep" | "random" | "signal"> {
  /**
   * Reads file and organization.
   * @param open lists that people could enter by themselves when they were last read
   * @param meant what the names of the lists meant then
   * @throws Failure
   */
  plan(open: ReadonlySet<string>, meant: ListMeanings): Promise<PlannedLists>;
  readonly runs: RunOptions;
  /** What the process before this one said last with the event `open`. */
  readonly before?: KnownLists;
  /** Gets everything that happens, in its order. */
  tell(event: SyncEvent): Promise<void>;
  now(): number;
  readonly intervalMs: number;
}

interface PlannedLists extends Pick<SyncedPart, "lists" | "waiting"> {
  /** Without what waits. */
  readonly planned: Pick<Planned, "plan" | "planAgain" | "hold">;
  readonly held: readonly HeldChange[];
  /** Lists that people can enter by themselves, or could, and then somebody waits there. */
  readonly open: ReadonlySet<string>;
  /** What the names of the lists mean today; of those that wait for it, what they meant before. */
  readonly meant: ListMeanings;
  /** Patterns that name no list of the file. */
  readonly idle: readonly Diagnostic[];
}

interface ListOptions extends Omit<PlanOptions, "targets" | "narrowed"> {
  /** Lists that people could enter by themselves when they were last read. */
  readonly open?: ReadonlySet<string>;
  /** What the names of the lists meant when they were last read. */
  readonly meant?: ListMeanings;
}

/**
 * Plans only the lists that the policies name, and of them what no guard rail and no missing right holds back.
 * @throws Failure if the organization cannot be read, or no policy names a list that the file has
 */
export async function planLists(options: ListOptions): Promise<Checked<PlannedLists>> {
  const held: HeldPart[] = [];
  let own = options;
  let stillOpen: ReadonlySet<string> | undefined;
  let meant: ListMeanings | undefined;
  for (;;) {
    const found = await planWithout(held, own);
    if (!found.ok) return found;
    const { planned, lists, open, now, away } = found.value;
    const { plan, snapshot } = planned;
    const refused = refusedIn(plan);
    const guards = refusingGuards(plan, true);
    // Nobody comes in by a list that is a door; whoever has to leave it still does.
    const waits = open.map((one) => ({ ...one, parts: partsOf(plan, one) }));
    // Only the first plan has all that is to be added.
    stillOpen ??= new Set([
      ...waits.flatMap(({ list, isShut, parts }) => (isShut && parts.length === 0 ? [] : list)),
      ...[...(options.open ?? NONE)].filter((list) => away.has(list)),
    ]);
    meant ??= withWaiters(
      meaningsAfter(
        options.meant,
        now,
        new Set(waits.flatMap(({ list, isWhole, parts }) => (isWhole && parts.length > 0 ? list : []))),
      ),
      waits,
      new Realm(snapshot),
    );
    const more = [...partsRefused(plan, refused), ...waits.flatMap(({ parts }) => parts)];
    // A limit counts what is left once protected lists wait.
    const protections = guards.filter(({ fact: { about } }) => about.kind === "protected");
    const deciding = protections.length > 0 ? protections : guards;
    if (more.length === 0 && guards.length > 0)
      more.push(...partsHeldBy({ plan, snapshot, kinds: own.kinds ?? allKinds }, deciding, guardDiagnostic));
    if (more.length === 0) {
      // What is left of the plan is refused as a whole: that is about none of its lists.
      if (refused.length > 0) return { ok: false, diagnostics: plan.warnings };
      return { ...found, value: { ...found.value, held: heldIn(held, lists), open: stillOpen, meant } };
    }
    held.push(...more);
    own = { ...options, reader: readBefore(snapshot, options.reader) };
  }
}

const partsOf = (plan: Plan, { warning: open, isWhole }: OpenList): readonly HeldPart[] =>
  partsRefused(plan, [open]).filter(({ part }) => isWhole === true || part === "additions");

/** A name that means nothing now may come back: what it meant is kept. */
function meaningsAfter(
  before: ListMeanings = new Map(),
  now: ListMeanings,
  waiting: ReadonlySet<string>,
): ListMeanings {
  const after = new Map(before);
  for (const [list, names] of now)
    after.set(list, new Map([...(after.get(list) ?? []), ...(waiting.has(list) ? [] : names)]));
  return after;
}

/** Begins the name under which the meanings of a list have somebody who waits in it. */
const WAITER = personName("#");

/** Who waits in lists that people could enter by themselves. Somebody who is deactivated waits no more, is in the list again once they return, and is remembered until then. */
function withWaiters(
  meant: ListMeanings,
  waits: readonly (Pick<OpenList, "list" | "isWhole"> & { readonly parts: readonly HeldPart[] })[],
  realm: Realm,
): ListMeanings {
  const after = new Map(
    [...meant].map(([list, names]) => [list, new Map([...names].filter(([name, id]) => !isBack(name, id, realm)))]),
  );
  for (const { list, isWhole, parts } of waits)
    for (const name of parts.flatMap((part) => (part.part === "additions" && isWhole !== true ? part.names : []))) {
      const id = realm.userByEmail(name)?.user_id;
      if (id !== undefined) after.set(list, (after.get(list) ?? new Map()).set(`${WAITER}${id}`, id));
    }
  return after;
}

const isBack = (name: string, id: number, realm: Realm): boolean =>
  name.startsWith(WAITER) && realm.user(id)?.is_active === true;

/** Lists in which somebody waited who was deactivated meanwhile. */
const listsOfReturned = (meant: ListMeanings, realm: Realm): readonly string[] =>
  [...meant].flatMap(([list, names]) => ([...names].some(([name, id]) => isBack(name, id, realm)) ? list : []));

function heldIn(parts: readonly HeldPart[], lists: readonly SyncedList[]): readonly HeldChange[] {
  return parts.flatMap(({ address, field, part, names, why }) => {
    const list = lists.find(({ object, field: own }) => object.address === address && own === field);
    return list === undefined ? [] : [{ list, part, names, why }];
  });
}

/** What one reading found, as often as it is enough. */
function readBefore(snapshot: Snapshot, reader: ZulipReader): ZulipReader {
  return {
    snapshot: async (request, signal) => {
      const isEnough =
        (!request.subscribers || snapshot.subscribers !== null) && (!request.invites || snapshot.invites !== null);
      return isEnough ? snapshot : reader.snapshot(request, signal);
    },
  };
}

async function planWithout(
  held: readonly ChangePart[],
  options: ListOptions,
): Promise<
  Checked<
    Omit<PlannedLists, "planned" | "held" | "open" | "meant"> & {
      readonly planned: Planned;
      readonly open: readonly OpenList[];
      readonly now: ListMeanings;
      /** Lists of which a name means nothing now: who waits in them is not in the plan. */
      readonly away: ReadonlySet<string>;
    }
  >
> {
  const known = options.kinds ?? allKinds;
  const waits = waitsOf(held);
  let part: SyncedPart | undefined;
  let idle: readonly Diagnostic[] = [];
  let open: readonly OpenList[] = [];
  let now: ListMeanings = new Map();
  let away: readonly string[] = [];
  const planned = await planRealm({
    ...options,
    showsRefused: true,
    narrowed: (desired, reading, policies) => {
      const named = syncOf(policies);
      if (named === undefined) throw failure("policy/nothing-to-sync", { file: options.file, parts: syncable(known) });
      part = syncedPart(desired, reading, known, named, waits);
      const input = { desired, snapshot: reading, changes: [], kinds: known, parts: named };
      now = meaningsOf(input);
      away = [
        ...keptLists(desired, known, named).flatMap(({ kind, declared, field }) =>
          declared.gaps?.some((gap) => gap.field === field || gap.field === "") === true
            ? [`${kind}:${declared.name} ${field}`]
            : [],
        ),
        ...part.waiting.map(({ object, field }) => `${object.address} ${field}`),
      ];
      const meant = options.meant ?? new Map();
      const before = new Set([...(options.open ?? NONE), ...listsOfReturned(meant, new Realm(reading))]);
      open = [...otherLists(input, meant), ...openListsSince(input, before)];
      const parts = idleParts(desired, known, named);
      idle = parts.map(({ pattern, at }) =>
        warning("policy/sync", { pattern: quote(pattern), file: options.file }, at),
      );
      // There is nothing to be healthy about: whoever watches it has to hear of it.
      if (parts.length === named.flat().length)
        failIfAny(
          EXIT.errors,
          idle.map((one) => ({ ...one, severity: "error" })),
        );
      return part.desired;
    },
  });
  if (!planned.ok) return planned;
  const { lists = [], waiting = [] } = part ?? {};
  return { ...planned, value: { planned: planned.value, lists, waiting, idle, open, now, away: new Set(away) } };
}

const NONE: ReadonlySet<string> = new Set();

function waitsOf(held: readonly ChangePart[]): Waits {
  const waits = new Map<Address, { [field: string]: Set<ListPart> }>();
  for (const { address, field, part } of held) {
    const own = waits.get(address) ?? {};
    own[field] = (own[field] ?? new Set<ListPart>()).add(part);
    waits.set(address, own);
  }
  return waits;
}

interface RunOptions extends Pick<ApplyPlanOptions, "reader" | "writer" | "directory" | "now" | "temporary"> {
  /** The file whose lists are kept, for the journal. */
  readonly file: string;
  readonly allow: readonly string[];
  readonly stop: Stop;
}

/** @throws Failure before anything is sent, as `applyRealm` does */
function applyLists(
  { planned, lists }: PlannedLists,
  { allow, file, temporary = lockRoot(process.env), ...options }: RunOptions,
): Promise<ApplyResult> {
  const { plan, planAgain, hold } = planned;
  return applyRealm(plan, {
    ...options,
    temporary,
    source: { is: "sync", file },
    writer: onlyLists(options.writer, lists),
    planAgain,
    hold: async (reading, isBegun, made) => void (await hold(reading, allow, isBegun, made)),
  });
}

/** The longest time for which a reading is as good as a new one. */
const FRESH_MS = 500;

/** Reads for plans and for the runs of these plans: a run that begins right after its plan needs no second reading before its first request. */
export class SharedReader {
  readonly ofPlan: ZulipReader;
  readonly ofRun: ZulipReader;
  private last: { readonly key: string; readonly snapshot: Snapshot; readonly atMs: number } | undefined;

  constructor(reader: ZulipReader, now: () => number) {
    this.ofPlan = {
      snapshot: async (request, signal) => {
        const snapshot = await reader.snapshot(request, signal);
        this.last = { key: keyOf(request), snapshot, atMs: now() };
        return snapshot;
      },
    };
    this.ofRun = {
      snapshot: async (request, signal) => {
        const { last } = this;
        this.last = undefined;
        const isFresh = last !== undefined && last.key === keyOf(request) && now() - last.atMs <= FRESH_MS;
        return isFresh ? last.snapshot : reader.snapshot(request, signal);
      },
    };
  }
}

const keyOf = ({ subscribers, invites }: SnapshotRequest): string => `${subscribers} ${invites}`;

/** A writer that sends nothing but changes of lists. */
function onlyLists(writer: ZulipWriter, lists: readonly SyncedList[]): ZulipWriter {
  const operations = allowedOperations(lists, allKinds);
  return {
    ...writer,
    send(call, ...more) {
      if (!operations.has(call.operation)) throw new RangeError(`sync must not send ${call.operation}`);
      return writer.send(call, ...more);
    },
  };
}

/** Changes within this time become one plan. */
const SETTLE_MS = 300;
/**
 * The same while changes keep coming. A change costs up to ten requests, with the readings before and after it and the events of the change itself, and a
 * server allows 200 a minute: so sixty joins in half a minute are twenty plans, and each is still carried out within two seconds.
 */
const BUSY_SETTLE_MS = 1_500;
/** A reading that is not older makes the next event one of many. */
const BUSY_MS = 5_000;
/** How often a plan is made again at once if others change the same lists meanwhile. */
const MOST_ROUNDS = 5;
/** Runs after which journals are deleted again: all journals are read for it. */
const RUNS_BETWEEN = 20;

/**
 * Keeps the lists until the signal fires.
 * @throws Failure from the first reading if the file or the credentials are wrong
 */
export async function syncRealm(ports: SyncPorts): Promise<void> {
  const sync = new Sync(ports);
  await follow({
    ...ports,
    settleMs: () => sync.settleMs(),
    read: () => sync.reconcile(),
    judge: (failure, isReading, isFirst) => {
      if (isAway(failure) || isLocked(failure)) return "again";
      if (isFirst && isOfCommand(failure)) return "end";
      return isReading ? "next" : "again";
    },
    hindered: (failure, waitMs) => sync.meet(failure, waitMs),
    // Only a reading shows whether everything is right.
    recovered: () => {},
  });
  await ports.tell({ event: "end" });
}

const isLocked = ({ diagnostics }: Failure): boolean => diagnostics.some(({ code }) => code === "apply/locked");

/** The file or the key is wrong. A role that is missing may come back. */
const isOfCommand = ({ exitCode, diagnostics }: Failure): boolean =>
  (exitCode === EXIT.errors || exitCode === EXIT.notAllowed) && !diagnostics.every(isAboutTheAccount);

class Sync {
  private readonly ports: SyncPorts;
  private isStarted = false;
  /** The end of the last reading after which nothing was left to do. */
  private readAtMs = 0;
  private pausedAt: number | undefined;
  private reasons = "";
  private hindrance = "";
  private left = "";
  /** What waits for guard rails, and since when. */
  private held: readonly HeldSince[] = [];
  /** Runs with a journal since journals were deleted. */
  private runs = Number.POSITIVE_INFINITY;
  private openLists: ReadonlySet<string>;
  private meant: ListMeanings;
  /** What was last said with the event `open`. */
  private known: string;
  /** What became of the requests of a run that was not completed. */
  private open: readonly CallResult[] = [];

  constructor(ports: SyncPorts) {
    this.ports = ports;
    const { open, meant } = ports.before ?? { open: [], meant: {} };
    this.openLists = new Set(open);
    this.meant = new Map(Object.entries(meant).map(([list, names]) => [list, new Map(Object.entries(names))]));
    this.known = JSON.stringify({ open, meant });
  }

  settleMs(): number {
    return this.ports.now() - this.readAtMs < BUSY_MS ? BUSY_SETTLE_MS : SETTLE_MS;
  }

  /** Brings the lists to the state of the file. @throws Failure if that is not possible now */
  async reconcile(): Promise<void> {
    const { ports } = this;
    for (let round = 1; ; round += 1) {
      const found = await ports.plan(this.openLists, this.meant);
      this.meant = found.meant;
      const { plan } = found.planned;
      const beyond = beyondLists(plan, found.lists, allKinds);
      if (beyond.length > 0) throw new RangeError(`sync must not plan ${beyond.join(", ")}`);
      await this.begin(found);
      const { directory, writer, temporary } = ports.runs;
      const earlier = findEarlierRuns(directory, plan.realm.url, { writer, plan, ...defined({ temporary }) });
      const unfinished = earlier.unfinished?.journal;
      if (unfinished !== undefined) await ports.tell({ event: "continue", journal: unfinished });
      if (plan.calls.length === 0 && unfinished === undefined) return this.complete(found);
      const result = await this.applied(found, round);
      if (result === undefined) continue;
      if (result.journal !== null) this.tidy(plan);
      await ports.tell({ event: "sent", requests: result.calls.filter(({ state }) => state === "done").length });
      for (const change of changesOf(result, found.lists)) await ports.tell(change);
      if (isDone(result)) return this.complete(found);
      if (ports.signal.aborted) return;
      this.open = result.calls.filter(({ state }) => state === "failed" || state === "conflict");
      // A later reading met a guard rail: the next plan says what waits for it.
      const isOthers = result.diagnostics.every(isOfReading) && this.open.every(({ state }) => state === "conflict");
      if (!isOthers || round === MOST_ROUNDS) throw failureOf(result);
    }
  }

  private tidy(plan: Plan): void {
    this.runs += 1;
    if (this.runs < RUNS_BETWEEN) return;
    this.runs = 0;
    const { directory, writer } = this.ports.runs;
    forgetOldRuns(directory, plan.realm.url, writer.codeOf);
  }

  /** @returns undefined if a newer reading met a guard rail that the plan did not meet: it is to be planned again */
  private async applied(found: PlannedLists, round: number): Promise<ApplyResult | undefined> {
    try {
      return await applyLists(found, this.ports.runs);
    } catch (thrown) {
      const isNewer = refusingGuards(found.planned.plan, true).length === 0 && round < MOST_ROUNDS;
      if (isNewer && thrown instanceof Failure && thrown.exitCode === EXIT.refusedByGuard) return undefined;
      throw thrown;
    }
  }

  /** Says why nothing can be done now. */
  async meet(failure: Failure, waitMs: number | undefined): Promise<void> {
    const { ports, open: calls } = this;
    const why = failure.diagnostics;
    const reasons = JSON.stringify([why.map(({ code, fact }) => [code, fact]), calls.map(({ fact }) => fact)]);
    this.open = [];
    if (waitMs !== undefined && (isAway(failure) || isLocked(failure))) {
      const codes = why.map(({ code }) => code).join();
      await ports.tell({ event: "hindered", isNew: codes !== this.hindrance, why, again_in_ms: waitMs });
      this.hindrance = codes;
      return;
    }
    const isNew = this.pausedAt === undefined || reasons !== this.reasons;
    this.pausedAt ??= ports.now();
    this.reasons = reasons;
    this.hindrance = "";
    await ports.tell({ event: "pause", isNew, isGuard: failure.exitCode === EXIT.refusedByGuard, why, calls });
  }

  private async begin({ planned, lists, waiting, idle, held, open, meant }: PlannedLists): Promise<void> {
    const { ports } = this;
    const { plan } = planned;
    if (!this.isStarted)
      await ports.tell({
        event: "start",
        realm: plan.realm.url,
        lists: lists.length,
        interval_ms: ports.intervalMs,
      });
    this.isStarted = true;
    const findings = [...idle, ...plan.warnings.filter(({ unresolved }) => unresolved !== undefined)];
    const left = JSON.stringify([waiting, findings.map(({ code, fact }) => [code, fact])]);
    const isNothing = waiting.length + findings.length === 0;
    if (left !== this.left && !(isNothing && this.left === "")) await ports.tell({ event: "left", waiting, findings });
    this.left = left;
    this.openLists = open;
    const known: KnownLists = { open: [...open], meant: withoutPeople(meant) };
    if (JSON.stringify(known) !== this.known) await ports.tell({ event: "open", ...known });
    this.known = JSON.stringify(known);
    await this.hold(held);
  }

  private async hold(held: readonly HeldChange[]): Promise<void> {
    if (held.length === 0) return;
    const { ports } = this;
    const before = new Map(this.held.map((one) => [heldKey(one), one]));
    const began = held.filter((one) => reasonOf(one) !== reasonOf(before.get(heldKey(one))));
    const now = held.map((one) => ({ ...one, since_ms: before.get(heldKey(one))?.since_ms ?? ports.now() }));
    const keys = new Set(held.map(heldKey));
    this.held = [...this.held.filter((one) => !keys.has(heldKey(one))), ...now];
    await ports.tell({ event: "hold", began, held: this.held });
  }

  /** What waited and does not wait any more was sent, or somebody did it by hand. */
  private async release(held: readonly HeldChange[]): Promise<void> {
    const keys = new Set(held.map(heldKey));
    const released = this.held.filter((one) => !keys.has(heldKey(one)));
    this.held = this.held.filter((one) => keys.has(heldKey(one)));
    if (released.length > 0) await this.ports.tell({ event: "release", released });
  }

  private async complete({ lists, held }: PlannedLists): Promise<void> {
    const { ports, pausedAt } = this;
    await this.release(held);
    if (this.hindrance !== "") await ports.tell({ event: "recovered" });
    if (pausedAt !== undefined) await ports.tell({ event: "resume", paused_ms: ports.now() - pausedAt });
    this.hindrance = "";
    this.pausedAt = undefined;
    this.open = [];
    this.readAtMs = ports.now();
    await ports.tell({ event: "done", lists: lists.length });
  }
}

/** Others on this machine may read what a process leaves for the next one, so it has no addresses. */
const withoutPeople = (meant: ListMeanings): KnownLists["meant"] =>
  Object.fromEntries(
    [...meant].map(([list, names]) => [list, Object.fromEntries([...names].filter(([name]) => !isPersonName(name)))]),
  );

/** Who waits in a list, and for what. */
const reasonOf = (held: HeldChange | undefined): string => JSON.stringify([held?.names, held?.why.map(causeOf)]);

const causeOf = (one: Diagnostic) =>
  one.code === "guard/refused" ? one.fact.guard : one.code === "channels/open-list" ? one.fact.by : one.code;

const OF_READING: ReadonlySet<string> = new Set(["guard/refused", "guard/others", "plan/changed-since"]);
const isOfReading = ({ code }: Diagnostic): boolean => OF_READING.has(code);

/** A list of which nothing is left to send; names that do not resolve are told as such. */
const isDone = ({ calls, remaining }: ApplyResult): boolean =>
  calls.every(({ state }) => state === "done" || state === "already-so") && remaining?.length === 0;

function failureOf({ plan, calls, outcome, diagnostics, exitCode }: ApplyResult): Failure {
  const [first, ...others] = diagnostics;
  const code = outcome === "unreachable" ? EXIT.unreachable : exitCode;
  if (first !== undefined) return new Failure(code, first, ...others);
  const done = calls.filter(({ state }) => state === "done" || state === "already-so").length;
  const fact = { left: plan.calls.length - done, calls: plan.calls.length };
  return failure("apply/sync-unfinished", fact, outcome === "unreachable" ? code : EXIT.appliedInPart);
}

/** The lists that a run changed. What others did at the same time is not among it. */
function changesOf(
  { plan, calls, journal }: ApplyResult,
  lists: readonly SyncedList[],
): readonly Extract<SyncEvent, { readonly event: "change" }>[] {
  const states = new Map(calls.map(({ n, state }) => [n, state]));
  const isSettled = ({ n }: Plan["calls"][number]): boolean => ["done", "already-so"].includes(states.get(n) ?? "");
  return plan.changes.flatMap(({ address, fields }) =>
    fields.flatMap(({ field, before, after }) => {
      const list = lists.find(({ object, field: own }) => object.address === address && own === field);
      const own = plan.calls.filter((call) =>
        call.for.some((purpose) => purpose.address === address && purpose.fields.includes(field)),
      );
      if (list === undefined || !own.every(isSettled) || !own.some(({ n }) => states.get(n) === "done")) return [];
      return [{ event: "change" as const, list, ...listShift(before, after), journal }];
    }),
  );
}
