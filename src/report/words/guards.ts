import { cases } from "../../model/cases.ts";
import { shellWord } from "../../model/command-line.ts";
import type { GuardAbout } from "../../model/facts.ts";
import type { Guard } from "../../model/plan.ts";
import { listNames } from "../../model/words.ts";
import type { ShowCommand } from "../named-text.ts";
import { called } from "./names.ts";
import { riskText } from "./risks.ts";

const ANSWERED_BY_ITSELF = "; what this pull request writes into its own policy answers only later ones";

/** The text of a guard: "removals: 6, but at most 5 are allowed (#wiki is one too many)" */
export const guardText = (guard: SaidGuard): string => guardWords(guard, (command) => command);

type SaidGuard = Pick<Guard, "name" | "fact">;

/** @param show shows the commands in {@link guardText} */
export function guardWords(
  { name, fact: { about, excused, excused_by, asks, of_base } }: SaidGuard,
  show: ShowCommand,
): string {
  const ends = [
    excused === "allow" ? ` (allowed with ${show(`--allow ${excused_by ?? name}`)})` : "",
    excused === "policy" ? " (the policy allows it)" : "",
    asks ? `: apply asks you to confirm this; with --yes, add ${show(`--allow ${shellWord(name)}`)}` : "",
    of_base
      ? asks
        ? ANSWERED_BY_ITSELF
        : "; the base has this guard rail: loosen it in a separate pull request first"
      : "",
  ];
  return `${aboutText(about)}${ends.join("")}`;
}

const aboutText = cases<GuardAbout, "kind">("kind", {
  limit: limitText,
  protected: ({ pattern, object, action, fields }) => {
    const name = object.was ?? object.name;
    const what =
      action === "remove"
        ? `this plan removes ${name}`
        : action === "reorder"
          ? "this plan changes their order"
          : `this plan changes ${fields.join(", ")} of ${name}`;
    return `${pattern} is protected, and ${what}`;
  },
  untouched: ({ patterns }) => {
    const list = patterns.map(({ pattern, is_there, meant }) =>
      is_there
        ? pattern
        : `${pattern} (none there${meant === undefined ? "" : `: did you mean ${JSON.stringify(meant.quoted)}?`})`,
    );
    return `protected: ${list.join(", ")} untouched`;
  },
  unreachable: ({ object }) => `nobody can reach #${object.name} afterwards`,
  lockout: ({ risk }) => riskText({ fact: risk }),
  "nobody-locked-out": "nobody is locked out",
  owners: ({ after, least, over }) => {
    if (after === 0) return `no owner is left${over === undefined ? "" : `: ${called(over)} is the last`}`;
    const left = `${after} ${after === 1 ? "owner" : "owners"} left`;
    return `${left}, at least ${least} required${over === undefined ? "" : `: removing ${called(over)} is one too many`}`;
  },
  "rehearsal-refused": ({ call, of, operation, object, said }) => {
    const what = object === undefined ? operation : `${operation}, for ${called(object)}`;
    return `the rehearsal stops at call ${call} of ${of} (${what}): "${said.quoted}"`;
  },
  "rehearsal-differs": ({ changes, first, errors }) => {
    if (changes === 0) return `after the rehearsal the file cannot be planned again (${errors.join(", ")})`;
    const names = first.map(called).join(", ");
    const more = changes > first.length ? ` and ${changes - first.length} more` : "";
    return `after the rehearsal ${changes === 1 ? "1 change is" : `${changes} changes are`} left: ${names}${more}`;
  },
  "base-unreadable": ({ place, code }) => {
    const where = place === undefined ? "" : `, ${place}`;
    return `the base version's guard rails cannot be read (${code}${where}), so it is not known whether this pull request loosens them; repair them in a pull request that changes nothing else`;
  },
});

const COUNTED = {
  changes: "changes",
  removals: "removals",
  demotions: "demotions",
  people_losing_access: "people losing access",
  unlisted_subscribers: "subscribers whom the list of a private channel does not name",
  people_gaining_access: "people gaining access to what is private",
  opened: "channels opened",
  administrators: "new administrators",
  messages_deleted: "steps that delete messages",
  data_deleted: "steps that delete what people entered or uploaded",
  renames: "objects that look renamed",
  emails: "e-mails",
  irreversible: "irreversible steps",
} as const;

function limitText(fact: LimitAbout): string {
  return `${countText(fact)}${unknownText(fact)}`;
}

/** What could not be read. */
function unknownText({ unseen, unread = [] }: LimitAbout): string {
  const names = unread.map(called);
  return [
    unseen === true
      ? "; this account is no administrator, so people who come into groups count: private channels that it does not see may admit these groups"
      : "",
    names.length > 0
      ? `; open invitations and links with higher roles were not read: who accepts one may come to read ${listNames(names, names.length)}`
      : "",
  ].join("");
}

type LimitAbout = Extract<GuardAbout, { readonly kind: "limit" }>;

function countText(fact: LimitAbout): string {
  const { section, counted, amount, limit, percent, over, among, more = 0 } = fact;
  const counting = `${section === undefined ? "" : `${section.replaceAll("_", " ")}: `}${COUNTED[counted]} ${amount}`;
  if (limit === null) {
    const names = (among ?? (over === undefined ? [] : [over])).map(called);
    if (names.length === 0) return counting;
    return `${counting} (${more === 0 ? listNames(names, names.length) : `${names.join(", ")} and ${more} more`})`;
  }
  const share = percent === undefined ? "" : ` (${percent.share} % of ${percent.of})`;
  if (amount <= limit) return `${counting} of ${limit}${share}`;
  const what = `${COUNTED[counted]}${section === undefined ? "" : ` in ${section.replaceAll("_", " ")}`}`;
  const most = limit === 0 ? "none is" : `at most ${limit}${share} ${limit === 1 ? "is" : "are"}`;
  return `${what}: ${amount}, but ${most} allowed${over === undefined ? "" : ` (${called(over)} is one too many)`}`;
}
