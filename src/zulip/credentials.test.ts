import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type CredentialFlags, readCredentials } from "./credentials.ts";

const KEY = "abcdefghijklmnopqrstuvwxyz012345";
const OTHER_KEY = "ZYXWVUTSRQPONMLKJIHGFEDCBA987654";
const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const HOME = "/home/kim";
const WHOLE = `[api]\nemail=kim@example.org\nkey=${KEY}\nsite=https://chat.example.org\n`;

interface Case {
  readonly env?: { readonly [name: string]: string };
  readonly files?: { readonly [path: string]: string };
  readonly flags?: CredentialFlags;
}

function read({ env = {}, files = {}, flags = {} }: Case) {
  return readCredentials(
    {
      env: { HOME, ...env },
      async readFile(path) {
        const text = files[path];
        if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
        return text;
      },
    },
    flags,
  );
}

/** The values found, without secrets, and the key as it would be sent. */
async function found(given: Case) {
  const checked = await read(given);
  if (!checked.ok) throw new Error(checked.diagnostics.map(({ code }) => code).join("; "));
  const { site, email, key, insecure } = checked.value;
  return { site, email, key: key.reveal(), insecure };
}

const env = { ZULIP_SITE: "https://env.example.org", ZULIP_EMAIL: "env@example.org", ZULIP_API_KEY: OTHER_KEY };
const home = { [`${HOME}/.zuliprc`]: WHOLE };
const fromFile = { site: "https://chat.example.org", email: "kim@example.org", key: KEY, insecure: false };
const fromEnv = { site: "https://env.example.org", email: "env@example.org", key: OTHER_KEY, insecure: false };

describe("precedence", () => {
  test.each<Case & { name: string; is: object }>([
    { name: "~/.zuliprc", files: home, is: fromFile },
    { name: "the environment alone", env, is: fromEnv },
    { name: "the environment before the file", env, files: home, is: fromEnv },
    {
      name: "one variable, the rest from the file",
      env: { ZULIP_EMAIL: "env@example.org" },
      files: home,
      is: { ...fromFile, email: "env@example.org" },
    },
    {
      name: "a flag before both",
      env,
      files: home,
      flags: { email: "flag@example.org" },
      is: { ...fromEnv, email: "flag@example.org" },
    },
    {
      name: "ZULIP_CONFIG instead of ~/.zuliprc",
      env: { ZULIP_CONFIG: "/etc/rc" },
      files: { "/etc/rc": WHOLE },
      is: fromFile,
    },
    { name: "ZULIP_CONFIG below home", env: { ZULIP_CONFIG: "~/rc" }, files: { [`${HOME}/rc`]: WHOLE }, is: fromFile },
    {
      name: "--zuliprc before ZULIP_CONFIG",
      env: { ZULIP_CONFIG: "/missing" },
      files: { here: WHOLE },
      flags: { zuliprc: "here" },
      is: fromFile,
    },
    { name: "an empty variable is ignored", env: { ZULIP_SITE: "", ZULIP_CONFIG: "" }, files: home, is: fromFile },
    {
      name: "insecure from the file",
      files: { [`${HOME}/.zuliprc`]: `${WHOLE}insecure=True\n` },
      is: { ...fromFile, insecure: true },
    },
    {
      name: "insecure from the environment",
      env: { ZULIP_ALLOW_INSECURE: "true" },
      files: home,
      is: { ...fromFile, insecure: true },
    },
    {
      name: "insecure from the file, switched off by the environment",
      env: { ZULIP_ALLOW_INSECURE: "false" },
      files: { [`${HOME}/.zuliprc`]: `${WHOLE}insecure=true\n` },
      is: fromFile,
    },
  ])("$name", async ({ is, ...given }) => expect(await found(given)).toEqual(is));
});

