/** 32 letters and digits behind a word for a key: a sandbox makes its keys of hex digits. */
const NAMED_KEY = /(?<=(?:key|token|secret|password)["']?\s*[:=]\s*["']?)[a-z0-9]{32}(?![a-z0-9])/gi;
/** A text in which stars replace everything that looks like an API key of Zulip. Its length stays the same, so that places in it are still right. */
export function withoutKeys(text: string): string {
  const stars = (key: string): string => "*".repeat(key.length);
  return text.replace(NAMED_KEY, stars).replace(BARE_KEY, stars);
}

/** What to do about a key in a file that others read. */
export const KEY_IN_FILE =
  "keys are not in this file but in a zuliprc or in ZULIP_API_KEY: delete it, and make a new one if anybody can have seen this one";

/** Whether a file that names this field means a key. */
export const isWordForKey = (name: string): boolean =>
  /^(?:zulip_?|bot_?)?(?:api_?key|api_?token|token|secret|password)$/i.test(name.replaceAll("-", "_"));

/** What looks like a credential: it must not become a value of an organization, where its people read it. */

/** A mix as a server makes API keys: digests have no capitals, and words no digits. */
export const BARE_KEY =
  /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{0,31}[a-z])(?=[A-Za-z0-9]{0,31}[A-Z])(?=[A-Za-z0-9]{0,31}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])/g;
