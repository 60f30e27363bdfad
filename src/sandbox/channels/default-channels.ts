import type { Call } from "../call.ts";
import type { Channel } from "../rows/channels.ts";
import { emitDefaultChannels } from "./events.ts";

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
