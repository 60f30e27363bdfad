import type { Quoted } from "./diagnostics/values.ts";

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

/** Side effects of a change, which an undo does not take back. */
export type SideEffectFact =
  | { readonly effect: "restriction-lifted" | "code-language-reset" | "bot-owner-replaced" }
  /** The address before is on a domain on which the server makes no bots any more. */
  | { readonly effect: "bot-domain-gone"; readonly address: Quoted }
  /** What a channel lost when it was archived. */
  | { readonly effect: "lost-when-archived"; readonly settings: boolean; readonly is_default: boolean }
  /** A shorter retention deleted messages, if the server has applied it in the meantime. */
  | { readonly effect: "messages-deleted" }
  /** Bots or invitations ended with an account. If it is unknown whether there were any, the value is true. */
  | { readonly effect: "ended-with-account"; readonly bots: boolean; readonly invitations: boolean };

/** Why a change cannot be undone at all. */
export type FinalFact = "picture-of-removed" | "picture-replaced" | "service-fixed";

export type { ExportCaveat, InexpressibleFact } from "./diagnostics/inexpressible.ts";

/** Something that an account cannot change in a section that it can otherwise change. */
export type ReachCaveat =
  | "owners-change-owners"
  | "owners-change-some-settings"
  | "owners-change-retention"
  | "privacy-from-inside"
  | "channels-that-name-it";
