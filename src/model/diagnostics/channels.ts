import { cases, type FactIn } from "../cases.ts";
import { releaseWords } from "../releases.ts";
import { listNames, peopleAndBots, who } from "../words.ts";
import { diagnostic, type ReportWords } from "./definition.ts";
import {
  type GroupRefused,
  groupRefused,
  ifRenamed,
  type NameCause,
  type NameTaken,
  nameCause,
  nameTaken,
  type UnknownChannel,
  type Unseen,
  unknownChannel,
  unseen,
} from "./names.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, bare, didYouMean, listOf, q, say } from "./words.ts";

/** A right that the account does not have. */
const notAllowed = cases("to", {
  "change-anything": (_: object, subject: string) =>
    say(`${subject} is a guest, and guests cannot change channels`, "use the credentials of an administrator"),
  administer: ({ channel }: { channel: Quoted }, subject: string) =>
    say(
      `${subject} may not administer #${bare(channel)}`,
      "it must be an administrator of the organization, or in can_administer_channel_group",
    ),
  "subscribe-others": ({ channel }: { channel: Quoted }, subject: string) =>
    say(
      `${subject} may not subscribe others to #${bare(channel)}`,
      "it must be an administrator, or in can_add_subscribers_group of the channel or the organization",
    ),
  "unsubscribe-others": ({ channel }: { channel: Quoted }, subject: string) =>
    say(
      `${subject} may not unsubscribe others from #${bare(channel)}`,
      "it must be an administrator, or in can_remove_subscribers_group of the channel",
    ),
  create: ({ privacy, setting }: { privacy: Word; setting: Word }, subject: string) =>
    say(
      `${subject} may not create ${privacy} channels`,
      `it must be in the organization's ${setting}, now or by this plan; no role is exempt`,
    ),
  /** @property is_known false: the snapshot does not say whether the account is in the channel */
  read: ({ is_known, channel, field }: { channel: Quoted; field: Word; is_known: boolean }, subject: string) =>
    is_known
      ? say(`${subject} cannot read the private channel #${bare(channel)}, which ${field} requires`, IN_CHANNEL)
      : say(
          `${subject} must be subscribed to the private channel #${bare(channel)} to set ${field}, and this snapshot does not say whether it is`,
          IN_CHANNEL,
        ),
  "set-as-owner": ({ field }: { field: Word }, subject: string) =>
    say(`${subject} may not change ${field}`, "it must be an owner of the organization"),
  "set-as-administrator": ({ field }: { field: Word }, subject: string) =>
    say(`${subject} may not change ${field}`, "it must be an administrator of the organization"),
  set: ({ field, setting }: { field: Word; setting: Word }, subject: string) =>
    say(`${subject} may not set ${field}`, `it must be an administrator or in the organization's ${setting}`),
});
export type ChannelRight = FactIn<typeof notAllowed>;

/** Several channels in one warning. */
interface Several {
  readonly names: readonly Quoted[];
}

interface FirstOf {
  readonly first: readonly Person[];
  readonly first_bots: readonly Person[];
}

/** The ids of all people and bots who read a private channel that does not list them, or can come to. */
interface Unlisted {
  readonly people: readonly number[];
  readonly bots: readonly number[];
}

/** `is_archived`: the channel stays archived, so no plan changes its list. `is_additive`: an entry says `exact: false`. */
type UnlistedFact = Unlisted & { readonly is_additive?: true } & (
    | ({ readonly name: Quoted; readonly is_archived?: true } & FirstOf)
    | Several
  );

/**
 * People who can come into a private channel by what the file leaves out, and whom its list does not name: settings of the channel, and fields of groups, of
 * bots and, without `of`, of the organization.
 */
type UnsetOpeningFact = Unlisted &
  (
    | ({
        readonly name: Quoted;
        readonly settings: readonly Word[];
        readonly others: readonly { readonly field: Word; readonly of?: Quoted }[];
      } & FirstOf)
    | Several
  );

