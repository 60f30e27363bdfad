import { ApiError } from "../errors.ts";
import { codePoints } from "../params.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

const MAX_NAME_LENGTH = 60;

/**
 * Names are compared by upper-casing one character into one: "straße" and "STRASSE" are two names (zulip-api.md §3.10).
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

/** White space as Python's `strip` knows it: separators of files and records are, the byte order mark is not. */
export function stripped(name: string): string {
  return name.replace(OUTER_SPACE, "");
}
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");

/** Looks many names up, as `channelNamed` does one: the work is the sum of both numbers, not their product. For as long as nothing is written. */
export function channelsNamed(state: RealmState): (name: string) => Channel | undefined {
  const byName = new Map<string, Channel>();
  for (const channel of rows(state.channels)) {
    const folded = foldName(channel.name);
    if (!byName.has(folded)) byName.set(folded, channel);
  }
  return (name) => byName.get(foldName(stripped(name)));
}

/** Archived channels keep their names. White space around what is asked for does not count. */
export function channelNamed(state: RealmState, name: string): Channel | undefined {
  const wanted = foldName(stripped(name));
  return rows(state.channels).find((channel) => foldName(channel.name) === wanted);
}

/** @throws ApiError when the name (stripped before) could not be a channel's */
export function checkChannelName(name: string): void {
  if (stripped(name) === "") throw new ApiError("Channel name can't be empty.");
  if (codePoints(name) > MAX_NAME_LENGTH)
    throw new ApiError(`Channel name too long (limit: ${MAX_NAME_LENGTH} characters).`);
  const bad = firstInvalidCharacter(name);
  if (bad !== undefined) throw new ApiError(`Invalid character in channel name, at position ${bad}.`);
}

/** Counted from 1: control characters, surrogates and the 66 noncharacters. */
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

/** @throws ApiError 409 when another channel has it */
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
/** POST /channels/create brought the code along. */
const CONFLICT_LEVEL = 417;
