import { cases, type FactIn } from "../cases.ts";
import { grouped } from "../words.ts";
import { type NoAnswer, noAnswerText } from "./calls.ts";
import { originText } from "./credentials.ts";
import { diagnostic } from "./definition.ts";
import { formCause, type UnexpectedPart } from "./form-cause.ts";
import { type Unreadable, whyUnreadable } from "./unreadable.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, say } from "./words.ts";

interface AtSite {
  readonly site: Word;
}

interface Unreached extends AtSite {
  readonly reason: NoAnswer;
}

interface Refusal extends AtSite {
  readonly email: Quoted;
  readonly answer: Quoted;
}

/** @property server the name of the server in its answer; absent if the answer has none */
interface FromSomethingElse {
  readonly status: number;
  /** It is the beginning of an answer of Zulip. */
  readonly is_cut?: true;
  readonly server?: Quoted;
}

/** A limit that answers of Zulip servers never reach. @property most the number of levels or values, or of characters in a refusal */
const boundText = cases("cause", {
  "too-deep": ({ most }: { most: number }) => `it nests deeper than ${most} levels`,
  "too-many": ({ most }: { most: number }) => `it contains more than ${grouped(most)} values`,
  "too-long": ({ most }: { most: number }) => `it refuses with more than ${grouped(most)} characters`,
});
export type AnswerBound = FactIn<typeof boundText>;

export type RedirectTarget =
  | { readonly to: "nowhere" }
  | {
      readonly to: "moved" | "other-host";
      readonly target: Word;
      /** The address of the organization there. */
      readonly url: Word;
    }
  | { readonly to: "sign-in" | "same-host"; readonly target: Word };

/** The obstacle to a request, if each needs a different remedy. */
export type ConnectionDetail =
  | "refused"
  | "no-route"
  | "lookup"
  | "blocked"
  | "not-http"
  | "not-https"
  | "other-name"
  | "expired"
  | "unknown-issuer"
  | "client-certificate"
  | "proxy-credentials"
  | "proxy-refuses"
  | "proxy-unreachable";

type RedirectFact = AtSite & { readonly status: number } & RedirectTarget;

type TlsFact = Unreached & {
  readonly detail?: ConnectionDetail;
  readonly is_loopback: boolean;
  /** The file of certificates that is used instead of the system's. */
  readonly bundle?: Word;
};

type TurnedAwayFact = AtSite & { readonly cause: "login" | "blocked" | "too-large" } & FromSomethingElse;

type UnreachableFact = Unreached & { readonly detail?: ConnectionDetail; readonly is_loopback: boolean };

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