export const channels = {
  "channels/archived": diagnostic<{ name: Quoted; needs_level?: number }>({
    says: ({ name, needs_level }) =>
      needs_level === undefined
        ? `the archived channel ${q(name)} is unarchived, with its messages and its subscribers`
        : `there is an archived channel ${q(name)}, and this server cannot unarchive it: that needs ${releaseWords(needs_level)}`,
    help: ({ name }) =>
      `write archived: true to leave it archived; if you mean another channel, rename this one first (another item with was: ${q(name)} and archived: true)`,
    means:
      "The channel is archived on the server, and the file names it without `archived:`, so it would be unarchived, which servers below feature level 388 cannot do.",
    out: "Write `archived: true` to leave it archived (`realmctl adopt` does), or `archived: false` to unarchive it. If you mean another channel, rename this one first.",
  }),
  "channels/archived-folder": diagnostic<{ name: Quoted; by_file: boolean }>({
    says: ({ name, by_file }) =>
      by_file
        ? say(`this file archives the folder ${q(name)}`, "name another folder, or keep this one")
        : say(
            `the folder ${q(name)} is archived`,
            `bring it back (channel_folders: {${q(name)}: {}}), or name another folder`,
          ),
    means: "The folder is archived, so no channel can be put into it.",
    out: "Declare it under `channel_folders` to unarchive it, or name another folder.",
  }),
  "channels/default-private": diagnostic({
    says: "a default channel cannot be private",
    help: "remove it from the default channels (`manage: {default_channels: exact}` removes those that the file does not list), or leave it public",
    means: "A channel to which new accounts are subscribed cannot be private.",
    out: "Remove it from the default channels, or leave it public.",
  }),
  "channels/empty-topic-only": diagnostic<{ name: Quoted }>({
    says: ({ name }) =>
      `the server rejects empty_topic_only while any message of #${bare(name)} has a topic, and its own notices count`,
    help: "this policy is for new channels",
    means: "The server accepts `empty_topic_only` only if the channel has no messages with topics.",
    out: "Choose another policy, or create another channel.",
  }),
  "channels/group-not-allowed": diagnostic<{ field: Word } & GroupRefused>({
    says: (fact) => groupRefused(fact, fact.field),
    means:
      "The server does not allow this group for this setting; the server's table of permission settings says which groups it allows.",
    out: "Name another group.",
  }),
  "channels/limited-plan": diagnostic({
    says: "this organization's plan does not include message_retention_days of single channels",
    help: "delete it from the file, or upgrade the plan of the organization",
    means: "The organization's plan at its provider does not have this feature.",
    out: "Delete it, or upgrade the plan.",
  }),
  "channels/moderation-channel": diagnostic({
    says: "the channel for moderation requests must be private",
    help: "moderation requests are sent here; name another channel for them in the organization's settings",
    means: "The channel for reports to moderators has to be private.",
    out: "Leave it private, or choose another in the organization's settings.",
  }),
  "channels/name": diagnostic<NameCause>({
    says: (fact) => nameCause(fact, "channel", "shorten it; the description has room for more"),
    means: "The name is empty, too long, or holds characters that the server does not allow.",
    out: "Choose another name.",
  }),
  "channels/name-taken": diagnostic<NameTaken>({
    says: (fact) => nameTaken(fact, { noun: "channel", section: "channels", inactive: "archived" }),
    means: "Another channel already has this name, perhaps an archived one: archived channels keep their names.",
    out: "Choose another name, or rename the other.",
  }),
  "channels/nobody-left": diagnostic<{ name: Quoted; cause: "reactivation" | "creation" | "update" }>({
    says: ({ name, cause }) => {
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
    means: "Nobody could reach or administer the private channel after the change, not even to undo it.",
    out: "Keep at least a subscriber, or a group that may subscribe or add subscribers.",
  }),
  "channels/not-allowed": diagnostic<{ account: Person; right: ChannelRight }>({
    says: ({ account, right }) => notAllowed(right, accountThatRuns(account)),
    means: "The account that runs realmctl may not make this change.",
    out: "Use an account that may, as the message says, or give this one the right.",
  }),
  /** Private channels that the plan creates without a list: the account is their only subscriber. */
  "channels/no-list": diagnostic<{ account: Person; names: readonly Quoted[] }>({
    says: ({ account, names }) =>
      `${who(account)}, whose account creates ${names.length === 1 ? "it" : "them"}, is the only subscriber of ${channelNames(names)}: the file lists none`,
    help: "write everybody who belongs there under subscribers: until then, drift names the account, and exits with 2",
    means:
      "The plan creates private channels, and their entries have no `subscribers`. The account that creates a channel is subscribed to it, so it is the only subscriber, and `drift` names it afterwards.",
    out: "List everybody who belongs there under `subscribers`.",
  }),
  /**
   * A list that `sync` keeps lets people into a private channel who put themselves into its groups, leave a group that it excepts, join by a link, or join
   * the organization.
   */
  "channels/open-list": diagnostic<{
    name: Quoted;
    groups: readonly Quoted[];
    by: "entering" | "leaving" | "link" | "joining" | "before" | "other" | "other-account";
    people: readonly number[];
    first: readonly Person[];
  }>({
    says: ({ name, groups, by, people, first }, report) => {
      const into = groups.length === 1 ? `the group ${listOf(groups)}` : `groups of its list (${listOf(groups)})`;
      const list = report.objectName(name.of ?? "", bare(name));
      const adds = `realmctl sync adds nobody to ${list}`;
      const leaves = `realmctl sync leaves ${list} as it is, since ${listOf(groups)}`;
      const able = `${peopleAndBots({ people: people.length, bots: 0 })} can`;
      switch (by) {
        case "entering":
          return `${adds}, since ${able} put themselves into ${into}: ${firstOf(first, people.length)}`;
        case "leaving":
          return `${adds}, since ${able} leave what the list excepts (${listOf(groups)}): ${firstOf(first, people.length)}`;
        case "link":
          return `${adds}, since an open invitation link leads into ${into}`;
        case "joining":
          return `${adds}, since everybody who joins the organization comes into ${into}`;
        case "other":
          return `${leaves} came to mean another object: somebody renamed it, and made a new one of that name`;
        case "other-account":
          return `${leaves} came to be the address of another account`;
        case "before":
          return `${adds} before realmctl apply does, since who waits may have come in while people could let themselves in`;
      }
    },
    help: ({ by }) => {
      const apply = "run realmctl apply, which shows and adds whoever came in meanwhile";
      if (by === "before")
        return "run realmctl apply, whose plan shows who waits, or take them out of the groups of the list";
      if (by === "other" || by === "other-account")
        return "look at the new object or account; then run realmctl apply, whose plan shows who comes in by it and who goes, or correct the file";
      if (by === "leaving")
        return `let nobody leave the excepted group alone (can_leave_group, can_remove_members_group, can_manage_group) and ${apply}`;
      return `close the group (can_join_group, can_add_members_group, can_manage_group, links) and ${apply}, or name it in can_subscribe_group of the private channel: guard rails, rules and access then count who can come in`;
    },
    means:
      "`policy: sync:` keeps the subscribers of a private channel, and its list names a group into which people can put themselves, an open link leads, or everybody comes who joins; or it excepts a group that people can leave by themselves; or a name or an address in it came to mean another object while `sync` ran, and then it takes out nobody either. No guard rail, rule or answer about access counts these people: the server does not show what a file lists. So `sync` adds nobody to this list, and still removes whoever does not belong there. `apply` adds the people whom its plan names, and its guard rails count them. Nobody can tell later who came in by themselves. So once the group is closed, whoever waits in the list still waits for `apply`; after that `sync` keeps the list again.",
    out: "Close the group: `can_join_group`, `can_add_members_group` and `can_manage_group` with `role:nobody` or people who are in the channel already, and no open link with it. Then run `realmctl apply`, whose plan shows who came in meanwhile. Or let the channel admit the group as well (`permissions: {can_subscribe_group: …}`): then everybody who can come in is counted, and `sync` keeps the list.",
  }),
  "channels/privacy-stuck": diagnostic({
    says: "the privacy of this channel cannot change: it is private and web-public at once, and the server fails at every change of that",
    help: "leave `privacy` out, or archive this channel and create another",
    means:
      "The channel was created private and web-public at once. No setting says that, and the server answers HTTP 500 to every change of it.",
    out: "Leave out `privacy`, or archive the channel and create another.",
  }),
  "channels/protected-history": diagnostic<{
    /** A role or a group; absent for a list of groups and people. */
    group?: Quoted;
    is_changed: boolean;
  }>({
    says: ({ group, is_changed }) =>
      `with protected history everybody must be able to start topics, but can_create_topic_group ${is_changed ? "would be" : "is"} ${group === undefined ? "a list of groups and people" : bare(group)}`,
    help: "set can_create_topic_group: role:everyone, or choose another privacy",
    means: "With protected history, everybody who can post can start topics; the server refuses anything else.",
    out: "Leave `can_create_topic_group` out, or share the history.",
  }),
  "channels/sign": diagnostic<{ name: Quoted; bare: Quoted; other?: Quoted }>({
    says: ({ name, other }) =>
      `the "#" is a part of the name: this creates a channel ${q(name)}${other === undefined ? "" : `, and ${q(other)} is another one`}`,
    help: ({ bare: without }) => `write ${q(without)} without the sign, unless the name really starts with "#"`,
    means:
      "The name of a channel starts with `#`. People write `#` before channel names, but it is not part of the name.",
    out: "Write the name without it.",
  }),
  "channels/subscribers-not-read": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `this snapshot does not say who is subscribed to #${bare(name)}`,
    help: "plan against the server, or take the snapshot again without --no-subscribers",
    means: "The change depends on who is subscribed, which was not read.",
    out: "Take the snapshot again without `--no-subscribers`, or plan against the server.",
  }),
  "channels/subscribers-unknown": diagnostic<{ names: readonly Quoted[] }>({
    says: ({ names }) =>
      `who is subscribed to ${channelNames(names)} cannot be told: this reading does not have it, so nothing is said about who reads ${names.length === 1 ? "it" : "them"}`,
    help: "plan against the server as an administrator, or with a snapshot that was taken without --no-subscribers",
    means:
      "The file has private channels without `subscribers`, and the reading does not say who is subscribed to them: a snapshot without subscribers, or an account that may not see them. Nobody can tell who reads them.",
    out: "Plan against the server with the account of an administrator, or take the snapshot without `--no-subscribers`.",
  }),
  "channels/unlisted": diagnostic<UnlistedFact>({
    says: (fact) => unlistedText(fact),
    help: (fact) =>
      "is_archived" in fact
        ? UNLISTED_ARCHIVED_HINT
        : fact.is_additive === true
          ? UNLISTED_ADDITIVE_HINT
          : UNLISTED_HINT,
    means:
      "Somebody is subscribed to a private channel, and so reads it, and the channel's entry does not name them: it has no `subscribers`, or it says `exact: false`. No plan unsubscribes them. `drift` counts this, and exits with 2.",
    out: "List everybody who belongs there under `subscribers`; `realmctl adopt --field subscribers` writes the lists as they are on the server. If a list is there and does not say `exact: false`, the next apply unsubscribes everybody else, except from a channel that stays archived: its list does not change.",
  }),
  "channels/unset-opening": diagnostic<UnsetOpeningFact>({
    says: (fact, report) => unsetOpeningText(fact, report),
    help: (fact) =>
      "names" in fact || fact.settings.length > 0
        ? unsetOpeningHint("names" in fact ? ["can_subscribe_group", "can_add_subscribers_group"] : fact.settings)
        : isByPrivacy(fact)
          ? LEFT_OUT_PRIVACY_HINT
          : LEFT_OUT_HINT,
    means:
      "The entry of a private channel has a list of subscribers, and somebody whom it does not name can come in by what the file leaves out: by `can_subscribe_group` or `can_add_subscribers_group` of the channel; by who may join or manage a group that the channel admits, whether the file has the group or not (`can_join_group`, `can_add_members_group`, `can_manage_group`, `can_manage_all_groups`; administrators, who may join every group, do not count for that); by subgroups of such a group, if the file lists its `members`; by the `role` of a person or a bot that the file has without a role; or with the key of a bot in the channel whose `owner` the file does not have. Whoever waits to become a full member comes into what admits `role:fullmembers` by time alone, so a waiting period that the file leaves out does not count: write `waiting_period_threshold` under `settings` to have it compared. Also a channel that is not private at all, although its entry has a list and `can_subscribe_group`, but no `privacy`. Who is in a group whose `members` the file does not list is not told, and neither is what the server gave to whoever created that group. What the file leaves out stays as it is, and no plan tells a change of it. `drift` counts this, and exits with 2.",
    out: "Write the setting under `permissions`: `role:nobody` if only the list counts. `realmctl adopt --field can_subscribe_group --field can_add_subscribers_group` writes what is there now, and `unset: default` for `channels` gives every setting that the file leaves out the value of a new channel. The same for fields of groups and owners of bots, in an entry of the group under `user_groups`, which needs no `members`: an empty list, or `role:nobody`, lets in nobody.",
  }),
  "channels/unseen-names": diagnostic<Unseen>({
    says: (fact) =>
      unseen(
        fact,
        "#",
        "free",
        "the server rejects a name that is taken, and overwrites nothing; an administrator's account sees all channels",
      ),
    means:
      "The account that runs realmctl is not an administrator and does not see every private channel; one of them may have the name that a channel would get. The server would then refuse the name, and nothing would be overwritten.",
    out: "Plan with the account of an administrator, who sees all of them, or continue: if the name is taken, the server refuses it and realmctl reports this.",
  }),
  "channels/unknown-folder": diagnostic<{ name: Quoted; meant?: Quoted; known: readonly Quoted[] }>({
    says: ({ name, meant, known }) =>
      say(
        `there is no folder ${q(name)} here`,
        /^(?:none|nil|null|no|nothing|-)$/i.test(bare(name))
          ? "write folder: null for a channel in no folder"
          : didYouMean(meant, ifRenamed(known, 0, "declare it under channel_folders")),
        ...(known.length === 0 || meant === undefined ? [] : [`folders of this organization: ${listOf(known)}`]),
      ),
    means: "There is no folder with this name, and the file does not declare one.",
    out: "Correct the name, or declare it under `channel_folders`.",
  }),
  "channels/unset-privacy": diagnostic<{ names: readonly Quoted[] }>({
    says: ({ names }) =>
      `${channelNames(names)} ${names.length === 1 ? "is" : "are"} private and the file does not set privacy: if somebody opens ${names.length === 1 ? "it" : "one"} to everybody, plan and drift do not compare that`,
    help: "write the privacy that it has now: private_shared_history or private_protected_history",
    means:
      "The entry of a private channel has no `privacy`. What the file leaves out stays as it is on the server and is not compared, so nothing would tell that somebody opened the channel to everybody.",
    out: "Write the `privacy` that the channel has.",
  }),
  "channels/was": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `${q(name)} is renamed to itself`,
    help: "delete was",
    means: "`was` is the current name of the channel.",
    out: "Delete it.",
  }),
  "channels/web-public-off": diagnostic<{ by: "server" | "organization" }>({
    says: ({ by }) =>
      by === "server"
        ? "web-public channels are not available here: this server has switched them off"
        : "web-public channels are not available here: this organization has switched them off (enable_spectator_access)",
    help: "switch them on in the organization's settings, or make the channel public",
    means: "The organization does not allow channels that everybody on the web can read.",
    out: "Enable them in the organization's settings, or choose another privacy.",
  }),
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
function unlistedText(fact: UnlistedFact): string {
  const readers = peopleAndBots({ people: fact.people.length, bots: fact.bots.length });
  const read = fact.people.length + fact.bots.length === 1 ? "reads" : "read";
  if ("names" in fact)
    return `${readers} ${read} one or more of ${fact.names.length} private channels whose entries do not list them: ${channelNames(fact.names)}`;
  return `${readers} ${read} #${bare(fact.name)} whom the file does not list: ${firstNames(fact)}`;
}

