import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { Snapshot } from "../../src/model/snapshot.ts";
import { standsFor } from "../../src/plan/other-realm.ts";
import { snapshotOf } from "../../src/rehearsal/rehearse.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { decodeSnapshot } from "../../src/zulip/snapshot-decoding.ts";
import { worldOfTest, worldOfTests } from "./world.ts";

/** A sandbox of chat.example.org, on which a file for that organization is tried. */
const REALM = "https://chat.example.org";
const recorded = JSON.parse(readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8"));
const FILE = `version: 1
realm: ${REALM}/
channels:
  general: {description: Tried first}
`;

const source = createSandbox({ from: recorded });
source.setUrl(REALM);
const world = worldOfTests({ from: await snapshotOf(source, Date.UTC(2026, 10, 20)) });

test("a file for the organization is planned, saved and applied there; the plan says which organization it is for", async () => {
  world.file("realm.yaml", FILE);
  const planned = await world.realmctl("plan --out first.plan");
  expect(planned.code, planned.err).toBe(EXIT.done);
  expect(planned.out.replaceAll(/\s+/g, " ")).toContain(`${new URL(world.url).host} · a sandbox of chat.example.org`);
  expect((await world.realmctl("plan --format html")).out.replaceAll(/<[^<>]*>/g, "")).toContain(
    "a sandbox of chat.example.org",
  );
  const applied = await world.realmctl("apply first.plan --yes");
  expect(applied.code, applied.err).toBe(EXIT.done);
  expect(applied.out).toContain("This is a sandbox of chat.example.org: nothing was sent to the organization itself.");
  expect(world.channel("general").description).toBe("Tried first");
  expect((await world.realmctl("drift")).out).toContain("a sandbox of chat.example.org");
  expect(JSON.parse((await world.realmctl("drift --format json")).out)).toMatchObject({ sandbox_of: REALM });
  world.file("other.yaml", FILE.replace("Tried first", "Tried again"));
  expect((await world.realmctl("drift other.yaml")).out).toMatch(/^a sandbox of chat.example.org/);
  expect((await world.realmctl("drift other.yaml --format html")).out).toContain("a sandbox of");
  const result = await world.realmctl("apply other.yaml --yes --format json");
  expect(JSON.parse(result.out)).toMatchObject({ sandbox_of: REALM });
  // A snapshot of it is still one of a sandbox, and so is a snapshot of a sandbox made from that.
  const took = await world.realmctl("snapshot --out again.json");
  expect(took.code, took.err).toBe(EXIT.done);
  const again = Snapshot.parse(JSON.parse(world.read("again.json")));
  expect(again.realm).toMatchObject({ url: world.url, sandbox_of: REALM });
  expect(createSandbox({ from: again }).state().server.realmctl_sandbox_of).toBe(REALM);
});

test("a plan for the organization is not applied to the sandbox, nor a plan for the sandbox to another organization", async () => {
  world.file("realm.yaml", FILE);
  await world.realmctl("snapshot --out here.json");
  const { realm, ...rest } = Snapshot.parse(JSON.parse(world.read("here.json")));
  world.file("real.json", JSON.stringify({ ...rest, realm: { url: REALM, name: realm.name } }));
  expect((await world.realmctl("plan --snapshot real.json --out real.plan")).code).toBe(EXIT.done);
  expect((await world.realmctl("plan --out here.plan")).code).toBe(EXIT.done);
  const sent = world.writes().length;
  const refused = await world.realmctl("apply real.plan --yes");
  expect(refused.code).toBe(EXIT.errors);
  expect(refused.out + refused.err).toContain("error[realm/other-realm]");
  const other = await worldOfTest();
  const elsewhere = await world.realmctl("apply here.plan --yes", { env: other.credentials() });
  expect(elsewhere.code).toBe(EXIT.errors);
  expect(elsewhere.out + elsewhere.err).toContain("error[realm/other-realm]");
  // A sandbox made from a recording stands for no organization.
  expect((await world.realmctl("plan", { env: other.credentials() })).err).toContain("error[realm/other-realm]");
  expect(other.writes()).toEqual([]);
  world.file("realm.yaml", FILE.replace("chat.", "chat-staging."));
  expect((await world.realmctl("plan")).err).toContain("error[realm/other-realm]");
  expect(world.writes()).toHaveLength(sent);
});

describe("only a sandbox on this machine is trusted", () => {
  test.each([
    { url: "http://127.0.0.1:4000", of: REALM, stands: true },
    { url: "http://127.0.0.1:4000", of: "https://evil.example.org", stands: false },
    { url: "http://127.0.0.1:4000", of: undefined, stands: false },
    { url: "https://evil.example.org", of: REALM, stands: false },
    { url: "https://127.0.0.1.evil.example.org", of: REALM, stands: false },
    { url: "not an address", of: REALM, stands: false },
    { url: `${REALM}/`, of: undefined, stands: true },
  ])("$url of $of: $stands", ({ url, of, stands }) =>
    expect(standsFor({ url, name: "", ...(of === undefined ? {} : { sandbox_of: of }) }, REALM)).toBe(stands),
  );

  test.each([
    { site: "http://127.0.0.1:4000", realm_url: "http://127.0.0.1:4000", read: REALM },
    { site: "https://evil.example.org", realm_url: "http://127.0.0.1:4000", read: undefined },
    { site: "http://127.0.0.1:4000", realm_url: "https://evil.example.org", read: undefined },
  ])("asked at $site, which says $realm_url", ({ site, realm_url, read }) => {
    const body = { ...recorded.register, realm_url, realmctl_sandbox_of: REALM };
    const state = { body, site, takenAt: "2026-11-20T00:00:00.000Z", subscribers: false, invites: undefined };
    expect(decodeSnapshot(state).realm.sandbox_of).toBe(read);
  });
});
