import type { UnknownChannel } from "./channels.ts";
import type { Person, Quoted } from "./values.ts";

export interface DefaultChannelFacts {
  readonly "default_channels/archived": { readonly name: Quoted; readonly by_file: boolean };
  readonly "default_channels/private": { readonly name: Quoted; readonly by_file: boolean };
  readonly "default_channels/not-allowed": { readonly account: Person };
  readonly "default_channels/unknown-channel": { readonly name: Quoted } & UnknownChannel;
}
