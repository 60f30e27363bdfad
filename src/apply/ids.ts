import { kindOf, nameIn } from "../model/address.ts";
import type { WireCall } from "../model/journal.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { type Address, type Call, isIdOf, isMinutesUntil, isParams, minutesLeft, type Param } from "../model/plan.ts";
import type { LiveObjects } from "./goals.ts";

/**
 * Where the answer to a creation has the new object's id (zulip-api.md §3.3, §6.1, §9.4, §10.3, §11, §18.1). Other creations return no ids (POST
 * /users/me/subscriptions creates up to 200 channels and returns none of their ids): the ids are found by reading the realm.
 */
export const ID_KEYS = ["id", "group_id", "channel_folder_id", "user_id"] as const;

/** Ids of objects that this run created: the values that {@link IdOf} stands for. */
export class Ids {
  private readonly known = new Map<Address, number>();

  /**
   * Takes ids from the journal of the run that this one continues, of objects that have their name today. Any other is looked for by its name: the
   * plan shows names, so no id may lead to an object with another one.
   */
  learnFromJournal(ids: { readonly [address: Address]: number }, objects: LiveObjects): void {
    for (const [address, id] of entriesOf(ids))
      if (objects.find(address, id) !== undefined && objects.find(address)?.id === id) this.known.set(address, id);
  }

  /** Every id that is known so far. */
  all(): { readonly [address: Address]: number } {
    return Object.fromEntries(this.known);
  }

  /** Takes the id from the answer to a call that created one object. Returns the new ids. */
  learnFromAnswer(call: Call, body: JsonObject): { readonly [address: Address]: number } {
    const [address, ...others] = call.creates;
    if (address === undefined || others.length > 0) return {};
    const id = ID_KEYS.map((key) => body[key]).find((value) => typeof value === "number");
    // A value that no server gives out is not an id: the object is found by its name.
    if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 1) return {};
    this.known.set(address, id);
    return { [address]: id };
  }

  /** Takes ids from a reading of the realm, for the addresses that a call needs. Returns the new ids. */
  learnFromReading(addresses: readonly Address[], objects: LiveObjects): { readonly [address: Address]: number } {
    const found: { [address: Address]: number } = {};
    for (const address of addresses) {
      const id = objects.find(address)?.id;
      if (id === undefined || id === null || this.known.get(address) === id) continue;
      this.known.set(address, id);
      found[address] = id;
    }
    return found;
  }

  /** Addresses that a call refers to and whose ids are not known yet. */
  missing(call: Call): readonly Address[] {
    return references(call).filter((address) => !this.known.has(address));
  }

  /**
   * @param nowMs milliseconds since 1970, of the reading that the call relies on
   * @throws RangeError if an id is {@link Ids.missing}
   */
  fill(call: Call, nowMs: number): WireCall {
    const path: { [name: string]: string | number } = {};
    for (const [name, value] of Object.entries(call.path)) path[name] = isIdOf(value) ? this.idOf(value.idOf) : value;
    const params: { [name: string]: Json } = {};
    for (const [name, value] of Object.entries(call.params)) params[name] = this.json(value, nowMs);
    return { operation: call.operation, path, params };
  }

  private json(value: Param, nowMs: number): Json {
    if (isIdOf(value)) return this.idOf(value.idOf);
    if (isMinutesUntil(value)) return minutesLeft(value, nowMs);
    if (isParams(value)) return value.map((item) => this.json(item, nowMs));
    if (typeof value !== "object" || value === null) return value;
    const copy: { [key: string]: Json } = {};
    for (const [key, item] of Object.entries(value)) copy[key] = this.json(item, nowMs);
    return copy;
  }

  private idOf(address: Address): number {
    const id = this.known.get(address);
    if (id === undefined) throw new RangeError(`the id of ${address} is not known yet`);
    return id;
  }
}

function entriesOf(ids: { readonly [address: Address]: number }): readonly (readonly [Address, number])[] {
  return Object.keys(ids).flatMap((key) => {
    const address: Address = `${kindOf(key)}:${nameIn(key)}`;
    const id = ids[address];
    return id === undefined ? [] : [[address, id] as const];
  });
}

/** Whether the end of the period that the call sets has passed. */
export function isTooLate({ params }: Call, nowMs: number): boolean {
  return Object.values(params).some((value) => isMinutesUntil(value) && minutesLeft(value, nowMs) < 1);
}

/** Every object whose id a call needs and does not know yet. */
function references(call: Call): readonly Address[] {
  const found = new Set<Address>();
  const visit = (value: Param): void => {
    if (isIdOf(value)) found.add(value.idOf);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  for (const value of [...Object.values(call.path), ...Object.values(call.params)]) visit(value);
  return [...found];
}
