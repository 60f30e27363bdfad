import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Plan } from "../../src/model/plan.ts";
import { NEWER_SERVERS, newer } from "./begin.ts";

/** A file whose changes can all be taken back. */
const SMALL = `version: 1
settings:
  description: Castings
  video_chat_provider: disabled
  media_preview_size: 150
  permissions: {can_invite_users_group: role:moderators, can_create_groups: {users: [ada@acme.example]}}
user_defaults: {web_font_size_px: 15}
user_groups: {riggers: {description: They rig}}
channels:
  general: {description: Talk, permissions: {can_send_message_group: role:members}}
  sandbox: {description: Play, topics_policy: disable_empty_topic}
profile_fields: [{name: Badge, type: short_text, use_for_user_matching: true}]
`;

describe.each(NEWER_SERVERS)("a server of $server", ({ level, isFuture }) => {
  test("is planned, changed in every section, and matches from then on; somebody else's change is found", async () => {
    const { world, run } = await newer(level, true, isFuture);
    expect((await run("validate")).out).toContain("is valid");
    expect((await run("validate --live")).out).toContain("is valid");
    const { changes, calls }: Plan = JSON.parse((await run("plan --format json")).out);
    expect((await run("apply --yes --allow opened")).out).toMatch(
      /Applied (\d+) of \1 writes[\s\S]*the organization matches the file/,
    );
    expect(world.writes().length).toBe(calls.length);
    expect(changes.length).toBeGreaterThan(25);
    expect((await run("plan --detailed-exit-code")).out).toContain("No changes.");
    expect((await run("drift")).out).toContain("No drift.");
    await world.edit("owner", "PATCH", `/streams/${world.channel("announce").stream_id}`, { description: "Changed" });
    const drift = await run("drift", EXIT.changesPending);
    expect(drift.out).toMatch(/announce[\s\S]*Changed/);
    await world.end();
  }, 180_000);

  test("gets back what it had", async () => {
    const { world, run } = await newer(level, true, isFuture);
    const yaml = level < 469 ? SMALL.replace(/ {2}media_preview_size.*\n/, "") : SMALL;
    world.file("realm.yaml", yaml);
    const planned = async (): Promise<readonly unknown[]> => {
      const { changes }: Plan = JSON.parse((await run("plan --format json")).out);
      return changes.filter(({ kind }) => kind !== "user_group").map(({ address, fields }) => ({ address, fields }));
    };
    const before = await planned();
    await run("apply --yes --allow opened");
    expect(await planned()).toEqual([]);
    const [journal] = world.journals();
    await run(`apply --yes --allow opened --undo .realmctl/${journal}`);
    expect(await planned()).toEqual(before);
    await world.end();
  }, 180_000);
});

test("what realmctl does not know of a server changes no change, no request and no risk", async () => {
  const seen = [];
  for (const shown of [false, true]) {
    const { world, run } = await newer(600, shown);
    const { changes, calls, guards }: Plan = JSON.parse((await run("plan --format json")).out);
    seen.push(JSON.parse(JSON.stringify({ changes, calls, guards }).replaceAll(world.url, "URL")));
    await world.end();
  }
  expect(seen[1]).toEqual(seen[0]);
}, 180_000);
