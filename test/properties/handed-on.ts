import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";
import type { Scenario } from "./arbitrary.ts";
import { Draw } from "./draw.ts";

/**
 * Realms and files in which a name does not show which object is meant. Names pass, by `id` and by `was`, to inactive objects and from objects that
 * nothing else names; inactive objects have the names of objects in use; names differ only in case or in Unicode's form; objects of different kinds
 * have the same ids; and what the file does not mention stays or is removed.
 */
export const handedOn: fc.Arbitrary<Scenario> = fc
  .array(fc.nat({ max: 9999 }), { minLength: 260, maxLength: 260 })
  .map((numbers) => scenarioOf(new Draw(numbers)));

const FOLDERS = ["North", "NORTH", "South", "Caf\u00e9", "Cafe\u0301", "West"] as const;
const CHANNELS = ["alpha", "Alpha", "Straße", "STRASSE", "caf\u00e9", "cafe\u0301", "gamma"] as const;
const GROUPS = ["staff", "Staff", "crew", "caf\u00e9", "cafe\u0301", "board"] as const;
const PATTERNS: readonly string[] = ["#", "BUG-", "bug-", "PR "].map((prefix) => `${prefix}(?P<id>[0-9]+)`);
const PEOPLE = ["ada@acme.example", "ben@acme.example", "chiara@acme.example"] as const;
/** The first object of each kind has it, so that numbers say nothing about the kind. */
const FIRST_ID = 30;

type Fields = { readonly [field: string]: unknown };

interface Live {
  readonly name: string;
  readonly inactive: boolean;
  readonly description: string;
}

interface Kind {
  readonly names: readonly string[];
  readonly key: (name: string) => string;
  /** Inactive objects may have the names of objects in use. */
  readonly isFree?: boolean;
  readonly goes: string;
  /** One object in this many is inactive. */
  readonly inactiveShare: number;
}

const upper = (name: string): string =>
  [...name].map((letter) => (letter === "ß" ? letter : letter.toUpperCase())).join("");
const KINDS = {
  folders: { names: FOLDERS, key: upper, isFree: true, goes: "archived", inactiveShare: 2 },
  channels: { names: CHANNELS, key: upper, goes: "archived", inactiveShare: 4 },
  groups: { names: GROUPS, key: (name: string) => name, goes: "deactivated", inactiveShare: 3 },
} as const satisfies { readonly [kind: string]: Kind };

function liveOf(kind: Kind, roll: Draw): readonly Live[] {
  const live: Live[] = [];
  for (let count = 1 + roll.upTo(4); count > 0; count -= 1) {
    const inactive = roll.chance(kind.inactiveShare);
    const isTaken = (name: string): boolean =>
      live.some(
        (other) => kind.key(other.name) === kind.key(name) && !(kind.isFree === true && (inactive || other.inactive)),
      );
    const name = roll.one(kind.names.filter((candidate) => !isTaken(candidate)));
    live.push({ name, inactive, description: `once ${live.length}` });
  }
  return live;
}

interface Item {
  readonly name: string;
  readonly identity: Fields;
  readonly goes: boolean;
  /** Its index among the live objects that the file's author meant; undefined for a new one. */
  readonly from?: number;
}

function itemsOf(kind: Kind, live: readonly Live[], roll: Draw): readonly Item[] {
  const items: Item[] = [];
  const deck = [...live.map(({ name }) => name), ...kind.names.filter((name) => roll.chance(2) && name !== "")];
  const add = (item: Item): void => {
    if (items.some((other) => kind.key(other.name) === kind.key(item.name))) return;
    items.push(item);
  };
  const dealt = (): string => deck.splice(roll.upTo(deck.length - 1), 1)[0] ?? "spare";
  live.forEach(({ name }, from) => {
    const goes = roll.chance(5);
    const fate = roll.upTo(5);
    if (fate === 1) add({ name, identity: {}, goes, from });
    if (fate === 2) add({ name: kind.key(name), identity: {}, goes, from });
    if (fate === 3) add({ name: dealt(), identity: { was: name }, goes, from });
    if (fate > 3) add({ name: dealt(), identity: { id: FIRST_ID + from }, goes, from });
  });
  for (let count = roll.upTo(2); count > 0; count -= 1)
    add({ name: dealt(), identity: roll.chance(4) ? { was: "Nobody was called so" } : {}, goes: false });
  return items;
}

/** Live objects of a kind, and the entries of the file about them. */
function partOf(kind: Kind, roll: Draw) {
  const live = liveOf(kind, roll);
  const items = itemsOf(kind, live, roll);
  const isExact = roll.chance(2);
  // What other entries may name: the file's objects in use, and those that stay unchanged.
  const stays = isExact
    ? []
    : live.flatMap(({ name, inactive }, index) => (inactive || items.some(({ from }) => from === index) ? [] : [name]));
  const used = [...items.filter(({ goes }) => !goes).map(({ name }) => name), ...stays];
  return { kind, live, items, isExact, used };
}
type Part = ReturnType<typeof partOf>;

interface Parts {
  readonly folders: Part;
  readonly groups: Part;
  readonly channels: Part;
}

