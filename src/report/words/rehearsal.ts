import { rightByJoining, WEB } from "../../access/rules.ts";
import { leftOutOf, type Plan, unresolvedIn } from "../../model/plan.ts";
import type { PlanPart } from "../../model/plan-schema.ts";
import { isClean, type Rehearsal, type Unrehearsed } from "../../model/rehearsal.ts";
import { count, listNames, people, who } from "../../model/words.ts";
import { counted } from "../layout.ts";
import { called } from "./names.ts";

type Quoted = Rehearsal["mails"][number];

interface RehearsalWords {
  /** What the result is compared with; default the file. */
  readonly against?: "file" | "plan";
  /** Whether to name everybody, and not only the first people. */
  readonly all?: boolean;
  /** Calls of the plan that an earlier run carried out: the rehearsal counts them, too. */
  readonly done?: number;
}

/** What the result of a rehearsal can match: the file only if all of it is planned. */
export const comparedWith = (plan: Pick<Plan, "extra" | "warnings">): "file" | "plan" =>
  plan.extra?.partial !== undefined || unresolvedIn(plan).length > 0 ? "plan" : "file";

/** The maximum number of named channels, people and openings. */
const MOST_NAMED = 5;

/** The result of a rehearsal, in parts of one line; each can stand alone. */
export function rehearsalParts(
  rehearsal: Rehearsal,
  { against = "file", all = false, done = 0 }: RehearsalWords = {},
): string[] {
  const { calls, newer, succeeded, failed, opened, notices, direct, mails, not_rehearsed: open } = rehearsal;
  const most = all ? Number.POSITIVE_INFINITY : MOST_NAMED;
  const success =
    succeeded < calls
      ? `${succeeded} of ${calls} ${calls === 1 ? "call" : "calls"} ${succeeded === 1 ? "succeeds" : "succeed"}`
      : calls === 1
        ? "the call succeeds"
        : calls === 2
          ? "both calls succeed"
          : `all ${calls} calls succeed`;
  const end = isClean(rehearsal)
    ? `the result matches the ${against}`
    : failed === undefined
      ? `the result does not match the ${against}`
      : `call ${failed.n} is the first that fails`;
  const noticed = notices.map(({ channel, people: number }) => `${sign(channel)} (${people(number)})`);
  return [
    // The remaining calls start from the state after the earlier run; the rehearsal starts from the plan's own reading.
    ...(done === 0
      ? []
      : [`the whole plan, with the ${done === 1 ? "call that is" : `${done} calls that are`} done already`]),
    ...(newer === undefined
      ? [success]
      : [
          `${success} by the rules of feature level ${newer.known}, the newest that are known; this server has ${newer.server}`,
        ]),
    end,
    ...openedParts(opened, most),
    ...(noticed.length === 0 ? [] : [`notices in ${listed(noticed, most)}`]),
    ...(direct.length === 0 ? [] : [`direct messages to ${listed(direct.map(who), most)}`]),
    ...mailedParts(mails, most),
    ...open.map((what) => `not rehearsed: ${UNREHEARSED[what]}`),
  ];
}

const sign = ({ quoted }: Quoted): string => `#${quoted}`;

function openedParts(opened: Rehearsal["opened"], most: number): readonly string[] {
  if (opened.length === 0) return ["nothing opens in between"];
  const parts = opened
    .slice(0, most)
    .map(
      ({ n, object, right, people: number }) =>
        `after call ${n}, ${heldBy(right, number)} ${called(object)}, but neither before nor after the plan`,
    );
  return opened.length > parts.length ? [...parts, `${opened.length - parts.length} more such openings`] : parts;
}

function heldBy(right: string, number: number): string {
  if (right === WEB) return "everybody on the web reads";
  const joined = rightByJoining(right);
  return joined === undefined
    ? `${people(number)} ${number === 1 ? "holds" : "hold"} "${right}" on`
    : `${people(number)} can put themselves into groups that have "${joined}" on`;
}

function mailedParts(mails: readonly Quoted[], most: number): readonly string[] {
  if (mails.length === 0) return ["nobody is mailed"];
  const verb = mails.length === 1 ? "is" : "are";
  const names = mails.map(({ quoted }) => quoted);
  return [`${people(mails.length)} ${verb} mailed: ${listed(names, most)}`];
}

function listed(names: readonly string[], most: number): string {
  const shown = names.slice(0, most);
  const left = names.length - shown.length;
  return left === 0 ? shown.join(", ") : `${shown.join(", ")} and ${left} more`;
}

/** The parts that the copy does not have, since the reading does not have them. */
const UNREHEARSED = {
  subscribers: "who is subscribed (it was not read)",
  memberships: "which groups, permissions and channels reactivated accounts get back",
  pictures: "whether the server accepts the pictures",
  webhooks: "the addresses that bots post to",
  "mail-limits": "the server's limits on e-mails",
  "unseen-names": "whether a channel that the account does not see has the name",
  topics: "whether messages of the channel have topics",
  "workplace-group": "which rights on the group of workplace users the server counts",
} as const satisfies Record<Unrehearsed, string>;

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
