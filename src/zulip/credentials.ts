import { defined } from "../model/defined.ts";
import {
  type Checked,
  type Diagnostic,
  error,
  type Found as FoundError,
  type Span,
  warning,
} from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { quote, TYPED } from "../model/diagnostics/values.ts";
import { didYouMean } from "../model/suggest.ts";
import { unreadable } from "../model/unreadable.ts";
import { normaliseSite, parseZuliprc, Secret, sitesIn, type Zuliprc, type ZuliprcKey } from "./zuliprc.ts";

/** The options of the command line; each wins over the environment, which wins over the file (zulip-api.md §13.2). */
export interface CredentialFlags {
  readonly site?: string;
  readonly email?: string;
  readonly key?: string;
  /** The path of a zuliprc; if it is given, the file must exist. */
  readonly zuliprc?: string;
  /** The path of a PEM file. */
  readonly certBundle?: string;
  readonly insecure?: boolean;
  /** The values that a person typed when asked: messages about these must not name an option. */
  readonly typed?: readonly ("site" | "email" | "key")[];
  /** The organization whose credentials are needed, if there may be several. */
  readonly organization?: WantedOrganization;
}

/** An organization before a server was contacted. */
export interface WantedOrganization {
  /** The ending of the organization's own variables, after two underscores: `ACME` for `ZULIP_API_KEY__ACME`. */
  readonly name: string;
  /** The URL in its file; undefined if the file has none. */
  realm(): Promise<string | undefined>;
  /** Whether the command has several organizations: then variables without a name apply only if their site is the organization's own. */
  readonly isOneOfMany: boolean;
}

/** The sources of credentials; `Io` has all of them. */
export interface CredentialSource {
  readonly env: { readonly [name: string]: string | undefined };
  /** @throws the system's error (`code` ENOENT, EACCES, …) */
  readFile(path: string): Promise<string>;
  /** The mode of a file (`0o600`); undefined if the system has no modes. */
  rightsOf?(path: string): Promise<number | undefined>;
}

export interface Credentials {
  /** Without a slash at its end. */
  readonly site: string;
  readonly email: string;
  readonly key: Secret;
  /** The source of each value, for the message that says that they are wrong: "ZULIP_EMAIL", "~/.zuliprc:3", "typed". */
  readonly origin: {
    readonly site: string;
    readonly email: string;
    readonly key: string;
    readonly certBundle?: string;
  };
  /** The certificates, as PEM texts. */
  readonly certBundle?: string;
  readonly clientCert?: string;
  readonly clientCertKey?: string;
  readonly insecure: boolean;
}

/** A value and its source. */
interface Found {
  readonly value: string;
  readonly origin: string;
  readonly at?: Span;
}

const DEFAULT_FILE = "~/.zuliprc";
const KEY_LENGTH = 32;

const ENV: { readonly [key in ZuliprcKey]: string } = {
  email: "ZULIP_EMAIL",
  key: "ZULIP_API_KEY",
  site: "ZULIP_SITE",
  client_cert: "ZULIP_CERT",
  client_cert_key: "ZULIP_CERT_KEY",
  cert_bundle: "ZULIP_CERT_BUNDLE",
  insecure: "ZULIP_ALLOW_INSECURE",
};

