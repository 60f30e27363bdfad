import type { Named, Quoted, Word } from "./diagnostics/values.ts";

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

/** Why a file cannot name the server's value of a field; `src/report/words/files.ts` has the sentences. */
export type InexpressibleFact =
  | { readonly why: "groups-not-in-use"; readonly groups: readonly Quoted[] }
  /** Somebody who is there is in a group that `except` of the list leaves out. */
  | { readonly why: "excepted-group"; readonly groups: readonly Quoted[] }
  | { readonly why: "folder-not-in-use"; readonly folder: Quoted }
  | { readonly why: "channel-not-in-use"; readonly channel: Quoted }
  | { readonly why: "account-deactivated"; readonly email: Quoted }
  | { readonly why: "role-unknown"; readonly role: number }
  /** A newer server has values that this version does not know. */
  | { readonly why: "value-unknown"; readonly field: Word; readonly is: Quoted }
  /** Names were exchanged, and only some of the objects are taken: another entry of the file still has the name. */
  /** @property together all entries whose names were exchanged */
  | { readonly why: "name-in-file"; readonly name: Quoted; readonly together: readonly Named[] }
  /** The server does not give back an uploaded file. */
  | { readonly why: "picture"; readonly field: Word; readonly is: Word }
  /** An entry of the file is also about other objects. */
  | { readonly why: "part-of-entry" }
  /** The file has addresses that this account may just not see. */
  | { readonly why: "addresses-unseen"; readonly field: Word }
  /** The account does not see every object of the kind. */
  | { readonly why: "unseen"; readonly noun: Word };

/** A part of a section's state on the server that no file can express. */
export type ExportCaveat =
  | { readonly caveat: "terms-of-links" | "terms-of-invitations" }
  /** Links belong into another section. */
  | { readonly caveat: "links-elsewhere"; readonly section: Word; readonly number: number }
  | { readonly caveat: "invitations-without-address" | "subscribers-unknown"; readonly number: number };

/** Something that an account cannot change in a section that it can otherwise change. */
export type ReachCaveat =
  | "owners-change-owners"
  | "owners-change-some-settings"
  | "owners-change-retention"
  | "privacy-from-inside"
  | "channels-that-name-it";
