import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import { ROLE_WORDS } from "../../model/roles.ts";
import { roleField } from "../accounts.ts";
import { optional } from "../optional.ts";
import { resolveAccount } from "../references.ts";

export const personForm = once(() =>
  z.strictObject({
    role: optional(z.enum(ROLE_WORDS), "The role of the account. Without this field, the account keeps its role."),
    deactivated: optional(
      z.boolean(),
      "`true` deactivates the account, `false` reactivates it. Without this field it stays as it is: an account that somebody deactivated does not come back by itself.",
    ),
  }),
);
export type Person = z.infer<ReturnType<typeof personForm>>;

/** Addresses are compared without regard to case. */
export const personKey = (name: string): string => name.trim().toLowerCase();

/** A file cannot create people: an address without an account is an error, most likely a misspelt address. */
export function decodePerson(item: Person, name: string, context: DecodeContext): Decoded {
  const { realm } = context;
  const known = resolveAccount(name, [], withRole(item, context));
  const user = realm === undefined || known === undefined ? undefined : realm.user(realm.userId(known));
  if (known === undefined) return { absent: true, settled: true, fields: {} };
  if (user?.is_bot) {
    context.report([], finding("people/is-bot", { address: quote(name) }));
    return { absent: true, settled: true, fields: {} };
  }
  if (known !== name) checkOtherName(name, known, context);
  if (user !== undefined && !user.is_active && item.deactivated === undefined)
    context.report([], { ...finding("people/is-deactivated", { address: quote(name) }), severity: "warning" });
  const fields: { [field: string]: Json } = {};
  if (item.role !== undefined) fields.role = item.role;
  if (item.deactivated !== undefined) fields.deactivated = item.deactivated;
  return { name: known, absent: false, fields };
}

/** Only one account hides its address, and has another role than the entry: if it is the person, somebody changed the role. */
function withRole({ role }: Person, context: DecodeContext): DecodeContext {
  return {
    ...context,
    report: (path, found) => {
      if (found.code !== "reference/unknown-person" || found.fact.found !== "no-address" || role === undefined)
        return context.report(path, found);
      const user = found.fact.only && context.realm?.user(found.fact.only.user_id);
      const now = user && roleField(user);
      const differs = now !== undefined && now !== role;
      const fact = differs ? { ...found.fact, role: { now: String(now), file: role } } : found.fact;
      return context.report(path, { ...found, fact });
    },
  };
}

/**
 * A second name of the person. `user:17` stays valid when the person shows the address again, or to an account that sees it; the address that the API
 * showed until then should be replaced.
 */
function checkOtherName(name: string, known: string, { declares, report }: DecodeContext): void {
  const found = finding("people/other-address", { address: quote(name), meant: quote(known) });
  if (declares("person", known)) report([], found);
  else if (!name.startsWith("user:")) report([], { ...found, severity: "warning" });
}
