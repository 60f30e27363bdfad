import { expect, test } from "vitest";
import { NEWEST_KNOWN_LEVEL } from "../../src/model/releases.ts";
import { watchAnswers } from "../../src/sandbox/sandbox.ts";
import { World } from "../e2e/world.ts";
import { NEWER_SERVERS, newer } from "./begin.ts";

test.each(NEWER_SERVERS)(
  "a snapshot of a server of $server is planned, rehearsed by the rules that are known, and carried on by a sandbox",
  async ({ level, isFuture }) => {
    const { world, run } = await newer(level, true, isFuture);
    await run("snapshot --out realm.json --invites");
    const { out } = await run("plan --snapshot realm.json --rehearse");
    const known = `by the rules of feature level ${NEWEST_KNOWN_LEVEL}`;
    expect(out.replace(/\s+/g, " ").includes(known)).toBe(level > NEWEST_KNOWN_LEVEL);
    expect(out).toMatch(/Rehearsed +all \d+ calls succeed/);
    // The copy shows what the snapshot has, and the contract of known levels does not.
    watchAnswers(undefined);
    const copy = await World.start({ from: JSON.parse(world.read("realm.json")) });
    copy.file("realm.yaml", "version: 1\nchannels: {general: {description: Tried}}\n");
    expect((await copy.realmctl("apply --yes")).out).toContain("the organization matches the file");
    expect((await copy.realmctl("drift")).out).toContain("No drift.");
    await copy.realmctl("snapshot --out again.json");
    // Also rights of things that only this server has.
    const [again, first] = [copy.read("again.json"), world.read("realm.json")].map((text) => JSON.parse(text));
    const described = again.permission_settings;
    expect(described).toEqual(first.permission_settings);
    // And plain keys of channels and groups.
    for (const section of ["channels", "user_groups"])
      expect(again[section].map(({ orbit }: { orbit?: unknown }) => orbit)).toEqual(
        first[section].map(({ orbit }: { orbit?: unknown }) => orbit),
      );
    expect(again.channels[0].orbit !== undefined).toBe(isFuture);
    expect("planet" in described).toBe(isFuture);
    await copy.end();
    await world.end();
  },
  180_000,
);
