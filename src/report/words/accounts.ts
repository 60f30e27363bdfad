import { wordOf } from "../../access/words.ts";
import { cases } from "../../model/cases.ts";
import type { RiskFact } from "../../model/facts.ts";
import { count, listNames, who } from "../../model/words.ts";
import { called } from "./names.ts";

/** Facts about people, bots and invitation links. */
type AccountFact = Extract<
  RiskFact,
  {
    readonly kind:
      | "role"
      | "account-deactivated"
      | "account-reactivated"
      | "account-loses-role"
      | "bot-made"
      | "bot-address"
      | "bot-given"
      | "link-made"
      | "link-revoked";
  }
>;
type Fact<K extends AccountFact["kind"]> = Extract<AccountFact, { readonly kind: K }>;

/** Nothing if both are hidden. */
const newAddress = ({ addresses }: Fact<"bot-address">): string =>
  addresses === undefined || addresses.before.quoted === addresses.after.quoted
    ? ""
    : `, ${addresses.before.quoted} → ${addresses.after.quoted}`;

export const accountText = cases<AccountFact, "kind">("kind", {
  role: roleText,
  "account-deactivated": deactivatedText,
  "account-reactivated": (fact) =>
    fact.is_bot === true
      ? `the bot ${called(fact.object)} is reactivated as ${fact.role}: its key from before works again, for everybody who has it; ${returnOf(fact)}`
      : `${called(fact.object)} is reactivated as ${fact.role}, with the previous password, keys and memberships; ${returnOf(fact)}`,
  "account-loses-role": ({ account, to, from }) =>
    `${who(account)}, the account that runs this, becomes ${to}, and cannot become ${from} again by itself`,
  "bot-made": ({ object, role }) =>
    `the bot ${called(object)} is created as ${role}: everybody who has its key can act as it`,
  "bot-address": (fact) =>
    `the bot ${called(fact.object)} gets another address${newAddress(fact)}: programs that sign in as it need the new one, with the same key`,
  "bot-given": (fact) =>
    fact.owner === null
      ? `the bot ${called(fact.object)} no longer has an owner${keyKept(fact)}`
      : `${called(fact.owner)} owns the bot ${called(fact.object)} from then on, and sees its key${readThrough(fact)}${keyKept(fact)}`,
  "link-made": ({ ends, role }) => {
    const until = ends === null ? "for as long as nobody revokes it" : `until noon (UTC) on ${ends}`;
    return `everybody who has the link may join as ${role} ${until}`;
  },
  "link-revoked": (fact) => {
    const by = fact.by === undefined ? "" : `, which ${who(fact.by)} created,`;
    return `the invitation link ${called(fact.object)}${by} no longer works`;
  },
});

/** Nobody can see the memberships of a deactivated account, so no line of the plan shows their removal. */
const returnOf = ({ by_undo }: Fact<"account-reactivated">): string =>
  by_undo === true
    ? "the undo leaves it in the groups and channels that it was in, also where lists of the file do not name it"
    : "apply then removes it from lists of the file that do not name it";

/** ", which opens #board, #wages" */
const readThrough = ({ channels = [] }: Fact<"bot-given">): string =>
  channels.length === 0 ? "" : `, which opens ${listNames(channels.map(called), 5)}`;

/** The key stays the same: it is the former owner's access that nothing in the plan ends. */
const keyKept = ({ former }: Fact<"bot-given">): string =>
  former === undefined
    ? ""
    : `; ${called(former)} has seen this key, and can use it until the bot gets a new one (Settings > Bots)`;

function roleText({ object, from, to, gained, lost }: Fact<"role">): string {
  const more = reachText("may", "gains", gained);
  const less = reachText("may no longer", "loses", lost);
  const effects = [more, less].filter((text) => text !== "").join("; ");
  return `${called(object)} becomes ${to} (was ${from})${effects === "" ? "" : `: ${effects}`}`;
}

const MOST_NAMES = 4;

function reachText(
  may: "may" | "may no longer",
  gains: "gains" | "loses",
  { channels, more_channels, organization, settings }: Fact<"role">["gained"],
): string {
  const others = more_channels === 0 ? [] : [`${count(more_channels, "more channel")}`];
  const parts = [
    ...(channels.length === 0 ? [] : [`read ${listNames([...channels.map(called), ...others], 10)}`]),
    ...(organization.length === 0 ? [] : [`${listNames(organization.map(deedText), MOST_NAMES)} in the organization`]),
  ];
  return [
    ...(parts.length === 0 ? [] : [`${may} ${parts.join(", ")}`]),
    ...(settings === 0 ? [] : [`${gains} ${count(settings, "right")} in channels and groups`]),
  ].join(", and ");
}

/** "create public channels"; there is no phrase for a setting that a later server adds. */
function deedText(setting: string): string {
  const word = wordOf("organization", setting);
  return word === setting ? `do what ${setting} allows` : word;
}

function deactivatedText({ object, is_bot, bots, invitations, links, channels }: Fact<"account-deactivated">): string {
  const counted = (count: number | null, one: string): string[] =>
    count === null || count === 0 ? [] : [`${count} ${one}${count === 1 ? "" : "s"}`];
  const loses = [
    ...(bots.length === 0
      ? []
      : [`${bots.length === 1 ? "the bot" : "the bots"} ${listNames(bots.map(called), MOST_NAMES)}`]),
    ...counted(invitations, "open invitation"),
    ...counted(links, "invitation link"),
  ];
  const kept =
    channels === null || channels === 0
      ? ""
      : `; the account keeps ${channels} ${channels === 1 ? "subscription" : "subscriptions"}, which Zulip does not show while it is deactivated`;
  if (is_bot === true) return `the bot ${called(object)} is deactivated: its key no longer works`;
  const signedOut = `${called(object)} is deactivated: signed out everywhere`;
  return `${signedOut}${loses.length === 0 ? "" : `, and loses ${loses.join(", ")}`}${kept}`;
}
