import type { NameCause, NameTaken } from "./names.ts";
import type { Person, Quoted } from "./values.ts";

export interface ChannelFolderFacts {
  readonly "channel_folders/in-use": {
    readonly name: Quoted;
    readonly channels: readonly { readonly name: Quoted; readonly is_archived: boolean }[];
    /** The id of the folder, if another folder gets its name. */
    readonly handed_on?: number;
  };
  readonly "channel_folders/name": NameCause;
  readonly "channel_folders/name-taken": NameTaken;
  readonly "channel_folders/not-allowed": { readonly account: Person };
  readonly "channel_folders/order-too-old": { readonly needs: number; readonly level: number };
}
