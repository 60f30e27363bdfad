import { leftOutOf } from "../../model/plan.ts";
import type { PlanPart } from "../../model/targets.ts";
import { count, listNames } from "../../model/words.ts";
import { counted } from "../layout.ts";

/** If more objects than this were included in addition, they are counted. */
const MOST_TAKEN = 8;

/** What a plan was limited to, what it includes in addition, and what it leaves out: parts of one line. */
export function partialParts({ only, except, taken_along, left_out }: PlanPart): readonly string[] {
  const taken = taken_along.map(({ object, for: by }) => `${object.address} (${by.address} needs it)`);
  const left = leftOutOf({ only, except, taken_along, left_out });
  const sections = left_out.map(({ section, changes }) => counted(section, changes));
  return [
    only.length === 0 ? "" : `only ${patterns(only)}`,
    except.length === 0 ? "" : `without ${patterns(except)}`,
    taken.length === 0 ? "" : `also planned: ${listNames(taken, MOST_TAKEN)}`,
    left === 0 ? "the file has no other changes" : `left out: ${count(left, "change")} (${sections.join(", ")})`,
  ].filter((part) => part !== "");
}

const patterns = (all: PlanPart["only"]): string => listNames(all.map(({ pattern }) => pattern));
