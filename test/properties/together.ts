import type { Json } from "../../src/model/json.ts";
import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";
import type { Scenario } from "./arbitrary.ts";
import { Draw } from "./draw.ts";
import { organizationOf, peopleOf } from "./organization.ts";

/**
 * Realms and files in which every kind names others: channels name groups and folders, groups name each other, default channels and invitations name
 * channels, and the same file may create, rename or deactivate any of them.
 */
export const together: fc.Arbitrary<Scenario> = drawn((numbers) => new Together(numbers, true));

/** The same with an account that is in some of the channels only, so that it can lose the right to read one halfway through a plan. */
export const partlyOutside: fc.Arbitrary<Scenario> = drawn((numbers) => new Together(numbers, false));

function drawn(of: (numbers: readonly number[]) => Together): fc.Arbitrary<Scenario> {
  return fc.array(fc.nat({ max: 9999 }), { minLength: 480, maxLength: 480 }).map((numbers) => of(numbers).scenario());
}

const ACCOUNT = "ada@acme.example";

const PEOPLE = [
  "ada@acme.example",
  "ben@acme.example",
  "chiara@acme.example",
  "dmitri@acme.example",
  "farah@acme.example",
  "ci-bot@localhost",
] as const;
const PERSON_IDS: { readonly [email: string]: number } = {
  "ada@acme.example": 6,
  "ben@acme.example": 7,
  "chiara@acme.example": 8,
  "dmitri@acme.example": 9,
  "farah@acme.example": 11,
  "ci-bot@localhost": 18,
};
const GROUPS = ["staff", "Staff", "ops team", "leads", "crew", "board", "night-shift"] as const;
const FOLDERS = ["Company", "Projects", "Attic", "customers", "Ünï"] as const;
const CHANNELS = ["general", "incidents", "Straße", "ops 🔧", "release notes", "lobby", "hall", "vault"] as const;
const INVITED = ["grace@acme.example", "lin@b.example", "moe@sub.acme.example", "dmitri@acme.example"] as const;
const LINKIFIERS = ["#", "BUG-", "PR "].map((prefix) => `${prefix}(?P<id>[0-9]+)`);
const DOMAINS = ["acme.example", "b.example", "c.example"] as const;
const GROUP_SETTINGS = ["can_manage_group", "can_mention_group", "can_join_group", "can_add_members_group"] as const;
const CHANNEL_SETTINGS = [
  "can_send_message_group",
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
] as const;

const TEMPLATE = "https://x.example.org/{id}";
type Fields = { readonly [field: string]: unknown };
type LiveWho = string | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly string[] };
interface LiveGroup {
  readonly name: string;
  readonly deactivated: boolean;
  readonly [field: string]: unknown;
}

const namesIn = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

type Entry = ReturnType<Together["fates"]>[number];

/** What the file says of groups, folders and channels. */
interface Entries {
  readonly groups: readonly Entry[];
  readonly folders: readonly Entry[];
  readonly channels: readonly Entry[];
  readonly live: readonly Fields[];
  /** Names of groups that the file may name. */
  readonly usable: readonly string[];
  /** Names of channels that stay in use. */
  readonly kept: readonly string[];
}

class Together extends Draw {
  /** Whom the file may name: everybody except the people whom it deactivates. */
  private staying: readonly string[] = PEOPLE;

  private readonly isEverywhere: boolean;
  private readonly file: { [section: string]: unknown } = { version: 1 };
  private readonly manage: { [section: string]: string } = {};

  /** @param isEverywhere the account that runs the plan is subscribed to every channel, and stays so */
  constructor(numbers: readonly number[], isEverywhere: boolean) {
    super(numbers);
    this.isEverywhere = isEverywhere;
  }

  private policy(section: string): void {
    this.manage[section] = this.one(["additive", "additive", "exact"]);
  }

