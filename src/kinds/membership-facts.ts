import type { Shifted } from "../access/difference.ts";
import { movedIn } from "../access/of-members.ts";
import { objectsNamed, type PlanAccess } from "../access/of-plan.ts";
import { channelAddress } from "../access/scope.ts";
import type { Named, RiskFact } from "../model/facts.ts";

/** Who comes into a group or leaves it: those for whom it opens or closes channels, with these channels, and the others. */
export function membershipFacts(object: Named, shift: keyof Shifted, access: PlanAccess): readonly RiskFact[] {
  const { readers, others, channels } = movedIn(access.difference, object.name, shift);
  return [
    { people: readers.size, channels: objectsNamed(access, channels, channelAddress) },
    { people: others.size, channels: [] },
  ].flatMap((part) => (part.people === 0 ? [] : [{ kind: "members", object, shift, ...part }]));
}
