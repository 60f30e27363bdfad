import type { ChannelFacts, ChannelRight } from "../../../model/diagnostics/channels.ts";
import type { Person, Quoted } from "../../../model/diagnostics/values.ts";
import { objectName } from "../../object-names.ts";
import { listNames } from "../list-names.ts";
import { peopleAndBots, who } from "../names.ts";
import { releaseWords } from "../releases.ts";
import { groupRefused, nameCause, nameTaken, unseen } from "./names.ts";
import { ifRenamed } from "./unknown-channel.ts";
import { accountThatRuns, bare, didYouMean, listOf, q, say, type Words, type WordsOf } from "./words.ts";

export const channelWords: WordsOf<ChannelFacts> = {
  "channels/archived": ({ name, needs_level }) =>
    say(
      needs_level === undefined
        ? `the archived channel ${q(name)} is unarchived, with its messages and its subscribers`
        : `there is an archived channel ${q(name)}, and this server cannot unarchive it: that needs ${releaseWords(needs_level)}`,
      `write archived: true to leave it archived; if you mean another channel, rename this one first (another item with was: ${q(name)} and archived: true)`,
    ),
  "channels/archived-folder": ({ name, by_file }) =>
    by_file
      ? say(`this file archives the folder ${q(name)}`, "name another folder, or keep this one")
      : say(
          `the folder ${q(name)} is archived`,
          `bring it back (channel_folders: {${q(name)}: {}}), or name another folder`,
        ),
  "channels/default-private": () =>
    say(
      "a default channel cannot be private",
      "remove it from the default channels (`manage: {default_channels: exact}` removes those that the file does not list), or leave it public",
    ),
  "channels/empty-topic-only": ({ name }) =>
    say(
      `the server rejects empty_topic_only while any message of #${bare(name)} has a topic, and its own notices count`,
      "this policy is for new channels",
    ),
  "channels/group-not-allowed": groupRefused,
  "channels/limited-plan": () =>
    say(
      "this organization's plan does not include message_retention_days of single channels",
      "delete it from the file, or upgrade the plan of the organization",
    ),
  "channels/moderation-channel": () =>
    say(
      "the channel for moderation requests must be private",
      "moderation requests are sent here; name another channel for them in the organization's settings",
    ),
  "channels/name": (fact) => nameCause("channel", fact, "shorten it; the description has room for more"),
  "channels/name-taken": (fact) => nameTaken(fact, { noun: "channel", section: "channels", inactive: "archived" }),
  "channels/nobody-left": ({ name, cause }) => {
    if (cause === "reactivation")
      return say(
        `#${bare(name)} is private and has no subscribers: the server does not unarchive it`,
        "make it public in the same plan, or subscribe somebody first",
      );
    return say(
      cause === "creation"
        ? `nobody could read or join #${bare(name)}: it is private and has no subscribers`
        : `nobody could read or join #${bare(name)} after this`,
      "subscribe somebody first, or name a group with members in can_add_subscribers_group or can_subscribe_group",
    );
  },
  "channels/not-allowed": ({ account, right }) => notAllowed(account, right),
  "channels/no-list": ({ account, names }) =>
    say(
      `${who(account)}, whose account creates ${names.length === 1 ? "it" : "them"}, is the only subscriber of ${channelNames(names)}: the file lists none`,
      "write everybody who belongs there under subscribers",
    ),
  "channels/open-list": ({ name, groups, by, people, first }) => {
    const into = groups.length === 1 ? `the group ${listOf(groups)}` : `groups of its list (${listOf(groups)})`;
    const subscribes = (whom: string): string =>
      `realmctl sync does not add ${whom} to ${objectName(name.of ?? "", bare(name))}`;
    return say(
      by === "entering"
        ? `${peopleAndBots({ people: people.length, bots: 0 })} can put themselves into ${into}, so ${subscribes("anybody from there")}: ${firstOf(first, people.length)}`
        : by === "link"
          ? `an open invitation link leads into ${into}, so ${subscribes("anybody from there")}`
          : `whoever joins the organization comes into ${into}, so ${subscribes("anybody from there")}`,
      "let nobody enter the groups without an administrator; or name them in can_subscribe_group of the private channel, so that guard rails, rules and access count who can come in: sync then keeps the list",
    );
  },
  "channels/privacy-stuck": () =>
    say(
      "the privacy of this channel cannot change: it is private and web-public at once, and the server fails at every change of that",
      "leave `privacy` out, or archive this channel and create another",
    ),
  "channels/protected-history": ({ group, is_changed }) =>
    say(
      `with protected history everybody must be able to start topics, but can_create_topic_group ${is_changed ? "would be" : "is"} ${group === undefined ? "a list of groups and people" : bare(group)}`,
      "set can_create_topic_group: role:everyone, or choose another privacy",
    ),
  "channels/sign": ({ name, bare: without, other }) =>
    say(
      `the "#" is a part of the name: this creates a channel ${q(name)}${other === undefined ? "" : `, and ${q(other)} is another one`}`,
      `write ${q(without)} without the sign, unless the name really starts with "#"`,
    ),
  "channels/subscribers-not-read": ({ name }) =>
    say(
      `this snapshot does not say who is subscribed to #${bare(name)}`,
      "plan against the server, or take the snapshot again without --no-subscribers",
    ),
  "channels/subscribers-unknown": ({ names }) =>
    say(
      `who is subscribed to ${channelNames(names)} cannot be told: this reading does not have it, so nothing is said about who reads ${names.length === 1 ? "it" : "them"}`,
      "plan against the server as an administrator, or with a snapshot that was taken without --no-subscribers",
    ),
  "channels/unlisted": (fact) =>
    say(
      unlistedText(fact),
      "is_archived" in fact
        ? UNLISTED_ARCHIVED_HINT
        : fact.is_additive === true
          ? UNLISTED_ADDITIVE_HINT
          : UNLISTED_HINT,
    ),
  "channels/unset-opening": (fact) =>
    say(
      unsetOpeningText(fact),
      "names" in fact || fact.settings.length > 0
        ? UNSET_OPENING_HINT
        : isByPrivacy(fact)
          ? LEFT_OUT_PRIVACY_HINT
          : LEFT_OUT_HINT,
    ),
  "channels/unseen-names": (fact) =>
    unseen(
      fact,
      "#",
      "free",
      "the server rejects a name that is taken, and overwrites nothing; an administrator's account sees all channels",
    ),
  "channels/unknown-folder": ({ name, meant, known }) =>
    say(
      `there is no folder ${q(name)} here`,
      /^(?:none|nil|null|no|nothing|-)$/i.test(bare(name))
        ? "write folder: null for a channel in no folder"
        : didYouMean(meant, ifRenamed(known, 0, "declare it under channel_folders")),
      ...(known.length === 0 || meant === undefined ? [] : [`folders of this organization: ${listOf(known)}`]),
    ),
  "channels/unset-privacy": ({ names }) =>
    say(
      `${channelNames(names)} ${names.length === 1 ? "is" : "are"} private and the file does not set privacy: if somebody opens ${names.length === 1 ? "it" : "one"} to everybody, plan and drift do not compare that`,
      "write the privacy that it has now: private_shared_history or private_protected_history",
    ),
  "channels/was": ({ name }) => say(`${q(name)} is renamed to itself`, "delete was"),
  "channels/web-public-off": ({ by }) =>
    say(
      by === "server"
        ? "web-public channels are not available here: this server has switched them off"
        : "web-public channels are not available here: this organization has switched them off (enable_spectator_access)",
      "switch them on in the organization's settings, or make the channel public",
    ),
};