  scenario(): Scenario {
    const accounts = peopleOf(this);
    this.staying = PEOPLE.filter((email) => !accounts.leaving.includes(email));
    const level = this.one([442, 442, 424, 414, 400]);
    const groups = this.liveGroups();
    const folders = this.some(FOLDERS, 4).map((name) => ({ name, is_archived: this.chance(4) }));
    const awake = groups.filter(({ deactivated }) => !deactivated).map(({ name }) => name);
    const channels = this.some(CHANNELS, 5).map((name) => this.liveChannel(name, awake, folders.length));
    const defaults = channels
      .filter(({ invite_only, is_archived }) => invite_only !== true && is_archived !== true)
      .filter(() => this.chance(3))
      .map(({ name }) => name);

    const groupNames = this.fates(namesIn(groups), GROUPS, 30);
    const folderNames = this.fates(namesIn(folders), FOLDERS, 1);
    const channelNames = this.fates(namesIn(channels), CHANNELS, 101);
    const usable = [
      ...groupNames.filter(({ fate }) => fate !== "gone").map(({ name }) => name),
      ...groups.flatMap(({ name, deactivated }, index) =>
        deactivated || groupNames.some(({ from }) => from === index) ? [] : [name],
      ),
    ];
    const kept = channelNames.filter(({ fate }) => fate !== "gone").map(({ name }) => name);
    this.writeMaps({ groups: groupNames, folders: folderNames, channels: channelNames, live: channels, usable, kept });
    const { domains, linkifiers } = this.writeLists(level, kept, usable);
    const ids = new Map(groups.map(({ name }, index) => [name, 30 + index]));
    const drawn = organizationOf(
      this,
      {
        level,
        channels,
        kept,
        usable,
        liveWho: () => asIds(this.liveWho(awake), ids),
        who: () => this.who(usable),
      },
      accounts,
    );
    for (const { sections } of drawn)
      for (const section of Object.keys(sections)) {
        this.file[section] = sections[section];
        // People are never managed as a whole.
        if (section !== "people") this.policy(section);
      }
    const overlay: Overlay = {
      ...Object.assign({}, ...drawn.map((part) => part.overlay)),
      feature_level: level,
      domains,
      linkifiers,
      invites: this.some(INVITED, 2).map((email) => ({ email, invited_as: this.one([400, 600]) })),
      user_groups: groups,
      channel_folders: folders,
      channels,
      default_channels: defaults,
      subscribers: Object.fromEntries(
        channels.map(({ name }) => [name, [...this.account(), ...this.some(PEOPLE.slice(1), 2)]]),
      ),
    };
    return { overlay, yaml: JSON.stringify({ ...this.file, manage: this.manage }, null, 1) };
  }

  /** The sections of groups, folders and channels. */
  private writeMaps({
    groups: groupNames,
    folders: folderNames,
    channels: channelNames,
    live: channels,
    usable,
    kept,
  }: Entries): void {
    const folderUsable = folderNames.filter(({ fate }) => fate !== "gone").map(({ name }) => name);
    this.file.user_groups = Object.fromEntries(
      groupNames.map((item, place) => [
        item.name,
        item.fate === "gone"
          ? { ...item.identity, deactivated: true }
          : {
              ...item.identity,
              ...this.groupFields(
                usable.filter((_, index) => index > place),
                usable,
              ),
            },
      ]),
    );
    this.file.channel_folders = Object.fromEntries(
      folderNames.map((item) => [
        item.name,
        item.fate === "gone"
          ? { ...item.identity, archived: true }
          : { ...item.identity, ...(this.chance(3) ? { description: this.one(["", "What we do", null]) } : {}) },
      ]),
    );
    if (this.chance(3)) this.policy("channel_folders");
    this.file.channels = Object.fromEntries(
      channelNames.map((item) => {
        const live = item.from === undefined ? undefined : channels[item.from];
        if (item.fate === "gone") return [item.name, { ...item.identity, archived: true }];
        const asleep = live?.is_archived === true && this.chance(2) ? { archived: false } : {};
        return [item.name, { ...item.identity, ...asleep, ...this.channelFields(usable, folderUsable) }];
      }),
    );
    if (this.chance(2)) this.policy("channels");
    if (this.chance(2)) {
      this.file.default_channels = this.some(kept, 3).map((name) =>
        this.chance(4) ? { channel: name, absent: true } : name,
      );
      this.policy("default_channels");
    }
  }

