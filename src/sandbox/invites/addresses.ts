import { domainOf, isEmailAddress, nameOf } from "../addresses.ts";
import { stripped } from "../python.ts";
import type { RealmState } from "../state.ts";
import { accountWithAddress } from "../users/access.ts";

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
const DISPOSABLE: ReadonlySet<string> = new Set([
  "10minutemail.com",
  "dispostable.com",
  "fakeinbox.com",
  "getairmail.com",
  "getnada.com",
  "guerrillamail.com",
  "guerrillamail.info",
  "guerrillamail.net",
  "guerrillamail.org",
  "mailcatch.com",
  "maildrop.cc",
  "mailinator.com",
  "mailinator.net",
  "mailnesia.com",
  "mintemail.com",
  "mohmal.com",
  "moakt.com",
  "mytemp.email",
  "sharklasers.com",
  "spamgourmet.com",
  "temp-mail.org",
  "tempmail.com",
  "tempmailo.com",
  "throwawaymail.com",
  "trashmail.com",
  "trashmail.net",
  "yopmail.com",
  "yopmail.fr",
  "yopmail.net",
]);

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
