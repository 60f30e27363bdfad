import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { INVENTED_VALUES } from "../support/newer-server.ts";
import { NEWER_LEVELS, newer } from "./begin.ts";

const SECTIONS = kinds.map(({ section }) => section).join();

describe.each(NEWER_LEVELS)("the configuration of a server of level %i", (level) => {
  test("is exported, and then nothing differs; what no file can say is named; what somebody changes there is taken into the file", async () => {
    const { world, run } = await newer(level);
    await run("apply --yes");
    const { err } = await run(`export --out-dir out --kinds ${SECTIONS}`);
    expect(err.includes(INVENTED_VALUES.topics_policy)).toBe(level > 512);
    expect(err.includes("web_channel_default_view")).toBe(level > 512);
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
