import { AccessDifference } from "../access/difference.ts";
import type { Target } from "../access/grants.ts";
import { accessIn, type PlanAccess } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { projectedState } from "../access/projected.ts";
import { READ } from "../access/rules.ts";
import { isAccountKind, isChannel } from "../access/scope.ts";
import type { AccessState } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import type { FoundRisk } from "../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import { PERMISSIONS } from "../model/permission-settings.ts";
import { type Change, fieldIn } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { byText } from "../model/realm.ts";
import { isDemotion, isRole, type RoleWord } from "../model/roles.ts";

type Reach = Extract<RiskFact, { readonly kind: "role" }>["gained"];

const NOTHING: Reach = { channels: [], more_channels: 0, organization: [], settings: 0 };

/** The maximum number of named channels; the others are counted. */
const MOST_CHANNELS = 5;

/** What another role gives to an account, or takes from it. The account that runs the plan cannot give it back to itself. */
export function roleRisks(change: Change, from: RoleWord, context: PlanContext): readonly FoundRisk[] {
  const { id } = change;
  const role = fieldIn(change.fields, "role");
  if (role === undefined || !isRole(role.after) || id === undefined) return [];
  const to = role.after;
  const loses = isDemotion(from, to);
  const { field } = role;
  const object = namedOf(change);
  // If the account is also reactivated or deactivated, the report says that instead.
  const stays = fieldIn(change.fields, "deactivated") === undefined;
  const reach = stays ? reachOf(id, context) : { gained: NOTHING, lost: NOTHING };
  const fact: RiskFact = { kind: "role", object, from, to, ...reach };
  const { user_id, full_name } = context.snapshot.account;
  const lockout: RiskFact = { kind: "account-loses-role", object, account: { user_id, full_name }, from, to };
  return [
    { kind: loses ? "narrows" : "widens", fact, field },
    ...(loses && id === user_id ? [{ kind: "lockout" as const, fact: lockout, field }] : []),
  ];
}

/**
 * The rights that somebody gains or loses because of their role: those that they would not gain or lose if the plan changed everything except roles.
 * Rights that a new channel or a setting of the same plan gives to somebody, whatever their role is, are risks of that channel or setting.
 */
function reachOf(id: number, context: PlanContext): { readonly gained: Reach; readonly lost: Reach } {
  const { gained, lost } = movedIn(accessIn(context), context);
  return { gained: gained.of(id), lost: lost.of(id) };
}

/** The plan without its changes of roles. */
function withSameRoles(changes: readonly Change[]): readonly Change[] {
  return changes.map((change) =>
    change.id !== undefined && isAccountKind(change.kind)
      ? { ...change, fields: change.fields.filter(({ field }) => field !== "role") }
      : change,
  );
}

type Part = "channels" | "organization" | "settings";

interface MovedRight {
  readonly part: Part;
  readonly name: string;
  /** The position in the order of the state. */
  readonly position: number;
}

/**
 * Rights that move with roles, by the people who gain them (or lose them). Most rights move for the same few sets of people, and most people are in
 * the same of these sets: each set is read once, and what it means is worked out once for all who are in the same ones.
 */
class MovedRights {
  private readonly context: PlanContext;
  private readonly sets: { readonly people: People; readonly rights: MovedRight[] }[] = [];
  private readonly byDigest = new Map<number, number[]>();
  private byPerson: ReadonlyMap<number, readonly number[]> | undefined;
  private readonly known = new Map<string, Reach>();

  constructor(context: PlanContext) {
    this.context = context;
  }

  add(people: People, right: MovedRight): void {
    if (people.size === 0) return;
    const sameDigest = this.byDigest.get(people.digest) ?? [];
    const found = sameDigest.find((index) => this.sets[index]?.people.equals(people) === true);
    if (found !== undefined) {
      this.sets[found]?.rights.push(right);
      return;
    }
    this.byDigest.set(people.digest, [...sameDigest, this.sets.length]);
    this.sets.push({ people, rights: [right] });
  }

  of(id: number): Reach {
    this.byPerson ??= this.sorted();
    const indexes = this.byPerson.get(id);
    if (indexes === undefined) return NOTHING;
    const key = indexes.join(" ");
    const found = this.known.get(key) ?? this.reach(indexes.flatMap((index) => this.sets[index]?.rights ?? []));
    this.known.set(key, found);
    return found;
  }

  private sorted(): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, number[]>();
    for (const [index, { people }] of this.sets.entries())
      for (const id of people) {
        addTo(found, id, index);
      }
    return found;
  }

  private reach(rights: readonly MovedRight[]): Reach {
    const only = (wanted: Part): readonly string[] =>
      rights
        .filter(({ part }) => part === wanted)
        .sort((one, other) => one.position - other.position)
        .map(({ name }) => name);
    const channels = only("channels");
    return {
      // In the order of the server: which of many are named must not depend on hidden names.
      channels: channels
        .slice(0, MOST_CHANNELS)
        .sort(byText)
        .map((name) => channelNamed(name, this.context)),
      more_channels: Math.max(0, channels.length - MOST_CHANNELS),
      organization: only("organization"),
      settings: only("settings").length,
    };
  }
}

function channelNamed(name: string, context: PlanContext): Named {
  const was = context.pair(`channel:${name}`)?.change?.was;
  return { address: `channel:${name}`, name, ...defined({ was }) };
}

interface Moved {
  readonly gained: MovedRights;
  readonly lost: MovedRights;
}

/**
 * The rights that move in a plan. They are computed once, however many people change. They are part of the difference that the plan makes, so nobody loses
 * what a bot of theirs still can do.
 */
const movedIn = oncePer(({ before, after, difference }: PlanAccess, context: PlanContext): Moved => {
  const unchanged = projectedState(before, withSameRoles(context.changes), context.realm);
  const byRoles = new AccessDifference(unchanged, after);
  const concerned = before.population.of(
    context.changes.flatMap(({ id, kind }) => (id !== undefined && isAccountKind(kind) ? [id] : [])),
  );
  const moved = { gained: new MovedRights(context), lost: new MovedRights(context) };
  let position = 0;
  for (const pair of byRoles.pairs()) {
    const whole = difference.pairOf(pair.is);
    if (whole === undefined) continue;
    for (const { part, right, name } of rightsOn(pair.is, after)) {
      position += 1;
      const roles = byRoles.of(pair, right);
      for (const shift of ["gained", "lost"] as const) {
        const people = roles[shift].and(concerned);
        if (people.size > 0)
          moved[shift].add(people.and(difference.usable(whole, right)[shift]), { part, name, position });
      }
    }
  }
  return moved;
});

/** What a role can give on an object: reading, and its settings. Whoever reads a channel may subscribe to it. */
function rightsOn(
  target: Target,
  { organization }: AccessState,
): readonly (Omit<MovedRight, "position"> & { readonly right: string })[] {
  if (target === "organization")
    return [...organization.keys()].map((right) => ({ part: "organization", name: right, right }));
  const { kind, name } = target;
  return Object.keys(PERMISSIONS[isChannel(target) ? "stream" : "group"]).map((right) =>
    right === "can_subscribe_group"
      ? { part: "channels", name, right: READ }
      : { part: "settings", name: `${kind}:${name}:${right}`, right },
  );
}
