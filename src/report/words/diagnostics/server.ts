import type { AnswerBound, ServerFacts } from "../../../model/diagnostics/server.ts";
import { grouped } from "../../style.ts";
import { noAnswerText } from "../no-answer.ts";
import { originText } from "./credentials.ts";
import { formCause } from "./form-cause.ts";
import { whyUnreadable } from "./unreadable.ts";
import { bare, say, type WordsOf } from "./words.ts";

const PROXY_HINT = "HTTPS_PROXY names the proxy; NO_PROXY names hosts that are reached without it";
const AS_IN_BROWSER =
  "check the organization's address: copy it from the browser, and delete everything after the host, as in https://chat.example.org";
const ADMINISTRATOR = "use an account of an administrator or owner; a bot with that role is fine";
/** The advice about credentials that the server refuses. */
const KEY_WAYS = {
  key: "a key is made in the Zulip settings (Account & privacy → API key) and belongs to one address in one organization",
  deactivated: "use another account, or let an administrator reactivate this one",
  "no-organization": "an owner can ask the server's administrator to reactivate the organization",
  "webhook-bot": "an incoming webhook bot can only send messages: use a generic bot or a person",
};
const SSO_HINT = "single sign-on in front of the server is the usual reason";

export const serverWords: WordsOf<ServerFacts> = {
  "file/changed": ({ file }) =>
    say(`${file} cannot be sent: it is another file than the one that was planned`, "plan again, and review that plan"),
  "file/not-there": ({ file, why }) =>
    say(
      `${file} cannot be sent: ${why === undefined ? "no file is read here" : whyUnreadable(why)}`,
      "run the command where the configuration and its files are",
    ),
  "zulip/bots-see-no-invites": ({ email }) =>
    say(
      `${bare(email)} is a bot, and the server shows invitations to people only`,
      "use the API key of a person who is an administrator, or leave invitations out",
    ),
  "zulip/guest": ({ email, site }) =>
    say(`${bare(email)} is a guest in ${site} and sees only a part of it`, ADMINISTRATOR),
  "zulip/no-realm": ({ site }) =>
    say(`there is no organization at ${site}`, "the Zulip server there has other organizations; check the address"),
  "zulip/not-allowed": ({ site, email, answer }) =>
    say(`${site} refuses to answer ${bare(email)}: ${bare(answer)}`, ADMINISTRATOR),
  "zulip/refused": ({ site, email, answer }) =>
    say(
      `${site} refuses to answer ${bare(email)}: ${bare(answer)}`,
      "these are the server's own words; check that the address is the organization's, and that the account is active",
    ),
  "zulip/unauthorized": ({ site, email, answer, origin, cause }) =>
    say(
      `${site} refuses the credentials of ${bare(email)}: ${bare(answer)}`,
      `${origin === undefined ? "" : `${cameFrom(origin)}; `}${KEY_WAYS[cause ?? "key"]}`,
    ),
  "zulip/not-zulip": (fact) =>
    fact.expects === "https"
      ? say(
          `${fact.site} expects https at this port, but the request used plain http`,
          `write https://${new URL(fact.site).host}`,
        )
      : fact.is_cut === true
        ? say(
            `the answer of ${fact.site} ends too early (HTTP ${fact.status}${from(fact)})`,
            "something on the way cut it: try again; if that does not help, ask whoever runs the proxy in front of the server",
          )
        : say(
            `${fact.site} answers, but not as a Zulip server does (HTTP ${fact.status}, not JSON of its API${from(fact)})`,
            AS_IN_BROWSER,
          ),
  "zulip/proxy": ({ site, reason, detail }) =>
    say(
      `cannot reach ${site}: ${noAnswerText(reason)}`,
      detail === "proxy-credentials"
        ? "write them into its address: HTTPS_PROXY=http://name:password@proxy.example.org:3128 (or socks5://), special characters percent-encoded (%40 for @)"
        : detail === "proxy-refuses"
          ? `ask the proxy's administrator to allow the connection (CONNECT ${hostAndPort(site)}); ${PROXY_HINT}`
          : `check the proxy's address; ${PROXY_HINT}`,
    ),
  "zulip/rate-limited": ({ site }) =>
    say(
      `${site} keeps refusing requests because there were too many`,
      "try again later; requests of other programs with the same account count too",
    ),
  "zulip/redirect": (fact) => {
    const { site, status } = fact;
    const notFollowed = "realmctl does not follow redirects, because it would have to send the API key along";
    if (fact.to === "nowhere")
      return say(
        `${site} redirects requests, but not to a usable address (HTTP ${status}); ${notFollowed}`,
        AS_IN_BROWSER,
      );
    return say(`${site} redirects requests to ${fact.target}; ${notFollowed}`, wayOfRedirect(fact));
  },
  "zulip/server-error": ({ site, status }) => {
    if (status === 502 || status === 504)
      return say(
        `the proxy in front of ${site} gets no answer from Zulip (HTTP ${status}), even after retries`,
        "Zulip may be restarting: try again in a few minutes; its administrator finds the reason in its logs; nothing was changed",
      );
    if (status === 503)
      return say(
        `${site} fails with HTTP 503, even after retries: it is busy, or being upgraded`,
        "try again in a few minutes; nothing was changed",
      );
    return say(
      `${site} fails with HTTP ${status}, even after retries`,
      "the server's administrator finds the reason in its logs; nothing was changed",
    );
  },
  "zulip/deadline": ({ site, limit_seconds }) =>
    say(
      `the run reached its time limit of ${grouped(limit_seconds)} s (--deadline, REALMCTL_DEADLINE, or the Action's input deadline) before ${site} had answered everything`,
      "run the command again, or give it more time; an apply continues where it stopped",
    ),
  "zulip/stopped": () => say("stopped before the server answered", "run the command again; it reads before it sends"),
  "zulip/timeout": ({ site, reason, never_sent }) =>
    say(
      `${site} does not answer in time: ${noAnswerText(reason)}`,
      never_sent
        ? "a firewall that drops packets looks like this: check the address and its port, and whether a VPN or a proxy (HTTPS_PROXY) is needed"
        : "see whether the organization opens in a browser; a large one may need longer: --timeout 300 (seconds)",
    ),
  "zulip/tls": (fact) =>
    say(
      `the connection to ${fact.site} is not safe: ${fact.detail === "not-https" ? "the server there does not speak https" : noAnswerText(fact.reason)}`,
      wayOfTls(fact),
    ),
  "zulip/too-large": ({ site, reason }) =>
    say(
      `the answer of ${site} is too large: ${noAnswerText(reason)}`,
      "check the address; if it is a Zulip server, report how large the organization is",
    ),
  "zulip/too-old": ({ site, version, level, oldest_level }) =>
    say(
      `${site} runs Zulip ${bare(version)} (feature level ${level}); realmctl needs feature level ${oldest_level}, which Zulip 10.0 brought`,
      "ask for an upgrade of the server",
    ),
  "zulip/turned-away": (fact) => {
    const { site, status, cause } = fact;
    if (cause === "too-large")
      return say(
        `something in front of ${site} rejects the request as too large (HTTP ${status}${from(fact)})`,
        "ask its administrator to allow larger requests to /api/ (client_max_body_size of nginx)",
      );
    return say(
      cause === "login"
        ? `something in front of ${site} requires its own sign-in (HTTP ${status}, a page${from(fact)}); the request did not reach Zulip`
        : `something in front of ${site} does not let the request through (HTTP ${status}, a page${from(fact)}); it did not reach Zulip`,
      "a proxy, a firewall or single sign-on does this: ask its administrator to let requests to /api/ through, or use a network that is allowed (VPN)",
    );
  },
  "zulip/unexpected-answer": (fact) => {
    if ("refused" in fact)
      return say(
        `${fact.site} answers with something that no Zulip server sends: ${boundText(fact.refused)} (HTTP ${fact.status}${from(fact)})`,
        "check the organization's address; the answer was not used",
      );
    const [first] = fact.details;
    const what = first === undefined ? "it is unreadable" : formCause(first, "the answer");
    const more = fact.more > 0 ? ` (and ${fact.more} more)` : "";
    return say(
      `${fact.site} answers with something that realmctl does not understand: ${what}${more}`,
      "a newer realmctl may know it; if not, please report it",
    );
  },
  "zulip/unknown-host": ({ host }) =>
    say(
      `there is no host "${host}"`,
      "check the address, letter by letter; a name inside a company is known only in its network (VPN), or to its proxy (HTTPS_PROXY)",
    ),
  "zulip/unreachable": (fact) => say(`cannot reach ${fact.site}: ${noAnswerText(fact.reason)}`, wayToReach(fact)),
};

