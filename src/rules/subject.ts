import { hasNamesake } from "../access/namesakes.ts";
import { GROUP } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import { defined } from "../model/defined.ts";
import type { RuleSubject, RuleTarget } from "../model/diagnostics/broken-rules.ts";
import { named, quoteAll } from "../model/diagnostics/values.ts";
import type { Ground } from "./bind.ts";

/** Somebody whom a rule is about, a real person or a persona, as a fact. */
export function subjectFact(id: number, { realm, personaById, invitees }: Ground): RuleSubject {
  const persona = personaById.get(id);
  if (persona !== undefined)
    return {
      role: persona.role,
      groups: quoteAll(persona.groups, GROUP),
      ...defined({ joinsBy: invitees.get(id)?.by }),
    };
  const user = realm.user(id);
  if (user === undefined) return { user_id: id };
  return {
    user_id: id,
    full_name: user.full_name,
    email: realm.userName(id),
    ...defined({
      isBot: user.is_bot ? (true as const) : undefined,
      hasNamesake: hasNamesake(realm, user.full_name) ? (true as const) : undefined,
    }),
  };
}

/** The object of a rule, as a fact, with the name that it had before the plan. */
export function targetFact(target: Target, { former }: Pick<Ground, "former">): RuleTarget {
  if (target === "organization") return target;
  const on = named(target.kind, target.name);
  const was = former?.get(on.address)?.name;
  return { ...on, ...defined({ was: was === target.name ? undefined : was }) };
}
