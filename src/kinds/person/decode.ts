import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { resolveAccount } from "../references.ts";
import type { Person } from "./schema.ts";

/** Addresses are compared without regard to case. */
export const personKey = (name: string): string => name.trim().toLowerCase();

/** A file cannot create people: an address without an account is an error, most likely a misspelt address. */
export function decodePerson(item: Person, name: string, context: DecodeContext): Decoded {
  const { realm } = context;
  const known = resolveAccount(name, [], context);
  const user = realm === undefined || known === undefined ? undefined : realm.user(realm.userId(known));
  if (known === undefined) return { absent: true, settled: true, fields: {} };
  if (user?.is_bot) {
    context.report([], finding("people/is-bot", { address: quote(name) }));
    return { absent: true, settled: true, fields: {} };
  }
  // If the real address is known, the address that the API shows would be a second name for the same person.
  if (known !== name)
    context.report([], finding("people/other-address", { address: quote(name), meant: quote(known) }));
  if (user !== undefined && !user.is_active && item.deactivated === undefined)
    context.report([], { ...finding("people/is-deactivated", { address: quote(name) }), severity: "warning" });
  const fields: { [field: string]: Json } = {};
  if (item.role !== undefined) fields.role = item.role;
  if (item.deactivated !== undefined) fields.deactivated = item.deactivated;
  return { absent: false, fields };
}