function scenarioOf(roll: Draw): Scenario {
  const folders = partOf(KINDS.folders, roll);
  const groups = partOf(KINDS.groups, roll);
  const channels = partOf(KINDS.channels, roll);
  const parts = { folders, groups, channels };
  const patterns = roll.some(PATTERNS, 3);
  const linkifiers = linkifiersOf(patterns, roll);
  const file = fileOf(parts, linkifiers, roll);
  return { overlay: overlayOf(parts, patterns, roll), yaml: JSON.stringify(file, null, 1) };
}

function fileOf({ folders, groups, channels }: Parts, linkifiers: readonly Fields[], roll: Draw): Fields {
  const said = ({ live }: Part, { from }: Item): Fields => {
    const own = from === undefined ? undefined : live[from]?.description;
    return roll.chance(2) ? { description: roll.one([own ?? "new", own ?? "new", "other", ""]) } : {};
  };
  const who = (): unknown =>
    roll.chance(3)
      ? { groups: roll.some(groups.used, 2), users: roll.some(PEOPLE, 2) }
      : roll.one(["role:moderators", ...groups.used]);
  const section = (of: Part, more: (item: Item, place: number) => Fields): Fields =>
    Object.fromEntries(
      of.items.map((item, place) => [
        item.name,
        {
          ...item.identity,
          ...(item.goes ? { [of.kind.goes]: true } : {}),
          ...said(of, item),
          ...(item.goes ? {} : more(item, place)),
        },
      ]),
    );
  return {
    version: 1,
    manage: {
      channel_folders: folders.isExact ? "exact" : "additive",
      user_groups: groups.isExact ? "exact" : "additive",
      channels: channels.isExact ? "exact" : "additive",
      linkifiers: roll.chance(2) ? "exact" : "additive",
    },
    channel_folders: section(folders, () => ({})),
    user_groups: section(groups, (_, place) => ({
      ...(roll.chance(3) ? { members: roll.some(PEOPLE, 2) } : {}),
      ...(roll.chance(3)
        ? {
            subgroups: roll.some(
              groups.items.slice(place + 1).flatMap((item) => (item.goes ? [] : [item.name])),
              1,
            ),
          }
        : {}),
      ...(roll.chance(2) ? { permissions: { can_mention_group: who() } } : {}),
    })),
    channels: section(channels, () => ({
      ...(roll.chance(2) ? { folder: roll.one([null, ...folders.used]) } : {}),
      ...(roll.chance(2) ? { permissions: { can_send_message_group: who() } } : {}),
      ...(roll.chance(5) ? { subscribers: { groups: roll.some(groups.used, 1), exact: roll.chance(3) } } : {}),
    })),
    ...(roll.chance(2) ? { default_channels: roll.some(channels.used, 2) } : {}),
    ...(linkifiers.length > 0 ? { linkifiers } : {}),
  };
}

function overlayOf({ folders, groups, channels }: Parts, patterns: readonly string[], roll: Draw): Overlay {
  const awake = groups.live.flatMap(({ name, inactive }) => (inactive ? [] : [name]));
  const liveWho = (): string => roll.one(["role:nobody", "role:moderators", ...awake]);
  return {
    channel_folders: folders.live.map(({ name, inactive, description }, index) => ({
      id: FIRST_ID + index,
      name,
      description,
      is_archived: inactive,
    })),
    user_groups: groups.live.map(({ name, inactive, description }) => ({
      name,
      description,
      deactivated: inactive,
      members: [...roll.some(PEOPLE, 2)],
      ...(roll.chance(4) ? { can_mention_group: liveWho() } : {}),
    })),
    channels: channels.live.map(({ name, inactive, description }, index) => ({
      stream_id: FIRST_ID + index,
      name,
      description,
      is_archived: inactive,
      folder_id: roll.one([null, null, ...folders.live.map((_, at) => FIRST_ID + at)]),
      ...(roll.chance(4) ? { can_send_message_group: liveWho() } : {}),
    })),
    default_channels: channels.live.flatMap(({ name, inactive }) => (!inactive && roll.chance(3) ? [name] : [])),
    linkifiers: patterns.map((pattern, index) => ({
      id: FIRST_ID + index,
      pattern,
      url_template: `https://${index}.example.org/{id}`,
    })),
    subscribers: Object.fromEntries(channels.live.map(({ name }) => [name, ["ada@acme.example"]])),
  };
}

/** Patterns are exchanged, too; templates distinguish cycles of `was`. */
function linkifiersOf(live: readonly string[], roll: Draw): readonly Fields[] {
  const deck = [...PATTERNS];
  const kept = live.flatMap((own, index): readonly Fields[] => {
    const pattern = roll.chance(2) ? own : roll.one(deck);
    if (roll.chance(4) || !deck.includes(pattern)) return [];
    deck.splice(deck.indexOf(pattern), 1);
    const url_template = `https://${index}.example.org/{id}`;
    if (roll.chance(6)) return [{ pattern, id: FIRST_ID + index, absent: true }];
    const identity = pattern === own ? {} : roll.chance(2) ? { id: FIRST_ID + index } : { was: own };
    return [{ pattern, ...identity, ...(roll.chance(2) ? {} : { url_template }) }];
  });
  const fresh = roll.chance(3)
    ? deck.slice(0, 1).map((pattern) => ({ pattern, url_template: "https://new.example.org/{id}" }))
    : [];
  return roll.chance(2) ? [...fresh, ...kept] : [...kept, ...fresh].reverse();
}