/** Reports every error at once; no message ever contains the key, not even a wrong one. */
export async function readCredentials(source: CredentialSource, flags: CredentialFlags): Promise<Checked<Credentials>> {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const variables = await variablesFor(source, flags);
  const file = await readZuliprc(source, flags, variables);
  if (!file.ok) return file;
  warnings.push(...file.warnings);

  const find = finderIn(flags, file.value, variables);
  const site = find("site");
  const email = find("email");
  const key = find("key");
  const absent = (["site", "email", "key"] as const).filter((_, index) => [site, email, key][index] === undefined);
  const { searched, path: read } = file.value;
  if (absent.length > 0) {
    const similar = similarVariables(source.env, flags.organization);
    diagnostics.push(
      error("credentials/missing", { absent, ...namedIn(flags.organization), ...defined({ searched, similar, read }) }),
    );
  }

  const insecure = find("insecure");
  const insecureFlag = insecure?.value.trim().toLowerCase();
  if (insecure && insecureFlag !== "true" && insecureFlag !== "false")
    diagnostics.push(wrong("credentials/insecure", { cause: "value" }, insecure));
  if (insecureFlag === "true")
    warnings.push(warning("credentials/insecure", { cause: "unchecked", ...defined({ origin: insecure?.origin }) }));

  const address = site && (isQuoted(site) ? { cause: "quotes" as const } : normaliseSite(site.value));
  if (site && address && "cause" in address) diagnostics.push(wrong("credentials/site", address, site));
  if (email && isQuoted(email)) diagnostics.push(wrong("credentials/email", { is_quoted: true }, email));
  else if (email && !/^[^\s:@]+@[^\s:@]+$/.test(email.value.trim()))
    diagnostics.push(wrong("credentials/email", {}, email));
  if (key) diagnostics.push(...checkKey(key));

  const pem = (name: PemName): Promise<string | undefined> => readPem(name, find(name), source, diagnostics);
  const certBundle = await pem("cert_bundle");
  const clientCert = await pem("client_cert");
  const clientCertKey = await pem("client_cert_key");
  const lonely = find("client_cert_key");
  if (lonely && find("client_cert") === undefined)
    diagnostics.push(wrong("credentials/certificate", { cause: "key-alone" }, lonely));

  if (diagnostics.length > 0 || !site || !email || !key || !address || "cause" in address)
    return { ok: false, diagnostics: [...diagnostics, ...warnings] };
  return {
    ok: true,
    warnings,
    value: {
      site: address.site,
      email: email.value.trim(),
      key: new Secret(key.value.trim()),
      origin: {
        site: site.origin,
        email: email.origin,
        key: key.origin,
        ...defined({ certBundle: certBundle === undefined ? undefined : (find("cert_bundle")?.value ?? "") }),
      },
      insecure: insecureFlag === "true",
      ...defined({ certBundle, clientCert, clientCertKey }),
    },
  };
}

/** The variable of one organization: `ZULIP_API_KEY__ACME`. */
const ownVariable = (variable: string, organization: string): string => `${variable}__${organization}`;

/** The organization without credentials, if the command has several. */
const namedIn = (organization: WantedOrganization | undefined): { readonly organization?: string } =>
  defined({ organization: organization?.isOneOfMany === true ? organization.name : undefined });

/** Variables whose ending is similar to the organization's name: a typing error, or small letters. */
function similarVariables(
  env: CredentialSource["env"],
  organization: WantedOrganization | undefined,
): DiagnosticFacts["credentials/missing"]["similar"] {
  if (organization === undefined) return undefined;
  const names = [...Object.values(ENV), "ZULIP_CONFIG"];
  const similar = Object.keys(env).filter((variable) => {
    const [name = "", ...rest] = variable.split("__");
    const ending = rest.join("__");
    return (
      names.includes(name) && ending !== organization.name && didYouMean(ending, [organization.name]) !== undefined
    );
  });
  return similar.length === 0 ? undefined : { variables: similar.sort(), ending: organization.name };
}

interface Variables {
  /** The value of the organization's own variable, if it is set. */
  own(key: ZuliprcKey): Found | undefined;
  /** The value of a variable without a name, if it applies to this organization. */
  common(key: ZuliprcKey): Found | undefined;
  /** Whether the site, the key or the zuliprc is the organization's own: then no other source completes it. */
  readonly hasOwn: boolean;
}

/**
 * A variable of the organization wins over the general one. Site and key belong together: once one of them is the organization's own, so is the
 * other.
 */
async function variablesFor({ env }: CredentialSource, { organization, zuliprc }: CredentialFlags): Promise<Variables> {
  const lookUp = (variable: string): Found | undefined => {
    const value = env[variable];
    return value === undefined || value === "" ? undefined : { value, origin: variable };
  };
  const common = (key: ZuliprcKey): Found | undefined => lookUp(ENV[key]);
  if (organization === undefined) return { own: () => undefined, common, hasOwn: false };
  const own = (key: ZuliprcKey): Found | undefined => lookUp(ownVariable(ENV[key], organization.name));
  const hasOwnFile = zuliprc === undefined && lookUp(ownVariable("ZULIP_CONFIG", organization.name)) !== undefined;
  const hasOwn = hasOwnFile || own("site") !== undefined || own("key") !== undefined;
  const isForIt = !organization.isOneOfMany || isSite(common("site")?.value, await organization.realm());
  return {
    hasOwn,
    own,
    common(key) {
      if (hasOwn && (key === "site" || key === "key")) return undefined;
      const isAccount = key === "site" || key === "key" || key === "email";
      return isAccount && !hasOwn && !isForIt ? undefined : common(key);
    },
  };
}

