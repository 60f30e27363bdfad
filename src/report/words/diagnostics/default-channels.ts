import type { DefaultChannelFacts } from "../../../model/diagnostics/default-channels.ts";
import { unknownChannel } from "./unknown-channel.ts";
import { accountThatRuns, bare, q, say, type WordsOf } from "./words.ts";

export const defaultChannelWords: WordsOf<DefaultChannelFacts> = {
  "default_channels/archived": ({ name, by_file }) =>
    by_file
      ? say("a default channel cannot be archived", "remove it from default_channels")
      : say(
          `the channel ${q(name)} is archived`,
          "unarchive it under channels (archived: false), or remove it from the default channels",
        ),
  "default_channels/private": ({ name, by_file }) =>
    by_file
      ? say("a default channel cannot be private", "remove it from default_channels, or make it public")
      : say(
          `#${bare(name)} is private, and a default channel cannot be private`,
          "make it public under channels, or remove it from the default channels",
        ),
  "default_channels/not-allowed": ({ account }) =>
    say(
      `${accountThatRuns(account)} may not change default channels`,
      "it must be an administrator of the organization",
    ),
  "default_channels/unknown-channel": unknownChannel,
};
