import { defined } from "../model/defined.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { didYouMean, editDistance, Patience } from "../model/suggest.ts";
import type { Matching } from "./match.ts";

/**
 * Objects that the file removes and that do not exist. `archived` and `deactivated` leave an object on the server, so a missing one is an error in
 * the file; if the entry also has other fields, there was such an object, and somebody renamed it. `absent` can delete an object for good, so a missing one is reported only if its name is similar to another one.
 * Objects that another entry of the file means are not suggested.
 */
export function missingRemovals(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  live: readonly LiveObject[],
  { liveOf }: Matching,
): readonly Diagnostic[] {
  const missing = declared.filter((object) => object.absent && isWritten(object) && !liveOf.has(object));
  const claimed = new Set(liveOf.values());
  const free = live.filter((object) => !claimed.has(object)).map(({ name }) => name);
  const patience = new Patience();
  const noun = kind.noun[0];
  const inactivity = kind.inactivity?.field;
  return missing.flatMap((object): readonly Diagnostic[] => {
    const written = object.was ?? object.name;
    const meant = bare(written, free) ?? nearTo(written, free, patience);
    const stays = inactivity !== undefined && object.fields[inactivity] === true;
    if (meant === undefined && !stays) return [];
    const isDescribed = stays && Object.keys(object.fields).some((field) => field !== inactivity);
    const fact = {
      noun,
      name: quote(written, kind.name),
      removal: inactivity ?? ("removed" as const),
      ...defined({
        meant: meant === undefined ? undefined : quote(meant, kind.name),
        is_described: isDescribed ? (true as const) : undefined,
        is_private: isDescribed && kind.secrecy.isHidden?.(object.fields) === true ? (true as const) : undefined,
      }),
    };
    return [warning("plan/nothing-to-remove", fact, object.spans.of("was") ?? object.at)];
  });
}

/** A similar name. The limit is stricter than in the suggestions of errors: a missing object is the normal state after a removal. */
function nearTo(written: string, names: readonly string[], patience: Patience): string | undefined {
  const meant = didYouMean(written, names, patience);
  const limit = Math.max(1, Math.floor(written.length / 6));
  if (meant === undefined) return undefined;
  return editDistance(written.toLowerCase(), meant.toLowerCase(), limit + 1) > limit ? undefined : meant;
}

/** Whether an entry still asks for something. An invitation of somebody who has joined does not. */
const isWritten = ({ settled }: DeclaredObject): boolean => settled !== true;

/** People write `#general` for the channel general. */
const bare = (written: string, names: readonly string[]): string | undefined =>
  /^[#@]/.test(written) ? names.find((name) => name === written.slice(1)) : undefined;
