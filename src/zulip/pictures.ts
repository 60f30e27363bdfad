import type { UnfetchedPicture } from "../model/shown-picture.ts";
import type { Connection } from "./connection.ts";
import { TransportError } from "./transport.ts";

/** What the server has at an address. */
type Fetched = { readonly bytes: Uint8Array } | { readonly unfetched: UnfetchedPicture };

/**
 * Fetches public pictures: without credentials, from the organization's own server, and from other hosts only if they are named. The address comes
 * from the server: it could lead anywhere, also into the private network of the user.
 * @param others hosts besides the organization's own, over https
 */
export async function fetchPicture(
  connection: Pick<Connection, "site" | "fetchPublic">,
  address: string,
  { mostBytes, others = [] }: { readonly mostBytes: number; readonly others?: readonly string[] },
): Promise<Fetched> {
  const own = new URL(connection.site);
  const url = URL.canParse(address, own.origin) ? new URL(address, own.origin) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || address === "")
    return { unfetched: { why: "no-address" } };
  if (url.origin !== own.origin && !(url.protocol === "https:" && others.some((other) => hostIn(other) === url.host)))
    return { unfetched: { why: "elsewhere", host: url.host } };
  url.hash = "";
  const answer = await connection.fetchPublic(url.href);
  if (answer instanceof TransportError)
    return { unfetched: answer.failure === "too-large" ? tooLarge(mostBytes) : { why: "no-answer" } };
  if (answer.status !== 200) return { unfetched: { why: "status", status: answer.status } };
  const bytes = answer.bytes ?? Buffer.from(answer.body, "utf8");
  return bytes.length > mostBytes ? { unfetched: tooLarge(mostBytes) } : { bytes };
}

/** The host of an address, for people who name one. */
const hostIn = (written: string): string => written.replace(/^https?:\/\//i, "").replace(/\/.*$/, "");

const tooLarge = (mostBytes: number): UnfetchedPicture => ({
  why: "too-large",
  most_mebibytes: Math.floor(mostBytes / 2 ** 20),
});
