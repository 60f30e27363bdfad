import { accessIn, type PlanAccess } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { projectedState } from "../access/projected.ts";
import { channelHolders, groupHolders, organizationHolders, readersOf } from "../access/rights.ts";
import { CHANNEL_RULES, GROUP_RULES } from "../access/rules.ts";
import { isAccountKind } from "../access/scope.ts";
import type { AccessState } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import type { Change, Risk } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { byText } from "../model/realm.ts";
import { isDemotion, isRole, type RoleWord } from "../model/roles.ts";

type Reach = Extract<RiskFact, { readonly kind: "role" }>["gained"];

const NOTHING: Reach = { channels: [], more_channels: 0, organization: [], settings: 0 };

/** At most this number are named; the others are counted. */
const MOST_CHANNELS = 5;

/** What another role gives to an account, or takes from it. The account that runs the plan cannot give it back to itself. */
export function roleRisks(change: Change, from: RoleWord, context: PlanContext): readonly Risk[] {
  const { address, id } = change;
  const role = change.fields.find(({ field }) => field === "role");
  if (role === undefined || !isRole(role.after) || id === undefined) return [];
  const to = role.after;
  const loses = isDemotion(from, to);
  const at = role.at ?? change.at;
  const placed = { address, ...defined({ at }) };
  const object = namedOf(change);
  // If the account is also reactivated or deactivated, the report says that instead.
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

/**
 * The rights that somebody gains or loses because of their role: those that they would not gain or lose if the plan changed everything except roles.
 * Rights that a new channel or a setting of the same plan gives to somebody, whatever their role is, are risks of that channel or setting.
 */
function reachOf(id: number, context: PlanContext): { readonly gained: Reach; readonly lost: Reach } {
  const { before, sameRoles, after } = heldIn(context);
  const [had, would, has] = [before, sameRoles, after].map((held) => rightsIn(held, id));
  if (had === undefined || would === undefined || has === undefined) return { gained: NOTHING, lost: NOTHING };
  return { gained: reach(has, [had, would], context), lost: reach(intersection(had, would), [has], context) };
}

/** The plan without its changes of roles. */
function withSameRoles(changes: readonly Change[]): readonly Change[] {
  return changes.map((change) =>
    change.id !== undefined && isAccountKind(change.kind)
      ? { ...change, fields: change.fields.filter(({ field }) => field !== "role") }
      : change,
  );
}

/** The names of the rights that somebody holds. */
type HeldRight = { readonly [part in keyof Holdings]: ReadonlySet<string> };

function rightsIn({ channels, organization, settings }: Holdings, id: number): HeldRight {
  const own = (holders: ReadonlyMap<string, People>): ReadonlySet<string> =>
    new Set([...holders].flatMap(([name, people]) => (people.has(id) ? [name] : [])));
  return { channels: own(channels), organization: own(organization), settings: own(settings) };
}

function intersection(one: HeldRight, other: HeldRight): HeldRight {
  const both = (part: keyof HeldRight): ReadonlySet<string> =>
    new Set([...one[part]].filter((name) => other[part].has(name)));
  return { channels: both("channels"), organization: both("organization"), settings: both("settings") };
}

/** The rights that are held here and in none of the others. */
function reach(here: HeldRight, others: readonly HeldRight[], context: PlanContext): Reach {
  const only = (part: keyof HeldRight): readonly string[] =>
    [...here[part]].filter((name) => !others.some((other) => other[part].has(name)));
  const channels = [...only("channels")].sort(byText);
  return {
    channels: channels.slice(0, MOST_CHANNELS).map((name) => channelNamed(name, context)),
    more_channels: Math.max(0, channels.length - MOST_CHANNELS),
    organization: only("organization"),
    settings: only("settings").length,
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

/** Who holds which rights before the plan, after it, and after it with the current roles. */
interface Outcomes {
  readonly before: Holdings;
  readonly sameRoles: Holdings;
  readonly after: Holdings;
}

const known = new WeakMap<PlanAccess, Outcomes>();

/** Worked out once, however many people change. */
function heldIn(context: PlanContext): Outcomes {
  const access = accessIn(context);
  const found = known.get(access);
  if (found !== undefined) return found;
  const sameRoles = projectedState(access.before, withSameRoles(context.changes), context.realm);
  const made = { before: heldBy(access.before), sameRoles: heldBy(sameRoles), after: heldBy(access.after) };
  known.set(access, made);
  return made;
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
