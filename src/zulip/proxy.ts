import { BlockList, isIP } from "node:net";
import { EXIT, error, Failure } from "../model/diagnostic.ts";

/** The way to https servers that the environment asks for. */
export interface HttpsProxy {
  /** `http://proxy.example.org:3128`; may hold a name and a password, so it is never shown. */
  readonly url: string;
  /** Hosts that are reached without it, as NO_PROXY has them. */
  readonly except: string;
}

/**
 * The proxy that the environment names for https, read as curl does: lower case first, ALL_PROXY last.
 * @throws Failure when it is no address of an http proxy
 */
export function proxyOf(env: { readonly [name: string]: string | undefined }): HttpsProxy | undefined {
  const name = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].find((each) => env[each] !== undefined);
  const written = name === undefined ? "" : (env[name] ?? "").trim();
  if (name === undefined || written === "") return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  // Never shown: the address may hold a password.
  if (/^socks[45]?[ah]?:/i.test(url))
    throw new Failure(EXIT.errors, error("credentials/proxy", { variable: name, is_socks: true }));
  if (!/^https?:/i.test(url) || !URL.canParse(url) || proxyToken(url) === "unreadable")
    throw new Failure(EXIT.errors, error("credentials/proxy", { variable: name }));
  return { url, except: env.no_proxy ?? env.NO_PROXY ?? "" };
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
 * Is this server reached through the proxy? Entries of NO_PROXY are names (with everything below them), names with a port, addresses,
 * networks (`10.0.0.0/8`), or `*`.
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