const unsetOpeningHint = (settings: readonly string[]): string =>
  `write the setting under permissions, role:nobody if only the list counts; realmctl adopt ${settings.map((name) => `--field ${name}`).join(" ")} writes what is there now`;

const LEFT_OUT_PRIVACY_HINT =
  "write privacy, private_shared_history or private_protected_history, and the next apply closes the channel; or delete can_subscribe_group, which counts in private channels only";
const LEFT_OUT_HINT =
  "write it too, so that a change of it is told (role:nobody, and [] for subgroups, let in nobody): what the file leaves out is not compared";

const isByPrivacy = (fact: UnsetOpeningFact): boolean =>
  "others" in fact && fact.others.some(({ field, of }) => field === "privacy" && of === undefined);

/** "8 people can let themselves into #vault by can_subscribe_group and subgroups of the user group staff, which the file does not set: Ben, Dmitri" */
function unsetOpeningText(fact: UnsetOpeningFact, report: ReportWords): string {
  const readers = peopleAndBots({ people: fact.people.length, bots: fact.bots.length });
  if ("names" in fact)
    return `${readers} can let themselves into one or more of ${fact.names.length} private channels by settings that the file does not set: ${channelNames(fact.names)}`;
  if (isByPrivacy(fact))
    return `${readers} whom the file does not list can join #${bare(fact.name)}: the channel is not private, and the file does not set privacy: ${firstNames(fact)}`;
  const others = fact.others.map(({ field, of }) =>
    of === undefined ? field : `${field} of the ${report.objectName(of.of ?? "", bare(of))}`,
  );
  const settings = listNames([...fact.settings, ...others], MOST_FIELDS);
  return `${readers} can let themselves into #${bare(fact.name)} by ${settings}, which the file does not set: ${firstNames(fact)}`;
}