function isSite(written: string | undefined, wanted: string | undefined): boolean {
  const site = written === undefined ? undefined : normaliseSite(written);
  return site !== undefined && "site" in site && wanted !== undefined && site.site === wanted;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  const site = one === undefined ? undefined : normaliseSite(one);
  return site !== undefined && "site" in site && isSite(other, site.site);
}

/** Looks a value up: in the options, then in the environment, then in the file. */
function finderIn(flags: CredentialFlags, file: Entries, variables: Variables): (key: ZuliprcKey) => Found | undefined {
  const flagValues: { readonly [key in ZuliprcKey]?: string | undefined } = {
    email: flags.email,
    key: flags.key,
    site: flags.site,
    cert_bundle: flags.certBundle,
    insecure: flags.insecure === true ? "true" : undefined,
  };
  // A key from the file is sent only to the site beside it, and a key of the organization's own variable is not sent to the site of the file.
  const isKept = (key: ZuliprcKey): boolean =>
    variables.hasOwn &&
    file.isOwn !== true &&
    (key === "site" || (key === "key" && !isSame(file.site?.value, variables.own("site")?.value)));
  return (key) => {
    const flag = flagValues[key];
    if (flag !== undefined) {
      const isTyped = flags.typed?.some((typed) => typed === key) === true;
      return { value: flag, origin: isTyped ? TYPED : `--${key.replaceAll("_", "-")}` };
    }
    const entry = isKept(key) ? undefined : file[key];
    const written = entry && { value: entry.value, origin: `${entry.at.file}:${entry.at.line}`, at: entry.at };
    const shared = variables.common(key);
    return variables.own(key) ?? (file.isOwn === true ? (written ?? shared) : (shared ?? written));
  };
}

type PemName = "cert_bundle" | "client_cert" | "client_cert_key";

async function readPem(
  name: PemName,
  found: Found | undefined,
  source: CredentialSource,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  if (found === undefined) return undefined;
  try {
    const text = await source.readFile(expandHome(found.value, source.env));
    if (text.includes("-----BEGIN ")) return text;
    diagnostics.push(wrong("credentials/certificate", { cause: "not-pem", what: name, file: found.value }, found));
  } catch (thrown) {
    const fact = { cause: "unreadable", what: name, file: found.value, why: unreadable(thrown) } as const;
    diagnostics.push(wrong("credentials/certificate", fact, found));
  }
  return undefined;
}

/**
 * @property searched a file with sections, none of which is for the organization
 * @property isOwn a variable of the organization's own names the file
 */
type Entries = Zuliprc & {
  readonly searched?: DiagnosticFacts["credentials/missing"]["searched"];
  readonly isOwn?: boolean;
  /** The file, if a section of it was read. */
  readonly path?: string;
};

async function readZuliprc(
  source: CredentialSource,
  flags: CredentialFlags,
  variables: Variables,
): Promise<Checked<Entries>> {
  const { organization } = flags;
  const variable = [
    ...(organization === undefined ? [] : [ownVariable("ZULIP_CONFIG", organization.name)]),
    "ZULIP_CONFIG",
  ].find((name) => (source.env[name] ?? "") !== "");
  const asked = flags.zuliprc ?? (variable === undefined ? undefined : source.env[variable]);
  const path = asked ?? DEFAULT_FILE;
  let text: string;
  try {
    text = await source.readFile(expandHome(path, source.env));
  } catch (thrown) {
    const why = unreadable(thrown);
    if (asked === undefined && why.code === "ENOENT") return { ok: true, value: {}, warnings: [] };
    const named_by = flags.zuliprc !== undefined ? "--zuliprc" : variable;
    return { ok: false, diagnostics: [error("credentials/file", { file: path, why, ...defined({ named_by }) })] };
  }
  const wanted = await wantedSite(flags, variables);
  const section = sectionFor(text, path, wanted, organization);
  if (typeof section === "object") return { ok: false, diagnostics: [section] };
  // The file is for other organizations of the same command.
  if (section === undefined) return { ok: true, value: searchedIn(text, path, wanted), warnings: [] };
  const parsed = parseZuliprc(text, path, section);
  if (!parsed.ok) return parsed;
  const isOwn = flags.zuliprc === undefined && variable !== undefined && variable !== "ZULIP_CONFIG";
  const value = { ...parsed.value, isOwn, path };
  const rights = await source.rightsOf?.(expandHome(path, source.env));
  if (rights === undefined || (rights & 0o077) === 0) return { ...parsed, value };
  return { ...parsed, value, warnings: [openToOthers(path, rights), ...parsed.warnings] };
}

