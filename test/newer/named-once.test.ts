import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { NEWER_SERVERS, newer } from "./begin.ts";

/** All that the invented server has beyond what it tells about itself: of the organization, of channels, groups, profile fields and defaults of people. */
const UNKNOWN = [
  "can_pin_topics_group",
  "can_react_group",
  "can_see_members_group",
  "custom_profile_fields.type=9",
  "enable_gravity",
  "orbit",
  "realm_max_satellites",
  "web_orbit_view",
];
const LINE = "7 settings and 1 type of profile field of this server are newer than realmctl";

test.each(NEWER_SERVERS)(
  "what a server of $server has and realmctl does not know is counted once in every output",
  async ({ level, isFuture }) => {
    const { world, run } = await newer(level, true, isFuture);
    const times = isFuture ? 1 : 0;
    for (const [line, code] of [
      ["plan"],
      ["drift", EXIT.changesPending],
      ["whoami"],
      ["snapshot --out realm.json --invites"],
      ["plan --snapshot realm.json"],
      ["export --out all.yaml"],
      ["export --snapshot realm.json --out same.yaml"],
      ["init --yes --no-workflows --file first.yaml"],
    ] as const) {
      const { out, err } = await run(line, code);
      expect([line, (out + err).replaceAll(/\s+/g, " ").split(LINE).length - 1]).toEqual([line, times]);
    }
    expect(JSON.parse((await run("whoami --format json")).out).newer_settings).toEqual(
      times === 1 ? UNKNOWN : undefined,
    );
    await world.end();
  },
  180_000,
);

test("a profile field of a type that realmctl does not know cannot be declared: the plan says so, and nothing is sent", async () => {
  const { world } = await newer(600);
  for (const item of [
    "{name: Coordinates, type: short_text}",
    "{name: Coordinates}",
    "{name: Coordinates, absent: true}",
  ]) {
    world.file("realm.yaml", `version: 1\nprofile_fields: [${item}]\n`);
    const { code, out, err } = await world.realmctl("plan");
    expect({ item, code, out, err }).toMatchObject({
      code: EXIT.errors,
      out: expect.stringMatching(/Coordinates[\s\S]*does not\s+know \(9\)[\s\S]*No other changes/),
      err: "",
    });
  }
  await world.end();
}, 60_000);
