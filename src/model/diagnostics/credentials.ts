import { cases, type FactIn } from "../cases.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { type Unreadable, whyUnreadable } from "./unreadable.ts";
import { type Quoted, TYPED, type Word } from "./values.ts";
import { bare, say } from "./words.ts";

const QUOTED = "is in quotes, and they are a part of the value";

/** @property origin the source of a value that is not in a file: a flag, a variable */
interface From {
  readonly origin?: Word;
}

type CertificateKey = "cert_bundle" | "client_cert" | "client_cert_key";

/** The error in the address of an organization. The address itself is never included: the part before the @ may be a password. */
const siteCause = cases("cause", {
  "no-address": "is not an address",
  quotes: QUOTED,
  "user-info": "contains a user name or password",
  "e-mail": "is an e-mail address, not that of an organization",
  port: "has a port that is no number from 1 to 65535",
  scheme: ({ scheme }: { scheme: Word }) => `uses ${scheme}// instead of https`,
  "plain-http": (_: { host: Word }) => "uses plain http, which would show the API key to everybody on the way",
});
export type SiteCause = FactIn<typeof siteCause>;

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

const WITHOUT_QUOTES = "write it without quotes";

/** Errors in credentials. No fact ever holds a key, not even a wrong one. */
export const credentials = {
  /**
   * @property organization the ending of this organization's own variables, if the command is for several organizations
   * @property searched a zuliprc, and the number of its sections with a site; none has the site of the organization
   */
  "credentials/missing": diagnostic<{
    absent: readonly ("site" | "email" | "key")[];
    organization?: Word;
    /** Variables that are set, and whose names end similarly to the organization's own variables. */
    similar?: { readonly variables: readonly Word[]; readonly ending: Word };
    /** The zuliprc that was read, and lacks them. */
    read?: Word;
    searched?: { readonly file: Word; readonly sections: number; readonly realm: Word };
  }>({
    says: ({ absent, searched, read }) =>
      searched !== undefined && absent.length > 1
        ? `no credentials: no section of ${searched.file} has the site ${searched.realm} (${searched.sections === 1 ? "its only section has" : `its ${searched.sections} sections have`} another)`
        : `no credentials: ${listNames(absent.map((name) => ABSENT[name]))} ${absent.length === 1 ? "is" : "are"} missing${read === undefined ? "" : ` in ${read}`}`,
    help: ({ organization, searched, similar }) =>
      similar !== undefined
        ? `${listNames(similar.variables)} ${similar.variables.length === 1 ? "is" : "are"} set, but the names of this organization's variables end with __${similar.ending}`
        : organization === undefined
          ? `download a zuliprc from your Zulip settings (Account & privacy → API key) and save it as ~/.zuliprc, or ${VARIABLES}`
          : `${searched === undefined ? "add a section with its site to the zuliprc" : "correct the site of its section, or add a section"}, or set ZULIP_SITE__${organization}, ZULIP_EMAIL__${organization} and ZULIP_API_KEY__${organization}`,
    means: "No server, account or key is known.",
    out: "Set `ZULIP_SITE`, `ZULIP_EMAIL` and `ZULIP_API_KEY`, or download a zuliprc as `~/.zuliprc`.",
  }),
  "credentials/insecure": diagnostic<From & { cause: "value" | "unchecked" }>({
    says: ({ cause, origin }) =>
      cause === "value"
        ? say(`insecure must be true or false${by(origin)}`, "leave it out to have the certificate checked")
        : say(
            `the server's certificate is not checked${by(origin)}`,
            "for a certificate of your own, --cert-bundle keeps the connection safe",
          ),
    means: "The server's certificate is not checked: everybody between this machine and the server could read the key.",
    out: "Name the certificates to trust with `--cert-bundle` instead.",
  }),
  "credentials/site": diagnostic<From & SiteCause>({
    says: (fact) => `the site ${siteCause(fact)}${by(fact.origin)}`,
    help: (fact) => siteWay(fact),
    means: "The address of the server is not a URL, or not that of an organization.",
    out: "Write it like `https://chat.example.org`.",
  }),
  "credentials/email": diagnostic<From & { is_quoted?: true }>({
    says: ({ origin, is_quoted }) =>
      is_quoted === true
        ? say(`the address of the account ${QUOTED}${by(origin)}`, WITHOUT_QUOTES)
        : say(`the account is not an e-mail address${by(origin)}`, "write the address that the API key belongs to"),
    means: "The e-mail address of the account is not valid.",
    out: "Correct `ZULIP_EMAIL`, `--email` or the zuliprc.",
  }),
  "credentials/certificate": diagnostic({
    says: cases("cause", {
      "not-pem": ({ what, file, origin }: From & { what: CertificateKey; file: Word }) =>
        say(`${what} "${file}" is not a PEM file${by(origin)}`, PEM),
      unreadable: ({ what, file, why, origin }: From & { what: CertificateKey; file: Word; why: Unreadable }) =>
        say(`${what} "${file}" cannot be read: ${whyUnreadable(why)}${by(origin)}`, PEM),
      "key-alone": ({ origin }: From) =>
        say(
          `client_cert_key is given without client_cert${by(origin)}`,
          "name the certificate that the key belongs to, too",
        ),
    }),
    means: "The file with certificates cannot be read, or has no certificates.",
    out: "Name a file in PEM format.",
  }),
  "credentials/file": diagnostic<{
    file: Word;
    /** The option or variable that names the file; absent for the default path. */
    named_by?: Word;
    why: Unreadable;
  }>({
    says: ({ file, named_by, why }) =>
      `the credentials file "${file}" (${named_by ?? "the default place"}) cannot be read: ${whyUnreadable(why)}`,
    help: `download it from your Zulip settings (Account & privacy → API key), or ${VARIABLES}`,
    means: "The zuliprc that was named cannot be read.",
    out: "Correct the path, or leave it out to use `~/.zuliprc`.",
  }),
  "credentials/open-to-others": diagnostic<{
    file: Word;
    right: "change" | "read";
    /** The mode of the file, in octal digits. */
    mode: Word;
  }>({
    says: ({ file, right, mode }) =>
      `other accounts of this machine can ${right} the credentials file "${file}" (mode ${mode})`,
    help: ({ file }) => `keep it to yourself: chmod 600 ${file}`,
    means: "Other accounts on this machine can read the API key, or change the server's address in the file.",
    out: "Remove their rights: `chmod 600 ~/.zuliprc`.",
  }),
  "credentials/key": diagnostic<
    From & ({ cause: "character" } | { cause: "quotes" } | { cause: "length"; characters: number; wanted: number })
  >({
    says: (fact) =>
      fact.cause === "quotes"
        ? say(`the API key ${QUOTED}${by(fact.origin)}`, WITHOUT_QUOTES)
        : say(
            fact.cause === "character"
              ? `the API key contains a character that no key has (only letters and digits)${by(fact.origin)}`
              : `the API key has ${fact.characters} ${fact.characters === 1 ? "character" : "characters"}; every key has ${fact.wanted}${by(fact.origin)}`,
            COPY_KEY,
          ),
    means: "This is not an API key: API keys have 32 letters and digits.",
    out: "Copy it again from Settings, “Account & privacy”, or from the bot's page.",
  }),
  /** @property is_socks4 the value is the address of a SOCKS4 proxy, which is not supported */
  "credentials/proxy": diagnostic<{ variable: Word; is_socks4?: true }>({
    says: ({ variable, is_socks4 }) =>
      is_socks4 === true
        ? `${variable} is the address of a SOCKS4 proxy, but realmctl can use only HTTP and SOCKS5 proxies`
        : `${variable} is not the address of a proxy`,
    help: "write http://proxy.example.org:3128 or socks5://proxy.example.org:1080; NO_PROXY names hosts that are reached without it",
    means: "The address of the proxy is not a usable URL, or is that of a SOCKS4 proxy.",
    out: "Correct or unset `HTTPS_PROXY` or `ALL_PROXY`: `http://proxy.example.org:3128`, or `socks5://proxy.example.org:1080`.",
  }),
  "zuliprc/duplicate-section": diagnostic<{ section: Quoted }>({
    says: ({ section }) => `section [${bare(section)}] occurs twice`,
    help: "put everything into the first one",
    means: "`[api]` is written twice in the zuliprc.",
    out: "Keep one of the two.",
  }),
  /** @property sites the sites of the sections in the file @property is_other nothing in the file is of a zuliprc */
  "zuliprc/no-section": diagnostic<{ is_before: boolean; sites?: readonly Word[]; is_other?: true }>({
    says: ({ is_before, is_other, sites = [] }) =>
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
    means:
      "The zuliprc has no `[api]` section, or has sections for several organizations and the command is not about a file.",
    out: "Start it with `[api]`, or download it again. Of several sections, `--site` chooses the one with that address.",
  }),
  "zuliprc/same-site": diagnostic<{ sections: readonly Quoted[] }>({
    says: ({ sections }) =>
      `the sections ${listNames(sections.map((section) => `[${bare(section)}]`))} are for the same site, and nothing says which account acts`,
    help: "keep one of them, or name another file with --zuliprc",
    means: "Two sections of the zuliprc are for the organization, and nothing says which account acts.",
    out: "Keep one of them, or use a zuliprc with one account: `--zuliprc FILE`.",
  }),
  "zuliprc/syntax": diagnostic({
    says: "this line is neither a [section] nor key=value",
    help: "delete it, or write key=value",
    means: "A line of the zuliprc is neither a section nor `key=value`.",
    out: "Correct it, or download the file again.",
  }),
  /** @property key absent if it may be a secret: in a line with its sides exchanged, the API key stands where the name should be */
  "zuliprc/unknown-key": diagnostic<{ key?: Quoted; meant?: Word; known: readonly Word[] }>({
    says: ({ key }) =>
      key === undefined ? "this line is not a key of a zuliprc" : `"${bare(key)}" is not a key of a zuliprc`,
    help: ({ meant, known }) =>
      meant === undefined ? `keys: ${known.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`,
    means: "The zuliprc has an unknown key, which realmctl ignores.",
    out: "Correct the name, or delete the line.",
  }),
  "zuliprc/duplicate-key": diagnostic<{ key: Word }>({
    says: ({ key }) => `${key} is given twice`,
    help: "keep one of them",
    means: "A key is written twice in the zuliprc.",
    out: "Keep one of the two.",
  }),
  "zuliprc/empty": diagnostic<{ key: Word }>({
    says: ({ key }) => `${key} is empty`,
    help: `write its value, or delete the line`,
    means: "A value of the zuliprc is empty.",
    out: "Download the file again.",
  }),
  "zuliprc/quotes": diagnostic<{ key: Word }>({
    says: ({ key }) => `the quotes around ${key} would be part of its value`,
    help: "write it without quotes",
    means: "A value of the zuliprc is in quotes, which count as part of the value there.",
    out: "Delete the quotes.",
  }),
};

const by = (origin: string | undefined): string => (origin === undefined ? "" : ` (${originText(origin)})`);

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
