import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
  type IncomingMessage,
  createServer as plainServer,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Small images of Node have no openssl. .ci/run installs it, so there its absence is a failure. */
export const hasOpenssl =
  process.env.CI !== undefined || spawnSync("openssl", ["version"], { timeout: 10_000 }).status === 0;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for these names, as openssl writes them: "DNS:localhost,IP:127.0.0.1". */
export function certificateFor(names: string, validity: readonly string[] = ["-days", "2"]): Certificate {
  const directory = mkdtempSync(join(tmpdir(), "realmctl-certificate-"));
  try {
    const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const subject = ["-subj", "/CN=test", "-addext", `subjectAltName=${names}`, ...validity];
    execFileSync("openssl", ["req", "-x509", ...kind, "-keyout", key, "-out", cert, ...subject], {
      stdio: "pipe",
      timeout: 30_000,
    });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

export async function listen(server: NetServer, closeAll: () => void = () => {}): Promise<Listening> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return {
    port: address.port,
    close: async () => {
      closeAll();
      await new Promise((done) => server.close(done));
    },
  };
}

/** An https server that forwards every request to a plain http server on this machine. */
export async function tlsFront({ key, cert }: Certificate, target: (host: string) => string): Promise<Listening> {
  const server = createServer({ key, cert }, (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? "/", target(incoming.headers.host ?? ""));
    const { host: _, ...headers } = incoming.headers;
    const onward = request(url, { method: incoming.method ?? "GET", headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  return listen(server, () => server.closeAllConnections());
}

/** A proxy on this machine that opens tunnels (CONNECT) for any destination to one port here, and records who asked for what. */
export class TunnelProxy {
  /** "chat.acme.example:443", with the value of Proxy-Authorization if there is one. */
  readonly tunnels: string[] = [];
  /** Requests that did not ask for a tunnel, and so were not https. */
  readonly plain: string[] = [];
  verdict = "HTTP/1.1 200 Connection established\r\n\r\n";
  private readonly server: Server;
  private listening: Listening | undefined;

  constructor(target: () => number, credentials?: string) {
    this.server = plainServer((incoming, response) => {
      this.plain.push(incoming.url ?? "");
      response.writeHead(500).end();
    });
    const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
    this.server.on("connect", (incoming, client) => {
      const given = incoming.headers["proxy-authorization"];
      this.tunnels.push(`${incoming.url} ${given ?? ""}`.trim());
      client.on("error", () => {});
      const verdict =
        wanted !== undefined && given !== wanted ? "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n" : this.verdict;
      client.write(verdict);
      if (!verdict.includes(" 200 ")) return client.end();
      const upstream = connect(target(), "127.0.0.1", () => upstream.pipe(client).pipe(upstream));
      upstream.on("error", () => client.destroy());
      client.on("close", () => upstream.destroy());
    });
  }

  async start(): Promise<this> {
    this.listening = await listen(this.server, () => this.server.closeAllConnections());
    return this;
  }

  get port(): number {
    if (this.listening === undefined) throw new Error("not started");
    return this.listening.port;
  }

  async end(): Promise<void> {
    await this.listening?.close();
  }
}