const channelNames = (names: readonly Quoted[]): string =>
  listNames(
    names.map((name) => `#${bare(name)}`),
    5,
  );

const UNLISTED_HINT =
  "write everybody who belongs there under subscribers (realmctl adopt --field subscribers writes who is there now): apply then unsubscribes the others";

const UNLISTED_ADDITIVE_HINT =
  "exact: false lets them stay: write everybody who belongs there under subscribers (realmctl adopt --field subscribers writes who is there now), and delete exact: false if apply is to unsubscribe the others";

const UNLISTED_ARCHIVED_HINT =
  "no plan changes the list of a channel that stays archived: unsubscribe them by hand, or write archived: false with the list, apply, and archive it again";

/** "2 people and 1 bot read #board whom the file does not list: Ada, Ben; the bot CI Bot" */
function unlistedText(fact: ChannelFacts["channels/unlisted"]): string {
  const readers = peopleAndBots({ people: fact.people.length, bots: fact.bots.length });
  const read = fact.people.length + fact.bots.length === 1 ? "reads" : "read";
  if ("names" in fact)
    return `${readers} ${read} one or more of ${fact.names.length} private channels whose entries do not list them: ${channelNames(fact.names)}`;
  return `${readers} ${read} #${bare(fact.name)} whom the file does not list: ${firstNames(fact)}`;
}

