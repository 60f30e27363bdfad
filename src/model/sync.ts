import type { ListPart } from "./counted.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Named } from "./facts.ts";
import type { CallResult } from "./result.ts";

/** A list of subscribers or members that a policy names and the organization has. */
export interface SyncedList {
  readonly object: Named;
  readonly field: string;
}

/** A list that a policy names, and that has to wait for `apply`: its object, or one that it names, is not yet there as the file has it. */
export interface WaitingList extends SyncedList {
  /** The object that apply has to create, rename or reactivate first; absent: the list's own. */
  readonly for?: Named;
  /** This account does not see every object of the kind: the list may be there. */
  readonly mayBeUnseen?: true;
}

/** What is added to a list, or taken out of it, and waits, since guard rails refuse it or would ask, or the account may not do it. Everything else is sent. */
export interface HeldChange {
  readonly list: SyncedList;
  readonly part: ListPart;
  /** Who would be added or taken out. */
  readonly names: readonly string[];
  readonly why: readonly Diagnostic[];
}

/** What no later reading shows of the lists. */
export interface KnownLists {
  /** Lists that people can enter by themselves, or could while somebody waits there. */
  readonly open: readonly string[];
  /** By the list: the ids of its object and of the groups that it names, by kind and name. */
  readonly meant: { readonly [list: string]: { readonly [name: string]: number } };
}

/** What `sync` does and meets, in the order in which it happens: everything that it prints and counts. */
export type SyncEvent =
  | { readonly event: "start"; readonly realm: string; readonly lists: number; readonly interval_ms: number }
  /** An earlier run of this account did not reach its end. */
  | { readonly event: "continue"; readonly journal: string }
  /** Lists that are left alone for now. It is said again when they change. */
  | { readonly event: "left"; readonly waiting: readonly WaitingList[]; readonly findings: readonly Diagnostic[] }
  /** What the next process has to know is other than before. */
  | ({ readonly event: "open" } & KnownLists)
  /** Changes of lists wait. It is said of each reading; of what began, also if it is for others or for another reason now. */
  | { readonly event: "hold"; readonly began: readonly HeldChange[]; readonly held: readonly HeldSince[] }
  /** Changes of lists no longer wait: the file and the organization were compared, and nothing of them is left to do. */
  | { readonly event: "release"; readonly released: readonly HeldSince[] }
  /** A run of requests is over. */
  | { readonly event: "sent"; readonly requests: number }
  /** One list was changed. */
  | {
      readonly event: "change";
      readonly list: SyncedList;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly journal: string | null;
    }
  /** The file and the organization were compared, and nothing is left to do. */
  | { readonly event: "done"; readonly lists: number }
  /** Nothing of a reading can be acted on. @property isNew for another reason than the last time */
  | {
      readonly event: "pause";
      readonly isNew: boolean;
      readonly isGuard: boolean;
      readonly why: readonly Diagnostic[];
      readonly calls: readonly CallResult[];
    }
  | { readonly event: "resume"; readonly paused_ms: number }
  /** No answer, or another run is active: there is another attempt after that time. */
  | {
      readonly event: "hindered";
      readonly isNew: boolean;
      readonly why: readonly Diagnostic[];
      readonly again_in_ms: number;
    }
  | { readonly event: "recovered" }
  | { readonly event: "end" };

export type HeldSince = HeldChange & { readonly since_ms: number };

/** Identifies what waits: one list in one direction. */
export const heldKey = ({ list: { object, field }, part }: Pick<HeldChange, "list" | "part">): string =>
  `${object.address}\n${field}\n${part}`;

/** The state of `sync` and its counts since the start of the process. */
export interface SyncHealth extends KnownLists {
  readonly started_at_ms: number;
  /** The last time that nothing was left to do. */
  readonly done_at_ms?: number;
  readonly interval_ms: number;
  readonly lists: number;
  /** Lists that a policy names and that are not kept. */
  readonly left: readonly WaitingList[];
  /** The codes of what is left alone since a name, or a pattern of the policy, means nothing. Their facts name people. */
  readonly findings: readonly string[];
  /** What waits for guard rails, or for rights of the account. Everything else is kept. */
  readonly held: readonly HeldSince[];
  readonly reconciles: number;
  /** Lists that were changed, and the requests for them. */
  readonly changes: number;
  readonly requests: number;
  /** Readings of which something waits, and readings that could not be acted on for another reason. */
  readonly refusals: number;
  readonly failures: number;
  readonly paused?: { readonly since_ms: number; readonly why: readonly Diagnostic[] };
  readonly hindered?: { readonly since_ms: number; readonly why: readonly Diagnostic[] };
}

export function counted(health: SyncHealth, event: SyncEvent, nowMs: number): SyncHealth {
  switch (event.event) {
    case "start":
      return { ...health, lists: event.lists, interval_ms: event.interval_ms };
    case "left":
      return { ...health, left: event.waiting, findings: event.findings.map(({ code }) => code) };
    case "open":
      return { ...health, open: event.open, meant: event.meant };
    case "hold":
      return { ...health, held: event.held, refusals: health.refusals + 1 };
    case "release": {
      const released = new Set(event.released.map(heldKey));
      return { ...health, held: health.held.filter((one) => !released.has(heldKey(one))) };
    }
    case "sent":
      return { ...health, requests: health.requests + event.requests };
    case "change":
      return { ...health, changes: health.changes + 1 };
    case "done": {
      const { paused: _, hindered: __, ...others } = health;
      return { ...others, done_at_ms: nowMs, lists: event.lists, reconciles: health.reconciles + 1 };
    }
    case "pause": {
      const { hindered: _, ...others } = health;
      const paused = { since_ms: health.paused?.since_ms ?? nowMs, why: event.why };
      const { refusals, failures } = health;
      return event.isGuard
        ? { ...others, paused, refusals: refusals + 1 }
        : { ...others, paused, failures: failures + 1 };
    }
    case "hindered":
      return { ...health, hindered: { since_ms: health.hindered?.since_ms ?? nowMs, why: event.why } };
    case "continue":
    case "resume":
    case "recovered":
    case "end":
      return health;
  }
}

/** Readings at the interval that may be missing before the state is too old to be called healthy. */
const MOST_MISSED = 3;

/** Whether the lists that the policy names are as the file has them, as far as it is known. */
export function isHealthy(health: SyncHealth, nowMs: number): boolean {
  const { done_at_ms, interval_ms, paused, hindered, held, left, findings } = health;
  const isRecent = done_at_ms !== undefined && nowMs - done_at_ms <= MOST_MISSED * interval_ms;
  return (
    isRecent && paused === undefined && hindered === undefined && held.length + left.length + findings.length === 0
  );
}

export const healthAt = (nowMs: number, intervalMs: number): SyncHealth => ({
  started_at_ms: nowMs,
  interval_ms: intervalMs,
  lists: 0,
  left: [],
  findings: [],
  open: [],
  meant: {},
  held: [],
  reconciles: 0,
  changes: 0,
  requests: 0,
  refusals: 0,
  failures: 0,
});
