// As much of PowerDNS's API as octoDNS asks for a plan of one zone, out of memory.
import { createServer } from "node:http";

/** @param records `name` below example.org and `text` of each */
export async function powerDns(records) {
  const rrsets = records.map(({ name, text }) => ({
    name: `${name}.example.org.`,
    type: "TXT",
    ttl: 3600,
    comments: [],
    records: [{ content: `"${text}"`, disabled: false }],
  }));
  const zone = { id: "example.org.", name: "example.org.", kind: "Native", soa_edit_api: "DEFAULT", rrsets };
  const answers = {
    "": { type: "Server", id: "localhost", daemon_type: "authoritative", version: "4.9.1" },
    "/config": [],
    "/zones/example.org.": zone,
  };
  const texts = Object.fromEntries(Object.entries(answers).map(([path, answer]) => [path, JSON.stringify(answer)]));
  const http = createServer((incoming, outgoing) => {
    incoming.resume();
    const path = incoming.url.replace("/api/v1/servers/localhost", "").replace(/[?].*$|[/]$/, "");
    const text = texts[path];
    outgoing.writeHead(text === undefined ? 404 : 200, { "content-type": "application/json" });
    outgoing.end(text ?? '{"error":"Not Found"}');
  });
  await new Promise((listening) => http.listen(0, "127.0.0.1", listening));
  return {
    port: http.address().port,
    close: () =>
      new Promise((closed) => {
        http.close(closed);
        http.closeAllConnections();
      }),
  };
}