describe("forms of a zuliprc", () => {
  test.each([
    {
      name: "colons, spaces, capitals",
      text: `[api]\nEmail: kim@example.org\n  KEY =  ${KEY}  \nsite : chat.example.org`,
    },
    { name: "Windows line ends and a byte order mark", text: `\uFEFF${WHOLE.replaceAll("\n", "\r\n")}` },
    { name: "comments and other sections", text: `# mine\n[other]\nkey=x\n; more\n${WHOLE}` },
    {
      name: "a slash at the end of the site",
      text: WHOLE.replace("example.org\n", "example.org\n").replace("chat.example.org", "chat.example.org/"),
    },
  ])("$name", async ({ text }) => expect(await found({ files: { [`${HOME}/.zuliprc`]: text } })).toEqual(fromFile));
});

describe("sites", () => {
  test.each([
    { site: "chat.example.org", is: "https://chat.example.org" },
    { site: "https://chat.example.org/", is: "https://chat.example.org" },
    { site: "https://chat.example.org/api/v1/", is: "https://chat.example.org" },
    { site: "https://CHAT.example.org:8443", is: "https://chat.example.org:8443" },
    { site: "https://example.org/chat/", is: "https://example.org/chat" },
    { site: "https://chat.example.org/#narrow/is/dm", is: "https://chat.example.org" },
    { site: "localhost:9991", is: "http://localhost:9991" },
    { site: "http://127.0.0.1:9991", is: "http://127.0.0.1:9991" },
    { site: "http://[::1]:9991", is: "http://[::1]:9991" },
  ])("$site", async ({ site, is }) => expect((await found({ files: home, flags: { site } })).site).toBe(is));

  test.each([
    "http://chat.example.org",
    "http://127.0.0.1.example.org",
    "http://localhost.example.org",
    // A resolver may ask the network for a name with a dot at its end.
    "http://localhost.",
    "http://acme.localhost:9991",
    "http://acme.localhost.:9991",
    "ftp://chat.example.org",
    "https://kim:hunter2@chat.example.org",
    "https://",
    "two words",
    " ",
    "kim@example.org",
    "http:/chat.example.org",
    "https//chat.example.org",
    "https:chat.example.org",
    "https://chat.example.org:x1",
    "chat.example.org:99999",
  ])("refused: %s", async (site) => {
    const checked = await read({ files: home, flags: { site } });
    expect(checked.ok ? [] : checked.diagnostics.map(({ code }) => code)).toEqual(["credentials/site"]);
    expect(JSON.stringify(checked)).not.toContain("hunter2");
  });
});