function boundText({ cause, most }: AnswerBound): string {
  switch (cause) {
    case "too-deep":
      return `it nests deeper than ${most} levels`;
    case "too-many":
      return `it contains more than ${grouped(most)} values`;
    case "too-long":
      return `it refuses with more than ${grouped(most)} characters`;
  }
}

const from = ({ server }: Pick<ServerFacts["zulip/turned-away"], "server">): string =>
  server === undefined ? "" : `, from "${bare(server)}"`;

const cameFrom = ({ email, key }: { readonly email: string; readonly key: string }): string =>
  email === key
    ? `the address and the key came from ${originText(key)}`
    : `the address came from ${originText(email)}, the key from ${originText(key)}`;

function wayOfRedirect(fact: Exclude<ServerFacts["zulip/redirect"], { to: "nowhere" }>): string {
  switch (fact.to) {
    case "moved":
      return `if that is your organization, write site=${fact.url}`;
    case "other-host":
      return `${SSO_HINT}; if that is your organization, write site=${fact.url}`;
    case "sign-in":
      return `${SSO_HINT}: ask its administrator to let requests to /api/ through without it`;
    case "same-host":
      return "the API is not at this address: copy the address from the browser, and delete everything after the host, as in https://chat.example.org";
  }
}

function wayOfTls({ site, detail, is_loopback, bundle }: ServerFacts["zulip/tls"]): string {
  switch (detail) {
    case "not-https":
      return is_loopback
        ? `a server on this machine without https has the address http://${new URL(site).host}`
        : "check the port: https uses 443, and the address then needs no port; realmctl sends no key over plain http";
    case "other-name":
      return "write the address with a name that the certificate has, or ask the server's administrator for a certificate with this name; trusting more certificates does not help";
    case "expired":
      return "check this machine's clock; if it is right, the server's administrator must renew the certificate";
    case "client-certificate":
      return "the server requires a client certificate, or another one: set client_cert and client_cert_key in the zuliprc";
    case "unknown-issuer":
      return bundle === undefined
        ? "for a certificate of your own, or of a proxy that decrypts https: --cert-bundle FILE or cert_bundle in the zuliprc"
        : `none of the certificates in the bundle (${bundle}) signed it: put the certificate of the authority that did into the file; realmctl uses the file instead of the system's certificates`;
    default:
      return "the server and this machine do not agree on a version of https: the server's administrator sees why in its logs";
  }
}

function wayToReach({ detail, is_loopback }: ServerFacts["zulip/unreachable"]): string {
  switch (detail) {
    case "refused":
      return is_loopback
        ? "nothing listens at this port of this machine: is the server running, and is this its port?"
        : "nothing listens at this port there: check the address and the port; the server may be down";
    case "no-route":
      return "there is no route to this address from here: check the network, and whether a VPN is needed";
    case "lookup":
      return "host names cannot be resolved at the moment: check the network and its DNS, then try again";
    case "blocked":
      return "this machine does not let programs connect there: a firewall, a sandbox or a container's rules";
    case "not-http":
      return "the server there does not speak HTTP: check the port";
    default:
      return "the connection broke: check the address, its port and the network, then try again";
  }
}

function hostAndPort(site: string): string {
  const { hostname, port } = new URL(site);
  return `${hostname}:${port === "" ? "443" : port}`;
}
