import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { wrongForm } from "../../model/value-form.ts";
import { isAtMost, MAX_DESCRIPTION_LENGTH } from "../names.ts";
import { optional, orNull } from "../optional.ts";
import { permissionsForm } from "../permissions.ts";
import { retentionDays } from "../property.ts";
import { GroupNames, listFields } from "../references.ts";

/** The four valid combinations of the server's three booleans (zulip-api.md §3.8). */
const PRIVACY = ["web_public", "public", "private_shared_history", "private_protected_history"] as const;
type Privacy = (typeof PRIVACY)[number];

export const TOPICS_POLICY = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

const subscribers = once(() =>
  z
    .strictObject({
      ...listFields(GroupNames.describe("Groups whose members are subscribed.")),
      exact: optional(
        z.boolean(),
        "`true` unsubscribes everybody else, `false` lets everybody who is subscribed stay. Left out: true for a private channel, false for others.",
      ),
    })
    .describe(
      "Who is subscribed. For a private channel this is the whole list: whoever is not in it is unsubscribed, and if it is left out, `plan` and `drift` name the subscribers. For groups, their members at the time of the plan are subscribed. Left out at creation: the account that creates it; empty lists: nobody.",
    ),
);

/** One channel as the file writes it, after its profile was merged in. */
export const channelForm = once(() =>
  z.strictObject({
    was: optional(z.string(), "The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the channel by its id instead of its name."),
    description: orNull(
      z
        .string()
        .refine(isAtMost(MAX_DESCRIPTION_LENGTH), wrongForm({ form: "text", most_characters: MAX_DESCRIPTION_LENGTH })),
      "Markdown on one line: the server turns line ends into spaces. `null` empties it.",
    ),
    privacy: optional(
      z.enum(PRIVACY),
      "Who can find and read the channel: everybody on the web, every member (and invited guests), or only subscribers. These see the whole history, or only what was sent after they subscribed.",
    ),
    folder: orNull(z.string().min(1), "Name of a channel folder. `null` removes it from its folder."),
    topics_policy: orNull(
      z.enum(TOPICS_POLICY),
      "Whether messages need a topic. `empty_topic_only` works at creation only. `null` is inherit.",
    ),
    default_push_notifications: orNull(
      z.boolean(),
      "Whether people who subscribe for the first time get notifications on their phones, whatever their own default is. Those who are subscribed already keep theirs. `null` is false.",
    ),
    message_retention_days: orNull(
      z.union([retentionDays(["realm_default", "unlimited"]), z.enum(["realm_default", "unlimited"])]),
      "Days after which messages are deleted, `realm_default` or `unlimited`. `null` is realm_default.",
    ),
    absent: optional(z.boolean(), "`true` archives the channel, if it exists, under any policy."),
    archived: optional(
      z.boolean(),
      "`true` archives the channel. An archived channel without this field is unarchived.",
    ),
    permissions: permissionsForm("stream").optional(),
    subscribers: subscribers().optional(),
  }),
);
export type Channel = z.infer<ReturnType<typeof channelForm>>;

/** The server's three booleans, by their names in a read. */
interface PrivacyFlags {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
}

const FLAGS = {
  web_public: { invite_only: false, is_web_public: true, history_public_to_subscribers: true },
  public: { invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  private_shared_history: { invite_only: true, is_web_public: false, history_public_to_subscribers: true },
  private_protected_history: { invite_only: true, is_web_public: false, history_public_to_subscribers: false },
} as const satisfies { readonly [privacy in Privacy]: PrivacyFlags };

export function isPrivacy(value: unknown): value is Privacy {
  return typeof value === "string" && Object.hasOwn(FLAGS, value);
}

export function privacyFlags(privacy: Privacy): PrivacyFlags {
  return FLAGS[privacy];
}

/**
 * The word for the flags. Two combinations have none, because PATCH refuses them, but creation accepts them (zulip-api.md §3.3 quirk 5, §3.8): they
 * get words that no file can write, so a declared privacy always differs from them.
 */
export function privacyWord(flags: PrivacyFlags): string {
  if (flags.is_web_public) return flags.invite_only ? "private_and_web_public" : "web_public";
  if (flags.invite_only) {
    return flags.history_public_to_subscribers ? "private_shared_history" : "private_protected_history";
  }
  return flags.history_public_to_subscribers ? "public" : "public_protected_history";
}

export const isPrivate = (privacy: string): boolean => privacy.startsWith("private");
