import type { CredentialFacts, SiteCause } from "../../../model/diagnostics/credentials.ts";
import { TYPED } from "../../../model/diagnostics/credentials.ts";
import { listNames } from "../list-names.ts";
import { whyUnreadable } from "./unreadable.ts";
import { bare, say, type WordsOf } from "./words.ts";

const VARIABLES = "set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY";
const PEM = "name a file with certificates in PEM: its lines begin with -----BEGIN CERTIFICATE-----";
const COPY_KEY = "copy it again from your Zulip settings (Account & privacy → API key)";
const GET_ZULIPRC = "download it again from your Zulip settings (Account & privacy → API key)";
const ADDRESS = "write an address such as https://chat.example.org";

const ABSENT = {
  site: "the organization's address (site)",
  email: "the account (email)",
  key: "the API key (key)",
} as const;

const QUOTED = "is in quotes, and they are a part of the value";
const WITHOUT_QUOTES = "write it without quotes";

export const credentialWords: WordsOf<CredentialFacts> = {
  "credentials/missing": ({ absent, organization, searched, similar, read }) =>
    say(
      searched !== undefined && absent.length > 1
        ? `no credentials: no section of ${searched.file} has the site ${searched.realm} (${searched.sections === 1 ? "its only section has" : `its ${searched.sections} sections have`} another)`
        : `no credentials: ${listNames(absent.map((name) => ABSENT[name]))} ${absent.length === 1 ? "is" : "are"} missing${read === undefined ? "" : ` in ${read}`}`,
      similar !== undefined
        ? `${listNames(similar.variables)} ${similar.variables.length === 1 ? "is" : "are"} set, but the names of this organization's variables end with __${similar.ending}`
        : organization === undefined
          ? `download a zuliprc from your Zulip settings (Account & privacy → API key) and save it as ~/.zuliprc, or ${VARIABLES}`
          : `${searched === undefined ? "add a section with its site to the zuliprc" : "correct the site of its section, or add a section"}, or set ZULIP_SITE__${organization}, ZULIP_EMAIL__${organization} and ZULIP_API_KEY__${organization}`,
    ),
  "credentials/insecure": ({ cause, origin }) =>
    cause === "value"
      ? say(`insecure must be true or false${by(origin)}`, "leave it out to have the certificate checked")
      : say(
          `the server's certificate is not checked${by(origin)}`,
          "for a certificate of your own, --cert-bundle keeps the connection safe",
        ),
  "credentials/site": (fact) => say(`the site ${siteCause(fact)}${by(fact.origin)}`, siteWay(fact)),
  "credentials/email": ({ origin, is_quoted }) =>
    is_quoted === true
      ? say(`the address of the account ${QUOTED}${by(origin)}`, WITHOUT_QUOTES)
      : say(`the account is not an e-mail address${by(origin)}`, "write the address that the API key belongs to"),
  "credentials/certificate": (fact) => {
    switch (fact.cause) {
      case "not-pem":
        return say(`${fact.what} "${fact.file}" is not a PEM file${by(fact.origin)}`, PEM);
      case "unreadable":
        return say(`${fact.what} "${fact.file}" cannot be read: ${whyUnreadable(fact.why)}${by(fact.origin)}`, PEM);
      case "key-alone":
        return say(
          `client_cert_key is given without client_cert${by(fact.origin)}`,
          "name the certificate that the key belongs to, too",
        );
    }
  },
  "credentials/file": ({ file, named_by, why }) =>
    say(
      `the credentials file "${file}" (${named_by ?? "the default place"}) cannot be read: ${whyUnreadable(why)}`,
      `download it from your Zulip settings (Account & privacy → API key), or ${VARIABLES}`,
    ),
  "credentials/open-to-others": ({ file, right, mode }) =>
    say(
      `other accounts of this machine can ${right} the credentials file "${file}" (mode ${mode})`,
      `keep it to yourself: chmod 600 ${file}`,
    ),
  "credentials/key": (fact) =>
    fact.cause === "quotes"
      ? say(`the API key ${QUOTED}${by(fact.origin)}`, WITHOUT_QUOTES)
      : say(
          fact.cause === "character"
            ? `the API key contains a character that no key has (only letters and digits)${by(fact.origin)}`
            : `the API key has ${fact.characters} ${fact.characters === 1 ? "character" : "characters"}; every key has ${fact.wanted}${by(fact.origin)}`,
          COPY_KEY,
        ),
  "credentials/proxy": ({ variable, is_socks4 }) =>
    say(
      is_socks4 === true
        ? `${variable} is the address of a SOCKS4 proxy, but realmctl can use only HTTP and SOCKS5 proxies`
        : `${variable} is not the address of a proxy`,
      "write http://proxy.example.org:3128 or socks5://proxy.example.org:1080; NO_PROXY names hosts that are reached without it",
    ),
  "zuliprc/duplicate-section": ({ section }) =>
    say(`section [${bare(section)}] occurs twice`, "put everything into the first one"),
  "zuliprc/no-section": ({ is_before, is_other, sites = [] }) =>
    is_other === true
      ? say("this file is not a zuliprc: it has no section [api], and no e-mail address or key", GET_ZULIPRC)
      : is_before
        ? say("this line stands before the section [api]", "the first line of a zuliprc is [api]")
        : sites.length > 0
          ? say(
              `there is no section [api], and nothing says which organization is meant: ${listNames(sites)}`,
              `name its address: --site ${sites[0]}`,
            )
          : say("there is no section [api]", GET_ZULIPRC),
  "zuliprc/same-site": ({ sections }) =>
    say(
      `the sections ${listNames(sections.map((section) => `[${bare(section)}]`))} are for the same site, and nothing says which account acts`,
      "keep one of them, or name another file with --zuliprc",
    ),
  "zuliprc/syntax": () => say("this line is neither a [section] nor key=value", "delete it, or write key=value"),
  "zuliprc/unknown-key": ({ key, meant, known }) =>
    say(
      key === undefined ? "this line is not a key of a zuliprc" : `"${bare(key)}" is not a key of a zuliprc`,
      meant === undefined ? `keys: ${known.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`,
    ),
  "zuliprc/duplicate-key": ({ key }) => say(`${key} is given twice`, "keep one of them"),
  "zuliprc/empty": ({ key }) => say(`${key} is empty`, `write its value, or delete the line`),
  "zuliprc/quotes": ({ key }) => say(`the quotes around ${key} would be part of its value`, "write it without quotes"),
};

const by = (origin: string | undefined): string => (origin === undefined ? "" : ` (${originText(origin)})`);

function siteCause(fact: SiteCause): string {
  switch (fact.cause) {
    case "quotes":
      return QUOTED;
    case "no-address":
      return "is not an address";
    case "scheme":
      return `uses ${fact.scheme}// instead of https`;
    case "user-info":
      return "contains a user name or password";
    case "e-mail":
      return "is an e-mail address, not that of an organization";
    case "port":
      return "has a port that is no number from 1 to 65535";
    case "plain-http":
      return "uses plain http, which would show the API key to everybody on the way";
  }
}

function siteWay(fact: SiteCause): string {
  switch (fact.cause) {
    case "quotes":
      return WITHOUT_QUOTES;
    case "user-info":
      return `${ADDRESS}; credentials belong in the zuliprc or in ZULIP_API_KEY`;
    case "e-mail":
      return `${ADDRESS}; the account's address belongs to --email or ZULIP_EMAIL`;
    case "plain-http":
      return `use https://${fact.host}; plain http is for this machine only (localhost)`;
    default:
      return ADDRESS;
  }
}

/** The source of a value: a variable, an option, a line of a file. */
export const originText = (origin: string): string => (origin === TYPED ? "what was typed" : origin);