describe("errors, with their place", () => {
  const rc = (text: string): Case => ({ files: { [`${HOME}/.zuliprc`]: text } });
  test.each<Case & { name: string; codes: readonly string[]; line?: number }>([
    {
      name: "a file of something else",
      ...rc("version: 1\nchannels:\n  a: {}\n  b\n"),
      codes: ["zuliprc/no-section"],
      line: 1,
    },
    { name: "JSON", ...rc('{\n  "email": "kim@example.org"\n}\n'), codes: ["zuliprc/no-section"], line: 1 },
    { name: "nothing at all", codes: ["credentials/missing"] },
    {
      name: "no key",
      ...rc("[api]\nemail=kim@example.org\nsite=https://chat.example.org"),
      codes: ["credentials/missing"],
    },
    { name: "--zuliprc that is not there", flags: { zuliprc: "gone" }, env, codes: ["credentials/file"] },
    { name: "ZULIP_CONFIG that is not there", env: { ZULIP_CONFIG: "gone" }, codes: ["credentials/file"] },
    { name: "a key that is too short", ...rc(WHOLE.replace(KEY, KEY.slice(1))), codes: ["credentials/key"], line: 3 },
    {
      name: "a key with a stray character",
      ...rc(WHOLE.replace(KEY, `${KEY.slice(1)}-`)),
      codes: ["credentials/key"],
      line: 3,
    },
    { name: "a key in quotes", ...rc(WHOLE.replace(KEY, `"${KEY}"`)), codes: ["zuliprc/quotes"], line: 3 },
    { name: "an address with a colon", ...rc(WHOLE.replace("kim@", "kim:x@")), codes: ["credentials/email"], line: 2 },
    {
      name: "a name instead of an address",
      ...rc(WHOLE.replace("kim@example.org", "Kim")),
      codes: ["credentials/email"],
      line: 2,
    },
    { name: "plain http", ...rc(WHOLE.replace("https:", "http:")), codes: ["credentials/site"], line: 4 },
    { name: "no section", ...rc(WHOLE.replace("[api]\n", "")), codes: ["zuliprc/no-section"], line: 1 },
    { name: "a text without a section", ...rc("hello\n"), codes: ["zuliprc/no-section"], line: 1 },
    { name: "an empty file", ...rc(""), codes: ["zuliprc/no-section"], line: 1 },
    { name: "another section only", ...rc(WHOLE.replace("[api]", "[app]")), codes: ["zuliprc/no-section"], line: 1 },
    { name: "the section twice", ...rc(`${WHOLE}[api]\n`), codes: ["zuliprc/duplicate-section"], line: 5 },
    {
      name: "a key twice",
      ...rc(`${WHOLE}site=https://other.example.org\n`),
      codes: ["zuliprc/duplicate-key"],
      line: 5,
    },
    {
      name: "a line that is neither a section nor a value",
      ...rc(`${WHOLE}hello\n`),
      codes: ["zuliprc/syntax"],
      line: 5,
    },
    { name: "an empty value", ...rc(WHOLE.replace(KEY, "")), codes: ["zuliprc/empty"], line: 3 },
    { name: "insecure=yes", ...rc(`${WHOLE}insecure=yes\n`), codes: ["credentials/insecure"], line: 5 },
    {
      name: "a bundle that is not there",
      ...rc(`${WHOLE}cert_bundle=/gone.pem\n`),
      codes: ["credentials/certificate"],
      line: 5,
    },
    {
      name: "a bundle that is not a certificate",
      env: { ZULIP_CERT_BUNDLE: "/x" },
      files: { ...home, "/x": "hello" },
      codes: ["credentials/certificate"],
    },
    {
      name: "a client key without its certificate",
      env: { ZULIP_CERT_KEY: "/k" },
      files: { ...home, "/k": PEM },
      codes: ["credentials/certificate"],
    },
    {
      name: "all at once",
      ...rc("[api]\nemail=kim\nkey=x\nsite=http://chat.example.org\n"),
      codes: ["credentials/site", "credentials/email", "credentials/key"],
    },
  ])("$name", async ({ codes, line, ...given }) => {
    const checked = await read(given);
    if (checked.ok) throw new Error("accepted");
    expect(checked.diagnostics.map(({ code }) => code)).toEqual(codes);
    if (line !== undefined) {
      expect(checked.diagnostics[0]?.at).toMatchObject({ file: "~/.zuliprc", line });
      expect(checked.diagnostics[0]?.unquotable).toBe(true);
    }
  });

  test("a misspelt key is a warning with the right one", async () => {
    const checked = await read(rc(`${WHOLE}cert-bundel=/x\n`));
    expect(checked.ok && checked.warnings).toMatchObject([
      { code: "zuliprc/unknown-key", fact: { meant: "cert_bundle" } },
    ]);
  });

  test("an unchecked certificate is a warning", async () => {
    const checked = await read({ files: home, flags: { insecure: true } });
    expect(checked.ok && checked.warnings).toMatchObject([{ code: "credentials/insecure", severity: "warning" }]);
  });
});

