import { isList, isObject, type Json } from "../../src/model/json.ts";
import type { Overlay } from "../support/realm.ts";
import type { Draw } from "./draw.ts";

type Plain = string | number | boolean;
type Fields = { readonly [field: string]: unknown };

/** The parts of a generated realm and file that the organization's own settings may name. */
export interface Around {
  readonly level: number;
  /** Live channels, in the order of their ids from 101. */
  readonly channels: readonly { readonly name: string; readonly [field: string]: unknown }[];
  /** Channels that the file leaves in use. */
  readonly kept: readonly string[];
  /** Groups that the file leaves in use. */
  readonly usable: readonly string[];
  /** A permission as the realm stores it, and as a file writes it. */
  readonly liveWho: () => Json;
  readonly who: () => unknown;
}

/** A part of a realm, and what a file says about it. */
export interface Drawn {
  readonly overlay: Partial<Overlay>;
  readonly sections: Fields;
}

/** Ada runs it; Kofi is the other owner; people who leave have no address in the rest of the file. */
const ACCOUNTS = [
  "ben@acme.example",
  "chiara@acme.example",
  "dmitri@acme.example",
  "kofi@acme.example",
  "hana@acme.example",
  "jana@acme.example",
] as const;
const ACCOUNT_IDS = [6, 7, 8, 9, 16, 13] as const;
const ROLES = ["owner", "administrator", "moderator", "member", "guest"] as const;
const BOTS = ["deploy-bot", "ci-bot", "hook-bot"] as const;
const RIGHTS = [
  "can_create_groups",
  "can_manage_all_groups",
  "can_invite_users_group",
  "create_multiuse_invite_group",
  "can_create_private_channel_group",
  "can_create_bots_group",
  "can_add_custom_emoji_group",
  "direct_message_initiator_group",
] as const;
const POINTERS = {
  new_stream_announcements_channel: "new_stream_announcements_stream_id",
  signup_announcements_channel: "signup_announcements_stream_id",
  zulip_update_announcements_channel: "zulip_update_announcements_stream_id",
} as const;

export function organizationOf(draw: Draw, around: Around, people: Drawn): readonly Drawn[] {
  return [
    people,
    settings(draw, around),
    userDefaults(draw, around),
    inviteLinks(draw, around),
    profileFields(draw),
    emoji(draw),
    playgrounds(draw),
  ];
}

/** Generated first: the same file cannot name people who leave. */
export function peopleOf(draw: Draw): Drawn & { readonly leaving: readonly string[] } {
  const items = draw.chance(2)
    ? draw.some(ACCOUNTS, 3).map((email) => [
        email,
        {
          ...draw.perhaps(2, () => ({ role: draw.one(ROLES) })),
          ...draw.perhaps(3, () => ({ deactivated: draw.one([true, true, false]) })),
        },
      ])
    : [];
  const bots = draw.chance(3)
    ? [
        ...draw.some(BOTS, 2).map((name) => [name, botOf(draw)]),
        ...draw.some(["new-bot", "relay-bot"], 1).map((name) => [name, { ...botOf(draw), deactivated: undefined }]),
      ]
    : [];
  const leaving = items.flatMap(([email, fields]) =>
    typeof email === "string" && typeof fields === "object" && "deactivated" in fields && fields.deactivated === true
      ? [email]
      : [],
  );
  const sleeping = bots.flatMap(([name, fields]) =>
    typeof fields === "object" && "deactivated" in fields && fields.deactivated === true
      ? [`${String(name)}@localhost`]
      : [],
  );
  return {
    leaving: [...leaving, ...sleeping],
    overlay: {
      users: Object.fromEntries(
        BOTS.filter(() => draw.chance(3)).map((name) => [
          `${name}@localhost`,
          { is_active: draw.chance(2), bot_owner_id: draw.one([...ACCOUNT_IDS, 15]) },
        ]),
      ),
      joined_days_ago: Object.fromEntries(draw.some(ACCOUNTS, 3).map((email) => [email, draw.one([1, 5, 20])])),
    },
    sections: {
      ...(items.length === 0 ? {} : { people: Object.fromEntries(items) }),
      ...(bots.length === 0 ? {} : { bots: Object.fromEntries(bots) }),
    },
  };
}

function botOf(draw: Draw): Fields {
  return {
    ...draw.perhaps(3, () => ({ owner: draw.one(["ada@acme.example", "elif@acme.example", "farah@acme.example"]) })),
    ...draw.perhaps(3, () => ({ role: draw.one(["member", "moderator", "guest"]) })),
    ...draw.perhaps(3, () => ({ deactivated: draw.one([true, false]) })),
  };
}

