import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { bundleOf } from "../support/bundle.ts";
import { certificateFor, hasOpenssl, type Listening, TunnelProxy, tlsFront } from "../support/tls.ts";
import { repositoryOfTests, SHA } from "./runner.ts";

// The bundle as GitHub starts it, on a runner that reaches GitHub and the organization only through a proxy.
const ZULIP = "chat.acme.example";
const GITHUB = "api.github.acme.example";

const repository = repositoryOfTests({ script: bundleOf("action") });
let front: Listening;
let proxy: TunnelProxy;
let authority: string;
beforeEach(async () => {
  if (!hasOpenssl) return;
  const certificate = certificateFor(`DNS:${ZULIP},DNS:${GITHUB}`);
  authority = join(repository.world.directory, "ca.pem");
  writeFileSync(authority, certificate.cert);
  front = await tlsFront(certificate, (host) =>
    host.startsWith(GITHUB) ? repository.github.url : repository.world.url,
  );
  proxy = await new TunnelProxy(() => front.port, "kim:secret").start();
});
afterEach(async () => {
  if (!hasOpenssl) return;
  await proxy.end();
  await front.close();
});

describe.runIf(hasOpenssl)("the Action through a proxy", () => {
  test("reaches GitHub and the organization", async () => {
    repository.pull("version: 1\n", "version: 1\nchannels:\n  general: {description: Through the proxy}\n");
    repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
    const step = await repository.run("apply", {
      event: "push",
      sha: SHA.main,
      inputs: { reviewed: "ignore", "zulip-site": `https://${ZULIP}` },
      env: {
        GITHUB_API_URL: `https://${GITHUB}`,
        HTTPS_PROXY: `http://kim:secret@127.0.0.1:${proxy.port}`,
        NODE_EXTRA_CA_CERTS: authority,
      },
    });
    expect(step).toMatchObject({ code: EXIT.done, outputs: { outcome: "applied" } });
    expect(repository.world.channel("general").description).toBe("Through the proxy");
    expect(repository.github.comments[0]?.body).toContain("Applied 1 of 1");
    const basic = Buffer.from("kim:secret").toString("base64");
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${ZULIP}:443 Basic ${basic}`, `${GITHUB}:443 Basic ${basic}`]));
    expect(proxy.plain).toEqual([]);
    expect(step.log).not.toMatch(/kim:secret/);
    expect(step.log).not.toContain(basic);
  });

  test("says that the proxy prevents the connection", async () => {
    repository.file("realm.yaml", "version: 1\nchannels: {}\n");
    const step = await repository.run("snapshot", {
      event: "push",
      sha: SHA.main,
      inputs: { "zulip-site": `https://${ZULIP}` },
      env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authority },
    });
    expect(step.code).toBe(EXIT.unreachable);
    expect(step.log).toMatch(/zulip\/proxy.*HTTP 407/);
  });

  test("says so if the proxy blocks GitHub, sends each request once, and does not retry", async () => {
    proxy.verdict = "HTTP/1.1 403 Forbidden\r\n\r\n";
    repository.file("realm.yaml", "version: 1\nchannels: {}\n");
    const step = await repository.run("plan", {
      env: {
        GITHUB_API_URL: `https://${GITHUB}`,
        HTTPS_PROXY: `http://kim:secret@127.0.0.1:${proxy.port}`,
        NODE_EXTRA_CA_CERTS: authority,
      },
    });
    expect(step.code).toBe(EXIT.unreachable);
    expect(step.log).toMatch(
      /title=github\/unreachable::.*the proxy 127\.0\.0\.1:\d+ refuses the connection \(HTTP 403\)/,
    );
    expect(step.log).toContain("check the proxy of the runner");
    expect(step.log).not.toContain("waiting");
    // The commit that could not be read, and the check that could not be created.
    expect(proxy.tunnels).toHaveLength(2);
    expect(step.log).not.toMatch(/kim:secret/);
  });
});
