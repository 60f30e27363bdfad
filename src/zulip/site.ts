import type { SiteCause } from "../model/diagnostics/credentials.ts";
import { isLoopback } from "../model/loopback.ts";
import { withoutTrailingSlashes } from "../model/trailing.ts";

/**
 * The base address of requests, without a slash at its end: `https://chat.example.org`. Without a scheme it is https, or http for this machine.
 * Addresses that people paste from a browser or from documentation are cut to the organization's address.
 */
export function normaliseSite(written: string): { readonly site: string } | SiteCause {
  const trimmed = written.trim();
  if (/^[^\s/:@]+@[^\s/:@]+$/.test(trimmed)) return { cause: "e-mail" };
  // A browser takes http:/host for http://host; the rest of this would take http for the host.
  if (/^https?(?::\/?|\/\/)(?!\/)/i.test(trimmed) && !isPort(trimmed)) return { cause: "no-address" };
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${isLoopback(hostOf(`http://${trimmed}`)) ? "http" : "https"}://${trimmed}`;
  const url = parseUrl(withScheme);
  if (url === undefined && parseUrl(withScheme.replace(/:[^/:]+(?=\/|$)/, "")) !== undefined) return { cause: "port" };
  if (trimmed === "" || url === undefined || url.hostname === "") return { cause: "no-address" };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { cause: "scheme", scheme: url.protocol };
  // Never shown: the part before the @ may be a password.
  if (url.username !== "" || url.password !== "") return { cause: "user-info" };
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return { cause: "plain-http", host: url.host };
  const path = withoutTrailingSlashes(url.pathname.replace(/\/(api(\/v\d+)?\/?)?$/, ""));
  return { site: `${url.protocol}//${url.host}${path}` };
}

/** `http:8080`, a host of that name. */
const isPort = (text: string): boolean => /^https?:\d+(?:\/|$)/i.test(text);

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
