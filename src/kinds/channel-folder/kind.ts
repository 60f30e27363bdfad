import type { ResourceKind } from "../../model/kind.ts";
import { foldCase, strip } from "../names.ts";
import { folderCalls } from "./calls.ts";
import { checkFolders, folderRisks, ORDER_LEVEL } from "./check.ts";
import { decodeFolder, folderToYaml, liveFolders } from "./decode.ts";
import { leastFolderCalls } from "./least.ts";
import { ChannelFolder } from "./schema.ts";

/**
 * A folder of channels. Its name is its identity among the folders in use, compared without regard to case; archived folders
 * give theirs free. Which folder a channel is in, the channel says.
 * @see zulip-api.md §11 https://zulip.com/api/update-channel-folder
 */
export const channelFolder: ResourceKind<ChannelFolder> = {
  name: "channel_folder",
  section: "channel_folders",
  shape: "map",
  noun: ["folder", "folders"],
  schema: ChannelFolder,
  level: 389,
  fields: {
    description: { about: "What is in the folder." },
    archived: { about: "Whether the folder is archived." },
  },
  dormancy: "archived",
  dormantNamesAreFree: true,
  // Only a file that has every folder can say in which order they are.
  ordered: (policy, level) => policy === "exact" && level >= ORDER_LEVEL,
  keyOf: (name) => foldCase(strip(name)),
  canonicalName: strip,
  live: liveFolders,
  decode: decodeFolder,
  check: checkFolders,
  risks: folderRisks,
  calls: folderCalls,
  leastCalls: leastFolderCalls,
  toYaml: folderToYaml,
};
