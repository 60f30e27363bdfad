import { addTo } from "../model/indexed.ts";
import { canonicalJson, isList, type Json, sameJson } from "../model/json.ts";
import type { Fields } from "../model/objects.ts";
import type { Address, Call, FieldChange, Plan } from "../model/plan.ts";

/**
 * The intermediate values of a run that was interrupted: neither those from before nor the plan's. Examples are the temporary name of an object in a swap,
 * the parts of a playground that is created again, and an invitation that is revoked and not yet sent again.
 */
export class IntermediateValues {
  /** By address and field: the calls that write it, and the values that calls of the plan expect to find there. */
  private readonly writers = new Map<string, Call[]>();
  private readonly values = new Map<string, Json[]>();
  private readonly expected = new Map<Address, { [field: string]: Json }>();
  private readonly sent: ReadonlySet<number>;

  /** @param sent numbers of the calls that were sent */
  constructor({ calls }: Plan, sent: ReadonlySet<number>) {
    this.sent = sent;
    for (const call of calls) {
      for (const { address, fields } of call.for)
        for (const field of fields) addTo(this.writers, keyOf(address, field), call);
      for (const { address, field, value } of call.expects) {
        addTo(this.values, keyOf(address, field), value);
        if (field === "exists" || call.creates.includes(address)) continue;
        const known = this.expected.get(address) ?? {};
        // The value from before the run, which the first of them expects.
        this.expected.set(address, { [field]: value, ...known });
      }
    }
  }

  /** Whether the run wrote the field, and did not reach the last call that writes it. */
  isOpen(address: Address, field: string): boolean {
    const writers = this.writers.get(keyOf(address, field)) ?? [];
    return writers.some(({ n }) => this.sent.has(n)) && writers.some(({ n }) => !this.sent.has(n));
  }

  /** Whether no call that writes the field was sent yet. */
  isUntouched(address: Address, field: string): boolean {
    return (this.writers.get(keyOf(address, field)) ?? []).every(({ n }) => !this.sent.has(n));
  }

  /** Whether the plan gives the field this value between two of its calls. */
  isStep(address: Address, field: string, live: Json): boolean {
    return (this.values.get(keyOf(address, field)) ?? []).some((value) => sameJson(value, live));
  }

  /** Whether all removed members are gone from the list and no new ones are there yet, or the reverse. Two calls write such a list. */
  isIntermediate(address: Address, { field, before, after }: FieldChange, live: Json): boolean {
    if (!this.isOpen(address, field) || !isList(before) || !isList(after) || !isList(live)) return false;
    const [old, now, there] = [textsOf(before), textsOf(after), textsOf(live)];
    const isThere = (texts: ReadonlySet<string>): boolean =>
      texts.size === there.size && [...texts].every((text) => there.has(text));
    return isThere(new Set([...old].filter((text) => now.has(text)))) || isThere(new Set([...old, ...now]));
  }

  /** Fields of an object that calls of the plan relied on, with their values from before the run. */
  fieldsBefore(address: Address): Fields {
    return this.expected.get(address) ?? {};
  }
}

const textsOf = (list: readonly Json[]): ReadonlySet<string> => new Set(list.map(canonicalJson));

const keyOf = (address: Address, field: string): string => `${address}\n${field}`;
