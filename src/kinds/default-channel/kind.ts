import type { DocsFacet } from "../../model/facets.ts";
import type { ListKind } from "../../model/kind.ts";
import { foldCase, strip } from "../names.ts";
import { defaultCalls, leastDefaultCalls } from "./calls.ts";
import { checkDefaults, checkDefaultsInFile } from "./check.ts";
import { channelOf, type DefaultChannel, decodeDefault, defaultChannelForm, liveDefaults } from "./schema.ts";

const docs: DocsFacet = {
  who: "Administrators.",
  defaults: {},
  example: `default_channels: [announce, general]
channels: {announce: {}, general: {}}`,
};

/**
 * A channel to which new accounts are subscribed, but not existing ones (zulip-api.md §4). A set: the server keeps no order.
 * @see zulip-api.md §4 https://zulip.com/help/set-default-channels-for-new-users
 */
export const defaultChannel: ListKind<DefaultChannel> = {
  name: "default_channel",
  section: "default_channels",
  shape: "list",
  noun: ["default channel", "default channels"],
  identity: { keyOf: (name) => foldCase(strip(name)), canonicalName: strip, nameOf: channelOf },
  file: {
    schema: defaultChannelForm,
    synonyms: () => ({ section: ["default_streams", "realm_default_streams"], entry: [] }),
    fields: {},
    decode: decodeDefault,
    names: ({ absent, name }) => (absent ? [] : [{ kind: "channel", name: strip(name), field: "" }]),
    withNames: (object, nameOf) => {
      const name = nameOf("channel", object.name);
      return { ...object, name, key: foldCase(strip(name)) };
    },
    check: checkDefaultsInFile,
  },
  live: { read: liveDefaults },
  review: { check: checkDefaults },
  calls: { draft: defaultCalls, least: leastDefaultCalls },
  yaml: { item: ({ name }) => name },
  secrecy: { name: { of: "channel" }, snapshot: ({ default_channels }) => ({ default_channels }) },
  reach: { role: "administrator" },
  docs,
};
