import { FULL_MEMBERS } from "../../access/account.ts";
import { cases } from "../../model/cases.ts";
import { clean } from "../../model/clean.ts";
import { listNames } from "../../model/words.ts";
import { shownName } from "../object-names.ts";

/** Who reads a channel, by its privacy. */
export const PRIVACY_TEXTS = {
  web_public: "on the web: everybody reads it",
  web_public_off: "web-public, without spectator access: everybody with an account",
  public: "public: everybody but guests",
  private_shared_history: "private, shared history",
  private_protected_history: "private, protected history",
} as const;

/** The groups of a path: "staff ← on-call". Role groups below a group are left out, since a moderator is a member. */
function wayText([first = "", ...inner]: readonly string[]): string {
  return [first, ...inner.filter((name) => !name.startsWith("role:"))].map(shownName).join(" ← ");
}

/** What people do to come into one of these groups: "join staff" @param oneOf before several names */
export function stepWords(groups: readonly string[], most: number, oneOf = ""): string {
  const joined = groups.filter((name) => name !== FULL_MEMBERS);
  const names = listNames(joined.map(shownName), most);
  const join = joined.length === 0 ? [] : [`join ${joined.length > 1 ? oneOf : ""}${names}`];
  return [...join, ...(joined.length < groups.length ? ["wait to become a full member"] : [])].join(" or ");
}

/** Why somebody holds a right, as the answers of `access` and the violations of rules have it. */
type Path =
  | { readonly via: "subscriber" | "administrators" | "owner" }
  | { readonly via: "joining"; readonly groups: readonly string[] }
  | { readonly via: "key"; readonly name: string }
  | { readonly via: "privacy"; readonly privacy: keyof typeof PRIVACY_TEXTS }
  | {
      readonly via: "setting";
      /** A setting of the organization that gives a right on an object. */
      readonly isOfOrganization: boolean;
      readonly setting: string;
      readonly groups: readonly string[];
    };

/** "through Deploy Bot": whoever owns a bot can use its key. */
export const throughText = (bots: readonly string[]): string => `through ${listNames(bots.map(shownName), MOST_BOTS)}`;
const MOST_BOTS = 3;

/** The text of a path: "can_send_message_group: staff ← on-call" */
export const pathText = cases<Path, "via">("via", {
  subscriber: "subscribed",
  privacy: ({ privacy }) => PRIVACY_TEXTS[privacy],
  administrators: "as an administrator",
  owner: "as a bot of somebody who may",
  joining: ({ groups }) =>
    groups.every((name) => name === FULL_MEMBERS)
      ? "as a full member, after the waiting period"
      : `may ${stepWords(groups, MOST_BOTS)}`,
  key: ({ name }) => throughText([name]),
  setting: ({ groups, isOfOrganization, setting }) => {
    const way = groups.length === 0 ? "by name" : wayText(groups);
    return `${isOfOrganization ? "organization: " : ""}${clean(setting)}: ${way}`;
  },
});
