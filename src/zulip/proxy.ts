import { BlockList, isIP } from "node:net";
import { failure } from "../model/diagnostic.ts";

/** The proxy for https servers that the environment configures. */
export interface HttpsProxy {
  /** `http://proxy.example.org:3128`, `socks5://proxy.example.org:1080`; may hold a name and a password, so it is never shown. */
  readonly url: string;
  /** Hosts that are reached without it, as in NO_PROXY. */
  readonly except: string;
}

/**
 * The proxy that the environment names for https, read as curl does: lower case first, ALL_PROXY last.
 * @throws Failure if it is not the address of an HTTP or SOCKS5 proxy
 */
export function proxyOf(env: { readonly [name: string]: string | undefined }): HttpsProxy | undefined {
  const name = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].find((each) => env[each] !== undefined);
  const written = name === undefined ? "" : (env[name] ?? "").trim();
  if (name === undefined || written === "") return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  // Never shown: the address may hold a password.
  if (/^socks4a?:/i.test(url)) throw failure("credentials/proxy", { variable: name, is_socks4: true });
  if (!/^(https?|socks5?h?):/i.test(url) || !URL.canParse(url) || new URL(url).hostname === "" || isUnreadable(url))
    throw failure("credentials/proxy", { variable: name });
  return { url, except: env.no_proxy ?? env.NO_PROXY ?? "" };
}

/** Whether it is a SOCKS5 proxy, not an HTTP one. However the address is written, the proxy resolves the names of servers. */
export const isSocks = ({ url }: HttpsProxy): boolean => /^socks/i.test(url);

/** The maximum length of a value in SOCKS5, in bytes. */
const LONGEST_SOCKS_WORD = 255;

/** Name and password for a SOCKS5 proxy; undefined: the address has none. @throws URIError for an address that is not encoded correctly */
export function socksAccount(url: string): { readonly username: string; readonly password: string } | undefined {
  const { username, password } = new URL(url);
  if (username === "") return undefined;
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function isUnreadable(url: string): boolean {
  if (proxyToken(url) === "unreadable") return true;
  const account = isSocks({ url, except: "" }) ? socksAccount(url) : undefined;
  return Object.values(account ?? {}).some((word) => Buffer.byteLength(word) > LONGEST_SOCKS_WORD);
}

/** The value of Proxy-Authorization; undefined: the address has no name in it. */
export function proxyToken(url: string): string | undefined {
  const { username, password } = new URL(url);
  if (username === "") return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  } catch {
    return "unreadable";
  }
}

/** Host and port, for messages: without the name and password. */
export function proxyName({ url }: HttpsProxy): string {
  return new URL(url).host;
}

/**
 * Whether this server is reached through the proxy. Entries of NO_PROXY are names (with all their subdomains), names with a port, addresses, networks
 * (`10.0.0.0/8`), or `*`.
 */
export function goesThrough({ except }: HttpsProxy, { hostname, port }: Pick<URL, "hostname" | "port">): boolean {
  const host = bare(hostname);
  const wanted = port === "" ? "443" : port;
  return !except.split(/[,\s]+/).some((entry) => {
    if (entry === "*") return true;
    if (entry === "") return false;
    if (entry.includes("/")) return inNetwork(host, entry);
    const [, name = entry, ownPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (ownPort !== undefined && ownPort !== wanted) return false;
    const known = bare(name.replace(/^\*?\./, ""));
    return host === known || (isIP(known) === 0 && known !== "" && host.endsWith(`.${known}`));
  });
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

function inNetwork(host: string, entry: string): boolean {
  const [network = "", prefix = ""] = entry.split("/");
  const family = isIP(network) === 6 ? "ipv6" : "ipv4";
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (isIP(network) === 0 || isIP(host) !== isIP(network) || bits < 0 || bits > (family === "ipv6" ? 128 : 32))
    return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list.check(host, family);
}
