import type { Covered } from "./coverage.ts";
import { type Diagnostic, isFatal, type Span } from "./diagnostic.ts";
import type { GuardFact, RiskFact } from "./facts.ts";
import { canonicalJson, type Json } from "./json.ts";
import type { Rehearsal } from "./rehearsal.ts";
import type { PlanPart } from "./targets.ts";
import type { Unseen } from "./unseen.ts";

/** The name of one managed object across runs: `channel:announce`. Never a server id. */
export type Address = `${string}:${string}`;

/** The promise of an id: that of an object that the same plan creates. Allowed wherever an id is allowed in `path` or `params`. */
export type IdOf = Readonly<{ idOf: Address }>;
/** A moment (ISO 8601, UTC) that the server expects as minutes from the time of the call. */
export type MinutesUntil = Readonly<{ minutesUntil: string }>;
/** What a call sends: JSON with {@link IdOf} instead of ids, and {@link MinutesUntil} instead of numbers. */
export type Param =
  | string
  | number
  | boolean
  | null
  | IdOf
  | MinutesUntil
  | readonly Param[]
  | { readonly [key: string]: Param };

export function isIdOf(value: unknown): value is IdOf {
  return typeof value === "object" && value !== null && "idOf" in value && Object.keys(value).length === 1;
}

export function isMinutesUntil(value: unknown): value is MinutesUntil {
  return (
    typeof value === "object" &&
    value !== null &&
    "minutesUntil" in value &&
    typeof value.minutesUntil === "string" &&
    Object.keys(value).length === 1
  );
}

const MINUTE_MS = 60_000;

/** The number of whole minutes from now until the moment. */
export function minutesLeft({ minutesUntil }: MinutesUntil, nowMs: number): number {
  return Math.floor((Date.parse(minutesUntil) - nowMs) / MINUTE_MS);
}

/** One field that differs. Values are canonical: names, words and sorted sets as a person would write them, never ids. */
export interface FieldChange {
  /** Whether the server deletes messages under `before` that it keeps under `after`: somebody's change deletes messages until it is reverted. */
  readonly keeps_messages?: true;
  /** For a list: texts of `after` that replace another text of `before`, by that text. People who chose it keep it. */
  readonly renamed?: { readonly [after: string]: string };
  readonly field: string;
  /** null also stands for "did not exist" in a create. */
  readonly before: Json;
  readonly after: Json;
  /** The place in the file that asks for the value; absent for a removal under `exact`. */
  readonly at?: Span;
  /** No line of the file names the field: `after` is the default of new objects, because `manage:` asks for it. */
  readonly unset?: true;
  /** No line of the file names the field: no call sends it, and the server sets it to `after` for the account that creates the object. */
  readonly implied?: true;
  /** The change is shown without names that its readers must not see: the values differ, but only in these, so they look the same. */
  readonly hidden?: true;
}

/** The number of fields on the server, and the number of those for which a plan says whether they match the file. */
export interface Watched {
  readonly watched: number;
  readonly all: number;
}

/** How much of the organization a plan watches: fields of active objects, counted for each object. */
export interface Watch {
  /** Fields that say who may do something. */
  readonly permissions: Watched;
  readonly others: Watched;
}

/** A risk, which a reviewer must see before anything else. */
export interface Risk {
  readonly kind: "widens" | "narrows" | "removes" | "irreversible" | "noisy" | "lockout";
  /** The data of the report's sentence, such as "#incidents becomes readable by 31 more people". */
  readonly fact: RiskFact;
  readonly address: Address;
  readonly at?: Span;
}

/** How somebody changed access; `both`: some people have more, others less. */
export type Drifted = "widens" | "narrows" | "both" | "same";

