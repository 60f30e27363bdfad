import * as z from "zod";

/** Roles by the words of the file (zulip-api.md §9.2). */
export const INVITE_ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type InviteRole = keyof typeof INVITE_ROLES;
const ROLE_WORDS = ["owner", "administrator", "moderator", "member", "guest"] as const satisfies readonly InviteRole[];

export const Invite = z.strictObject({
  emails: z.array(z.string()).min(1).describe("Addresses that are invited alike. Each one is an object of its own."),
  invite_as: z.enum(ROLE_WORDS).optional().describe("The role that they join with; left out, member."),
  channels: z.array(z.string()).optional().describe("Channels that they are subscribed to when they join."),
  groups: z.array(z.string()).optional().describe("Groups that they become members of. Feature level 322."),
  include_realm_default_subscriptions: z.boolean().optional().describe("Whether they get the default channels too."),
  expires_in: z
    .string()
    .optional()
    .describe("How long the invitation holds: `10d`, `36h`, `90m`, `2w` or `never`; left out, 10 days."),
  send_until: z
    .string()
    .optional()
    .describe(
      "Who has neither an account nor an open invitation is invited until the end of this day (UTC), `2026-11-28`; then the entry is a record, and nobody is mailed again. Left out: nobody is mailed.",
    ),
  notify_referrer_on_join: z.boolean().optional().describe("Whether the inviter is told when they join; default true."),
  welcome_message_custom_text: z
    .string()
    .max(8000)
    .nullable()
    .optional()
    .describe("What they are welcomed with. Empty is nothing, `null` the organization's own text. Feature level 416."),
  replace: z
    .boolean()
    .optional()
    .describe("`true`: an open invitation that differs is revoked and sent again, with another e-mail."),
  absent: z.boolean().optional().describe("`true` revokes the invitations of these addresses under any policy."),
});
export type Invite = z.infer<typeof Invite>;
