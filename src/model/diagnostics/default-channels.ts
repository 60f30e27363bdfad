import { diagnostic } from "./definition.ts";
import { type UnknownChannel, unknownChannel } from "./unknown-channel.ts";
import type { Person, Quoted } from "./values.ts";
import { accountThatRuns, bare, q, say } from "./words.ts";

export const defaultChannels = {
  "default_channels/archived": diagnostic<{ name: Quoted; by_file: boolean }>({
    says: ({ name, by_file }) =>
      by_file
        ? say("a default channel cannot be archived", "remove it from default_channels")
        : say(
            `the channel ${q(name)} is archived`,
            "unarchive it under channels (archived: false), or remove it from the default channels",
          ),
    means: "An archived channel cannot be a default channel.",
    out: "Remove it from `default_channels`, or unarchive the channel.",
  }),
  "default_channels/private": diagnostic<{ name: Quoted; by_file: boolean }>({
    says: ({ name, by_file }) =>
      by_file
        ? say("a default channel cannot be private", "remove it from default_channels, or make it public")
        : say(
            `#${bare(name)} is private, and a default channel cannot be private`,
            "make it public under channels, or remove it from the default channels",
          ),
    means: "New accounts cannot be subscribed to a private channel.",
    out: "Remove it from `default_channels`, or make the channel public.",
  }),
  "default_channels/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change default channels`,
    help: "it must be an administrator of the organization",
    means: "Only administrators may change the default channels.",
    out: "Use the account of an administrator.",
  }),
  "default_channels/unknown-channel": diagnostic<{ name: Quoted } & UnknownChannel>({
    says: unknownChannel,
    means: "There is no channel with this name that could be a default channel.",
    out: "Correct the name, or declare the channel under `channels`.",
  }),
};
