import { comingTo } from "../access/answers.ts";
import { holdersOf } from "../access/grants.ts";
import type { People } from "../access/people.ts";
import { roleOf } from "../access/personas.ts";
import { READ } from "../access/rules.ts";
import { BOT, groupAddress, isChannel, ORGANIZATION } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import { type AccessChannel, isPrivate } from "../access/state.ts";
import { wordOf } from "../access/words.ts";
import { defined } from "../model/defined.ts";
import { type Ground, leftOutIn, personaKey } from "./bind.ts";

/** A rule that holds for the ground, in the form of the file. */
interface SuggestedRule {
  readonly about: SuggestedSubject;
  /** The content of the rule, in the form of the file. */
  readonly claim: { readonly [field: string]: unknown };
}

/** The subject of a suggested rule; `src/report/rules/words.ts` makes the rule's name of it. */
export type SuggestedSubject =
  /** @property isFileAlone no reading is known, so no subscriptions of guests are */
  | { readonly is: "guests-read-nothing"; readonly isFileAlone: boolean }
  | { readonly is: "guests-read-some" }
  | { readonly is: "guests-read-none-of-these" }
  | {
      readonly is: "holders";
      readonly right: SuggestedRight;
      readonly of: "organization" | { readonly channel: string };
    };

/** The rights of which rules are suggested. */
type SuggestedRight = typeof READ | "can_send_message_group" | "can_invite_users_group";

/** The maximum number of names in one list of a suggested rule: nobody would keep a longer list up to date. */
const MOST_NAMES = 12;

/**
 * Suggests rules from the current state: what guests can read, who reads private channels, who posts in channels where not everybody can, who
 * invites.
 */
export function suggestedRules(ground: Ground): readonly SuggestedRule[] {
  const channels = [...ground.state.channels()].filter((channel) => !channel.archived && isSaid(channel, ground));
  return [
    ...guestRule(ground),
    ...channels.filter(isPrivate).flatMap((channel) => whoHas(ground, channel, READ)),
    ...channels.flatMap((channel) => restricted(ground, channel, "can_send_message_group")),
    ...(isSaid("organization", ground) ? restricted(ground, "organization", "can_invite_users_group") : []),
  ];
}

/** Whether a rule about the object can be checked on the file alone, if there is a file. */
const isSaid = (target: Target, ground: Ground): boolean =>
  ground.isDeclared(target === "organization" ? ORGANIZATION : `${target.kind}:${target.name}`);

function guestRule(ground: Ground): readonly SuggestedRule[] {
  // Of channels that nobody sees here, the rule could not be told to hold.
  if (ground.hidesChannels) return [];
  const guest = ground.personas.get(personaKey({ role: "guest", groups: [] }));
  const channels = [...ground.state.channels()].filter(({ archived }) => !archived || !ground.isFileAlone);
  if (guest === undefined || !channels.some((channel) => isSaid(channel, ground))) return [];
  const open = channels.filter((channel) => {
    const { people } = holdersOf(ground.state, channel, READ) ?? {};
    return people !== undefined && [...people].some((id) => id === guest || roleOf(ground.realm, id) === "guest");
  });
  const except = open.map(({ name }) => name);
  if (except.length === channels.length) return [];
  if (open.some((channel) => !isSaid(channel, ground))) return guestsOutside(ground, channels, open);
  return [
    {
      about:
        except.length === 0
          ? { is: "guests-read-nothing", isFileAlone: ground.isFileAlone }
          : { is: "guests-read-some" },
      claim: {
        who: { role: "guest" },
        cannot: { read: "*" },
        ...defined({ except: except.length === 0 ? undefined : except }),
      },
    },
  ];
}

/** The rule about guests if they read channels that the file does not have, so that it cannot except them. */
function guestsOutside(
  ground: Ground,
  channels: readonly AccessChannel[],
  open: readonly AccessChannel[],
): readonly SuggestedRule[] {
  const closed = channels.filter((channel) => !open.includes(channel) && isSaid(channel, ground));
  if (closed.length === 0 || closed.length > MOST_NAMES) return [];
  const read = closed.map(({ name }) => name);
  return [{ about: { is: "guests-read-none-of-these" }, claim: { who: { role: "guest" }, cannot: { read } } }];
}

/** A rule for a right, if not everybody (except guests) has it. */
function restricted(ground: Ground, target: Target, right: SuggestedRight): readonly SuggestedRule[] {
  const holders = holdersOf(ground.state, target, right);
  const { members } = ground.state.accounts;
  if (holders === undefined || members.isWithin(holders.people)) return [];
  if (isChannel(target) && isPrivate(target)) return [];
  return whoHas(ground, target, right);
}

function whoHas(ground: Ground, target: Target, right: SuggestedRight): readonly SuggestedRule[] {
  const holders = holdersOf(ground.state, target, right);
  if (holders === undefined || holders.bound !== undefined) return [];
  // A list of readers forbids everybody else to read, and so also those who can come to read by joining a group.
  if (right === READ && comingTo(ground.state, target) !== undefined) return [];
  // The file alone takes a bot that it does not declare for a person, and does not know its owner.
  const bots = [...holders.people.and(ground.state.accounts.bots)].map((id) => ground.realm.userName(id));
  if (!bots.every((name) => [name, name.replace(/@.*/s, "")].some((own) => ground.isDeclared(`${BOT}:${own}`))))
    return [];
  const names = namesOf(holders.people, ground);
  if (names === undefined) return [];
  const [objects, scope] = target === "organization" ? [target, target] : [target.name, target.kind];
  return [
    {
      about: { is: "holders", right, of: target === "organization" ? target : { channel: target.name } },
      claim: { objects, rights: { [wordOf(scope, right)]: { exactly: names.length === 1 ? names[0] : names } } },
    },
  ];
}

/** One group with exactly these people, or their addresses; undefined if there are too many. */
function namesOf(people: People, ground: Ground): readonly string[] | undefined {
  const { state, realm, isDeclared } = ground;
  const { bots, made } = leftOutIn(ground);
  const wanted = people.minus(bots);
  if (wanted.size === 0) return ["role:nobody"];
  // A group in which these people are by chance does not give them the right: its persona does not have it.
  for (const { name, deactivated } of state.groups())
    if (!deactivated && (name.startsWith("role:") || isDeclared(groupAddress(name))))
      if (state.membersOf(name).minus(bots).equals(wanted)) return [name];
  if (wanted.size > MOST_NAMES || [...wanted].some((id) => made.has(id))) return undefined;
  return [...wanted].map((id) => realm.userName(id));
}
