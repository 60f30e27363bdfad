import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { optional, orNull } from "../optional.ts";

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

const typeName = once(() =>
  z.enum(["short_text", "long_text", "select", "date", "link", "users", "external_account", "pronouns"]),
);

const option = once(() =>
  z.union([
    z.string(),
    z.strictObject({
      text: z.string().describe("What people see."),
      was: optional(z.string(), "The text that the option has now. People who chose it keep it."),
    }),
  ]),
);

/** One custom profile field as the file writes it. */
export const profileFieldForm = once(() =>
  z.strictObject({
    name: z.string().describe("What people see beside the value. At most 40 characters."),
    was: optional(z.string(), "The name that the field has now. The field is renamed; no new one is created."),
    id: optional(z.int().positive(), "Identifies the field by its id instead of its name."),
    absent: optional(z.boolean(), "`true` removes the field, with the values that people entered, under any policy."),
    type: optional(typeName(), "Required for a new field; never changes."),
    hint: orNull(z.string(), "Shown where people fill it in. At most 80 characters. `null` removes it."),
    options: optional(
      z.array(option()),
      "`select`: what people choose from, in this order. If you remove an option, people who chose it lose that value.",
    ),
    service: optional(
      z.string(),
      "`external_account`: a service that the server knows, as `github`, `gitlab` or `linkedin`. It sets name and hint. Zulip 12 calls `twitter` `x`.",
    ),
    url_pattern: optional(
      z.string(),
      "`external_account`: the address of the account, with `%(username)s` once: `https://example.org/people/%(username)s`.",
    ),
    in_profile_summary: optional(z.boolean(), "Shown on the card of a person; at most two fields can be."),
    required: optional(z.boolean(), "Whether people are asked to fill it in. The server refuses nothing without it."),
    editable_by_user: optional(z.boolean(), "Whether people change their own value; administrators always may."),
    use_for_user_matching: optional(
      z.boolean(),
      "`short_text` and `external_account`: whether the value finds the person when somebody is mentioned. Feature level 455.",
    ),
  }),
);
export type ProfileField = z.infer<ReturnType<typeof profileFieldForm>>;
