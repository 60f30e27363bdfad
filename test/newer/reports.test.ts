import { expect, test } from "vitest";
import { NEWEST_KNOWN_LEVEL } from "../../src/model/releases.ts";
import { NEWER_SERVERS, newer } from "./begin.ts";

const RULES = `version: 1
tests:
  - {name: Guests only read, who: {role: guest}, cannot: {post: [announce], join: [general]}}
  - {name: Members write, who: {role: member}, can: {post: [general]}}
`;

test.each(NEWER_SERVERS)(
  "every report of a server of $server is made",
  async ({ level, isFuture }) => {
    const { world, run } = await newer(level, true, isFuture);
    world.file("realm.test.yaml", RULES);
    const { out: who } = await run("whoami");
    expect(who).toContain(`feature level ${level}`);
    expect(who.replaceAll(/\s+/g, " ").includes("the newest that this version knows")).toBe(level > NEWEST_KNOWN_LEVEL);
    expect((await run("plan --format html")).out).toContain("can_invite_users_group");
    await run("plan --rehearse --out realm.plan");
    expect((await run("show realm.plan")).out).toContain("Every call, in order:");
    expect((await run("show realm.plan --format markdown")).out).toContain("#announce");
    await run("apply realm.plan --yes --allow opened");
    expect((await run("drift --format html")).out).toContain("<html");
    expect((await run("access #general --format html")).out).toContain("<html");
    expect((await run("access #general")).out).toMatch(/post +the same as read/);
    expect((await run("access ada@acme.example")).out).toContain("all 7");
    expect((await run("access organization")).out).toContain("create groups");
    expect((await run("access --as guest")).out).toContain("guest");
    expect((await run("access --plan")).out).toContain("Nobody gains or loses access.");
    expect((await run("test")).out).toContain("2 rules hold");
    expect((await run("test --live")).out).toContain("2 rules hold");
    expect(JSON.parse((await run("api get-own-user")).out)).toMatchObject({ email: expect.any(String) });
    await world.end();
  },
  180_000,
);