function settings(draw: Draw, { level, channels, kept, liveWho, who }: Around): Drawn {
  const places = channels.flatMap(({ is_archived }, index) => (is_archived === true ? [] : [101 + index]));
  const pointers = Object.values(POINTERS).map((api) => [api, draw.one([-1, ...places])]);
  const values = {
    ...Object.fromEntries(pointers),
    ...Object.fromEntries(draw.some(RIGHTS, 3).map((right) => [right, liveRight(draw, liveWho)])),
    waiting_period_threshold: draw.one([0, 0, 3, 10]),
    invite_required: draw.chance(2),
    emails_restricted_to_domains: draw.chance(5),
    message_retention_days: draw.one([-1, 90]),
    default_code_block_language: draw.one(["", "Rust"]),
  };
  const pictures = picturesOf(draw);
  const overlay: Partial<Overlay> = { settings: { ...values, ...pictures.live } };
  if (draw.chance(2)) return { overlay, sections: {} };
  const fields: readonly (readonly [field: string, value: () => unknown])[] = [
    ["description", () => draw.one(["We build things", null])],
    ["waiting_period_threshold", () => draw.one(["none", "3d", "10d", "30d"])],
    ["invite_required", () => draw.chance(2)],
    ["emails_restricted_to_domains", () => draw.chance(4)],
    ["disallow_disposable_email_addresses", () => draw.chance(2)],
    ["message_retention_days", () => draw.one(["unlimited", 30])],
    ["message_content_edit_limit", () => draw.one(["unlimited", "10m", "1h"])],
    ["default_code_block_language", () => draw.one(["Rust", "Go", null])],
    ["digest_weekday", () => draw.one(["monday", "friday"])],
    ["send_welcome_emails", () => draw.chance(2)],
    ...Object.keys(POINTERS).map((field) => [field, () => draw.one([null, ...kept])] as const),
    ...pictures.wishes,
    ["permissions", () => Object.fromEntries(draw.some(RIGHTS, 2).map((right) => [right, who()]))],
    ["permissions", () => Object.fromEntries(draw.some(RIGHTS, 3).map((right) => [right, who()]))],
    ...(level >= 416 ? [["welcome_message_custom_text", () => draw.one(["Welcome", null])] as const] : []),
  ];
  return {
    overlay,
    sections: { settings: Object.fromEntries(draw.some(fields, 5).map(([field, value]) => [field, value()])) },
  };
}

const PICTURES = ["icon", "logo", "night_logo"] as const;

/**
 * Uploaded pictures with a version, or none. The file names one of three, removes the existing one, or replaces exactly one version, which may not
 * exist.
 */
function picturesOf(draw: Draw) {
  const live: { [setting: string]: string } = {};
  const wishes: (readonly [field: string, value: () => unknown])[] = [];
  for (const field of PICTURES) {
    const version = draw.one([0, 0, 1, 4]);
    live[`${field}_source`] = version > 0 ? "U" : field === "icon" ? "G" : "D";
    if (version > 0) live[`${field}_url`] = `/user_avatars/2/realm/${field}.png?version=${version}`;
    const images = ["small.png", "party.gif", "other.png"];
    wishes.push([
      field,
      () => {
        if (draw.chance(4)) return null;
        const image = draw.one(images);
        // If there is no picture, the next upload gets version 2.
        return draw.chance(2) ? { image, replaces: version > 0 ? version : 2 } : image;
      },
    ]);
  }
  return { live, wishes };
}

/** Usually a right that Ada has, or most plans would be refused: owners are members, and are among the people named. */
function liveRight(draw: Draw, liveWho: () => Json): Json {
  if (draw.chance(6)) return liveWho();
  const value = liveWho();
  const named = isObject(value) && isList(value.direct_subgroups) ? value.direct_subgroups : [];
  return draw.one<Json>([14, 10, { direct_members: [6, 9], direct_subgroups: named }]);
}

function userDefaults(draw: Draw, { level }: Around): Drawn {
  const fields: readonly (readonly [field: string, live: readonly Plain[], file: readonly Plain[]])[] = [
    ["email_address_visibility", [1, 3, 4], ["everyone", "members", "nobody"]],
    ["color_scheme", [1, 2], ["automatic", "dark"]],
    ["enter_sends", [true, false], [true, false]],
    ["web_home_view", ["inbox", "all_messages"], ["inbox", "recent"]],
    ...(level >= 431 ? [["web_inbox_show_channel_folders", [true, false], [true, false]] as const] : []),
  ];
  const drawn = fields.map(([field, live, file]) => [field, draw.one(live), draw.one(file)] as const);
  return {
    overlay: { user_defaults: Object.fromEntries(drawn.map(([field, live]) => [field, live])) },
    sections: draw.chance(3)
      ? { user_defaults: Object.fromEntries(draw.some(drawn, 3).map(([field, , file]) => [field, file])) }
      : {},
  };
}

/** Ten and thirty days after they were created, which was one day before. */
const DAYS = ["2026-11-30", "2026-12-20", "never"] as const;

