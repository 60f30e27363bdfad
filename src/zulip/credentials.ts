import type { Checked, Diagnostic, Span, WordedDiagnostic } from "../model/diagnostic.ts";
import { listNames } from "../model/suggest.ts";
import { Secret } from "./secret.ts";
import { normaliseSite } from "./site.ts";
import { parseZuliprc, type Zuliprc, type ZuliprcKey } from "./zuliprc.ts";

/** What the command line said; each wins over the environment, which wins over the file (zulip-api.md §13.2). */
export interface CredentialFlags {
  readonly site?: string;
  readonly email?: string;
  readonly key?: string;
  /** Path of a zuliprc; then it has to be there. */
  readonly zuliprc?: string;
  /** Path of a PEM file. */
  readonly certBundle?: string;
  readonly insecure?: boolean;
  /** Which of them somebody was asked for, and typed: messages must not name a flag then. */
  readonly typed?: readonly ("site" | "email" | "key")[];
}

/** What credentials are read from; `Io` has all of it. */
export interface CredentialSource {
  readonly env: { readonly [name: string]: string | undefined };
  /** @throws the system's error (`code` ENOENT, EACCES, …) */
  readFile(path: string): Promise<string>;
  /** The rights of a file (`0o600`); undefined where there is no such thing. */
  rightsOf?(path: string): Promise<number | undefined>;
}

export interface Credentials {
  /** Without a slash at its end. */
  readonly site: string;
  readonly email: string;
  readonly key: Secret;
  /** Where each came from, for the message that says they do not fit: "ZULIP_EMAIL", "~/.zuliprc line 3". */
  readonly origin: {
    readonly site: string;
    readonly email: string;
    readonly key: string;
    readonly certBundle?: string;
  };
  /** PEM texts. */
  readonly certBundle?: string;
  readonly clientCert?: string;
  readonly clientCertKey?: string;
  readonly insecure: boolean;
}

/** A value and where it was found. */
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

/** Every mistake at once; no message ever contains the key, not even a wrong one. */
export async function readCredentials(source: CredentialSource, flags: CredentialFlags): Promise<Checked<Credentials>> {
  const problems: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const file = await readZuliprc(source, flags);
  if (!file.ok) return file;
  warnings.push(...file.warnings);

  const flagValues: { readonly [key in ZuliprcKey]?: string | undefined } = {
    email: flags.email,
    key: flags.key,
    site: flags.site,
    cert_bundle: flags.certBundle,
    insecure: flags.insecure === true ? "true" : undefined,
  };
  function find(key: ZuliprcKey): Found | undefined {
    const flag = flagValues[key];
    if (flag !== undefined) {
      const isTyped = flags.typed?.some((typed) => typed === key) === true;
      return { value: flag, origin: isTyped ? "what was typed" : `--${key.replaceAll("_", "-")}` };
    }
    const variable = source.env[ENV[key]];
    if (variable !== undefined && variable !== "") return { value: variable, origin: ENV[key] };
    const entry = file.ok ? file.value[key] : undefined;
    return entry && { value: entry.value, origin: `${entry.at.file} line ${entry.at.line}`, at: entry.at };
  }

  const site = find("site");
  const email = find("email");
  const key = find("key");
  const absent = [
    ...(site ? [] : ["the organization's address (site)"]),
    ...(email ? [] : ["the account (email)"]),
    ...(key ? [] : ["the API key (key)"]),
  ];
  if (absent.length > 0) problems.push(missing(absent));

  const insecure = find("insecure");
  const insecureFlag = insecure?.value.trim().toLowerCase();
  if (insecure && insecureFlag !== "true" && insecureFlag !== "false")
    problems.push(
      wrong(
        "credentials/insecure",
        insecure,
        "insecure must be true or false",
        "leave it out to have the certificate checked",
      ),
    );
  if (insecureFlag === "true")
    warnings.push({
      code: "credentials/insecure",
      severity: "warning",
      message: `the server's certificate is not checked (${insecure?.origin})`,
      hint: "for a certificate of your own, --cert-bundle keeps the connection safe",
    });

  const address = site && normaliseSite(site.value);
  if (site && address && "trouble" in address)
    problems.push({ ...wrong("credentials/site", site, `the site ${address.trouble}`), hint: address.hint });
  if (email && !/^[^\s:@]+@[^\s:@]+$/.test(email.value.trim()))
    problems.push({
      ...wrong("credentials/email", email, "the account is no e-mail address"),
      hint: "write the address that the API key belongs to",
    });
  if (key) problems.push(...checkKey(key));

  async function pem(name: "cert_bundle" | "client_cert" | "client_cert_key"): Promise<string | undefined> {
    const found = find(name);
    if (found === undefined) return undefined;
    try {
      const text = await source.readFile(expandHome(found.value, source.env));
      if (text.includes("-----BEGIN ")) return text;
      problems.push(wrong("credentials/certificate", found, `${name} "${found.value}" is no PEM file`, PEM));
    } catch (error) {
      problems.push(wrong("credentials/certificate", found, `${name} "${found.value}" ${unreadable(error)}`, PEM));
    }
    return undefined;
  }
  const certBundle = await pem("cert_bundle");
  const clientCert = await pem("client_cert");
  const clientCertKey = await pem("client_cert_key");
  const lonely = find("client_cert_key");
  if (lonely && find("client_cert") === undefined)
    problems.push(
      wrong(
        "credentials/certificate",
        lonely,
        "client_cert_key without client_cert",
        "name the certificate that the key belongs to, too",
      ),
    );

  if (problems.length > 0 || !site || !email || !key || !address || "trouble" in address)
    return { ok: false, diagnostics: [...problems, ...warnings] };
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
        ...(certBundle === undefined ? {} : { certBundle: find("cert_bundle")?.value ?? "" }),
      },
      insecure: insecureFlag === "true",
      ...(certBundle === undefined ? {} : { certBundle }),
      ...(clientCert === undefined ? {} : { clientCert }),
      ...(clientCertKey === undefined ? {} : { clientCertKey }),
    },
  };
}

