/** What is wrong with an address, in words that complete "the site … ". */
export type SiteTrouble = string;

/**
 * The address that requests are built on, without a slash at its end: `https://chat.example.org`. No scheme means https, http
 * for this machine. What people paste from a browser or from documentation is cut back to the organization's address.
 */
export function normaliseSite(
  written: string,
): { readonly site: string } | { readonly trouble: SiteTrouble; readonly hint: string } {
  const trimmed = written.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${isLoopback(hostOf(`http://${trimmed}`)) ? "http" : "https"}://${trimmed}`;
  const url = parseUrl(withScheme);
  const wanted = "an address such as https://chat.example.org";
  if (trimmed === "" || url === undefined || url.hostname === "")
    return { trouble: "is no address", hint: `write ${wanted}` };
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { trouble: `uses ${url.protocol}// instead of https`, hint: `write ${wanted}` };
  // Never shown: what stands before the @ may be a password.
  if (url.username !== "" || url.password !== "")
    return {
      trouble: "contains a user name or password",
      hint: `write ${wanted}; credentials belong into zuliprc or ZULIP_API_KEY`,
    };
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return {
      trouble: "uses plain http, which would show the API key to everybody on the way",
      hint: `use https://${url.host}; plain http is for this machine only (localhost)`,
    };
  const path = url.pathname.replace(/\/(api(\/v\d+)?\/?)?$/, "").replace(/\/+$/, "");
  return { site: `${url.protocol}//${url.host}${path}` };
}

/** localhost, its subdomains, 127.0.0.0/8 and ::1: requests that never leave the machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function hostOf(text: string): string {
  return parseUrl(text)?.hostname ?? "";
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
