import { hasContentAccess } from "../access.ts";
import type { Call } from "../call.ts";
import { channelNamed } from "../channels/names.ts";
import { ApiError } from "../errors.ts";
import type { Channel } from "../rows/channels.ts";

/** A channel for the defaults of a bot. @throws ApiError unless the caller may read it */
export function channelByNameForBots({ state, user }: Call, name: string): Channel {
  const channel = channelNamed(state, name);
  if (channel === undefined || channel.is_archived || !hasContentAccess(state, user, channel))
    throw new ApiError(`Invalid channel name '${name}'`);
  return channel;
}
