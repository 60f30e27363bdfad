import type { ChannelFolderFacts } from "../../../model/diagnostics/channel-folders.ts";
import { listNames } from "../list-names.ts";
import { nameCause, nameTaken } from "./names.ts";
import { accountThatRuns, bare, q, say, type WordsOf } from "./words.ts";

export const channelFolderWords: WordsOf<ChannelFolderFacts> = {
  "channel_folders/in-use": ({ name, channels, handed_on }) => {
    const inside = channels.map((channel) => `#${bare(channel.name)}${channel.is_archived ? " (archived)" : ""}`);
    return say(
      `the folder ${q(name)} cannot be archived while it contains channels`,
      handed_on === undefined
        ? "give them another folder, or folder: null, under channels; archived channels count too"
        : `another folder gets its name: tell them apart with an item that has id: ${handed_on}, archived: true and another name`,
      `channels in it: ${listNames(inside, 12)}`,
    );
  },
  "channel_folders/name": (fact) => nameCause("folder", fact),
  "channel_folders/name-taken": (fact) =>
    nameTaken(fact, { noun: "folder", section: "channel_folders", inactive: "archived" }),
  "channel_folders/not-allowed": ({ account }) =>
    say(
      `${accountThatRuns(account)} may not change channel folders`,
      "it must be an administrator of the organization",
    ),
  "channel_folders/order-too-old": ({ needs, level }) =>
    say(
      `the order of folders needs feature level ${needs}, and this server has ${level}: they stay in the order in which they were created`,
      "you need to do nothing; the order takes effect when the server is newer",
    ),
};
