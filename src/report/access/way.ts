import { FULL_MEMBERS } from "../../access/full-members.ts";
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
  return [first, ...inner.filter((name) => !name.startsWith("role:"))].map((name) => shownName(name)).join(" ← ");
}

/** What people do to come into one of these groups: "join staff" @param oneOf before several names */
export function stepWords(groups: readonly string[], most: number, oneOf = ""): string {
  const joined = groups.filter((name) => name !== FULL_MEMBERS);
  const names = listNames(
    joined.map((name) => shownName(name)),
    most,
  );
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
export const throughText = (bots: readonly string[]): string =>
  `through ${listNames(
    bots.map((name) => shownName(name)),
    MOST_BOTS,
  )}`;
const MOST_BOTS = 3;

/** The text of a path: "can_send_message_group: staff ← on-call" */
export function pathText(path: Path): string {
  switch (path.via) {
    case "subscriber":
      return "subscribed";
    case "privacy":
      return PRIVACY_TEXTS[path.privacy];
    case "administrators":
      return "as an administrator";
    case "owner":
      return "as a bot of somebody who may";
    case "joining":
      return path.groups.every((name) => name === FULL_MEMBERS)
        ? "as a full member, after the waiting period"
        : `may ${stepWords(path.groups, MOST_BOTS)}`;
    case "key":
      return throughText([path.name]);
    case "setting": {
      const way = path.groups.length === 0 ? "by name" : wayText(path.groups);
      return `${path.isOfOrganization ? "organization: " : ""}${clean(path.setting)}: ${way}`;
    }
  }
}
