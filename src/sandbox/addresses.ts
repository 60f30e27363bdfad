import { isIP } from "node:net";

const MAX_ADDRESS_LENGTH = 320;
const DOT_ATOM = /^[-!#$%&'*+/=?^_`{}|~0-9a-z]+(\.[-!#$%&'*+/=?^_`{}|~0-9a-z]+)*$/i;
/** The characters allowed inside quotes: ASCII without spaces, tabs and line breaks. */
const PLAIN = "[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f!#-[\\]-\\x7f]";
/** The characters allowed after a backslash: ASCII without line breaks. */
const ESCAPED = "\\\\[\\x01-\\x09\\x0b\\x0c\\x0e-\\x7f]";
const QUOTED = new RegExp(`^"(?:${PLAIN}|${ESCAPED})*"$`);
/** In a domain, letters of all alphabets are allowed. */
const LABEL = /^[a-z0-9\u00a1-\uffff](?:[a-z0-9\u00a1-\uffff-]{0,61}[a-z0-9\u00a1-\uffff])?$/iu;
const TOP_LEVEL = /^(?:[a-z\u00a1-\uffff][a-z\u00a1-\uffff-]{0,61}[a-z\u00a1-\uffff]|xn--[a-z0-9]{1,59})$/iu;

/** Whether the server accepts the text as an e-mail address. The domain must contain a dot, unless it is localhost. */
export function isEmailAddress(address: string): boolean {
  const at = address.lastIndexOf("@");
  if (at === -1 || [...address].length > MAX_ADDRESS_LENGTH) return false;
  const name = address.slice(0, at);
  return (DOT_ATOM.test(name) || QUOTED.test(name)) && isDomain(address.slice(at + 1));
}

function isDomain(domain: string): boolean {
  if (domain === "localhost") return true;
  const literal = /^\[([0-9a-f:.]+)\]$/i.exec(domain)?.[1];
  if (literal !== undefined) return isIP(literal) !== 0;
  return isHostName(domain);
}

/** A name with at least one dot, whose last part is not a number. */
function isHostName(name: string): boolean {
  const labels = name.split(".");
  const last = labels.pop() ?? "";
  return labels.length > 0 && labels.every((label) => LABEL.test(label)) && TOP_LEVEL.test(last);
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();
export const nameOf = (address: string): string => address.slice(0, address.lastIndexOf("@"));

const MAX_URL_LENGTH = 2048;
const SCHEMES: ReadonlySet<string> = new Set(["http", "https", "ftp", "ftps"]);
const PARTS =
  /^([a-z0-9.+-]+):\/\/(?:[^\s:@/?#[\]]+(?::[^\s:@/?#[\]]*)?@)?(\[[^\]]*\]|[^\s:@/?#[\]]+)(?::[0-9]{1,5})?(?:[/?#]\S*)?$/i;

/** Whether the server accepts it as a web address. */
export function isUrl(text: string): boolean {
  if ([...text].length > MAX_URL_LENGTH) return false;
  const [, scheme, host] = PARTS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || !SCHEMES.has(scheme.toLowerCase())) return false;
  if (host.startsWith("[")) return isIP(host.slice(1, -1)) === 6;
  if (isIP(host) === 4 || host.toLowerCase() === "localhost") return true;
  const name = host.replace(/\.$/, "");
  return name.length <= 253 && isHostName(name);
}
