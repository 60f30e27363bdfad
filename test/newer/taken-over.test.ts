import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { INVENTED_VALUES } from "../support/newer-server.ts";
import { NEWER_SERVERS, newer } from "./begin.ts";

const SECTIONS = kinds.map(({ section }) => section).join();

describe.each(NEWER_SERVERS)("the configuration of a server of $server", ({ level, isFuture }) => {
  test("is exported, and then nothing differs; what no file can say is named; what somebody changes there is taken into the file", async () => {
    const { world, run } = await newer(level, true, isFuture);
    await run("apply --yes --allow opened");
    const { err } = await run(`export --out-dir out --kinds ${SECTIONS}`);
    expect(err.includes(INVENTED_VALUES.topics_policy)).toBe(isFuture);
    expect(err.includes("web_channel_default_view")).toBe(isFuture);
    expect((await run("plan out/realm.yaml --detailed-exit-code")).out).toContain("No changes.");
    await run("init --yes --no-workflows --file first.yaml");
    expect((await run("plan first.yaml --detailed-exit-code")).out).toContain("No changes.");
    expect((await run("drift first.yaml")).out).toContain("No drift.");
    await world.edit("owner", "PATCH", `/streams/${world.channel("announce").stream_id}`, {
      description: "Changed",
      can_send_message_group: { new: world.group("role:owners") },
    });
    await world.edit("owner", "PATCH", "/realm", {
      description: "Other",
      can_create_groups: { new: world.group("role:members") },
    });
    await run("plan --detailed-exit-code", EXIT.changesPending);
    await run("adopt --all --yes");
    expect(world.read("realm.yaml")).toContain("description: Changed");
    expect((await run("plan --detailed-exit-code")).out).toContain("No changes.");
    await world.end();
  }, 180_000);
});

test("a value that realmctl does not know is not for writing by hand either: adopt says so", async () => {
  const { world, run } = await newer(512, false);
  await run("snapshot --out realm.json");
  const snapshot = JSON.parse(world.read("realm.json"));
  snapshot.settings.topics_policy = INVENTED_VALUES.topics_policy;
  world.file("newer.json", JSON.stringify(snapshot));
  world.file("realm.yaml", "version: 1\nsettings: {topics_policy: allow_empty_topic}\n");
  const { out, err } = await world.realmctl("adopt --snapshot newer.json --all --yes");
  const said = (out + err).replaceAll(/\s+/g, " ");
  expect(said).toContain(
    `(topics_policy) cannot be written: this version does not know the value ${INVENTED_VALUES.topics_policy} of topics_policy`,
  );
  expect(said).not.toContain("by hand");
  await world.end();
}, 60_000);
