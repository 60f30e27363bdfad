import { READ } from "../../access/rules.ts";
import { CHANNEL, GROUP, isChannelAddress, type Scope } from "../../access/scope.ts";
import { wordOf } from "../../access/words.ts";
import { kindOf } from "../../model/address.ts";
import { cases } from "../../model/cases.ts";
import { clean } from "../../model/clean.ts";
import type {
  BrokenRule,
  RuleFieldValue,
  RulePath,
  RuleSubject,
  RuleTarget,
  RuleUnknown,
  RuleViolation,
} from "../../model/diagnostics/broken-rules.ts";
import { valueText } from "../../model/value-text.ts";
import { count, listNames } from "../../model/words.ts";
import type { SuggestedSubject } from "../../rules/suggest.ts";
import { pathText } from "../access/way.ts";
import { objectName, shownName } from "../object-names.ts";
import { IS_BOT } from "../words/names.ts";

/** Above rules that were suggested from a file without a server. */
export const SUGGESTED_OF_FILE = `# Made from the file alone, which does not say who is a guest, nor who is subscribed. Try them on real people before you keep them:
# realmctl test --snapshot FILE, or --live.
`;

/** "Guests read nothing: Ivo Novak can read #roadmap (subscribed)" */
export function brokenText({ rule, violation }: BrokenRule): string {
  const reason = reasonText(violation);
  return `${rule.quoted}: ${violationText(violation)}${reason === "" ? "" : ` (${reason})`}`;
}

/** "Ivo Novak can read #roadmap", "a guest cannot post in #lobby" */
export function violationText(violation: RuleViolation): string {
  const { on } = violation;
  switch (violation.kind) {
    case "field":
      return `${violation.field} of ${targetText(on, ",")} is ${fieldText(violation.found)}`;
    case "can":
    case "cannot":
      return `${subjectText(violation.who)} ${violation.kind} ${deedText(violation.right, on)}`;
    case "on-web":
      return `everybody on the web can ${deedText(violation.right, on)}`;
    case "too-few":
    case "too-many": {
      const limit = violation.kind === "too-few" ? "at least" : "at most";
      if (violation.on_web === true)
        return `everybody on the web can ${deedText(violation.right, on)}, ${limit} ${count(violation.wanted, "person", "people")} should`;
      return `${count(violation.found, "person", "people")} can ${deedText(violation.right, on)}, ${limit} ${violation.wanted} should`;
    }
  }
}

/** Why the result of a rule is unknown: "the file does not say who is in staff" */
export function unknownTexts(reasons: readonly RuleUnknown[]): readonly string[] {
  const listed = (names: readonly string[]): string => listNames([...new Set(names)].map(shownName), MOST_REASONS);
  const unseen = reasons.flatMap((why) => (why.is === "unseen" ? [why.pattern.quoted] : []));
  const groups = reasons.flatMap((why) => (why.is === "members" ? [why.group.quoted] : []));
  const bots = reasons.flatMap((why) => (why.is === "owner" ? [why.bot.quoted] : []));
  const lists = new Set(
    reasons.flatMap((why) => (why.is === "excepted" ? [objectName(why.kind, why.list.quoted)] : [])),
  );
  const channels = reasons.flatMap((why) => (why.is === "privacy" ? [why.channel.quoted] : []));
  return [
    unseen.length === 0
      ? ""
      : `this account is no administrator, so there may be private channels that it does not see among ${listed(unseen)}`,
    groups.length === 0 ? "" : `the file does not say who is in ${listed(groups)}`,
    bots.length === 0 ? "" : `the file does not say who owns ${listed(bots)}`,
    lists.size === 0
      ? ""
      : `a group in the list of ${listNames([...lists], MOST_REASONS)} brings in bots, also those of people whom the list excepts, and the file does not say who owns which bots`,
    channels.length === 0 ? "" : `the file does not give the privacy of ${listed(channels)}`,
    reasons.some(({ is }) => is === "returning")
      ? "accounts that the file reactivates are back in groups and channels that no reading shows; whole lists (exact: true) say who is there"
      : "",
    reasons.some(({ is }) => is === "invited")
      ? "the file alone does not say whether those whom it invites by mail have joined, and how many come by a link"
      : "",
  ].filter((text) => text !== "");
}
const MOST_REASONS = 5;