  /** The other sections, and the live domains and linkifiers. */
  private writeLists(level: number, kept: readonly string[], usable: readonly string[]) {
    const domains = this.some(DOMAINS, 2).map((domain) => ({ domain, allow_subdomains: this.chance(2) }));
    if (this.chance(3)) {
      const items = this.some(DOMAINS, 2).map((name) => [name, this.one([{}, { allow_subdomains: true }])]);
      this.file.domains = Object.fromEntries(items);
      this.policy("domains");
    }
    const linkifiers = this.some(LINKIFIERS, 3).map((pattern) => ({ pattern, url_template: TEMPLATE }));
    if (this.chance(3)) {
      const url_template = this.one([TEMPLATE, "https://other.example.org/{id}"]);
      this.file.linkifiers = this.some(LINKIFIERS, 3).map((pattern) => ({ pattern, url_template }));
      this.policy("linkifiers");
    }
    if (this.chance(3) && level >= 390) this.file.navigation_views = { inbox: { is_pinned: true } };
    if (this.chance(2)) {
      this.file.invites = this.some(INVITED, 3).map((email) => this.invitation(email, kept, usable));
      this.policy("invites");
    }
    return { domains, linkifiers };
  }

  /** The account that runs the plan, if it is in the channel. */
  private account(): readonly string[] {
    return this.isEverywhere || this.chance(2) ? [ACCOUNT] : [];
  }

  private liveGroups(): LiveGroup[] {
    const groups: LiveGroup[] = [];
    for (const name of this.some(GROUPS, 5)) {
      const earlier = groups.filter(({ deactivated }) => !deactivated).map((group) => group.name);
      const settings = this.some(GROUP_SETTINGS, 2).map((setting) => [setting, this.liveWho(earlier)] as const);
      groups.push({
        name,
        description: this.one(["", "Somebody"]),
        members: this.some(PEOPLE, 3),
        subgroups: this.some(earlier, 2),
        // Only groups that nothing names can be inactive: the last ones.
        deactivated: false,
        ...Object.fromEntries(settings),
      });
    }
    const last = groups.at(-1);
    if (last !== undefined && this.chance(2)) groups[groups.length - 1] = { ...last, deactivated: true };
    return groups;
  }

  private liveWho(groups: readonly string[]): LiveWho {
    const named = this.one(["role:nobody", "role:moderators", ...groups]);
    // The server has no anonymous group that contains nobody, or only one group.
    if (!this.chance(3) || groups.length < 2) return named;
    const people = this.some(PEOPLE, 2).map((name) => PERSON_IDS[name] ?? 6);
    return {
      direct_members: people.sort((x, y) => x - y),
      direct_subgroups: groups.length > 1 ? groups.slice(0, 2) : [],
    };
  }

  private liveChannel(name: string, groups: readonly string[], folders: number): Fields & { readonly name: string } {
    const [invite_only, history_public_to_subscribers] = this.one([
      [false, true],
      [false, true],
      [true, true],
      [true, false],
    ]);
    const settings = this.some(CHANNEL_SETTINGS, 2).map((setting) => [setting, this.one(["role:nobody", ...groups])]);
    return {
      name,
      invite_only,
      history_public_to_subscribers,
      is_archived: this.chance(5),
      description: this.one(["", "Somewhere"]),
      folder_id: folders === 0 ? null : this.one([null, ...Array.from({ length: folders }, (_, index) => index + 1)]),
      ...Object.fromEntries(settings),
    };
  }

