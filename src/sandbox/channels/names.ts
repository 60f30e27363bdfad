import { hasContentAccess } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { codePoints } from "../params.ts";
import { stripped } from "../python.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

const MAX_NAME_LENGTH = 60;

/**
 * Names are compared in upper case, where each character becomes one character: "straße" and "STRASSE" are two names (zulip-api.md §3.10).
 */
export function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  let out = "";
  for (const character of name) {
    const upper = character.toUpperCase();
    out += codePoints(upper) === 1 ? upper : character;
  }
  folded.set(name, out);
  return out;
}
const folded = new Map<string, string>();

/**
 * Looks up many names as `channelNamed` does one, in time proportional to the sum of both numbers, not to their product. Valid only until something
 * is written.
 */
export function channelsNamed(state: RealmState): (name: string) => Channel | undefined {
  const byName = new Map<string, Channel>();
  for (const channel of rows(state.channels)) {
    const folded = foldName(channel.name);
    if (!byName.has(folded)) byName.set(folded, channel);
  }
  return (name) => byName.get(foldName(stripped(name)));
}

/** Archived channels keep their names. Surrounding white space in the requested name is ignored. */
export function channelNamed(state: RealmState, name: string): Channel | undefined {
  const wanted = foldName(stripped(name));
  return rows(state.channels).find((channel) => foldName(channel.name) === wanted);
}

/** @throws ApiError unless a channel of this name exists that the caller may read */
export function readableChannelNamed({ state, user }: Call, name: string): Channel {
  const channel = channelNamed(state, name);
  if (channel === undefined || channel.is_archived || !hasContentAccess(state, user, channel))
    throw new ApiError(`Invalid channel name '${name}'`);
  return channel;
}

/** @throws ApiError if the name (already stripped) is not valid for a channel */
export function checkChannelName(name: string): void {
  if (stripped(name) === "") throw new ApiError("Channel name can't be empty.");
  if (codePoints(name) > MAX_NAME_LENGTH)
    throw new ApiError(`Channel name too long (limit: ${MAX_NAME_LENGTH} characters).`);
  const bad = firstInvalidCharacter(name);
  if (bad !== undefined) throw new ApiError(`Invalid character in channel name, at position ${bad}.`);
}

/** The position, counted from 1, of the first control character, surrogate or noncharacter (there are 66). */
export function firstInvalidCharacter(name: string): number | undefined {
  let position = 0;
  for (const character of name) {
    position += 1;
    const code = character.codePointAt(0) ?? 0;
    const isNoncharacter = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
    if (isNoncharacter || /[\p{Cc}\p{Cs}]/u.test(character)) return position;
  }
  return undefined;
}

/** @throws ApiError 409 if another channel has this name */
export function nameTaken(level: number, name: string): ApiError {
  if (level < CONFLICT_LEVEL) return new ApiError("Channel name is already in use.");
  return channelExists(name);
}
export const channelExists = (name: string): ApiError =>
  new ApiError(`Channel '${name}' already exists`, {
    status: 409,
    code: "CHANNEL_ALREADY_EXISTS",
    extra: { channel_name: name },
  });
/** POST /channels/create introduced this code. */
const CONFLICT_LEVEL = 417;
