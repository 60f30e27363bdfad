import type { GroupRefused, NameCause, NameTaken, Unseen } from "./names.ts";
import type { Person, Quoted, Word } from "./values.ts";

export interface ChannelFacts {
  readonly "channels/archived": { readonly name: Quoted; readonly needs_level?: number };
  readonly "channels/archived-folder": { readonly name: Quoted; readonly by_file: boolean };
  readonly "channels/default-private": Record<never, never>;
  readonly "channels/empty-topic-only": { readonly name: Quoted };
  readonly "channels/group-not-allowed": { readonly field: Word } & GroupRefused;
  readonly "channels/limited-plan": Record<never, never>;
  readonly "channels/moderation-channel": Record<never, never>;
  readonly "channels/name": NameCause;
  readonly "channels/name-taken": NameTaken;
  readonly "channels/nobody-left": { readonly name: Quoted; readonly cause: "reactivation" | "creation" | "update" };
  readonly "channels/not-allowed": { readonly account: Person; readonly right: ChannelRight };
  /** Private channels that the plan creates without a list: the account is their only subscriber. */
  readonly "channels/no-list": { readonly account: Person; readonly names: readonly Quoted[] };
  /** A list that `sync` keeps lets people into a private channel who put themselves into its groups, join by a link, or join the organization. */
  readonly "channels/open-list": {
    readonly name: Quoted;
    readonly groups: readonly Quoted[];
    readonly by: "entering" | "link" | "joining";
    readonly people: readonly number[];
    readonly first: readonly Person[];
  };
  readonly "channels/privacy-stuck": Record<never, never>;
  readonly "channels/protected-history": {
    /** A role or a group; absent for a list of groups and people. */
    readonly group?: Quoted;
    readonly is_changed: boolean;
  };
  readonly "channels/sign": { readonly name: Quoted; readonly bare: Quoted; readonly other?: Quoted };
  readonly "channels/subscribers-not-read": { readonly name: Quoted };
  readonly "channels/subscribers-unknown": { readonly names: readonly Quoted[] };
  /**
   * People who can come into a private channel by what the file leaves out, and whom its list does not name: settings of the channel, and fields of groups, of
   * bots and, without `of`, of the organization.
   */
  readonly "channels/unset-opening": Unlisted &
    (
      | ({
          readonly name: Quoted;
          readonly settings: readonly Word[];
          readonly others: readonly { readonly field: Word; readonly of?: Quoted }[];
        } & FirstOf)
      | Several
    );
  /** `is_archived`: the channel stays archived, so no plan changes its list. `is_additive`: an entry says `exact: false`. */
  readonly "channels/unlisted": Unlisted & { readonly is_additive?: true } & (
      | ({ readonly name: Quoted; readonly is_archived?: true } & FirstOf)
      | Several
    );
  readonly "channels/unseen-names": Unseen;
  readonly "channels/unknown-folder": {
    readonly name: Quoted;
    readonly meant?: Quoted;
    readonly known: readonly Quoted[];
  };
  readonly "channels/unset-privacy": { readonly names: readonly Quoted[] };
  readonly "channels/was": { readonly name: Quoted };
  readonly "channels/web-public-off": { readonly by: "server" | "organization" };
}

/** What may be meant by the name of a channel that does not exist. */
export interface UnknownChannel {
  readonly meant?: Quoted;
  /** Channels that the file does not declare: one of them may have had the name. The first, and the number of the others. */
  readonly known: readonly Quoted[];
  readonly more: number;
}

/** A right that the account does not have. */
export type ChannelRight =
  | { readonly to: "change-anything" }
  | { readonly to: "administer" | "subscribe-others" | "unsubscribe-others"; readonly channel: Quoted }
  | { readonly to: "create"; readonly privacy: Word; readonly setting: Word }
  /** @property is_known false: the snapshot does not say whether the account is in the channel */
  | { readonly to: "read"; readonly channel: Quoted; readonly field: Word; readonly is_known: boolean }
  | { readonly to: "set-as-owner" | "set-as-administrator"; readonly field: Word }
  | { readonly to: "set"; readonly field: Word; readonly setting: Word };

/** Several channels in one warning. */
interface Several {
  readonly names: readonly Quoted[];
}

interface FirstOf {
  readonly first: readonly Person[];
  readonly first_bots: readonly Person[];
}

/** The ids of all people and bots who read a private channel that does not list them, or can come to. */
interface Unlisted {
  readonly people: readonly number[];
  readonly bots: readonly number[];
}
