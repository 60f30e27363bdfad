import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";
import type { Scenario } from "./arbitrary.ts";

const GROUPS = ["staff", "Staff", "board", "crew", "leads"] as const;
const FOLDERS = ["Company", "Projects", "Attic", "Ünï"] as const;
const CHANNELS = ["general", "Straße", "lobby", "vault"] as const;
const GROUP_SETTINGS = ["can_manage_group", "can_mention_group", "can_add_members_group"] as const;
const CHANNEL_SETTINGS = ["can_send_message_group", "can_add_subscribers_group"] as const;
const PEOPLE = ["ada@acme.example", "ben@acme.example", "chiara@acme.example"] as const;

/** Random choices for each of a few objects, all independent of each other. */
interface Roll {
  readonly rank: number;
  readonly isDeclared: boolean;
  readonly inactive: boolean;
  readonly goes: boolean;
  readonly says: readonly boolean[];
  readonly picks: readonly number[];
}

const roll: fc.Arbitrary<Roll> = fc.record({
  rank: fc.nat({ max: 99 }),
  isDeclared: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  inactive: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  goes: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  says: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  picks: fc.array(fc.nat({ max: 99 }), { minLength: 8, maxLength: 8 }),
});

const rolls = fc.record({
  groups: fc.array(roll, { minLength: 2, maxLength: GROUPS.length }),
  newGroups: fc.array(roll, { maxLength: 2 }),
  folders: fc.array(roll, { maxLength: FOLDERS.length }),
  newFolders: fc.array(roll, { maxLength: 1 }),
  channels: fc.array(roll, { maxLength: CHANNELS.length }),
});

/**
 * Realms in which nearly everything is renamed at once, mostly to each other's names, while groups and folders are deactivated, reactivated, nested
 * and named in each other's settings: requests wait for each other wherever that is possible.
 */
export const rotations: fc.Arbitrary<Scenario> = rolls.map((drawn) => {
  const live = drawn.groups.map((_, index) => GROUPS[index] ?? "staff");
  const spare = [...GROUPS.slice(live.length), "night-shift", "ops team"];
  const names = passedOn(live, drawn.groups, spare);
  const fresh = drawn.newGroups.flatMap((own, index) => {
    const name = [...live, ...spare].filter((candidate) => !names.includes(candidate))[index];
    return name === undefined ? [] : [{ name, own }];
  });
  const declared = [
    ...drawn.groups.flatMap((own, index) =>
      own.isDeclared ? [{ name: names[index] ?? "", own, id: 30 + index }] : [],
    ),
    ...fresh.map(({ name, own }) => ({ name, own, id: undefined })),
  ];
  const awake = declared.filter(({ own, id }) => !(own.goes && id !== undefined)).map(({ name }) => name);
  const folderNames = FOLDERS.slice(0, drawn.folders.length);
  const folders = passedOn(folderNames, drawn.folders, ["Neu", "ATTIC"]);
  const keptFolders = folders.filter((_, index) => drawn.folders[index]?.goes !== true);
  const channelNames = CHANNELS.slice(0, drawn.channels.length);
  const channels = passedOn(channelNames, drawn.channels, ["hall", "STRASSE"]);

  const file = {
    version: 1,
    manage: { user_groups: "additive", channel_folders: "additive", channels: "additive" },
    user_groups: groupItems(declared, awake),
    channel_folders: folderItems(drawn, folderNames, folders),
    channels: channelItems(drawn.channels, channels, { awake, folders: keptFolders }),
  };
  const overlay: Overlay = {
    user_groups: liveGroups(drawn.groups, live),
    channel_folders: drawn.folders.map((own, index) => ({
      name: folderNames[index] ?? "",
      is_archived: own.inactive,
    })),
    channels: drawn.channels.map((own, index) => ({
      name: channelNames[index] ?? "",
      is_archived: own.inactive,
      folder_id: one([null, ...folderNames.map((_, at) => at + 1)], own.picks[5]),
    })),
    subscribers: Object.fromEntries(channelNames.map((name) => [name, ["ada@acme.example"]])),
  };
  return { overlay, yaml: JSON.stringify(file, null, 1) };
});

type Drawn = Parameters<Parameters<typeof rolls.map>[0]>[0];

interface DeclaredGroup {
  readonly name: string;
  readonly own: Roll;
  /** Undefined for a new one. */
  readonly id: number | undefined;
}

