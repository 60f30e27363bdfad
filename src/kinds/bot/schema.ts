import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { ROLE_WORDS } from "../../model/roles.ts";
import { optional } from "../optional.ts";
import { PersonValue } from "../references.ts";

/** Types as the server numbers them (zulip-api.md §18.1). */
export const BOT_TYPES = { generic: 1, incoming_webhook: 2, outgoing_webhook: 3, embedded: 4 } as const;
type BotType = keyof typeof BOT_TYPES;
const TYPE_WORDS = [
  "generic",
  "incoming_webhook",
  "outgoing_webhook",
  "embedded",
] as const satisfies readonly BotType[];

/** The other types have a service and its token. */
export const MADE_TYPES: ReadonlySet<string> = new Set(["generic", "incoming_webhook"]);

export const botForm = once(() =>
  z.strictObject({
    was: optional(
      z.string(),
      "The name to rename from: the bot gets a new address. Delete it after the rename was applied. Below feature level 447 the bot is a new one.",
    ),
    id: optional(z.int().positive(), "Identifies the bot by the id of its account instead of its name."),
    full_name: optional(z.string(), "The name that people see. A new bot without it gets its name in the file."),
    owner: optional(
      PersonValue,
      "Who owns the bot, and sees its key. A new bot without it belongs to the account that runs realmctl.",
    ),
    role: optional(z.enum(ROLE_WORDS), "The role that the bot has; a new one without it is a member."),
    type: optional(
      z.enum(TYPE_WORDS),
      "What the bot can do; a new bot without it is generic. It never changes, and realmctl creates only bots of the first two types.",
    ),
    deactivated: optional(
      z.boolean(),
      "`true` deactivates the bot, `false` reactivates it with the key that it had. Without this field, a bot that somebody deactivated stays deactivated.",
    ),
    absent: optional(z.boolean(), "`true` deactivates the bot, if it exists, under any policy."),
  }),
);
export type Bot = z.infer<ReturnType<typeof botForm>>;

export function typeWord(type: number | null): BotType | undefined {
  return TYPE_WORDS.find((word) => BOT_TYPES[word] === type);
}
