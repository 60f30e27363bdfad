import type { Quoted, Word } from "./diagnostics/values.ts";

/** What an undo does not restore for an object or a value that it creates again; `src/report/words/undo.ts` has the sentences. */
export type LossFact =
  /** The values of an invitation link, which no reading shows, and the link itself. */
  | "link"
  /** The values of an invitation, which no reading shows; it is sent again. */
  | "invitation"
  /** The id of a profile field, and what people filled in. */
  | "profile-values"
  /** What people chose from options that were removed. */
  | "chosen-options";

/** Effects of a change besides its fields, which an undo leaves. */
export type SideEffectFact =
  | { readonly effect: "restriction-lifted" | "code-language-reset" | "bot-owner-replaced" }
  /** What a channel lost when it was archived. */
  | { readonly effect: "lost-when-archived"; readonly settings: boolean; readonly is_default: boolean }
  /** Because of a shorter retention, which the server may have carried out in the meantime. */
  | { readonly effect: "messages-deleted" }
  /** With an account. If it is not known whether there were any, there may have been some. */
  | { readonly effect: "ended-with-account"; readonly bots: boolean; readonly invitations: boolean };

/** Why a change cannot be undone at all. */
export type FinalFact = "picture-of-removed" | "picture-replaced" | "service-fixed";

/** Why a file cannot name the server's value of a field; `src/report/words/files.ts` has the sentences. */
export type InexpressibleFact =
  | { readonly why: "groups-not-in-use"; readonly groups: readonly Quoted[] }
  | { readonly why: "folder-not-in-use"; readonly folder: Quoted }
  | { readonly why: "channel-not-in-use"; readonly channel: Quoted }
  | { readonly why: "account-deactivated"; readonly email: Quoted };

/** What no file can express of a section's state on the server. */
export type ExportCaveat =
  | { readonly caveat: "terms-of-links" | "terms-of-invitations" }
  /** They have a section of their own. */
  | { readonly caveat: "links-elsewhere"; readonly section: Word; readonly number: number }
  | { readonly caveat: "invitations-without-address"; readonly number: number };

/** What an account cannot do of a section that it may change. */
export type ReachCaveat =
  | "owners-change-owners"
  | "owners-change-some-settings"
  | "owners-change-retention"
  | "privacy-from-inside"
  | "channels-that-name-it";
