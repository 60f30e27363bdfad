import { isIP } from "node:net";
import { words } from "../model/synonyms.ts";
import { stripped } from "./python.ts";
import type { RealmState } from "./state.ts";
import { accountWithAddress } from "./users/access.ts";

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

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();
const nameOf = (address: string): string => address.slice(0, address.lastIndexOf("@"));

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

/**
 * The addresses in the order sent, without duplicates. Commas separate even inside quotes, and `Name <a@b>` gives the part in brackets. Empty
 * addresses stay in the list: nothing is sent to them, but they count (zulip-api.md §9.3).
 */
export function readAddresses(sent: string): readonly string[] {
  const addresses = sent.split(/[,\n]/).map((part) => stripped(/<(.*)>/s.exec(part)?.[1] ?? part));
  return [...new Set(addresses)];
}

/** The reason why an address cannot be invited to this realm, or belong to an account; undefined if it can. */
export function whyNotAllowed(state: RealmState, address: string): string | undefined {
  if (!isEmailAddress(address)) return "Invalid address.";
  if (state.realm.emails_restricted_to_domains === true) {
    if (nameOf(address).includes("+")) return "Email addresses containing + are not allowed.";
    return isAllowedDomain(state, domainOf(address)) ? undefined : "Outside your domain.";
  }
  if (state.realm.disallow_disposable_email_addresses === true && DISPOSABLE.has(domainOf(address)))
    return "Please use your real email address.";
  return undefined;
}
const isAllowedDomain = (state: RealmState, domain: string): boolean =>
  state.domains.some(
    (allowed) => allowed.domain === domain || (allowed.allow_subdomains && domain.endsWith(`.${allowed.domain}`)),
  );

/** Some of the domains of disposable addresses; the server uses a list of thousands. */
const DISPOSABLE: ReadonlySet<string> = new Set(
  words(
    "10minutemail.com dispostable.com fakeinbox.com getairmail.com getnada.com guerrillamail.com guerrillamail.info",
    "guerrillamail.net guerrillamail.org mailcatch.com maildrop.cc mailinator.com mailinator.net mailnesia.com",
    "mintemail.com mohmal.com moakt.com mytemp.email sharklasers.com spamgourmet.com temp-mail.org tempmail.com",
    "tempmailo.com throwawaymail.com trashmail.com trashmail.net yopmail.com yopmail.fr yopmail.net",
  ),
);

interface Taken {
  readonly reason: string;
  readonly deactivated: boolean;
}
/** The account that has this real address. The address that the API shows for an account with a hidden address does not count. */
export function whyTaken(state: RealmState, address: string): Taken | undefined {
  const owner = accountWithAddress(state, address);
  if (owner === undefined) return undefined;
  if (owner.is_system_bot) return { reason: "Reserved for system bots.", deactivated: false };
  if (owner.is_active) return { reason: "Already has an account.", deactivated: false };
  return { reason: "Account has been deactivated.", deactivated: true };
}
