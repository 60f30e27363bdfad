import { type Diagnostic, isFatal, type Span } from "./diagnostic.ts";
import { canonicalJson, isObject, type Json } from "./json.ts";
import type {
  Call,
  Change,
  FieldChange,
  Guard,
  IdOf,
  MinutesUntil,
  ObjectChange,
  Param,
  Plan,
  PlanPart,
} from "./plan-schema.ts";

export type { Address } from "./form.ts";
export { PLAN_VERSION } from "./own-format.ts";
// Only types: creating the schemas takes milliseconds, and only saved plans and journals are checked with them.
export type * from "./plan-schema.ts";

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

export function minutesLeft({ minutesUntil }: MinutesUntil, nowMs: number): number {
  return Math.floor((Date.parse(minutesUntil) - nowMs) / MINUTE_MS);
}

/** The changes of a kind that has no order. */
export function objectChanges(changes: readonly Change[]): readonly ObjectChange[] {
  return changes.map((change) => {
    if (change.action === "reorder") throw new RangeError(`${change.kind} has no order`);
    return change;
  });
}

export const isParams = (value: Param | undefined): value is readonly Param[] => Array.isArray(value);

/** The id of an object that is changed or removed, of a kind that has ids. */
export function serverId({ id, address }: Change): number {
  if (id === undefined) throw new RangeError(`${address} is not on the server`);
  return id;
}

/** A field among those that change. @param to only if it gets this value */
export const fieldIn = (fields: Change["fields"] | undefined, field: string, to?: Json): FieldChange | undefined =>
  fields?.find((one) => one.field === field && (to === undefined || one.after === to));

/** Whether a field gets this value. */
export const sets = (fields: Change["fields"] | undefined, field: string, value: Json): boolean =>
  fieldIn(fields, field, value) !== undefined;

/** The YAML of a changed field, else of the object. */
export function spanOfField(change: Change, field: string | undefined): Span | undefined {
  return (field === undefined ? undefined : fieldIn(change.fields, field)?.at) ?? change.at;
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

export const isUnseenSection = ({ code }: Pick<Diagnostic, "code">): boolean => code === "invites/bot";

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

/**
 * The other warnings of a drift: changes that the account could not revert, objects that it may just not see, lists to which `sync` adds nobody, private channels
 * whose opening would not be seen, and, for a part of the file, changes elsewhere.
 */
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
      warning.code === "channels/open-list" ||
      warning.code === "channels/unset-privacy" ||
      isUnseenSection(warning) ||
      (isPartial && isOther(warning)),
  );
}

/** The guard rails that somebody has to confirm before the plan is carried out. */
export function askingGuards({ guards }: Pick<Plan, "guards">): readonly Guard[] {
  return guards.filter(({ violated, fact }) => !violated && fact.asks === true);
}

export function violatedGuards({ guards }: Pick<Plan, "guards">): readonly Omit<Guard, "violated">[] {
  return guards.flatMap(({ violated, ...guard }) => (violated ? [guard] : []));
}

/** How many changes the file asks for that a partial plan leaves out. */
export function leftOutOf({ left_out }: PlanPart): number {
  return left_out.reduce((sum, { changes }) => sum + changes, 0);
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

/**
 * Whether the call replaces a value, or removes an object with one, and the server does not compare the old value. Only parameters of the form `{new,
 * old}` are compared (zulip-api.md §3.5.1). A call that only creates, or adds or removes by name, replaces nothing.
 */
export function replacesUnseen({ expects, for: purposes, params }: Call): boolean {
  return expects.some(
    ({ address, field }) =>
      field !== "exists" &&
      !isCompared(params[field]) &&
      purposes.some(
        (purpose) => purpose.address === address && (purpose.fields.length === 0 || purpose.fields.includes(field)),
      ),
  );
}

const isCompared = (param: Param | undefined): boolean => isObject(param) && "new" in param && "old" in param;
