import { CHANNEL_SETTINGS } from "../../src/sandbox/rows/channels.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { asFields, type File, type Item, isFields } from "./file.ts";
import { listed } from "./lists.ts";
import { stripped, withoutCase } from "./names.ts";
import { type After, objectsAfter } from "./objects.ts";
import { whoIs } from "./people.ts";
import { ascending, type Ref, type Row, type Seen } from "./seen.ts";

interface Given {
  readonly file: File;
  readonly state: RealmState;
  readonly now: Seen;
  readonly groups: After;
  readonly folders: After;
  readonly account: number;
}

/** Channels (docs/reference/channels.md). */
export function channelsAfter({ file, state, now, groups, folders, account }: Given): After {
  return objectsAfter(
    {
      section: "channels",
      key: withoutCase,
      spelled: stripped,
      fresh: {
        description: "",
        privacy: "public",
        folder: null,
        topics_policy: "inherit",
        message_retention_days: null,
        subscribers: [account],
        can_add_subscribers_group: groups.called("role:nobody"),
        can_administer_channel_group: { people: [account], groups: [] },
        can_create_topic_group: groups.called("role:everyone"),
        can_delete_any_message_group: groups.called("role:nobody"),
        can_delete_own_message_group: groups.called("role:nobody"),
        can_move_messages_out_of_channel_group: groups.called("role:nobody"),
        can_move_messages_within_channel_group: groups.called("role:nobody"),
        can_remove_subscribers_group: groups.called("role:administrators"),
        can_send_message_group: groups.called("role:everyone"),
        can_subscribe_group: groups.called("role:nobody"),
        can_resolve_topics_group: groups.called("role:nobody"),
      },
      says: (item, _, row) => {
        const { description, privacy, folder, topics_policy, message_retention_days, permissions } = item.fields;
        const settings = asFields(permissions);
        return {
          ...(description === undefined ? {} : { description: String(description ?? "").replaceAll("\n", " ") }),
          ...(privacy === undefined ? {} : { privacy }),
          ...(folder === undefined ? {} : { folder: folder === null ? null : folders.called(String(folder)) }),
          ...(topics_policy === undefined ? {} : { topics_policy: topics_policy ?? "inherit" }),
          ...(message_retention_days === undefined
            ? {}
            : { message_retention_days: retentionOf(message_retention_days) }),
          ...subscribersOf(item, row, state, groups),
          ...Object.fromEntries(
            CHANNEL_SETTINGS.filter((setting) => settings[setting] !== undefined).map((setting) => [
              setting,
              whoIs(state, settings[setting], groups.called),
            ]),
          ),
        };
      },
    },
    file,
    now.channels,
  );
}

function retentionOf(value: unknown): unknown {
  if (value === null || value === "realm_default") return null;
  return value === "unlimited" ? -1 : value;
}

/**
 * Decision 3: everybody whom the file names is subscribed, including the later members of named groups. The others stay, unless the file says
 * `exact`, or the channel is private and the file does not say `exact: false` (decision 4). A new channel has no others. Subscribers of an archived
 * channel do not matter.
 */
function subscribersOf({ fields, goes }: Item, row: Row | undefined, state: RealmState, groups: After): Row {
  if (!isFields(fields.subscribers) || goes) return {};
  const { exact } = fields.subscribers;
  const wanted = listed(fields.subscribers, state, groups);
  const isPrivate = String(fields.privacy ?? row?.privacy).startsWith("private");
  const stay = (exact ?? isPrivate) === true || !Array.isArray(row?.subscribers) ? [] : row.subscribers.map(Number);
  return { subscribers: ascending([...stay, ...wanted]) };
}

/** A set (docs/reference/default_channels.md); an archived channel leaves it by itself. */
export function defaultChannelsAfter(file: File, now: Seen, channels: After): readonly Ref[] {
  const items = file.items("default_channels");
  const refs = new Set<Ref>(file.isExact("default_channels") ? [] : now.defaultChannels);
  for (const { name, fields, goes } of items ?? []) {
    const ref = channels.called(String(fields.channel ?? name));
    if (goes) refs.delete(ref);
    else refs.add(ref);
  }
  return ascending(
    [...refs].filter((ref) => channels.rows[ref]?.inactive !== true || now.channels[ref]?.inactive === true),
  );
}