/** Errors of a server that gives no answer, or no usable one. */
export const server = {
  "file/changed": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} cannot be sent: it is another file than the one that was planned`,
    help: "plan again, and review that plan",
    means: "A file that the plan sends was changed after planning: its SHA-256 differs. Nothing was sent.",
    out: "Plan again, and review that plan; or restore the planned file.",
  }),
  "file/not-there": diagnostic<{ file: Word; why?: Unreadable }>({
    says: ({ file, why }) =>
      `${file} cannot be sent: ${why === undefined ? "no file is read here" : whyUnreadable(why)}`,
    help: "run the command where the configuration and its files are",
    means: "`apply` cannot read a file that the plan sends. Nothing was sent.",
    out: "Run `apply` where the configuration and the files that it names are, at the same paths as for the plan.",
  }),
  "zulip/bots-see-no-invites": diagnostic<{ email: Quoted }>({
    says: ({ email }) => `${bare(email)} is a bot, and the server shows invitations to people only`,
    help: "use the API key of a person who is an administrator, or leave invitations out",
    means: "The file manages invitations, and the server shows them to people only.",
    out: "Use the key of a person's account.",
  }),
  "zulip/guest": diagnostic<{ email: Quoted; site: Word }>({
    says: ({ email, site }) => `${bare(email)} is a guest in ${site} and sees only a part of it`,
    help: ADMINISTRATOR,
    means: "The account is a guest, and sees too little of the organization to plan anything.",
    out: "Use another account.",
  }),
  "zulip/no-realm": diagnostic<AtSite>({
    says: ({ site }) => `there is no organization at ${site}`,
    help: "the Zulip server there has other organizations; check the address",
    means: "The server is a Zulip server, but has no organization at this address.",
    out: "Correct the address.",
  }),
  "zulip/not-allowed": diagnostic<Refusal>({
    says: ({ site, email, answer }) => `${site} refuses to answer ${bare(email)}: ${bare(answer)}`,
    help: ADMINISTRATOR,
    means: "The server does not allow the account to read this.",
    out: "Use another account.",
  }),
  "zulip/refused": diagnostic<Refusal>({
    says: ({ site, email, answer }) => `${site} refuses to answer ${bare(email)}: ${bare(answer)}`,
    help: "these are the server's own words; check that the address is the organization's, and that the account is active",
    means: "The server refused a request that only reads.",
    out: "The message has the server's own words: follow them.",
  }),
  "zulip/unauthorized": diagnostic<
    Refusal & {
      /** The sources of the address and the key. */
      origin?: { readonly email: Word; readonly key: Word };
      /** Why the account cannot be used although the key is right. */
      cause?: "deactivated" | "no-organization" | "webhook-bot";
    }
  >({
    says: ({ site, email, answer }) => `${site} refuses the credentials of ${bare(email)}: ${bare(answer)}`,
    help: ({ origin, cause }) => `${origin === undefined ? "" : `${cameFrom(origin)}; `}${KEY_WAYS[cause ?? "key"]}`,
    means: "The server rejected these credentials.",
    out: "Correct them. When somebody generates a new key, the old one stops working.",
  }),
  "zulip/not-zulip": diagnostic<AtSite & ({ expects: "https" } | ({ expects?: never } & FromSomethingElse))>({
    says: (fact) =>
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
    means:
      "The server at this address is not a Zulip server: it answers in another form, or does not know the request (HTTP 501).",
    out: "Correct the address.",
  }),
  "zulip/proxy": diagnostic<Unreached & { detail?: ConnectionDetail }>({
    says: ({ site, reason }) => `cannot reach ${site}: ${noAnswerText(reason)}`,
    help: ({ site, detail }) =>
      detail === "proxy-credentials"
        ? "write them into its address: HTTPS_PROXY=http://name:password@proxy.example.org:3128 (or socks5://), special characters percent-encoded (%40 for @)"
        : detail === "proxy-refuses"
          ? `ask the proxy's administrator to allow the connection (CONNECT ${hostAndPort(site)}); ${PROXY_HINT}`
          : `check the proxy's address; ${PROXY_HINT}`,
    means:
      "The proxy that the environment names (HTTPS_PROXY) cannot be reached, requires a password, or does not let the connection through.",
    out: "Correct the proxy's address, or name the server in NO_PROXY if it is reached without it.",
  }),
  "zulip/rate-limited": diagnostic<AtSite>({
    says: ({ site }) => `${site} keeps refusing requests because there were too many`,
    help: "try again later; requests of other programs with the same account count too",
    means: "The server refused too many requests of this account in a row, for longer than realmctl waits.",
    out: "Try again later, or with an account that nothing else uses.",
  }),
  "zulip/redirect": diagnostic<RedirectFact>({
    says: (fact) => {
      const { site, status } = fact;
      const notFollowed = "realmctl does not follow redirects, because it would have to send the API key along";
      if (fact.to === "nowhere")
        return say(
          `${site} redirects requests, but not to a usable address (HTTP ${status}); ${notFollowed}`,
          AS_IN_BROWSER,
        );
      return say(`${site} redirects requests to ${fact.target}; ${notFollowed}`, wayOfRedirect(fact));
    },
    means: "The server redirects to another address. realmctl sends a key only to the address that was given.",
    out: "Use the address that the message names. If it is a sign-in page, single sign-on protects the server and must let requests to `/api/` through.",
  }),
  "zulip/server-error": diagnostic<AtSite & { status: number }>({
    says: ({ site, status }) => {
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
    means: "The server failed with an internal error.",
    out: "Try again. If the error stays, ask the server's administrator.",
  }),
  "zulip/deadline": diagnostic<AtSite & { limit_seconds: number }>({
    says: ({ site, limit_seconds }) =>
      `the run reached its time limit of ${grouped(limit_seconds)} s (--deadline, REALMCTL_DEADLINE, or the Action's input deadline) before ${site} had answered everything`,
    help: "run the command again, or give it more time; an apply continues where it stopped",
    means: "The time that `--deadline` (or `REALMCTL_DEADLINE`) gives the whole run was over before it was done.",
    out: "Run the command again. It reads before it sends, so an apply continues where it stopped. A large organization may need more time.",
  }),
  "zulip/stopped": diagnostic({
    says: "stopped before the server answered",
    help: "run the command again; it reads before it sends",
    means: "The command was interrupted while it waited for the server.",
    out: "Start it again.",
  }),
  "zulip/timeout": diagnostic<Unreached & { never_sent: boolean }>({
    says: ({ site, reason }) => `${site} does not answer in time: ${noAnswerText(reason)}`,
    help: ({ never_sent }) =>
      never_sent
        ? "a firewall that drops packets looks like this: check the address and its port, and whether a VPN or a proxy (HTTPS_PROXY) is needed"
        : "see whether the organization opens in a browser; a large one may need longer: --timeout 300 (seconds)",
    means: "The server did not answer in time.",
    out: "See whether it works in a browser and whether a VPN or a proxy is needed; `--timeout 300` waits longer.",
  }),
  "zulip/tls": diagnostic<TlsFact>({
    says: (fact) =>
      `the connection to ${fact.site} is not safe: ${fact.detail === "not-https" ? "the server there does not speak https" : noAnswerText(fact.reason)}`,
    help: (fact) => wayOfTls(fact),
    means: "The connection cannot be made secure: the certificate has expired, is for another name, or is not trusted.",
    out: "Do what the message says: each of these needs another solution, and `--cert-bundle` helps only with a certificate that is not trusted.",
  }),
  "zulip/too-large": diagnostic<Unreached>({
    says: ({ site, reason }) => `the answer of ${site} is too large: ${noAnswerText(reason)}`,
    help: "check the address; if it is a Zulip server, report how large the organization is",
    means: "The server's answer is larger than that of any organization.",
    out: "Check the address.",
  }),
  "zulip/too-old": diagnostic<
    AtSite & {
      version: Quoted;
      level: number;
      oldest_level: number;
    }
  >({
    says: ({ site, version, level, oldest_level }) =>
      `${site} runs Zulip ${bare(version)} (feature level ${level}); realmctl needs feature level ${oldest_level}, which Zulip 10.0 brought`,
    help: "ask for an upgrade of the server",
    means: "The server is older than realmctl supports (feature level 320, Zulip 10).",
    out: "Upgrade the server.",
  }),
  "zulip/turned-away": diagnostic<TurnedAwayFact>({
    says: (fact) => {
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
    means:
      "Something in front of the server (a proxy, a firewall, single sign-on) answered in its place, and did not let the request through.",
    out: "Ask its administrator to let requests to `/api/` through, or use a network that is allowed.",
  }),
  "zulip/unexpected-answer": diagnostic<
    AtSite & (({ refused: AnswerBound } & FromSomethingElse) | { details: readonly UnexpectedPart[]; more: number })
  >({
    says: (fact) => {
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
    means: "The server gave an answer that Zulip servers do not give.",
    out: "Check the address; report it if it is a Zulip server.",
  }),
  "zulip/unknown-host": diagnostic<{ host: Word }>({
    says: ({ host }) => `there is no host "${host}"`,
    help: "check the address, letter by letter; a name inside a company is known only in its network (VPN), or to its proxy (HTTPS_PROXY)",
    means: "There is no host with this name.",
    out: "Correct the address.",
  }),
  "zulip/unreachable": diagnostic<UnreachableFact>({
    says: (fact) => `cannot reach ${fact.site}: ${noAnswerText(fact.reason)}`,
    help: (fact) => wayToReach(fact),
    means: "No connection to the server can be made.",
    out: "Check the network and the address.",
  }),
};

const from = ({ server }: Pick<TurnedAwayFact, "server">): string =>
  server === undefined ? "" : `, from "${bare(server)}"`;

const cameFrom = ({ email, key }: { readonly email: string; readonly key: string }): string =>
  email === key
    ? `the address and the key came from ${originText(key)}`
    : `the address came from ${originText(email)}, the key from ${originText(key)}`;

function wayOfRedirect(fact: Exclude<RedirectFact, { to: "nowhere" }>): string {
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

function wayOfTls({ site, detail, is_loopback, bundle }: TlsFact): string {
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

function wayToReach({ detail, is_loopback }: UnreachableFact): string {
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
