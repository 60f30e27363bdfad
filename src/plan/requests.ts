import type { SnapshotRequest } from "../model/api.ts";
import type { Desired } from "../model/desired.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Realm } from "../model/realm.ts";

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
