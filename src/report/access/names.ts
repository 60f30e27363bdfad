import { type AccessPath, pathsFrom } from "../../access/grants.ts";
import type { States } from "../../access/of-plan.ts";
import { peopleOfRisk } from "../../access/opened-channels.ts";
import { hasNamesake, type People } from "../../access/people.ts";
import { isChannel } from "../../access/scope.ts";
import type { Source, Target } from "../../access/sources.ts";
import type { AccessState } from "../../access/state.ts";
import { cases } from "../../model/cases.ts";
import { clean } from "../../model/clean.ts";
import type { Address, Risk } from "../../model/plan.ts";
import type { GroupValue, Realm } from "../../model/realm.ts";
import { valueText } from "../../model/value-text.ts";
import { count, grouped, listNames } from "../../model/words.ts";
import { objectName, shownName } from "../object-names.ts";
import { IMPLIED_NOTE } from "../values.ts";
import { IS_BOT } from "../words/names.ts";
import { PRIVACY_TEXTS, pathText, throughText } from "./way.ts";

/** The maximum number of named people; the others are counted. */
export const MOST_NAMED = 5;

export function targetName(target: Target): string {
  return target === "organization" ? "the organization" : objectName(target.kind, target.name);
}

/** The object as programs get it. */
export const targetAddress = (target: Target): Address | "organization" =>
  target === "organization" ? target : `${target.kind}:${target.name}`;

/** The name of an object on which somebody has a right, in text: "#attic (archived)". */
export function heldName(target: Target): string {
  const isArchived = target !== "organization" && isChannel(target) && target.archived;
  return `${targetName(target)}${isArchived ? " (archived)" : ""}`;
}

/** The name of a person: "Elif Demir", "CI Bot (bot)", or "Kim Lee (kim@example.org)" if two people have the name. */
export function personName(realm: Realm, id: number): string {
  const user = realm.user(id);
  if (user === undefined) return `account ${id}`;
  const { full_name, is_bot } = user;
  const address = hasNamesake(realm, full_name) ? realm.userName(id) : "";
  const notes = [address, is_bot ? IS_BOT : ""].filter((note) => note !== "" && note !== full_name);
  return `${shownName(full_name)}${notes.length === 0 ? "" : ` (${clean(notes.join(", "))})`}`;
}

/** People by name, people before bots; bots are counted separately if not everybody is named. */
export function peopleText(
  realm: Realm,
  state: AccessState,
  people: People,
  { all = false, also = () => "" }: { readonly all?: boolean; readonly also?: (id: number) => string } = {},
): string {
  const own = people.minus(state.accounts.bots);
  const bots = people.and(state.accounts.bots);
  const most = all ? Number.POSITIVE_INFINITY : MOST_NAMED;
  const names: string[] = [];
  for (const set of [own, bots])
    for (const id of set.ids(most - names.length)) names.push(`${personName(realm, id)}${also(id)}`);
  if (people.size <= most) return listNames(names, Number.POSITIVE_INFINITY);
  const rest = [
    own.size > names.length ? `${grouped(own.size - names.length)} more` : "",
    own.size >= names.length && bots.size > 0 ? count(bots.size, "bot") : "",
    own.size < names.length ? count(people.size - names.length, "more bot") : "",
  ].filter((part) => part !== "");
  return `${names.join(", ")} and ${rest.join(" and ")}`;
}

/** The size of a set: "3 people", "3 people and 2 bots", "nobody". */
export function sizeText(state: AccessState, people: People): string {
  const own = people.minus(state.accounts.bots).size;
  const bots = people.size - own;
  if (people.size === 0) return "nobody";
  const parts = [own === 0 ? "" : count(own, "person", "people"), bots === 0 ? "" : count(bots, "bot")];
  return parts.filter((part) => part !== "").join(" and ");
}

/** Before a number that is a bound. */
export const boundText = (bound: "least" | "most" | undefined): string =>
  bound === undefined ? "" : bound === "least" ? "at least " : "at most ";

export const privacyText = (privacy: keyof typeof PRIVACY_TEXTS): string => PRIVACY_TEXTS[privacy].replace(/:.*/, "");

/** What gives a right, in a few words: the setting and its value as a file would write them. */
export const sourceText = cases<Source, "via", string, [target: Target]>("via", {
  subscriber: (source) => `subscribed${impliedText(source)}`,
  privacy: ({ privacy }) => PRIVACY_TEXTS[privacy],
  administrators: "administrators of the organization",
  owner: "bots whose owners have this right",
  key: ({ bots }) => throughText(bots.map(({ name }) => name)),
  setting: (source, target) => {
    const foreign = target !== "organization" && source.on === "organization" ? "organization: " : "";
    return `${foreign}${clean(source.setting)}: ${groupText(source.value)}${impliedText(source)}`;
  },
});

const impliedText = ({ implied }: { readonly implied?: true }): string => (implied === true ? ` ${IMPLIED_NOTE}` : "");

function groupText(value: GroupValue): string {
  return valueText(typeof value === "string" ? value : { groups: value.groups, users: value.users });
}

/** Why somebody holds a right on an object: the setting with the groups down to the person, or only the setting if it names them. */
export function accessPathText(path: AccessPath, target: Target): string {
  if (path.via !== "setting") return pathText(path);
  return pathText({ ...path, isOfOrganization: target !== "organization" && path.on === "organization" });
}

/** How somebody is a member of the group that a source names, if indirectly: " (in on-call)". */
export function wayInto(state: AccessState, source: Source) {
  return (id: number): string => {
    const [path] = pathsFrom(state, source, id);
    if (path?.via !== "setting") return "";
    const inner = path.groups.slice(1).filter((name) => !name.startsWith("role:"));
    return inner.length === 0 ? "" : ` (in ${inner.map((name) => shownName(name)).join(" ← ")})`;
  };
}

/** What is needed to name people; computed at the first risk. */
type RiskStates = Pick<States, "realm" | "after" | "difference">;

/** Risks that count people: the states are computed only for these. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set([
  "readers",
  "right",
  "members",
  "may-join-into",
  "may-administer",
  "organization-right",
]);

/** The people who gain or lose by a risk: up to five by name, or all; nothing for other risks. */
export function riskNames(states: () => RiskStates, all: boolean): (risk: Risk) => string {
  let known: RiskStates | undefined;
  return ({ fact }) => {
    // If subscribers were not read, nobody knows who could do it before.
    if (!ABOUT_PEOPLE.has(fact.kind) || ("at_most" in fact && fact.at_most)) return "";
    known ??= states();
    const people = peopleOfRisk(fact, known.difference);
    return people === undefined || people.size === 0 ? "" : peopleText(known.realm, known.after, people, { all });
  };
}
