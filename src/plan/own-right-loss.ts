import { decidesReading } from "../access/rules.ts";
import { isGroupAddress, ORGANIZATION } from "../access/scope.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import { addTo } from "../model/lazy.ts";
import type { Address, Purpose } from "../model/plan.ts";
import type { RightsModel, Step } from "./exposure-rights.ts";

/*
 * Whether a request takes a right from the account that runs the plan which later requests still need.
 *
 * Terms. A request *needs* a right if the server checks it: a setting of the organization (`uses`), reading a channel (`reads`), or managing a group
 * (MANAGING). The account *loses* a right if it has it before the request and not after it: it leaves a group, a group leaves another one, a setting
 * names others, or a channel becomes private.
 *
 * Premise. The server checks the right at each request, and in a request that changes a group for each of its lists (zulip-api.md §10.3). So an
 * order in which the account loses a right too early fails in the middle. A loss at the end is what the file asks for.
 *
 * The idea.
 *     can this request cost the account anything?   it takes it out of a group, or sets who manages a group or reads a channel, or the organization
 *     rights = those that the remaining requests need and the account has now
 *     try the request on the model: is one of these rights missing afterwards?
 *
 * What it does not do. It chooses no order and splits nothing: exposure.ts does, and holds the request back. A new role or a deactivation of the
 * account itself is not examined here.
 */

type Sent = Pick<DraftCall, "operation" | "params" | "for" | "uses" | "reads">;

/** Requests for which the server asks who manages the group. */
const MANAGING: ReadonlySet<string> = new Set([
  "update-user-group",
  "update-user-group-members",
  "deactivate-user-group",
]);

/** Requests that were not sent yet, other than the one that is examined. */
interface Others {
  all(): readonly Sent[];
  /** Those for which the server asks who manages this group, or who reads this channel. */
  of(object: Address): readonly Sent[];
}

/** Whether the request takes a right from the account that one of the others needs. */
export function takesNeededRight(draft: Sent, step: Step, model: RightsModel, others: Others): boolean {
  if (draft.operation === "update-stream") return takesReading(draft, step, model, others);
  const group = groupOf(draft);
  if (draft.operation === "update-user-group-members") {
    if (group === undefined || !takesOut(draft) || !model.isIn(group)) return false;
    if (model.tried(step, () => model.isIn(group))) return false;
    // Nobody can lose a right on a group that is only created.
  } else if (draft.operation === "create-user-group" || !draft.for.some(namesWho)) return false;
  // Managing one group does not imply managing another: only requests for this group that are still to be sent can need the right.
  const isOwn = group !== undefined && draft.operation === "update-user-group";
  const all = isOwn ? others.of(group) : others.all();
  const settings = [...new Set(all.flatMap(({ uses = [] }) => uses))].filter((setting) => model.has(setting));
  const groups = [...new Set(all.flatMap((other) => groupOf(other) ?? []))].filter((address) => model.manages(address));
  const channels = [...new Set(all.flatMap(({ reads = [] }) => reads))].filter((address) => model.reads(address));
  if (settings.length + groups.length + channels.length === 0) return false;
  return model.tried(
    step,
    () =>
      settings.some((setting) => !model.has(setting)) ||
      groups.some((address) => !model.manages(address)) ||
      channels.some((address) => !model.reads(address)),
  );
}

/**
 * Whether the request closes a channel to the account that another request about the same channel must read. The account may read it again after the
 * plan: a group that the setting now names may still get it as a member.
 */
function takesReading({ for: purposes }: Sent, step: Step, model: RightsModel, others: Others): boolean {
  const channel = purposes.find(({ fields }) => fields.some(decidesReading))?.address;
  if (channel === undefined || !model.reads(channel)) return false;
  if (!others.of(channel).some(({ reads = [] }) => reads.includes(channel))) return false;
  return model.tried(step, () => !model.reads(channel));
}

/** Whether the account loses, by the removals of a request, a right that the rest of the same request needs. */
export function takesOwnRight({ operation, params, for: purposes }: Sent, model: RightsModel): boolean {
  const [purpose] = purposes;
  if (operation !== "update-user-group-members" || purpose === undefined || !isList(params.delete)) return false;
  if (params.add_subgroups === undefined && params.delete_subgroups === undefined) return false;
  const { address } = purpose;
  if (!model.manages(address)) return false;
  const people: Step = { parts: [{ address, fields: ["members"] }], half: "whole" };
  return !model.tried(people, () => model.manages(address));
}

/** Requests for which the server asks who manages a group, or who reads a channel, by the object. */
export function askingAbout(drafts: readonly Sent[]): ReadonlyMap<Address, readonly number[]> {
  const byObject = new Map<Address, number[]>();
  for (const [index, draft] of drafts.entries()) {
    const group = groupOf(draft);
    for (const object of new Set([...(group === undefined ? [] : [group]), ...(draft.reads ?? [])]))
      addTo(byObject, object, index);
  }
  return byObject;
}

function groupOf({ operation, for: purposes }: Sent): Address | undefined {
  return MANAGING.has(operation) ? purposes.find(({ address }) => isGroupAddress(address))?.address : undefined;
}

const takesOut = ({ params }: Sent): boolean => isList(params.delete) || params.delete_subgroups !== undefined;

const namesWho = ({ address, fields }: Purpose): boolean =>
  address === ORGANIZATION || (isGroupAddress(address) && fields.includes("can_manage_group"));
