import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { EXIT, type ExitCode } from "../../src/model/diagnostic.ts";

/** What a person reads about a failure. */
export interface Expected {
  readonly code: string;
  readonly says: RegExp;
  /** What to do about it. */
  readonly hint: RegExp;
  readonly never?: RegExp;
  readonly exitCode?: ExitCode;
}

const to =
  (status: number, location?: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, location === undefined ? {} : { location }).end();
const page =
  (status: number, headers: { readonly [name: string]: string } = {}, text = "<html>No.</html>"): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(text);

const BOMB = gzipSync(Buffer.alloc(70 * 2 ** 20, " "));

/** Servers that answer, but not as Zulip does. */
export const HTTP: readonly (Expected & { readonly name: string; readonly listener: RequestListener })[] = [
  {
    name: "a redirect to the sign-in page of the same address",
    listener: to(302, "/login/?next=/api/v1/register"),
    code: "zulip/redirect",
    says: /redirects requests to \/login\/; realmctl does not follow/,
    hint: /single sign-on in front of the server is the usual reason: .*\/api\//,
    never: /next=|write site=/,
  },
  {
    name: "a redirect to somebody who signs people in",
    listener: to(302, "https://idp.example.org/saml2/sso?SAMLRequest=abc"),
    code: "zulip/redirect",
    says: /redirects requests to https:\/\/idp\.example\.org\/saml2\/sso;/,
    hint: /single sign-on in front of the server/,
    never: /SAMLRequest/,
  },
  {
    name: "a redirect to where the organization is now",
    listener: (request, response) =>
      response.writeHead(308, { location: `https://chat.example.org${request.url}` }).end(),
    code: "zulip/redirect",
    says: /redirects requests to https:\/\/chat\.example\.org\/api\/v1\/register;/,
    hint: /write site=https:\/\/chat\.example\.org( |$)/,
    never: /single sign-on/,
  },
  {
    name: "a redirect to where the organization is now, below a directory",
    listener: (request, response) => response.writeHead(301, { location: `/zulip${request.url}` }).end(),
    code: "zulip/redirect",
    says: /redirects requests to \/zulip\/api\/v1\/register;/,
    hint: /write site=http:\/\/localhost:\d+\/zulip( |$)/,
  },
  {
    name: "a redirect to another host, nobody knows why",
    listener: to(302, "https://www.example.org/welcome"),
    code: "zulip/redirect",
    says: /to https:\/\/www\.example\.org\/welcome;/,
    hint: /usual reason; if that is your organization, write site=https:\/\/www\.example\.org/,
  },
  {
    name: "a redirect within the address",
    listener: to(302, "/welcome"),
    code: "zulip/redirect",
    says: /to \/welcome;/,
    hint: /the API is not at this address/,
  },
  {
    name: "a redirect without an address",
    listener: to(302),
    code: "zulip/redirect",
    says: /but not to a usable address \(HTTP 302\)/,
    hint: /check the organization's address/,
  },
  {
    name: "a redirect to no address",
    listener: to(302, "https://[nowhere"),
    code: "zulip/redirect",
    says: /but not to a usable address/,
    hint: /check the organization's address/,
  },
  {
    name: "a redirect to an address of 10 KB",
    listener: to(302, `/${"x".repeat(10_000)}`),
    code: "zulip/redirect",
    says: /to \/[x ]{100,210}…;/,
    hint: /copy the address from the browser/,
  },
  {
    name: "401 of a proxy that wants a password of its own",
    listener: page(401, { "www-authenticate": 'Basic realm="Intranet"', server: "nginx" }),
    code: "zulip/turned-away",
    says: /something in front of .* requires its own sign-in \(HTTP 401, a page, from "nginx"\)/,
    hint: /a proxy, a firewall or single sign-on does this.*\/api\//,
    never: /check the organization's address|API key/,
  },
  {
    name: "403 of a firewall",
    listener: page(403, { server: "cloudflare" }),
    code: "zulip/turned-away",
    says: /does not let the request through \(HTTP 403, a page, from "cloudflare"\)/,
    hint: /use a network that is allowed \(VPN\)/,
    never: /check the organization's address/,
  },
  {
    name: "407 of a proxy that nobody named",
    listener: page(407),
    code: "zulip/turned-away",
    says: /HTTP 407/,
    hint: /ask its administrator/,
  },
  {
    name: "451",
    listener: page(451),
    code: "zulip/turned-away",
    says: /HTTP 451/,
    hint: /ask its administrator/,
  },
  {
    name: "511 of a hotel",
    listener: page(511),
    code: "zulip/turned-away",
    says: /requires its own sign-in \(HTTP 511/,
    hint: /a network that is allowed/,
  },
  {
    name: "200 with a sign-in page",
    listener: page(200, {}, '<form><input name="p" type="password"></form>'),
    code: "zulip/turned-away",
    says: /requires its own sign-in \(HTTP 200/,
    hint: /single sign-on/,
  },
  {
    name: "413",
    listener: page(413),
    code: "zulip/turned-away",
    says: /rejects the request as too large \(HTTP 413/,
    hint: /client_max_body_size/,
  },
  {
    name: "404 with a page",
    listener: page(404, { server: "Apache" }),
    code: "zulip/not-zulip",
    says: /not as a Zulip server does \(HTTP 404, not JSON of its API, from "Apache"\)/,
    hint: /check the organization's address/,
  },
  {
    name: "200 with a page",
    listener: page(200),
    code: "zulip/not-zulip",
    says: /HTTP 200, not JSON/,
    hint: /check the organization's address/,
  },
  { name: "200 with nothing", listener: page(200, {}, ""), code: "zulip/not-zulip", says: /HTTP 200/, hint: /check/ },
  {
    name: "JSON of somebody else",
    listener: page(200, {}, '{"hello": 1}'),
    code: "zulip/not-zulip",
    says: /HTTP 200/,
    hint: /check/,
  },
  {
    name: "an answer packed as nobody asked for",
    listener: page(200, { "content-encoding": "br" }, "\u0001\u0002"),
    code: "zulip/not-zulip",
    says: /HTTP 200/,
    hint: /check/,
  },
  {
    name: "a program's name with a terminal's commands in it",
    listener: page(403, { server: "evil\u009b31mred" }),
    code: "zulip/turned-away",
    says: /from "evil\\u009b31mred"/,
    hint: /ask/,
  },
  {
    name: "plain http where https is wanted",
    listener: page(400, {}, "<html>400 The plain HTTP request was sent to HTTPS port</html>"),
    code: "zulip/not-zulip",
    says: /expects https at this port/,
    hint: /write https:\/\/localhost:\d+/,
  },
  {
    name: "500",
    listener: page(500),
    code: "zulip/server-error",
    says: /fails with HTTP 500/,
    hint: /in its logs; nothing was changed/,
  },
  {
    name: "502",
    listener: page(502),
    code: "zulip/server-error",
    says: /the proxy in front of .* gets no answer from Zulip \(HTTP 502\)/,
    hint: /may be restarting/,
  },
  {
    name: "503",
    listener: page(503),
    code: "zulip/server-error",
    says: /busy, or being upgraded/,
    hint: /try again in a few minutes/,
  },
  {
    name: "504",
    listener: page(504),
    code: "zulip/server-error",
    says: /gets no answer from Zulip \(HTTP 504\)/,
    hint: /may be restarting/,
  },
  {
    name: "429 forever",
    listener: page(429),
    code: "zulip/rate-limited",
    says: /keeps refusing requests/,
    hint: /try again later/,
  },
  {
    name: "a bomb of gzip",
    listener: (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB),
    code: "zulip/too-large",
    says: /is too large: it is larger than 64 MiB/,
    hint: /check the address/,
  },
  {
    name: "200,000 lists in each other",
    listener: page(200, {}, `{"result":"success","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
    code: "zulip/unexpected-answer",
    says: /something that no Zulip server sends: it nests deeper than 100 levels/,
    hint: /the answer was not used/,
  },
  {
    name: "a refusal of five million characters",
    listener: page(400, {}, JSON.stringify({ result: "error", code: "BAD_REQUEST", msg: "no ".repeat(1_700_000) })),
    code: "zulip/unexpected-answer",
    says: /it refuses with more than 100,000 characters \(HTTP 400\)/,
    hint: /check the organization's address/,
  },
  {
    name: "the server's own no",
    listener: page(401, {}, '{"result":"error","code":"UNAUTHORIZED","msg":"Invalid API key"}'),
    code: "zulip/unauthorized",
    says: /refuses the credentials of kim@example\.org: Invalid API key/,
    hint: /ZULIP_EMAIL.*ZULIP_API_KEY/,
    exitCode: EXIT.notAllowed,
  },
  {
    name: "no such organization",
    listener: page(404, {}, '{"result":"error","code":"NONEXISTENT_SUBDOMAIN","msg":"Subdomain does not exist"}'),
    code: "zulip/no-realm",
    says: /there is no organization at/,
    hint: /has other organizations/,
  },
];
