import { defined } from "../../model/defined.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { indexed } from "../../model/indexed.ts";
import { type Change, type ObjectChange, objectChanges, type Param, serverId } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, ROLE } from "../../model/roles.ts";
import type { Snapshot, SnapshotInvite } from "../../model/snapshot.ts";
import { listed } from "../../model/texts.ts";
import { accountTurning } from "../accounts.ts";
import { channelId, namedAsWanted, termParams } from "../invitation-terms.ts";
import { invitingUses } from "../inviter-standing.ts";
import { requestFor } from "../requests.ts";
import { endOf } from "./live.ts";

/** Made last, with invitations: a link names channels and groups, and everybody who has it can join at once. So one that ends is revoked first. */
const RANK = { revoke: -20, make: 201 } as const;

/** Setting of the organization that says who may make links. */
export const MAKING_RIGHT = "create_multiuse_invite_group";

/** The answer to the creation has the link, which does not leave the connection. */
export function linkCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map((change) =>
    change.action === "create" ? making(change, context) : revoking(change, context),
  );
}

/** One for each, except links that end with the accounts that created them. */
export function leastLinkCalls(changes: readonly Change[], context: PlanContext): number {
  return changes.filter(({ action, id }) => action === "create" || makerLeaving(id, context) === undefined).length;
}

const linksById = indexed<SnapshotInvite>(({ id, is_multiuse }) => (is_multiuse ? [String(id)] : []));

export const linkWith = (id: number | null | undefined, { invites }: Snapshot): SnapshotInvite | undefined =>
  invites === null ? undefined : linksById(invites, String(id))[0];

/** The creator of the link, if this plan deactivates that account: the link then ends. */
export function makerLeaving(id: number | null | undefined, context: PlanContext): Change | undefined {
  return accountTurning(linkWith(id, context.snapshot)?.invited_by_user_id, context, true);
}

function making(change: ObjectChange, context: PlanContext): DraftCall {
  const wanted = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
  const params: { [name: string]: Param } = {
    invite_as: isRole(wanted.invite_as) ? ROLE[wanted.invite_as] : ROLE.member,
    invite_expires_in_minutes: endOf(String(wanted.expires_on)),
  };
  const channels = listed(wanted.channels);
  if (channels.length > 0) params.stream_ids = channels.map((name) => channelId(name, context));
  return requestFor(change, {
    operation: "create-invite-link",
    params: { ...params, ...termParams(wanted, context) },
    needs: namedAsWanted(wanted, context),
    uses: invitingUses(MAKING_RIGHT, wanted, context),
    rank: RANK.make,
  });
}

function revoking(change: ObjectChange, context: PlanContext): DraftCall {
  const id = serverId(change);
  const maker = makerLeaving(id, context);
  return requestFor(change, {
    operation: "revoke-invite-link",
    path: { invite_id: id },
    rank: RANK.revoke,
    ...defined({ mergeInto: maker === undefined ? undefined : { address: maker.address, params: {} } }),
  });
}
