import { BARE_KEY } from "./api-keys.ts";

/* What must not become a value of an organization. Only values from outside are looked at: loaded when it is called (scripts/on-call.mjs). */

/** Tokens of hosts and clouds, which begin with a mark of their own; JSON Web Tokens, private keys, and addresses with a password. */
const TOKEN =
  /\b(?:gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abeprs]-[\w-]{10}|AKIA[A-Z0-9]{16}|npm_\w{30}|sk-[\w-]{20}|eyJ[\w-]{10,}\.eyJ[\w-])|-----BEGIN [A-Z ]*PRIVATE KEY-----|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/;

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
/** Whether a variable of the environment has the name of a secret. */
export const isSecretName = (name: string): boolean => SECRET_WORD.test(name);

/** Whether a text is one of the environment's secrets, by the names of its variables. Short words would be found by chance. */
export function secretsOf(env: { readonly [name: string]: string | undefined }): (text: string) => boolean {
  const known = Object.entries(env).flatMap(([name, value]) =>
    SECRET_WORD.test(name) && value !== undefined && value.trim().length >= 8 ? [value.trim()] : [],
  );
  return (text) => known.some((secret) => text.includes(secret));
}