const UNSET_OPENING_HINT =
  "write the setting under permissions, role:nobody if only the list counts; realmctl adopt --field can_subscribe_group --field can_add_subscribers_group writes what is there now";

const LEFT_OUT_PRIVACY_HINT =
  "write privacy, private_shared_history or private_protected_history, and the next apply closes the channel; or delete can_subscribe_group, which counts in private channels only";
const LEFT_OUT_HINT =
  "write it too, so that a change of it is told (role:nobody, and [] for subgroups, let in nobody): what the file leaves out is not compared";

const isByPrivacy = (fact: ChannelFacts["channels/unset-opening"]): boolean =>
  "others" in fact && fact.others.some(({ field, of }) => field === "privacy" && of === undefined);

/** "8 people can let themselves into #vault by can_subscribe_group and subgroups of the user group staff, which the file does not set: Ben, Dmitri" */
function unsetOpeningText(fact: ChannelFacts["channels/unset-opening"]): string {
  const readers = peopleAndBots({ people: fact.people.length, bots: fact.bots.length });
  if ("names" in fact)
    return `${readers} can let themselves into one or more of ${fact.names.length} private channels by settings that the file does not set: ${channelNames(fact.names)}`;
  if (isByPrivacy(fact))
    return `${readers} whom the file does not list can join #${bare(fact.name)}: the channel is not private, and the file does not set privacy: ${firstNames(fact)}`;
  const others = fact.others.map(({ field, of }) =>
    of === undefined ? field : `${field} of the ${objectName(of.of ?? "", bare(of))}`,
  );
  const settings = listNames([...fact.settings, ...others], MOST_FIELDS);
  return `${readers} can let themselves into #${bare(fact.name)} by ${settings}, which the file does not set: ${firstNames(fact)}`;
}

/** The most fields that a message has. */
const MOST_FIELDS = 5;

function firstNames({
  people,
  bots,
  first,
  first_bots,
}: Extract<ChannelFacts["channels/unlisted"], { readonly name: Quoted }>): string {
  return [
    ...(first.length === 0 ? [] : [firstOf(first, people.length)]),
    ...(first_bots.length === 0
      ? []
      : [`${bots.length === 1 ? "the bot" : "the bots"} ${firstOf(first_bots, bots.length)}`]),
  ].join("; ");
}

function firstOf(first: readonly Person[], all: number): string {
  const names = first.map(who);
  return all > first.length ? `${names.join(", ")} and ${all - first.length} more` : listNames(names, names.length);
}

const IN_CHANNEL = "somebody in the channel must subscribe this account, or add it to can_add_subscribers_group";

function notAllowed(account: Person, right: ChannelRight): Words {
  const subject = accountThatRuns(account);
  switch (right.to) {
    case "change-anything":
      return say(`${subject} is a guest, and guests cannot change channels`, "use the credentials of an administrator");
    case "administer":
      return say(
        `${subject} may not administer #${bare(right.channel)}`,
        "it must be an administrator of the organization, or in can_administer_channel_group",
      );
    case "subscribe-others":
      return say(
        `${subject} may not subscribe others to #${bare(right.channel)}`,
        "it must be an administrator, or in can_add_subscribers_group of the channel or the organization",
      );
    case "unsubscribe-others":
      return say(
        `${subject} may not unsubscribe others from #${bare(right.channel)}`,
        "it must be an administrator, or in can_remove_subscribers_group of the channel",
      );
    case "create":
      return say(
        `${subject} may not create ${right.privacy} channels`,
        `it must be in the organization's ${right.setting}, now or by this plan; no role is exempt`,
      );
    case "read":
      return right.is_known
        ? say(
            `${subject} cannot read the private channel #${bare(right.channel)}, which ${right.field} requires`,
            IN_CHANNEL,
          )
        : say(
            `${subject} must be subscribed to the private channel #${bare(right.channel)} to set ${right.field}, and this snapshot does not say whether it is`,
            IN_CHANNEL,
          );
    case "set-as-administrator":
      return say(`${subject} may not change ${right.field}`, "it must be an administrator of the organization");
    case "set-as-owner":
      return say(`${subject} may not change ${right.field}`, "it must be an owner of the organization");
    case "set":
      return say(
        `${subject} may not set ${right.field}`,
        `it must be an administrator or in the organization's ${right.setting}`,
      );
  }
}
