import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error, type Note } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type ResourceKind, secrecyOf } from "../model/kind.ts";
import type { Pair } from "../model/objects.ts";
import { withoutExcept } from "../model/people-list.ts";
import type { Realm } from "../model/realm.ts";
import { textsIn } from "../model/texts.ts";
import { isRemoved, placeOf } from "./named-and-removed.ts";

/**
 * Accounts that the file names although the plan deactivates them: bots that `exact` or their own entry deactivates, or that are deactivated with
 * their owner. Otherwise the server would refuse the plan, or realmctl would refuse the file from then on. (People whom the file itself deactivates
 * are found while it is read.)
 */
export function namedAndLeaving(
  desired: Desired,
  sections: readonly { readonly kind: ResourceKind; readonly pairs: readonly Pair[] }[],
  realm: Realm,
): readonly Diagnostic[] {
  const leaving = leavingIn(sections, realm);
  if (leaving.size === 0) return [];
  return sections.flatMap(({ kind, pairs }) => {
    const going = new Set(pairs.filter((pair) => isRemoved(kind, pair)).map(({ declared }) => declared));
    return (desired.sections.get(kind.section) ?? [])
      .filter((declared) => !going.has(declared))
      .flatMap(({ fields, creation, spans, at }) =>
        Object.entries({ ...creation, ...fields })
          .filter(([field]) => secrecyOf(kind, field) === "groups")
          .flatMap(([field, value]) =>
            textsIn(withoutExcept(value)).flatMap((name) => {
              const note = leaving.get(name);
              if (note === undefined) return [];
              return [error("reference/leaving-person", { person: quote(name) }, spans.of(field) ?? at, note)];
            }),
          ),
      );
  });
}

/** Canonical name → the place that deactivates the account. */
function leavingIn(
  sections: readonly { readonly kind: ResourceKind; readonly pairs: readonly Pair[] }[],
  realm: Realm,
): ReadonlyMap<string, readonly Note[]> {
  const accounts = sections.filter(({ kind }) => kind.isAccount === true);
  const byId = new Map(accounts.flatMap(({ pairs }) => pairs).map((pair) => [pair.live?.id, pair]));
  const notes = new Map<number, readonly Note[]>();
  for (const { kind, pairs } of accounts)
    for (const pair of pairs) {
      if (!isRemoved(kind, pair) || pair.live.id === null) continue;
      const at = placeOf(kind, pair);
      const note = pair.declared === undefined ? "not-declared" : "made-inactive-here";
      notes.set(pair.live.id, at === undefined ? [] : [{ at, note }]);
    }
  for (const { user_id, bot_owner_id: owner, is_active } of realm.snapshot.users) {
    if (owner === null || !is_active || notes.has(user_id)) continue;
    const note = notes.get(owner);
    if (note === undefined) continue;
    // A bot that gets another owner in the same plan stays.
    const isGiven = byId.get(user_id)?.change?.fields.some(({ before }) => before === realm.userName(owner));
    if (isGiven !== true) notes.set(user_id, note);
  }
  return new Map([...notes].map(([id, note]) => [realm.userName(id), note]));
}
