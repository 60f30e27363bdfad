import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { ROLE_WORDS } from "../../model/roles.ts";

export const inviteLinkForm = once(() =>
  z.strictObject({
    expires_on: z
      .string()
      .describe(
        "The day on which the link ends, at noon (UTC): `2026-12-31`; or `never`. After that day, realmctl does nothing for the entry.",
      ),
    invite_as: z.enum(ROLE_WORDS).optional().describe("The role that people join with (default: member)."),
    channels: z.array(z.string()).optional().describe("Channels that they are subscribed to when they join."),
    groups: z.array(z.string()).optional().describe("Groups that they become members of. Feature level 322."),
    include_realm_default_subscriptions: z.boolean().optional().describe("Whether they get the default channels too."),
    welcome_message_custom_text: z
      .string()
      .max(8000)
      .optional()
      .describe("The text that welcomes them. An empty text means none. Feature level 416."),
    absent: z.boolean().optional().describe("`true` revokes the link under any policy."),
  }),
);
export type InviteLink = z.infer<ReturnType<typeof inviteLinkForm>>;
