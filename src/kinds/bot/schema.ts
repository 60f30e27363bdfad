import * as z from "zod";
import { addressOf, SHORT_NAME_LEVEL } from "../../access/renamed.ts";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { indexed, once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { ROLE_WORDS } from "../../model/roles.ts";
import type { SnapshotUser } from "../../model/snapshot.ts";
import { BOT_SUFFIX } from "../../model/temporary-name.ts";
import { botIds, botNames, namesakes, roleField } from "../accounts.ts";
import { codePoints, lengthCause, strip } from "../names.ts";
import { flag, optional, string } from "../optional.ts";
import { liveObject } from "../readings.ts";
import { PersonValue, resolvePerson } from "../references.ts";

/** Types as the server numbers them (zulip-api.md §18.1). */
export const BOT_TYPES = { generic: 1, incoming_webhook: 2, outgoing_webhook: 3, embedded: 4 } as const;
type BotType = keyof typeof BOT_TYPES;
const TYPE_WORDS = [
  "generic",
  "incoming_webhook",
  "outgoing_webhook",
  "embedded",
] as const satisfies readonly BotType[];

/** The other types have a service and its token. */
const MADE_TYPES: ReadonlySet<string> = new Set(["generic", "incoming_webhook"]);

export const botForm = once(() =>
  z.strictObject({
    was: string(
      "The name to rename from: the bot gets a new address. Delete it after the rename was applied. Below feature level 447 the bot is a new one.",
    ),
    id: optional(z.int().positive(), "Identifies the bot by the id of its account instead of its name."),
    full_name: string("The name that people see. A new bot without it gets its name in the file."),
    owner: optional(
      PersonValue,
      "Who owns the bot, and sees its key. A new bot without it belongs to the account that runs realmctl.",
    ),
    role: optional(z.enum(ROLE_WORDS), "The role that the bot has; a new one without it is a member."),
    type: optional(
      z.enum(TYPE_WORDS),
      "What the bot can do; a new bot without it is generic. It never changes, and realmctl creates only bots of the first two types.",
    ),
    deactivated: flag(
      "`true` deactivates the bot, `false` reactivates it with the key that it had. Without this field, a bot that somebody deactivated stays deactivated.",
    ),
    absent: flag("`true` deactivates the bot, if it exists, under any policy."),
  }),
);
export type Bot = z.infer<ReturnType<typeof botForm>>;

function typeWord(type: number | null): BotType | undefined {
  return TYPE_WORDS.find((word) => BOT_TYPES[word] === type);
}

const MAX_NAME_LENGTH = 100;

export function decodeBot(item: Bot, name: string, context: DecodeContext): Decoded {
  const { realm } = context;
  const was = wasOf(item, name, context);
  const live = realm === undefined ? undefined : liveOf({ ...item, was }, name, realm);
  // Without a server, only its name says whether a bot is new.
  const isNew = live === undefined && (realm !== undefined || (was === undefined && item.id === undefined));
  const absent = item.absent === true || item.deactivated === true;
  const several = realm === undefined ? undefined : namesakes(realm).get(botKey(name));
  if (several !== undefined) {
    const bots = several.map((address) => quote(address, "bot"));
    context.report([], finding("bots/name", { cause: "several", bot: quote(name, "bot"), bots }));
  } else if (realm !== undefined && !absent && !botIds(realm).has(name)) checkNewName(name, realm, context);
  if (live?.is_active === false && item.deactivated === undefined && !absent)
    context.report([], { ...finding("bots/is-deactivated", { bot: quote(name, "bot") }), severity: "warning" });
  const fields: { [field: string]: Json } = {};
  if (item.full_name !== undefined) {
    checkFullName(item.full_name, context);
    fields.full_name = strip(item.full_name);
  } else if (isNew) fields.full_name = name;
  const owner = item.owner === undefined ? undefined : ownerOf(item.owner, context);
  if (owner !== undefined) fields.owner = owner;
  if (item.role !== undefined) fields.role = item.role;
  if (item.type !== undefined) fields.type = item.type;
  else if (isNew) fields.type = "generic";
  if (item.type !== undefined && realm !== undefined && live === undefined && !absent && !MADE_TYPES.has(item.type))
    context.report(["type"], finding("bots/type", { cause: "not-made", type: item.type }));
  if (item.deactivated !== undefined) fields.deactivated = item.deactivated;
  return { ...defined({ was, id: item.id }), absent, fields };
}

/** Below the level, no bot can be renamed: a bot with another name is a new one. */
function wasOf({ was }: Bot, name: string, { realm, report }: DecodeContext): string | undefined {
  if (was === undefined) return undefined;
  const before = botKey(was);
  if (realm === undefined || realm.level >= SHORT_NAME_LEVEL) return before;
  if (botIds(realm).has(before) && !botIds(realm).has(name)) {
    const names = { bot: quote(name, "bot"), was: quote(before, "bot") };
    const fact = { cause: "cannot-be-renamed", ...names, needs: SHORT_NAME_LEVEL, level: realm.level } as const;
    report(["was"], finding("bots/name", fact, { severity: "warning" }));
  }
  return undefined;
}

/** The bot that the entry means, as far as can be said before the plan matches all of them. */
function liveOf({ id, was }: Pick<Bot, "id" | "was">, name: string, realm: Realm): ReturnType<Realm["user"]> {
  const ids = botIds(realm);
  const found = id ?? ids.get(name) ?? ids.get(was ?? "");
  return found === undefined ? undefined : realm.user(found);
}

const botsByAddress = indexed<SnapshotUser>((user) => (user.is_bot ? [addressOf(user)] : []));

/** The name of a new bot becomes the first part of its address (zulip-api.md §18.3). */
function checkNewName(name: string, realm: Realm, context: DecodeContext): void {
  const [meant] = botsByAddress(realm.snapshot.users, name);
  const short = meant === undefined ? undefined : botNames(realm).get(meant.user_id);
  const bot = quote(name, "bot");
  const called = nameOfCalled(name, realm);
  if (short !== undefined)
    context.report([], finding("bots/name", { cause: "other-name", bot, meant: quote(short, "bot") }));
  else if (called !== undefined)
    context.report([], finding("bots/name", { cause: "other-name", bot, meant: quote(called, "bot") }));
  else if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) || name === BOT_SUFFIX || codePoints(name) > 64)
    context.report([], finding("bots/name", { cause: "characters", bot }));
  else if (!name.endsWith(BOT_SUFFIX)) context.report([], finding("bots/name", { cause: "no-suffix", bot }));
}

