export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
  readonly order: number;
}

export interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

export interface NavigationView {
  readonly fragment: string;
  readonly is_pinned: boolean;
  readonly name: string | null;
}

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

export interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

export interface Emoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** Pictures of the whole organization. */
export type RealmImage = "icon" | "logo" | "night_logo";
