import type { Counted } from "../model/counted.ts";
import type { RiskFact } from "../model/facts.ts";
import { isRightName, knownRight, RIGHT_SCOPES } from "../model/permission-settings.ts";
import { isDemotion } from "../model/roles.ts";

/**
 * `access`: what the risk is about is counted from the difference of access (`guard-gains.ts`, `guard-access.ts`), whatever risks say. `removal`: the change
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
export const countingOf = (fact: RiskFact, undoesOwnRun = false): Counting => ruleOf(fact, fact.kind, undoesOwnRun);

function ruleOf<Kind extends RiskFact["kind"]>(
  fact: Extract<RiskFact, { readonly kind: Kind }>,
  kind: Kind,
  undoesOwnRun: boolean,
): Counting {
  const rule: Rule<Kind> = COUNTED_RISKS[kind];
  return typeof rule === "function" ? rule(fact, undoesOwnRun) : rule;
}