function groupItems(declared: readonly DeclaredGroup[], awake: readonly string[]): object {
  // Groups are nested by rank: never in a cycle, before or after, and in a different order each time.
  const byRank = [...declared].sort((a, b) => a.own.rank - b.own.rank).map(({ name }) => name);
  const below = (name: string): readonly string[] =>
    byRank.slice(byRank.indexOf(name) + 1).filter((other) => awake.includes(other));
  return Object.fromEntries(
    declared.map(({ name, own, id }) => {
      const identity = id === undefined ? {} : { id };
      if (own.goes && id !== undefined) return [name, { ...identity, deactivated: true }];
      return [
        name,
        {
          ...identity,
          ...(own.says[0] ? { subgroups: chosen(below(name), own.picks) } : {}),
          ...(own.says[1] ? { members: chosen(PEOPLE, own.picks.slice(2)) } : {}),
          ...(own.says[2] ? { permissions: permissions(GROUP_SETTINGS, awake, own) } : {}),
        },
      ];
    }),
  );
}

function folderItems(drawn: Drawn, folderNames: readonly string[], folders: readonly string[]): object {
  return Object.fromEntries([
    ...drawn.folders.flatMap((own, index) => {
      if (!own.isDeclared) return [];
      return [[folders[index] ?? "", { id: index + 1, ...(own.goes ? { archived: true } : {}) }] as const];
    }),
    ...drawn.newFolders.flatMap((own) => {
      const name = [...folderNames, "Elsewhere"].find((candidate) => !folders.includes(candidate));
      return name === undefined || !own.isDeclared ? [] : [[name, { description: "New" }] as const];
    }),
  ]);
}

function channelItems(
  drawn: readonly Roll[],
  channels: readonly string[],
  { awake, folders }: { readonly awake: readonly string[]; readonly folders: readonly string[] },
): object {
  return asMap(
    drawn.flatMap((own, index): readonly { readonly name: string; readonly item: object }[] => {
      if (!own.isDeclared) return [];
      const identity = { id: 101 + index };
      const name = channels[index] ?? "";
      if (own.goes) return [{ name, item: { ...identity, archived: true } }];
      const item = {
        ...identity,
        ...(own.inactive ? { archived: false } : {}),
        ...(own.says[0] ? { folder: one([null, ...folders], own.picks[0]) } : {}),
        ...(own.says[1] ? { permissions: permissions(CHANNEL_SETTINGS, awake, own) } : {}),
      };
      return [{ name, item }];
    }),
  );
}

function liveGroups(drawn: readonly Roll[], live: readonly string[]): NonNullable<Overlay["user_groups"]> {
  return drawn.map((own, index) => {
    const earlier = live.slice(0, index).filter((_, at) => drawn[at]?.inactive !== true);
    return {
      name: live[index] ?? "",
      deactivated: own.inactive,
      members: chosen(PEOPLE, own.picks.slice(4)),
      subgroups: own.says[4] ? chosen(earlier, own.picks.slice(3)) : [],
      ...(own.says[5]
        ? { [one(GROUP_SETTINGS, own.picks[6])]: one(["role:moderators", ...earlier], own.picks[7]) }
        : {}),
    };
  });
}

/** The names afterwards: those of declared objects, redistributed by rank, with one spare name among them. The others keep theirs. */
function passedOn(before: readonly string[], own: readonly Roll[], spare: readonly string[]): readonly string[] {
  const moving = before.filter((_, index) => own[index]?.isDeclared === true);
  const first = own[0];
  const deck = first?.says[7] === true ? [...moving, ...spare.slice(0, 1)] : [...moving];
  return before.map((name, index) => {
    const rolled = own[index];
    if (rolled?.isDeclared !== true) return name;
    const [dealt] = deck.splice((rolled.picks[7] ?? 0) % deck.length, 1);
    return dealt ?? name;
  });
}

function permissions(settings: readonly string[], groups: readonly string[], { says, picks }: Roll): object {
  return Object.fromEntries(
    settings.flatMap((setting, index) => {
      if (says[3 + index] !== true) return [];
      const pick = picks[index];
      const value =
        says[6] === true && groups.length > 0
          ? { groups: chosen(groups, picks.slice(index)), users: ["ada@acme.example"] }
          : one(["role:nobody", "role:moderators", ...groups], pick);
      return [[setting, value]];
    }),
  );
}

function one<T>(values: readonly [T, ...T[]] | readonly T[], pick = 0): T {
  const value = values[pick % values.length];
  if (value === undefined) throw new RangeError("nothing to choose from");
  return value;
}

function asMap(items: readonly { readonly name: string; readonly item: object }[]): object {
  return Object.fromEntries(items.map(({ name, item }) => [name, item]));
}

function chosen<T>(values: readonly T[], picks: readonly number[]): T[] {
  return values.filter((_, index) => (picks[index % picks.length] ?? 0) % 2 === 1);
}
