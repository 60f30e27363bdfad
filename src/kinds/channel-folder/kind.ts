import type { DocsFacet } from "../../model/facets.ts";
import type { MapKind } from "../../model/kind.ts";
import { withName } from "../../model/renames.ts";
import { foldCase, strip } from "../names.ts";
import { withShownTexts } from "../shown-texts.ts";
import { folderCalls, folderMoves } from "./calls.ts";
import { checkFolders, folderRisks, ORDER_LEVEL } from "./check.ts";
import {
  type ChannelFolder,
  channelFolderForm,
  decodeFolder,
  folderToYaml,
  liveFolders,
  newerOfFolders,
} from "./schema.ts";

const docs: DocsFacet = {
  who: "Administrators.",
  defaults: { name: "–", description: "empty", archived: "`false`" },
  example: `channel_folders:
  Company: {description: What concerns everybody}`,
};

/** The channel says which folder it is in. */
const IN_FOLDER = "channels: {general: {folder: Projects}}";

/**
 * A folder of channels. Its name is its identity among the active folders, compared without regard to case; archived folders do not occupy their
 * names. The channel says which folder it is in.
 * @see zulip-api.md §11 https://zulip.com/api/update-channel-folder
 */
export const channelFolder: MapKind<ChannelFolder> = {
  name: "channel_folder",
  section: "channel_folders",
  shape: "map",
  noun: ["folder", "folders"],
  identity: { keyOf: (name) => foldCase(strip(name)), canonicalName: strip },
  inactivity: { field: "archived", freesName: true },
  file: {
    schema: channelFolderForm,
    synonyms: () => ({
      section: ["folders", "folder", "categories", "stream_folders"],
      elsewhere: { channels: IN_FOLDER, streams: IN_FOLDER },
      inside: IN_FOLDER,
    }),
    fields: {
      description: { about: "What is in the folder." },
      archived: { about: "Whether the folder is archived." },
    },
    decode: decodeFolder,
  },
  live: {
    level: 389,
    read: liveFolders,
    newer: newerOfFolders,
    renamed: ({ channel_folders: folders }, names) => ({
      channel_folders: folders?.map((folder) => withName(folder, names.get(folder.id))) ?? null,
    }),
  },
  // Only a file that has every folder can define their order.
  diff: {
    ordered: (policy, level) => policy === "exact" && level >= ORDER_LEVEL,
    defaults: () => ({ description: "" }),
    traits: { description: "words" },
  },
  review: { check: checkFolders, risks: folderRisks },
  calls: { draft: folderCalls, moves: folderMoves },
  yaml: { item: folderToYaml },
  secrecy: {
    name: "public",
    fields: { description: "about" },
    snapshot: ({ channel_folders }, { text }) => ({
      channel_folders: channel_folders?.map((folder) => withShownTexts(folder, text, ["name"])) ?? null,
    }),
  },
  reach: { role: "administrator" },
  docs,
};
