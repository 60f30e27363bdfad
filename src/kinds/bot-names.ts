import { addressOf, botAddress, SHORT_NAME_LEVEL } from "../access/renamed.ts";
import type { DecodeContext } from "../model/decoding.ts";
import { addTo } from "../model/indexed.ts";
import { oncePer } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";

/**
 * Bot → its name in a file: the part of its address before the @; the whole address if another bot has the same part on the
 * domain of new bots (zulip-api.md §18.1).
 */
export const botNames = oncePer((realm: Realm): ReadonlyMap<number, string> => {
  const bots = realm.snapshot.users.filter(({ is_bot }) => is_bot);
  const sharing = new Map<string, SnapshotUser[]>();
  for (const bot of bots) addTo(sharing, localPart(bot), bot);
  const domain = realm.setting("bot_domain");
  return new Map(
    bots.map((bot) => {
      const local = localPart(bot);
      const isAlone = sharing.get(local)?.length === 1;
      const isNew = addressOf(bot) === `${local}@${String(domain)}`;
      return [bot.user_id, isAlone || isNew ? local : addressOf(bot)] as const;
    }),
  );
});

/** Name in a file → bot. */
export const botIds = oncePer((realm: Realm): ReadonlyMap<string, number> => {
  const ids = new Map<string, number>();
  for (const [id, name] of botNames(realm)) if (!ids.has(name)) ids.set(name, id);
  return ids;
});

/** The part before the @ → the addresses of the bots that have it, if it is the name of none of them. */
export const namesakes = oncePer((realm: Realm): ReadonlyMap<string, readonly string[]> => {
  const sharing = new Map<string, string[]>();
  for (const name of botIds(realm).keys()) {
    const local = name.slice(0, Math.max(0, name.lastIndexOf("@")));
    if (local !== "" && !botIds(realm).has(local)) addTo(sharing, local, name);
  }
  return sharing;
});

function localPart(bot: SnapshotUser): string {
  const address = addressOf(bot);
  return address.slice(0, address.lastIndexOf("@"));
}

/** The bots that a file renames: other objects name a bot by its address, which changes with its name. */
interface RenamedBots {
  /** New address → the bot. */
  readonly byNext: ReadonlyMap<string, number>;
  /** Bot → its new address. */
  readonly nextOf: ReadonlyMap<number, string>;
  /** Address that no bot has after the plan → the one that its bot has then. */
  readonly given: ReadonlyMap<string, string>;
  /** Bots that take the name of another one that is renamed: only the whole plan knows whether they have done so already. */
  readonly open: ReadonlySet<number>;
}

const NONE: RenamedBots = { byNext: new Map(), nextOf: new Map(), given: new Map(), open: new Set() };

/** Also those that it deactivates: they have the new name by then. */
export function renamedBots({ renamedTo }: DecodeContext, realm: Realm): RenamedBots {
  return renamedTo === undefined || realm.level < SHORT_NAME_LEVEL ? NONE : renamedIn(renamedTo, realm);
}

/** Each file has a function of its own. */
const renamedIn = oncePer((renamedTo: NonNullable<DecodeContext["renamedTo"]>, realm: Realm): RenamedBots => {
  const names = new Map<number, string>();
  for (const [id, name] of botNames(realm)) {
    const to = renamedTo("bot", name, id);
    if (to !== undefined) names.set(id, to);
  }
  if (names.size === 0) return NONE;
  const holders = botIds(realm);
  const open = new Set<number>();
  for (const [id, to] of names) {
    const holder = holders.get(to);
    if (holder === undefined) continue;
    // If the bot that has the name keeps it, the rename was made before.
    if (names.has(holder)) open.add(id);
    else names.delete(id);
  }
  const now = new Map([...botNames(realm).keys()].map((id) => [id, realm.userName(id)]));
  const taken = new Set(now.values());
  const nextOf = new Map<number, string>();
  const byNext = new Map<string, number>();
  for (const [id, to] of names) {
    const bot = realm.user(id);
    if (bot === undefined) continue;
    const next = botAddress(bot, to, realm.snapshot);
    nextOf.set(id, next);
    // If it has not been used yet, it means something only once the exchange was made.
    if (!open.has(id) || taken.has(next)) byNext.set(next, id);
  }
  const given = new Map([...nextOf].map(([id, next]) => [now.get(id) ?? "", next]));
  for (const next of byNext.keys()) given.delete(next);
  return { byNext, nextOf, given, open };
});