/** The name of the only active bot that people see under this name. */
function nameOfCalled(full_name: string, realm: Realm): string | undefined {
  const found = realm.snapshot.users.filter(
    (one) => one.is_bot && one.is_active && one.full_name.toLowerCase() === full_name,
  );
  const [bot] = found;
  return bot === undefined || found.length > 1 ? undefined : botNames(realm).get(bot.user_id);
}

/** @param name of a bot, as realmctl gives one */
export const shortName = (name: string): string => name.slice(0, -BOT_SUFFIX.length);
/** Whether a request can give a bot this name: others have an address of their own form, or are on another domain. */
export const canBeName = (name: string): boolean => name.endsWith(BOT_SUFFIX) && !name.includes("@");

function checkFullName(written: string, context: DecodeContext): void {
  const name = strip(written);
  const cause = lengthCause(name, MAX_NAME_LENGTH);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the server refuses
  const character = /[*`\\>"@\u0000-\u001f\u007f]/.exec(name)?.[0];
  const path = ["full_name"];
  if (cause !== undefined) context.report(path, finding("bots/full-name", cause));
  else if (character !== undefined)
    context.report(path, finding("bots/full-name", { cause: "character", character: quote(character) }));
  else if (/\|\d+$/.test(name)) context.report(path, finding("bots/full-name", { cause: "ending" }));
}

function ownerOf(written: NonNullable<Bot["owner"]>, context: DecodeContext): string | undefined {
  const owner = resolvePerson(written, ["owner"], context);
  const { realm } = context;
  if (owner === undefined || realm === undefined) return owner;
  // The address of a bot that the file renames is on no account yet.
  if (realm.userByEmail(owner)?.is_bot === false) return owner;
  context.report(["owner"], finding("bots/owner-is-bot", { owner: quote(owner) }));
  return undefined;
}

/** Addresses are compared without regard to case. */
export const botKey = (name: string): string => name.trim().toLowerCase();

/** The organization's bots, also inactive ones, since their addresses stay taken. The server's own bots are not included. */
export function liveBots(realm: Realm): readonly LiveObject[] {
  const names = botNames(realm);
  return realm.snapshot.users.flatMap((user) => {
    const name = names.get(user.user_id);
    if (name === undefined) return [];
    const { user_id: id, full_name, bot_owner_id, bot_type, is_active } = user;
    const fields = {
      full_name,
      owner: bot_owner_id === null ? null : realm.userName(bot_owner_id),
      role: roleField(user),
      type: typeWord(bot_type) ?? null,
      deactivated: !is_active,
    };
    return [liveObject(name, fields, { id, inactive: !is_active })];
  });
}
