import type { Privacy } from "./schema.ts";

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
