import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.end());

const channel = (fields: string): string => `version: 1\nchannels:\n  general: {${fields}}\n`;

describe("validate --live", () => {
  test("a file that this account could apply; nothing is changed", async () => {
    world.file("realm.yaml", channel("description: Talk"));
    const { code, out, err } = await world.realmctl("validate --live");
    expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
    expect(`${out.trimEnd().replaceAll("\n", " ")}\n`).toMatch(
      /^realm\.yaml is valid: 1 channel\. Checked against \S+, read \d{4}-.* UTC\.\n$/,
    );
    expect(world.sandbox.log.length).toBeGreaterThan(0);
    expect(world.writes()).toEqual([]);
  });

  test.each([
    {
      what: "a reference to a missing person",
      as: "owner",
      level: undefined,
      text: channel("permissions: {can_send_message_group: moderatrs}"),
      error: /moderatrs/,
    },
    {
      what: "a limit of this server",
      as: "owner",
      level: 340,
      text: channel("topics_policy: allow_empty_topic"),
      error: /feature level 392/,
    },
    {
      what: "a right that the account does not have",
      as: "member",
      level: undefined,
      text: channel("description: Talk"),
      error: /error\[channels\/not-allowed\]/,
      exitCode: EXIT.notAllowed,
    },
  ])("$what is an error", async ({ as, level, text, error, exitCode = EXIT.errors }) => {
    if (level !== undefined) {
      await world.end();
      world = await World.start({ level });
    }
    world.file("realm.yaml", text);
    // Only the server shows it.
    expect(await world.realmctl("validate", { as })).toMatchObject({ code: EXIT.done, err: "" });
    const { code, out, err } = await world.realmctl("validate --live", { as });
    expect({ code, out }).toEqual({ code: exitCode, out: "" });
    expect(err).toMatch(error);
    expect(err).toContain("1 error. Nothing was changed.");
    expect(world.writes()).toEqual([]);
  });
});

test("an account given on the command line is used for --live; one in the environment alone is not", async () => {
  world.file("realm.yaml", channel("permissions: {can_send_message_group: moderatrs}"));
  expect(await world.realmctl("validate")).toMatchObject({ code: EXIT.done, err: "" });
  expect(world.sandbox.log).toEqual([]);
  expect(await world.realmctl(`validate --site ${world.url}`)).toMatchObject({ code: EXIT.errors, out: "" });
  expect(world.sandbox.log).not.toEqual([]);
});

test.each([
  { line: "validate --live --snapshot realm.json", options: {}, exitCode: EXIT.errors, error: /cannot be used with/ },
  {
    line: "validate --live",
    options: { anonymous: true },
    exitCode: EXIT.notAllowed,
    error: /error\[credentials\/missing\]/,
  },
])("$line is refused", async ({ line, options, exitCode, error }) => {
  world.file("realm.yaml", channel("description: Talk"));
  const { code, err } = await world.realmctl(line, options);
  expect(code).toBe(exitCode);
  expect(err).toMatch(error);
});
