import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { ROLE_WORDS } from "../../model/roles.ts";

export const inviteForm = once(() =>
  z.strictObject({
    emails: z
      .array(z.string())
      .min(1)
      .describe("Addresses that get the same invitation. Each address is a separate object."),
    invite_as: z.enum(ROLE_WORDS).optional().describe("The role that they join with (default: member)."),
    channels: z.array(z.string()).optional().describe("Channels that they are subscribed to when they join."),
    groups: z.array(z.string()).optional().describe("Groups that they become members of. Feature level 322."),
    include_realm_default_subscriptions: z.boolean().optional().describe("Whether they get the default channels too."),
    expires_in: z
      .string()
      .optional()
      .describe("How long the invitation is valid: `10d`, `36h`, `90m`, `2w` or `never` (default: 10 days)."),
    send_until: z
      .string()
      .optional()
      .describe(
        "Until the end of this day (UTC), `2026-11-28`, everybody without an account and without an open invitation is invited. After that, nobody is mailed again. Left out: nobody is mailed.",
      ),
    notify_referrer_on_join: z
      .boolean()
      .optional()
      .describe("Whether the inviter is told when they join; default true."),
    welcome_message_custom_text: z
      .string()
      .max(8000)
      .nullable()
      .optional()
      .describe(
        "The text that welcomes them. An empty text means none, `null` the organization's own text. Feature level 416.",
      ),
    replace: z
      .boolean()
      .optional()
      .describe("`true` revokes an open invitation that differs, and sends it again with another e-mail."),
    absent: z.boolean().optional().describe("`true` revokes the invitations of these addresses under any policy."),
  }),
);
export type Invite = z.infer<ReturnType<typeof inviteForm>>;
