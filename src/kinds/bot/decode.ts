import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { indexed } from "../../model/indexed.ts";
import type { Json } from "../../model/json.ts";
import type { Realm } from "../../model/realm.ts";
import type { SnapshotUser } from "../../model/snapshot.ts";
import { codePoints, strip } from "../names.ts";
import { resolvePerson } from "../references.ts";
import { addressOf, botIds, botKey, botNames, namesakes } from "./live.ts";
import { type Bot, MADE_TYPES } from "./schema.ts";

const MAX_NAME_LENGTH = 100;
const SUFFIX = "-bot";

export function decodeBot(item: Bot, name: string, context: DecodeContext): Decoded {
  const { realm } = context;
  const live = realm === undefined ? undefined : liveOf(name, realm);
  const absent = item.absent === true || item.deactivated === true;
  const several = realm === undefined ? undefined : namesakes(realm).get(botKey(name));
  if (several !== undefined) {
    const bots = several.map((address) => quote(address, "bot"));
    context.report([], finding("bots/name", { cause: "several", bot: quote(name, "bot"), bots }));
  } else if (realm !== undefined && live === undefined && !absent) checkNewName(name, realm, context);
  if (live?.is_active === false && item.deactivated === undefined && !absent)
    context.report([], { ...finding("bots/is-deactivated", { bot: quote(name, "bot") }), severity: "warning" });
  const fields: { [field: string]: Json } = {};
  if (item.full_name !== undefined) {
    checkFullName(item.full_name, context);
    fields.full_name = strip(item.full_name);
  } else if (live === undefined) fields.full_name = name;
  const owner = item.owner === undefined ? undefined : ownerOf(item.owner, context);
  if (owner !== undefined) fields.owner = owner;
  if (item.role !== undefined) fields.role = item.role;
  if (item.type !== undefined) fields.type = item.type;
  else if (live === undefined) fields.type = "generic";
  if (item.type !== undefined && realm !== undefined && live === undefined && !absent && !MADE_TYPES.has(item.type))
    context.report(["type"], finding("bots/type", { cause: "not-made", type: item.type }));
  if (item.deactivated !== undefined) fields.deactivated = item.deactivated;
  return { absent, fields };
}

function liveOf(name: string, realm: Realm): ReturnType<Realm["user"]> {
  const id = botIds(realm).get(name);
  return id === undefined ? undefined : realm.user(id);
}

const botsByAddress = indexed<SnapshotUser>((user) => (user.is_bot ? [addressOf(user)] : []));

/** The name of a new bot becomes the first part of its address (zulip-api.md §18.3). */
function checkNewName(name: string, realm: Realm, context: DecodeContext): void {
  const [meant] = botsByAddress(realm.snapshot.users, name);
  const short = meant === undefined ? undefined : botNames(realm).get(meant.user_id);
  const bot = quote(name, "bot");
  if (short !== undefined)
    context.report([], finding("bots/name", { cause: "other-name", bot, meant: quote(short, "bot") }));
  else if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) || name === SUFFIX || codePoints(name) > 64)
    context.report([], finding("bots/name", { cause: "characters", bot }));
  else if (!name.endsWith(SUFFIX)) context.report([], finding("bots/name", { cause: "no-suffix", bot }));
}

/** @param name of a new bot */
export const shortName = (name: string): string => name.slice(0, -SUFFIX.length);

function checkFullName(written: string, context: DecodeContext): void {
  const name = strip(written);
  const length = codePoints(name);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the server refuses
  const character = /[*`\\>"@\u0000-\u001f\u007f]/.exec(name)?.[0];
  const path = ["full_name"];
  if (name === "") context.report(path, finding("bots/full-name", { cause: "empty" }));
  else if (length > MAX_NAME_LENGTH)
    context.report(path, finding("bots/full-name", { cause: "too-long", length, limit: MAX_NAME_LENGTH }));
  else if (character !== undefined)
    context.report(path, finding("bots/full-name", { cause: "character", character: quote(character) }));
  else if (/\|\d+$/.test(name)) context.report(path, finding("bots/full-name", { cause: "ending" }));
}

function ownerOf(written: NonNullable<Bot["owner"]>, context: DecodeContext): string | undefined {
  const owner = resolvePerson(written, ["owner"], context);
  const { realm } = context;
  if (owner === undefined || realm === undefined) return owner;
  if (realm.user(realm.userId(owner))?.is_bot !== true) return owner;
  context.report(["owner"], finding("bots/owner-is-bot", { owner: quote(owner) }));
  return undefined;
}
