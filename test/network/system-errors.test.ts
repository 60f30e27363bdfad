import { describe, expect, test } from "vitest";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { noAnswerFailure } from "../../src/zulip/failures.ts";
import { asTransportError } from "../../src/zulip/network-errors.ts";
import { scripted } from "../support/zulip/scripted.ts";

/** Errors that no test can cause on loopback, in the words of Node and OpenSSL. */
describe("system errors", () => {
  const attempt = {
    signal: undefined,
    host: "chat.example.org",
    connectTimeoutMs: 10_000,
    maxResponseBytes: 64 * 2 ** 20,
  };
  const system = (code: string, syscall: string, message = `${syscall} ${code}`) =>
    Object.assign(new Error(message), { code, syscall });
  const openssl = (code: string, reason: string) =>
    Object.assign(
      new Error(`80BC5D:error:0A00045C:SSL routines:ssl3_read_bytes:${reason}:../deps/ssl.c:1605:SSL alert`),
      { code },
    );

  test.each<{ name: string; error: Error; says: RegExp; hint: RegExp; neverSent: boolean }>([
    {
      name: "a host that does not exist",
      error: system("ENOTFOUND", "getaddrinfo"),
      says: /there is no host "chat\.example\.org"/,
      hint: /letter by letter.*VPN/,
      neverSent: true,
    },
    {
      name: "names cannot be looked up",
      error: system("EAI_AGAIN", "getaddrinfo"),
      says: /EAI_AGAIN/,
      hint: /DNS/,
      neverSent: true,
    },
    {
      name: "no route",
      error: system("ENETUNREACH", "connect"),
      says: /ENETUNREACH/,
      hint: /there is no route to this address/,
      neverSent: true,
    },
    {
      name: "a firewall that drops packets",
      error: system("ETIMEDOUT", "connect"),
      says: /no connection to chat\.example\.org within 10 s/,
      hint: /a firewall that drops packets looks like this/,
      neverSent: true,
    },
    {
      name: "a machine that forbids connections",
      error: system("EPERM", "connect"),
      says: /EPERM/,
      hint: /this machine does not let programs connect/,
      neverSent: true,
    },
    {
      name: "several addresses, none of which answers",
      error: new AggregateError([system("ECONNREFUSED", "connect", "connect ECONNREFUSED ::1:443")], ""),
      says: /ECONNREFUSED ::1:443/,
      hint: /nothing listens at this port there/,
      neverSent: true,
    },
    {
      name: "reset in the middle",
      error: system("ECONNRESET", "read"),
      says: /ECONNRESET/,
      hint: /the connection broke/,
      neverSent: false,
    },
    {
      name: "an expired certificate",
      error: openssl("CERT_HAS_EXPIRED", "certificate has expired"),
      says: /its certificate has expired/,
      hint: /this machine's clock.*renew the certificate$/,
      neverSent: true,
    },
    {
      name: "a certificate that is not valid yet",
      error: openssl("CERT_NOT_YET_VALID", "certificate is not yet valid"),
      says: /not valid yet/,
      hint: /this machine's clock/,
      neverSent: true,
    },
    {
      name: "a client certificate that is missing",
      error: openssl("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tlsv13 alert certificate required"),
      says: /certificate required/,
      hint: /client_cert and client_cert_key/,
      neverSent: true,
    },
    {
      name: "an old version of TLS",
      error: openssl("ERR_SSL_UNSUPPORTED_PROTOCOL", "unsupported protocol"),
      says: /unsupported protocol/,
      hint: /do not agree on a version of https/,
      neverSent: true,
    },
    {
      name: "a certificate for a thousand names",
      error: system(
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "",
        `Hostname/IP does not match certificate's altnames: Host: chat.example.org. is not in the cert's altnames: ${Array.from({ length: 1000 }, (_, at) => `DNS:${at}.example.org`).join(", ")}`,
      ),
      says: /is for 0\.example\.org, 1\.example\.org, 2\.example\.org and others, not for chat\.example\.org$/,
      hint: /a name that the certificate has/,
      neverSent: true,
    },
  ])("$name", ({ error, says, hint, neverSent }) => {
    const { connection } = scripted([]);
    const found = asTransportError(error, attempt);
    expect(found.neverSent).toBe(neverSent);
    const [diagnostic] = noAnswerFailure(found, connection).diagnostics;
    if (diagnostic === undefined) throw new Error("no diagnostic");
    const shown = wordedDiagnostic(diagnostic);
    expect(shown.message).toContain("chat.example.org");
    expect(shown.message).toMatch(says);
    expect(shown.message.length).toBeLessThan(500);
    expect(shown.hint).toMatch(hint);
  });
});