describe("several sections", () => {
  const section = (name: string, site: string, key = KEY): string =>
    `[${name}]\nemail=${name}@example.org\nkey=${key}\nsite=${site}\n`;
  const two = section("acme", "https://acme.example.org") + section("beta", "https://beta.example.org", OTHER_KEY);
  const rc = (text: string): Case => ({ files: { [`${HOME}/.zuliprc`]: text } });
  const of = (name: string, realm: string): CredentialFlags => ({
    organization: { name, realm: async () => realm, isOneOfMany: true },
  });

  const fileOf = (name: string, realm?: string): CredentialFlags => ({
    organization: { name, realm: async () => realm, isOneOfMany: false },
  });
  const ACME = "https://acme.example.org";

  test.each<Case & { name: string; is: object }>([
    {
      name: "--site, which has priority over the file's realm",
      ...rc(two),
      flags: { site: "beta.example.org", ...fileOf("ACME", ACME) },
      is: { site: "https://beta.example.org", key: OTHER_KEY },
    },
    {
      name: "--site, if the file has no realm",
      ...rc(two),
      flags: { site: "beta.example.org", ...fileOf("REALM") },
      is: { site: "https://beta.example.org", key: OTHER_KEY },
    },
    {
      name: "ZULIP_SITE, which has priority over the file's realm",
      ...rc(two),
      env: { ZULIP_SITE: "https://beta.example.org" },
      flags: fileOf("ACME", ACME),
      is: { site: "https://beta.example.org", key: OTHER_KEY },
    },
    {
      name: "the realm of the file",
      ...rc(two),
      flags: fileOf("ACME", ACME),
      is: { site: ACME, key: KEY },
    },
    {
      name: "the organization's own site, with the key beside it in the file",
      ...rc(two),
      env: { ZULIP_SITE__ACME: ACME },
      flags: fileOf("ACME"),
      is: { site: ACME, key: KEY },
    },
    {
      name: "the organization's own site, with its own file",
      env: { ZULIP_SITE__ACME: ACME, ZULIP_CONFIG__ACME: "acme" },
      files: { acme: WHOLE },
      flags: fileOf("ACME"),
      is: { site: ACME, key: KEY },
    },
    {
      name: "the organization's own file, whatever the general variables say",
      env: { ...env, ZULIP_CONFIG__ACME: "acme" },
      files: { acme: WHOLE },
      flags: fileOf("ACME", ACME),
      is: fromFile,
    },
    {
      name: "its section of the organization's own file",
      env: { ...env, ZULIP_CONFIG__ACME: "acme" },
      files: { acme: two },
      flags: fileOf("ACME", ACME),
      is: { site: ACME, key: KEY, email: "acme@example.org" },
    },
    {
      name: "--zuliprc instead of that file",
      env: { ZULIP_CONFIG__ACME: "gone" },
      files: { acme: two },
      flags: { zuliprc: "acme", ...fileOf("ACME", ACME) },
      is: { site: ACME, key: KEY },
    },
  ])("the section of the site that the key is sent to: $name", async ({ is, ...given }) =>
    expect(await found(given)).toMatchObject(is),
  );

  test.each<Case & { name: string; absent: readonly string[] }>([
    {
      name: "the organization's own site",
      ...rc(WHOLE),
      env: { ZULIP_SITE__ACME: ACME },
      absent: ["key"],
    },
    {
      name: "the organization's own key",
      ...rc(WHOLE),
      env: { ZULIP_API_KEY__ACME: OTHER_KEY },
      absent: ["site"],
    },
    {
      name: "ZULIP_SITE, which has no section",
      ...rc(two),
      env: { ZULIP_SITE: "https://gamma.example.org" },
      absent: ["email", "key"],
    },
  ])("no key is sent to the site of another organization: $name", async ({ absent, ...given }) => {
    const checked = await read({ ...given, flags: fileOf("ACME", ACME) });
    expect(checked.ok ? [] : checked.diagnostics).toMatchObject([{ code: "credentials/missing", fact: { absent } }]);
  });

  test.each<Case & { name: string; email: string }>([
    { name: "--site chooses", ...rc(two), flags: { site: "beta.example.org" }, email: "beta@example.org" },
    {
      name: "ZULIP_SITE chooses",
      ...rc(two),
      env: { ZULIP_SITE: "https://acme.example.org" },
      email: "acme@example.org",
    },
    {
      name: "of two sections for one site, [api] is used, as in other programs",
      ...rc(`${section("kim", "https://acme.example.org")}${section("api", "https://acme.example.org")}`),
      flags: of("ACME", "https://acme.example.org"),
      email: "api@example.org",
    },
  ])("$name", async ({ email, ...given }) => expect(await found(given)).toMatchObject({ email }));

  test.each<Case & { name: string; says: object }>([
    {
      name: "nothing selects a section",
      ...rc(two),
      says: { code: "zuliprc/no-section", fact: { sites: ["https://acme.example.org", "https://beta.example.org"] } },
    },
    {
      name: "nothing selects a section, and the file has no realm",
      ...rc(two),
      flags: fileOf("REALM"),
      says: { code: "zuliprc/no-section", fact: { sites: ["https://acme.example.org", "https://beta.example.org"] } },
    },
    {
      name: "the suggested address selects a section",
      ...rc(`${section("kim", ACME)}${section("lee", ACME)}${section("beta", "https://beta.example.org")}`),
      says: { code: "zuliprc/no-section", fact: { sites: ["https://beta.example.org", "https://acme.example.org"] } },
    },
    {
      name: "all sections are for one site: no address is suggested, because it would select none",
      ...rc(`${section("kim", ACME)}${section("lee", "acme.example.org/")}`),
      says: { code: "zuliprc/same-site", at: { line: 8 } },
    },
    {
      name: "an address with a password is not shown",
      ...rc(section("acme", "https://kim:hunter2@acme.example.org")),
      says: { code: "zuliprc/no-section", fact: { sites: [] } },
    },
    {
      name: "two sections for one site: no account is guessed",
      ...rc(`${two}${section("more", "https://ACME.example.org/")}`),
      flags: of("ACME", "https://acme.example.org"),
      says: { code: "zuliprc/same-site", at: { line: 12 }, unquotable: true },
    },
    {
      name: "the organization's own variable names the file",
      env: { ZULIP_CONFIG__ACME: "gone", ZULIP_CONFIG: "other" },
      flags: of("ACME", "https://acme.example.org"),
      says: { code: "credentials/file", fact: { file: "gone", named_by: "ZULIP_CONFIG__ACME" } },
    },
    {
      name: "variables with a similar suffix",
      env: { ZULIP_API_KEY__ACMEE: KEY, ZULIP_SITE__acme: "x", ZULIP_EMAIL__BETA: "y", OTHER__ACMEE: "z" },
      flags: of("ACME", "https://acme.example.org"),
      says: {
        code: "credentials/missing",
        fact: { similar: { variables: ["ZULIP_API_KEY__ACMEE", "ZULIP_SITE__acme"], ending: "ACME" } },
      },
    },
  ])("$name", async ({ says, ...given }) => {
    const checked = await read(given);
    expect(checked.ok ? [] : checked.diagnostics).toMatchObject([says]);
    expect(JSON.stringify(checked)).not.toMatch(new RegExp(`hunter2|${KEY}`));
  });
});