function inviteLinks(draw: Draw, { kept, usable, level }: Around): Drawn {
  const links = Array.from({ length: draw.upTo(2) }, () => ({
    invited_as: draw.one([400, 600]),
    expires_in_days: draw.one([10, 30, null]),
    invited_by: draw.one(["ada@acme.example", "ben@acme.example", "kofi@acme.example"]),
  }));
  const items = new Map<string, Fields>();
  for (let count = draw.chance(3) ? draw.upTo(3) : 0; count > 0; count -= 1) {
    const expires_on = draw.one(DAYS);
    const invite_as = draw.one(["member", "guest"]);
    const item = draw.chance(4)
      ? { absent: true }
      : {
          ...draw.perhaps(2, () => ({ channels: draw.some(kept, 2) })),
          ...(level >= 322 ? draw.perhaps(2, () => ({ groups: draw.some(usable, 1) })) : {}),
        };
    items.set(`${expires_on} ${invite_as}`, { expires_on, invite_as, ...item });
  }
  return { overlay: { links }, sections: items.size === 0 ? {} : { invite_links: [...items.values()] } };
}

const FIELD_NAMES = ["One", "Two", "Three", "Four"] as const;
const TYPES = ["short_text", "select", "date"] as const;
const OPTIONS = ["a", "b", "c", "d"] as const;

function profileFields(draw: Draw): Drawn {
  let shown = 0;
  const live = draw.some(FIELD_NAMES, 3).map((name) => {
    const type = draw.one(TYPES);
    // The summary has room for two.
    const display_in_profile_summary = draw.chance(3) && shown < 2;
    if (display_in_profile_summary) shown += 1;
    const texts = [draw.one(OPTIONS), ...draw.some(OPTIONS, 2)];
    const field_data = Object.fromEntries(
      [...new Set(texts)].map((text, n) => [String(n), { text, order: String(n + 1) }]),
    );
    return { name, type, display_in_profile_summary, ...(type === "select" ? { field_data } : {}) };
  });
  const overlay: Partial<Overlay> = { profile_fields: live };
  if (!draw.chance(3)) return { overlay, sections: {} };
  const names = draw.some(FIELD_NAMES, 4);
  const items = names.map((name) => {
    const there = live.find((field) => field.name === name);
    const free = live.map((field) => field.name).filter((each) => !names.includes(each));
    const was = there === undefined && draw.chance(2) ? free[0] : undefined;
    const from = there ?? live.find((field) => field.name === was);
    if (there !== undefined && draw.chance(5)) return { name, absent: true };
    const type = from?.type ?? draw.one(TYPES);
    return {
      name,
      type,
      ...(was === undefined ? {} : { was }),
      ...(type === "select" ? { options: [...new Set([draw.one(OPTIONS), ...draw.some(OPTIONS, 3)])] } : {}),
      ...draw.perhaps(4, () => ({ hint: draw.one(["x", "y"]) })),
      ...draw.perhaps(4, () => ({ required: draw.chance(2) })),
      ...draw.perhaps(4, () => ({ in_profile_summary: draw.chance(2) })),
    };
  });
  // Each name is given up once.
  const renamed = new Set<unknown>();
  const profile_fields = items.map((item) => {
    if (!("was" in item) || item.was === undefined || !renamed.has(item.was)) {
      if ("was" in item) renamed.add(item.was);
      return item;
    }
    const { was: _, ...rest } = item;
    return rest;
  });
  return { overlay, sections: { profile_fields } };
}

const EMOJI = ["forge", "sprocket", "acme-logo"] as const;

function emoji(draw: Draw): Drawn {
  const live = draw.some(EMOJI, 2);
  const overlay: Partial<Overlay> = {
    emoji: Object.fromEntries(live.map((name) => [name, draw.one(["ada@acme.example", "dmitri@acme.example"])])),
  };
  if (!draw.chance(3)) return { overlay, sections: {} };
  const items = draw.some(EMOJI, 2).map((name) => {
    const place = live.indexOf(name);
    if (place >= 0 && draw.chance(3)) return [name, { absent: true }];
    return [name, { image: `${name}.png`, ...(place >= 0 && draw.chance(2) ? { replaces: 601 + place } : {}) }];
  });
  return { overlay, sections: { emoji: Object.fromEntries(items) } };
}

const PLACES = ["https://a.example.org/{code}", "https://b.example.org/?c={code}"] as const;

function playgrounds(draw: Draw): Drawn {
  const all = [
    { language: "Rust", name: "x" },
    { language: "Rust", name: "y" },
    { language: "Go", name: "x" },
  ];
  const overlay: Partial<Overlay> = {
    playgrounds: draw.some(all, 2).map((place) => ({ ...place, url_template: draw.one(PLACES) })),
  };
  if (!draw.chance(3)) return { overlay, sections: {} };
  return {
    overlay,
    sections: {
      playgrounds: draw
        .some(all, 2)
        .map((place) => (draw.chance(4) ? { ...place, absent: true } : { ...place, url_template: draw.one(PLACES) })),
    },
  };
}
