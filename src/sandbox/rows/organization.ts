import * as z from "zod";

/** Lists of the organization. Their forms read answers of servers and snapshots, where older versions lack some fields. */

export const SentLinkifier = z.object({
  id: z.int(),
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.string().nullable().default(null),
  reverse_template: z.string().nullable().default(null),
  alternative_url_templates: z.array(z.string()).readonly().default([]),
});
export interface Linkifier extends Readonly<z.infer<typeof SentLinkifier>> {
  readonly order: number;
}

export const Domain = z.object({ domain: z.string(), allow_subdomains: z.boolean() });
export type Domain = Readonly<z.infer<typeof Domain>>;

export const NavigationView = z.object({ fragment: z.string(), is_pinned: z.boolean(), name: z.string().nullable() });
export type NavigationView = Readonly<z.infer<typeof NavigationView>>;

/** An invitation by e-mail (`is_multiuse` false) or a link; each has its own id space. */
export interface Invite {
  readonly id: number;
  readonly is_multiuse: boolean;
  readonly email: string | null;
  readonly invited_by_user_id: number;
  readonly invited: number;
  readonly expiry_date: number | null;
  readonly invited_as: number;
  readonly notify_referrer_on_join: boolean;
  readonly link_url: string | null;
  readonly stream_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
  readonly welcome_message_custom_text: string | null;
  /** The state keeps a revoked link; a revoked e-mail invitation is deleted. */
  readonly revoked?: true;
}

export const Playground = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
});
export type Playground = Readonly<z.infer<typeof Playground>>;

export const Emoji = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
});
export type Emoji = Readonly<z.infer<typeof Emoji>>;

/** Pictures of the whole organization. */
export type RealmImage = "icon" | "logo" | "night_logo";
