import { defined } from "../model/defined.ts";
import type { GuardAbout } from "../model/facts.ts";
import type { Guard, Plan } from "../model/plan.ts";
import type { Rehearsal } from "../model/rehearsal.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { RehearsalInput } from "../rehearsal/rehearse.ts";

/**
 * Up to these counts a rehearsal takes less than a second, so that nobody has to request it. Counts are used because a clock would give different
 * results.
 */
const SMALL = { calls: 500, people: 10_000, channels: 2_000 } as const;

/** Whether a plan is rehearsed without an option. */
function isSmall({ calls }: Pick<Plan, "calls">, { users, channels }: Snapshot): boolean {
  return calls.length <= SMALL.calls && users.length <= SMALL.people && channels.length <= SMALL.channels;
}

interface RehearsalOptions extends Omit<RehearsalInput, "plan"> {
  /** Names of guards that are allowed. */
  readonly allow: readonly string[];
}

/**
 * The plan with its result on a copy of the organization. If a call is refused there, or the result does not match the file, a guard rail refuses the
 * plan. The sandbox is loaded only here; a plan without calls stays as it is.
 */
export async function rehearsed(plan: Plan, { allow, ...options }: RehearsalOptions): Promise<Plan> {
  if (plan.calls.length === 0) return plan;
  const { rehearse } = await import("../rehearsal/rehearse.ts");
  const rehearsal = await rehearse({ plan, ...options });
  const guard = guardIn(rehearsal, allow.includes(GUARD));
  return {
    ...plan,
    guards: guard === undefined ? plan.guards : [...plan.guards, guard],
    extra: { ...plan.extra, rehearsal },
  };
}

const GUARD = "rehearsal";

function guardIn({ failed, remaining, calls }: Rehearsal, isAllowed: boolean): Guard | undefined {
  const about: GuardAbout | undefined =
    failed !== undefined
      ? {
          kind: "rehearsal-refused",
          call: failed.n,
          of: calls,
          operation: failed.operation,
          ...defined({ object: failed.object }),
          said: failed.said,
        }
      : remaining !== undefined
        ? { kind: "rehearsal-differs", ...remaining }
        : undefined;
  if (about === undefined) return undefined;
  const excused = isAllowed ? ("allow" as const) : undefined;
  return { name: GUARD, fact: { about, ...defined({ excused }) }, violated: !isAllowed };
}

/** A plan that was checked with other guard rails since, with the result of its rehearsal. */
export function withRehearsal(plan: Plan, { guards, extra }: Plan): Plan {
  if (extra?.rehearsal === undefined) return plan;
  const own = guards.filter(({ name }) => name === GUARD);
  return { ...plan, guards: [...plan.guards, ...own], extra: { ...plan.extra, rehearsal: extra.rehearsal } };
}

/** Whether a plan is rehearsed before it is carried out. A plan that a guard rail refuses anyway is not. */
export function isToRehearse(plan: Plan, snapshot: Snapshot, asked: boolean | undefined): boolean {
  if (asked === false || plan.calls.length === 0 || plan.extra?.rehearsal !== undefined) return false;
  return asked === true || (isSmall(plan, snapshot) && !plan.guards.some(({ violated }) => violated));
}
