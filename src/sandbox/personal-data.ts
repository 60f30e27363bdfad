import { type Call, only } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { codePoints, dictionary, json, list, optional, required, string } from "./params.ts";
import { stripped } from "./python.ts";
import type { User } from "./rows/accounts.ts";

/** What an account keeps for itself: its alert words, and what a bot stores. */

/** From 494 on; in which words a server refuses others is not known. @throws ApiError */
function botsAlone({ level, user }: Call): void {
  if (level >= 494 && !user.is_bot) throw new ApiError("This endpoint is for bots.");
}

const MAX_WORD_LENGTH = 100;
const words = required(json(list(string({ maxLength: MAX_WORD_LENGTH }))));
export const alertWordsOf = ({ alert_words = [] }: User) => ({ alert_words: [...alert_words] });
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The maximum number of characters of all keys and values of a bot. */
const MAX_STORED = 10_000_000;
const keys = { keys: optional(json(list(string()))) };
const stored = ({ storage = {} }: User): { readonly [key: string]: string } => storage;
/** The keys that the caller names, or else all. @throws ApiError for one that does not exist */
function keysOf(user: User, named: readonly string[] | undefined): readonly string[] {
  const wanted = named === undefined || named.length === 0 ? Object.keys(stored(user)) : named;
  if (!wanted.every((key) => Object.hasOwn(stored(user), key))) throw new ApiError("Key does not exist.");
  return wanted;
}

export const personalDataEndpoints = [
  defineEndpoint("GET /users/me/alert_words", {
    handler: ({ user }) => alertWordsOf(user),
  }),
  defineEndpoint("POST /users/me/alert_words", {
    params: { alert_words: words },
    handler(call, sent) {
      const { user } = call;
      const all = [...(user.alert_words ?? [])];
      for (const word of sent.alert_words.map((each) => stripped(each)))
        if (word !== "" && !all.some((each) => isSame(each, word))) all.push(word);
      call.ledger.assign(user, { alert_words: all });
      call.emit(only(user.user_id), { type: "alert_words", ...alertWordsOf(user) });
      return alertWordsOf(user);
    },
  }),
  defineEndpoint("DELETE /users/me/alert_words", {
    params: { alert_words: words },
    handler(call, sent) {
      const { user } = call;
      const left = (user.alert_words ?? []).filter((word) => !sent.alert_words.some((each) => isSame(each, word)));
      call.ledger.assign(user, { alert_words: left });
      call.emit(only(user.user_id), { type: "alert_words", ...alertWordsOf(user) });
      return alertWordsOf(user);
    },
  }),
  defineEndpoint("PUT /bot_storage", {
    right: botsAlone,
    params: { storage: required(json(dictionary(string()))) },
    handler({ user, ledger }, sent) {
      const storage = { ...stored(user), ...sent.storage };
      const size = Object.entries(storage).reduce((sum, pair) => sum + codePoints(pair.join("")), 0);
      if (size > MAX_STORED)
        throw new ApiError(
          `Request exceeds storage limit by ${size - MAX_STORED} characters. The limit is ${MAX_STORED} characters.`,
        );
      ledger.assign(user, { storage });
    },
  }),
  defineEndpoint("GET /bot_storage", {
    right: botsAlone,
    params: keys,
    handler: ({ user }, { keys: named }) => ({
      storage: Object.fromEntries(keysOf(user, named).map((key) => [key, stored(user)[key] ?? ""])),
    }),
  }),
  defineEndpoint("DELETE /bot_storage", {
    right: botsAlone,
    params: keys,
    handler({ user, ledger }, { keys: named }) {
      const removed = new Set(keysOf(user, named));
      const left = Object.entries(stored(user)).filter(([key]) => !removed.has(key));
      ledger.assign(user, { storage: Object.fromEntries(left) });
    },
  }),
];
