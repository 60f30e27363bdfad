import { expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { error, success, TEST_KEY } from "../../test/support/zulip/scripted.ts";
import { Failure } from "../model/diagnostic.ts";
import { isSocks, proxyOf } from "../zulip/proxy.ts";

test.each<{ name: string; env: { readonly [name: string]: string }; is: ReturnType<typeof proxyOf> }>([
  { name: "none", env: {}, is: undefined },
  {
    name: "empty means none, even if the upper-case variable is set",
    env: { https_proxy: "", HTTPS_PROXY: "p:1" },
    is: undefined,
  },
  { name: "without a scheme", env: { HTTPS_PROXY: "p:3128" }, is: { url: "http://p:3128", except: "" } },
  { name: "lower case first", env: { HTTPS_PROXY: "a:1", https_proxy: "b:1" }, is: { url: "http://b:1", except: "" } },
  { name: "for everything", env: { ALL_PROXY: "http://p:1" }, is: { url: "http://p:1", except: "" } },
  {
    name: "http_proxy does not apply to https",
    env: { HTTP_PROXY: "http://p:1", http_proxy: "http://p:1" },
    is: undefined,
  },
  { name: "exceptions", env: { HTTPS_PROXY: "p:1", NO_PROXY: "a,b" }, is: { url: "http://p:1", except: "a,b" } },
])("proxy: $name", ({ env, is }) => {
  expect(proxyOf(env)).toEqual(is);
});

test.each(["socks4://p:1", "socks4a://p:1", "SOCKS4://p:1"])("%s is recognised as a SOCKS4 proxy", (written) => {
  const { diagnostics } = failureOf(() => proxyOf({ ALL_PROXY: written }));
  expect(diagnostics[0]?.fact).toEqual({ variable: "ALL_PROXY", is_socks4: true });
});

test.each(["socks5://p:1", "socks5h://kim:p%40ss@p", "SOCKS://p:1"])("%s is a SOCKS5 proxy", (written) => {
  const proxy = proxyOf({ ALL_PROXY: written });
  expect(proxy && isSocks(proxy)).toBe(true);
});

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (caught) {
    if (caught instanceof Failure) return caught;
    throw caught;
  }
  throw new Error("it went well");
}

test.each([
  "socks4://kim:secret@p:1",
  "socks5://kim:secret@",
  `socks5://kim:secret${"x".repeat(255)}@p`,
  "http://kim:secret@:1",
])("an invalid proxy is refused, and its password is not shown", (written) => {
  try {
    proxyOf({ HTTPS_PROXY: written });
  } catch (caught) {
    if (!(caught instanceof Failure)) throw caught;
    expect(caught.diagnostics[0]).toMatchObject({ code: "credentials/proxy" });
    expect(JSON.stringify(caught.diagnostics)).not.toContain("secret");
    return;
  }
  throw new Error("taken for a proxy");
});

test("an error after the first request does not say that nothing was sent", async () => {
  const env = { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: TEST_KEY };
  const ran = await runCommandLine(["plan"], {
    env,
    files: { "realm.yaml": "version: 1\nchannels: {}\n" },
    transport: async () => error(401, "UNAUTHORIZED", "Invalid API key"),
  });
  expect(ran.exitCode).toBe(6);
  expect(ran.err).toMatch(/Nothing was changed\.\n$/);
  const unasked = await runCommandLine(["plan"], { transport: async () => success() });
  expect(unasked.err).toMatch(/Nothing was sent\.\n$/);
});
