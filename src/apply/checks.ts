import { sameJson } from "../model/json.ts";
import { addTo } from "../model/lazy.ts";
import type { Address, Call, Expectation, Plan } from "../model/plan.ts";
import type { Conflict } from "../model/result.ts";
import type { CallFact } from "../model/run-facts.ts";
import { fieldOf, type Goals, type LiveObjects, unmet } from "./goals.ts";

/** The progress of the plan's calls when one of them is checked. */
export interface Ledger {
  /** Whether this run carried out the call, or found it done. */
  isDone(n: number): boolean;
  /** Whether this run sent the call after the reading that is checked. */
  isNewerThanReading(n: number): boolean;
}

/** Compares a call's expectations with a reading, and does not confuse the plan's own earlier calls with changes by others. */
export class Checks {
  private readonly writers = new Map<string, number[]>();
  private readonly goals: Goals;
  private readonly calls: ReadonlyMap<number, Call>;

  constructor(plan: Plan, goals: Goals) {
    this.goals = goals;
    this.calls = new Map(plan.calls.map((call) => [call.n, call]));
    for (const call of plan.calls) {
      for (const { address, fields } of call.for) for (const field of fields) this.noteWriter(address, field, call.n);
      for (const address of call.creates) this.noteWriter(address, "exists", call.n);
    }
  }

  /** The values that this call relies on and that changed since the plan was made. A field that already has the wanted value counts too. */
  moved(call: Call, objects: LiveObjects, ledger: Ledger): readonly Conflict[] {
    const found = new Map<string, Conflict>();
    for (const expectation of call.expects) {
      if (this.isOurs(expectation, call, objects, ledger)) continue;
      const conflict = unmet(expectation, call, objects, this.goals);
      if (conflict !== undefined) found.set(`${conflict.address}\n${conflict.field}`, conflict);
    }
    return [...found.values()];
  }

  /**
   * Whether the realm shows that a call was carried out whose effect a later call of the plan replaces (the first of the renames of a swap). The
   * final value does not show it, but the value that the later call expects does.
   * @param sent this run sent the call: then any value other than the old one comes from the call, whatever a later call expects
   */
  isSuperseded(call: Call, objects: LiveObjects, sent = false): boolean {
    const applied = new Map(
      this.goals.appliedParts(call, objects).map(({ address, fields }) => [address, new Set(fields)]),
    );
    let steps = 0;
    for (const { address, fields } of call.for) {
      for (const field of fields) {
        const later = this.writersOf(address, field).find((n) => n > call.n);
        if (later === undefined) {
          if (applied.get(address)?.has(field) !== true) return false;
          continue;
        }
        steps += 1;
        if (!this.isBetween(call, later, address, field, objects, sent)) return false;
      }
    }
    return steps > 0;
  }

  /** Later calls of the plan that write a field which this call also writes. */
  laterWriters({ n: own, for: purposes }: Call): readonly number[] {
    const all = purposes.flatMap(({ address, fields }) => fields.flatMap((field) => this.writersOf(address, field)));
    return [...new Set(all.filter((n) => n > own))];
  }

  private isBetween(
    call: Call,
    later: number,
    address: Address,
    field: string,
    objects: LiveObjects,
    sent: boolean,
  ): boolean {
    const isFor = (expectation: Expectation) => expectation.address === address && expectation.field === field;
    const own = call.expects.filter(isFor);
    // For a value that nobody can read (a picture), the rest of the object decides.
    const before = own.length > 0 ? own : call.expects.filter((expectation) => expectation.address === address);
    // The value from before is still there: nothing happened.
    if (before.every((expectation) => unmet(expectation, call, objects, this.goals) === undefined)) return false;
    const next = this.calls.get(later)?.expects.find(isFor);
    return next === undefined ? sent : unmet(next, call, objects, this.goals) === undefined;
  }

  /** Whether an earlier call of this plan changes the expected value, has changed it, or still has to free it. */
  private isOurs(expectation: Expectation, call: Call, objects: LiveObjects, ledger: Ledger): boolean {
    const { address, id, field } = expectation;
    const object = objects.find(address, id);
    // A name that an object of this plan still has: one of the earlier calls renames it.
    if (field === "exists" && id === undefined && object !== undefined && this.goals.isClaimed(address, object))
      return true;
    for (const n of this.writersOf(address, field)) {
      // A later call that was sent although this one failed before it, or whose value somebody else set already.
      if (n === call.n || (n > call.n && !ledger.isDone(n))) continue;
      if (!ledger.isDone(n) || ledger.isNewerThanReading(n)) return true;
      const wanted = this.goals.wanted(address, field);
      if (object !== undefined && wanted !== undefined && sameJson(fieldOf(object, field) ?? null, wanted)) return true;
    }
    return false;
  }

  private writersOf(address: Address, field: string): readonly number[] {
    return this.writers.get(`${address}\n${field}`) ?? [];
  }

  private noteWriter(address: Address, field: string, n: number): void {
    const key = `${address}\n${field}`;
    addTo(this.writers, key, n);
  }
}

/** Whether somebody else changed a field to a value that the plan does not want. */
export function isForeign({ found, wanted }: Conflict): boolean {
  return wanted === undefined || !sameJson(found, wanted);
}

export function changedFact(moved: readonly Conflict[]): CallFact {
  return { kind: "changed", changed: moved.map(({ address, name, field }) => ({ object: { address, name }, field })) };
}