async function readZuliprc(source: CredentialSource, flags: CredentialFlags): Promise<Checked<Zuliprc>> {
  const fromEnv = source.env.ZULIP_CONFIG;
  const asked = flags.zuliprc ?? (fromEnv === "" ? undefined : fromEnv);
  const path = asked ?? DEFAULT_FILE;
  let text: string;
  try {
    text = await source.readFile(expandHome(path, source.env));
  } catch (error) {
    if (asked === undefined && codeOf(error) === "ENOENT") return { ok: true, value: {}, warnings: [] };
    const by = flags.zuliprc !== undefined ? "--zuliprc" : asked !== undefined ? "ZULIP_CONFIG" : "the default place";
    const message = `the credentials file "${path}" (${by}) ${unreadable(error)}`;
    const hint =
      "download it from your Zulip settings (Account & privacy → API key), or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY";
    return { ok: false, diagnostics: [{ code: "credentials/file", severity: "error", message, hint }] };
  }
  const parsed = parseZuliprc(text, path);
  const rights = await source.rightsOf?.(expandHome(path, source.env));
  if (!parsed.ok || rights === undefined || (rights & 0o077) === 0) return parsed;
  return { ...parsed, warnings: [openToOthers(path, rights), ...parsed.warnings] };
}

/** As ssh says it of a key. */
function openToOthers(path: string, rights: number): Diagnostic {
  const what = (rights & 0o022) !== 0 ? "change" : "read";
  return {
    code: "credentials/open-to-others",
    severity: "warning",
    message: `other accounts of this machine can ${what} the credentials file "${path}" (mode ${rights.toString(8).padStart(4, "0")})`,
    hint: `keep it to yourself: chmod 600 ${path}`,
  };
}

const PEM = "name a file with certificates in PEM: its lines begin with -----BEGIN CERTIFICATE-----";
const WHERE_KEYS_ARE = "copy it anew from your Zulip settings (Account & privacy → API key)";

function checkKey(key: Found): readonly Diagnostic[] {
  const value = key.value.trim();
  if (!/^[A-Za-z0-9]*$/.test(value))
    return [
      wrong(
        "credentials/key",
        key,
        "the API key contains a character that no key has (only letters and digits do)",
        WHERE_KEYS_ARE,
      ),
    ];
  if (value.length !== KEY_LENGTH)
    return [
      wrong(
        "credentials/key",
        key,
        `the API key has ${value.length} characters; every key has ${KEY_LENGTH}`,
        WHERE_KEYS_ARE,
      ),
    ];
  return [];
}

function missing(absent: readonly string[]): Diagnostic {
  return {
    code: "credentials/missing",
    severity: "error",
    message: `no credentials: ${listNames(absent)} ${absent.length === 1 ? "is" : "are"} missing`,
    hint: `save the zuliprc of your Zulip settings (Account & privacy → API key) as ${DEFAULT_FILE}, or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY`,
  };
}

/** A mistake in a value, named by where it came from; a flag and a variable have no place in a file. */
function wrong(code: Diagnostic["code"], found: Found, message: string, hint?: string): WordedDiagnostic {
  const way = hint === undefined ? {} : { hint };
  if (found.at) return { code, severity: "error", message, ...way, at: found.at, unquotable: true };
  return { code, severity: "error", message: `${message} (${found.origin})`, ...way };
}

function expandHome(path: string, env: CredentialSource["env"]): string {
  const home = env.HOME ?? env.USERPROFILE;
  return home !== undefined && (path === "~" || path.startsWith("~/")) ? `${home}${path.slice(1)}` : path;
}

function unreadable(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "does not exist";
    case "EACCES":
    case "EPERM":
      return "may not be read by this account";
    case "EISDIR":
      return "is a directory";
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
