import type { UnknownChannel } from "./channels.ts";
import type { GroupRefused } from "./names.ts";
import type { Person, Quoted, Word } from "./values.ts";

/** Errors in the settings of the organization and the defaults of new accounts. */
export interface SettingsFacts {
  /** @property owner_only those of the changed fields that only owners may change */
  readonly "settings/not-allowed": {
    readonly account: Person;
    readonly section: Word;
    readonly owner_only?: readonly Word[];
  };
  readonly "settings/owner-only": { readonly account: Person; readonly field: Word };
  readonly "settings/limited-plan": { readonly field: Word; readonly method?: Quoted; readonly needs?: Word };
  readonly "settings/group-not-allowed": { readonly field: Word } & GroupRefused;
  readonly "settings/not-offered": {
    readonly field: Word;
    readonly value: Word;
    readonly offered: readonly Word[];
    readonly is_certain: boolean;
  };
  /** A group that others than administrators can change may be refused as the group of workplace users. */
  readonly "settings/workplace-group": {
    readonly group: Quoted;
    readonly right: Word;
    readonly allowed: readonly Word[];
  };
  readonly "settings/language": {
    readonly language: Quoted;
    readonly level: number;
    readonly known: readonly Word[];
    readonly is_certain: boolean;
  };
  readonly "settings/unknown-method": {
    readonly method: Quoted;
    readonly meant?: Quoted;
    readonly known: readonly Word[];
  };
  readonly "settings/last-sign-in": { readonly enabled: readonly Word[] };
  readonly "settings/unknown-channel": { readonly name: Quoted } & UnknownChannel;
  readonly "settings/archived-channel": { readonly channel: Quoted };
  readonly "settings/moderation-channel": { readonly channel: Quoted };
  /**
   * The current picture is not the one that the file replaces: somebody else uploaded one since, or that version never existed. @property is null if
   * the organization has no picture
   */
  readonly "settings/picture-version":
    | { readonly picture: Word; readonly replaces: number; readonly is: number | null }
    /** The version that the file says the picture has. */
    | { readonly picture: Word; readonly version: number; readonly is: number };
  readonly "settings/no-domain": { readonly none: true };
  readonly "user_defaults/sound": { readonly sound: Quoted; readonly meant?: Word; readonly known: readonly Word[] };
}