/**
 * The address that selects the section, and to which the key will be sent. The command line and variables come before the organization's file, and
 * that before the section itself.
 */
async function wantedSite(flags: CredentialFlags, variables: Variables): Promise<string | undefined> {
  const written = flags.site ?? (variables.own("site") ?? variables.common("site"))?.value;
  if (written === undefined) return flags.organization?.realm();
  const site = normaliseSite(written);
  return "site" in site ? site.site : flags.organization?.realm();
}

/**
 * Of several sections, the one with the wanted site; otherwise `[api]`, the section of a file for one organization. Undefined: if there are several
 * organizations, none of the sections is for this one. A diagnostic: two are, and the account is ambiguous.
 */
function sectionFor(
  text: string,
  file: string,
  wanted: string | undefined,
  organization: WantedOrganization | undefined,
): string | Diagnostic | undefined {
  const sites = sitesIn(text, file);
  const hasApi = sites.some(({ section }) => section === "api");
  const isForOne = sites.every(({ section }) => section === "api");
  if (isForOne && (organization?.isOneOfMany !== true || !hasApi)) return "api";
  // If all sections are for one site, an address does not select one.
  const isOneSite =
    !hasApi && organization?.isOneOfMany !== true && sites.every(({ site }) => isSame(site, sites[0]?.site));
  const [first, second, ...others] =
    wanted === undefined && isOneSite && sites.length > 1 ? sites : sites.filter(({ site }) => isSite(site, wanted));
  // The section `[api]`, which every other program uses.
  if ([first, second, ...others].some((one) => one?.section === "api")) return "api";
  if (first !== undefined && second !== undefined) {
    const fact = { sections: [quote(first.section), quote(second.section)] };
    const related = [{ at: first.at, note: "first-here" as const }];
    return { ...error("zuliprc/same-site", fact, second.at, related), unquotable: true };
  }
  if (first !== undefined) return first.section;
  const isForMany = organization?.isOneOfMany === true;
  return organization === undefined || (!isForMany && (hasApi || wanted === undefined)) ? "api" : undefined;
}

function searchedIn(text: string, file: string, realm: string | undefined): Entries {
  const sections = sitesIn(text, file).length;
  return defined({ searched: sections === 0 || realm === undefined ? undefined : { file, sections, realm } });
}

/** The warning about a zuliprc that others can read or change, similar to that of ssh about a key. */
function openToOthers(path: string, rights: number): Diagnostic {
  const right = (rights & 0o022) !== 0 ? "change" : "read";
  return warning("credentials/open-to-others", { file: path, right, mode: rights.toString(8).padStart(4, "0") });
}

/** Whether quotes are a part of the value: a shell takes them off, an env file of Docker or a form of a CI does not. */
const isQuoted = ({ value }: Found): boolean => /^["'].*["']$/.test(value.trim());

function checkKey(key: Found): readonly Diagnostic[] {
  const value = key.value.trim();
  if (isQuoted(key)) return [wrong("credentials/key", { cause: "quotes" }, key)];
  if (!/^[A-Za-z0-9]*$/.test(value)) return [wrong("credentials/key", { cause: "character" }, key)];
  const characters = value.length;
  return characters === KEY_LENGTH
    ? []
    : [wrong("credentials/key", { cause: "length", characters, wanted: KEY_LENGTH }, key)];
}

type WithOrigin = "insecure" | "site" | "email" | "certificate" | "key";

/** An error in a value, named by its source; an option and a variable have no place in a file. */
function wrong<C extends `credentials/${WithOrigin}`>(code: C, fact: DiagnosticFacts[C], found: Found): FoundError<C> {
  if (found.at) return { ...error(code, fact, found.at), unquotable: true };
  return error(code, { ...fact, origin: found.origin });
}

function expandHome(path: string, env: CredentialSource["env"]): string {
  const home = env.HOME ?? env.USERPROFILE;
  return home !== undefined && (path === "~" || path.startsWith("~/")) ? `${home}${path.slice(1)}` : path;
}
