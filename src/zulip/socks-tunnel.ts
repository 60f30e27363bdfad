import { connect, type Socket } from "node:net";
import { type HttpsProxy, socksAccount } from "./proxy.ts";
import { asProxyError, type TunnelLimits, tooLate, troubleWith } from "./proxy-trouble.ts";
import type { TransportError } from "./transport.ts";

const USUAL_PORT = 1080;

/**
 * A tunnel through a SOCKS5 proxy. The words of the protocol are undici's; its agent for such proxies gives every server five seconds, whatever
 * was asked for, and warns on stderr. The name of the server is the proxy's to look up.
 * @throws TransportError
 */
export async function openSocksTunnel(
  proxy: HttpsProxy,
  target: { readonly hostname: string; readonly port: number },
  { timeoutMs, signal }: TunnelLimits,
): Promise<Socket> {
  const { default: socks } = await import("undici/lib/core/socks5-client.js");
  const { hostname, port } = new URL(proxy.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: bare(hostname), port: port === "" ? USUAL_PORT : Number(port), signal });
    let isConnected = false;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(signal.aborted ? error : refusalOf(proxy, error, isConnected));
    };
    const timer = setTimeout(() => fail(tooLate(proxy, timeoutMs, isConnected)), timeoutMs);
    // Its own listeners come later: a connection that is refused has none yet. What fails after the way is open is for who uses it.
    socket.on("error", fail);
    socket.on("close", () => fail(troubleWith(proxy, "closes the connection without an answer")));
    socket.once("connect", () => {
      isConnected = true;
      const client = new socks.Socks5Client(socket, socksAccount(proxy.url) ?? {});
      client.on("error", fail);
      client.once("authenticated", () => {
        try {
          client.connect(bare(target.hostname), target.port);
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      });
      client.once("connected", () => {
        clearTimeout(timer);
        resolve(socket);
      });
      client.handshake();
    });
  });
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** What the proxy says with its numbers (RFC 1928), and what of it others than the proxy can mend. */
const REPLIES: { readonly [code: string]: string } = {
  UND_ERR_SOCKS5_REPLY_1: "fails by itself",
  UND_ERR_SOCKS5_REPLY_2: "does not let it through",
  UND_ERR_SOCKS5_REPLY_3: "does not reach the network of the server",
  UND_ERR_SOCKS5_REPLY_4: "does not reach the server",
  UND_ERR_SOCKS5_REPLY_5: "is refused by the server",
  UND_ERR_SOCKS5_REPLY_6: "does not reach the server in time",
  UND_ERR_SOCKS5_REPLY_7: "opens no tunnels",
  UND_ERR_SOCKS5_REPLY_8: "does not take this form of address",
};
const CREDENTIALS: ReadonlySet<string> = new Set(["UND_ERR_SOCKS5_AUTH_REJECTED", "UND_ERR_SOCKS5_AUTH_FAILED"]);

function refusalOf(proxy: HttpsProxy, error: Error, isConnected: boolean): TransportError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isNameWanted = code === "UND_ERR_INVALID_ARG" && /username/i.test(error.message);
  if (CREDENTIALS.has(code) || isNameWanted)
    return troubleWith(proxy, "wants a name and a password, or others (SOCKS5)", "proxy-credentials");
  const reply = /^UND_ERR_SOCKS5_REPLY_(\d+)$/.exec(code)?.[1];
  if (reply !== undefined)
    return troubleWith(proxy, `${REPLIES[code] ?? "refuses"} (SOCKS5 reply ${reply})`, "proxy-refuses");
  if (code.startsWith("UND_ERR_SOCKS5") || code === "UND_ERR_INVALID_ARG")
    return troubleWith(proxy, "does not answer by the rules of SOCKS5");
  return asProxyError(proxy, error, isConnected);
}
