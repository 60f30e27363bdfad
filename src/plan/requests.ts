import { WAITING_PERIOD } from "../access/account.ts";
import { isAccountKind, isGroup, ORGANIZATION } from "../access/scope.ts";
import type { SnapshotRequest } from "../model/api.ts";
import type { Desired } from "../model/desired.ts";
import type { ResourceKind } from "../model/kind.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";

/**
 * The parts of the realm to read: only those that the declared objects need, since subscribers make the answer large and bots may not see
 * invitations.
 */
export function requestOf(
  desired: Desired | undefined,
  known: readonly ResourceKind[],
  realm?: Realm,
): SnapshotRequest {
  const wishes = known.map((kind) => {
    const declared = desired?.sections.get(kind.section);
    return declared === undefined ? undefined : kind.live.request?.(declared, realm);
  });
  return {
    invites: wishes.some((wish) => wish?.invites === true),
    subscribers: wishes.some((wish) => wish?.subscribers === true),
  };
}

/** Whether the declared objects may need more than every reading holds. This can be answered before the realm is known. */
export const mayRequest = (known: readonly ResourceKind[], texts: readonly string[]): boolean =>
  known.some(({ live: { request, requestWords } }) => {
    if (request === undefined) return false;
    return requestWords?.some((word) => texts.some((text) => text.includes(word))) ?? true;
  });

/** Whether a reading has these objects only if it asked for invitations, whatever the file says about them. */
export const isReadOnRequest = ({ live }: ResourceKind): boolean => live.request?.([]).invites === true;

/**
 * Whether changes of accounts, groups or settings may let people into private channels or out of them: then guards need to know who is in them already.
 * Only the plan shows it, since a file with groups seldom changes one.
 */
export const needsSubscribers = ({ changes }: Plan, { channels }: Snapshot): boolean =>
  changes.some(movesPeople) && channels.some(({ invite_only }) => invite_only);

const movesPeople = (change: Change): boolean =>
  change.action !== "create" &&
  (isAccountKind(change.kind) || isGroup(change) || change.address === ORGANIZATION) &&
  (change.action === "remove" || change.fields.some(({ field }) => isRightName(field) || MOVING.has(field)));

/** Fields of accounts, groups and the organization, besides rights, that decide who is where. */
const MOVING: ReadonlySet<string> = new Set(["deactivated", "members", "owner", "role", "subgroups", WAITING_PERIOD]);
