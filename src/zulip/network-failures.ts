import { type Diagnostic, EXIT, type ExitCode, Failure } from "../model/diagnostic.ts";
import type { Connection } from "./connection.ts";
import type { Reply } from "./reply.ts";
import { isLoopback } from "./site.ts";
import type { TransportError } from "./transport.ts";

const PROXY_HINT = "HTTPS_PROXY names the proxy; NO_PROXY names hosts that are reached without it";

/** No answer: what stood in the way, and what helps against just that. */
export function troubleFailure(
  { trouble, message, neverSent, detail }: TransportError,
  connection: Connection,
): Failure {
  const { site } = connection;
  const unreachable = (code: Diagnostic["code"], words: string, hint?: string) =>
    failure(EXIT.unreachable, code, words, hint);
  switch (trouble) {
    case "unknown-host":
      return unreachable(
        "zulip/unknown-host",
        `there is no host "${new URL(site).hostname}"`,
        "check the address, letter by letter; a name inside a company is known in its network only (VPN), or to its proxy (HTTPS_PROXY)",
      );
    case "tls":
      return tlsFailure(message, detail, connection);
    case "timeout":
      return neverSent
        ? unreachable(
            "zulip/timeout",
            `${site} does not answer in time: ${message}`,
            "a firewall that drops packets looks like this: check the address and its port, and whether a VPN or a proxy (HTTPS_PROXY) is needed",
          )
        : unreachable(
            "zulip/timeout",
            `${site} does not answer in time: ${message}`,
            "see whether the organization opens in a browser; a large one may need longer: --timeout 300 (seconds)",
          );
    case "proxy":
      return unreachable(
        "zulip/proxy",
        `cannot reach ${site}: ${message}`,
        detail === "proxy-credentials"
          ? "write them into its address: HTTPS_PROXY=http://name:password@proxy.example.org:3128, special characters as percent signs (%40 for @)"
          : detail === "proxy-refuses"
            ? `ask whoever runs the proxy to allow the connection (CONNECT ${hostAndPort(site)}); ${PROXY_HINT}`
            : `check the proxy's address; ${PROXY_HINT}`,
      );
    case "too-large":
      return unreachable(
        "zulip/too-large",
        `${site} sends an answer too large to be one: ${message}`,
        "check the address; if it is a Zulip server, report how large the organization is",
      );
    case "aborted":
      return unreachable("zulip/stopped", "stopped before the server answered");
    case "unreachable":
    case "broken-off":
      return unreachable("zulip/unreachable", `cannot reach ${site}: ${message}`, unreachableHint(detail, site));
  }
}

function unreachableHint(detail: TransportError["detail"], site: string): string {
  switch (detail) {
    case "refused":
      return isLoopback(new URL(site).hostname)
        ? "nothing listens at this port of this machine: is the server running, and is this its port?"
        : "nothing listens at this port there: check the address and the port; the server may be down";
    case "no-route":
      return "no way leads to this address from here: check the network, and whether a VPN is needed";
    case "lookup":
      return "names cannot be looked up at the moment: check the network and its DNS, then try again";
    case "blocked":
      return "this machine does not let programs connect there: a firewall, a sandbox or a container's rules";
    case "not-http":
      return "what answers there does not speak HTTP: check the port";
    default:
      return "the connection broke: check the address, its port and the network, then try again";
  }
}

function tlsFailure(message: string, detail: TransportError["detail"], { site, origin }: Connection): Failure {
  const unsafe = `the connection to ${site} is not safe: ${message}`;
  const { hostname, host } = new URL(site);
  const bundle = origin?.certBundle;
  const fail = (hint: string, words = unsafe) => failure(EXIT.unreachable, "zulip/tls", words, hint);
  switch (detail) {
    case "not-https":
      return fail(
        isLoopback(hostname)
          ? `a server on this machine without https has the address http://${host}`
          : "check the port: https has 443, and needs none in the address; realmctl sends no key over plain http",
        `the connection to ${site} is not safe: what answers there speaks no https`,
      );
    case "other-name":
      return fail(
        "write the address with a name that the certificate has, or let whoever runs the server get one for this name; trusting more certificates does not change whose it is",
      );
    case "expired":
      return fail("check this machine's clock; if it is right, whoever runs the server has to renew the certificate");
    case "client-certificate":
      return fail(
        "the server wants to see a certificate of yours, or another one: client_cert and client_cert_key in the zuliprc",
      );
    case "unknown-issuer":
      return fail(
        bundle === undefined
          ? "for a certificate of your own, or of a proxy that opens https: --cert-bundle FILE or cert_bundle in the zuliprc"
          : `none of the certificates in the bundle (${bundle}) signed it: put the one of who did into the file; it counts in place of the system's`,
      );
    default:
      return fail(
        "server and this machine do not agree on how to speak https: whoever runs the server sees why in its logs",
      );
  }
}

