import type { Json, JsonObject } from "../../model/json.ts";
import { isGuest } from "../access.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, internalError } from "../errors.ts";
import { codePoints, json, list, optional, required, string, text } from "../params.ts";
import { stripped } from "../python.ts";
import type { Channel, DefaultChannelGroup } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { emitDefaultChannels } from "./events.ts";
import { readableChannelNamed } from "./names.ts";
import { byName, type Showing, shownChannel } from "./shown.ts";

const MAX_NAME_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 1024;
const channelNames = json(list(string()));

/** Groups of default channels (zulip-api.md §4). They are not documented for API users, but archiving removes channels from them (§3.12). */
export const defaultGroupEndpoints = [
  defineEndpoint("POST /default_stream_groups/create", {
    who: ["administrator"],
    params: { description: required(text()), group_name: required(text()), stream_names: required(channelNames) },
    handler(call, { group_name: name, description, stream_names }) {
      const { state, ledger } = call;
      const channels = stream_names.map((name) => readableChannelNamed(call, name));
      for (const channel of channels) checkNoDefault(state, channel, name);
      checkName(name);
      const sameName = rows(state.default_channel_groups).filter((group) => group.name === name);
      if (sameName.some((group) => group.description === description)) throw exists(name);
      checkStorable(name, description);
      const id = ledger.nextId("default_channel_group");
      if (sameName.length > 0) throw internalError();
      ledger.put(state.default_channel_groups, id, { id, name, description, channels: idsOf(channels) });
      emitGroups(call);
    },
  }),
  defineEndpoint("PATCH /default_stream_groups/{group_id}", {
    who: ["administrator"],
    params: { new_description: optional(text()), new_group_name: optional(text()) },
    handler(call, { group_id, new_group_name: name, new_description: description }) {
      if (!name && !description) throw new ApiError('You must pass "new_description" or "new_group_name".');
      const group = groupById(call.state, group_id);
      if (name !== undefined) {
        if (name === group.name) throw new ApiError(`This default channel group is already named '${name}'`);
        checkFree(call.state, name);
        checkStorable(name, group.description);
        call.ledger.set(group, "name", name);
        emitGroups(call);
        call.commit();
      }
      if (description !== undefined) {
        checkStorable(group.name, description);
        call.ledger.set(group, "description", description);
        emitGroups(call);
      }
    },
  }),
  defineEndpoint("PATCH /default_stream_groups/{group_id}/streams", {
    who: ["administrator"],
    params: { op: required(text()), stream_names: required(channelNames) },
    handler(call, { group_id, op, stream_names }) {
      const group = groupById(call.state, group_id);
      const channels = stream_names.map((name) => readableChannelNamed(call, name));
      if (op === "add") addTo(call, group, channels);
      else if (op === "remove") removeFrom(call, group, channels);
      else throw new ApiError('Invalid value for "op". Specify one of "add" or "remove".');
    },
  }),
  defineEndpoint("DELETE /default_stream_groups/{group_id}", {
    who: ["administrator"],
    params: {},
    handler(call, { group_id }) {
      groupById(call.state, group_id);
      call.ledger.remove(call.state.default_channel_groups, group_id);
      emitGroups(call);
    },
  }),
];

/** Removes an archived channel from every group. */
export function removeFromDefaultGroups(call: Call, channel: Channel): void {
  for (const group of rows(call.state.default_channel_groups))
    if (group.channels.includes(channel.stream_id)) removeFrom(call, group, [channel]);
}

/** The groups sorted by name, as are their channels: ids, below level 330 the channels themselves. */
export function shownDefaultGroups(showing: Showing): JsonObject[] {
  const { state, level } = showing;
  return rows(state.default_channel_groups)
    .sort(byName)
    .map(({ id, name, description, channels }) => {
      const shown = channels
        .flatMap((channelId) => state.channels[channelId] ?? [])
        .sort(byName)
        .map((channel): Json => (level >= 330 ? channel.stream_id : shownChannel(showing, channel)));
      return { id, name, description, streams: shown };
    });
}

/** Adds them one after the other: those before a refusal stay, and no event is sent for them. */
function addTo(call: Call, group: DefaultChannelGroup, channels: readonly Channel[]): void {
  for (const channel of channels) {
    checkNoDefault(call.state, channel, group.name);
    if (group.channels.includes(channel.stream_id))
      throw new ApiError(`Channel '${channel.name}' is already present in default channel group '${group.name}'`);
    call.ledger.set(group, "channels", [...group.channels, channel.stream_id]);
    call.commit();
  }
  emitGroups(call);
}
function removeFrom(call: Call, group: DefaultChannelGroup, channels: readonly Channel[]): void {
  for (const channel of channels)
    if (!group.channels.includes(channel.stream_id))
      throw new ApiError(`Channel '${channel.name}' is not present in default channel group '${group.name}'`);
  const removedIds = idsOf(channels);
  call.ledger.set(
    group,
    "channels",
    group.channels.filter((id) => !removedIds.includes(id)),
  );
  emitGroups(call);
}

const idsOf = (channels: readonly Channel[]): number[] => [...new Set(channels.map(({ stream_id }) => stream_id))];

/** Sends the complete list, except to guests. */
function emitGroups(call: Call): void {
  call.emit((user) => !isGuest(user), {
    type: "default_stream_groups",
    default_stream_groups: shownDefaultGroups(call),
  });
}

function groupById(state: RealmState, id: number): DefaultChannelGroup {
  const group = state.default_channel_groups[id];
  if (group === undefined) throw new ApiError(`Default channel group with id '${id}' does not exist.`);
  return group;
}
function checkNoDefault(state: RealmState, channel: Channel, group: string): void {
  if (state.default_channels.includes(channel.stream_id))
    throw new ApiError(`'${channel.name}' is a default channel and cannot be added to '${group}'`);
}
function checkName(name: string): void {
  if (stripped(name) === "") throw new ApiError(`Invalid default channel group name '${name}'`);
  if (codePoints(name) > MAX_NAME_LENGTH)
    throw new ApiError(`Default channel group name too long (limit: ${MAX_NAME_LENGTH} characters)`);
  if (name.includes("\0")) throw new ApiError(`Default channel group name '${name}' contains NULL (0x00) characters.`);
}
const exists = (name: string): ApiError => new ApiError(`Default channel group '${name}' already exists`);
function checkFree(state: RealmState, name: string): void {
  if (rows(state.default_channel_groups).some((group) => group.name === name)) throw exists(name);
}
/** The server does not check these lengths before the database does. @throws ApiError 500 */
function checkStorable(name: string, description: string): void {
  if (codePoints(name) > MAX_NAME_LENGTH || codePoints(description) > MAX_DESCRIPTION_LENGTH) throw internalError();
}

/** Adds a default channel. It sends no event if the channel already was one. */
export function addDefault(call: Call, channel: Channel): void {
  const { state, ledger } = call;
  if (state.default_channels.includes(channel.stream_id)) return;
  const ids = [...state.default_channels, channel.stream_id].sort((a, b) => a - b);
  ledger.set(state, "default_channels", ids);
  emitDefaultChannels(call);
}
/** Removes a default channel. It sends an event even if the channel was not one. */
export function removeDefault(call: Call, channel: Channel): void {
  const { state, ledger } = call;
  const rest = state.default_channels.filter((id) => id !== channel.stream_id);
  ledger.set(state, "default_channels", rest);
  emitDefaultChannels(call);
}