describe("certificates", () => {
  test("the texts of the files, also with paths below the home directory", async () => {
    const checked = await read({
      files: { ...home, [`${HOME}/ca.pem`]: PEM, "/c": `${PEM}c`, "/k": `${PEM}k` },
      env: { ZULIP_CERT: "/c", ZULIP_CERT_KEY: "/k" },
      flags: { certBundle: "~/ca.pem" },
    });
    expect(checked.ok && checked.value).toMatchObject({
      certBundle: PEM,
      clientCert: `${PEM}c`,
      clientCertKey: `${PEM}k`,
    });
  });
});

test("the key never appears, correct or wrong, however the result is printed", async () => {
  const wrong = `${KEY}canary`;
  const cases: readonly Case[] = [
    { files: home },
    { files: { [`${HOME}/.zuliprc`]: WHOLE.replace(KEY, wrong) } },
    { files: { [`${HOME}/.zuliprc`]: WHOLE.replace(KEY, `'${wrong}'`) } },
    { files: { [`${HOME}/.zuliprc`]: WHOLE.replace("key=", "key ").replace(KEY, wrong) } },
    { files: { [`${HOME}/.zuliprc`]: `key=${wrong}\n` } },
    { files: { [`${HOME}/.zuliprc`]: `${WHOLE}key=${wrong}\n` } },
    { files: { [`${HOME}/.zuliprc`]: `${WHOLE}${wrong}=key\n` } },
    { files: home, env: { ZULIP_API_KEY: wrong } },
    { files: home, flags: { key: wrong } },
  ];
  for (const given of cases) {
    const checked = await read(given);
    for (const shown of [
      JSON.stringify(checked),
      inspect(checked, { depth: 9, showHidden: true }),
      `${checked.ok ? checked.value.key : ""}`,
    ]) {
      expect(shown).not.toContain(KEY);
      expect(shown).not.toContain("canary");
    }
  }
});