/** An answer that no Zulip server gives: something else answers, or something stands in front of it. */
export function unreadableFailure(reply: Extract<Reply, { kind: "unreadable" }>, site: string): Failure {
  const { status, server, asksFor, refused } = reply;
  const by = server === "" ? "" : `, from "${server}"`;
  if (refused !== undefined)
    return failure(
      EXIT.unreachable,
      "zulip/unexpected-answer",
      `${site} answers with something no Zulip server sends: ${refused} (HTTP ${status}${by})`,
      "check the organization's address; nothing was made of the answer",
    );
  if (status >= 500 && status !== 511) return serverFailure(status, site);
  if (asksFor === "https")
    return failure(
      EXIT.unreachable,
      "zulip/not-zulip",
      `${site} wants https at this port, and was asked over plain http`,
      `write https://${new URL(site).host}`,
    );
  if (asksFor === "login" || [401, 402, 403, 407, 451, 511].includes(status))
    return failure(
      EXIT.unreachable,
      "zulip/turned-away",
      asksFor === "login"
        ? `something in front of ${site} wants a sign-in of its own (HTTP ${status}, a page${by}); the request did not get as far as Zulip`
        : `something in front of ${site} does not let the request through (HTTP ${status}, a page${by}); it did not get as far as Zulip`,
      "a proxy, a firewall or single sign-on does this: ask whoever runs it to let requests to /api/ through, or go there from a network that may (VPN)",
    );
  if (status === 413 || status === 414 || status === 431)
    return failure(
      EXIT.unreachable,
      "zulip/turned-away",
      `something in front of ${site} finds the request too large (HTTP ${status}${by})`,
      "ask whoever runs it to allow larger requests to /api/ (client_max_body_size of nginx)",
    );
  return failure(
    EXIT.unreachable,
    "zulip/not-zulip",
    `${site} answers, but not as a Zulip server does (HTTP ${status}, no JSON of its API${by})`,
    "check the organization's address: it is what the browser shows, up to the first single slash",
  );
}

/** Where a redirect leads to, for messages: a query may hold what is nobody's to read. */
const LONGEST_TARGET = 200;
const SIGN_IN = /log-?in|sign-?in|sso|saml|oauth|oidc|openid|auth|accounts?\b|cas\b|adfs|idp/i;

/** A redirect is not followed: the key would go along. */
export function redirectFailure(reply: Extract<Reply, { kind: "redirect" }>, site: string): Failure {
  const { status, location, path } = reply;
  const url = location === "" || !URL.canParse(location, site) ? undefined : new URL(location, site);
  const here = new URL(site).origin;
  if (url === undefined)
    return failure(
      EXIT.unreachable,
      "zulip/redirect",
      `${site} sends requests on, and not to an address (HTTP ${status}); realmctl does not follow, the API key would go along`,
      "check the organization's address: it is what the browser shows, up to the first single slash",
    );
  const shown = `${url.origin === here ? "" : url.origin}${url.pathname}`;
  const target = shown.length > LONGEST_TARGET ? `${shown.slice(0, LONGEST_TARGET)}…` : shown;
  const isMoved = url.pathname.endsWith(path.slice(path.indexOf("/api/")));
  const words = `${site} sends requests on to ${target}; realmctl does not follow, the API key would go along`;
  const movedTo = `${url.origin}${url.pathname.slice(0, Math.max(0, url.pathname.lastIndexOf("/api/")))}`;
  if (isMoved && movedTo !== site)
    return failure(EXIT.unreachable, "zulip/redirect", words, `if that is your organization, write site=${movedTo}`);
  const isSignIn = SIGN_IN.test(`${url.hostname}${url.pathname}`);
  const hint = isSignIn
    ? "single sign-on in front of the server is the usual reason: ask whoever runs it to let requests to /api/ through without it"
    : url.origin === here
      ? "the API is not at this address: check it; it is what the browser shows, up to the first single slash"
      : `single sign-on in front of the server is the usual reason; if that is your organization, write site=${url.origin}`;
  return failure(EXIT.unreachable, "zulip/redirect", words, hint);
}

/** The server, or the proxy that should ask it, fails. */
export function serverFailure(status: number, site: string): Failure {
  if (status === 502 || status === 504)
    return failure(
      EXIT.unreachable,
      "zulip/server-error",
      `the proxy in front of ${site} gets no answer from Zulip (HTTP ${status}), also when asked again`,
      "Zulip may be restarting: try again in some minutes; its administrator finds the reason in its logs; nothing was changed",
    );
  if (status === 503)
    return failure(
      EXIT.unreachable,
      "zulip/server-error",
      `${site} fails with HTTP 503, also when asked again: it is busy, or being upgraded`,
      "try again in some minutes; nothing was changed",
    );
  return failure(
    EXIT.unreachable,
    "zulip/server-error",
    `${site} fails with HTTP ${status}, also when asked again`,
    "the server's administrator finds the reason in its logs; nothing was changed",
  );
}

function hostAndPort(site: string): string {
  const { hostname, port } = new URL(site);
  return `${hostname}:${port === "" ? "443" : port}`;
}

export function failure(exitCode: ExitCode, code: Diagnostic["code"], message: string, hint?: string): Failure {
  return new Failure(exitCode, { code, severity: "error", message, ...(hint === undefined ? {} : { hint }) });
}
