import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyPlan } from "../src/apply/apply.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { planRealm } from "../src/workflow/workflow.ts";
import { organization } from "./support/organizations.ts";
import { must, World } from "./support/world.ts";

/** examples/fleet: two organizations that share their channels, each with its own values. */
const directory = join(import.meta.dirname, "../examples/fleet");

/** The sandbox knows its own address, not the one that it stands for. */
const readAs = async (world: World, host: string): Promise<Snapshot> => {
  const snapshot = await world.read();
  return { ...snapshot, realm: { ...snapshot.realm, url: `https://${host}` } };
};

const options = (name: string, world: World, host: string) => ({
  file: join(directory, name),
  readFile: (path: string) => readFile(path),
  listFiles: async (path: string) => readdirSync(path).sort(),
  reader: { snapshot: () => readAs(world, host) },
  kinds,
});

describe.each([
  {
    name: "production.yaml",
    host: "chat.example.org",
    groups: ["night-watch"],
    channels: ["alerts", "announce", "customers", "incidents"],
    description: "What machines say; deleted after 365 days",
    template: "https://issues.example.org/{id}",
    subscribe: "night-watch",
  },
  {
    name: "staging.yaml",
    host: "chat-staging.example.org",
    groups: [],
    channels: ["alerts", "announce", "incidents"],
    description: "What machines say; deleted after 30 days",
    template: "https://issues-staging.example.org/{id}",
    subscribe: "role:moderators",
  },
])("$name", ({ name, host, groups, channels, description, template, subscribe }) => {
  test("is planned and applied, and then a new plan is empty", async () => {
    const world = new World(organization(host, groups));
    const planned = must(await planRealm(options(name, world, host)));
    expect(planned.plan.guards.filter(({ violated }) => violated)).toEqual([]);
    const made = (kind: string) =>
      planned.plan.changes.filter((change) => change.kind === kind && change.action === "create");
    expect(
      made("channel")
        .map((change) => change.name)
        .sort(),
    ).toEqual(channels);
    const declared = (channel: string, field: string) =>
      made("channel")
        .find((change) => change.name === channel)
        ?.fields.find((each) => each.field === field)?.after;
    expect(declared("alerts", "description")).toBe(description);
    expect(declared("incidents", "can_subscribe_group")).toBe(subscribe);
    // Its own value, its profile's, the defaults'.
    expect(declared("incidents", "privacy")).toBe("private_shared_history");
    expect(declared("announce", "folder")).toBe("Company");
    expect(declared("announce", "privacy")).toBe("public");
    expect(declared("announce", "can_resolve_topics_group")).toBe("role:members");
    expect(made("linkifier")[0]?.fields.find(({ field }) => field === "url_template")?.after).toBe(template);

    const { writer } = world.as("ada@acme.example");
    const result = await applyPlan(planned.plan, {
      send: (call, signal) => writer.send(call, signal),
      read: () => readAs(world, host),
      kinds,
      openJournal: () => ({ path: "in memory", write: () => {}, close: () => {} }),
      now: () => 0,
      mayRepeat: () => false,
      replan: (snapshot) => planned.planAgain(snapshot),
    });
    expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
    expect(result.outcome).toBe("applied");
    expect(must(await planRealm(options(name, world, host))).plan.changes).toEqual([]);
  });

  test("is refused by the other organization", async () => {
    const other = host === "chat.example.org" ? "chat-staging.example.org" : "chat.example.org";
    const planned = await planRealm(options(name, new World(organization(other, ["night-watch"])), other));
    expect(planned.ok ? [] : planned.diagnostics.map(({ code }) => code)).toEqual(["realm/other-realm"]);
  });
});
