import type { Counted } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { FoundRisk } from "../model/facets.ts";
import { namedOf, type RiskFact } from "../model/facts.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { isRightName, knownRight, RIGHT_SCOPES } from "../model/permission-settings.ts";
import { type Change, type FieldChange, type PlanExtra, type Risk, spanOfField } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import { isDemotion } from "../model/roles.ts";
import type { Section } from "./sections.ts";

/**
 * `access`: what the risk is about is counted from the difference of access (`guard-gains.ts`), whatever risks say. `removal`: the change
 * itself is counted as a removal.
 */
type Counting = Counted | "access" | "removal" | undefined;
type Rule<Kind extends RiskFact["kind"]> =
  | Counting
  | ((fact: Extract<RiskFact, { readonly kind: Kind }>, undoesOwnRun: boolean) => Counting);

export const isAdministrator = (role: string): boolean => role === "owner" || role === "administrator";

/** Rights in the organization that show people, or make something that many can read. */
const OPENING_RIGHTS: ReadonlySet<string> = new Set([
  "can_access_all_users_group",
  "can_create_public_channel_group",
  "can_create_web_public_channel_group",
]);

/** A right that only the server knows: what more people can do then is not known, so it counts. */
const isUnknown = (setting: string): boolean =>
  isRightName(setting) && RIGHT_SCOPES.every((scope) => knownRight(scope, setting) === undefined);

/** Without a number, somebody may have entered a value. */
const ofValues = ({ people }: { readonly people: number | null }): Counting =>
  people === 0 ? undefined : "data_deleted";
/** An undo removes only pictures that the run uploaded. */
const ofPicture = (_: RiskFact, undoesOwnRun: boolean): Counting => (undoesOwnRun ? undefined : "data_deleted");

/** Which guard counts each risk; undefined: none (`test/access/counted.test.ts` says why). The compiler asks for a row for each new risk. */
export const COUNTED_RISKS: { readonly [Kind in RiskFact["kind"]]: Rule<Kind> } = {
  "open-to-web": ({ is_new }) => (is_new ? "opened" : "access"),
  "closed-to-web": "access",
  readers: "access",
  "history-opened": "access",
  "private-name": undefined,
  right: ({ shift, setting }) => (shift === "gained" && isUnknown(setting) ? "opened" : "access"),
  "list-is-exact": "unlisted_subscribers",
  archived: "removal",
  deactivated: "removal",
  reactivated: "access",
  members: "access",
  "may-join-into": "access",
  "may-administer": "access",
  notified: undefined,
  "messages-deleted": "messages_deleted",
  "account-locked-out": undefined,
  "may-join": ({ shift, uninvited }) => (shift === "gained" && uninvited === true ? "opened" : undefined),
  joining: ({ shift, invited }) => (shift === "gained" && !invited ? "opened" : undefined),
  "organization-right": ({ shift, setting }) =>
    shift === "gained" && (OPENING_RIGHTS.has(setting) || isUnknown(setting)) ? "opened" : undefined,
  "sign-in": undefined,
  "messages-deleted-everywhere": "messages_deleted",
  opened: ({ what }) => (what === "web" || what === "waiting-period" || what === "reports" ? "opened" : undefined),
  "addresses-of-new-people": "opened",
  "digest-emails": "emails",
  "phones-silent": undefined,
  "picture-replaced": ofPicture,
  "picture-removed": ofPicture,
  "restriction-lifted": ({ uninvited }) => (uninvited === true ? "opened" : undefined),
  "restriction-stays-lifted": undefined,
  "invitation-revoked": "removal",
  "invited-as": ({ role }) => (isAdministrator(role) ? "administrators" : undefined),
  "invited-into": "people_gaining_access",
  "invited-again": undefined,
  role: ({ from, to }) => (isDemotion(from, to) ? "demotions" : "access"),
  "account-deactivated": "removal",
  "account-reactivated": "access",
  "account-loses-role": undefined,
  "bot-made": "access",
  "bot-address": undefined,
  "bot-given": "access",
  "link-made": ({ role }) => (isAdministrator(role) ? "administrators" : undefined),
  "link-revoked": "removal",
  removed: "removal",
  "back-to-default": undefined,
  "emoji-removed": ofPicture,
  "emoji-replaced": ofPicture,
  "emoji-overrides": undefined,
  "profile-field-removed": ofValues,
  "profile-options-removed": ofValues,
  "profile-service-fixed": undefined,
  "code-language-reset": undefined,
  "cannot-be-set-again": undefined,
};

/** The guard that counts a risk. */
export const countingOf = (fact: RiskFact, undoesOwnRun: boolean): Counting => ruleOf(fact, fact.kind, undoesOwnRun);

function ruleOf<Kind extends RiskFact["kind"]>(
  fact: Extract<RiskFact, { readonly kind: Kind }>,
  kind: Kind,
  undoesOwnRun: boolean,
): Counting {
  const rule: Rule<Kind> = COUNTED_RISKS[kind];
  return typeof rule === "function" ? rule(fact, undoesOwnRun) : rule;
}

/** The risks of a change, each at the field that causes it. */
export function risksOf(kind: ResourceKind, change: Change, context: PlanContext): readonly Risk[] {
  const found = [...(kind.review?.risks?.(change, context) ?? []), ...lostForGood(kind, change)];
  return found.map(({ kind, fact, field }) => {
    return { kind, fact, address: change.address, ...defined({ at: spanOfField(change, field) }) };
  });
}

/** Values that a change gives up and that no request can set: an undo cannot restore them. */
function lostForGood(kind: ResourceKind, change: Change): readonly FoundRisk[] {
  if (change.action !== "update") return [];
  const about = { kind: "cannot-be-set-again", object: namedOf(change), noun: kind.noun[0] } as const;
  return (
    change.fields
      // If a value cannot be read (a picture), the kind itself says what is lost.
      .filter(({ field, before }) => before !== null && kind.calls.canSet?.(field, before) === false)
      .filter(({ field }) => kind.file.fields[field]?.isPicture !== true)
      .map(({ field, before }) => {
        return { kind: "irreversible", fact: { ...about, field, before: { quoted: String(before) } }, field };
      })
  );
}

/** Names in the server's order, if the order has a meaning and objects can disappear from it: an undo needs them. */
export function ordersBefore(sections: readonly Section[], now: Realm): Pick<PlanExtra, "order"> {
  const ordered = sections.filter(
    ({ kind, changes }) => kind.diff?.ordered !== undefined && kind.inactivity === undefined && changes.length > 0,
  );
  if (ordered.length === 0) return {};
  return {
    order: Object.fromEntries(
      ordered.map(({ kind }) => [kind.name, (liveObjects(kind, now) ?? []).map(({ name }) => name)]),
    ),
  };
}

/** Marks fields whose change keeps messages that the server deletes today, and texts that a change renames within a field. */
export function withKept({ review }: ResourceKind, change: Change, context: PlanContext): Change {
  if (change.action !== "update" || review === undefined) return change;
  const marked = (field: FieldChange): FieldChange => ({
    ...field,
    ...defined({
      keeps_messages: review.keepsMessages?.(field, context) === true ? true : undefined,
      renamed: review.renamedIn?.(change, field, context),
    }),
  });
  return { ...change, fields: change.fields.map(marked) };
}
