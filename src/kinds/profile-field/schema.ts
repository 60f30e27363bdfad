import * as z from "zod";

/** Type in the file → number of the server (zulip-api.md §12.3). */
export const FIELD_TYPES = {
  short_text: 1,
  long_text: 2,
  select: 3,
  date: 4,
  link: 5,
  users: 6,
  external_account: 7,
  pronouns: 8,
} as const;

const TypeName = z.enum(["short_text", "long_text", "select", "date", "link", "users", "external_account", "pronouns"]);

const Option = z.union([
  z.string(),
  z.strictObject({
    text: z.string().describe("What people see."),
    was: z.string().optional().describe("The text that it has until now: people who chose it keep it."),
  }),
]);

/** One custom profile field as the file writes it. */
export const ProfileField = z.strictObject({
  name: z.string().describe("What people see beside the value. At most 40 characters."),
  was: z.string().optional().describe("The name that it has until now: the field is renamed, and no new one is made."),
  id: z.int().positive().optional().describe("Pins the field by its id, whatever its name is."),
  absent: z
    .boolean()
    .optional()
    .describe("`true` removes the field under any policy, with the values that people gave."),
  type: TypeName.optional().describe("Has to be written for a new field, and never changes."),
  hint: z
    .string()
    .nullable()
    .optional()
    .describe("Shown where people fill it in. At most 80 characters. `null` removes it."),
  options: z
    .array(Option)
    .optional()
    .describe(
      "`select`: what people choose from, in this order. An option that is not here any more takes the values of those who chose it with it.",
    ),
  service: z
    .string()
    .optional()
    .describe("`external_account`: a service that the server knows: `github`, `twitter`. It sets name and hint."),
  url_pattern: z
    .string()
    .optional()
    .describe(
      "`external_account`: where the account is, with `%(username)s` once: `https://example.org/people/%(username)s`.",
    ),
  in_profile_summary: z.boolean().optional().describe("Shown on the card of a person; at most two fields are."),
  required: z.boolean().optional().describe("Whether people are asked to fill it in. Nothing is refused without it."),
  editable_by_user: z
    .boolean()
    .optional()
    .describe("Whether people change their own value; administrators always may."),
  use_for_user_matching: z
    .boolean()
    .optional()
    .describe("Whether the value finds the person when somebody is mentioned. Feature level 455."),
});
export type ProfileField = z.infer<typeof ProfileField>;