/** What a message of the server says about one field. */
export interface ChangedBy {
  readonly field: string;
  readonly user_id: number;
  readonly full_name: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface AnyChange {
  readonly kind: string;
  readonly address: Address;
  /** The object's name as the file has it after the change. */
  readonly name: string;
  readonly fields: readonly FieldChange[];
  /** The place in the file that asks for the change: the item, or the entry of `manage:` if the object is removed because no item names it. */
  readonly at?: Span;
  readonly risks: readonly Risk[];
  /** In the plan of a drift (`comparesOnly`): what was done to access. */
  readonly drifted?: Drifted;
  /** In a drift, of an object that was not found: the account does not see all of its kind, so it may be there. */
  readonly may_be_unseen?: true;
  /** In a drift, if it was asked: who changed it last, as messages of the server say. A hint, and never a proof. */
  readonly changed_by?: readonly ChangedBy[];
}

/** An object is created. */
export interface Creation extends AnyChange {
  readonly action: "create";
  readonly was?: never;
  readonly id?: never;
  readonly singleton?: never;
  readonly undeclared?: never;
}

/** An object gets other values; it may be reactivated by them, or deactivated together with them. */
export interface Update extends AnyChange {
  readonly action: "update";
  /** The previous name, if the object is renamed. */
  readonly was?: string;
  /** The server's id; absent for kinds that have none. */
  readonly id?: number;
  readonly undeclared?: never;
  /** Whether the object is a singleton, which has no name. */
  readonly singleton?: true;
}

/** An object is deleted, or only becomes inactive. */
export interface Removal extends AnyChange {
  readonly action: "remove";
  readonly was?: never;
  /** The server's id; absent for kinds that have none. */
  readonly id?: number;
  /** Whether the object is removed because the file does not mention it (`exact`). */
  readonly undeclared?: true;
  readonly singleton?: never;
}

/** A section is reordered. */
export interface Reorder extends AnyChange {
  readonly action: "reorder";
  readonly was?: never;
  readonly id?: never;
  readonly singleton?: never;
  readonly undeclared?: never;
}

/** What a person approves: one object that is created, changed or removed, or one section reordered. */
export type Change = ObjectChange | Reorder;
export type ObjectChange = Creation | Update | Removal;

/** The changes of a kind that has no order. */
export function objectChanges(changes: readonly Change[]): readonly ObjectChange[] {
  return changes.map((change) => {
    if (change.action === "reorder") throw new RangeError(`${change.kind} has no order`);
    return change;
  });
}

/** The id of an object that is changed or removed, of a kind that has ids. */
export function serverId({ id, address }: Change): number {
  if (id === undefined) throw new RangeError(`${address} is not on the server`);
  return id;
}

/** A value that the server must still have right before the call is sent; otherwise the call is a conflict. */
export interface Expectation {
  readonly address: Address;
  /** Finds the object even if it was renamed in the meantime. */
  readonly id?: number;
  /** A field of the live object, or `exists` (`value` true or false). */
  readonly field: string;
  readonly value: Json;
}

/** The part of a change that a call carries out. */
export interface Purpose {
  readonly address: Address;
  readonly fields: readonly string[];
}

/**
 * What the server receives: one request. `apply` sends these in order and decides nothing.
 * `n` counts from 1; `after` names the calls that must have been applied before this one may be sent.
 */
export interface Call {
  readonly n: number;
  readonly operation: string;
  readonly path: { readonly [name: string]: string | number | IdOf };
  readonly params: { readonly [name: string]: Param };
  readonly for: readonly Purpose[];
  readonly expects: readonly Expectation[];
  readonly after: readonly number[];
  /** The objects that this call creates. */
  readonly creates: readonly Address[];
}

/** A limit that was checked, violated or not. */
export interface Guard {
  readonly name: string;
  /** The data of the report's sentence, such as "removals 1 of 5" or "protected: #general untouched". */
  readonly fact: GuardFact;
  readonly violated: boolean;
  /** The place in the file that exceeds the limit. */
  readonly at?: Span;
  /** Where the limit, the protection or the rule on lock-outs is written; absent for one that nobody wrote. */
  readonly rule?: Span;
}

/** An object that no longer exists under one name while another exists: a warning also for drift. */
export function looksRenamed({ warnings }: Pick<Plan, "warnings">): readonly Diagnostic[] {
  return warnings.filter(({ code }) => code === "plan/looks-renamed");
}

/** Whether the error is about the account: another account could make the change. */
export const isAboutTheAccount = ({ code }: Pick<Diagnostic, "code">): boolean =>
  code.endsWith("/not-allowed") || code === "settings/owner-only";

/** The errors of a plan that another account could carry out: its changes are shown, and apply refuses them. */
export const refusedIn = ({ warnings }: Pick<Plan, "warnings">): readonly Diagnostic[] =>
  warnings.filter((one) => isFatal(one) && isAboutTheAccount(one));

/** Whether this account does not see anything of the section. */
export const isUnseenSection = ({ code }: Pick<Diagnostic, "code">): boolean => code === "invites/bot";

/** Whether the reading does not have the section, or this account does not see it. */
export const isNotRead = (one: Pick<Diagnostic, "code">): boolean =>
  one.code === "plan/not-read" || isUnseenSection(one);

/**
 * Whether it is about something that is not compared: the deactivation of an account, a picture, a subscriber beside a list, an archived channel that is
 * not found, a name that does not resolve, a change that could not be carried out. No apply reverts it
 * (docs/internals/decisions/0005-unresolved-names-are-findings.md).
 */
const isUncompared = ({ code, severity, unresolved, fact, isOfObject }: Diagnostic): boolean =>
  unresolved !== undefined ||
  (code === "plan/nothing-to-remove" && "is_described" in fact) ||
  severity === "error" ||
  code.endsWith("/is-deactivated") ||
  isOfObject === true ||
  code === "settings/picture-version";

/**
 * Changes of something that is not compared. A plan of a part of the file reports pictures and accounts for the whole file, so they are not drift of the
 * part; what is said about its own objects is.
 */
export function uncomparedIn({ warnings, extra }: Pick<Plan, "warnings" | "extra">): readonly Diagnostic[] {
  const isWhole = extra?.partial === undefined;
  return warnings.filter((warning) => (isWhole ? isUncompared(warning) : isOfPart(warning)));
}

/** The number of changes of something that is not compared. Somebody who is deactivated and whom the file names in several places counts once. */
export function countUncompared(uncompared: readonly Diagnostic[]): number {
  // What is said about an object is said once. The texts of its facts would be long: it can name everybody.
  const others = uncompared.filter(({ isOfObject }) => isOfObject !== true);
  return uncompared.length - others.length + new Set(others.map(({ code, fact }) => canonicalJson([code, fact]))).size;
}

const isUnresolved = ({ unresolved }: Diagnostic): boolean =>
  unresolved !== undefined && unresolved.isElsewhere !== true && unresolved.returns !== true;

const isOfPart = (warning: Diagnostic): boolean => isUnresolved(warning) || warning.isOfObject === true;

/** The names of the file that mean nothing on the server: what needs them is not planned. */
export const unresolvedIn = ({ warnings }: Pick<Plan, "warnings">): readonly Diagnostic[] =>
  warnings.filter(isUnresolved);

/** What is planned only after accounts that the plan reactivates are back. */
export const awaitingIn = ({ warnings }: Pick<Plan, "warnings">): readonly Diagnostic[] =>
  warnings.filter(({ unresolved }) => unresolved?.returns === true && unresolved.isElsewhere !== true);

/** The other warnings of a drift: changes that the account could not revert, objects that it may just not see, and, for a part of the file, changes elsewhere. */
export function warningsOfDrift({ warnings, extra }: Pick<Plan, "warnings" | "extra">): readonly Diagnostic[] {
  const isPartial = extra?.partial !== undefined;
  const isOther = (warning: Diagnostic): boolean => isUncompared(warning) && !isOfPart(warning);
  const isUnseen = ({ code }: Diagnostic): boolean => code === "channels/unseen-names" || code === "config/unset";
  const isHeldBack = (one: Diagnostic): boolean => one.code === "reference/except" && one.fact.found === "still-there";
  return warnings.filter(
    (warning) =>
      isAboutTheAccount(warning) ||
      isUnseen(warning) ||
      isHeldBack(warning) ||
      isUnseenSection(warning) ||
      (isPartial && isOther(warning)),
  );
}

/** The guard rails that somebody has to confirm before the plan is carried out. */
export function askingGuards({ guards }: Pick<Plan, "guards">): readonly Guard[] {
  return guards.filter(({ violated, fact }) => !violated && fact.asks === true);
}

/** The guard rails that refuse a plan. */
export function violatedGuards({ guards }: Pick<Plan, "guards">): readonly Omit<Guard, "violated">[] {
  return guards.flatMap(({ violated, ...guard }) => (violated ? [guard] : []));
}

export interface Unmanaged {
  readonly section: string;
  /** `except`: `manage` leaves these objects out, whatever the policy of the section is. */
  readonly policy: "ignore" | "additive" | "exact" | "absent" | "except";
  /** Names of live objects that the file does not mention; of a singleton, its fields. */
  readonly names: readonly string[];
  /** How many of those that `except` leaves out are private: nobody watches who reads them. */
  readonly private?: number;
}

/** Version of the plan's format. */
export const PLAN_VERSION = 5;

/** Additional facts about a plan. */
export interface PlanExtra {
  /** Kind → names in the server's order before the plan, if order has a meaning and objects can disappear from it. */
  readonly order?: { readonly [kind: string]: readonly string[] };
  readonly watch?: Watch;
  /** The settings of the server that this version does not know, by its names; absent if it knows all. */
  readonly newer?: readonly string[];
  /** What the account does not see, so that nothing of it is compared; absent if it sees all that the file has. */
  readonly unseen?: readonly Unseen[];
  /** Of a drift that was asked for it: every field, and whether it is compared. Never in a saved plan. */
  readonly coverage?: readonly Covered[];
  /** Parts that the reading had in addition to the usual ones. */
  readonly reads?: { readonly [part: string]: boolean };
  /** Hashes of the plan's inputs. */
  readonly origin?: { readonly [what: string]: string };
  /** The result on a copy of the organization; absent if there was no rehearsal. */
  readonly rehearsal?: Rehearsal;
  /** The objects that were left out, and why; absent for a whole plan. */
  readonly partial?: PlanPart;
  /** The checksum of a saved plan. */
  readonly checksum?: string;
  /** Whether names were replaced for other readers: such a plan cannot be carried out. */
  readonly redacted?: true;
}

/** Side effects that people will notice. */
export interface SideEffects {
  /** The number of e-mails that the server sends. */
  readonly emails: number;
  /** Channels in which the server posts a notice. */
  readonly notices_in: readonly string[];
  /** The number of messages from the server to people who join or leave a group or a channel; absent if there are none. */
  readonly direct_messages?: number;
}

/** Changes and the calls that make them. Plain data, so a saved plan is exactly the plan that is applied later. */
export interface Plan {
  readonly format: "realmctl.plan";
  readonly version: typeof PLAN_VERSION;
  readonly tool_version: string;
  /** ISO 8601, UTC: when the snapshot was taken. */
  readonly snapshot_taken_at: string;
  readonly realm: Readonly<{ url: string; name: string; sandbox_of?: string }>;
  readonly server: Readonly<{ zulip_version: string; feature_level: number }>;
  readonly account: Readonly<{
    email: string;
    full_name: string;
    role: number;
    /** The number of a role that this version does not know; `role` is the one that it counts as. */
    unknown_role?: number;
    is_bot: boolean;
  }>;
  readonly changes: readonly Change[];
  readonly calls: readonly Call[];
  /** The minimum number of requests for these changes with the server's operations. */
  readonly least_calls: number;
  /** Section → how many declared objects already match the file; for a singleton, how many of its declared fields. */
  readonly matches: { readonly [section: string]: number };
  readonly unmanaged: readonly Unmanaged[];
  readonly guards: readonly Guard[];
  readonly warnings: readonly Diagnostic[];
  readonly side_effects: SideEffects;
  readonly extra?: PlanExtra;
}

/** The changes of a plan by their origin, which are never mixed for a reviewer. */
export interface ChangesByOrigin {
  /** Changes caused by the pull request. */
  readonly mine: readonly Change[];
  /** Changes that the base version would make too: the realm does not match its file already. */
  readonly earlier: readonly Change[];
  /** Changes that the base version would make, and the pull request does not: it takes the realm's values into the file. */
  readonly adopted: readonly Change[];
}
