import type { ResourceKind } from "../../model/kind.ts";
import { foldCase, strip } from "../names.ts";
import { defaultCalls, leastDefaultCalls } from "./calls.ts";
import { checkDefaults, checkDefaultsInFile } from "./check.ts";
import { decodeDefault, liveDefaults } from "./decode.ts";
import { channelOf, DefaultChannel } from "./schema.ts";

/**
 * A channel to which new accounts are subscribed; those that exist are not (zulip-api.md §4). A set: the server keeps no order.
 * @see zulip-api.md §4 https://zulip.com/help/set-default-channels-for-new-users
 */
export const defaultChannel: ResourceKind<DefaultChannel> = {
  name: "default_channel",
  section: "default_channels",
  shape: "list",
  noun: ["default channel", "default channels"],
  schema: DefaultChannel,
  fields: {},
  keyOf: (name) => foldCase(strip(name)),
  canonicalName: strip,
  nameOf: channelOf,
  live: liveDefaults,
  decode: decodeDefault,
  names: ({ absent, name }) => (absent ? [] : [{ kind: "channel", name: strip(name), field: "" }]),
  checkFile: checkDefaultsInFile,
  check: checkDefaults,
  calls: defaultCalls,
  leastCalls: leastDefaultCalls,
  withNames: (object, nameOf) => {
    const name = nameOf("channel", object.name);
    return { ...object, name, key: foldCase(strip(name)) };
  },
  toYaml: ({ name }) => name,
};
