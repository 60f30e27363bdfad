/* What looks like a credential: it must not become a value of an organization, where its people read it. */

/** Tokens of hosts, clouds and payments, which begin with a mark of their own; JSON Web Tokens, private keys, and addresses with a password. */
const TOKEN =
  /\b(?:gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abeprs]-[\w-]{10}|AKIA[A-Z0-9]{16}|npm_\w{30}|sk-[\w-]{20}|[rs]k_(?:live|test)_\w{16}|eyJ[\w-]{10,}\.eyJ[\w-])|-----BEGIN [A-Z ]*PRIVATE KEY-----|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/;

/** Longer texts are searched up to here: a credential is at their start, or not alone. */
const LONGEST = 10_000;

/** Whether a text has a credential in it. A whole text of 32 letters and digits counts, as a sandbox makes its keys of hex digits. */
export function hasCredential(whole: string): boolean {
  const text = whole.slice(0, LONGEST);
  BARE_KEY.lastIndex = 0;
  return BARE_KEY.test(text) || /^(?=.*\d)[A-Za-z0-9]{32}$/.test(text.trim()) || TOKEN.test(text);
}

const SECRET_WORD =
  /(?:^|_)(?:api_?keys?|auth|cookie|credentials?|jwt|keys?|passphrase|passwd|password|pat|private|pwd|secrets?|session|tokens?)(?:_|$)/i;
export const isSecretName = (name: string): boolean => SECRET_WORD.test(name);

/** Whether a text is one of the environment's secrets, by the names of its variables. Short words would be found by chance. */
export function secretsOf(env: { readonly [name: string]: string | undefined }): (text: string) => boolean {
  const known = Object.entries(env).flatMap(([name, value]) =>
    SECRET_WORD.test(name) && value !== undefined && value.trim().length >= 8 ? [value.trim()] : [],
  );
  return (text) => known.some((secret) => text.includes(secret));
}

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

/** A mix as a server makes API keys: digests have no capitals, and words no digits. */
const BARE_KEY =
  /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{0,31}[a-z])(?=[A-Za-z0-9]{0,31}[A-Z])(?=[A-Za-z0-9]{0,31}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])/g;