  /** What happens to the live objects, and which ones are new. Names pass from one to another; ids identify the objects. */
  fates(live: readonly string[], all: readonly string[], firstId: number) {
    const items: {
      readonly name: string;
      readonly fate: "kept" | "gone" | "new";
      readonly from?: number;
      readonly identity: Fields;
    }[] = [];
    const fold = (name: string): string => (firstId === 30 ? name : name.toUpperCase());
    const taken = new Set<string>();
    const spare = all.filter((name) => !live.includes(name));
    const add = (item: (typeof items)[number]): void => {
      if (taken.has(fold(item.name))) return;
      taken.add(fold(item.name));
      items.push(item);
    };
    const pinned = live.flatMap((_, index) => (this.chance(4) ? [index] : []));
    const turn = this.upTo(2);
    live.forEach((name, index) => {
      const place = pinned.indexOf(index);
      if (place >= 0) {
        const target = live[pinned[(place + turn) % pinned.length] ?? index] ?? name;
        add({ name: target, fate: "kept", from: index, identity: { id: firstId + index } });
        return;
      }
      const fate = this.one(["kept", "kept", "unmentioned", "renamed", "gone"] as const);
      if (fate === "kept" || fate === "gone") add({ name, fate, from: index, identity: {} });
      if (fate !== "renamed") return;
      const next = spare.shift();
      if (next !== undefined) add({ name: next, fate: "kept", from: index, identity: { was: name } });
    });
    for (let count = this.upTo(2); count > 0; count -= 1) {
      const name = spare.shift();
      if (name !== undefined) add({ name, fate: "new", identity: {} });
    }
    return items;
  }

  private groupFields(later: readonly string[], all: readonly string[]): Fields {
    return {
      ...(this.chance(3) ? { description: this.one(["", "Somebody", "Somebody else", null]) } : {}),
      ...(this.chance(2) ? { members: this.some(this.staying, 3) } : {}),
      ...(this.chance(2) ? { subgroups: this.some(later, 2) } : {}),
      ...(this.chance(2) ? { permissions: this.permissions(GROUP_SETTINGS, all) } : {}),
    };
  }

  private channelFields(groups: readonly string[], folders: readonly string[]): Fields {
    const users = this.some(this.staying, 2);
    return {
      ...(this.chance(3) ? { description: this.one(["", "Somewhere", "Elsewhere"]) } : {}),
      ...(this.chance(3)
        ? { privacy: this.one(["public", "private_shared_history", "private_protected_history"]) }
        : {}),
      ...(this.chance(2) ? { folder: this.one([null, ...folders]) } : {}),
      ...(this.chance(2) ? { permissions: this.permissions(CHANNEL_SETTINGS, groups) } : {}),
      ...(this.chance(3)
        ? {
            subscribers: {
              users: [...this.account(), ...users.filter((name) => name !== ACCOUNT)],
              groups: this.some(groups, 2),
              ...(this.chance(2) ? { exact: true } : {}),
            },
          }
        : {}),
    };
  }

  private invitation(email: string, channels: readonly string[], groups: readonly string[]): Fields {
    if (this.chance(5)) return { emails: [email], absent: true };
    return {
      emails: [email],
      send_until: "2099-01-01",
      ...(this.chance(2) ? { invite_as: this.one(["member", "guest"]) } : {}),
      channels: this.some(channels, 2),
      groups: this.some(groups, 1),
      ...(this.chance(3) ? { replace: true } : {}),
    };
  }

  private who(groups: readonly string[]): unknown {
    if (this.chance(3)) return { groups: this.some(groups, 2), users: this.some(this.staying, 2) };
    return this.one(["role:nobody", "role:moderators", ...groups]);
  }

  private permissions(settings: readonly string[], groups: readonly string[]): Fields {
    return Object.fromEntries(this.some(settings, 2).map((setting) => [setting, this.who(groups)]));
  }
}

const ROLE_IDS: { readonly [name: string]: number } = { "role:nobody": 9, "role:moderators": 12 };

/** A permission with the ids of its groups. */
function asIds(value: LiveWho, ids: ReadonlyMap<string, number>): Json {
  const idOf = (name: string): number => ids.get(name) ?? ROLE_IDS[name] ?? 9;
  if (typeof value === "string") return idOf(value);
  return {
    direct_members: [...value.direct_members],
    direct_subgroups: value.direct_subgroups.map(idOf).sort((a, b) => a - b),
  };
}