/** The paths that give somebody the right; empty if they do not have it. */
export function reasonText(violation: RuleViolation): string {
  return violation.kind === "can" ? [...new Set(violation.paths.map(rulePathText))].join("; ") : "";
}

const AN = { invitation: "an invitation", link: "a link" } as const;

/** "Ivo Novak", "a guest", "a member in staff", "a guest who joins by a link of the file" */
export function subjectText(who: RuleSubject): string {
  if ("role" in who) {
    const groups = who.groups.length === 0 ? "" : ` in ${who.groups.map(({ quoted }) => quoted).join(", ")}`;
    const joins = who.joinsBy === undefined ? "" : ` who joins by ${AN[who.joinsBy]} of the file`;
    return `${/^[aeiou]/.test(who.role) ? "an" : "a"} ${shownName(`${who.role}${groups}`)}${joins}`;
  }
  const { user_id, full_name, email, isBot, hasNamesake } = who;
  if (full_name === undefined) return `person ${user_id}`;
  const notes = [hasNamesake === true ? email : undefined, isBot === true ? IS_BOT : undefined].filter(
    (note) => note !== undefined && note !== full_name,
  );
  return `${shownName(full_name)}${notes.length === 0 ? "" : ` (${clean(notes.join(", "))})`}`;
}

/** "#lobby", "#lobby, which was #vault" */
function targetText(on: RuleTarget, end = ""): string {
  if (on === "organization") return "the organization";
  const kind = kindOf(on.address);
  const name = objectName(kind, on.name);
  // Two hidden names of one object are the same.
  return on.was === undefined || on.was === on.name ? name : `${name}, which was ${objectName(kind, on.was)}${end}`;
}

function scopeOf(on: RuleTarget): Scope {
  if (on === "organization") return on;
  return isChannelAddress(on.address) ? CHANNEL : GROUP;
}

function deedText(right: string, on: RuleTarget): string {
  const word = wordOf(scopeOf(on), right);
  if (on === "organization") return word;
  const object = targetText(on);
  return /^(post|start|delete|resolve|move)/.test(word)
    ? `${word} in ${object}`
    : /subscribers|members/.test(word)
      ? `${word} of ${object}`
      : `${word} ${object}`;
}

const fieldText = cases<RuleFieldValue, "is">("is", {
  value: ({ value }) => String(value),
  text: ({ text }) => JSON.stringify(text.quoted),
  "groups-and-people": (found) => {
    const [groups, users] = [found.groups, found.users].map((texts) => texts.map(({ quoted }) => quoted));
    return valueText({ groups: groups ?? [], users: users ?? [] });
  },
  other: "another value",
});

function rulePathText(path: RulePath): string {
  if (path.via === "key") return `through ${subjectText(path.bot)}`;
  if (path.via !== "setting" && path.via !== "joining") return pathText(path);
  return pathText({ ...path, groups: path.groups.map(({ quoted }) => quoted) });
}

const WHO = {
  [READ]: "Who reads",
  can_send_message_group: "Who posts in",
  can_invite_users_group: "Who invites to",
} as const;

/** The name of a rule that `test --suggest` writes. */
export const suggestedName = cases<SuggestedSubject, "is">("is", {
  "guests-read-nothing": ({ isFileAlone }) =>
    isFileAlone ? "Guests who are not subscribed read nothing" : "Guests read nothing",
  "guests-read-some": "Guests read what they are meant to read, and nothing else",
  "guests-read-none-of-these": "Guests do not read these channels",
  holders: ({ right, of }) => {
    const who = WHO[right];
    return `${who} ${of === "organization" ? "the organization" : `#${of.channel}`}`;
  },
});
