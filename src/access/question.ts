import { whenDefined } from "../model/defined.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import { addressMeant, didYouMean } from "../model/suggest.ts";
import { peopleCalled } from "./answers.ts";
import { groupAddress } from "./scope.ts";
import type { Target } from "./sources.ts";
import type { AccessState } from "./state.ts";

/** The meaning of a question that somebody writes on a command line. */
export type Question =
  | { readonly about: "object"; readonly target: Target }
  | { readonly about: "account"; readonly id: number }
  /** The word has several meanings; each is written in the form that means only that one. */
  | { readonly about: "several"; readonly ways: readonly string[] }
  | { readonly about: "nothing"; readonly what: "object" | "account"; readonly meant: string | undefined };

/** The meaning of `#leadership`, `channel:x`, `user_group:staff`, `@staff`, `organization`, an address or a name. */
export function questionOf(text: string, realm: Realm, state: AccessState): Question {
  const written = text.trim();
  if (/^(the )?organization$/i.test(written)) return { about: "object", target: "organization" };
  const channel = /^(?:#|channel:)(.+)/s.exec(written)?.[1];
  if (channel !== undefined) return asObject(channelCalled(channel, state), channel, channelNames(state), "#");
  const group = /^(?:@|user_group:|group:)(.+)/s.exec(written)?.[1];
  if (group !== undefined) {
    const bare = group.replace(/^\*|\*$/g, "");
    return asObject(state.group(bare), bare, groupNames(state), groupAddress(""));
  }
  if (written.includes("@") || /^user:\d+$/.test(written)) return asPerson(written, realm);
  return anything(written, realm, state);
}

function asObject(target: Target | undefined, name: string, known: readonly string[], sign: string): Question {
  if (target !== undefined) return { about: "object", target };
  const meant = didYouMean(name, known);
  return { about: "nothing", what: "object", meant: meant === undefined ? undefined : `${sign}${meant}` };
}

function asPerson(text: string, realm: Realm): Question {
  const [id, ...others] = peopleCalled(realm, text);
  if (id === undefined) return { about: "nothing", what: "account", meant: addressMeant(text, addresses(realm)) };
  if (others.length === 0) return { about: "account", id };
  return { about: "several", ways: [id, ...others].map((each) => realm.userName(each)) };
}

/** The meaning of a name without a sign or a prefix. */
function anything(name: string, realm: Realm, state: AccessState): Question {
  const channel = channelCalled(name, state);
  const group = state.group(name);
  const people = peopleCalled(realm, name);
  const ways = [
    ...(channel === undefined ? [] : [`#${channel.name}`]),
    ...(group === undefined ? [] : [groupAddress(group.name)]),
    ...people.map((id) => realm.userName(id)),
  ];
  if (ways.length > 1) return { about: "several", ways };
  if (channel !== undefined) return { about: "object", target: channel };
  if (group !== undefined) return { about: "object", target: group };
  const [id] = people;
  if (id !== undefined) return { about: "account", id };
  const [called, ...others] = peopleAlsoCalled(realm, name);
  if (called !== undefined && others.length > 0) return { about: "several", ways: [called, ...others] };
  return { about: "nothing", what: "object", meant: called ?? similarName(name, realm, state) };
}

function similarName(name: string, realm: Realm, state: AccessState): string | undefined {
  const names = realm.snapshot.users.map(({ full_name }) => full_name);
  const signed = new Map([
    ["organization", "organization"] as const,
    ...names.map((each) => [each, each] as const),
    ...groupNames(state).map((each) => [each, groupAddress(each)] as const),
    ...channelNames(state).map((each) => [each, `#${each}`] as const),
  ]);
  // A misspelt part of a name matches somebody only if nothing else matches.
  for (const user of realm.snapshot.users)
    for (const part of callNames(realm, user)) if (!signed.has(part)) signed.set(part, realm.userName(user.user_id));
  return whenDefined(didYouMean(name, signed.keys()), (meant) => signed.get(meant));
}

/** Addresses of the active people whose name or address has this part: "elif", "Demir". */
export function peopleAlsoCalled(realm: Realm, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return realm.snapshot.users
    .filter((user) => user.is_active && callNames(realm, user).includes(wanted))
    .map(({ user_id }) => realm.userName(user_id));
}

/** The parts of a full name, and the part of the address before the @. */
function callNames(realm: Realm, { user_id, full_name }: SnapshotUser): readonly string[] {
  return [...full_name.split(/\s/), realm.userName(user_id).replace(/@.*/s, "")]
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "");
}

/** The channel with a name; case does not matter. */
export function channelCalled(name: string, state: AccessState) {
  const exact = state.channel(name);
  if (exact !== undefined) return exact;
  const wanted = name.toUpperCase();
  for (const channel of state.channels()) if (channel.name.toUpperCase() === wanted) return channel;
  return undefined;
}

export const channelNames = (state: AccessState): readonly string[] => [...state.channels()].map(({ name }) => name);
export const groupNames = (state: AccessState): readonly string[] => [...state.groups()].map(({ name }) => name);
const addresses = (realm: Realm): readonly string[] =>
  realm.snapshot.users.map(({ user_id }) => realm.userName(user_id));