/** The most fields that a message has. */
const MOST_FIELDS = 5;

function firstNames({ people, bots, first, first_bots }: Extract<UnlistedFact, { readonly name: Quoted }>): string {
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

export const defaultChannels = {
  "default_channels/archived": diagnostic<{ name: Quoted; by_file: boolean }>({
    says: ({ name, by_file }) =>
      by_file
        ? say("a default channel cannot be archived", "remove it from default_channels")
        : say(
            `the channel ${q(name)} is archived`,
            "unarchive it under channels (archived: false), or remove it from the default channels",
          ),
    means: "An archived channel cannot be a default channel.",
    out: "Remove it from `default_channels`, or unarchive the channel.",
  }),
  "default_channels/private": diagnostic<{ name: Quoted; by_file: boolean }>({
    says: ({ name, by_file }) =>
      by_file
        ? say("a default channel cannot be private", "remove it from default_channels, or make it public")
        : say(
            `#${bare(name)} is private, and a default channel cannot be private`,
            "make it public under channels, or remove it from the default channels",
          ),
    means: "New accounts cannot be subscribed to a private channel.",
    out: "Remove it from `default_channels`, or make the channel public.",
  }),
  "default_channels/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change default channels`,
    help: "it must be an administrator of the organization",
    means: "Only administrators may change the default channels.",
    out: "Use the account of an administrator.",
  }),
  "default_channels/unknown-channel": diagnostic<{ name: Quoted } & UnknownChannel>({
    says: unknownChannel,
    means: "There is no channel with this name that could be a default channel.",
    out: "Correct the name, or declare the channel under `channels`.",
  }),
};
