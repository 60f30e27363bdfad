import { WAITING_PERIOD } from "../access/account.ts";
import { ENTRY_FIELDS, JOINING_LIMITS, MANAGE_ALL, SPECTATORS } from "../access/rules.ts";
import { isBotAddress, isChannelAddress, isDefaultChannel, isGroupAddress, ORGANIZATION } from "../access/scope.ts";
import { own } from "../model/defined.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { Address, Param } from "../model/plan.ts";
import type { Step } from "./exposure-rights.ts";
import { linksOf } from "./splits.ts";

/*
 * What matters about a request for the holders of a right: what it changes, whether it changes memberships, and whether people without an account
 * join by it. This depends on the request alone, whatever else is sent, and whenever.
 */

/** The parts of a request that matter here: those of a draft or of a planned call. */
export type Sent = Pick<DraftCall, "operation" | "path" | "params" | "for" | "creates">;

/** What requests do to who is in a group, or who joins. A test asks for each request that a plan can send whether it belongs here. */
export const EFFECTS: { readonly [operation: string]: "moves" | "arrives" | "revokes" } = {
  // Who is in a group changes; roles are groups, too.
  "update-user": "moves",
  "deactivate-user": "moves",
  "reactivate-user": "moves",
  "update-bot": "moves",
  "deactivate-bot": "moves",
  "create-user-group": "moves",
  "update-user-group-members": "moves",
  "deactivate-user-group": "moves",
  // People without an account join; kinds draft these last.
  "add-realm-domain": "arrives",
  "update-realm-domain": "arrives",
  "remove-realm-domain": "arrives",
  "send-invites": "arrives",
  "create-invite-link": "arrives",
  // An invitation ends; kinds draft these first: until then, somebody can join by it and have what other requests open.
  "revoke-email-invite": "revokes",
  "revoke-invite-link": "revokes",
};

/** Settings of the organization decide who is a full member, and whether the web reads what is web-public. */
const moves = ({ operation, params }: Sent): boolean =>
  own(EFFECTS, operation) === "moves" || WAITING_PERIOD in params || SPECTATORS in params;

/** Settings that decide who can put themselves into groups. */
const OF_ENTRIES = [...ENTRY_FIELDS, "deactivated", MANAGE_ALL];
const letsIntoGroups = ({ params }: Sent): boolean => OF_ENTRIES.some((name) => name in params);

export const isArrival = ({ operation, params }: Sent): boolean =>
  own(EFFECTS, operation) === "arrives" || JOINING_LIMITS.some((name) => params[name] === false);

export const isRevocation = ({ operation }: Sent): boolean => own(EFFECTS, operation) === "revokes";

/**
 * Whether a request may open something to somebody who joins by an invitation. The server does not show where one leads, so this is anything but a removal.
 */
export const mayOpenToInvited = (draft: Sent): boolean =>
  stepOf(draft).half !== "removing" &&
  draft.for.some(
    ({ address }) =>
      isChannelAddress(address) || isGroupAddress(address) || isDefaultChannel(address) || address === ORGANIZATION,
  );

/** Whether an object needs more than one request, such as a channel whose settings and subscribers change. */
function isWrittenTwice(drafts: readonly Sent[]): boolean {
  const seen = new Set<string>();
  for (const draft of drafts) {
    for (const address of new Set(draft.for.map((purpose) => purpose.address))) {
      if (seen.has(address)) return true;
      seen.add(address);
    }
  }
  return false;
}

/**
 * Whether there can be a moment between these requests when somebody holds a right that they hold neither before nor after all of them.
 * A channel or group that one request changes is as safe after that request as after the whole plan, unless memberships change, or who can change them.
 */
export const mayOpen = (drafts: readonly Sent[]): boolean =>
  drafts.some(moves) || isWrittenTwice(drafts) || (drafts.length > 1 && drafts.some(letsIntoGroups));

const isOwnerOf = (address: Address): boolean => !isBotAddress(address);

/** The parts of objects that a request sets, and whether it sets them only in part. */
export function stepOf(draft: Sent): Step {
  const parts = draft.for;
  const { operation, params } = draft;
  if (operation === "update-user-group-members") {
    const { adds, removes } = linksOf(draft);
    const ids = (list: Param | undefined) => (isList(list) ? list.filter((id) => typeof id === "number") : []);
    const members = { add: ids(params.add), delete: ids(params.delete) };
    return { parts, half: adds === removes ? "whole" : adds ? "adding" : "removing", members };
  }
  const { bot_id: bot } = draft.path;
  // A bot that is deactivated with its owner: the request is for the change of the owner.
  if (operation === "deactivate-bot" && typeof bot === "number" && parts.every(({ address }) => isOwnerOf(address)))
    return { parts: [], half: "whole", leaving: [bot] };
  const people = isList(params.principals) ? params.principals.filter((id) => typeof id === "number") : undefined;
  if (people === undefined || (draft.creates ?? []).length > 0) return { parts, half: "whole" };
  return { parts, half: operation === "unsubscribe" ? "removing" : "adding", people };
}
