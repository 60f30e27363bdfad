import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { type NameCause, type NameTaken, nameCause, nameTaken } from "./names.ts";
import type { Person, Quoted } from "./values.ts";
import { accountThatRuns, bare, q, say } from "./words.ts";

export const channelFolders = {
  "channel_folders/in-use": diagnostic<{
    name: Quoted;
    channels: readonly { readonly name: Quoted; readonly is_archived: boolean }[];
    /** The id of the folder, if another folder gets its name. */
    handed_on?: number;
  }>({
    says: ({ name, channels, handed_on }) => {
      const inside = channels.map((channel) => `#${bare(channel.name)}${channel.is_archived ? " (archived)" : ""}`);
      return say(
        `the folder ${q(name)} cannot be archived while it contains channels`,
        handed_on === undefined
          ? "give them another folder, or folder: null, under channels; archived channels count too"
          : `another folder gets its name: tell them apart with an item that has id: ${handed_on}, archived: true and another name`,
        `channels in it: ${listNames(inside, 12)}`,
      );
    },
    means: "The folder still has channels, and the server archives only empty folders.",
    out: "Move these channels to another folder, or write `folder: null`.",
  }),
  "channel_folders/name": diagnostic<NameCause>({
    says: (fact) => nameCause(fact, "folder"),
    means:
      "The name of a folder is empty, longer than 60 characters, or holds characters that the server does not allow.",
    out: "Choose another name.",
  }),
  "channel_folders/name-taken": diagnostic<NameTaken>({
    says: (fact) => nameTaken(fact, { noun: "folder", section: "channel_folders", inactive: "archived" }),
    means: "Another folder already has this name.",
    out: "Choose another name, or rename the other.",
  }),
  "channel_folders/not-allowed": diagnostic<{ account: Person }>({
    says: ({ account }) => `${accountThatRuns(account)} may not change channel folders`,
    help: "it must be an administrator of the organization",
    means: "Only administrators may change folders.",
    out: "Use the account of an administrator.",
  }),
  "channel_folders/order-too-old": diagnostic<{ needs: number; level: number }>({
    says: ({ needs, level }) =>
      `the order of folders needs feature level ${needs}, and this server has ${level}: they stay in the order in which they were created`,
    help: "you need to do nothing; the order takes effect when the server is newer",
    means: "This server cannot reorder folders.",
    out: "The order stays as it is until the server is upgraded.",
  }),
};
