import { accessIn, type PlanAccess } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { channelHolders, groupHolders, organizationHolders, readersOf } from "../access/rights.ts";
import { CHANNEL_RULES, GROUP_RULES } from "../access/rules.ts";
import type { AccessState } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import type { PlanContext } from "../model/kind.ts";
import type { Change, Risk } from "../model/plan.ts";
import { byText } from "../model/realm.ts";
import { isDemotion, isRole, type RoleWord } from "./roles.ts";

type Reach = Extract<RiskFact, { readonly kind: "role" }>["gained"];

const NOTHING: Reach = { channels: [], more_channels: 0, organization: [], settings: 0 };

/** So many are named; the others are counted. */
const MOST_CHANNELS = 5;

/** What another role brings to an account, or takes from it; the account that runs this cannot give it back to itself. */
export function roleRisks(change: Change, from: RoleWord, context: PlanContext): readonly Risk[] {
  const { address, id } = change;
  const role = change.fields.find(({ field }) => field === "role");
  if (role === undefined || !isRole(role.after) || id === undefined) return [];
  const to = role.after;
  const loses = isDemotion(from, to);
  const at = role.at ?? change.at;
  const placed = { address, ...defined({ at }) };
  const object = namedOf(change);
  // Of somebody who comes or goes as well, that is said instead.
  const stays = !change.fields.some(({ field }) => field === "deactivated");
  const reach = stays ? reachOf(id, context) : { gained: NOTHING, lost: NOTHING };
  const fact: RiskFact = { kind: "role", object, from, to, ...reach };
  const { user_id, full_name } = context.snapshot.account;
  const lockout: RiskFact = { kind: "account-loses-role", object, account: { user_id, full_name }, from, to };
  return [
    { kind: loses ? "narrows" : "widens", fact, ...placed },
    ...(loses && id === user_id ? [{ kind: "lockout" as const, fact: lockout, ...placed }] : []),
  ];
}

/** What somebody may do after the plan and not before it, and the other way round: everything that the plan changes counts. */
function reachOf(id: number, context: PlanContext): { readonly gained: Reach; readonly lost: Reach } {
  const { before, after } = heldIn(context);
  return { gained: beyond(after, before, id, context), lost: beyond(before, after, id, context) };
}

function beyond(here: Holdings, there: Holdings, id: number, context: PlanContext): Reach {
  const only = (own: ReadonlyMap<string, People>, other: ReadonlyMap<string, People>): readonly string[] =>
    [...own].flatMap(([name, people]) => (people.has(id) && other.get(name)?.has(id) !== true ? [name] : []));
  const channels = [...only(here.channels, there.channels)].sort(byText);
  return {
    channels: channels.slice(0, MOST_CHANNELS).map((name) => channelNamed(name, context)),
    more_channels: Math.max(0, channels.length - MOST_CHANNELS),
    organization: only(here.organization, there.organization),
    settings: only(here.settings, there.settings).length,
  };
}

function channelNamed(name: string, context: PlanContext): Named {
  const was = context.pair(`channel:${name}`)?.change?.was;
  return { address: `channel:${name}`, name, ...defined({ was }) };
}

/** Right → who holds it. */
interface Holdings {
  /** Who reads a channel that is in use. */
  readonly channels: ReadonlyMap<string, People>;
  readonly organization: ReadonlyMap<string, People>;
  /** By object and setting. */
  readonly settings: ReadonlyMap<string, People>;
}

const known = new WeakMap<PlanAccess, { readonly before: Holdings; readonly after: Holdings }>();

/** Worked out once, however many people change. */
function heldIn(context: PlanContext): { readonly before: Holdings; readonly after: Holdings } {
  const access = accessIn(context);
  const found = known.get(access) ?? { before: heldBy(access.before), after: heldBy(access.after) };
  known.set(access, found);
  return found;
}

function heldBy(state: AccessState): Holdings {
  const channels = new Map<string, People>();
  const settings = new Map<string, People>();
  const organization = new Map<string, People>();
  for (const channel of state.channels()) {
    if (channel.archived) continue;
    channels.set(channel.name, readersOf(state, channel).people);
    for (const setting of Object.keys(CHANNEL_RULES)) {
      const people = setting === "can_subscribe_group" ? undefined : channelHolders(state, channel, setting)?.people;
      if (people !== undefined) settings.set(`channel:${channel.name}:${setting}`, people);
    }
  }
  for (const group of state.groups())
    for (const setting of Object.keys(GROUP_RULES)) {
      const people = groupHolders(state, group, setting)?.people;
      if (people !== undefined) settings.set(`user_group:${group.name}:${setting}`, people);
    }
  for (const setting of state.organization.keys()) {
    const people = organizationHolders(state, setting);
    if (people !== undefined) organization.set(setting, people);
  }
  return { channels, settings, organization };
}
